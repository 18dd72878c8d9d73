//! The engine of precess: equations of motion, linear algebra and integrators, without model files.
//!
//! Programs use the crate `precess`, which has all of this and reads models. The engine is a separate crate
//! because it needs every optimisation of the compiler, and model files do not.
//!
//! Dependencies point one way. A module uses those before it: [`error`], [`persist`](mod@persist),
//! `threads` and `clock`, [`solve`] (linear algebra), [`mechanics`] (the equations of motion), [`integrate`]
//! (starting values, methods), [`conserve`] (variational and energy-momentum methods), [`formulation`]
//! (coordinates), [`methods`] (all methods by name), [`problems`] (benchmarks with reference solutions).

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
pub mod conserve;
pub mod error;
pub mod expression;
pub mod flex;
pub mod formulation;
pub mod integrate;
pub mod mechanics;
pub mod methods;
pub mod persist;
pub mod problems;
pub mod runs;
pub mod solve;
mod threads;

pub use error::Error;
