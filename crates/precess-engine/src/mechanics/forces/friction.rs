//! Coulomb friction in a joint, smoothed around zero speed, whose load is the constraint force of the joint
//! (LA, Remark 2.3). Friction that does not depend on this load is a law along a coordinate
//! ([`slip`](super::along::slip)).
//!
//! Revolute: torque c_v x' + mu r N x'/sqrt(w_s^2 + x'^2), N from the bearing force and the bending moment
//! over the bearing length. Prismatic: the same with r = 1. Cylindrical: one direction of sliding on the
//! cylinder. Smoothing means creep instead of sticking. With redundant constraints the load is not unique.

use nalgebra::{DVectorView, SVector};
use precess_lie::Number;

use super::super::coordinate::Coordinate;
use super::super::kernels::{Friction, Measure, Row, Screw, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};
use crate::mechanics::combine::combine;

/// The law of a joint.
#[derive(Clone, Debug, PartialEq)]
pub enum FrictionKind<T = f64> {
    /// One rate, five multipliers: revolute and prismatic joints.
    Single {
        /// Coordinate.
        coordinate: Coordinate<T>,
        /// Its law.
        law: Friction<1, 5, T>,
    },
    /// Rotation and translation, four multipliers: cylindrical joints.
    Screw {
        /// Both coordinates.
        measure: Screw<T>,
        /// Its law.
        law: Friction<2, 4, T>,
    },
}

/// Friction in a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFriction<T = f64> {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    /// First row of the joint; its multipliers are the load.
    pub first: usize,
    /// The law.
    pub kind: FrictionKind<T>,
}

impl<T: Number> JointFriction<T> {
    fn multipliers<const N: usize>(&self, at: &At<T>) -> SVector<T, N> {
        SVector::from_fn(|i, _| at.lambda.get(self.first + i).copied().unwrap_or_else(T::zero))
    }
}

/// Puts dg/dlambda.
fn put_columns<T: Number>(
    bodies: &Bodies<T>,
    link: Link,
    (first, columns): (usize, &[Row<T>]),
    at: &At<T>,
    out: &mut Tangents<T>,
) {
    for (j, column) in columns.iter().enumerate() {
        bodies.put_entries(link, column, at, |i, x| {
            out.friction(i, first + j, &DVectorView::from_slice(x, x.len()))
        });
    }
}

impl<T: Number> Element<T> for JointFriction<T> {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let g = match &self.kind {
            FrictionKind::Single { coordinate, law } => {
                let law = law.law(&coordinate.motion.bv(&pair, &v), &self.multipliers(at));
                compliant::force(&coordinate.motion, &pair, &law.s)
            }
            FrictionKind::Screw { measure, law } => {
                let law = law.law(&measure.bv(&pair, &v), &self.multipliers(at));
                compliant::force(measure, &pair, &law.s)
            }
        };
        bodies.add_force(self.link, &g, at, r);
    }

    fn reads_forces(&self) -> bool {
        true
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let here = (&pair, &v);
        Some(match &self.kind {
            FrictionKind::Single { coordinate, law } => {
                compliant_power(&coordinate.motion, here, |rate| law.law(&rate, &self.multipliers(at)).s)
            }
            FrictionKind::Screw { measure, law } => {
                compliant_power(measure, here, |rate| law.law(&rate, &self.multipliers(at)).s)
            }
        })
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        match &self.kind {
            FrictionKind::Single { coordinate, law } => {
                let (rate, lambda) = (coordinate.motion.bv(&pair, &v), self.multipliers(at));
                let at_rate = law.law(&rate, &lambda);
                add_compliant_tangents(bodies, self.link, &coordinate.motion, (&pair, &v), &at_rate, at, out);
                if out.want().constraint {
                    let columns = law.g_lambda(&coordinate.motion, &pair, &rate, &lambda);
                    put_columns(bodies, self.link, (self.first, &columns), at, out);
                }
            }
            FrictionKind::Screw { measure, law } => {
                let (rate, lambda) = (measure.bv(&pair, &v), self.multipliers(at));
                let at_rate = law.law(&rate, &lambda);
                add_compliant_tangents(bodies, self.link, measure, (&pair, &v), &at_rate, at, out);
                if out.want().constraint {
                    let columns = law.g_lambda(measure, &pair, &rate, &lambda);
                    put_columns(bodies, self.link, (self.first, &columns), at, out);
                }
            }
        }
    }
}

combine!(
    enum FrictionKind {
        Single { coordinate, law },
        Screw { measure, law },
    }
);
combine!(struct JointFriction { name, link, first, kind });
