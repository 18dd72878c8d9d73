//! Forces between bodies and at joints, one file per force. A new force needs a file and a line in the list
//! of [`Force`].
//!
//! Forces enter the equations as `M v' = -g`. A force provides `g`, its derivatives `D = dg/dv` and `K = D_q
//! g` (and `dg/dlambda` for friction), and its potential if it has one. All quantities are in SI units.

pub mod actuator;
pub mod beam;
pub mod bushing;
pub mod drag;
pub mod element;
pub mod friction;
pub mod joint_spring;
pub mod joint_table;
pub mod law;
pub mod limit;
pub mod own;
pub mod own_body;
pub mod plate;
pub mod point_force;
pub mod spring;
pub mod table;
pub mod torque;

pub use actuator::Actuator;
pub use beam::{BeamData, BeamElement};
pub use bushing::Bushing;
pub use drag::Drag;
pub use element::Element;
pub use friction::JointFriction;
pub use joint_spring::JointSpring;
pub use joint_table::JointTable;
pub use law::LawForce;
pub use limit::JointLimit;
pub use plate::Plate;
pub use point_force::PointForce;
pub use spring::Spring;
pub use torque::Torque;

use nalgebra::Vector3;
use precess_lie::Number;

use super::combine::combine;
use super::function::Function;
use super::links::{Bodies, Link};
use super::system::At;
use super::tangents::Tangents;

/// Frame of the components of a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceFrame {
    /// The inertial frame.
    #[default]
    Inertial,
    /// The frame of the body: a follower force.
    Body,
}

/// Defines the enum of all forces and its dispatch.
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

        impl<T: Number> Element<T> for Force<T> {
            fn link(&self) -> Link {
                match self {
                    $(Force::$name(f) => Element::<T>::link(f),)*
                    Force::Custom(f) => f.link(),
                }
            }

            fn reads(&self) -> Vec<usize> {
                match self {
                    $(Force::$name(f) => Element::<T>::reads(f),)*
                    Force::Custom(f) => f.reads(),
                }
            }

            #[inline]
            fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
                match self {
                    $(Force::$name(f) => f.residual(bodies, at, r),)*
                    Force::Custom(f) => f.residual(bodies, at, r),
                }
            }

            #[inline]
            fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
                match self {
                    $(Force::$name(f) => f.tangents(bodies, at, out),)*
                    Force::Custom(f) => f.tangents(bodies, at, out),
                }
            }

            fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
                match self {
                    $(Force::$name(f) => f.potential(bodies, at),)*
                    Force::Custom(f) => f.potential(bodies, at),
                }
            }

            fn kinetic(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
                match self {
                    $(Force::$name(f) => f.kinetic(bodies, at),)*
                    Force::Custom(f) => f.kinetic(bodies, at),
                }
            }

            fn momenta(&self, bodies: &Bodies<T>, at: &At<T>) -> [Vector3<T>; 2] {
                match self {
                    $(Force::$name(f) => f.momenta(bodies, at),)*
                    Force::Custom(f) => f.momenta(bodies, at),
                }
            }

            fn section_forces(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<[T; 6]> {
                match self {
                    Force::Custom(f) => f.section_forces(bodies, at),
                    _ => None,
                }
            }

            fn drives(&self) -> Vec<&Function> {
                match self {
                    $(Force::$name(f) => Element::<T>::drives(f),)*
                    Force::Custom(f) => f.drives(),
                }
            }

            fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
                match self {
                    $(Force::$name(f) => f.power(bodies, at),)*
                    Force::Custom(f) => f.power(bodies, at),
                }
            }

            fn reads_forces(&self) -> bool {
                match self {
                    $(Force::$name(f) => Element::<T>::reads_forces(f),)*
                    Force::Custom(f) => f.reads_forces(),
                }
            }

            fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
                match self {
                    $(Force::$name(f) => f.trouble(bodies, at),)*
                    Force::Custom(f) => f.trouble(bodies, at),
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
    /// A spring and damper of a joint coordinate.
    JointSpring(JointSpring<T>),
    /// Friction in a joint; its constraint force is the load.
    Friction(JointFriction<T>),
    /// Quadratic drag at a point.
    Drag(Drag<T>),
    /// A force or torque of a joint coordinate as a function of time, coordinate and rate.
    Actuator(Actuator<T>),
    /// A force law that reads signals.
    Law(LawForce<T>),
    /// Stops of a joint coordinate.
    Limit(JointLimit<T>),
    /// A spring of a joint coordinate given by a table.
    JointTable(JointTable<T>),
    /// Pressure of a flow on a flat plate.
    Plate(Plate<T>),
}

impl Force {
    /// The functions that may contain inputs.
    pub(crate) fn functions_mut(&mut self) -> &mut [Function] {
        match self {
            Force::Actuator(f) => std::slice::from_mut(&mut f.value),
            Force::PointForce(f) => &mut f.force,
            Force::Torque(f) => &mut f.torque,
            Force::Law(f) => &mut f.functions,
            _ => &mut [],
        }
    }
}

crate::mechanics::combine::same!(ForceFrame);
