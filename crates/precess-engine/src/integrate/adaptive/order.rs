//! Choice of order and step size for BDF.
//!
//! ter(j) is the size of the term of order j + 1 of the solution on the current grid. The rules are:
//!
//! - the order decreases if these terms do not decrease from one order to the next, and increases if the next
//!   one is smaller still; during the first steps the order increases and the step doubles, until the error
//!   is too large;
//! - a step grows only after k + 1 equal ones (k = 5 is unstable on grids that change all the time) and by
//!   1.2 or more; it shrinks as soon as the next one would fail;
//! - the order never returns to 1 after the start: in stiff directions order 1 has an error of O(h) in the
//!   velocities, every change of the step then looks like a jump and is rejected, and the order never rises
//!   again (measured: 17361 steps instead of 1469).

use super::Horizon;
use crate::Error;

/// Lowest order after the start.
const LOWEST_ORDER: usize = 2;
/// Newton failures of one step before giving up.
const MAX_FAILURES: usize = 12;
/// Rejections of one step before giving up.
const MAX_REJECTIONS: usize = 30;

/// Error estimates of a step of order k, in units of the tolerance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    /// The error of the step: it is accepted if this is at most 1.
    pub error: f64,
    /// er(k - 2), er(k - 1), er(k).
    pub lower: [f64; 3],
    /// er(k + 1), if there were k + 2 equal steps.
    pub higher: Option<f64>,
}

/// Order and step size of the next attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderControl {
    /// Order.
    pub k: usize,
    /// Step size.
    pub h: f64,
    /// Largest order.
    pub k_max: usize,
    /// True during the first steps: order and step grow together.
    starting: bool,
    /// True if the order was raised before the last step.
    raised: bool,
    rejected: usize,
    failed: usize,
}

crate::persist!(OrderControl { k, h, starting, raised, rejected, failed } given { k_max } where |x| {
    (1..=x.k_max).contains(&x.k) => "the order of the next step is not an order of this method",
    x.h > 0.0 => "the next step is not positive",
    x.rejected <= MAX_REJECTIONS && x.failed <= MAX_FAILURES => "a step was tried too often",
});

impl OrderControl {
    /// Order 1 with a first step.
    pub fn new(k_max: usize, h: f64) -> Self {
        OrderControl { k: 1, h, k_max, starting: true, raised: false, rejected: 0, failed: 0 }
    }

    /// Fixed order.
    pub fn fixed(k: usize, h: f64) -> Self {
        OrderControl { k, k_max: k, starting: false, ..OrderControl::new(k, h) }
    }

    /// The step from t, not beyond the horizon.
    pub fn fit(&mut self, t: f64, to: Horizon) -> f64 {
        self.h = to.fit(t, self.h);
        self.h
    }

    fn lowers(&self, e: &Estimates) -> bool {
        let [a, b, c] = e.lower;
        let k = self.k as f64;
        self.k > LOWEST_ORDER && ((k - 1.0) * a).max(k * b) <= (k + 1.0) * c
    }

    /// (2 er + 1e-4)^(-1/(k+1)): the factor by which a step of this order could be longer.
    fn ratio(er: f64, k: usize) -> f64 {
        (2.0 * er + 1e-4).powf(-1.0 / (k + 1) as f64)
    }

    /// After an accepted step; `equal` is the number of equal steps of this order so far.
    pub fn accepted(&mut self, e: &Estimates, equal: usize) {
        let k = self.k;
        let lowers = self.lowers(e);
        let clean = self.rejected == 0 && self.failed == 0;
        (self.rejected, self.failed) = (0, 0);
        self.starting &= clean && !lowers && k < self.k_max;
        let raised = std::mem::take(&mut self.raised);
        if self.starting {
            self.raise();
            self.h *= 2.0;
            return;
        }
        if k < LOWEST_ORDER && k < self.k_max {
            self.raise();
            if e.error < 0.1 {
                self.h *= 2.0;
            }
            return;
        }
        let [_, below, er] = e.lower;
        let mut er_new = er;
        let ter = (k + 1) as f64 * er;
        let down = k as f64 * below;
        match e.higher {
            _ if lowers => (self.k, er_new) = (k - 1, below),
            Some(above) if !raised && equal > k + 1 => {
                let up = (k + 2) as f64 * above;
                if k > LOWEST_ORDER && down <= ter.min(up) {
                    (self.k, er_new) = (k - 1, below);
                } else if up < ter {
                    self.raise();
                    er_new = above;
                }
            }
            _ => {}
        }
        let r = Self::ratio(er_new, self.k);
        if r >= 1.2 && equal > self.k {
            self.h *= r.min(2.0);
        } else if r <= 1.0 {
            self.h *= r.clamp(0.5, 0.9);
        }
    }

    fn raise(&mut self) {
        self.k += 1;
        self.raised = true;
    }

    /// After a step whose error was too large.
    pub fn rejected(&mut self, e: &Estimates, t: f64) -> Result<(), Error> {
        self.starting = false;
        self.raised = false;
        self.rejected += 1;
        match self.rejected {
            1 => {
                let mut er = e.lower[2];
                if self.lowers(e) {
                    self.k -= 1;
                    er = e.lower[1];
                }
                self.h *= (0.9 * Self::ratio(er, self.k)).clamp(0.25, 0.9);
            }
            2 => self.h *= 0.25,
            _ => (self.k, self.h) = (1, 0.25 * self.h),
        }
        if self.rejected > MAX_REJECTIONS {
            return Err(Error::StepTooSmall { t, h: self.h, cause: "the error stays too large".to_string() });
        }
        Ok(())
    }

    /// After a failure of Newton's method with a new matrix.
    pub fn failed(&mut self, error: Error, t: f64) -> Result<(), Error> {
        self.starting = false;
        self.raised = false;
        self.failed += 1;
        self.h *= 0.25;
        if self.failed > MAX_FAILURES {
            return Err(super::no_step(error, t, self.h));
        }
        Ok(())
    }
}
