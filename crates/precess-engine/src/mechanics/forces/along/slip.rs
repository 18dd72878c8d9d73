//! Friction of a coordinate that does not depend on the load of its joint: viscous, and dry friction smoothed
//! around zero speed. Smoothing means creep instead of sticking.

use precess_lie::Number;

use super::ScalarLaw;
use crate::mechanics::combine::combine;
use crate::mechanics::function::Argument;
use crate::mechanics::kernels::CompliantLaw;

/// s = c_v x'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viscous<T = f64> {
    /// Coefficient.
    pub c_v: T,
}

impl<T: Number> ScalarLaw<T> for Viscous<T> {
    fn law(&self, here: Argument<T>, _: &[T]) -> CompliantLaw<1, T> {
        CompliantLaw::scalar(self.c_v * here.v, T::zero(), self.c_v)
    }

    fn reads_position(&self) -> bool {
        false
    }

    fn loss(&self, here: Argument<T>, _: &[T]) -> T {
        self.c_v * here.v
    }
}

/// s = c_v x' + level x'/sqrt(speed^2 + x'^2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dry<T = f64> {
    /// Viscous coefficient.
    pub c_v: T,
    /// Force or torque of sliding.
    pub level: T,
    /// Rate below which it fades.
    pub speed: T,
}

impl<T: Number> ScalarLaw<T> for Dry<T> {
    fn law(&self, here: Argument<T>, _: &[T]) -> CompliantLaw<1, T> {
        let Dry { c_v, level, speed } = *self;
        let size = (speed * speed + here.v * here.v).sqrt();
        let slope = c_v + level * (speed / size) * (speed / size) / size;
        CompliantLaw::scalar(c_v * here.v + level * here.v / size, T::zero(), slope)
    }

    fn reads_position(&self) -> bool {
        false
    }

    fn loss(&self, here: Argument<T>, memory: &[T]) -> T {
        self.strength(here, memory)
    }
}

combine!(struct Viscous { c_v });
combine!(struct Dry { c_v, level, speed });
