//! `look` of a body in a model file: its appearance in pictures. Nothing here changes the motion.

use serde::{Deserialize, Serialize};

use super::file_geometry::{AxisName, Rotation};
use super::number::{Number, Vector};

/// Kinds of solids in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LookType {
    /// Cuboid: `size`.
    Box,
    /// Round bar: `radius`, `length`, `axis`.
    Cylinder,
    /// Ball: `radius`.
    Sphere,
    /// Triangles of a file: `file`, `scale`.
    Mesh,
}

/// A solid that a picture shows on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LookBlock {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: LookType,
    /// box: edge lengths along x, y, z in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vector>,
    /// cylinder, sphere: radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// cylinder: length in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// cylinder: the axis it lies along, z if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<AxisName>,
    /// mesh: a file of triangles, .stl or .obj, from the folder of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// mesh: metres for one unit of the file (0.001 for millimetres), 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Number>,
    /// Centre (of a mesh: its origin) from the centre of mass in m, body frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector>,
    /// Axes relative to the body frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Colour as "#rrggbb"; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}
