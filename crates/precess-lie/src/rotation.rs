//! Quaternions and rotation matrices.
//!
//! A rotation is stored as a unit quaternion `(w, x, y, z)`. Functions that read a quaternion take a slice
//! and use its first four numbers, so the storage of `SO3`, `R3xSO3` and `SE3` can be passed directly.

use crate::matrix::SmallMatrix;
use nalgebra::{Matrix3, Vector3, Vector4};

use crate::{Number, coefficients, so3};

/// The skew matrix (2) of a vector: `skew(w) v = w x v`.
#[inline(always)]
pub fn skew<T: Number>(w: &Vector3<T>) -> Matrix3<T> {
    let zero = T::zero();
    Matrix3::new(zero, -w.z, w.y, w.z, zero, -w.x, -w.y, w.x, zero)
}

/// `skew(a) skew(b)` without the products with zeros.
#[inline(always)]
pub fn skew_skew(a: &Vector3<f64>, b: &Vector3<f64>) -> Matrix3<f64> {
    let (xx, yy, zz) = (a.x * b.x, a.y * b.y, a.z * b.z);
    let diagonal = Vector3::new(-(yy + zz), -(xx + zz), -(xx + yy));
    Matrix3::new(
        diagonal.x,
        b.x * a.y,
        b.x * a.z,
        b.y * a.x,
        diagonal.y,
        b.y * a.z,
        b.z * a.x,
        b.z * a.y,
        diagonal.z,
    )
}

/// `skew(a) m` without the products with zeros.
#[inline(always)]
pub fn cross_columns(a: &Vector3<f64>, m: &Matrix3<f64>) -> Matrix3<f64> {
    let column = |j: usize| a.cross(&Vector3::new(m[(0, j)], m[(1, j)], m[(2, j)]));
    Matrix3::from_columns(&[column(0), column(1), column(2)])
}

/// `m diag(d)` without the products with zeros.
#[inline(always)]
pub fn scaled_columns(m: &Matrix3<f64>, d: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| m[(i, j)] * d[j])
}

/// The numbers of a quaternion at the start of a slice.
///
/// # Panics
/// If the slice holds fewer than four numbers.
#[inline(always)]
fn quaternion<T: Number>(quat: &[T]) -> (T, Vector3<T>) {
    let quat = &quat[..4];
    (quat[0], Vector3::new(quat[1], quat[2], quat[3]))
}

/// `R v` for the rotation of a unit quaternion.
///
/// # Panics
/// If `quat` holds fewer than four numbers.
#[inline(always)]
pub fn rotate<T: Number>(quat: &[T], v: &Vector3<T>) -> Vector3<T> {
    let (w, p) = quaternion(quat);
    let t = p.cross(v) * T::of(2.0);
    v + t * w + p.cross(&t)
}

/// `R^T v` for the rotation of a unit quaternion.
///
/// # Panics
/// If `quat` holds fewer than four numbers.
#[inline(always)]
pub fn rotate_inverse(quat: &[f64], v: &Vector3<f64>) -> Vector3<f64> {
    let (w, p) = quaternion(quat);
    let t = p.cross(v) * 2.0;
    v - t * w + p.cross(&t)
}

/// The rotation matrix of a unit quaternion.
///
/// # Panics
/// If `quat` holds fewer than four numbers.
#[inline(always)]
pub fn rotation_matrix<T: Number>(quat: &[T]) -> Matrix3<T> {
    let (w, p) = quaternion(quat);
    let (one, two) = (T::one(), T::of(2.0));
    let (x, y, z) = (p.x, p.y, p.z);
    let (x2, y2, z2) = (two * x, two * y, two * z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Matrix3::new(
        one - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        one - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        one - (xx + yy),
    )
}

/// The unit quaternion of a rotation matrix, with `w >= 0`.
///
/// The largest of the four components is computed from the diagonal and the others are divided by it, which
/// is accurate for all angles. A matrix that is orthogonal only up to a small error gives a unit quaternion
/// with an error of the same size.
pub fn quaternion_from_matrix(r: &Matrix3<f64>) -> Vector4<f64> {
    let (a, b, c) = (r[(0, 0)], r[(1, 1)], r[(2, 2)]);
    let squares = [1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c];
    let odd = [r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]];
    let even = [r[(2, 1)] + r[(1, 2)], r[(0, 2)] + r[(2, 0)], r[(1, 0)] + r[(0, 1)]];
    let largest = (1..4).fold(0, |i, j| if squares[j] > squares[i] { j } else { i });
    let q = match largest {
        0 => Vector4::new(squares[0], odd[0], odd[1], odd[2]),
        1 => Vector4::new(odd[0], squares[1], even[2], even[1]),
        2 => Vector4::new(odd[1], even[2], squares[2], even[0]),
        _ => Vector4::new(odd[2], even[1], even[0], squares[3]),
    };
    let norm = q.norm();
    if q[0] < 0.0 { -q / norm } else { q / norm }
}

