//! Scalar functions of primitive rows: distance, smooth length and rotation angle.

use std::f64::consts::TAU;

use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector1, Vector2, Vector3};

use super::directions::Directions;
use super::point::Point;
use super::pose::{Marker, Pair, PairMotion};
use super::row::{Blocks, Measure, Row};

/// A scalar function `phi(y)` of `N` measures with its first two derivatives.
pub trait Outer<const N: usize> {
    /// The value `phi(y)`.
    fn value(&self, y: &SVector<f64, N>) -> f64;
    /// The gradient.
    fn gradient(&self, y: &SVector<f64, N>) -> SVector<f64, N>;
    /// The symmetric matrix of second derivatives.
    fn hessian(&self, y: &SVector<f64, N>) -> SMatrix<f64, N, N>;
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

impl<const N: usize, M: Measure<N>, F: Outer<N>> Measure<1> for Chain<N, M, F> {
    #[inline]
    fn value(&self, pair: &Pair) -> Vector1<f64> {
        Vector1::new(self.outer.value(&self.inner.value(pair)))
    }

    #[inline]
    fn rows(&self, pair: &Pair) -> [Row; 1] {
        let g = self.outer.gradient(&self.inner.value(pair));
        [self.inner.bt_lambda(pair, &g)]
    }

    #[inline]
    fn z(&self, pair: &Pair, v: &PairMotion) -> Vector1<f64> {
        let y = self.inner.value(pair);
        let rate = self.inner.bv(pair, v);
        let linear = self.outer.gradient(&y).dot(&self.inner.z(pair, v));
        Vector1::new(linear + rate.dot(&(self.outer.hessian(&y) * rate)))
    }

    #[inline]
    fn y_rows(&self, pair: &Pair, v: &PairMotion) -> [Row; 1] {
        let y = self.inner.value(pair);
        let turned = Row::combine(&self.inner.y_rows(pair, v), &self.outer.gradient(&y));
        let bent = self.outer.hessian(&y) * self.inner.bv(pair, v);
        [turned + self.inner.bt_lambda(pair, &bent)]
    }

    #[inline]
    fn add_k(&self, pair: &Pair, lambda: &Vector1<f64>, k: &mut impl Blocks) {
        let y = self.inner.value(pair);
        let g = self.outer.gradient(&y) * lambda.x;
        self.inner.add_k(pair, &g, k);
        let h = self.outer.hessian(&y) * lambda.x;
        k.add_congruence_of(&self.inner.rows(pair), &h);
    }

    #[inline]
    fn bt_lambda(&self, pair: &Pair, lambda: &Vector1<f64>) -> Row {
        let g = self.outer.gradient(&self.inner.value(pair)) * lambda.x;
        self.inner.bt_lambda(pair, &g)
    }

    #[inline]
    fn bv(&self, pair: &Pair, v: &PairMotion) -> Vector1<f64> {
        let g = self.outer.gradient(&self.inner.value(pair));
        Vector1::new(g.dot(&self.inner.bv(pair, v)))
    }
}

/// The function `(|y|^2 - d^2)/(2 d)`: it vanishes at `|y| = d`, has unit slope there and no singular
/// point besides `y = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSquare {
    /// The distance `d > 0`.
    pub d: f64,
}

impl Outer<3> for HalfSquare {
    #[inline]
    fn value(&self, y: &Vector3<f64>) -> f64 {
        (y.norm_squared() - self.d * self.d) / (2.0 * self.d)
    }
    #[inline]
    fn gradient(&self, y: &Vector3<f64>) -> Vector3<f64> {
        y / self.d
    }
    #[inline]
    fn hessian(&self, _: &Vector3<f64>) -> Matrix3<f64> {
        Matrix3::from_diagonal_element(1.0 / self.d)
    }
}

/// Rigid distance between two points, a dimensionless constraint row. The multiplier is positive in
/// tension: it pulls body b towards a with the force `lambda/L`.
///
/// A distance of zero is a spherical joint and not possible here.
pub type Distance = Chain<3, Point, HalfSquare>;

