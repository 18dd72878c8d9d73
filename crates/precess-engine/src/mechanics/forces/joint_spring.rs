//! Spring and damper of a joint coordinate: s = k (x - x_0) + c x' + s_0, opposing a larger coordinate.
//!
//! Angles count turns, so a torsional spring may be wound up.

use precess_lie::Number;

use super::super::coordinate::{Coordinate, Reading};
use super::super::kernels::{CompliantLaw, SpringDamper, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;
use crate::mechanics::combine::combine;

/// A spring at a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpring<T = f64> {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate<T>,
    /// Stiffness, damping, rest position and preload.
    pub law: SpringDamper<T>,
}

impl<T: Number> JointSpring<T> {
    fn law(&self, c: &Reading<T>) -> CompliantLaw<1, T> {
        self.law.law(c.x, c.rate)
    }
}

impl<T: Number> Element<T> for JointSpring<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.coordinate.read(bodies, at);
        let g = compliant::force(&self.coordinate.motion, &c.pair, &self.law(&c).s);
        bodies.add_force(self.coordinate.link, &g, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.coordinate.read(bodies, at);
        let law = self.law(&c);
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

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        (!self.law.c.is_zero()).then(|| {
            let rate = self.coordinate.read(bodies, at).rate;
            -self.law.c * rate * rate
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let x = self.coordinate.position(bodies, at) - self.law.y0;
        x * (T::of(0.5) * self.law.k * x + self.law.f0)
    }
}

combine!(struct JointSpring { name, coordinate, law });
