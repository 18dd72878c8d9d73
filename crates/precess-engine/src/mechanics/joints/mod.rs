//! Joints as lists of primitive constraint rows between two markers. One file per joint; adding one is a file
//! and a line in [`JointKind`].
//!
//! Body a carries the frame (axes a_1, a_2, a_3), body b the markers of the moving side. Rows are
//! dimensionless (lengths are divided by the length scale of the model), so multipliers are energies and the
//! force is lambda / L.

pub mod cylindrical;
pub mod drive;
pub mod fixed;
pub mod gear;
pub mod generic;
pub mod knife_edge;
pub mod planar;
pub mod point_on_line;
pub mod point_on_plane;
pub mod prismatic;
pub mod revolute;
pub mod rigid_distance;
pub mod rolling;
pub mod rows;
pub mod screw;
pub mod spherical;
pub mod universal;

pub use drive::{Drive, When};
pub use gear::Gear;
pub use rows::{Frame, JointRows, MAX_ROWS};

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
    /// Rotation about a_3 that moves the second body along it: [`screw`].
    Screw {
        /// Displacement per turn in m, positive for a right-handed thread.
        pitch: f64,
    },
    /// The point of b does not move along b_3: [`knife_edge`].
    KnifeEdge,
    /// A wheel or a ball of b rolls on the plane normal to a_3: [`rolling`].
    Rolling {
        /// Radius of the circle about b_3 in m, zero for a ball.
        circle: f64,
        /// Radius of its round section in m, zero for a thin disc.
        section: f64,
    },
    /// Any subset of the six relative motions is locked: [`generic`].
    Generic(generic::Locks),
}

impl JointKind {
    /// The constraint rows for markers on two bodies.
    pub fn rows(&self, frame: &Frame) -> Vec<JointRows> {
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
            JointKind::Screw { pitch } => screw::rows(frame, *pitch),
            JointKind::KnifeEdge => knife_edge::rows(frame),
            JointKind::Rolling { circle, section } => rolling::rows(frame, *circle, *section),
            JointKind::Generic(locks) => generic::rows(frame, locks),
        }
    }

    /// Axes k for which a_k . b_k stays positive: the rows alone cannot tell a joint from its flipped
    /// assembly, in which b is turned by half a turn.
    pub fn upright(&self) -> [bool; 3] {
        match self {
            JointKind::Revolute | JointKind::Cylindrical | JointKind::Planar | JointKind::Screw { .. } => {
                [false, false, true]
            }
            JointKind::Prismatic | JointKind::Fixed => [true; 3],
            JointKind::Generic(locks) => match locks.rotation {
                [true, true, true] => [true; 3],
                [true, true, false] => [false, false, true],
                [true, false, true] => [false, true, false],
                [false, true, true] => [true, false, false],
                _ => [false; 3],
            },
            _ => [false; 3],
        }
    }

    /// True if the joint has an angle about a_3 that tells its position.
    pub fn has_angle(&self) -> bool {
        match self {
            JointKind::Revolute | JointKind::Cylindrical | JointKind::Planar | JointKind::Screw { .. } => {
                true
            }
            JointKind::Generic(locks) => locks.rotation == [true, true, false],
            _ => false,
        }
    }

    /// True if the joint has a displacement along a_3.
    pub fn has_displacement(&self) -> bool {
        match self {
            JointKind::Prismatic
            | JointKind::Cylindrical
            | JointKind::PointOnLine
            | JointKind::Screw { .. } => true,
            JointKind::Generic(locks) => locks.translation == [true, true, false],
            _ => false,
        }
    }
}
