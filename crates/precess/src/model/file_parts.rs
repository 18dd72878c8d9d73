//! `[[include]]` of a model file: other model files as parts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file_geometry::PointOrMarker;
use super::file_geometry::Rotation;
use super::number::Number;

/// `[[include]]`: the bodies, joints, forces, controls, sensors and events of another file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IncludeBlock {
    /// A model file in the folder of the model or part that names it; its
    /// settings and its gravity are not used.
    pub file: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in the prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// Prefix of the names of its elements, for example "left_".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Other values for its parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Number>,
    /// The normal of a plane through the origin of the part; the part is mirrored at this plane before it is
    /// turned and moved: "y" swaps left and right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<PointOrMarker>,
    /// Rotation of the part; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Position of the origin of the part in m; the origin if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PointOrMarker>,
    /// A body of the model that replaces the ground of the part; it must come before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
}
