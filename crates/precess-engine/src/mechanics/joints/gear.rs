//! Gear: the coordinates of two joints keep the ratio of their motions, x_1 + n x_2 = const. One row.
//!
//! External gears with parallel, like-oriented axes have n = +r_2/r_1, internal ones n = -r_2/r_1; rack and
//! pinion is a revolute and a prismatic joint. The row is -(x_1 + n x_2), divided by the length scale if x_1
//! is a displacement, so lambda (or lambda/L) is the torque (force) on the second body of joint 1. The second
//! body of joint 2 gets n times as much. Forces of teeth and bearings are not modelled. Angles count turns,
//! see [`coordinate`](crate::mechanics::coordinate).

use nalgebra::Vector1;
use precess_lie::Number;

use crate::mechanics::combine::combine;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::kernels::{Measure, PairBlocks};
use crate::mechanics::links::{Bodies, Derivative, Parts};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A ratio between two joint coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Gear<T = f64> {
    /// Name, unique in its model.
    pub name: String,
    /// The two coordinates.
    pub coordinates: [Coordinate<T>; 2],
    /// n.
    pub ratio: T,
    /// Length scale of the model, if the first coordinate is a displacement; otherwise one.
    pub length: T,
    /// Row in Phi.
    pub row: usize,
}

impl<T: Number> Gear<T> {
    /// Weights of the two coordinates in the row.
    pub(in crate::mechanics) fn weights(&self) -> [T; 2] {
        [-T::one() / self.length, -self.ratio / self.length]
    }

    /// Sums over the coordinates.
    fn sum(&self, of: impl Fn(&Coordinate<T>) -> T) -> T {
        self.coordinates.iter().zip(self.weights()).fold(T::zero(), |sum, (c, w)| sum + w * of(c))
    }

    /// Value; NaN if an angle is not defined.
    #[inline]
    pub fn value(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.sum(|c| c.position(bodies, at) - c.zero)
    }

    /// B v.
    #[inline]
    pub fn velocity(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.sum(|c| c.motion.bv(&bodies.pair(c.link, at.q), &bodies.motion(c.link, at)).x)
    }

    /// B v' + Z(v, v).
    #[inline]
    pub fn acceleration(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.sum(|c| {
            let pair = bodies.pair(c.link, at.q);
            let (v, vdot) = (bodies.motion(c.link, at), bodies.acceleration(c.link, at));
            c.motion.bv(&pair, &vdot).x + c.motion.z(&pair, &v).x
        })
    }

    /// Adds B^T lambda.
    #[inline]
    pub fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        for (c, w) in self.coordinates.iter().zip(self.weights()) {
            let pair = bodies.pair(c.link, at.q);
            let force = c.motion.bt_lambda(&pair, &Vector1::new(w * at.lambda[self.row]));
            bodies.add_force(c.link, &force, at, r);
        }
    }

    /// Adds B, Y and D_q(B^T lambda).
    pub fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let want = out.want();
        for (c, w) in self.coordinates.iter().zip(self.weights()) {
            let pair = bodies.pair(c.link, at.q);
            if want.constraint {
                let [row] = c.motion.rows(&pair);
                let put = |j, x: &[T]| out.constraint_rows(self.row, j, 1, x);
                bodies.put_entries(c.link, &(row * w), at, put);
            }
            if want.curvature {
                let ([row], [turned]) =
                    (c.motion.rows(&pair), c.motion.y_rows(&pair, &bodies.motion(c.link, at)));
                let mut put = |j, x: &[T]| out.curvature_rows(self.row, j, 1, x);
                bodies.put_entries(c.link, &(turned * w), at, &mut put);
                bodies.put_turned_entries(c.link, &(row * w), at, put);
            }
            if want.stiffness {
                let (mut k, force) = (PairBlocks::zero(), Vector1::new(w * at.lambda[self.row]));
                c.motion.add_k(&pair, &force, &mut k);
                bodies.add_blocks(c.link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
                bodies.add_bending(
                    c.link,
                    &c.motion.bt_lambda(&pair, &force),
                    None::<&PairBlocks<T>>,
                    at,
                    out,
                );
            }
        }
    }
}

combine!(struct Gear { name, coordinates, ratio, length, row });
