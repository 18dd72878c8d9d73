//! The special Euclidean group.
//!
//! The matrix (34) is that of a dual vector `Omega + eps U` with `eps^2 = 0`. Hence the lower left block of
//! every analytic function of it is the derivative of the rotational block in the direction `U`: the block
//! `S` of (35) is the derivative of (33), and a derivative of the tangent operator of `SE(3)` contains a
//! second derivative of that of `SO(3)`.

use nalgebra::{Matrix3, Matrix6, SVector, Vector3, Vector6};

use crate::matrix::SmallMatrix;
use crate::r3so3::{join, lower, parts, split, vector};
use crate::rotation::{conjugate, exp, log, multiply, rotate, rotate_inverse, rotation_matrix, skew};
use crate::{LieGroup, SO3, coefficients, so3};

/// The semi-direct product of rotations and translations, stored as `(w, x, y, z, x1, x2, x3)`.
///
/// A vector is `(Omega, U)`, angular and translational velocity in the body frame (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SE3;

/// `(I - skew(x)/2)^-1`.
#[inline]
fn resolvent(x: &Vector3<f64>) -> Matrix3<f64> {
    let f = 1.0 / (1.0 + 0.25 * x.squared());
    (Matrix3::identity() + skew(x) * 0.5 + x * x.transpose() * 0.25) * f
}

impl LieGroup for SE3 {
    const NAME: &'static str = "SE3";
    const DIM: usize = 6;
    const REPR: usize = 7;
    type Element = SVector<f64, 7>;
    type Vector = Vector6<f64>;
    type Matrix = Matrix6<f64>;

    #[inline]
    fn identity() -> Self::Element {
        join(&SO3::identity(), &Vector3::zeros())
    }

    #[inline]
    fn compose(a: &Self::Element, b: &Self::Element) -> Self::Element {
        let ((ra, xa), (rb, xb)) = (split(a), split(b));
        join(&multiply(&ra, &rb), &(xa + rotate(ra.as_slice(), &xb)))
    }

    #[inline]
    fn inverse(a: &Self::Element) -> Self::Element {
        let (r, x) = split(a);
        join(&conjugate(&r), &-rotate_inverse(r.as_slice(), &x))
    }

    /// Exponential map (11b).
    #[inline]
    fn exp(x: &Self::Vector) -> Self::Element {
        let (w, u) = parts(x);
        let [b, c] = coefficients::tangent(w.squared());
        join(&exp(&w), &so3::tangent_times([-b, c], &w, &u))
    }

    #[inline]
    fn log(q: &Self::Element) -> Self::Vector {
        let (r, x) = split(q);
        let w = log(&r);
        let d = coefficients::inverse(w.squared());
        vector(&w, &so3::tangent_times([0.5, d], &w, &x))
    }

    /// Matrix (34).
    #[inline]
    fn hat(x: &Self::Vector) -> Self::Matrix {
        let (w, u) = parts(x);
        lower(&skew(&w), &skew(&u), &skew(&w))
    }

    #[inline]
    fn adjoint(q: &Self::Element) -> Self::Matrix {
        let (r, x) = split(q);
        let r = rotation_matrix(r.as_slice());
        lower(&r, &(skew(&x) * r), &r)
    }

    /// Tangent operator (35).
    #[inline]
    fn tangent(x: &Self::Vector) -> Self::Matrix {
        let (w, u) = parts(x);
        let k = coefficients::first(w.squared());
        let t = so3::tangent([k[0], k[1]], &w);
        lower(&t, &so3::tangent_derivative(k, &w, &u), &t)
    }

    #[inline]
    fn tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        let (w, u) = parts(x);
        let [d, d1] = coefficients::inverse_first(w.squared());
        let t = so3::tangent([-0.5, d], &w);
        lower(&t, &so3::tangent_derivative([-0.5, d, 0.0, d1], &w, &u), &t)
    }

    #[inline]
    fn tangent_derivative(x: &Self::Vector, dx: &Self::Vector) -> Self::Matrix {
        let ((w, u), (dw, du)) = (parts(x), parts(dx));
        let k = coefficients::second(w.squared());
        let k1 = [k[0], k[1], k[2], k[3]];
        let t = so3::tangent_derivative(k1, &w, &dw);
        let s = so3::tangent_second_derivative(k, &w, &u, &dw) + so3::tangent_derivative(k1, &w, &du);
        lower(&t, &s, &t)
    }

    #[inline]
    fn tangent_times_derivative(x: &Self::Vector, w: &Self::Vector) -> Self::Matrix {
        let ((omega, u), (a, b)) = (parts(x), parts(w));
        let k = coefficients::second(omega.squared());
        let k1 = [k[0], k[1], k[2], k[3]];
        let t = so3::tangent_times_derivative(k1, &omega, &a);
        let s = so3::tangent_derivative_times_derivative(k, &omega, &u, &a)
            + so3::tangent_times_derivative(k1, &omega, &b);
        lower(&t, &s, &t)
    }

    /// Cayley map of the `4 x 4` matrix: the rotation of `SO3` and the position
    /// `(I - Omega~/2)^-1 U`.
    #[inline]
    fn cayley(x: &Self::Vector) -> Self::Element {
        let (w, u) = parts(x);
        join(&SO3::cayley(&w), &(resolvent(&w) * u))
    }

    #[inline]
    fn cayley_inverse(q: &Self::Element) -> Self::Vector {
        let (r, x) = split(q);
        let w = SO3::cayley_inverse(&r);
        vector(&w, &(x - w.cross(&x) * 0.5))
    }

    #[inline]
    fn cayley_tangent(x: &Self::Vector) -> Self::Matrix {
        let (w, u) = parts(x);
        let n = resolvent(&w);
        let nt = n.transpose();
        lower(&SO3::cayley_tangent(&w), &(nt * skew(&(n * u)) * -0.5), &nt)
    }

    #[inline]
    fn cayley_tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        let (w, u) = parts(x);
        let p = SO3::cayley_tangent_inverse(&w);
        let s = skew(&(resolvent(&w) * u)) * p * 0.5;
        lower(&p, &s, &(Matrix3::identity() + skew(&w) * 0.5))
    }
}
