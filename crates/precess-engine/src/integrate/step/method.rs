//! A method: what it makes of its history at the beginning of a step, and what it keeps at the end.
//!
//! Most methods are linear and treat every coordinate in the same way. Such a method is two functions of the
//! numbers of one coordinate ([`Formulas`]), and [`OneByOne`](crate::integrate::OneByOne) makes a [`Method`] of
//! them, for every kind of number. Their derivatives and the transposed maps follow from the same two functions.

use precess_lie::Number;

use super::data::Step;
use super::linear::Linear;
use crate::mechanics::{Dynamics, State};

/// The formulas of a method with H vectors of history, for one coordinate of the velocity. The first two
/// vectors are v_n and v'_n.
pub trait Formulas<const H: usize> {
    /// The history at the start.
    fn start<T: Number>(&self, h: f64, v: T, vdot: T) -> [T; H];

    /// The derivatives of v_np1 and v'_np1 for theta.
    fn slopes(&self, h: f64) -> [f64; 2];

    /// theta_0, v_0 and v'_0: what Newton's method begins with.
    fn predict<T: Number>(&self, h: f64, past: [T; H]) -> [T; 3];

    /// The history of the next step, from the new velocity and acceleration, and from theta (without the part
    /// of the stabilisation) and its difference delta from theta_0.
    fn accept<T: Number>(&self, h: f64, past: [T; H], new: [T; 2], steps: [T; 2]) -> [T; H];
}

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