impl Distance {
    /// Distance `l > 0` between `p_a` and `p_b` with the length scale `length`.
    pub fn new(p_a: Vector3<f64>, p_b: Vector3<f64>, l: f64, length: f64) -> Self {
        Self { inner: Point::constraint(p_a, p_b, length), outer: HalfSquare { d: l / length } }
    }
}

/// The function `sqrt(|y|^2 + eps^2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothNorm {
    /// Rounding length.
    pub eps: f64,
}

impl Outer<3> for SmoothNorm {
    #[inline]
    fn value(&self, y: &Vector3<f64>) -> f64 {
        (y.norm_squared() + self.eps * self.eps).sqrt()
    }
    #[inline]
    fn gradient(&self, y: &Vector3<f64>) -> Vector3<f64> {
        y / self.value(y)
    }
    #[inline]
    fn hessian(&self, y: &Vector3<f64>) -> Matrix3<f64> {
        let l = self.value(y);
        let n = y / l;
        (Matrix3::identity() - n * n.transpose()) / l
    }
}

/// Length between two points for springs, smooth at zero length as long as `eps > 0`.
///
/// With a rest length the transverse stiffness at zero length is `-k l0/eps`, the buckling of the
/// spring: `eps` is a guard against division by zero, not a model of a spring that passes its end.
pub type Length = Chain<3, Point, SmoothNorm>;

impl Length {
    /// Length between `p_a` and `p_b`, rounded by `eps`.
    pub fn new(p_a: Vector3<f64>, p_b: Vector3<f64>, eps: f64) -> Self {
        Self { inner: Point::difference(p_a, p_b), outer: SmoothNorm { eps } }
    }
}

/// The polar angle `atan2(y_1, y_2)`, argument order (sine, cosine).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar;

impl Outer<2> for Polar {
    #[inline]
    fn value(&self, y: &Vector2<f64>) -> f64 {
        y.x.atan2(y.y)
    }
    #[inline]
    fn gradient(&self, y: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(y.y, -y.x) / y.norm_squared()
    }
    #[inline]
    fn hessian(&self, y: &Vector2<f64>) -> Matrix2<f64> {
        let n = y.norm_squared();
        let (s, c) = (y.x, y.y);
        let off = (s - c) * (s + c);
        Matrix2::new(-2.0 * s * c, off, off, 2.0 * s * c) / (n * n)
    }
}

/// Angle of axis 1 of body b in the plane of axes 1 and 2 of body a, positive for a rotation of b
/// about axis 3 of a, in `(-pi, pi]`; see [`unwrap_angle`] for more than one turn.
///
/// It is defined while [`Angle::margin`] is well above zero. When the axes 3 are aligned the row is
/// `[-e_3, 0 | h_3, 0]`.
pub type Angle = Chain<2, Directions<2>, Polar>;

impl Angle {
    /// Below this margin the angle should count as undefined.
    pub const MIN_MARGIN: f64 = 0.25;

    /// Angle between the frames of two markers.
    pub fn new(a: &Marker, b: &Marker) -> Self {
        Self { inner: Directions::perpendicular([a.axis(1), a.axis(0)], b.axis(0)), outer: Polar }
    }

    /// Squared length of axis 1 of b projected onto the plane of a: one for aligned axes 3, zero where
    /// the angle is singular.
    pub fn margin(&self, pair: &Pair) -> f64 {
        self.inner.value(pair).norm_squared()
    }
}

/// Moves an angle by full turns into the half turn around `reference`.
///
/// The reference is the last accepted angle, extrapolated with its rate; it must stay frozen during
/// the iterations of a step, otherwise one bad iterate loses a turn.
#[inline]
pub fn unwrap_angle(raw: f64, reference: f64) -> f64 {
    raw + TAU * ((reference - raw) / TAU).round()
}
