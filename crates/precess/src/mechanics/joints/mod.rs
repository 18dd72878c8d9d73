//! Joints as lists of primitive constraint rows between two markers. One file per joint; adding one is a file and a
//! line in [`JointKind`].
//!
//! Body a carries the frame (axes a_1, a_2, a_3), body b the markers of the moving side. Rows are dimensionless (lengths
//! are divided by the length scale of the model), so multipliers are energies and the force is lambda / L.

pub mod cylindrical;
pub mod fixed;
pub mod generic;
pub mod planar;
pub mod point_on_line;
pub mod point_on_plane;
pub mod prismatic;
pub mod revolute;
pub mod rigid_distance;
pub mod rows;
pub mod spherical;
pub mod universal;

pub use rows::{Frame, Rows};

/// Types of joints between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Points coincide: [`spherical`].
    Spherical,
    /// Rotation about a_3: [`revolute`].
    Revolute,
    /// Translation along a_3: [`prismatic`].
    Prismatic,
    /// Rotation about a_1 (fixed in a) and b_2 (fixed in b): [`universal`].
    Universal,
    /// Rotation about and translation along a_3: [`cylindrical`].
    Cylindrical,
    /// Translation normal to a_3, rotation about it: [`planar`].
    Planar,
    /// No relative motion: [`fixed`].
    Fixed,
    /// The point of b stays in the plane normal to a_3: [`point_on_plane`].
    PointOnPlane,
    /// The point of b stays on the line along a_3: [`point_on_line`].
    PointOnLine,
    /// The points keep their distance: [`rigid_distance`].
    RigidDistance,
    /// Any subset of the six relative motions is locked: [`generic`].
    Generic(generic::Locks),
}

impl JointKind {
    /// The constraint rows for markers on two bodies.
    pub fn rows(&self, frame: &Frame) -> Vec<Rows> {
        match self {
            JointKind::Spherical => spherical::rows(frame),
            JointKind::Revolute => revolute::rows(frame),
            JointKind::Prismatic => prismatic::rows(frame),
            JointKind::Universal => universal::rows(frame),
            JointKind::Cylindrical => cylindrical::rows(frame),
            JointKind::Planar => planar::rows(frame),
            JointKind::Fixed => fixed::rows(frame),
            JointKind::PointOnPlane => point_on_plane::rows(frame),
            JointKind::PointOnLine => point_on_line::rows(frame),
            JointKind::RigidDistance => rigid_distance::rows(frame),
            JointKind::Generic(locks) => generic::rows(frame, locks),
        }
    }
}
