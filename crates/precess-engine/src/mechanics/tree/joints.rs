//! Joints as stages.
//!
//! All coordinates are zero in the assembled positions. There, the frames of a joint have the axes of its first
//! marker, and slides come before turns: translations are measured along axes of the first body.

use nalgebra::Vector3;
use precess_lie::matrix::zeros;

use super::spatial::{compose, invert};
use super::stage::along;
use super::{StageKind, Tree};
use crate::mechanics::joints::JointKind;
use crate::mechanics::kernels::Pose;

/// A stage of a joint, in the frame of its first marker in the assembled positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A displacement along a direction.
    Slide(Vector3<f64>),
    /// An angle about an axis through the point of the second marker.
    Turn(Vector3<f64>),
    /// Rotations about the point of the second marker.
    Ball,
    /// All motions.
    Free,
}

/// The stages of a joint whose second marker has this pose in the first one; none if the joint is not a tree
/// edge: its coordinates are then not free of each other (screw, rolling), or it holds too little (rigid distance).
pub fn steps(kind: &JointKind, b: &Pose) -> Option<Vec<Step>> {
    use Step::{Ball, Slide, Turn};
    let e = |i: usize| {
        let mut e: Vector3<f64> = zeros();
        e[i] = 1.0;
        e
    };
    let axis_b = |i: usize| b.r.column(i).into_owned();
    Some(match kind {
        JointKind::Fixed => vec![],
        JointKind::Revolute => vec![Turn(e(2))],
        JointKind::Prismatic => vec![Slide(e(2))],
        JointKind::Cylindrical => vec![Slide(e(2)), Turn(e(2))],
        JointKind::Universal => vec![Turn(e(0)), Turn(axis_b(1))],
        JointKind::Spherical => vec![Ball],
        JointKind::Planar => vec![Slide(e(0)), Slide(e(1)), Turn(e(2))],
        JointKind::PointOnLine => vec![Slide(e(2)), Ball],
        JointKind::PointOnPlane => vec![Slide(e(0)), Slide(e(1)), Ball],
        JointKind::Generic(locks) => {
            let mut list: Vec<Step> =
                (0..3).filter(|&i| !locks.translation[i]).map(|i| Slide(e(i))).collect();
            match locks.rotation {
                [true, true, true] => {}
                [false, false, false] => list.push(Ball),
                [true, true, false] => list.push(Turn(e(2))),
                [true, false, true] => list.push(Turn(e(1))),
                [false, true, true] => list.push(Turn(e(0))),
                // One locked rotation is a universal joint about the other two axes.
                [true, false, false] => list.extend([Turn(e(1)), Turn(axis_b(2))]),
                [false, true, false] => list.extend([Turn(e(2)), Turn(axis_b(0))]),
                [false, false, true] => list.extend([Turn(e(0)), Turn(axis_b(1))]),
            }
            list
        }
        JointKind::RigidDistance
        | JointKind::Screw { .. }
        | JointKind::KnifeEdge
        | JointKind::Rolling { .. } => return None,
    })
}

impl Tree {
    /// Adds the stages of a joint. `a` is its first marker in the outer frame of the parent stage, or in the inertial
    /// frame, and `b` its second marker in the first one. Returns the last stage and the second marker in its
    /// outer frame.
    pub fn add_joint(
        &mut self,
        parent: Option<usize>,
        a: &Pose,
        b: &Pose,
        steps: &[Step],
    ) -> (Option<usize>, Pose) {
        let (mut last, mut inner) = (parent, *a);
        // The frame of the first marker, seen from the last outer frame.
        for step in steps {
            let (frame, kind) = match step {
                Step::Slide(axis) => (along(axis, b.x), StageKind::Slide),
                Step::Turn(axis) => (along(axis, b.x), StageKind::Turn),
                Step::Ball => (Pose { r: nalgebra::Matrix3::identity(), x: b.x }, StageKind::Ball),
                Step::Free => (*b, StageKind::Free),
            };
            last = Some(self.add_stage(last, compose(&inner, &frame), kind));
            inner = invert(&frame);
        }
        (last, compose(&inner, b))
    }
}
