//! The pressure of a flow on a flat plate: a force along its normal n, F = -c |w| (n . w) n, with the
//! velocity w of a point of the plate relative to the wind. It produces both lift and drag: sails, vanes,
//! blades and falling cards.
//!
//! The normal turns with the body, which gives an additional stiffness compared with [`Drag`](super::Drag).

use nalgebra::{Matrix3, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, zeros};
use precess_lie::rotation::skew;

use super::super::kernels::{CompliantLaw, Measure, Pair, PairMotion, Point, Row, Wrench, compliant};
use super::super::links::{Bodies, Change, Derivative, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};
use crate::mechanics::combine::combine;

/// A plate in a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate<T = f64> {
    /// Name.
    pub name: String,
    /// The body.
    pub body: usize,
    /// Point of application, body frame, from the centre of mass.
    pub point: Vector3<T>,
    /// Unit normal of the plate, body frame.
    pub normal: Vector3<T>,
    /// c in N s^2/m^2: half of density times normal-force coefficient times area.
    pub coefficient: T,
    /// Velocity of the medium, inertial frame.
    pub wind: Vector3<T>,
}

/// The force at one state.
struct Here<T: Number> {
    pair: Pair<T>,
    v: PairMotion<T>,
    law: CompliantLaw<3, T>,
    /// ds/dtheta of a rotation theta of the body.
    turned: Matrix3<T>,
}

impl<T: Number> Plate<T> {
    /// Measures minus the position of the point, so its rate is minus the velocity.
    fn measure(&self) -> Point<T> {
        Point::difference(zeros(), self.point)
    }

    fn here(&self, bodies: &Bodies<T>, at: &At<T>) -> Here<T> {
        let (pair, v) = (bodies.pair(self.link(), at.q), bodies.motion(self.link(), at));
        let r = pair.b.r;
        let (w, n) = (self.measure().bv(&pair, &v) + self.wind, r * self.normal);
        let (speed, across) = (w.inner(&w).sqrt(), n.inner(&w));
        // At rest any number other than zero is fine.
        let along = w / speed.if_positive(speed, T::one());
        let law = CompliantLaw {
            s: n * (self.coefficient * speed * across),
            s_y: zeros(),
            s_rate: (n * n.transpose() * speed + n * along.transpose() * across) * self.coefficient,
        };
        let turn = -(r * skew(&self.normal));
        let turned = (turn * across + n * (w.transpose() * turn)) * (self.coefficient * speed);
        Here { pair, v, law, turned }
    }
}

impl<T: Number> Element<T> for Plate<T> {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let Here { pair, law, .. } = self.here(bodies, at);
        bodies.add_force(self.link(), &compliant::force(&self.measure(), &pair, &law.s), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (link, measure) = (self.link(), self.measure());
        let Here { pair, v, law, turned } = self.here(bodies, at);
        add_compliant_tangents(bodies, link, &measure, (&pair, &v), &law, at, out);
        if out.want().stiffness {
            for (i, row) in measure.rows(&pair).iter().enumerate() {
                let rot = turned.row(i).transpose();
                let q = Row { a: Wrench::zero(), b: Wrench { rot, trans: zeros() } };
                let change = Change { link, v: Row::zero(), q };
                bodies.add_product(link, row, &change, (Derivative::Stiffness, at), out);
            }
        }
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let Here { pair, v, law, .. } = self.here(bodies, at);
        Some(compliant_power(&self.measure(), (&pair, &v), |_| law.s))
    }
}

combine!(struct Plate { name, body, point, normal, coefficient, wind });
