//! Named points and orientations of a model file.

use serde::{Deserialize, Serialize};

use super::file_elements::PointOrMarker;
use super::number::{Number, Vector};

/// An entry of `[points]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected [x, y, z], an expression of other points, or { point = .., rotation = .. }"
)]
pub enum PointBlock {
    /// Coordinates.
    Coordinates(Vector),
    /// An expression of other points, for example "(A + B)/2".
    Text(String),
    /// A point with its own axes.
    Frame {
        /// Point.
        point: PointOrMarker,
        /// Axes.
        rotation: Box<Rotation>,
    },
}

/// An orientation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a quaternion [w, x, y, z], three rows of a matrix, { axis = .., angle = .. }, \
                 { roll_pitch_yaw = [..] }, \
                 { x_axis = .., y_axis = .. }, { z_along = .. } (or x_along, y_along), or the name of a frame"
)]
pub enum Rotation {
    /// Unit quaternion (w, x, y, z).
    Quaternion([Number; 4]),
    /// Rows of an orthogonal matrix.
    Matrix([Vector; 3]),
    /// Rotation by an angle about an axis.
    AxisAngle {
        /// Axis, of any length.
        axis: PointOrMarker,
        /// Angle.
        angle: Number,
    },
    /// Rotations about the fixed axes x (roll), y (pitch) and z (yaw), in this order.
    RollPitchYaw {
        /// Three angles.
        roll_pitch_yaw: Vector,
    },
    /// Two axes of the body frame in the inertial frame; the second is made perpendicular to the first.
    Axes {
        /// Body x axis.
        x_axis: PointOrMarker,
        /// Body y axis.
        y_axis: PointOrMarker,
    },
    /// The body x axis along a direction, the others arbitrary.
    AlongX {
        /// Direction, for example "B - A".
        x_along: PointOrMarker,
    },
    /// The body y axis along a direction, the others arbitrary.
    AlongY {
        /// Direction.
        y_along: PointOrMarker,
    },
    /// The body z axis along a direction, the others arbitrary.
    AlongZ {
        /// Direction.
        z_along: PointOrMarker,
    },
    /// The axes of a frame in `[points]` or of a marker.
    Frame(String),
}
