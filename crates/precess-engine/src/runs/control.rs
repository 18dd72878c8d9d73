//! What a run with automatic steps did: steps, orders, the chosen method, the accuracy that was reached.

use crate::integrate::StepReport;
use crate::persist::{Archive, Damage, Persist};

/// Steps and orders of a run with automatic steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// The tolerance.
    pub tol: f64,
    /// Attempts whose error was too large.
    pub rejected: usize,
    /// Attempts in which Newton's method failed.
    pub failed: usize,
    /// Steps of order 1, 2, ...
    pub orders: Vec<usize>,
    /// Smallest and largest step.
    pub h: Option<[f64; 2]>,
    /// The chosen method and the reason, if there was a choice.
    pub choice: Option<String>,
    /// Estimate of the global error, if requested.
    pub achieved: Option<Achieved>,
    /// Why there is no such estimate, if it was requested.
    pub unverified: Option<String>,
}

impl Persist for Control {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        // Choice and achieved accuracy are known only at the end.
        let Control { tol: _, rejected, failed, orders, h, choice: _, achieved: _, unverified: _ } = self;
        archive.growing(orders)?;
        ((rejected, failed), h).persist(archive)
    }
}

impl Control {
    /// Records a step.
    pub fn see(&mut self, report: &StepReport) {
        self.rejected += report.rejected;
        self.failed += report.failed;
        if self.orders.len() < report.order {
            self.orders.resize(report.order, 0);
        }
        if let Some(n) = report.order.checked_sub(1) {
            self.orders[n] += 1;
        }
        let [low, high] = self.h.unwrap_or([report.h; 2]);
        self.h = Some([low.min(report.h), high.max(report.h)]);
    }
}

/// The difference from a run with a tenth of the tolerance, which is about the global error: the largest of
/// all bodies and of some times, in the units of the tolerance. 1 is a rad, a length of the model, or a
/// velocity of that length per time of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Achieved {
    /// Rotations and positions.
    pub positions: f64,
    /// Velocities.
    pub velocities: f64,
    /// Forces of the joints, relative to the largest one; none without joints.
    pub forces: Option<f64>,
}
