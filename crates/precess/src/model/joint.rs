//! A joint of a model as plain data.

use nalgebra::{Matrix3, Vector3};

use crate::mechanics::joints::JointKind;
use crate::mechanics::{Function, frame_along};

/// A joint between two bodies at a point in space.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// Unique name.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// First and second body.
    pub bodies: [String; 2],
    /// Point at t = 0.
    pub point: Vector3<f64>,
    /// Point on the second body; differs from `point` only for rigid distances.
    pub point2: Vector3<f64>,
    /// Axes a_1, a_2, a_3 of the joint at t = 0, as columns.
    pub frame: Matrix3<f64>,
    /// Axes of the marker on the second body at t = 0; differs from `frame` only for universal joints with an
    /// angle.
    pub frame2: Matrix3<f64>,
    /// Prescribed coordinate.
    pub drive: Option<Function>,
    /// Prescribed displacement of a joint that also has an angle.
    pub drive_displacement: Option<Function>,
    /// Prescribed motion of the second body: displacements along the axes of the first body, then roll, pitch
    /// and yaw about them.
    pub guide: Option<Box<[Function; 6]>>,
    /// Value of the joint coordinate at t = 0.
    pub coordinate: f64,
    /// Initial rate of the joint coordinate, if it is given; velocities of bodies follow from it.
    pub rate: Option<f64>,
    /// Rows of a spherical joint in the axes of the first body, not of the ground. The motion is the same;
    /// multipliers and the drift of the forms index1 and index2 are not. Directors and so3 have other rows.
    pub rows_in_body: bool,
}

impl JointSpec {
    /// A joint at a point with the axes of the inertial frame.
    pub fn new(name: &str, kind: JointKind, bodies: [&str; 2], point: [f64; 3]) -> Self {
        let point = Vector3::from(point);
        JointSpec {
            name: name.to_string(),
            kind,
            bodies: bodies.map(str::to_string),
            point,
            point2: point,
            frame: Matrix3::identity(),
            frame2: Matrix3::identity(),
            drive: None,
            drive_displacement: None,
            guide: None,
            coordinate: 0.0,
            rate: None,
            rows_in_body: false,
        }
    }

    /// With a prescribed coordinate: the angle of a revolute joint, the displacement of a prismatic one.
    pub fn driven(mut self, function: Function) -> Self {
        self.drive = Some(function);
        self
    }

    /// True if a function of time moves it.
    pub fn is_driven(&self) -> bool {
        self.drive.is_some() || self.drive_displacement.is_some() || self.guide.is_some()
    }

    /// With a_3 along this direction.
    pub fn along(mut self, axis: [f64; 3]) -> Self {
        self.frame = frame_along(&Vector3::from(axis));
        self.frame2 = self.frame;
        self
    }

    /// Points coincide at `point`.
    pub fn spherical(name: &str, bodies: [&str; 2], point: [f64; 3]) -> Self {
        Self::new(name, JointKind::Spherical, bodies, point)
    }

    /// Rotation about `axis` through `point`.
    pub fn revolute(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::Revolute, bodies, point).along(axis)
    }

    /// The point of the second body does not move along `axis`, which turns with it.
    pub fn knife_edge(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::KnifeEdge, bodies, point).along(axis)
    }

    /// A ball of the second body rolls on a plane of the first, through `point` with the normal `axis`, which
    /// it touches at t = 0.
    pub fn ball(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3], centre: [f64; 3]) -> Self {
        let mut joint = Self::new(name, JointKind::KnifeEdge, bodies, point).along(axis);
        joint.point2 = Vector3::from(centre);
        let height = joint.frame.column(2).dot(&(joint.point2 - joint.point));
        JointSpec { kind: JointKind::Rolling { circle: 0.0, section: height }, ..joint }
    }

    /// Translation along `axis`.
    pub fn prismatic(name: &str, bodies: [&str; 2], point: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, JointKind::Prismatic, bodies, point).along(axis)
    }
}
