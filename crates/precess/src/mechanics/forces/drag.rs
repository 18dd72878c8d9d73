//! Quadratic drag at a point of a body, F = -c |w| w with the velocity w of the point relative to the wind.
//!
//! The force has one continuous derivative at w = 0; that is enough for Newton's method.

use nalgebra::{Matrix3, Vector3};

use super::super::kernels::{Law, Measure, Pair, PairMotion, Point, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};

/// Drag at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Name.
    pub name: String,
    /// The body.
    pub body: usize,
    /// Where it acts, body frame, from the centre of mass.
    pub point: Vector3<f64>,
    /// c in N s^2/m^2: half of density times drag coefficient times area.
    pub coefficient: f64,
    /// Velocity of the medium, inertial frame.
    pub wind: Vector3<f64>,
}

impl Drag {
    /// The measure is minus the position of the point: its rate is minus the velocity.
    fn parts(&self, bodies: &Bodies, at: &At) -> (Link, Point, Pair, PairMotion, Law<3>) {
        let link = self.link();
        let measure = Point::difference(Vector3::zeros(), self.point);
        let (pair, v) = (bodies.pair(link, at.q), bodies.motion(link, at.v));
        let w = measure.bv(&pair, &v) + self.wind;
        let speed = w.norm();
        let along = if speed > 0.0 { w * w.transpose() / speed } else { Matrix3::zeros() };
        let law = Law {
            s: w * (self.coefficient * speed),
            s_y: Matrix3::zeros(),
            s_rate: (Matrix3::from_diagonal_element(speed) + along) * self.coefficient,
        };
        (link, measure, pair, v, law)
    }
}

impl Element for Drag {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (link, measure, pair, _, law) = self.parts(bodies, at);
        bodies.add_force(link, &compliant::force(&measure, &pair, &law.s), r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (link, measure, pair, v, law) = self.parts(bodies, at);
        add_compliant_tangents(bodies, link, &measure, (&pair, &v), &law, out);
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let (_, measure, pair, v, law) = self.parts(bodies, at);
        Some(compliant_power(&measure, (&pair, &v), |_| law.s))
    }
}
