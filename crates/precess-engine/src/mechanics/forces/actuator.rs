//! Actuator: a torque or force u(t, x, v) along a joint coordinate x with the rate v.
//!
//! A positive u drives the second body towards a larger coordinate; the first body gets the opposite force.

use precess_lie::Number;

use super::super::coordinate::Coordinate;
use super::super::function::{Argument, Function, MAX_READ};
use super::super::kernels::{CompliantLaw, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, no_number};
use crate::mechanics::combine::combine;

/// A driven joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator<T = f64> {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate<T>,
    /// u(t, x, v).
    pub value: Function,
}

impl<T: Number> Element<T> for Actuator<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn drives(&self) -> Vec<&Function> {
        vec![&self.value]
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.coordinate.read(bodies, at);
        let u = self.value.value(Argument { t: at.t, x: c.x, v: c.rate });
        let law = CompliantLaw::scalar(-u, T::zero(), T::zero());
        bodies.add_force(
            self.coordinate.link,
            &compliant::force(&self.coordinate.motion, &c.pair, &law.s),
            at,
            r,
        );
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.coordinate.read(bodies, at);
        let u = self.value.slope(Argument { t: at.t, x: c.x, v: c.rate });
        let law = CompliantLaw::scalar(-u.value, -u.x, -u.v);
        add_compliant_tangents(
            bodies,
            self.coordinate.link,
            &self.coordinate.motion,
            (&c.pair, &c.v),
            &law,
            at,
            out,
        );
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let c = self.coordinate.read(bodies, at);
        let here = Argument { t: at.t, x: c.x, v: c.rate };
        no_number(std::slice::from_ref(&self.value), here, &[T::zero(); MAX_READ], (&self.name, at.t))
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let c = self.coordinate.read(bodies, at);
        Some(self.value.value(Argument { t: at.t, x: c.x, v: c.rate }) * c.rate)
    }
}

combine!(struct Actuator { name, coordinate, value });
