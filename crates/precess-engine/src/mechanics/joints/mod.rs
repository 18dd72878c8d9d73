//! Joints as lists of primitive constraint rows between two markers, one file per joint. A new joint needs a
//! file and a line in the list below.
//!
//! Body a has the frame (axes a_1, a_2, a_3), body b the markers of the moving side. Rows are dimensionless
//! (lengths are divided by the length scale of the model), so multipliers are energies and the force is
//! lambda / L.

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

pub use super::columns::MAX_ROWS;
pub use drive::{Drive, When};
pub use gear::Gear;
pub use rows::{Frame, JointRows};

use crate::error::word;
use generic::Locks;

/// Axes k for which a_k . b_k stays positive if these rotations are locked.
const fn upright(rotation: [bool; 3]) -> [bool; 3] {
    match rotation {
        [true, true, true] => [true; 3],
        [true, true, false] => [false, false, true],
        [true, false, true] => [false, true, false],
        [false, true, true] => [true, false, false],
        _ => [false; 3],
    }
}

// Locked motions along or about a_1, a_2, a_3.
const ALL: [bool; 3] = [true; 3];
const FIRST_TWO: [bool; 3] = [true, true, false];
const THIRD: [bool; 3] = [false, false, true];
const NONE: [bool; 3] = [false; 3];

/// A joint without further numbers, or none.
macro_rules! plain {
    ($name:ident) => {
        Some(JointKind::$name)
    };
    ($($other:tt)*) => {
        None
    };
}

/// Defines the joints: name and numbers, file, locked translations and rotations.
macro_rules! joint_types {
    ($($(#[$doc:meta])* $name:ident $({ $($(#[$number_doc:meta])* $number:ident: $type:ty,)* })?
        $(($locks:ident: $inner:ty))? = $file:ident, $translation:expr, $rotation:expr;)*) => {
        /// Types of joints between two bodies.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum JointKind {
            $($(#[$doc])* $name $({ $($(#[$number_doc])* $number: $type,)* })? $(($inner))?,)*
        }

        #[allow(unused_variables)]
        impl JointKind {
            /// Kinds that need no further numbers.
            fn plain() -> impl Iterator<Item = Self> {
                let all = [$(plain!($name $({ $($number)* })? $(($locks))?),)*];
                all.into_iter().flatten()
            }

            /// The constraint rows for markers on two bodies.
            pub fn rows(&self, frame: &Frame) -> Vec<JointRows> {
                match *self {
                    $(JointKind::$name $({ $($number),* })? $(($locks))? => {
                        $file::rows(frame $($(, $number)*)? $(, $locks)?)
                    })*
                }
            }

            /// Axes k for which a_k . b_k stays positive. The rows alone also hold in the flipped assembly,
            /// in which b is turned by half a turn.
            pub fn upright(&self) -> [bool; 3] {
                match *self {
                    $(JointKind::$name $({ $($number),* })? $(($locks))? => upright($rotation),)*
                }
            }

            /// True if the joint has an angle about a_3 as its coordinate.
            pub fn has_angle(&self) -> bool {
                match *self {
                    $(JointKind::$name $({ $($number),* })? $(($locks))? => $rotation == FIRST_TWO,)*
                }
            }

            /// True if the joint has a displacement along a_3.
            pub fn has_displacement(&self) -> bool {
                match *self {
                    $(JointKind::$name $({ $($number),* })? $(($locks))? => $translation == FIRST_TWO,)*
                }
            }
        }
    };
}

joint_types! {
    /// Points coincide: [`spherical`].
    Spherical = spherical, ALL, NONE;
    /// Rotation about a_3: [`revolute`].
    Revolute = revolute, ALL, FIRST_TWO;
    /// Translation along a_3: [`prismatic`].
    Prismatic = prismatic, FIRST_TWO, ALL;
    /// Rotation about a_1 (fixed in a) and b_2 (fixed in b): [`universal`].
    Universal = universal, ALL, THIRD;
    /// Rotation about and translation along a_3: [`cylindrical`].
    Cylindrical = cylindrical, FIRST_TWO, FIRST_TWO;
    /// Translation normal to a_3, rotation about it: [`planar`].
    Planar = planar, THIRD, FIRST_TWO;
    /// No relative motion: [`fixed`].
    Fixed = fixed, ALL, ALL;
    /// The point of b stays in the plane normal to a_3: [`point_on_plane`].
    PointOnPlane = point_on_plane, THIRD, NONE;
    /// The point of b stays on the line along a_3: [`point_on_line`].
    PointOnLine = point_on_line, FIRST_TWO, NONE;
    /// The points keep their distance: [`rigid_distance`].
    RigidDistance = rigid_distance, NONE, NONE;
    /// Rotation about a_3 that moves the second body along it: [`screw`].
    Screw {
        /// Displacement per turn in m, positive for a right-handed thread.
        pitch: f64,
    } = screw, FIRST_TWO, FIRST_TWO;
    /// The point of b does not move along b_3: [`knife_edge`].
    KnifeEdge = knife_edge, NONE, NONE;
    /// A wheel or a ball of b rolls on the plane normal to a_3: [`rolling`].
    Rolling {
        /// Radius of the circle about b_3 in m, zero for a ball.
        circle: f64,
        /// Radius of its round section in m, zero for a thin disc.
        section: f64,
    } = rolling, NONE, NONE;
    /// Any subset of the six relative motions is locked: [`generic`].
    Generic(locks: Locks) = generic, locks.translation, locks.rotation;
}

impl JointKind {
    /// The word of model files: `RigidDistance` is `rigid-distance`.
    pub fn name(&self) -> String {
        word(self)
    }

    /// The kind with this name, if it needs no further numbers.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::plain().find(|kind| kind.name() == name)
    }
}

crate::mechanics::combine::same!(JointKind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_file() {
        assert_eq!(JointKind::RigidDistance.name(), "rigid-distance");
        assert_eq!(JointKind::Generic(Locks::default()).name(), "generic");
        assert_eq!(JointKind::from_name("knife-edge"), Some(JointKind::KnifeEdge));
        assert!(
            ["generic", "screw", "rolling", "KnifeEdge", ""]
                .map(JointKind::from_name)
                .iter()
                .all(Option::is_none)
        );
        assert!(JointKind::plain().all(|kind| JointKind::from_name(&kind.name()) == Some(kind)));
    }
}
