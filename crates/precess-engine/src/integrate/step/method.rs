//! A method: what it makes of its history at the beginning of a step, and what it keeps at the end.
//!
//! Most methods are linear and treat every coordinate in the same way. Such a method is two functions of the
//! numbers of one coordinate ([`Formulas`](super::Formulas)), and [`OneByOne`](crate::integrate::OneByOne) makes a [`Method`] of
//! them, for every kind of number. Their derivatives and the transposed maps follow from the same two functions.

use precess_lie::Number;

use super::data::Step;
use super::linear::Linear;
use crate::mechanics::{Dynamics, State};

/// The two ends of a step.
pub trait Method<T: Number> {
    /// Makes the history of a state with accelerations, for steps of size h. Without it, every vector is v'_0.
    fn begin(&mut self, step: &mut Step<T>, h: f64) {
        let _ = h;
        let State { v, vdot, .. } = &step.trial;
        for (i, list) in step.past.iter_mut().enumerate() {
            list.copy_from_slice(if i == 0 { v } else { vdot });
        }
    }

    /// Sets the direction N, theta_0, v_0, v'_0, their slopes and a first guess, from the state and the history.
    fn predict(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    );

    /// The iterate is the new state: keeps what later steps need.
    fn accept(&mut self, step: &mut Step<T>);
}
