//! Quadratic drag at a point of a body, F = -c |w| w with the velocity w of the point relative to the wind.
//!
//! The force has one continuous derivative at w = 0; that is enough for Newton's method.

use nalgebra::{Matrix3, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, zeros};

use super::super::kernels::{CompliantLaw, Measure, Pair, PairMotion, Point, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};
use crate::mechanics::combine::combine;

/// Drag at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag<T = f64> {
    /// Name.
    pub name: String,
    /// The body.
    pub body: usize,
    /// Point of application, body frame, from the centre of mass.
    pub point: Vector3<T>,
    /// c in N s^2/m^2: half of density times drag coefficient times area.
    pub coefficient: T,
    /// Velocity of the medium, inertial frame.
    pub wind: Vector3<T>,
}

impl<T: Number> Drag<T> {
    /// The measure is minus the position of the point: its rate is minus the velocity.
    fn parts(
        &self,
        bodies: &Bodies<T>,
        at: &At<T>,
    ) -> (Link, Point<T>, Pair<T>, PairMotion<T>, CompliantLaw<3, T>) {
        let link = self.link();
        let measure = Point::difference(zeros(), self.point);
        let (pair, v) = (bodies.pair(link, at.q), bodies.motion(link, at));
        let w = measure.bv(&pair, &v) + self.wind;
        let speed = w.inner(&w).sqrt();
        // At rest any number other than zero is fine.
        let along = w * w.transpose() / speed.if_positive(speed, T::one());
        let law = CompliantLaw {
            s: w * (self.coefficient * speed),
            s_y: zeros(),
            s_rate: (Matrix3::from_diagonal_element(speed) + along) * self.coefficient,
        };
        (link, measure, pair, v, law)
    }
}

impl<T: Number> Element<T> for Drag<T> {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let (link, measure, pair, _, law) = self.parts(bodies, at);
        bodies.add_force(link, &compliant::force(&measure, &pair, &law.s), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (link, measure, pair, v, law) = self.parts(bodies, at);
        add_compliant_tangents(bodies, link, &measure, (&pair, &v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let (_, measure, pair, v, law) = self.parts(bodies, at);
        Some(compliant_power(&measure, (&pair, &v), |_| law.s))
    }
}

combine!(struct Drag { name, body, point, coefficient, wind });
