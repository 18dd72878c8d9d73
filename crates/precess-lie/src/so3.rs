//! The rotation group.

use nalgebra::{Matrix3, Vector3, Vector4};

use crate::matrix::{SmallMatrix, identity};
use crate::rotation::{conjugate, exp, log, multiply, rotation_matrix, skew};
use crate::{LieGroup, Number, coefficients};

/// Rotations, stored as unit quaternions `(w, x, y, z)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SO3;

impl LieGroup for SO3 {
    const NAME: &'static str = "SO3";
    const DIM: usize = 3;
    const REPR: usize = 4;
    type Element = Vector4<f64>;
    type Vector = Vector3<f64>;
    type Matrix = Matrix3<f64>;

    #[inline]
    fn identity() -> Self::Element {
        Vector4::new(1.0, 0.0, 0.0, 0.0)
    }

    #[inline]
    fn compose(a: &Self::Element, b: &Self::Element) -> Self::Element {
        multiply(a, b)
    }

    #[inline]
    fn inverse(a: &Self::Element) -> Self::Element {
        conjugate(a)
    }

    #[inline]
    fn exp(x: &Self::Vector) -> Self::Element {
        exp(x)
    }

    #[inline]
    fn log(q: &Self::Element) -> Self::Vector {
        log(q)
    }

    #[inline]
    fn hat(x: &Self::Vector) -> Self::Matrix {
        skew(x)
    }

    #[inline]
    fn adjoint(q: &Self::Element) -> Self::Matrix {
        rotation_matrix(q.as_slice())
    }

    #[inline]
    fn tangent(x: &Self::Vector) -> Self::Matrix {
        tangent(coefficients::tangent(x.squared()), x)
    }

    #[inline]
    fn tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        tangent([-0.5, coefficients::inverse(x.squared())], x)
    }

    #[inline]
    fn tangent_derivative(x: &Self::Vector, dx: &Self::Vector) -> Self::Matrix {
        tangent_derivative(coefficients::first(x.squared()), x, dx)
    }

    #[inline]
    fn tangent_times_derivative(x: &Self::Vector, w: &Self::Vector) -> Self::Matrix {
        tangent_times_derivative(coefficients::first(x.squared()), x, w)
    }

    /// The quaternion `(1, x/2)` at unit length.
    #[inline]
    fn cayley(x: &Self::Vector) -> Self::Element {
        let r = 1.0 / (1.0 + 0.25 * x.squared()).sqrt();
        let f = 0.5 * r;
        Vector4::new(r, f * x.x, f * x.y, f * x.z)
    }

    #[inline]
    fn cayley_inverse(q: &Self::Element) -> Self::Vector {
        Vector3::new(q[1], q[2], q[3]) * (2.0 / q[0])
    }

    #[inline]
    fn cayley_tangent(x: &Self::Vector) -> Self::Matrix {
        (Matrix3::identity() - skew(x) * 0.5) * (1.0 / (1.0 + 0.25 * x.squared()))
    }

    #[inline]
    fn cayley_tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        Matrix3::identity() + skew(x) * 0.5 + x * x.transpose() * 0.25
    }
}

/// `skew(a) skew(b) + skew(b) skew(a)`.
#[inline(always)]
fn anticommutator<T: Number>(a: &Vector3<T>, b: &Vector3<T>) -> Matrix3<T> {
    let two = T::of(2.0);
    let d = -(two * a.inner(b));
    let (xy, xz, yz) = (a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y);
    Matrix3::new(two * a.x * b.x + d, xy, xz, xy, two * a.y * b.y + d, yz, xz, yz, two * a.z * b.z + d)
}

/// `skew(x)^2`.
#[inline(always)]
fn skew_squared<T: Number>(x: &Vector3<T>) -> Matrix3<T> {
    let (xx, yy, zz) = (x.x * x.x, x.y * x.y, x.z * x.z);
    let (xy, xz, yz) = (x.x * x.y, x.x * x.z, x.y * x.z);
    Matrix3::new(-yy - zz, xy, xz, xy, -xx - zz, yz, xz, yz, -xx - yy)
}

