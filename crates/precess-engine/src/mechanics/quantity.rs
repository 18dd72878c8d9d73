//! The quantities that sensors measure.

use nalgebra::Vector3;

use super::coordinate::{Coordinate, CoordinateKind};

/// Frame of a reported reaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SensorFrame {
    /// The inertial frame.
    #[default]
    Inertial,
    /// The frame of the first body of the joint.
    First,
    /// The frame of its second body.
    Second,
}

/// The quantity of a sensor. Bodies, joints, forces and controls are given by index, `None` is the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Position of a body-fixed point, inertial frame.
    Position(Option<usize>, Vector3<f64>),
    /// Its velocity.
    Velocity(Option<usize>, Vector3<f64>),
    /// Its acceleration.
    Acceleration(Option<usize>, Vector3<f64>),
    /// Angular velocity of a body, body frame.
    AngularVelocity(Option<usize>),
    /// Angular velocity, or its derivative, along the axes of the body or of the inertial frame.
    Rotation {
        /// The body.
        body: Option<usize>,
        /// True for the angular acceleration.
        accelerates: bool,
        /// True for the axes of the inertial frame.
        inertial: bool,
    },
    /// Joint coordinate.
    Coordinate(Coordinate),
    /// Rate of a joint coordinate.
    Rate(Coordinate),
    /// Force of a joint on its second body.
    ReactionForce(usize, SensorFrame),
    /// Torque of a joint on its second body about the joint point.
    ReactionTorque(usize, SensorFrame),
    /// Force of a joint on its second body without that of its drive.
    GuideForce(usize, SensorFrame),
    /// Torque of a joint on its second body without that of its drive, about the joint point.
    GuideTorque(usize, SensorFrame),
    /// Effort of the drive of a joint along its coordinate.
    DriveEffort(usize, Coordinate),
    /// Effort of a force along the joint coordinate on which it acts.
    Effort(usize, bool),
    /// Total force of a [`ReactionGroup`](super::reaction_group::ReactionGroup), inertial frame.
    TotalForce(usize),
    /// Its moment about its point.
    TotalTorque(usize),
    /// A formula of other sensors, by its index.
    Formula(usize),
    /// Length of a spring.
    SpringLength(usize),
    /// Tension of a spring.
    SpringForce(usize),
    /// Output of a control.
    ControlOutput(usize),
    /// Force in a beam element, by the index of the force, along the axes of its section.
    SectionForce(usize),
    /// Moment in it about these axes.
    SectionMoment(usize),
    /// Strain energy of elements: index of the first and their number.
    StrainEnergy(usize, usize),
    /// A first-order state, by its index in v.
    State(usize),
    /// An algebraic variable, by its index in s.
    Algebraic(usize),
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Their sum.
    TotalEnergy,
    /// Linear momentum of all bodies, inertial frame.
    LinearMomentum,
    /// Angular momentum of all bodies about the origin, inertial frame.
    AngularMomentum,
}

/// A named sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Name, unique in its model.
    pub name: String,
    /// Its quantity.
    pub quantity: Quantity,
}

impl Quantity {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Quantity::Position(..)
            | Quantity::Velocity(..)
            | Quantity::Acceleration(..)
            | Quantity::AngularVelocity(_)
            | Quantity::ReactionForce(..)
            | Quantity::ReactionTorque(..)
            | Quantity::Rotation { .. }
            | Quantity::GuideForce(..)
            | Quantity::GuideTorque(..)
            | Quantity::TotalForce(_)
            | Quantity::TotalTorque(_)
            | Quantity::SectionForce(_)
            | Quantity::SectionMoment(_)
            | Quantity::LinearMomentum
            | Quantity::AngularMomentum => 3,
            _ => 1,
        }
    }

    /// Unit of the values; empty for the output of a control, which may be a force or a torque.
    pub fn unit(&self) -> &'static str {
        let angular = |c: &Coordinate| matches!(c.motion, CoordinateKind::Angle(_));
        match self {
            Quantity::Position(..) | Quantity::SpringLength(_) => "m",
            Quantity::Velocity(..) => "m/s",
            Quantity::Acceleration(..) => "m/s^2",
            Quantity::AngularVelocity(_) | Quantity::Rotation { accelerates: false, .. } => "rad/s",
            Quantity::Rotation { .. } => "rad/s^2",
            Quantity::GuideForce(..) | Quantity::TotalForce(_) | Quantity::Effort(_, false) => "N",
            Quantity::GuideTorque(..) | Quantity::TotalTorque(_) | Quantity::Effort(_, true) => "N m",
            Quantity::DriveEffort(_, c) => {
                if angular(c) {
                    "N m"
                } else {
                    "N"
                }
            }
            Quantity::Formula(_) => "",
            Quantity::Coordinate(c) => {
                if angular(c) {
                    "rad"
                } else {
                    "m"
                }
            }
            Quantity::Rate(c) => {
                if angular(c) {
                    "rad/s"
                } else {
                    "m/s"
                }
            }
            Quantity::ReactionForce(..) | Quantity::SpringForce(_) | Quantity::SectionForce(_) => "N",
            Quantity::ReactionTorque(..) | Quantity::SectionMoment(_) => "N m",
            Quantity::StrainEnergy(..) => "J",
            Quantity::ControlOutput(_) | Quantity::State(_) | Quantity::Algebraic(_) => "",
            Quantity::KineticEnergy | Quantity::PotentialEnergy | Quantity::TotalEnergy => "J",
            Quantity::LinearMomentum => "kg m/s",
            Quantity::AngularMomentum => "kg m^2/s",
        }
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// True for section forces of beam elements, which are too many for a summary.
    pub fn is_section(&self) -> bool {
        matches!(self, Quantity::SectionForce(_) | Quantity::SectionMoment(_))
    }

    /// True if it reads accelerations or multipliers.
    pub fn needs_forces(&self) -> bool {
        matches!(
            self,
            Quantity::Acceleration(..)
                | Quantity::ReactionForce(..)
                | Quantity::ReactionTorque(..)
                | Quantity::Rotation { accelerates: true, .. }
                | Quantity::GuideForce(..)
                | Quantity::GuideTorque(..)
                | Quantity::DriveEffort(..)
                | Quantity::Effort(..)
                | Quantity::TotalForce(_)
                | Quantity::TotalTorque(_)
                | Quantity::Formula(_)
        )
    }
}
