//! Beam elements and modal bodies.

#[path = "../common/mod.rs"]
mod common;

mod geometric;
mod identities;
mod modal;
mod rotary;
mod statics;
