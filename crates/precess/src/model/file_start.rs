//! The tables `[start.BODY]` of a model file.

use serde::{Deserialize, Serialize};

use super::file::Rotation;
use super::number::Vector;

/// `[start.BODY]`: position and velocity of a body when the run begins. Points and axes of joints, forces and
/// sensors, joint coordinates and free lengths of springs still belong to the positions in `[[body]]`.
/// `precess assemble` and `precess equilibrium` write these tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StartBlock {
    /// Centre of mass in m; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector>,
    /// Orientation of the body frame; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Velocity of the centre of mass in m/s, inertial frame; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector>,
    /// Angular velocity in rad/s, body frame; that of the body if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector>,
}
