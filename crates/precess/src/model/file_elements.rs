//! The blocks `[[gear]]`, `[[force]]`, `[[control]]`, `[[sensor]]` and `[[event]]` of a model file.
//!
//! A block has one table of keys for all its types. The evaluation checks which keys a type uses, so that a
//! wrong key is shown at its location.

use serde::{Deserialize, Serialize};

use super::file_geometry::{PointOrMarker, Rotation};
pub use super::forces::ForceType;
use super::number::{Number, Vector};

/// A marker on a body, in its body frame from the centre of mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected [x, y, z] in the body frame, or { point = [x, y, z], rotation = .. }"
)]
#[allow(clippy::large_enum_variant)]
pub enum MarkerBlock {
    /// A point with the axes of the body.
    Point(Vector),
    /// A point with its own axes.
    Frame {
        /// Point.
        point: Vector,
        /// Axes relative to the body frame.
        rotation: Rotation,
    },
}

/// Coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OfBlock {
    /// Angle about the axis.
    Angle,
    /// Displacement along the axis.
    Displacement,
}

/// `[[gear]]`: the coordinates of two joints keep the sum x_1 + ratio x_2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GearBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// Two joints with a coordinate, such as revolute, prismatic or cylindrical ones.
    pub joints: [String; 2],
    /// n in x_1 + n x_2 = const: r_2/r_1 for external gears, -r_2/r_1 for internal ones.
    pub ratio: Number,
    /// The coordinates of the joints, if they have two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<[OfBlock; 2]>,
}

/// Frame of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FrameBlock {
    /// Inertial frame.
    Inertial,
    /// Frame of the body a force acts on.
    Body,
    /// First body of a joint.
    First,
    /// Second body of a joint.
    Second,
}

/// Stiffness or damping: a number, or the diagonal or all rows of a matrix for bushings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a number, three or six numbers, or six rows of six numbers")]
pub enum Coefficients {
    /// One number.
    Scalar(Number),
    /// Translations, or translations and rotations.
    Diagonal(Vec<Number>),
    /// Rows of a 6x6 matrix, translations before rotations.
    Matrix(Vec<Vec<Number>>),
}

/// Interpolation of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InterpolationBlock {
    /// Smooth, without overshoot.
    MonotoneCubic,
    /// Straight lines.
    Linear,
}

/// `[[force]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ForceBlock {
    /// Unique name.
    pub name: String,
    /// Kind.
    #[serde(rename = "type")]
    pub kind: ForceType,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// False for a force that an event turns on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// force, torque, drag, plate: the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// spring, bushing, torsion-spring: the two bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<[String; 2]>,
    /// joint-spring, friction, actuator, limit: the joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// actuator: the quantity on which it acts instead of a joint: a coordinate `bead.x`, or `distance(a,
    /// b)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along: Option<String>,
    /// The coordinate of a cylindrical joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfBlock>,
    /// Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<PointOrMarker>,
    /// spring: the point on the second body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point2: Option<PointOrMarker>,
    /// torsion-spring: the axis at t = 0, fixed in the first body. plate: its normal at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<PointOrMarker>,
    /// bushing: axes of its frame at t = 0, fixed in the first body; those of the inertial frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// force, torque: frame of the components, inertial (default) or body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameBlock>,
    /// force: components in N, functions of t, sensors and joint coordinates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vector>,
    /// torque: components in N m, functions of t, sensors and joint coordinates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Vector>,
    /// actuator: N m or N, a function of t, the coordinate x and its rate v; also of sensors, other
    /// positions, rates, states and algebraic variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Coefficients>,
    /// spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m s/rad;
    /// zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Coefficients>,
    /// spring: length without force in m; the length at t = 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_length: Option<Number>,
    /// joint-spring, torsion-spring: coordinate without force (rad, m), zero at t = 0; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Number>,
    /// spring, joint-spring, torsion-spring: force at the free length (N, N m), tension positive; zero if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload: Option<Number>,
    /// spring: energy in J instead of stiffness, a function of the distance l of the two points. potential:
    /// energy in J, an expression of coordinates (`bead.x`), `distance(a, b)`, `angle(a, b, c)` and joint
    /// coordinates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub potential: Option<Number>,
    /// spring: rows [length in m, tension in N] instead of stiffness. joint-spring: rows [coordinate, effort
    /// that pulls it back].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<[Number; 2]>>,
    /// spring, joint-spring: between the rows of the table, monotone-cubic (default) or linear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<InterpolationBlock>,
    /// drag: c in F = -c |w| w, plate: c in F = -c |w| (n . w) n, in N s^2/m^2. friction: Coulomb
    /// coefficient; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficient: Option<Number>,
    /// drag, plate: velocity of the medium in m/s; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<Vector>,
    /// friction: viscous coefficient (N m s/rad, N s/m).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscous: Option<Number>,
    /// friction: bearing radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// friction: bearing length in m, over which a bending moment loads the bearing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearing_length: Option<Number>,
    /// friction: rate (rad/s, m/s) below which dry friction fades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Number>,
    /// friction: constant dry friction (N m, N), independent of the load of the joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<Number>,
    /// limit: smallest value of the coordinate (rad, m); none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Number>,
    /// limit: largest value of the coordinate (rad, m); none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Number>,
    /// limit: depth (rad, m) over which a stop becomes hard; 1 mrad or 0.1 mm if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Number>,
    /// limit: true for stops without a width; steps of a run end where contact begins and ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<bool>,
}

