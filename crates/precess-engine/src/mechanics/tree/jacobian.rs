//! Jacobians of frames.

use nalgebra::Vector3;
use precess_lie::Number;

use super::spatial::outward;
use super::{Tree, TreeMotion};
use crate::mechanics::kernels::Motion;

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
            frame = super::spatial::compose(&m.local[k], &frame);
        }
    }
}
