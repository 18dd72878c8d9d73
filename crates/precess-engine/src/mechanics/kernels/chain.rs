//! Scalar functions of primitive rows: distance, smooth length and rotation angle.

use precess_lie::matrix::{SmallMatrix, identity};
use std::f64::consts::TAU;

use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector1, Vector2, Vector3};
use precess_lie::Number;

use crate::mechanics::combine::{Combine, combine, fields};

use super::directions::Directions;
use super::point::Point;
use super::pose::{Marker, Pair, PairMotion};
use super::row::{Blocks, Measure, Row};

/// A scalar function `phi(y)` of `N` measures with its first two derivatives.
pub trait Outer<const N: usize, T: Number = f64> {
    /// The value `phi(y)`.
    fn value(&self, y: &SVector<T, N>) -> T;
    /// The gradient.
    fn gradient(&self, y: &SVector<T, N>) -> SVector<T, N>;
    /// The symmetric matrix of second derivatives.
    fn hessian(&self, y: &SVector<T, N>) -> SMatrix<T, N, N>;
}

/// The composite measure `phi(y(q))`: by the chain rule `B = g^T B_y`,
/// `K = sum_k g_k K[k] + B_y^T H B_y`, with `g` and `H` the derivatives of `phi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<const N: usize, M, F> {
    /// The measures `y(q)`.
    pub inner: M,
    /// The function `phi(y)`.
    pub outer: F,
}

impl<T: Number, const N: usize, M: Measure<N, T>, F: Outer<N, T>> Measure<1, T> for Chain<N, M, F> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector1<T> {
        Vector1::new(self.outer.value(&self.inner.value(pair)))
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 1] {
        let g = self.outer.gradient(&self.inner.value(pair));
        [self.inner.bt_lambda(pair, &g)]
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector1<T> {
        let y = self.inner.value(pair);
        let rate = self.inner.bv(pair, v);
        let linear = self.outer.gradient(&y).inner(&self.inner.z(pair, v));
        Vector1::new(linear + rate.inner(&(self.outer.hessian(&y) * rate)))
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 1] {
        let y = self.inner.value(pair);
        let turned = Row::combine(&self.inner.y_rows(pair, v), &self.outer.gradient(&y));
        let bent = self.outer.hessian(&y) * self.inner.bv(pair, v);
        [turned + self.inner.bt_lambda(pair, &bent)]
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector1<T>, k: &mut impl Blocks<T>) {
        let y = self.inner.value(pair);
        let g = self.outer.gradient(&y) * lambda.x;
        self.inner.add_k(pair, &g, k);
        let h = self.outer.hessian(&y) * lambda.x;
        k.add_congruence_of(&self.inner.rows(pair), &h);
    }

    #[inline]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &Vector1<T>) -> Row<T> {
        let g = self.outer.gradient(&self.inner.value(pair)) * lambda.x;
        self.inner.bt_lambda(pair, &g)
    }

    #[inline]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector1<T> {
        let g = self.outer.gradient(&self.inner.value(pair));
        Vector1::new(g.inner(&self.inner.bv(pair, v)))
    }
}

/// The function `(|y|^2 - d^2)/(2 d)`: it vanishes at `|y| = d`, has unit slope there and no singular
/// point besides `y = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSquare<T = f64> {
    /// The distance `d > 0`.
    pub d: T,
}

impl<T: Number> Outer<3, T> for HalfSquare<T> {
    #[inline]
    fn value(&self, y: &Vector3<T>) -> T {
        (y.inner(y) - self.d * self.d) / (T::of(2.0) * self.d)
    }
    #[inline]
    fn gradient(&self, y: &Vector3<T>) -> Vector3<T> {
        y / self.d
    }
    #[inline]
    fn hessian(&self, _: &Vector3<T>) -> Matrix3<T> {
        Matrix3::from_diagonal_element(T::one() / self.d)
    }
}

/// Rigid distance between two points, a dimensionless constraint row. The multiplier is positive in
/// tension: it pulls body b towards a with the force `lambda/L`.
///
/// A distance of zero is a spherical joint and not possible here.
pub type Distance<T = f64> = Chain<3, Point<T>, HalfSquare<T>>;

