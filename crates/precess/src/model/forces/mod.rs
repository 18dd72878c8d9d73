//! Types of forces as users describe them: the list of all types, and one file for each type.
//!
//! The file of a type has its data, which implement `InFiles` (its keys in model files and their reader) and
//! `ForceModel` (building, writing, moving with a part, and its form in directors). Its line in the list
//! below makes it a [`ForceType`] of model files and a [`ForceKind`] of models. The equations of the force
//! are in `mechanics/forces`. Forces without their own type in files (laws that use sensors, beam elements,
//! forces written in Rust) are in the second part of the list.

pub mod actuator;
pub mod beam;
pub mod bushing;
pub mod drag;
pub mod force;
pub mod friction;
pub mod joint_spring;
pub mod law;
pub mod limit;
pub mod own;
pub mod plate;
pub mod potential;
pub mod push;
pub mod spring;
pub mod torque;
pub mod torsion_spring;

pub use actuator::Actuator;
pub use beam::Beam;
pub use bushing::Bushing;
pub use drag::Drag;
pub use force::PointForce;
pub use friction::{Friction, FrictionSpec};
pub use joint_spring::{JointSpring, JointTable};
pub use law::{Law, LawTarget};
pub use limit::Limit;
pub use own::{OnBody, Own, OwnElement};
pub use plate::Plate;
pub use potential::Potential;
pub use push::Push;
pub use spring::Spring;
pub use torque::Torque;
pub use torsion_spring::TorsionSpring;

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use serde::{Deserialize, Serialize};

// Used by most of the files.
use super::build_directors::attached::Needed;
use super::build_directors::draft::unsupported;
use super::build_directors::forces::{Places, unknown_force};
use super::elements::{At, ForceSpec};
use super::evaluate::Evaluator;
use super::file_elements::ForceBlock;
use super::find::{Names, coordinate, marker, point_of};
use super::placement::Placement;
use super::spec::Model;
use super::written::{Writer, WrittenTable, vector};
use crate::Error;
use crate::conserve::Conservative;
use crate::conserve::directors::forces as loads;
use crate::error::word;
use crate::mechanics::event::Switch;
use crate::mechanics::forces::{self, Along, Force, ForceFrame, LawKind};
use crate::mechanics::kernels::SpringDamper;
use crate::mechanics::{BodyKind, Function, Multibody, System};

/// A `[[force]]` of a file while it is being read.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    /// Its path in the file.
    pub path: &'a str,
    pub block: &'a ForceBlock,
    pub name: &'a str,
    /// The model as far as it has been read.
    pub model: &'a Model,
}

impl Written<'_> {
    /// The path of a key.
    pub fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }
}

/// Keys of a type in files.
type Keys = &'static [&'static str];
/// Keys of other types, and their names in this one.
type Meant = &'static [(Keys, &'static str)];

/// A type of forces in model files.
pub(super) trait InFiles {
    /// Its keys.
    const KEYS: Keys;

    /// Replacements for keys that it does not have.
    const MEANT: Meant = &[];

    /// True if its coordinate is an angle, false for a length: that of its joint, if it has one. A bushing
    /// has several coordinates, which are numbered.
    fn is_angle(joint: Option<bool>, coordinate: Option<u32>) -> Option<bool> {
        let _ = coordinate;
        joint
    }

    /// Reads it; none if too little is known.
    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind>;
}

/// The operations of a model on a force.
pub(super) trait ForceModel {
    /// The force in the equations of motion.
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error>;

    /// Adds it to the equations of motion.
    fn add(&self, name: &str, names: &Names, system: &mut Multibody, switch: Switch) -> Result<(), Error> {
        let force = self.build(name.to_string(), names, system)?;
        system.add_switched_force(force, switch);
        Ok(())
    }

    /// Adds its keys in a model file; parts that a file cannot express are recorded as part of `whose`.
    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        to.nothing(whose);
        entry
    }

    /// The force of a part that is moved, mirrored and renamed.
    fn moved(&self, to: &Placement) -> ForceKind;

    /// Why directors refuse it, if its numbers are the reason.
    fn refused_in_directors(&self) -> Option<&'static str> {
        None
    }

    /// Records the points and directions of bodies that it needs in directors.
    fn directors(&self, name: &str, needed: &mut Needed) -> Result<(), Error> {
        let _ = needed;
        Err(unknown_force(name))
    }

    /// Adds it to a model in directors.
    fn in_directors(&self, name: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let _ = (places, system);
        Err(unknown_force(name))
    }
}

/// The reader of a type.
type Read = fn(&mut Evaluator, Written) -> Option<ForceKind>;

