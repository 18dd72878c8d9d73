//! Spring and damper of a joint coordinate: s = k (x - x_0) + c x' + s_0, opposing a larger coordinate.
//!
//! Angles count turns, so a torsional spring may be wound up.

use super::super::coordinate::{Coordinate, Reading};
use super::super::kernels::{Law, SpringDamper, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;

/// A spring at a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpring {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate,
    /// Stiffness, damping, rest position and preload.
    pub law: SpringDamper,
}

impl JointSpring {
    fn law(&self, c: &Reading) -> Law<1> {
        self.law.law(c.x, c.rate)
    }
}

impl Element for JointSpring {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let c = self.coordinate.read(bodies, at);
        let g = compliant::force(&self.coordinate.motion, &c.pair, &self.law(&c).s);
        bodies.add_force(self.coordinate.link, &g, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let c = self.coordinate.read(bodies, at);
        let law = self.law(&c);
        add_compliant_tangents(
            bodies,
            self.coordinate.link,
            &self.coordinate.motion,
            (&c.pair, &c.v),
            &law,
            out,
        );
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        (self.law.c != 0.0).then(|| -self.law.c * self.coordinate.read(bodies, at).rate.powi(2))
    }

    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        let x = self.coordinate.position(bodies, at) - self.law.y0;
        x * (0.5 * self.law.k * x + self.law.f0)
    }
}
