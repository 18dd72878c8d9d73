//! Keys of `[[body]]` with `type = "modal"`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::number::Number;

/// Damping ratios of the modes: one for all, or one for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub enum Ratios {
    /// For all modes.
    All(Number),
    /// For each mode.
    Each(Vec<Number>),
}

/// `modal = { .. }`: data of a modal body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModalBlock {
    /// File with nodes, masses, modes and stiffness, in the folder of the model: JSON, npz of numpy, or
    /// standard input data (SID_FEM).
    pub file: String,
    /// Names of nodes by their numbers in the file, from 0: joints, forces and sensors attach to `body.NAME`.
    /// Names in the file also exist.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, Number>,
    /// Ratio of the damping of each mode to critical damping, in addition to the damping of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_ratios: Option<Ratios>,
    /// Computes the geometric stiffening of a rod by accelerations, gravity, rotation, and the forces at its
    /// nodes. The nodes are along a line, or in their order along a bent rod. False if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffening: Option<bool>,
    /// Computes how tension in the axial modes of such a body stiffens its bending. The section must be
    /// uniform; false if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<bool>,
    /// Modal coordinates at t = 0; zero if absent. Joints without a point are at the deformed positions of
    /// the nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coordinates: Vec<Number>,
    /// Their rates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Number>,
}
