//! User settings of Newton's method.

use crate::solve::Solver;

/// Treatment of the iteration matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// `Full` for small systems with constraints, which then hold to round-off. Otherwise `Kept` for
    /// generalized-alpha in index-3 form, whose error is far above the error of old matrices. `Once` for all
    /// others, and if rows are redundant.
    #[default]
    Auto,
    /// Exact matrix in every iteration: D, K and the tangent operator T are kept.
    Full,
    /// D, K and T are omitted (LA, end of section 3.5): cheap and linearly convergent, for small steps.
    Simplified,
    /// The exact matrix, kept over iterations and steps until the contraction exceeds 0.5.
    Modified,
    /// The exact matrix once per step, and again when the contraction exceeds 0.1. It takes as many
    /// iterations as `Full` at the steps of our benchmarks, and each after the first costs a third;
    /// constraints hold to the tolerance of Newton's method rather than to round-off.
    Once,
    /// The exact matrix, kept over steps as long as that saves work, and renewed when the contraction exceeds
    /// 0.1. Constraints hold to the tolerance of Newton's method. In the stabilized form it is not the default,
    /// because it rarely saves work there: 24 % of the instructions of the robot arm, between -3 % and 2 % for
    /// other models.
    Kept,
}

crate::error::named! {
    Strategy, "Newton strategy":
    Auto = "auto",
    Full = "full",
    Simplified = "simplified",
    Modified = "modified",
    Once = "once",
    Kept = "kept",
}

/// Settings of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Treatment of the matrix.
    pub strategy: Strategy,
    /// Newton's error relative to the first correction of a step.
    pub tolerance: f64,
    /// Largest number of iterations in a step.
    pub max_iterations: usize,
    /// Armijo line search when the residual does not decrease.
    pub damping: bool,
    /// Try rescues if Newton's method fails (see [`Rescue`](crate::integrate::Rescue)).
    pub recovery: bool,
    /// Solver for the matrix.
    pub solver: Solver,
}

impl Default for Newton {
    fn default() -> Self {
        Newton {
            strategy: Strategy::default(),
            tolerance: 1e-7,
            max_iterations: 30,
            damping: true,
            recovery: false,
            solver: Solver::default(),
        }
    }
}
