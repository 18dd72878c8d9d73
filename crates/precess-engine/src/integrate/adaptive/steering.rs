//! What a user asks of Newton's method in runs with a tolerance. What is not asked for follows from the
//! tolerance.

use crate::integrate::implicit::Strategy;
use crate::solve::Solver;

/// When a new iteration matrix is formed.
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
    /// What may be missing of the solution of a step, relative to its first correction; besides what the
    /// tolerance asks for.
    pub accuracy: Option<f64>,
    /// Largest number of iterations with one predictor.
    pub max_iterations: Option<usize>,
    /// How matrices are factorised.
    pub solver: Solver,
}

impl Steering {
    /// The same with the matrices of a strategy; none for strategies that exist for fixed steps alone.
    pub fn with_strategy(self, strategy: Strategy) -> Option<Self> {
        let matrices = match strategy {
            Strategy::Auto | Strategy::Kept => Matrices::Kept,
            Strategy::Once => Matrices::EveryStep,
            Strategy::Full => Matrices::EveryIteration,
            Strategy::Simplified | Strategy::Modified => return None,
        };
        Some(Steering { matrices, ..self })
    }

    /// How much may be missing after a first correction of this size, in units of the tolerance.
    pub(super) fn close(&self, first: f64, tolerated: f64) -> f64 {
        self.accuracy.map_or(tolerated, |x| tolerated.min(x * first))
    }
}
