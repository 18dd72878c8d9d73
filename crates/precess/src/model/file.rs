//! The types of a model file. They are its schema: what serde reads and writes, nothing else.
//!
//! Plain numbers are SI, angles in radians; texts may have units (`"12 mm"`, `"30 deg"`). Positions are those
//! at t = 0 in the inertial frame.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file_beam::BeamBlock;
use super::file_elements::{
    ControlBlock, EventBlock, ForceBlock, GearBlock, MarkerBlock, PointOrMarker, SensorBlock,
};
use super::file_expressed::{AlgebraicBlock, ConstraintBlock, StateBlock};
use super::file_geometry::PointBlock;
pub use super::file_geometry::Rotation;
use super::file_look::LookBlock;
use super::file_modal::ModalBlock;
use super::file_parts::IncludeBlock;
use super::file_start::StartBlock;
use super::file_tables::TableBlock;
use super::number::{Number, Vector};

fn is_default<T: Default + PartialEq>(x: &T) -> bool {
    *x == T::default()
}

/// A model file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Inputs that formulas read as `input("name")`, with their first values; a program sets them while the
    /// model runs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Number>,
    /// Functions from rows, called by their names in expressions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, TableBlock>,
    /// Named points, vectors and frames at t = 0 in the inertial frame; `"A"` stands for a point, `A.x` for a
    /// number.
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
    /// Where bodies are when the run begins, by name, if that is not where their blocks place them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, StartBlock>,
    /// How to integrate.
    #[serde(default)]
    pub integrator: IntegratorBlock,
    /// How long and how fine.
    #[serde(default)]
    pub run: RunBlock,
    /// What to write.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: OutputBlock,
}

fn version() -> u32 {
    1
}

/// `[model]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelBlock {
    /// Name of the model; the file name if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// One or two sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Gravitational acceleration in m/s^2; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector>,
    /// Typical length in m that makes constraint rows dimensionless; from the geometry if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_scale: Option<Number>,
}

/// Kinds of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BodyType {
    /// Rigid body.
    #[default]
    Rigid,
    /// Point mass.
    Point,
    /// Body that deforms in modes about a floating frame: `modal`.
    Modal,
}

/// `[[body]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyBlock {
    /// Unique name.
    pub name: String,
    /// `rigid` (default), `point` or `modal`.
    #[serde(default, rename = "type", skip_serializing_if = "is_default")]
    pub kind: BodyType,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// Mass in kg; from shape and density if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Inertia about the centre of mass in kg m^2: three moments about the axes of the body (or inertia)
    /// frame, or a symmetric 3x3 matrix. From the shape if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Inertia>,
    /// Axes of `inertia` or `shape` relative to the body frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia_frame: Option<Rotation>,
    /// Homogeneous shape around the centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// What pictures show of the body, a list of solids without mass; `shape` if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<LookBlock>,
    /// modal: modes, nodes and damping. Mass and inertia follow from it; `position` is the origin of the
    /// frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modal: Option<ModalBlock>,
    /// Density of the shape in kg/m^3; of a rod without a radius in kg/m, which a rod with a radius may have
    /// as well, "1.2 kg/m".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Named points and frames in the body frame, from its origin (the centre of mass, unless the shape is a
    /// composite or a mesh); `"body.marker"` stands for a point.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub markers: BTreeMap<String, MarkerBlock>,
    /// Centre of mass in m; the origin if absent. Of composites and meshes, where the origin of the shape is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PointOrMarker>,
    /// Orientation of the body frame; that of the inertial frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Velocity of the centre of mass in m/s, inertial frame; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<PointOrMarker>,
    /// Angular velocity in rad/s, body frame; zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
    /// Angular velocity in rad/s, inertial frame, instead of `angular_velocity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity_global: Option<Vector>,
    /// How the body is moved, whatever acts on it: a moving base. It needs no mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<super::file_motion::MotionBlock>,
}

/// An inertia tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected three principal moments or a 3x3 matrix of numbers")]
pub enum Inertia {
    /// Moments about the axes of the body frame.
    Principal(Vector),
    /// Rows of a symmetric matrix.
    Matrix([Vector; 3]),
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AxisName {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    #[default]
    Z,
}

/// Kinds of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShapeType {
    /// Cuboid: `size`.
    Box,
    /// Solid cylinder: `radius`, `length`, `axis`.
    Cylinder,
    /// Solid sphere: `radius`.
    Sphere,
    /// Thin rod: `length`, `axis`; without `radius` it has no inertia about its axis.
    Rod,
    /// Cylinder with half balls at its ends: `radius`, `length` of the cylinder, `axis`.
    Capsule,
    /// Hollow cylinder: `radius`, `inner_radius`, `length`, `axis`.
    Tube,
    /// Cone: `radius` of its base, `length`, `axis` towards its tip.
    Cone,
    /// Ellipsoid: `size`, its diameters along x, y, z.
    Ellipsoid,
    /// Inside of a closed surface: `file` (.stl or .obj), `scale`.
    Mesh,
    /// Several solids: `parts`.
    Composite,
}