impl<T: Number> Distance<T> {
    /// Distance `l > 0` between `p_a` and `p_b` with the length scale `length`.
    pub fn new(p_a: Vector3<T>, p_b: Vector3<T>, l: T, length: T) -> Self {
        Self { inner: Point::constraint(p_a, p_b, length), outer: HalfSquare { d: l / length } }
    }
}

/// The function `sqrt(|y|^2 + eps^2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothNorm<T = f64> {
    /// Rounding length.
    pub eps: T,
}

impl<T: Number> Outer<3, T> for SmoothNorm<T> {
    #[inline]
    fn value(&self, y: &Vector3<T>) -> T {
        (y.inner(y) + self.eps * self.eps).sqrt()
    }
    #[inline]
    fn gradient(&self, y: &Vector3<T>) -> Vector3<T> {
        y / self.value(y)
    }
    #[inline]
    fn hessian(&self, y: &Vector3<T>) -> Matrix3<T> {
        let l = self.value(y);
        let n = y / l;
        (identity() - n * n.transpose()) / l
    }
}

/// Length between two points for springs, smooth at zero length as long as `eps > 0`.
///
/// With a rest length the transverse stiffness at zero length is `-k l0/eps`, the buckling of the spring:
/// `eps` only avoids division by zero, and does not model a spring that passes its end.
pub type Length<T = f64> = Chain<3, Point<T>, SmoothNorm<T>>;

impl<T: Number> Length<T> {
    /// Length between `p_a` and `p_b`, rounded by `eps`.
    pub fn new(p_a: Vector3<T>, p_b: Vector3<T>, eps: T) -> Self {
        Self { inner: Point::difference(p_a, p_b), outer: SmoothNorm { eps } }
    }
}

/// The polar angle `atan2(y_1, y_2)`, argument order (sine, cosine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar;

impl<T: Number> Outer<2, T> for Polar {
    #[inline]
    fn value(&self, y: &Vector2<T>) -> T {
        y.x.atan2(y.y)
    }
    #[inline]
    fn gradient(&self, y: &Vector2<T>) -> Vector2<T> {
        Vector2::new(y.y, -y.x) / y.inner(y)
    }
    #[inline]
    fn hessian(&self, y: &Vector2<T>) -> Matrix2<T> {
        let n = y.inner(y);
        let (s, c) = (y.x, y.y);
        let off = (s - c) * (s + c);
        let twice = T::of(2.0) * s * c;
        Matrix2::new(-twice, off, off, twice) / (n * n)
    }
}

/// Angle of axis 1 of body b in the plane of axes 1 and 2 of body a, positive for a rotation of b
/// about axis 3 of a, in `(-pi, pi]`; see [`unwrap_angle`] for more than one turn.
///
/// It is defined while [`Angle::margin`] is well above zero. When the axes 3 are aligned the row is
/// `[-e_3, 0 | h_3, 0]`.
pub type Angle<T = f64> = Chain<2, Directions<2, T>, Polar>;

impl Angle {
    /// Below this margin the angle counts as undefined.
    pub const MIN_MARGIN: f64 = 0.25;
}

impl<T: Number> Angle<T> {
    /// Angle between the frames of two markers.
    pub fn new(a: &Marker<T>, b: &Marker<T>) -> Self {
        Self { inner: Directions::perpendicular([a.axis(1), a.axis(0)], b.axis(0)), outer: Polar }
    }

    /// Squared length of axis 1 of b projected onto the plane of a: one for aligned axes 3, zero where
    /// the angle is singular.
    pub fn margin(&self, pair: &Pair<T>) -> T {
        let y = self.inner.value(pair);
        y.inner(&y)
    }
}

/// Adds full turns to an angle so that it is within half a turn of `reference`.
///
/// The reference is the last accepted angle, extrapolated with its rate; it must stay frozen during
/// the iterations of a step, otherwise one bad iterate loses a turn.
#[inline]
pub fn unwrap_angle<T: Number>(raw: T, reference: T) -> T {
    raw + T::of(TAU) * ((reference - raw) / T::of(TAU)).round()
}

combine!(struct HalfSquare { d });
combine!(struct SmoothNorm { eps });

impl<const N: usize, M: Combine, F: Combine> Combine for Chain<N, M, F> {
    type With<T: Number> = Chain<N, M::With<T>, F::With<T>>;
    fields!(Chain { inner, outer });
}

crate::mechanics::combine::same!(Polar);
