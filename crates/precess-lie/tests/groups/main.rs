//! The Lie groups.

#[path = "../common/mod.rs"]
mod common;

mod compact;
#[allow(clippy::module_inception)]
mod groups;
mod lanes;
mod products;
mod rotations;
