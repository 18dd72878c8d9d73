//! What a run with automatic steps did: steps, orders, the chosen method, the accuracy that was reached.

use super::errors::larger;
use super::trust::Doubt;
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
    pub fn observe(&mut self, report: &StepReport) {
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

/// An error above this number of tolerances gets a notice.
const UNEXPECTED_ERROR: f64 = 100.0;
/// An error above this number of tolerances makes the results wrong.
const BROKEN_TOLERANCE: f64 = 1000.0;
/// So does an error of the size of the motion: in rad, lengths of the model, or its velocities.
const SIZE_OF_THE_MOTION: f64 = 0.1;

impl Achieved {
    /// What the estimated error of a run with this tolerance says about its results.
    pub fn doubt(&self, tol: f64) -> Option<Doubt> {
        let error = larger(self.positions, self.velocities);
        let text = format!("the estimated error {error:.0e} is {:.0} times the tolerance", error / tol);
        if !(error <= SIZE_OF_THE_MOTION && error <= BROKEN_TOLERANCE * tol) {
            let remedy =
                "the motion is chaotic, too long or too fast for this tolerance; try a smaller tolerance";
            return Some(Doubt::Wrong(format!("{text}: {remedy}")));
        }
        (error > UNEXPECTED_ERROR * tol).then_some(Doubt::Notice(text))
    }
}
