//! PID control of a joint coordinate x towards a set point w(t): with e = w - x
//!
//! ```text
//! u = k_p e + k_i c_1 + k_d e',     c_1' = e
//! ```
//!
//! With a filter time T the derivative action is that of a real differentiator: k_d c_2 with T c_2' = e' -
//! c_2.

use precess_lie::Number;

use super::super::coordinate::Reading;
use super::super::function::Function;
use super::{Linearised, Response};
use crate::mechanics::combine::combine;

/// A PID controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid<T = f64> {
    /// w(t).
    pub set_point: Function,
    /// k_p.
    pub proportional: T,
    /// k_i.
    pub integral: T,
    /// k_d.
    pub derivative: T,
    /// T, positive; none for an ideal derivative.
    pub filter: Option<T>,
}

impl<T: Number> Pid<T> {
    /// One for the integral, one for the filter.
    pub fn n_states(&self) -> usize {
        1 + usize::from(self.filter.is_some())
    }

    /// The rates c_1' = e and c_2' = (e' - c_2)/T, and the output u.
    pub(super) fn respond(&self, t: T, m: &Reading<T>, c: &[T]) -> Response<T> {
        let [w, w_t, _] = self.set_point.motion(t);
        let (e, e_t) = (w - m.x, w_t - m.rate);
        let integral = Linearised { value: e, x: -T::one(), ..Linearised::default() };
        let filter = self.filter.map_or_else(Linearised::default, |time| Linearised {
            value: (e_t - c[1]) / time,
            rate: -T::one() / time,
            states: [T::zero(), -T::one() / time],
            ..Linearised::default()
        });
        let mut u = Linearised {
            value: self.proportional * e + self.integral * c[0],
            x: -self.proportional,
            states: [self.integral, T::zero()],
            ..Linearised::default()
        };
        if self.filter.is_some() {
            u.value += self.derivative * c[1];
            u.states[1] = self.derivative;
        } else {
            u.value += self.derivative * e_t;
            u.rate = -self.derivative;
        }
        Response { rates: [integral, filter], output: u }
    }
}

combine!(struct Pid { set_point, proportional, integral, derivative, filter });