/// Kinds of controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ControlType {
    /// PID control of a joint coordinate.
    Pid,
    /// First-order lag.
    Lag,
}

/// `[[control]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ControlBlock {
    /// Unique name.
    pub name: String,
    /// Kind.
    #[serde(rename = "type")]
    pub kind: ControlType,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// False for a control that an event turns on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The joint whose coordinate is measured.
    pub joint: String,
    /// The coordinate of a cylindrical joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfBlock>,
    /// The joint that is driven; the measured one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drives: Option<String>,
    /// pid: desired coordinate (rad, m), a function of t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_point: Option<Number>,
    /// pid: k_p, output per error; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proportional: Option<Number>,
    /// pid: k_i, output per integral of the error; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integral: Option<Number>,
    /// pid: k_d, output per rate of the error; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivative: Option<Number>,
    /// pid: time constant of the derivative filter in s; ideal derivative if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Number>,
    /// lag: the command, a function of t, the coordinate x and its rate v.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Number>,
    /// lag: time constant in s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Number>,
    /// lag: output at t = 0 (N m, N); zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Number>,
}

/// Kinds of sensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SensorType {
    /// Position of a point.
    Position,
    /// Velocity of a point.
    Velocity,
    /// Acceleration of a point.
    Acceleration,
    /// Angular velocity of a body, along its own axes or those of the inertial frame.
    AngularVelocity,
    /// Its derivative, the angular acceleration.
    AngularAcceleration,
    /// Joint coordinate: zero in the positions at t = 0, unless the joint has another `coordinate`.
    Coordinate,
    /// Rate of a joint coordinate.
    Rate,
    /// Force of a joint on its second body.
    ReactionForce,
    /// Torque of a joint on its second body, about the joint point.
    ReactionTorque,
    /// Force of a driven joint on its second body without that of the drive.
    GuideForce,
    /// Torque of a driven joint on its second body without that of the drive, about the joint point.
    GuideTorque,
    /// Torque or force of the drive of a joint along its coordinate.
    DriveEffort,
    /// Torque or force of an actuator, spring, friction or limit of a joint along its coordinate; positive if
    /// it drives the coordinate to larger values.
    Effort,
    /// Total force of some joints on their second bodies, or of everything that joints, gears, springs and
    /// bushings do to a body or to the ground.
    TotalForce,
    /// Its moment about a point.
    TotalTorque,
    /// A formula of time, parameters and sensors before it.
    Formula,
    /// Length of a spring.
    SpringLength,
    /// Tension of a spring.
    SpringForce,
    /// Output of a control.
    Control,
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Sum of both.
    Energy,
    /// Linear momentum.
    LinearMomentum,
    /// Angular momentum about the origin.
    AngularMomentum,
}

/// `[[sensor]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SensorBlock {
    /// Unique name.
    pub name: String,
    /// Kind.
    #[serde(rename = "type")]
    pub kind: SensorType,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// A point of the body at t = 0; its centre of mass if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<PointOrMarker>,
    /// The joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// The coordinate of a cylindrical joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfBlock>,
    /// total-force, total-torque: joints whose forces on their second bodies are added up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<String>>,
    /// Frame of a reaction: inertial (default), first or second body; of an angular velocity or acceleration:
    /// body (default) or inertial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameBlock>,
    /// formula: for example "atan2(left.x - right.x, 1.2 m)*1 rad". Names with blanks are put in braces:
    /// {left arm}.x; a sensor of three values without a component stands for its length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// The spring; for effort the force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
    /// The control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
}

/// Direction of the zero crossings that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DirectionBlock {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// All.
    Both,
}

/// Action of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ActionBlock {
    /// Records time and state.
    Record,
    /// Ends the run.
    Stop,
    /// Turns forces and controls on and off.
    Switch,
}

/// `[[event]]`: a zero crossing of an expression of sensors, parameters and t, or a comparison that becomes
/// true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names and in `when`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// An expression whose zeros count, or a comparison: "height - 0.1", "tip.z < 0".
    pub when: String,
    /// Direction of the zero crossings that count: rising, falling or both (default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<DirectionBlock>,
    /// record, stop or switch.
    pub action: ActionBlock,
    /// switch: forces, controls and joints to turn on, and drives as JOINT.drive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enable: Vec<String>,
    /// switch: forces, controls and joints to turn off, and drives as JOINT.drive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disable: Vec<String>,
}
