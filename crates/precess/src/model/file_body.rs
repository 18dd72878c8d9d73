//! `[[body]]` of a model file: mass and inertia, or shapes with a density.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file::is_default;
use super::file_elements::MarkerBlock;
use super::file_geometry::{AxisName, PointOrMarker, Rotation};
use super::file_look::LookBlock;
use super::file_modal::ModalBlock;
use super::number::{Number, Vector};

/// Kinds of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Solids without mass that pictures show; `shape` if absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<LookBlock>,
    /// modal: modes, nodes and damping. Mass and inertia follow from it; `position` is the origin of the
    /// frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modal: Option<ModalBlock>,
    /// Density of the shape in kg/m^3; for a rod without a radius in kg/m. A rod with a radius may also have
    /// kg/m: "1.2 kg/m".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Named points and frames in the body frame, from its origin (the centre of mass, unless the shape is a
    /// composite or a mesh); `"body.marker"` is a point.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub markers: BTreeMap<String, MarkerBlock>,
    /// Centre of mass in m; the origin if absent. For composites and meshes, the origin of the shape.
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
    /// Prescribed motion of the body: a moving base. It needs no mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<super::file_motion::MotionBlock>,
}

/// An inertia tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected three principal moments or a 3x3 matrix of numbers")]
pub enum Inertia {
    /// Moments about the axes of the body frame.
    Principal(Vector),
    /// Rows of a symmetric matrix.
    Matrix([Vector; 3]),
}

/// Kinds of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Cylinder with hemispheres at its ends: `radius`, `length` of the cylinder, `axis`.
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

/// A homogeneous solid around the centre of mass; composites and meshes have their own origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Density in kg/m^3; for a rod without a radius in kg/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Position of its centre of mass (of a mesh: its origin) from the origin of the body frame, in m.
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