/// Product of two unit quaternions, normalised to unit length.
///
/// One Newton step for `1/|q|` from the guess 1 removes the rounding error of the product without
/// a division or square root.
#[inline(always)]
pub(crate) fn multiply<T: Number>(a: &Vector4<T>, b: &Vector4<T>) -> Vector4<T> {
    let q = Vector4::new(
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    );
    q * (T::of(1.5) - T::of(0.5) * q.inner(&q))
}

/// The unit quaternion of `R exp(x)` from that of `R`.
///
/// # Panics
/// If `quat` holds fewer than four numbers.
#[inline(always)]
pub fn retract<T: Number>(quat: &[T], x: &Vector3<T>) -> [T; 4] {
    let q = &quat[..4];
    multiply(&Vector4::new(q[0], q[1], q[2], q[3]), &exp(x)).into()
}

/// The tangent operator (33).
#[inline(always)]
pub fn tangent<T: Number>(x: &Vector3<T>) -> Matrix3<T> {
    crate::so3::tangent(T::tangent(x.inner(x)), x)
}

/// The inverse of a unit quaternion.
#[inline(always)]
pub(crate) fn conjugate(q: &Vector4<f64>) -> Vector4<f64> {
    Vector4::new(q[0], -q[1], -q[2], -q[3])
}

/// Exponential map (10) as a quaternion.
#[inline(always)]
pub(crate) fn exp<T: Number>(x: &Vector3<T>) -> Vector4<T> {
    let [cos, factor] = T::half_angle(x.inner(x));
    Vector4::new(cos, factor * x.x, factor * x.y, factor * x.z)
}

/// Inverse of [`exp`] with an angle in `[0, pi]`, the same for `q` and `-q` and independent of the
/// length of `q`.
#[inline(always)]
pub(crate) fn log(q: &Vector4<f64>) -> Vector3<f64> {
    let v = Vector3::new(q[1], q[2], q[3]);
    let v2 = v.squared();
    let w2 = q[0] * q[0];
    if v2 <= coefficients::ARCTAN_MAX * w2 {
        return v * (2.0 * coefficients::arctan_ratio(v2 / w2) / q[0]);
    }
    let norm = v2.sqrt();
    let (norm, w) = if q[0] < 0.0 { (-norm, -q[0]) } else { (norm, q[0]) };
    v * (2.0 * norm.abs().atan2(w) / norm)
}

/// `q o exp(x)` on SE(3) with `x = (w, u)`: the position `x_q + R_q T(-w) u` beside the rotation of
/// [`retract`].
#[inline(always)]
pub fn retract_screw<T: Number>(q: &[T], w: &Vector3<T>, u: &Vector3<T>) -> [T; 7] {
    let [a, b, c, d] = retract(&q[..4], w);
    let [first, second] = T::tangent(w.inner(w));
    let moved = rotate(&q[..4], &so3::tangent_times([-first, second], w, u));
    [a, b, c, d, q[4] + moved.x, q[5] + moved.y, q[6] + moved.z]
}

/// The blocks `T` and `S` of the tangent operator (35) of SE(3).
#[inline(always)]
pub fn tangent_screw<T: Number>(w: &Vector3<T>, u: &Vector3<T>) -> [Matrix3<T>; 2] {
    let k = T::map([w.inner(w)], |_, [s]| coefficients::first(s));
    [so3::tangent([k[0], k[1]], w), so3::tangent_derivative(k, w, u)]
}
