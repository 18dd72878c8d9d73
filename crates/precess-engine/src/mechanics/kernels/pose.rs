//! Poses and velocities of bodies and of pairs of bodies.

use nalgebra::{Matrix3, Vector3, Vector6};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, filled, identity, zeros};
use precess_lie::rotation::skew;

/// The skew-symmetric matrix of the cross product, `hat(a) b = a x b`.
#[inline(always)]
pub fn hat<T: Number>(a: &Vector3<T>) -> Matrix3<T> {
    skew(a)
}

/// A column of a matrix.
#[inline(always)]
fn column<T: Number>(m: &Matrix3<T>, j: usize) -> Vector3<T> {
    Vector3::new(m[(0, j)], m[(1, j)], m[(2, j)])
}

/// A row of a matrix as a vector.
#[inline(always)]
pub(super) fn row<T: Number>(m: &Matrix3<T>, i: usize) -> Vector3<T> {
    Vector3::new(m[(i, 0)], m[(i, 1)], m[(i, 2)])
}

/// The product `m^T v`. Unlike the function of nalgebra, it is always inlined.
#[inline(always)]
pub(crate) fn tr_times<T: Number>(m: &Matrix3<T>, v: &Vector3<T>) -> Vector3<T> {
    Vector3::new(column(m, 0).inner(v), column(m, 1).inner(v), column(m, 2).inner(v))
}

/// The product `hat(a) m`, column by column.
#[inline(always)]
pub(crate) fn hat_times<T: Number>(a: &Vector3<T>, m: &Matrix3<T>) -> Matrix3<T> {
    let (x, y, z) = (column(m, 0), column(m, 1), column(m, 2));
    let (x, y, z) = (a.cross(&x), a.cross(&y), a.cross(&z));
    Matrix3::new(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
}

/// The product `m hat(a)`, row by row.
#[inline(always)]
pub(crate) fn times_hat<T: Number>(m: &Matrix3<T>, a: &Vector3<T>) -> Matrix3<T> {
    let (x, y, z) = (row(m, 0).cross(a), row(m, 1).cross(a), row(m, 2).cross(a));
    Matrix3::new(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z)
}

/// The product `a^T b`.
#[inline(always)]
fn tr_product<T: Number>(a: &Matrix3<T>, b: &Matrix3<T>) -> Matrix3<T> {
    let (x, y, z) = (tr_times(a, &column(b, 0)), tr_times(a, &column(b, 1)), tr_times(a, &column(b, 2)));
    Matrix3::new(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
}

/// The product `hat(a) hat(b) = b a^T - (a . b) I`.
#[inline(always)]
pub(crate) fn hat_hat<T: Number>(a: &Vector3<T>, b: &Vector3<T>) -> Matrix3<T> {
    let mut m = b * a.transpose();
    let d = a.inner(b);
    m[(0, 0)] -= d;
    m[(1, 1)] -= d;
    m[(2, 2)] -= d;
    m
}

/// The Lie group of the configuration of one body. It determines the meaning of the translational velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The direct product: angular velocity in the body frame, linear velocity in the inertial frame.
    R3xSO3,
    /// The semidirect product (rigid motions): both velocities in the body frame.
    SE3,
}

/// Position and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T = f64> {
    /// Rotation from the body frame to the inertial frame.
    pub r: Matrix3<T>,
    /// Centre of mass in the inertial frame.
    pub x: Vector3<T>,
}

impl<T: Number> Pose<T> {
    /// The pose of the ground: its body frame is the inertial frame.
    #[inline(always)]
    pub fn ground() -> Self {
        Self { r: identity(), x: zeros() }
    }

    /// The inertial position of the body-fixed point `p`.
    #[inline(always)]
    pub fn point(&self, p: &Vector3<T>) -> Vector3<T> {
        self.x + self.r * p
    }
}

/// The velocity of a body in the sense of its [`Group`], or a variation of its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<T = f64> {
    /// Angular velocity in the body frame.
    pub omega: Vector3<T>,
    /// Velocity of the centre of mass, in the inertial frame (`R3xSO3`) or in the body frame (`SE3`).
    pub u: Vector3<T>,
}

impl<T: Number> Motion<T> {
    /// No motion.
    #[inline(always)]
    pub fn rest() -> Self {
        Self { omega: zeros(), u: zeros() }
    }
}

impl From<Vector6<f64>> for Motion {
    fn from(v: Vector6<f64>) -> Self {
        Self { omega: v.fixed_rows::<3>(0).into_owned(), u: v.fixed_rows::<3>(3).into_owned() }
    }
}

/// A point and a frame fixed in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker<T = f64> {
    /// Point relative to the centre of mass, in the body frame.
    pub p: Vector3<T>,
    /// An orthonormal frame. Its columns are the axes in the body frame.
    pub c: Matrix3<T>,
}

impl<T: Number> Marker<T> {
    /// Axis `i` (0, 1, 2) of the frame.
    #[inline(always)]
    pub fn axis(&self, i: usize) -> Vector3<T> {
        self.c.column(i).into_owned()
    }
}

/// Velocities of the two bodies of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMotion<T = f64> {
    /// Velocity of body a.
    pub a: Motion<T>,
    /// Velocity of body b.
    pub b: Motion<T>,
}

/// The poses of two bodies and their relative pose, computed once and shared by all rows of a joint.
///
/// Rows on `SE(3)`, except those of [`Point`](super::Point), use only the relative pose: they do not change
/// when both bodies are moved together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<T = f64> {
    /// Group of both bodies.
    pub group: Group,
    /// Pose of body a.
    pub a: Pose<T>,
    /// Pose of body b.
    pub b: Pose<T>,
    /// Relative rotation `R_a^T R_b`.
    pub r_ab: Matrix3<T>,
    /// Relative position `R_a^T (x_b - x_a)`.
    pub x_ab: Vector3<T>,
}

impl<T: Number> Pair<T> {
    /// Two poses without the relative pose, which is set to NaN. This is for measures that do not use it
    /// ([`Point`](super::Point)).
    #[inline(always)]
    pub fn in_space(group: Group, a: &Pose<T>, b: &Pose<T>) -> Self {
        let (r_ab, x_ab) = (filled(T::of(f64::NAN)), filled(T::of(f64::NAN)));
        Self { group, a: *a, b: *b, r_ab, x_ab }
    }

    /// Sets the relative pose. If the first body is the ground, this is the pose of body b itself.
    #[inline(always)]
    pub fn relate(&mut self, first_moves: bool) {
        let (r_ab, x_ab) = if first_moves {
            (tr_product(&self.a.r, &self.b.r), tr_times(&self.a.r, &(self.b.x - self.a.x)))
        } else {
            (self.b.r, self.b.x)
        };
        (self.r_ab, self.x_ab) = (r_ab, x_ab);
    }

    /// The pair of bodies at the given poses.
    #[inline(always)]
    pub fn new(group: Group, a: &Pose<T>, b: &Pose<T>) -> Self {
        Self { group, a: *a, b: *b, r_ab: tr_product(&a.r, &b.r), x_ab: tr_times(&a.r, &(b.x - a.x)) }
    }
}

crate::mechanics::combine::combine!(struct Marker { p, c });

crate::mechanics::combine::same!(Group);
