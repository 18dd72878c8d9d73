//! Jacobians of frames.

use nalgebra::Vector3;
use precess_lie::Number;

use super::spatial::{ad, compose, outward};
use super::{Tree, TreeMotion};
use crate::mechanics::kernels::{Motion, Wrench};

/// How the motion of a body changes with one velocity coordinate, in the frame of the body. The accelerations are
/// those without gravity, so they hold for a tree without gravity.
#[derive(Clone, Copy, Debug)]
pub struct Variation<T> {
    /// Column of the Jacobian J.
    pub velocity: Motion<T>,
    /// D_q V.
    pub velocity_of_q: Motion<T>,
    /// D_q V'.
    pub acceleration_of_q: Motion<T>,
    /// dV'/dv.
    pub acceleration_of_v: Motion<T>,
}

impl<T: Number> Tree<T> {
    /// The columns of the Jacobian of a body: `put(j, motion)` gives the velocity of the point (from the centre
    /// of mass, in the body frame) and the angular velocity, both in the body frame, for v_j = 1.
    pub fn jacobian(
        &self,
        body: usize,
        point: &Vector3<T>,
        m: &TreeMotion<T>,
        mut put: impl FnMut(usize, Motion<T>),
    ) {
        let body = &self.bodies[body];
        let Some(last) = body.stage else { return };
        let mut frame = body.pose;
        frame.x += frame.r * point;
        for k in self.path(Some(last)) {
            let stage = &self.stages[k];
            for i in 0..stage.dim() {
                put(stage.v + i, outward(&frame, &stage.kind.column(i)));
            }
            frame = compose(&m.local[k], &frame);
        }
    }

    /// The changes of the motion of a body, after [`accelerations`](Self::accelerations): `put(j, variation)`.
    pub fn variations(&self, body: usize, m: &TreeMotion<T>, mut put: impl FnMut(usize, Variation<T>)) {
        let v = self.body_velocity(body, m);
        let body = &self.bodies[body];
        let mut frame = body.pose;
        for k in self.path(body.stage) {
            let stage = &self.stages[k];
            for i in 0..stage.dim() {
                let x = self.carried(k, i, m);
                let [velocity, of_q, second, rate] =
                    [x.column, x.psi_1, x.psi_2, x.rate].map(|x| outward(&frame, &x));
                let less = |a: &Motion<T>, b: &Motion<T>| Motion { omega: a.omega - b.omega, u: a.u - b.u };
                put(
                    stage.v + i,
                    Variation {
                        velocity,
                        velocity_of_q: of_q,
                        acceleration_of_q: less(&second, &ad(&v, &of_q)),
                        acceleration_of_v: less(&rate, &ad(&v, &velocity)),
                    },
                );
            }
            frame = compose(&m.local[k], &frame);
        }
    }

    /// D_q(J^T w) of a body for a constant wrench w in its frame: `put(i, j, entry)`. It is
    /// (ad_{J_i} J_j)^T w if the stage of j comes after that of i, and otherwise zero.
    pub fn turned_wrench(
        &self,
        body: usize,
        w: &Wrench<T>,
        m: &TreeMotion<T>,
        mut put: impl FnMut(usize, usize, T),
    ) {
        let body = &self.bodies[body];
        let mut outer_frame = body.pose;
        for outer in self.path(body.stage) {
            let mut inner_frame = compose(&m.local[outer], &outer_frame);
            for inner in self.path(self.stages[outer].parent) {
                let (a, b) = (&self.stages[inner], &self.stages[outer]);
                for i in 0..a.dim() {
                    let own = outward(&inner_frame, &a.kind.column(i));
                    for j in 0..b.dim() {
                        let other = outward(&outer_frame, &b.kind.column(j));
                        put(a.v + i, b.v + j, w.dot(&ad(&own, &other)));
                    }
                }
                inner_frame = compose(&m.local[inner], &inner_frame);
            }
            outer_frame = compose(&m.local[outer], &outer_frame);
        }
    }
}
