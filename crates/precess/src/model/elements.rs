//! Gears, forces, controls and sensors of a model as plain data, with names instead of indices.

use nalgebra::Vector3;

use super::condition::Condition;
use super::expression::quantities::QuantityFormula;
pub use super::forces::{ForceKind, FrictionSpec, LawTarget};
pub use crate::mechanics::Direction;
pub use crate::mechanics::controls::{Controller, Lag, Pid};
pub use crate::mechanics::forces::ForceFrame;
pub use crate::mechanics::forces::along::elastic::Characteristic;
pub use crate::mechanics::forces::along::stops::Stops;
pub use crate::mechanics::forces::own::{OwnElement, PointLaw};
pub use crate::mechanics::forces::own_body::{BodyLaw, ForceAndTorque, PointMotion};
pub use crate::mechanics::forces::table::Tables;
pub use crate::mechanics::sensors::SensorFrame;

/// One of the coordinates of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Of {
    /// The only one; the angle of a cylindrical joint.
    #[default]
    Default,
    /// The angle about the axis.
    Angle,
    /// The displacement along the axis.
    Displacement,
}

/// A joint by name, with one of its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct At {
    /// Name of the joint.
    pub joint: String,
    /// The coordinate.
    pub of: Of,
}

impl From<&str> for At {
    fn from(joint: &str) -> Self {
        At { joint: joint.to_string(), of: Of::Default }
    }
}

/// The coordinates of two joints keep the sum x_1 + ratio x_2.
#[derive(Clone, Debug, PartialEq)]
pub struct GearSpec {
    /// Unique name.
    pub name: String,
    /// The joints.
    pub joints: [At; 2],
    /// The ratio n.
    pub ratio: f64,
}

impl GearSpec {
    /// x_1 + ratio x_2 = const.
    pub fn new(name: &str, joints: [&str; 2], ratio: f64) -> Self {
        GearSpec { name: name.to_string(), joints: joints.map(At::from), ratio }
    }
}

/// A named force.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceSpec {
    /// Unique name.
    pub name: String,
    /// Its kind and data.
    pub kind: ForceKind,
}

impl ForceSpec {
    /// Any force.
    pub fn new(name: &str, kind: impl Into<ForceKind>) -> Self {
        ForceSpec { name: name.to_string(), kind: kind.into() }
    }
}

/// A named control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlSpec {
    /// Unique name.
    pub name: String,
    /// The measured coordinate.
    pub at: At,
    /// The driven coordinate; the measured one if absent.
    pub on: Option<At>,
    /// The controller.
    pub controller: Controller,
}

/// A named sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorSpec {
    /// Unique name.
    pub name: String,
    /// The measured quantity.
    pub kind: SensorKind,
}

/// What a total force adds up.
#[derive(Clone, Debug, PartialEq)]
pub enum Total {
    /// The forces of these joints on their second bodies.
    Joints(Vec<String>),
    /// What joints, gears and forces between bodies do to this body, or to the ground.
    Body(String),
}

/// Quantities of sensors.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// Position of a point of a body, given at t = 0.
    Position(String, Vector3<f64>),
    /// Its velocity.
    Velocity(String, Vector3<f64>),
    /// Its acceleration.
    Acceleration(String, Vector3<f64>),
    /// Angular velocity of a body in its own frame.
    AngularVelocity(String),
    /// Angular velocity of a body, or its derivative, along the axes of the body or of the inertial frame.
    Rotation {
        /// The body.
        body: String,
        /// True for the angular acceleration.
        accelerates: bool,
        /// True for the axes of the inertial frame.
        inertial: bool,
    },
    /// Joint coordinate.
    Coordinate(At),
    /// Its rate.
    Rate(At),
    /// Force of a joint on its second body.
    ReactionForce(String, SensorFrame),
    /// Torque of a joint on its second body.
    ReactionTorque(String, SensorFrame),
    /// Force of a joint on its second body without that of its drive.
    GuideForce(String, SensorFrame),
    /// Torque of a joint on its second body without that of its drive.
    GuideTorque(String, SensorFrame),
    /// Effort of the drive of a joint.
    DriveEffort(At),
    /// Effort of a force along the joint coordinate on which it acts.
    Effort(String),
    /// Total force of joints, or of everything that acts on a body; inertial frame.
    TotalForce(Total),
    /// Its moment about a point of the inertial frame.
    TotalTorque(Total, Vector3<f64>),
    /// A formula of time and other sensors, and its unit.
    Formula(QuantityFormula, &'static str),
    /// Length of a spring.
    SpringLength(String),
    /// Tension of a spring.
    SpringForce(String),
    /// Output of a control.
    ControlOutput(String),
    /// Force in a beam element along the axes of its section, by the name of the element.
    SectionForce(String),
    /// Moment in a beam element about the axes of its section.
    SectionMoment(String),
    /// Strain energy of a beam.
    StrainEnergy(String),
    /// A first-order state.
    State(String),
    /// An algebraic variable.
    Algebraic(String),
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Their sum.
    TotalEnergy,
    /// Linear momentum.
    LinearMomentum,
    /// Angular momentum about the origin.
    AngularMomentum,
}

impl SensorSpec {
    /// Any sensor.
    pub fn new(name: &str, kind: SensorKind) -> Self {
        SensorSpec { name: name.to_string(), kind }
    }
}

/// An element that events turn on and off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switchable {
    /// A force by name.
    Force(String),
    /// A control by name; it holds its states while it is off.
    Control(String),
    /// A joint by name; its multipliers are zero while it is off.
    Joint(String),
    /// The drive of a joint by the name of the joint; when it is turned on, it continues from the current
    /// coordinate.
    Drive(String),
}

impl Switchable {
    /// Its kind, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Switchable::Force(_) => "force",
            Switchable::Control(_) => "control",
            Switchable::Joint(_) => "joint",
            Switchable::Drive(_) => "drive",
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Switchable::Force(name)
            | Switchable::Control(name)
            | Switchable::Joint(name)
            | Switchable::Drive(name) => name,
        }
    }
}

/// Action of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EventAction {
    /// Time and state are recorded.
    #[default]
    Record,
    /// The run ends.
    Stop,
    /// Elements are turned on and off.
    Switch {
        /// Elements to turn on.
        enable: Vec<Switchable>,
        /// Elements to turn off.
        disable: Vec<Switchable>,
    },
}

/// An event: a zero crossing of a function of sensors and t.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSpec {
    /// Unique name.
    pub name: String,
    /// The function.
    pub when: Condition,
    /// Which crossings count.
    pub direction: Direction,
    /// Its action.
    pub action: EventAction,
}

impl EventSpec {
    /// Any event.
    pub fn new(name: &str, when: Condition, direction: Direction, action: EventAction) -> Self {
        EventSpec { name: name.to_string(), when, direction, action }
    }
}
