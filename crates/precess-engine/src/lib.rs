//! The engine of precess: equations of motion, linear algebra and integrators, without model files.
//!
//! Programs use the crate `precess`, which has all of this and reads models. A module uses only those before
//! it; the front page of `precess` has the order.

// User input never causes a panic. Unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub mod clock;
pub mod error;
pub mod expression;
pub mod flex;
pub mod formulation;
pub mod integrate;
pub mod mechanics;
pub mod persist;
pub mod problems;
pub mod runs;
pub mod solve;
mod threads;

pub use error::Error;
