//! Runs of mechanical systems: the loop over time steps, with events, checks of the results, recorders and
//! checkpoints. The crate `precess` re-exports everything in its module `study`.
//!
//! This code is executed in every step. So it is a crate of its own, which is compiled as one unit. `precess`
//! with its model files and reports is compiled in several units, which takes less time.

// User input never causes a panic. Unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub mod runs;

use precess_engine::{Error, clock, error, integrate, mechanics, persist, problems};
