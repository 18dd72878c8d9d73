//! Poses, velocities and accelerations, from the ground outwards.
//!
//! ```text
//! X_k = placement X_stage(q)     V_k = Ad^-1 V_p + S v     A_k = Ad^-1 A_p + S v' + ad_{V_k} S v
//! ```
//!
//! The ground has the acceleration -gravity, so weight needs no force.

use precess_lie::Number;

use super::spatial::{ad, compose, outward, sum};
use super::{Tree, TreeMotion};
use crate::mechanics::kernels::{Motion, Pose, Wrench};
use precess_lie::matrix::zeros;

impl<T: Number> Tree<T> {
    /// Poses of all stages.
    pub fn positions(&self, q: &[T], m: &mut TreeMotion<T>) {
        for (k, stage) in self.stages.iter().enumerate() {
            m.local[k] = stage.pose(q);
            m.pose[k] = stage.parent.map_or(m.local[k], |p| compose(&m.pose[p], &m.local[k]));
        }
    }

    /// Poses and velocities of all stages.
    pub fn velocities(&self, q: &[T], v: &[T], m: &mut TreeMotion<T>) {
        self.positions(q, m);
        for (k, stage) in self.stages.iter().enumerate() {
            m.rate[k] = stage.motion(v);
            m.v[k] = match stage.parent {
                Some(p) => sum(&outward(&m.local[k], &m.v[p]), &m.rate[k]),
                None => m.rate[k],
            };
        }
    }

    /// Accelerations relative to free fall, after the [`velocities`](Self::velocities).
    pub fn accelerations(&self, vdot: &[T], m: &mut TreeMotion<T>) {
        let ground = self.ground_acceleration();
        for (k, stage) in self.stages.iter().enumerate() {
            let carried = outward(&m.local[k], stage.parent.map_or(&ground, |p| &m.a[p]));
            m.a[k] = sum(&sum(&carried, &stage.motion(vdot)), &ad(&m.v[k], &m.rate[k]));
        }
    }

    /// Acceleration of the ground relative to free fall.
    #[inline(always)]
    pub(super) fn ground_acceleration(&self) -> Motion<T> {
        Motion { omega: zeros(), u: -self.gravity }
    }

    /// Motion of the body frame: (Omega, U) in its axes, with the origin in the centre of mass.
    #[inline]
    pub fn body_velocity(&self, body: usize, m: &TreeMotion<T>) -> Motion<T> {
        let body = &self.bodies[body];
        body.stage.map_or_else(Motion::rest, |stage| outward(&body.pose, &m.v[stage]))
    }

    /// Its derivative (Omega', U'), which contains no gravity.
    pub fn body_acceleration(&self, body: usize, m: &TreeMotion<T>) -> Motion<T> {
        let body = &self.bodies[body];
        body.stage.map_or_else(Motion::rest, |stage| {
            // A_k contains -R^T gravity.
            let falls = Motion { omega: zeros(), u: m.pose[stage].r.transpose() * self.gravity };
            outward(&body.pose, &sum(&m.a[stage], &falls))
        })
    }

    /// Adds a wrench on a body, in its frame, to the load of its stage; the sign is that of g.
    #[inline]
    pub fn add_load(&self, body: usize, w: &Wrench<T>, m: &mut TreeMotion<T>) {
        let body = &self.bodies[body];
        if let Some(stage) = body.stage {
            let moved = super::spatial::inward(&body.pose, w);
            m.load[stage].rot += moved.rot;
            m.load[stage].trans += moved.trans;
        }
    }

    /// Removes all loads.
    pub fn clear_loads(&self, m: &mut TreeMotion<T>) {
        m.load.fill(Wrench::zero());
    }

    /// Pose of a stage relative to one that carries it, or to the ground.
    pub fn relative_pose(&self, stage: usize, from: Option<usize>, m: &TreeMotion<T>) -> Pose<T> {
        let pose = &m.pose[stage];
        from.map_or(*pose, |from| compose(&super::spatial::invert(&m.pose[from]), pose))
    }
}
