//! PID control of a joint coordinate x towards a set point w(t): with e = w - x
//!
//! ```text
//! u = k_p e + k_i c_1 + k_d e',     c_1' = e
//! ```
//!
//! With a filter time T the derivative action is that of a real differentiator: k_d c_2 with T c_2' = e' - c_2.

use super::super::coordinate::Reading;
use super::super::function::Function;
use super::{Linearised, MAX_STATES};

/// A PID controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    /// w(t).
    pub set_point: Function,
    /// k_p.
    pub proportional: f64,
    /// k_i.
    pub integral: f64,
    /// k_d.
    pub derivative: f64,
    /// T, positive; none for an ideal derivative.
    pub filter: Option<f64>,
}

impl Pid {
    /// One for the integral, one for the filter.
    pub fn n_states(&self) -> usize {
        1 + usize::from(self.filter.is_some())
    }

    /// c_1' = e and c_2' = (e' - c_2)/T.
    pub(super) fn rates(&self, t: f64, m: &Reading, c: &[f64]) -> [Linearised; MAX_STATES] {
        let [w, w_t, _] = self.set_point.motion(t);
        let integral = Linearised { value: w - m.x, x: -1.0, ..Linearised::default() };
        let filter = self.filter.map_or_else(Linearised::default, |time| Linearised {
            value: (w_t - m.rate - c[1]) / time,
            rate: -1.0 / time,
            states: [0.0, -1.0 / time],
            ..Linearised::default()
        });
        [integral, filter]
    }

    /// u.
    pub(super) fn output(&self, t: f64, m: &Reading, c: &[f64]) -> Linearised {
        let [w, w_t, _] = self.set_point.motion(t);
        let mut u = Linearised {
            value: self.proportional * (w - m.x) + self.integral * c[0],
            x: -self.proportional,
            states: [self.integral, 0.0],
            ..Linearised::default()
        };
        if self.filter.is_some() {
            u.value += self.derivative * c[1];
            u.states[1] = self.derivative;
        } else {
            u.value += self.derivative * (w_t - m.rate);
            u.rate = -self.derivative;
        }
        u
    }
}
