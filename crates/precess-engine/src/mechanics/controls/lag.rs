//! First-order lag, a motor or a valve that follows its command: T c' + c = w(t, x, x'), output u = c.

use precess_lie::Number;

use super::super::coordinate::Reading;
use super::super::function::{Argument, Function};
use super::Linearised;
use crate::mechanics::combine::combine;

/// A first-order lag.
#[derive(Clone, Debug, PartialEq)]
pub struct Lag<T = f64> {
    /// The command w of time, measured coordinate and rate.
    pub input: Function,
    /// T, positive.
    pub time: T,
    /// c at t = 0.
    pub initial: T,
}

impl<T: Number> Lag<T> {
    /// c' = (w - c)/T.
    pub(super) fn rate(&self, t: T, m: &Reading<T>, c: &[T]) -> Linearised<T> {
        let w = self.input.slope(Argument { t, x: m.x, v: m.rate });
        Linearised {
            value: (w.value - c[0]) / self.time,
            x: w.x / self.time,
            rate: w.v / self.time,
            states: [-T::one() / self.time, T::zero()],
        }
    }
}

combine!(struct Lag { input, time, initial });
