//! A velocity row: a point of body b does not move along a direction of body b.

use nalgebra::{Vector1, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, zeros};

use super::directions::Directions;
use super::offset::Offset;
use super::pose::{Marker, Pair, PairMotion};
use super::row::{Blocks, Measure, Row};
use crate::mechanics::combine::combine;

/// The one-form `A v = w . rho'`, with `rho` the position of a point of b seen from a, and `w` a direction of
/// b, both in the axes of marker a. It is not a derivative: [`value`](Measure::value) is zero everywhere. The
/// other functions are those of a row `A(q)`: `Z = A' v`, `Y = D_q(A v)` and `K = D_q(A^T lambda)`. The
/// multiplier over L is the force on b along `w`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnifeEdge<T = f64> {
    /// `-rho / L`.
    pub place: Offset<3, T>,
    /// `w`.
    pub across: Directions<3, T>,
}

impl<T: Number> KnifeEdge<T> {
    /// The point of marker b does not move along axis 3 of marker b; `length` is the length scale.
    pub fn new(a: &Marker<T>, b: &Marker<T>, length: T) -> Self {
        let e = [a.axis(0), a.axis(1), a.axis(2)];
        KnifeEdge {
            place: Offset::coincidence(a, b, length),
            across: Directions::perpendicular(e, b.axis(2)),
        }
    }
}

impl<T: Number> Measure<1, T> for KnifeEdge<T> {
    const IS_VELOCITY: bool = true;

    #[inline]
    fn value(&self, _: &Pair<T>) -> Vector1<T> {
        zeros()
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 1] {
        [self.place.bt_lambda(pair, &self.across.value(pair))]
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector1<T> {
        let along = self.across.value(pair).inner(&self.place.z(pair, v));
        Vector1::new(along + self.across.bv(pair, v).inner(&self.place.bv(pair, v)))
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 1] {
        let along = Row::combine(&self.place.y_rows(pair, v), &self.across.value(pair));
        [along + self.across.bt_lambda(pair, &self.place.bv(pair, v))]
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector1<T>, k: &mut impl Blocks<T>) {
        let w: Vector3<T> = self.across.value(pair) * lambda.x;
        self.place.add_k(pair, &w, k);
        add_products(k, &self.place.rows(pair), &self.across.rows(pair), lambda.x);
    }
}

/// Adds `weight sum_i y_i z_i^T`.
fn add_products<const N: usize, T: Number, B: Blocks<T>>(
    k: &mut B,
    y: &[Row<T>; N],
    z: &[Row<T>; N],
    weight: T,
) {
    for (y, z) in y.iter().zip(z) {
        k.add_product(&(B::part(y) * weight), &B::part(z));
    }
}

combine!(struct KnifeEdge { place, across });