/// A homogeneous solid around the centre of mass; composites and meshes have an origin of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: ShapeType,
    /// box: edge lengths along x, y, z in m. ellipsoid: diameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vector>,
    /// cylinder, sphere, rod, capsule, tube, cone: radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// tube: radius of the hole in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_radius: Option<Number>,
    /// cylinder, rod, capsule, tube, cone: length in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// cylinder, rod, capsule, tube, cone: the body axis it lies along, z if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<AxisName>,
    /// cylinder, rod, capsule, tube, cone: one end at t = 0. With `to` it gives length, position and rotation
    /// of the body (z along).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PointOrMarker>,
    /// The other end, the tip of a cone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PointOrMarker>,
    /// mesh: a closed surface of triangles, .stl or .obj, in the folder of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// mesh: metres for one unit of the file (0.001 for millimetres), 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number>,
    /// composite: its solids, each with a mass or density.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartBlock>,
}

/// A solid of a composite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PartBlock {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: ShapeType,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vector>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_radius: Option<Number>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<AxisName>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// As in a shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number>,
    /// Mass in kg, or `density`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Density in kg/m^3, of a rod without a radius in kg/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Where its centre of mass (of a mesh: its origin) is from the origin of the body frame, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector>,
    /// Its axes relative to the body frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
}

impl PartBlock {
    /// The solid alone.
    pub fn shape(&self) -> Shape {
        Shape {
            kind: self.kind,
            size: self.size.clone(),
            radius: self.radius.clone(),
            inner_radius: self.inner_radius.clone(),
            length: self.length.clone(),
            axis: self.axis,
            from: None,
            to: None,
            file: self.file.clone(),
            scale: self.scale.clone(),
            parts: Vec::new(),
        }
    }
}

/// Kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowFrame {
    /// The first body.
    Body,
    /// The ground.
    Ground,
}

/// `[[joint]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Where the joint is at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<PointOrMarker>,
    /// Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
    /// body, `point` being the one on the first. Rolling: the centre of the wheel or ball. Other joints have
    /// one point; if this is given, it must be the same place once the joint is closed (`precess assemble`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point2: Option<PointOrMarker>,
    /// Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
    /// the blade, fixed in the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<PointOrMarker>,
    /// Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
    /// x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
    /// joint, the axis on the second body where it is given apart, the same direction once the joint is
    /// closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis2: Option<PointOrMarker>,
    /// Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint that
    /// has no angle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<Number>,
    /// Prescribed displacement of a joint that has an angle, too (cylindrical), as a function of t, zero at t
    /// = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_displacement: Option<Number>,
    /// False for a joint that an event closes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// False for a drive that an event turns on; it goes on from the coordinate it finds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_enabled: Option<bool>,
    /// Value of the joint coordinate (rad, m) in the positions at t = 0, zero if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<Number>,
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

