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
    #[doc(hidden)]
    pub fn now(&self, t: f64, h: f64) -> bool {
        match self {
            When::Never => false,
            When::EveryStep => true,
            When::At(times) => times.iter().any(|x| (x - t).abs() < 0.5 * h),
        }
    }
}

/// Treatment of the integrator's history after a projection (VP; measured for the heavy top in the claims).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Only v is replaced: multipliers lose an order for about a hundred steps.
    #[default]
    Keep,
    /// The integrator starts again with its own starting values. With Table 2 no order is lost.
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
