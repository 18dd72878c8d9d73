//! The direct product of translations and rotations.

use nalgebra::{Matrix3, Matrix6, SVector, Vector3, Vector4, Vector6};

use crate::rotation::{conjugate, multiply};
use crate::{LieGroup, SO3};

/// The direct product `SO(3) x R^3`, stored as `(w, x, y, z, x1, x2, x3)`.
///
/// Quaternions multiply and positions add. A vector is `(Omega, u)`, the angular velocity in the
/// body frame and the translational velocity in the inertial frame (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct R3xSO3;

/// Quaternion and position of an element.
#[inline]
pub(crate) fn split(q: &SVector<f64, 7>) -> (Vector4<f64>, Vector3<f64>) {
    (Vector4::new(q[0], q[1], q[2], q[3]), Vector3::new(q[4], q[5], q[6]))
}

/// Inverse of [`split`].
#[inline]
pub(crate) fn join(r: &Vector4<f64>, x: &Vector3<f64>) -> SVector<f64, 7> {
    SVector::from([r[0], r[1], r[2], r[3], x[0], x[1], x[2]])
}

/// Rotational and translational part of a vector.
#[inline]
pub(crate) fn parts(v: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]))
}

/// Inverse of [`parts`].
#[inline]
pub(crate) fn vector(rotation: &Vector3<f64>, translation: &Vector3<f64>) -> Vector6<f64> {
    let (a, b) = (rotation, translation);
    Vector6::new(a[0], a[1], a[2], b[0], b[1], b[2])
}

/// The matrix with the given blocks and a zero block at the upper right.
#[inline]
pub(crate) fn lower(
    upper_left: &Matrix3<f64>,
    lower_left: &Matrix3<f64>,
    lower_right: &Matrix3<f64>,
) -> Matrix6<f64> {
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(upper_left);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(lower_left);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(lower_right);
    m
}

/// The block-diagonal matrix of the two factors.
#[inline]
fn diagonal(rotation: Matrix3<f64>, translation: Matrix3<f64>) -> Matrix6<f64> {
    lower(&rotation, &Matrix3::zeros(), &translation)
}

impl LieGroup for R3xSO3 {
    const NAME: &'static str = "R3xSO3";
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
        join(&multiply(&ra, &rb), &(xa + xb))
    }

    #[inline]
    fn inverse(a: &Self::Element) -> Self::Element {
        let (r, x) = split(a);
        join(&conjugate(&r), &-x)
    }

    /// Exponential map (11a).
    #[inline]
    fn exp(x: &Self::Vector) -> Self::Element {
        let (w, u) = parts(x);
        join(&SO3::exp(&w), &u)
    }

    #[inline]
    fn log(q: &Self::Element) -> Self::Vector {
        let (r, x) = split(q);
        vector(&SO3::log(&r), &x)
    }

    #[inline]
    fn hat(x: &Self::Vector) -> Self::Matrix {
        diagonal(SO3::hat(&parts(x).0), Matrix3::zeros())
    }

    #[inline]
    fn adjoint(q: &Self::Element) -> Self::Matrix {
        diagonal(SO3::adjoint(&split(q).0), Matrix3::identity())
    }

    #[inline]
    fn tangent(x: &Self::Vector) -> Self::Matrix {
        diagonal(SO3::tangent(&parts(x).0), Matrix3::identity())
    }

    #[inline]
    fn tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        diagonal(SO3::tangent_inverse(&parts(x).0), Matrix3::identity())
    }

    #[inline]
    fn tangent_derivative(x: &Self::Vector, dx: &Self::Vector) -> Self::Matrix {
        let d = SO3::tangent_derivative(&parts(x).0, &parts(dx).0);
        diagonal(d, Matrix3::zeros())
    }

    #[inline]
    fn tangent_times_derivative(x: &Self::Vector, w: &Self::Vector) -> Self::Matrix {
        let d = SO3::tangent_times_derivative(&parts(x).0, &parts(w).0);
        diagonal(d, Matrix3::zeros())
    }

    #[inline]
    fn cayley(x: &Self::Vector) -> Self::Element {
        let (w, u) = parts(x);
        join(&SO3::cayley(&w), &u)
    }

    #[inline]
    fn cayley_inverse(q: &Self::Element) -> Self::Vector {
        let (r, x) = split(q);
        vector(&SO3::cayley_inverse(&r), &x)
    }

    #[inline]
    fn cayley_tangent(x: &Self::Vector) -> Self::Matrix {
        diagonal(SO3::cayley_tangent(&parts(x).0), Matrix3::identity())
    }

    #[inline]
    fn cayley_tangent_inverse(x: &Self::Vector) -> Self::Matrix {
        diagonal(SO3::cayley_tangent_inverse(&parts(x).0), Matrix3::identity())
    }
}