/// `[integrator]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IntegratorBlock {
    /// Method; see `precess methods`. With a tolerance bliedf, gen-alpha, or auto for the better of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// index3 | stabilized-index2 | index2 | index1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// Coordinates: r3so3 | se3 | so3 | euler-parameters | tait-bryan | directors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulation: Option<String>,
    /// Spectral radius at infinite frequency of generalized-alpha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Number>,
    /// HHT parameter alpha in [0, 1/3] instead of rho.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hht: Option<Number>,
    /// Generalized-alpha parameter; give all of alpha_m, alpha_f, beta, gamma instead of rho.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_m: Option<Number>,
    /// Generalized-alpha parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha_f: Option<Number>,
    /// Newmark's beta; with gamma alone: Newmark's method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<Number>,
    /// Newmark's gamma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gamma: Option<Number>,
    /// Starting values: classical | table1 | table2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// s of the starting values table1 and table2: differences are taken over s steps. In (0, 1], 0.1 by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_s: Option<Number>,
    /// bliedf in the form index3: shift the starting velocities so that multipliers keep their order. True by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_start: Option<bool>,
    /// Starting values of bliedf with fixed steps: a file of results with t, q, v, vdot and lambda at the
    /// first k + 1 steps, for example of a run with a tolerance and `--every` the step. They are computed by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// Local coordinates of rotations in gen-alpha, and in bliedf with k = 2, with fixed steps: exponential
    /// (default) | cayley.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// Direction of the stabilisation: mass | paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta: Option<String>,
    /// Number of steps of bliedf, 2 to 6, which is its order; with a tolerance its largest order, unless
    /// max_order is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// Commutators in bliedf: true (as magnus) | false (as none) | magnus | paper | none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Switch>,
    /// Sigma-modification of generalized-alpha: a number or optimal; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma: Option<Number>,
    /// How the modified equations are solved: exact | published | printed (Algorithm 2 with the series (65)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_variant: Option<String>,
    /// Factor of the published predictor: 1 as printed or 0.5 as derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_predictor: Option<Number>,
    /// How eta enters the increment: plain | tangent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta_term: Option<String>,
    /// Where Newton's method begins a step: auto | constant | paper | extrapolate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predictor: Option<String>,
    /// Newton strategy: auto | full | once | kept | simplified | modified; with a tolerance the first four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newton: Option<String>,
    /// How the iteration matrix is factorised: auto | dense | pivoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// Accuracy of Newton's method relative to its first correction in a step; of variational and
    /// energy-momentum methods, the residual at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newton_tolerance: Option<Number>,
    /// Try other ways when Newton's method fails in a step: the exact matrix, other first guesses, shorter
    /// steps. True by default; studies never do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<bool>,
    /// theta of vi-theta, 0 to 1; 1/2 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theta: Option<Number>,
    /// vartheta of vi-theta, 0 to 1/2; 1/2 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vartheta: Option<Number>,
    /// Option of vi-theta: a (constraints at q_theta) or b (at the nodes, default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Quadrature of the Lagrangian in vi-family: midpoint (default), trapezoidal, simpson, gauss, or pairs
    /// of a weight and a node in [0, 1].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lagrangian_quadrature: Option<QuadratureBlock>,
    /// Quadrature of the constraints of velocities in vi-family; midpoint by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_quadrature: Option<QuadratureBlock>,
    /// Quadrature of the constraints of positions in vi-family; trapezoidal by default, so that they hold at
    /// the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_quadrature: Option<QuadratureBlock>,
    /// Accept members of vi-theta and vi-family whose errors grow in every step: option a with another theta
    /// than 1/2, or constraints of positions whose nodes have another mean than 1/2. False by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_unstable: Option<bool>,
    /// Initial guess of variational and energy-momentum methods: simple or advanced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Largest number of Newton iterations in a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// About the error at the end, relative to the size of the model, instead of a step size; off for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tol: Option<Number>,
    /// Tolerance of rotations in rad; from tol if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_rotation: Option<Number>,
    /// Tolerance of positions in m; from tol and the size of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_position: Option<Number>,
    /// Tolerance of angular velocities in rad/s; from tol and the time scale of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_angular_velocity: Option<Number>,
    /// Tolerance of velocities in m/s; from tol, size and time scale of the model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atol_velocity: Option<Number>,
    /// Largest order of bliedf with a tolerance, 1 to 6; 5 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_order: Option<u32>,
}

/// A quadrature by name, or its weights and nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected midpoint, trapezoidal, simpson, gauss, or pairs [[weight, node], ..]"
)]
pub enum QuadratureBlock {
    /// By name.
    Name(String),
    /// Weights and nodes.
    Pairs(Vec<[Number; 2]>),
}

/// On, off, or one of several ways by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected true, false or a name")]
pub enum Switch {
    /// On or off.
    Flag(bool),
    /// By name.
    Name(String),
}

/// `[run]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunBlock {
    /// Step size in seconds; off for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Number>,
    /// Longest step in seconds of methods that choose their steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Number>,
    /// End of the run in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Number>,
    /// Project the velocities onto the constraints after each of these times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub project_velocity_at: Vec<Number>,
    /// Project positions and velocities after every step: true, or "position" or "velocity" for one of them
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_every_step: Option<Switch>,
    /// Norm of projections: mass (the kinetic energy of what is taken away, default) or euclidean (all bodies
    /// move alike).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projection_norm: Option<String>,
    /// Restart the integrator with its starting values after a projection.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart_after_projection: bool,
    /// Project inconsistent initial values onto the constraints instead of refusing them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fix_initial: bool,
    /// Close the joints from rough positions before the run, as `precess assemble` does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assemble: bool,
}

/// `[output]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OutputBlock {
    /// File for the results: .npz, .csv or .json.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Which steps are written: a number of steps (10), or a time ("0.01 s", "10 ms").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Every>,
    /// Units of the results, for example ["mm", "deg", "kN"]; SI for what is not named. Times stay in
    /// seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
}

/// How often a sample is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a number of steps or a string with a time, for example 10, \"0.01 s\" or \"10 ms\""
)]
pub enum Every {
    /// Steps.
    Steps(u32),
    /// A time with its unit.
    Time(String),
}
