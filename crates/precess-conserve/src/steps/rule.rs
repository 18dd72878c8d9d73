//! The equations of a step as stated in the paper.

use super::matrix::Matrix;
use super::unknowns::{Step, Workspace};

/// Which velocity of a step is reported in the [`State`](precess_engine::mechanics::State).
/// Multipliers and accelerations follow from the equations at the end of the step (`conserve/node.rs`). Where
/// the constraints are dependent, the multipliers of the step are reported instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Report {
    /// M^-1 p_1; lambda.
    Momentum,
    /// The velocity of the step; vartheta times the last lambda plus 1 - vartheta times this one.
    Velocity(f64),
    /// M^-1 p_1; the averaged multiplier.
    Averaged(f64),
}

/// The equations of a step.
pub trait StepRule: Send {
    /// Name as typed by users.
    fn name(&self) -> &'static str;
    /// Order of convergence in q and p.
    fn order(&self) -> usize;
    /// Number of vectors of length d among the unknowns, and of vectors of length m.
    fn n_unknowns(&self) -> (usize, usize);
    /// True if forces without potential may act.
    fn takes_loads(&self) -> bool;
    /// The equations; `r` is zero before.
    fn residual(&self, step: &Step, r: &mut [f64], work: &mut Workspace);
    /// Their derivatives; `out` is zero before.
    fn jacobian(&self, step: &Step, out: &mut Matrix, work: &mut Workspace);
    /// The reported velocity and multipliers.
    fn report(&self) -> Report {
        Report::Momentum
    }
    /// True if the velocity of a step belongs to its beginning.
    fn velocity_at_start(&self) -> bool {
        false
    }
    /// A warning about the parameters.
    fn warning(&self) -> Option<String> {
        None
    }
}
