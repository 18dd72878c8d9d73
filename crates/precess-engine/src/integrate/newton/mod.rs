//! Newton's method: the one iteration that solves the equations of every implicit step.
//!
//! ```text
//! residual  ->  matrix, where it is renewed  ->  correction  ->  verdict: solved, again, or stuck
//! ```
//!
//! [`solve`] is that loop. It solves [`Equations`]: a fixed step (`implicit/iteration.rs`), a step to a
//! tolerance (`adaptive/newton.rs`) or four steps in lanes (`side_by_side/iteration.rs`). Each of them measures corrections in its own units. Two types
//! decide for all of them: [`Convergence`] says when corrections are small enough, and [`Refresh`] when a new
//! matrix is formed.

pub(crate) mod convergence;
mod jacobian_reuse;
pub(crate) mod refresh;
pub mod settings;
pub(crate) mod step_test;

pub(crate) use convergence::{Convergence, Said};
pub(crate) use refresh::{Made, Policy, Refresh};
pub use settings::{Newton, Strategy};

use crate::Error;

/// Verdict on a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
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

/// Equations of a step, and the iterate.
pub(crate) trait Equations {
    /// Evaluates the residual at the iterate. True if the residual shows that the equations are solved.
    /// `matrix` is true if the derivatives are needed next, for equations that evaluate both at once.
    fn residual(&mut self, matrix: bool) -> Result<bool, Error>;
    /// Forms the matrix of the iterate and factorises it.
    fn matrix(&mut self) -> Result<(), Error>;
    /// Solves for a correction, takes it and judges it.
    fn correct(&mut self) -> Result<Verdict, Error>;
    /// Called when no iteration helps any more: accepts the iterate if it is solved up to rounding errors,
    /// otherwise returns the error.
    fn stuck(&mut self) -> Result<(), Error>;
}

/// Newton's method from the current iterate, first with a new matrix or with the current factors.
#[inline(always)]
pub(crate) fn solve(equations: &mut impl Equations, mut matrix: bool) -> Result<(), Error> {
    loop {
        if equations.residual(matrix)? {
            return Ok(());
        }
        if matrix {
            equations.matrix()?;
        }
        match equations.correct()? {
            Verdict::Solved => return Ok(()),
            Verdict::Again { matrix: next } => matrix = next,
            Verdict::Stuck => return equations.stuck(),
        }
    }
}
