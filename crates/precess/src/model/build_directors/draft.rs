//! A joint in directors while the model is built, and the error for what directors cannot do.

use nalgebra::Vector3;

use crate::Error;
use crate::conserve::directors::joints::DirectorRow;
use crate::mechanics::joints::{Drive, JointKind};

pub(in crate::model) fn unsupported(reason: String) -> Error {
    Error::Unsupported { method: "the formulation directors".to_string(), reason }
}

/// A joint before its bodies have positions in q.
pub(super) struct Draft {
    pub name: String,
    pub sides: [Option<usize>; 2],
    pub rows: Vec<DirectorRow>,
    pub drives: Vec<Drive>,
    pub point_b: Vector3<f64>,
    pub kind: JointKind,
}
