//! First-order lag, a motor or a valve that follows its command: T c' + c = w(t, x, x'), output u = c.

use super::super::coordinate::Reading;
use super::super::function::{Argument, Function};
use super::Linearised;

/// A first-order lag.
#[derive(Clone, Debug, PartialEq)]
pub struct Lag {
    /// The command w of time, measured coordinate and rate.
    pub input: Function,
    /// T, positive.
    pub time: f64,
    /// c at t = 0.
    pub initial: f64,
}

impl Lag {
    /// c' = (w - c)/T.
    pub(super) fn rate(&self, t: f64, m: &Reading, c: &[f64]) -> Linearised {
        let w = self.input.slope(Argument { t, x: m.x, v: m.rate });
        Linearised {
            value: (w.value - c[0]) / self.time,
            x: w.x / self.time,
            rate: w.v / self.time,
            states: [-1.0 / self.time, 0.0],
        }
    }
}
