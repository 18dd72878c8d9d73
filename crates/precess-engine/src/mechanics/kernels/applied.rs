//! Forces on one body: gyroscopic terms, gravity, forces at a point and torques.
//!
//! All enter as `M v' = -g`, so an applied force appears with a minus sign. The groups differ: forces that
//! are constant in the inertial frame have a stiffness on SE(3), follower forces have one on R^3xSO(3).
//! Forces that depend on time need nothing else here.

use nalgebra::{Matrix3, Vector3};
use precess_lie::matrix::zeros;

use precess_lie::Number;

use super::point;
use super::pose::{Group, Motion, Pose, hat, hat_times, times_hat, tr_times};
use super::row::{Block, Wrench};

/// Gyroscopic terms of a body with mass `m` and inertia `j` about the centre of mass. They do no work.
#[inline(always)]
pub fn gyro<T: Number>(group: Group, m: T, j: &Matrix3<T>, v: &Motion<T>) -> Wrench<T> {
    Wrench {
        rot: v.omega.cross(&(j * v.omega)),
        trans: match group {
            Group::R3xSO3 => zeros(),
            Group::SE3 => v.omega.cross(&v.u) * m,
        },
    }
}

/// `D` of [`gyro`], rows and columns of the rotation.
#[inline(always)]
pub(crate) fn gyro_d_of_rotation<T: Number>(j: &Matrix3<T>, omega: &Vector3<T>) -> Matrix3<T> {
    hat_times(omega, j) - hat(&(j * omega))
}

/// Adds `D` of [`gyro`].
#[inline(always)]
pub fn add_gyro_d<T: Number>(group: Group, m: T, j: &Matrix3<T>, v: &Motion<T>, d: &mut Block<T>) {
    d.rr += gyro_d_of_rotation(j, &v.omega);
    if group == Group::SE3 {
        d.xr -= hat(&v.u) * m;
        d.xx += hat(&v.omega) * m;
    }
}

/// Weight of the mass `m` with the inertial acceleration of gravity `gamma`.
#[inline(always)]
pub fn gravity<T: Number>(group: Group, pose: &Pose<T>, m: T, gamma: &Vector3<T>) -> Wrench<T> {
    let force = gamma * -m;
    Wrench {
        rot: zeros(),
        trans: match group {
            Group::R3xSO3 => force,
            Group::SE3 => tr_times(&pose.r, &force),
        },
    }
}

/// Adds `K` of [`gravity`]; nothing on R^3xSO(3).
#[inline(always)]
pub fn add_gravity_k<T: Number>(group: Group, pose: &Pose<T>, m: T, gamma: &Vector3<T>, k: &mut Block<T>) {
    if group == Group::SE3 {
        k.xr -= hat(&(tr_times(&pose.r, gamma) * m));
    }
}

/// Force `f`, given in the inertial frame, at the body-fixed point `p`.
#[inline(always)]
pub fn inertial_force<T: Number>(group: Group, pose: &Pose<T>, p: &Vector3<T>, f: &Vector3<T>) -> Wrench<T> {
    point::wrench(group, pose, p, &-f)
}

/// Adds `K` of [`inertial_force`].
#[inline(always)]
pub fn add_inertial_force_k<T: Number>(
    group: Group,
    pose: &Pose<T>,
    p: &Vector3<T>,
    f: &Vector3<T>,
    k: &mut Block<T>,
) {
    point::add_wrench_k(group, pose, p, &-f, k);
}

/// Follower force `f`, given in the body frame, at the body-fixed point `p`.
#[inline(always)]
pub fn body_force<T: Number>(group: Group, pose: &Pose<T>, p: &Vector3<T>, f: &Vector3<T>) -> Wrench<T> {
    Wrench {
        rot: f.cross(p),
        trans: match group {
            Group::R3xSO3 => -(pose.r * f),
            Group::SE3 => -f,
        },
    }
}

/// Adds `K` of [`body_force`]; nothing on SE(3).
#[inline(always)]
pub fn add_body_force_k<T: Number>(group: Group, pose: &Pose<T>, f: &Vector3<T>, k: &mut Block<T>) {
    if group == Group::R3xSO3 {
        k.xr += times_hat(&pose.r, f);
    }
}

/// Torque given in the inertial frame. A constant one is not conservative.
#[inline(always)]
pub fn inertial_torque<T: Number>(pose: &Pose<T>, tau: &Vector3<T>) -> Wrench<T> {
    body_torque(&tr_times(&pose.r, tau))
}

/// Adds `K` of [`inertial_torque`].
#[inline(always)]
pub fn add_inertial_torque_k<T: Number>(pose: &Pose<T>, tau: &Vector3<T>, k: &mut Block<T>) {
    k.rr -= hat(&tr_times(&pose.r, tau));
}

/// Torque given in the body frame; it has no stiffness.
#[inline(always)]
pub fn body_torque<T: Number>(tau: &Vector3<T>) -> Wrench<T> {
    Wrench { rot: -tau, trans: zeros() }
}
