//! Analytic functions of a vector: `F(x) = c_0 + c_1 X + c_2 X^2` with `X = skew(x)`.
//!
//! Tangent operators, their inverses and interpolations are of this form, with coefficients that depend on
//! `s = x . x`. For vectors of SE(3) the same formulas hold with dual numbers: see the documentation of the
//! crate.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::flex::coefficients::{self, Place};
use crate::flex::jet::{Dual, Real};

/// The function at some `x`, given by its coefficients there and their derivatives `2 d/ds`. `c_0` is a
/// constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operator<T> {
    c0: f64,
    c1: T,
    c2: T,
    slope1: T,
    slope2: T,
}

impl<T: Real> Operator<T> {
    /// The inverse tangent operator `T^-1(x)`.
    #[inline]
    pub fn tangent_inverse(x: &Vector3<T>) -> Self {
        let [k, k1] = coefficients::inverse(x.dot(x));
        Operator { c0: 1.0, c1: T::of(0.5), c2: k, slope1: T::zero(), slope2: k1 }
    }

    /// The share `Q` of node B in the velocity at a point of an element.
    ///
    /// The velocity of `q_A exp(xi d)` is `v = v_A + Q(d) (v_B - v_A)` with `Q(d) = xi T(xi d) T^-1(d)`, as a
    /// function of `z = X`: `(1 - exp(-xi z))/(1 - exp(-z))`. That of node A is `I - Q`, because a rigid
    /// motion has no strain.
    #[inline]
    pub(crate) fn interpolation(place: &Place, x: &Vector3<T>) -> Self {
        let [[c1, c2], [slope1, slope2]] = place.coefficients(x.dot(x));
        Operator { c0: place.xi, c1, c2, slope1, slope2 }
    }

    /// The transpose, which is the function at `-x`.
    #[inline]
    pub fn transpose(self) -> Self {
        Operator { c1: -self.c1, slope1: -self.slope1, ..self }
    }

    /// `F(x) y`.
    #[inline]
    pub fn times(&self, x: &Vector3<T>, y: &Vector3<T>) -> Vector3<T> {
        let xy = x.cross(y);
        y * T::of(self.c0) + xy * self.c1 + x.cross(&xy) * self.c2
    }

    /// `F(x)`.
    #[inline]
    pub fn matrix(&self, x: &Vector3<T>) -> Matrix3<T> {
        let c0 = T::of(self.c0) - self.c2 * x.dot(x);
        let mut m = x * x.transpose() * self.c2 + skew(&(x * self.c1));
        (0..3).for_each(|i| m[(i, i)] += c0);
        m
    }

    /// Derivative of `F(x) y` along `e`.
    #[inline]
    pub fn derivative_times(&self, x: &Vector3<T>, e: &Vector3<T>, y: &Vector3<T>) -> Vector3<T> {
        let (xe, xy, ey) = (x.dot(e), x.cross(y), e.cross(y));
        ey * self.c1
            + (e.cross(&xy) + x.cross(&ey)) * self.c2
            + (xy * self.slope1 + x.cross(&xy) * self.slope2) * xe
    }

    /// Derivative of `F(x)` along `e`.
    #[inline]
    pub fn derivative(&self, x: &Vector3<T>, e: &Vector3<T>) -> Matrix3<T> {
        let xe = x.dot(e);
        let ex = e * x.transpose();
        let diagonal = -(xe + xe) * self.c2 - xe * self.slope2 * x.dot(x);
        let mut m = (ex + ex.transpose()) * self.c2
            + x * x.transpose() * (xe * self.slope2)
            + skew(&(e * self.c1 + x * (xe * self.slope1)));
        (0..3).for_each(|i| m[(i, i)] += diagonal);
        m
    }

    /// Jacobian of `F(x) y` with respect to `x`.
    #[inline]
    pub fn jacobian(&self, x: &Vector3<T>, y: &Vector3<T>) -> Matrix3<T> {
        let (xy, two) = (x.cross(y), T::of(2.0));
        let radial = xy * self.slope1 + x.cross(&xy) * self.slope2 - y * (two * self.c2);
        let mut m = x * y.transpose() * self.c2 + radial * x.transpose() - skew(&(y * self.c1));
        let diagonal = x.dot(y) * self.c2;
        (0..3).for_each(|i| m[(i, i)] += diagonal);
        m
    }
}

/// The matrix of the cross product.
#[inline]
fn skew<T: Real>(w: &Vector3<T>) -> Matrix3<T> {
    let zero = T::zero();
    Matrix3::new(zero, -w.z, w.y, w.z, zero, -w.x, -w.y, w.x, zero)
}

/// A velocity, or a vector between frames, as a dual vector.
#[inline]
pub(crate) fn dual<T: Real>(v: &Vector6<T>) -> Vector3<Dual<T>> {
    Vector3::new(Dual::new(v[0], v[3]), Dual::new(v[1], v[4]), Dual::new(v[2], v[5]))
}

/// Inverse of [`dual`].
#[inline]
pub(crate) fn vector<T: Real>(x: &Vector3<Dual<T>>) -> Vector6<T> {
    Vector6::new(x.x.value, x.y.value, x.z.value, x.x.slope[0], x.y.slope[0], x.z.slope[0])
}

/// A force (moment, force) as a dual vector: transposes act on it with the moment as its derivative.
#[inline]
pub(crate) fn dual_force<T: Real>(f: &Vector6<T>) -> Vector3<Dual<T>> {
    Vector3::new(Dual::new(f[3], f[0]), Dual::new(f[4], f[1]), Dual::new(f[5], f[2]))
}

/// Inverse of [`dual_force`].
#[inline]
pub(crate) fn force<T: Real>(x: &Vector3<Dual<T>>) -> Vector6<T> {
    Vector6::new(x.x.slope[0], x.y.slope[0], x.z.slope[0], x.x.value, x.y.value, x.z.value)
}

/// A map from velocities to velocities as a matrix: `[[A, 0], [S, A]]`.
#[inline]
pub(crate) fn of_vectors(m: &Matrix3<Dual>) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| match (i < 3, j < 3) {
        (true, true) => m[(i, j)].value,
        (true, false) => 0.0,
        (false, true) => m[(i - 3, j)].slope[0],
        (false, false) => m[(i - 3, j - 3)].value,
    })
}

/// A map from velocities to forces as a matrix: `[[S, A], [A, 0]]`.
#[inline]
pub(crate) fn to_forces(m: &Matrix3<Dual>) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| match (i < 3, j < 3) {
        (true, true) => m[(i, j)].slope[0],
        (true, false) => m[(i, j - 3)].value,
        (false, true) => m[(i - 3, j)].value,
        (false, false) => 0.0,
    })
}