macro_rules! force_types {
    (
        $($(#[$doc:meta])* $name:ident: $data:ident;)*
        { $($(#[$more_doc:meta])* $more:ident: $more_data:ident;)* }
    ) => {
        /// Kinds of forces.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum ForceType {
            $($(#[$doc])* $name,)*
        }

        impl ForceType {
            /// The keys of the type.
            pub(super) fn keys(self) -> Keys {
                match self {
                    $(ForceType::$name => $data::KEYS,)*
                }
            }

            fn meant(self) -> Meant {
                match self {
                    $(ForceType::$name => $data::MEANT,)*
                }
            }

            /// True if a coordinate is an angle, false for a length; `joint` is the answer for the current
            /// joint.
            pub(super) fn is_angle(self, joint: Option<bool>, coordinate: Option<u32>) -> Option<bool> {
                match self {
                    $(ForceType::$name => $data::is_angle(joint, coordinate),)*
                }
            }

            /// Its reader.
            pub(super) fn reader(self) -> Read {
                match self {
                    $(ForceType::$name => $data::read,)*
                }
            }
        }

        /// Kinds of forces. Points and directions are those of the inertial frame at t = 0.
        #[derive(Clone, Debug, PartialEq)]
        pub enum ForceKind {
            $($(#[$doc])* $name($data),)*
            $($(#[$more_doc])* $more($more_data),)*
        }

        impl ForceKind {
            /// True if it acts along a joint coordinate and so has an effort.
            pub(super) fn acts_on_coordinate(&self) -> bool {
                match self {
                    ForceKind::JointSpring(_)
                    | ForceKind::JointTable(_)
                    | ForceKind::Actuator(_)
                    | ForceKind::Friction(_)
                    | ForceKind::Limit(_) => true,
                    ForceKind::Law(law) => matches!(law.target, LawTarget::Joint(_)),
                    _ => false,
                }
            }

            /// Its description.
            pub(super) fn model(&self) -> &dyn ForceModel {
                match self {
                    $(ForceKind::$name(force) => force,)*
                    $(ForceKind::$more(force) => force,)*
                }
            }
        }

        $(impl From<$data> for ForceKind {
            fn from(force: $data) -> Self {
                ForceKind::$name(force)
            }
        })*
        $(impl From<$more_data> for ForceKind {
            fn from(force: $more_data) -> Self {
                ForceKind::$more(force)
            }
        })*
    };
}

force_types! {
    /// Force at a point.
    Force: PointForce;
    /// Torque on a body.
    Torque: Torque;
    /// Spring and damper between two points.
    Spring: Spring;
    /// Elastic bearing.
    Bushing: Bushing;
    /// Spring and damper at a joint.
    JointSpring: JointSpring;
    /// Joint friction.
    Friction: Friction;
    /// Quadratic drag.
    Drag: Drag;
    /// Force or torque at a joint.
    Actuator: Actuator;
    /// Spring and damper of the angle between two bodies about an axis, without a joint.
    TorsionSpring: TorsionSpring;
    /// Potential of coordinates, distances, angles and joint coordinates.
    Potential: Potential;
    /// Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.
    Limit: Limit;
    /// Pressure of a flow on a flat plate, along its normal: lift and drag.
    Plate: Plate;
    // Without their own type in files.
    {
        /// Spring of a joint coordinate given by a table: a joint spring in files.
        JointTable: JointTable;
        /// A law that uses sensors and joint coordinates by name: a force, torque or actuator in files.
        Law: Law;
        /// A force along a measured quantity that uses further ones: an actuator in files.
        Push: Push;
        /// An element of a beam.
        Beam: Beam;
        /// A user-defined force between two points, see [`ForceSpec::between`].
        Own: Own;
        /// A user-defined force and torque on a body, see [`ForceSpec::on_body`].
        OnBody: OnBody;
        /// Any force that implements [`Element`](crate::mechanics::forces::Element); bodies are numbered in
        /// the order of the model.
        Custom: OwnElement;
    }
}

impl ForceKind {
    /// The functions of time and state that may contain inputs.
    pub(crate) fn functions_mut(&mut self) -> &mut [Function] {
        match self {
            ForceKind::Actuator(actuator) => std::slice::from_mut(&mut actuator.value),
            ForceKind::Force(force) => &mut force.force,
            ForceKind::Torque(torque) => &mut torque.torque,
            ForceKind::Law(law) => &mut law.functions,
            _ => &mut [],
        }
    }
}

impl ForceType {
    /// The message for a key that the type does not have, and the remedy.
    pub(super) fn without(self, key: &str) -> (String, String) {
        let name = word(&self);
        let meant = self.meant().iter().find(|(keys, _)| keys.contains(&key));
        let help = match (meant, key) {
            (Some((_, meant)), _) => format!("'{meant}' is meant; "),
            (None, "events") => {
                "stops have events: type = \"limit\"; others are switched by an [[event]]; ".to_string()
            }
            _ => String::new(),
        };
        (format!("'{key}' is not a key of {name}"), format!("{help}{name} has {}", self.keys().join(", ")))
    }
}
