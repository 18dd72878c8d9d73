//! Forces between bodies and at joints, one file per force. A new force needs a file and a line in the list
//! of [`Force`]; if it is a law of one coordinate, it needs a file and a line in [`along`] instead.
//!
//! Forces enter the equations as `M v' = -g`. A force provides `g`, its derivatives `D = dg/dv` and `K = D_q
//! g` (and `dg/dlambda` for friction), and its potential if it has one. All quantities are in SI units.

pub mod along;
pub mod beam;
pub mod bushing;
pub mod drag;
pub mod element;
pub mod friction;
pub mod law;
pub mod own;
pub mod own_body;
pub mod plate;
pub mod point_force;
pub mod spring;
pub mod table;
pub mod torque;

pub use along::{Along, LawKind};
pub use beam::{BeamData, BeamElement};
pub use bushing::Bushing;
pub use drag::Drag;
pub use element::Element;
pub use friction::JointFriction;
pub use law::LawForce;
pub use plate::Plate;
pub use point_force::PointForce;
pub use spring::Spring;
pub use torque::Torque;

use std::ops::Deref;

use precess_lie::Number;

use super::combine::combine;
use super::function::Function;

/// Frame of the components of a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceFrame {
    /// The inertial frame.
    #[default]
    Inertial,
    /// The frame of the body: a follower force.
    Body,
}

/// Defines the enum of all forces.
macro_rules! forces {
    ($($(#[$doc:meta])* $name:ident($type:ty),)*) => {
        /// Any force.
        #[derive(Clone, Debug)]
        pub enum Force<T: Number = f64> {
            $($(#[$doc])* $name($type),)*
            /// A user-defined force.
            Custom(std::sync::Arc<dyn Element<T>>),
        }

        combine!(enum Force { $($name(x),)* Custom(x) });

        impl<T: Number> Deref for Force<T> {
            type Target = dyn Element<T>;

            #[inline]
            fn deref(&self) -> &Self::Target {
                match self {
                    $(Force::$name(force) => force,)*
                    Force::Custom(force) => &**force,
                }
            }
        }
    };
}

forces! {
    /// A force at a point of a body.
    PointForce(PointForce<T>),
    /// A torque on a body.
    Torque(Torque),
    /// A spring and damper between two points.
    Spring(Spring<T>),
    /// An elastic bearing between two frames.
    Bushing(Bushing<T>),
    /// A force along a coordinate: springs, tables, actuators, stops and friction of joints.
    Along(Along<T>),
    /// Friction in a joint; its constraint force is the load.
    Friction(JointFriction<T>),
    /// Quadratic drag at a point.
    Drag(Drag<T>),
    /// A force law that reads signals.
    Law(LawForce<T>),
    /// Pressure of a flow on a flat plate.
    Plate(Plate<T>),
}

impl Force {
    /// The functions that may contain inputs.
    pub(crate) fn functions_mut(&mut self) -> &mut [Function] {
        match self {
            Force::Along(Along { law: LawKind::Effort(value), .. }) => std::slice::from_mut(value),
            Force::PointForce(f) => &mut f.force,
            Force::Torque(f) => &mut f.torque,
            Force::Law(f) => &mut f.functions,
            _ => &mut [],
        }
    }
}

crate::mechanics::combine::same!(ForceFrame);
