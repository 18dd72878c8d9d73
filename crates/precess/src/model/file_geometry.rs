//! Points, axes and orientations of a model file.

use serde::{Deserialize, Serialize};

use super::number::{Number, Vector};

/// A point or direction at t = 0 in the inertial frame: numbers, a name of `[points]`, a marker
/// `"body.marker"`, or an expression of points such as `"(A + B)/2"`. Directions also by the name of an axis,
/// `"-z"`, or from point to point, `"A -> B"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected [x, y, z], the name of a point or marker, for example \"crank.tip\", or an \
                 expression of points"
)]
pub enum PointOrMarker {
    /// Coordinates.
    Point(Vector),
    /// A point by name, or an expression; the direction of a frame is its z axis.
    Marker(String),
}

impl From<Vector> for PointOrMarker {
    fn from(x: Vector) -> Self {
        PointOrMarker::Point(x)
    }
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
