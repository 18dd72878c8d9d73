//! Gear: the coordinates of two joints keep the ratio of their motions, x_1 + n x_2 = const. One row.
//!
//! External gears with parallel, like-oriented axes have n = +r_2/r_1, internal ones n = -r_2/r_1; rack and
//! pinion is a revolute and a prismatic joint. The row is -(x_1 + n x_2), divided by the length scale if x_1
//! is a displacement, so lambda (or lambda/L) is the torque (force) on the second body of joint 1. The second
//! body of joint 2 gets n times as much. Forces of teeth and bearings are not modelled. Angles count turns,
//! see [`coordinate`](crate::mechanics::coordinate).

use precess_lie::Number;

use crate::mechanics::combine::combine;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::links::Bodies;
use crate::mechanics::part::Part;
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
}

impl<T: Number> Part<T> for Gear<T> {
    /// NaN if an angle is not defined.
    fn value(&self, bodies: &Bodies<T>, at: &At<T>, phi: &mut [T]) {
        phi[self.row] = self.sum(|c| c.position(bodies, at) - c.zero);
    }

    fn velocity(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut [T]) {
        out[self.row] = self.sum(|c| c.rate(bodies, at));
    }

    fn acceleration(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut [T]) {
        out[self.row] = self.sum(|c| c.acceleration(bodies, at));
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        for (c, w) in self.coordinates.iter().zip(self.weights()) {
            bodies.add_force(c.link, &c.force(bodies, at, w * at.lambda[self.row]), at, r);
        }
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let want = out.want();
        for (c, w) in self.coordinates.iter().zip(self.weights()) {
            let row = c.row(bodies, at) * w;
            if want.constraint {
                bodies.put_entries(c.link, &row, at, |j, x| out.constraint_rows(self.row, j, 1, x));
            }
            if want.curvature {
                let turned = c.turned_row(bodies, at) * w;
                let mut put = |j, x: &[T]| out.curvature_rows(self.row, j, 1, x);
                bodies.put_entries(c.link, &turned, at, &mut put);
                bodies.put_turned_entries(c.link, &row, at, put);
            }
            if want.stiffness {
                c.add_stiffness(bodies, at, w * at.lambda[self.row], out);
            }
        }
    }
}

combine!(struct Gear { name, coordinates, ratio, length, row });
