//! Step control for a one-step method of order p: the digital filter H211b (Söderlind), smoothed and clipped.
//!
//! With e the error divided by 0.8 times the tolerance and k = p + 1, the next step is f h,
//!
//! ```text
//! f = (1/e)^(1/(4k)) (1/e_prev)^(1/(4k)) (h/h_prev)^(-1/4),   f <- 1 + atan(f - 1) in [0.2, 2],
//! ```
//!
//! the first one after a start f = e^(-1/k), at most 1 after a rejection. Rejected: h max(0.2, 0.9
//! err^(-1/k)); Newton failed: h/4.

use super::Horizon;
use crate::Error;

/// Attempts for one step before giving up.
const MAX_ATTEMPTS: usize = 30;

/// The filter and its memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct H211b {
    /// Step size of the next attempt.
    pub h: f64,
    /// Errors of a step shrink with this power of its size.
    power: f64,
    previous: Option<(f64, f64)>,
    attempts: usize,
}

crate::persist!(H211b { h, previous, attempts } given { power } where |x| {
    x.h > 0.0 => "the next step is not positive",
    x.previous.is_none_or(|(error, h)| error > 0.0 && h > 0.0) => "the last step or its error is not \
        positive",
    x.attempts <= MAX_ATTEMPTS => "a step was tried too often",
});

impl Default for H211b {
    fn default() -> Self {
        H211b::new(0.0)
    }
}

impl H211b {
    /// A filter with this first step, for a method of order 2.
    pub fn new(h: f64) -> Self {
        H211b { h, power: 3.0, previous: None, attempts: 0 }
    }

    /// For a method of this order.
    pub fn with_order(self, order: f64) -> Self {
        H211b { power: order + 1.0, ..self }
    }

    /// The step from t, not beyond the horizon.
    pub fn fit(&mut self, t: f64, to: Horizon) -> f64 {
        self.h = to.fit(t, self.h);
        self.h
    }

    /// After an accepted step with this error in units of the tolerance.
    pub fn accepted(&mut self, error: f64) {
        let e = (error / 0.8).max(1e-10);
        let f = match self.previous {
            None => e.powf(-1.0 / self.power),
            Some((e_prev, h_prev)) => (e * e_prev).powf(-0.25 / self.power) * (self.h / h_prev).powf(-0.25),
        };
        let f = (1.0 + (f - 1.0).atan()).clamp(0.2, 2.0);
        self.previous = Some((e, self.h));
        self.h *= if self.attempts > 0 { f.min(1.0) } else { f };
        self.attempts = 0;
    }

    /// After a step whose error was too large.
    pub fn rejected(&mut self, error: f64, t: f64) -> Result<(), Error> {
        self.h *= (0.9 * error.powf(-1.0 / self.power)).clamp(0.2, 0.9);
        let h = self.h;
        self.again(|| Error::StepTooSmall { t, h, cause: "the error stays too large".to_string() })
    }

    /// After a failure of Newton's method with a new matrix.
    pub fn failed(&mut self, error: Error, t: f64) -> Result<(), Error> {
        self.h *= 0.25;
        let h = self.h;
        self.again(|| super::no_step(error, t, h))
    }

    fn again(&mut self, error: impl FnOnce() -> Error) -> Result<(), Error> {
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS { Err(error()) } else { Ok(()) }
    }
}