/// `I - b skew(x) + c skew(x)^2`, the form of (33) and of its inverse.
#[inline(always)]
pub(crate) fn tangent<T: Number>([b, c]: [T; 2], x: &Vector3<T>) -> Matrix3<T> {
    identity() - skew(&(x * b)) + skew_squared(x) * c
}

/// The operator of [`tangent`] applied to a vector.
#[inline(always)]
pub(crate) fn tangent_times<T: Number>([b, c]: [T; 2], x: &Vector3<T>, y: &Vector3<T>) -> Vector3<T> {
    let p = x.cross(y);
    y - p * b + x.cross(&p) * c
}

/// Derivative of [`tangent`] in the direction `u`, given `b`, `c` and their derivatives
/// `2 d/ds`; for the coefficients of (33) this is the block `S` of (35).
#[inline(always)]
pub(crate) fn tangent_derivative<T: Number>(
    [b, c, b1, c1]: [T; 4],
    x: &Vector3<T>,
    u: &Vector3<T>,
) -> Matrix3<T> {
    let xu = x.inner(u);
    skew_squared(x) * (c1 * xu) + anticommutator(x, u) * c - skew(&(x * (b1 * xu) + u * b))
}

/// The operator of [`tangent_derivative`] applied to a vector.
#[inline]
pub(crate) fn tangent_derivative_times(
    [b, c, b1, c1]: [f64; 4],
    x: &Vector3<f64>,
    u: &Vector3<f64>,
    y: &Vector3<f64>,
) -> Vector3<f64> {
    let xu = x.inner(u);
    let p = x.cross(y);
    let r = u.cross(y);
    (u.cross(&p) + x.cross(&r)) * c - r * b + x.cross(&p) * (c1 * xu) - p * (b1 * xu)
}

/// Second derivative of [`tangent`] with the coefficients of (33), in the directions `u` and `w`.
#[inline]
pub(crate) fn tangent_second_derivative(
    [_, c, b1, c1, b2, c2]: [f64; 6],
    x: &Vector3<f64>,
    u: &Vector3<f64>,
    w: &Vector3<f64>,
) -> Matrix3<f64> {
    let (xu, xw, uw) = (x.inner(u), x.inner(w), u.inner(w));
    let odd = x * (b2 * xu * xw + b1 * uw) + w * (b1 * xu) + u * (b1 * xw);
    skew_squared(x) * (c2 * xu * xw + c1 * uw)
        + anticommutator(x, &(w * (c1 * xu) + u * (c1 * xw)))
        + anticommutator(u, w) * c
        - skew(&odd)
}

/// Jacobian of `skew(x)^2 w` with respect to `x`.
#[inline]
fn double_cross_derivative(x: &Vector3<f64>, w: &Vector3<f64>) -> Matrix3<f64> {
    x * w.transpose() - w * x.transpose() * 2.0 + Matrix3::from_diagonal_element(x.inner(w))
}

/// Jacobian of `T(x) w` with respect to `x`.
#[inline]
pub(crate) fn tangent_times_derivative(
    [b, c, b1, c1]: [f64; 4],
    x: &Vector3<f64>,
    w: &Vector3<f64>,
) -> Matrix3<f64> {
    let p = x.cross(w);
    let radial = x.cross(&p) * c1 - p * b1;
    skew(&(w * b)) + double_cross_derivative(x, w) * c + radial * x.transpose()
}

/// Jacobian with respect to `x` of the derivative of `T(x) w` in the direction `u`.
#[inline]
pub(crate) fn tangent_derivative_times_derivative(
    [_, c, b1, c1, b2, c2]: [f64; 6],
    x: &Vector3<f64>,
    u: &Vector3<f64>,
    w: &Vector3<f64>,
) -> Matrix3<f64> {
    let xu = x.inner(u);
    let p = x.cross(w);
    let pp = x.cross(&p);
    let r = u.cross(w);
    let along_x = (pp * c2 - p * b2) * xu - r * b1 + (u.cross(&p) + x.cross(&r)) * c1;
    let along_u = pp * c1 - p * b1;
    along_x * x.transpose()
        + along_u * u.transpose()
        + skew(&(w * (b1 * xu)))
        + double_cross_derivative(x, w) * (c1 * xu)
        + double_cross_derivative(u, w) * c
}
