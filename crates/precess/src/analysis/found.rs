//! A state that an analysis found.

use crate::analysis::frame::Steady;
use crate::mechanics::State;

/// A steady motion that was found and proved.
#[derive(Clone, Debug)]
pub struct Found {
    /// The state, with multipliers.
    pub state: State,
    /// The motion and its frame.
    pub steady: Steady,
    /// Largest relative change of the linear equations along the motion.
    pub proof: f64,
    /// Remaining acceleration, m/s^2.
    pub acceleration: f64,
}
