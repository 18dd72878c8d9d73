//! Actuator: a torque or force u(t, x, v) along a joint coordinate x with the rate v.
//!
//! A positive u drives the second body towards a larger coordinate; the first body gets the opposite force.

use precess_lie::Number;

use super::ScalarLaw;
use crate::mechanics::forces::element::no_number;
use crate::mechanics::function::{Argument, Function, MAX_READ};
use crate::mechanics::kernels::CompliantLaw;

impl<T: Number> ScalarLaw<T> for Function {
    fn law(&self, here: Argument<T>, _: &[T]) -> CompliantLaw<1, T> {
        let u = self.slope(here);
        CompliantLaw::scalar(-u.value, -u.x, -u.v)
    }

    fn strength(&self, here: Argument<T>, _: &[T]) -> T {
        -self.value(here)
    }

    /// All of its work counts, since a function has no known potential.
    fn loss(&self, here: Argument<T>, memory: &[T]) -> T {
        self.strength(here, memory)
    }

    fn drives(&self) -> Vec<&Function> {
        vec![self]
    }

    fn trouble(&self, here: Argument<T>, whose: &str) -> Option<String> {
        no_number(std::slice::from_ref(self), here, &[T::zero(); MAX_READ], (whose, here.t))
    }
}
