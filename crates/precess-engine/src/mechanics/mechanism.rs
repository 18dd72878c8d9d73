//! The interface of mechanisms: bodies, reactions of joints, sensors, troubles.

use nalgebra::Vector3;

use super::signal::Signal;
use super::system::{At, System};

/// The motion of a body in physical terms.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Name.
    pub name: String,
    /// Centre of mass, inertial frame.
    pub position: Vector3<f64>,
    /// Unit quaternion (w, x, y, z) from body to inertial frame.
    pub rotation: [f64; 4],
    /// Velocity of the centre of mass, inertial frame.
    pub velocity: Vector3<f64>,
    /// Angular velocity, body frame.
    pub angular_velocity: Vector3<f64>,
}

/// The effect of a joint on its second body.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Name of the joint.
    pub name: String,
    /// Force on body b at the joint, inertial frame.
    pub force: Vector3<f64>,
    /// Torque on body b about the joint point, inertial frame.
    pub torque: Vector3<f64>,
    /// Multipliers of its rows.
    pub multipliers: Vec<f64>,
    /// False for redundant joints: a rigid model determines only the sum of their reactions, and the share of
    /// minimum norm is given.
    pub unique: bool,
}

/// A system with bodies, joints and sensors.
pub trait Mechanism: System + Send {
    /// All bodies.
    fn bodies(&self, at: &At) -> Vec<BodyState>;
    /// All joints.
    fn reactions(&self, at: &At) -> Vec<Reaction>;
    /// All sensors: name and one or three values.
    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        let _ = at;
        Vec::new()
    }
    /// Units of the sensors, in their order; empty if a unit is not known.
    fn sensor_units(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// Elements that are not defined in this state, in words: a twisted bushing, an angle that is not
    /// defined, a joint assembled the other way round. Such elements give NaN in the equations, which ends a
    /// run; this names them.
    fn troubles(&self, at: &At) -> Vec<String> {
        let _ = at;
        Vec::new()
    }
    /// The same equations with other inputs, for a copy of a simulation; none if the model must be built
    /// again for that.
    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Box<dyn Mechanism>> {
        let _ = other;
        None
    }
}
