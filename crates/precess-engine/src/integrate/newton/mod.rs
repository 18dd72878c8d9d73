//! When Newton's method stops, and when it forms a new matrix.
//!
//! The iteration itself is [`solve`](super::step::solve). Two types decide for all of its kinds:
//! [`Convergence`] says when corrections are small enough, and [`Refresh`] when a new matrix is formed.

pub(crate) mod convergence;
mod jacobian_reuse;
pub(crate) mod refresh;
pub mod settings;
pub(crate) mod step_test;

pub(crate) use convergence::{Convergence, Said};
pub(crate) use refresh::{Made, Policy, Refresh};
pub use settings::{Newton, Strategy};

/// Verdict on a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The iterate is the solution.
    Solved,
    /// Another iteration, with or without a new matrix.
    Again {
        /// True if a new matrix is formed.
        matrix: bool,
    },
    /// More iterations would not help.
    Stuck,
}
