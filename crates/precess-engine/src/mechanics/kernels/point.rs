//! Kernel P: coincidence of two points in inertial components.

use nalgebra::Vector3;
use precess_lie::matrix::unit;

use precess_lie::Number;

use super::directions::rotation_row;
use super::pose::{Group, Motion, Pair, PairMotion, Pose, hat, hat_hat, row, tr_times};
use super::row::{Block, Blocks, Measure, Row, Wrench, each_row};
use crate::mechanics::combine::combine;

/// Measure `y = scale (r_a - r_b)`, `r = x + R p`, three inertial components.
///
/// As a constraint with `scale = 1/L` the multiplier puts the force `lambda/L` (inertial components) on body
/// b at `r_b` and the opposite force on body a at `r_a`, no torque. Off the manifold the two forces have
/// different points of application and cause a moment; [`Offset`](super::Offset) with three directions does
/// not. It is the cheap choice on R^3xSO(3): the translational columns are constant and `K` has only two 3x3
/// parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<T = f64> {
    /// Point of body a.
    pub p_a: Vector3<T>,
    /// Point of body b.
    pub p_b: Vector3<T>,
    /// Factor of the difference, `1/L` for a constraint with the length scale `L`.
    pub scale: T,
}

impl<T: Number> Point<T> {
    /// Dimensionless constraint rows with the length scale `length`.
    pub fn constraint(p_a: Vector3<T>, p_b: Vector3<T>, length: T) -> Self {
        Self { p_a, p_b, scale: T::one() / length }
    }

    /// The plain vector `r_a - r_b` from b to a.
    pub fn difference(p_a: Vector3<T>, p_b: Vector3<T>) -> Self {
        Self { p_a, p_b, scale: T::one() }
    }
}

/// Velocity of the body-fixed point `p`, without the part of an inertial `u`, in the body frame.
/// On SE(3) this is the full velocity; on R^3xSO(3) `u` does not turn with the body.
#[inline(always)]
fn carried<T: Number>(group: Group, v: &Motion<T>, p: &Vector3<T>) -> Vector3<T> {
    match group {
        Group::R3xSO3 => v.omega.cross(p),
        Group::SE3 => v.u + v.omega.cross(p),
    }
}

/// Inertial velocity of the body-fixed point `p`.
#[inline(always)]
pub(crate) fn velocity<T: Number>(group: Group, pose: &Pose<T>, v: &Motion<T>, p: &Vector3<T>) -> Vector3<T> {
    let turned = pose.r * carried(group, v, p);
    match group {
        Group::R3xSO3 => v.u + turned,
        Group::SE3 => turned,
    }
}

/// Inertial acceleration of the body-fixed point `p` at constant velocity of the body.
#[inline(always)]
fn acceleration<T: Number>(group: Group, pose: &Pose<T>, v: &Motion<T>, p: &Vector3<T>) -> Vector3<T> {
    pose.r * v.omega.cross(&carried(group, v, p))
}

/// Row i of the rotation as a vector: the inertial axis i seen from the body.
#[inline(always)]
fn axis_row<T: Number>(pose: &Pose<T>, i: usize) -> Vector3<T> {
    row(&pose.r, i)
}

/// Row i of `R hat(p)`.
#[inline(always)]
fn hat_row<T: Number>(pose: &Pose<T>, i: usize, p: &Vector3<T>) -> Vector3<T> {
    axis_row(pose, i).cross(p)
}

/// Transpose of the point Jacobian: wrench of the inertial force `f` at the body-fixed point `p`.
#[inline(always)]
pub(crate) fn wrench<T: Number>(group: Group, pose: &Pose<T>, p: &Vector3<T>, f: &Vector3<T>) -> Wrench<T> {
    let f_body = tr_times(&pose.r, f);
    Wrench {
        rot: p.cross(&f_body),
        trans: match group {
            Group::R3xSO3 => *f,
            Group::SE3 => f_body,
        },
    }
}

/// Adds the derivative of [`wrench`] for a constant inertial force.
#[inline(always)]
pub(crate) fn add_wrench_k<T: Number>(
    group: Group,
    pose: &Pose<T>,
    p: &Vector3<T>,
    f: &Vector3<T>,
    k: &mut Block<T>,
) {
    let f_body = tr_times(&pose.r, f);
    k.rr += hat_hat(p, &f_body);
    if group == Group::SE3 {
        k.xr += hat(&f_body);
    }
}

impl<T: Number> Measure<3, T> for Point<T> {
    /// Joints use it only on R^3xSO(3), where its forces have inertial components.
    const IS_CURVED: bool = false;
    const READS_TRANSLATIONS: bool = false;

    #[inline(always)]
    fn value(&self, pair: &Pair<T>) -> Vector3<T> {
        (pair.a.point(&self.p_a) - pair.b.point(&self.p_b)) * self.scale
    }

    #[inline(always)]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 3] {
        each_row(
            #[inline(always)]
            |i| {
                let (rot_a, rot_b) = (hat_row(&pair.a, i, &self.p_a), hat_row(&pair.b, i, &self.p_b));
                let (trans_a, trans_b) = match pair.group {
                    Group::R3xSO3 => (unit(i, self.scale), unit(i, -self.scale)),
                    Group::SE3 => (axis_row(&pair.a, i) * self.scale, axis_row(&pair.b, i) * -self.scale),
                };
                Row {
                    a: Wrench { rot: rot_a * -self.scale, trans: trans_a },
                    b: Wrench { rot: rot_b * self.scale, trans: trans_b },
                }
            },
        )
    }

    #[inline(always)]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        let a = acceleration(pair.group, &pair.a, &v.a, &self.p_a);
        let b = acceleration(pair.group, &pair.b, &v.b, &self.p_b);
        (a - b) * self.scale
    }

    #[inline(always)]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 3] {
        let c_a = carried(pair.group, &v.a, &self.p_a);
        let c_b = carried(pair.group, &v.b, &self.p_b);
        each_row(
            #[inline(always)]
            |i| rotation_row(hat_row(&pair.a, i, &c_a) * -self.scale, hat_row(&pair.b, i, &c_b) * self.scale),
        )
    }

    #[inline(always)]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector3<T>, k: &mut impl Blocks<T>) {
        let f = lambda * self.scale;
        if let Some(k) = k.pair_mut() {
            add_wrench_k(pair.group, &pair.a, &self.p_a, &f, &mut k.aa);
        }
        add_wrench_k(pair.group, &pair.b, &self.p_b, &-f, k.second_mut());
    }

    #[inline(always)]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &Vector3<T>) -> Row<T> {
        let f = lambda * self.scale;
        Row { a: wrench(pair.group, &pair.a, &self.p_a, &f), b: wrench(pair.group, &pair.b, &self.p_b, &-f) }
    }

    #[inline(always)]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        let a = velocity(pair.group, &pair.a, &v.a, &self.p_a);
        let b = velocity(pair.group, &pair.b, &v.b, &self.p_b);
        (a - b) * self.scale
    }
}

combine!(struct Point { p_a, p_b, scale });
