//! When a run projects its state onto the constraints, as plain data; [`project`](super::project) does it.

use super::project::Norm;

/// When positions or velocities are projected onto the constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum When {
    /// Never.
    #[default]
    Never,
    /// After every step.
    EveryStep,
    /// After the steps that end at these times (to the nearest step).
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

/// What happens to the history of the integrator after a projection (VP; measured for the heavy top in the
/// claims).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Only v is replaced: multipliers lose an order for about a hundred steps.
    #[default]
    Keep,
    /// The integrator starts anew with its own starting values. With Table 2 there is no loss of order.
    Start,
}

/// Projections during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// Projection of q (VP 6).
    pub position: When,
    /// Projection of v (VP 7), after that of q.
    pub velocity: When,
    /// What follows.
    pub restart: Restart,
    /// In which norm.
    pub norm: Norm,
}
