//! The types of a model file. They define its schema: serde reads and writes nothing else.
//!
//! Plain numbers are SI, angles in radians; texts may have units (`"12 mm"`, `"30 deg"`). Positions are those
//! at t = 0 in the inertial frame.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file_beam::BeamBlock;
pub use super::file_body::{BodyBlock, BodyType, Inertia, Shape, ShapeType};
use super::file_elements::{ControlBlock, EventBlock, ForceBlock, GearBlock, SensorBlock};
use super::file_expressed::{AlgebraicBlock, ConstraintBlock, StateBlock};
pub use super::file_geometry::{AxisName, Rotation};
use super::file_geometry::{PointBlock, PointOrMarker};
use super::file_parts::IncludeBlock;
pub use super::file_run::{Every, IntegratorBlock, OutputBlock, QuadratureBlock, RunBlock, Switch};
use super::file_start::StartBlock;
use super::file_tables::TableBlock;
use super::number::{Number, Vector};

pub(super) fn is_default<T: Default + PartialEq>(x: &T) -> bool {
    *x == T::default()
}

/// A model file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Version of the format: 1.
    #[serde(default = "version")]
    pub version: u32,
    /// Name, gravity.
    #[serde(default)]
    pub model: ModelBlock,
    /// Named numbers for use in expressions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Number>,
    /// Inputs that formulas read as `input("name")`, with their initial values; a program sets them during a
    /// simulation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Number>,
    /// Functions given by rows, called by their names in expressions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, TableBlock>,
    /// Named points, vectors and frames at t = 0 in the inertial frame; `"A"` is a point, `A.x` a number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, PointBlock>,
    /// Bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<BodyBlock>,
    /// Beams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beam: Vec<BeamBlock>,
    /// Other files as parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<IncludeBlock>,
    /// Joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joint: Vec<JointBlock>,
    /// Ratios between joint coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gear: Vec<GearBlock>,
    /// Expressions of positions that stay zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraint: Vec<ConstraintBlock>,
    /// Variables with a given rate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<StateBlock>,
    /// Variables that equations determine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub algebraic: Vec<AlgebraicBlock>,
    /// Forces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub force: Vec<ForceBlock>,
    /// Controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub control: Vec<ControlBlock>,
    /// Sensors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensor: Vec<SensorBlock>,
    /// Events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event: Vec<EventBlock>,
    /// Positions of bodies at the start of the run, by name, if they differ from their blocks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, StartBlock>,
    /// Settings of the method.
    #[serde(default)]
    pub integrator: IntegratorBlock,
    /// Duration and steps of the run.
    #[serde(default)]
    pub run: RunBlock,
    /// Settings of the output.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: OutputBlock,
}

fn version() -> u32 {
    1
}

/// `[model]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelBlock {
    /// Name of the model; the file name if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description in one or two sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Gravitational acceleration in m/s^2; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector>,
    /// Typical length in m that makes constraint rows dimensionless; from the geometry if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_scale: Option<Number>,
}

/// Kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JointType {
    /// Points coincide.
    Spherical,
    /// Rotation about an axis.
    Revolute,
    /// Translation along an axis.
    Prismatic,
    /// Rotation about two perpendicular axes.
    Universal,
    /// Rotation about and translation along an axis.
    Cylindrical,
    /// Motion in a plane.
    Planar,
    /// No relative motion.
    Fixed,
    /// A point of the second body stays in a plane of the first.
    PointOnPlane,
    /// A point of the second body stays on a line of the first.
    PointOnLine,
    /// Two points keep their distance.
    RigidDistance,
    /// Rotation about an axis moves the second body along it, by `pitch` per turn.
    Screw,
    /// A point of the second body does not move along `axis`, which turns with that body: a blade on ice. It
    /// constrains velocities.
    KnifeEdge,
    /// A wheel or a ball rolls on a plane through `point` with the normal `axis`, both of the first body. Its
    /// centre is `point2`, and `axis2` the axis of a wheel; without it the second body is a ball. It touches
    /// the plane at t = 0, which gives its radius.
    Rolling,
    /// Locks any subset of the six relative motions.
    Generic,
}

/// Frame of the rows of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowFrame {
    /// The first body.
    Body,
    /// The ground.
    Ground,
}

/// `[[joint]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointBlock {
    /// Unique name.
    pub name: String,
    /// Kind.
    #[serde(rename = "type")]
    pub kind: JointType,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// First and second body; `ground` is the inertial frame. Reported forces act on the second.
    pub bodies: [String; 2],
    /// Point of the joint at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<PointOrMarker>,
    /// Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
    /// body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point;
    /// if this is given, both must coincide once the joint is closed (`precess assemble`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point2: Option<PointOrMarker>,
    /// Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
    /// the blade, fixed in the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<PointOrMarker>,
    /// Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
    /// x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
    /// joint, the axis on the second body if it is given separately, with the same direction once the joint
    /// is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis2: Option<PointOrMarker>,
    /// Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
    /// without an angle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<Number>,
    /// Prescribed displacement of a joint that also has an angle (cylindrical), as a function of t, zero at t
    /// = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_displacement: Option<Number>,
    /// False for a joint that an event closes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// False for a drive that an event turns on; it continues from the current coordinate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_enabled: Option<bool>,
    /// Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted the bodies
    /// are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<Number>,
    /// Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Number>,
    /// Spherical joint: frame of its constraint rows, and so of its multipliers: ground (default), or body
    /// for the first body. The motion does not depend on it; the drift of the forms index1 and index2 does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<RowFrame>,
    /// Generic joint: locked motions out of "tx", "ty", "tz", "rx", "ry", "rz", with z along `axis`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<Vec<String>>,
    /// Screw: displacement per turn in m, positive for a right-handed thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<Number>,
}
