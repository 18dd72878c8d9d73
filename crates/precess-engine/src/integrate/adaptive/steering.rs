//! User settings of Newton's method in runs with a tolerance. Anything not set follows from the tolerance.

use crate::integrate::implicit::Strategy;
use crate::solve::Solver;

/// How often a new iteration matrix is formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matrices {
    /// Kept over steps as long as the iteration converges quickly.
    #[default]
    Kept,
    /// One in every step.
    EveryStep,
    /// One in every iteration.
    EveryIteration,
}

/// Newton's method with a tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// When matrices are formed.
    pub matrices: Matrices,
    /// Largest remaining error of a step, relative to its first correction. It applies in addition to the
    /// limit from the tolerance.
    pub accuracy: Option<f64>,
    /// Largest number of iterations with one predictor.
    pub max_iterations: Option<usize>,
    /// Solver for the matrices.
    pub solver: Solver,
}

impl Steering {
    /// The same with the matrices of a strategy; none for strategies that exist only for fixed steps.
    pub fn with_strategy(self, strategy: Strategy) -> Option<Self> {
        let matrices = match strategy {
            Strategy::Auto | Strategy::Kept => Matrices::Kept,
            Strategy::Once => Matrices::EveryStep,
            Strategy::Full => Matrices::EveryIteration,
            Strategy::Simplified | Strategy::Modified => return None,
        };
        Some(Steering { matrices, ..self })
    }

    /// Largest remaining error after a first correction of this size, in units of the tolerance.
    pub(super) fn close(&self, first: f64, tolerated: f64) -> f64 {
        self.accuracy.map_or(tolerated, |x| tolerated.min(x * first))
    }
}
