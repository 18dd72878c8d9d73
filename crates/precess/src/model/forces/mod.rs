//! Types of forces as users describe them: the list of all types, and one file for each type that is complete
//! in itself.
//!
//! The file of a type has its keys in model files and how they are read (`KEYS`, `read`), and a description
//! that implements `ForceModel`: how it is built, written, moved with a part, and what it is in directors.
//! Nothing else in the library knows the type but its line in the list below. The equations of the force are
//! in `mechanics/forces`. Types without a file are variants of [`ForceKind`] and are read by [`Evaluator`].

pub mod plate;
pub mod torsion_spring;

pub use plate::Plate;
pub use torsion_spring::TorsionSpring;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::build_directors::forces::{Places, unknown_force};
use super::elements::ForceKind;
use super::evaluate::Evaluator;
use super::file_elements::ForceBlock;
use super::placement::Placement;
use super::spec::Model;
use super::write::WrittenTable;
use crate::Error;
use crate::conserve::Conservative;
use crate::mechanics::Multibody;
use crate::mechanics::forces::Force;
use nalgebra::Vector3;

/// The description of a force, in all that a model does with it.
pub(super) trait ForceModel: fmt::Debug + Send + Sync {
    /// The force in the equations of motion.
    fn build(&self, name: String, model: &Model, system: &mut Multibody) -> Result<Force, Error>;

    /// Adds its keys in a model file.
    fn write(&self, entry: WrittenTable) -> WrittenTable;

    /// The force of a part that is moved, mirrored and renamed.
    fn moved(&self, to: &Placement) -> ForceKind;

    /// Points and directions of bodies that it needs in directors, in the inertial frame at t = 0.
    fn directors_read(&self, name: &str) -> Result<Vec<(&str, Vector3<f64>)>, Error> {
        Err(unknown_force(name))
    }

    /// Adds it to a model in directors.
    fn in_directors(&self, name: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let _ = (places, system);
        Err(unknown_force(name))
    }
}

/// A force of a type that has a file in this folder.
#[derive(Clone, Debug)]
pub struct TypedForce(Arc<dyn ForceModel>);

impl TypedForce {
    /// Its description.
    pub(super) fn model(&self) -> &dyn ForceModel {
        &*self.0
    }
}

/// Descriptions that say the same are equal.
impl PartialEq for TypedForce {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl<F: ForceModel + 'static> From<F> for ForceKind {
    fn from(force: F) -> Self {
        ForceKind::Typed(TypedForce(Arc::new(force)))
    }
}

/// How a type is read from a file; none if too little of it is known.
type Read = fn(&mut Evaluator, &str, &ForceBlock, &str, &Model) -> Option<ForceKind>;

macro_rules! force_types {
    ($($(#[$doc:meta])* $name:ident: $keys:expr, $read:expr;)*) => {
        /// Kinds of forces.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum ForceType {
            $($(#[$doc])* $name,)*
        }

        impl ForceType {
            /// The keys of the type.
            pub(super) fn keys(self) -> &'static [&'static str] {
                match self {
                    $(ForceType::$name => $keys,)*
                }
            }

            /// How it is read.
            pub(super) fn reader(self) -> Read {
                match self {
                    $(ForceType::$name => $read,)*
                }
            }
        }
    };
}

force_types! {
    /// Force at a point.
    Force: &["body", "point", "force", "frame"], Evaluator::point_force;
    /// Torque on a body.
    Torque: &["body", "torque", "frame"], Evaluator::torque;
    /// Spring and damper between two points.
    Spring:
        &[
            "bodies", "point", "point2", "stiffness", "damping", "free_length", "preload", "table",
            "interpolation", "potential",
        ],
        Evaluator::spring;
    /// Elastic bearing.
    Bushing: &["bodies", "point", "rotation", "stiffness", "damping"], Evaluator::bushing;
    /// Spring and damper at a joint.
    JointSpring:
        &["joint", "of", "stiffness", "damping", "rest", "preload", "table", "interpolation"],
        Evaluator::joint_spring;
    /// Joint friction.
    Friction:
        &["joint", "of", "viscous", "constant", "coefficient", "radius", "bearing_length", "speed"],
        Evaluator::friction;
    /// Quadratic drag.
    Drag: &["body", "point", "coefficient", "wind"], Evaluator::drag;
    /// Force or torque at a joint.
    Actuator: &["joint", "of", "along", "value"], Evaluator::actuator;
    /// Spring and damper of the angle between two bodies about an axis, without a joint.
    TorsionSpring: torsion_spring::KEYS, torsion_spring::read;
    /// Potential of coordinates, distances, angles and joint coordinates.
    Potential: &["potential"], Evaluator::potential;
    /// Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.
    Limit: &["joint", "of", "lower", "upper", "stiffness", "damping", "width", "events"], Evaluator::limit;
    /// Pressure of a flow on a flat plate, along its normal: lift and drag.
    Plate: plate::KEYS, plate::read;
}

/// Keys of other types, and what they are called in a type.
const MEANT: &[(ForceType, &[&str], &str)] = &[
    (ForceType::Friction, &["force", "torque", "value", "preload"], "constant"),
    (ForceType::Friction, &["damping"], "viscous"),
    (ForceType::Actuator, &["force", "torque", "constant", "preload"], "value"),
    (ForceType::Force, &["value", "constant"], "force"),
    (ForceType::Torque, &["value", "constant", "force"], "torque"),
    (ForceType::Spring, &["rest"], "free_length"),
    (ForceType::Spring, &["force", "constant", "value"], "preload"),
    (ForceType::JointSpring, &["free_length"], "rest"),
    (ForceType::JointSpring, &["torque", "force", "constant", "value"], "preload"),
    (ForceType::TorsionSpring, &["free_length"], "rest"),
    (ForceType::TorsionSpring, &["torque", "constant", "value"], "preload"),
];

impl ForceType {
    /// As users type it.
    fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.extend(c.to_lowercase());
        }
        name
    }

    /// What to say of a key that the type does not have, and what to do.
    pub(super) fn without(self, key: &str) -> (String, String) {
        let name = self.name();
        let meant = MEANT.iter().find(|(kind, keys, _)| *kind == self && keys.contains(&key));
        let help = match (meant, key) {
            (Some((_, _, meant)), _) => format!("'{meant}' is meant; "),
            (None, "events") => {
                "stops have events: type = \"limit\"; others are switched by an [[event]]; ".to_string()
            }
            _ => String::new(),
        };
        (format!("'{key}' is no key of {name}"), format!("{help}{name} has {}", self.keys().join(", ")))
    }

    /// Whether stiffness and damping are those of an angle or of a length, where the type says so.
    pub(super) fn angular(self) -> Option<bool> {
        match self {
            ForceType::Spring => Some(false),
            ForceType::TorsionSpring => Some(true),
            _ => None,
        }
    }
}
