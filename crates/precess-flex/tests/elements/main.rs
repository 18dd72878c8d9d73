//! Beam elements and modal bodies.

#[path = "../common/mod.rs"]
mod common;

mod identities;
mod geometric;
mod modal;
mod rotary;
mod statics;
