//! Settings of the projections during a run; [`project`](super::project) computes them.

use super::project::Norm;

/// Times of a projection onto the constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum When {
    /// Never.
    #[default]
    Never,
    /// After every step.
    EveryStep,
    /// After the steps that end nearest to these times.
    At(Vec<f64>),
}

impl When {
    pub(crate) fn now(&self, t: f64, h: f64) -> bool {
        match self {
            When::Never => false,
            When::EveryStep => true,
            When::At(times) => times.iter().any(|x| (x - t).abs() < 0.5 * h),
        }
    }
}

/// Treatment of the integrator's history after a projection.
///
/// In index-3 form a projection of the velocities costs the multipliers an order whatever is done here
/// (VP): the projection removes the residual B v = O(h^2) that the method has, and only a start that puts
/// it back, which is no projection, would restore the order. The stabilized index-2 form has no such
/// residual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// The history is kept.
    #[default]
    Keep,
    /// The integrator starts again with its own starting values, without those that perturb the velocities:
    /// Table 1 in place of Table 2, and no shift (56).
    Start,
}

/// Projections during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// Projection of q (VP 6).
    pub position: When,
    /// Projection of v (VP 7), after that of q.
    pub velocity: When,
    /// Treatment of the history afterwards.
    pub restart: Restart,
    /// Norm of the projections.
    pub norm: Norm,
}
