//! `motion` of a body in a model file.

use serde::{Deserialize, Serialize};

use super::number::Vector;

/// A given motion, added to the position and rotation of the body at t = 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MotionBlock {
    /// Displacements of the origin of the body along x, y, z in m, functions of t that are zero at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector>,
    /// Rotations about the fixed axes x (roll), y (pitch) and z (yaw), in this order, functions of t that are
    /// zero at t = 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_pitch_yaw: Option<Vector>,
}
