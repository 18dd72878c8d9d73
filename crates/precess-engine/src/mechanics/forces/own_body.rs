//! A user-defined force and torque on a body: any function of its motion.

use precess_lie::matrix::SmallMatrix;
use std::fmt;
use std::sync::Arc;

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::super::kernels::{Block, Group, Motion, Pose, Row, Wrench};
use super::super::links::{Bodies, Derivative, Link, Parts};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;

/// The motion of a body at a point fixed in it, in the inertial frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMotion {
    /// Time.
    pub t: f64,
    /// Position of the point.
    pub x: Vector3<f64>,
    /// Its velocity.
    pub v: Vector3<f64>,
    /// Rotation from the body frame to the inertial frame.
    pub rotation: Matrix3<f64>,
    /// Angular velocity, inertial frame.
    pub omega: Vector3<f64>,
}

/// A force at the point and a torque, inertial frame.
pub type ForceAndTorque = [Vector3<f64>; 2];

type BodyFunction = dyn Fn(&PointMotion) -> ForceAndTorque + Send + Sync;

/// Force and torque on a body as a function of its motion. Two laws are equal if they are the same function
/// in memory.
#[derive(Clone)]
pub struct BodyLaw(Arc<BodyFunction>);

impl BodyLaw {
    /// A law.
    pub fn new(f: impl Fn(&PointMotion) -> ForceAndTorque + Send + Sync + 'static) -> Self {
        BodyLaw(Arc::new(f))
    }
}

impl fmt::Debug for BodyLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyLaw")
    }
}

impl PartialEq for BodyLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A law at a point of a body. Derivatives are central differences of the law: 24 calls for a matrix.
#[derive(Clone, Debug)]
pub struct BodyForceLaw {
    /// The body.
    pub body: usize,
    /// The point in the body frame, from the centre of mass.
    pub point: Vector3<f64>,
    /// The law.
    pub law: BodyLaw,
}

/// Relative size of the differences: the cube root of the rounding error of one.
const DIFFERENCE: f64 = 6e-6;

impl BodyForceLaw {
    fn motion(&self, group: Group, t: f64, pose: &Pose, v: &Motion) -> PointMotion {
        let turning = pose.r * v.omega.cross(&self.point);
        let u = if group == Group::SE3 { pose.r * v.u } else { v.u };
        let (x, omega) = (pose.point(&self.point), pose.r * v.omega);
        PointMotion { t, x, v: u + turning, rotation: pose.r, omega }
    }

    /// The generalised force, with the sign of g.
    fn wrench(&self, group: Group, t: f64, pose: &Pose, v: &Motion) -> Wrench {
        let [force, torque] = (self.law.0)(&self.motion(group, t, pose, v));
        let (f, m) = (pose.r.transposed_times(&force), pose.r.transposed_times(&torque));
        let trans = if group == Group::SE3 { f } else { force };
        Wrench { rot: -(self.point.cross(&f) + m), trans: -trans }
    }

    fn pose_and_motion(&self, bodies: &Bodies, at: &At) -> (Pose, Motion) {
        (bodies.pose(Some(self.body), at.q), bodies.motion_of(Some(self.body), at))
    }

    /// Derivative along six directions by central differences.
    fn slope(&self, steps: [f64; 2], along: impl Fn(&Motion) -> Wrench) -> Block {
        let mut block = Block::zero();
        for (part, step) in [true, false].into_iter().zip(steps) {
            for j in 0..3 {
                let to = |sign: f64| {
                    let d = Vector3::ith(j, sign * step);
                    let (omega, u) = if part { (d, Vector3::zeros()) } else { (Vector3::zeros(), d) };
                    along(&Motion { omega, u })
                };
                let (up, down) = (to(1.0), to(-1.0));
                let (rot, trans) =
                    ((up.rot - down.rot) / (2.0 * step), (up.trans - down.trans) / (2.0 * step));
                let (rows, columns) =
                    if part { (&mut block.rr, &mut block.xr) } else { (&mut block.rx, &mut block.xx) };
                rows.set_column(j, &rot);
                columns.set_column(j, &trans);
            }
        }
        block
    }
}

impl Element for BodyForceLaw {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (pose, v) = self.pose_and_motion(bodies, at);
        let b = self.wrench(bodies.group, at.t, &pose, &v);
        bodies.add_force(self.link(), &Row { a: Wrench::zero(), b }, at, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (group, want, link) = (bodies.group, out.want(), self.link());
        let (pose, v) = self.pose_and_motion(bodies, at);
        let bends = want.stiffness && bodies.has_node(link);
        if want.c_d != 0.0 || bends {
            let steps = [v.omega.amax().max(1e-3), v.u.amax().max(1e-3)].map(|x| DIFFERENCE * x);
            let d = self.slope(steps, |d| {
                let moved = Motion { omega: v.omega + d.omega, u: v.u + d.u };
                self.wrench(group, at.t, &pose, &moved)
            });
            bodies.add_blocks(link, Parts::ALL, &d, (Derivative::Damping, at), out);
            if bends {
                let force = Row { a: Wrench::zero(), b: self.wrench(group, at.t, &pose, &v) };
                bodies.add_bending(link, &force, Some(&d), at, out);
            }
        }
        if want.stiffness {
            let k = self.slope([DIFFERENCE, DIFFERENCE * pose.x.amax().max(1e-3)], |d| {
                let x = if group == Group::SE3 { pose.x + pose.r * d.u } else { pose.x + d.u };
                let r = pose.r * Rotation3::new(d.omega).into_inner();
                self.wrench(group, at.t, &Pose { r, x }, &v)
            });
            bodies.add_blocks(link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
        }
    }

    /// All of its work counts, since a user-defined law has no known potential.
    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let (pose, v) = self.pose_and_motion(bodies, at);
        let motion = self.motion(bodies.group, at.t, &pose, &v);
        let [force, torque] = (self.law.0)(&motion);
        Some(force.inner(&motion.v) + torque.inner(&motion.omega))
    }
}
