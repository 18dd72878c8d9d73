//! The block `[[beam]]` of a model file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file_geometry::PointOrMarker;
use super::file_geometry::Rotation;
use super::number::{Number, Vector};

/// Kinds of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SectionType {
    /// `width` along y of the section, `height` along z.
    Rectangle,
    /// `radius`.
    Circle,
    /// `radius`, `inner_radius`.
    Tube,
}

/// The shape of a cross section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SectionBlock {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: SectionType,
    /// rectangle: extent in m along the y axis of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Number>,
    /// rectangle: extent in m along its z axis, the direction of `up`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<Number>,
    /// circle, tube: outer radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// tube: radius of the hole in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_radius: Option<Number>,
}

/// Distribution of the mass of a beam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MassKind {
    /// Along the elements: more accurate with the same number of them.
    #[default]
    Consistent,
    /// In the nodes: cheaper.
    Lumped,
}

/// A node of a beam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NodeBlock {
    /// Centroid of the section in m.
    pub position: PointOrMarker,
    /// Axes of the section: x along the beam.
    pub rotation: Rotation,
}

/// `[[beam]]`: a flexible line. Its nodes are bodies `name.0`, `name.1`, .., also `name.start`, `name.end`
/// and `name.STATION`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeamBlock {
    /// Unique name.
    pub name: String,
    /// Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Number>,
    /// Beginning of the line without stress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PointOrMarker>,
    /// Its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<PointOrMarker>,
    /// A third point between them: the line is the arc of a circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<PointOrMarker>,
    /// Instead of from and to: a smooth line through these points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PointOrMarker>,
    /// Instead of from and to: frames of the line, for any shape.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<NodeBlock>,
    /// Direction of the z axis of the section at the beginning; z if absent (y for a vertical line, the axis
    /// of an arc).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<PointOrMarker>,
    /// Angle in rad by which the sections turn about the line from the beginning to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twist: Option<Number>,
    /// Number of elements. If absent, 8, or one between each two neighbouring frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Number>,
    /// Named positions at which the beam has a node, as parts of its length from 0 to 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stations: BTreeMap<String, Number>,
    /// Shape of the section, with `young`, `poisson` or `shear`, and `density`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionBlock>,
    /// Modulus of elasticity in Pa.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<Number>,
    /// Poisson's ratio; 0.3 if neither it nor `shear` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Number>,
    /// Shear modulus in Pa, instead of Poisson's ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<Number>,
    /// Density in kg/m^3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Number>,
    /// Shear factors along y and z of the section; those of its shape if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_factors: Option<[Number; 2]>,
    /// Instead of section and material: GJ, EI_y, EI_z in N m^2, EA, GA_y, GA_z in N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<[Number; 6]>,
    /// With `stiffness`: mass per length in kg/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_length: Option<Number>,
    /// With `stiffness`: rotary inertia per length about the axes of the section in kg m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia_per_length: Option<Vector>,
    /// `consistent` (default) or `lumped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<MassKind>,
    /// Damping of Kelvin and Voigt: stress = stiffness (strain + damping strain'), a time in s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
    /// Bending of few slender elements under end loads becomes exact; false if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual_flexibility: Option<bool>,
    /// Load per length in N/m, functions of time, spread over the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Vector>,
    /// The load turns with the sections; false if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_follows: Option<bool>,
    /// Velocity of the beginning in m/s, inertial frame; the beam begins as a rigid body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<PointOrMarker>,
    /// Angular velocity in rad/s, inertial frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
}
