//! A body of a model as plain data, and the solids that show it.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::mechanics::BodyKind;

/// Name of the inertial frame as a body.
pub const GROUND: &str = "ground";

/// A named point with axes on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerSpec {
    /// Name, unique on its body.
    pub name: String,
    /// Point from the centre of mass, body frame.
    pub point: Vector3<f64>,
    /// Axes relative to the body frame.
    pub rotation: UnitQuaternion<f64>,
}

/// A body with its initial position and velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Unique name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// Rigid (inertia about the centre of mass, body frame) or point mass.
    pub kind: BodyKind,
    /// Centre of mass at t = 0.
    pub position: Vector3<f64>,
    /// Orientation at t = 0.
    pub rotation: UnitQuaternion<f64>,
    /// Velocity of the centre of mass, inertial frame.
    pub velocity: Vector3<f64>,
    /// Angular velocity, body frame.
    pub angular_velocity: Vector3<f64>,
    /// Named points.
    pub markers: Vec<MarkerSpec>,
    /// The solid that gave the inertia, if the file has a `shape`.
    pub solid: Option<SolidSpec>,
    /// Solids shown in pictures instead; they have no mass.
    pub look: Vec<SolidSpec>,
}

/// A solid on a body, for pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidSpec {
    /// Kind and size.
    pub form: SolidForm,
    /// Its centre from the centre of mass, body frame.
    pub at: Vector3<f64>,
    /// Its axes relative to the body frame.
    pub rotation: UnitQuaternion<f64>,
    /// Red, green, blue; chosen by the picture if absent.
    pub colour: Option<[u8; 3]>,
}

/// Kinds of solids.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidForm {
    /// Edges along x, y, z.
    Box(Vector3<f64>),
    /// A round bar.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
        /// Direction of the length, one of the axes.
        axis: Vector3<f64>,
    },
    /// Radius.
    Sphere(f64),
    /// Triangles of a file.
    Mesh {
        /// STL or OBJ file, as named in the model.
        file: String,
        /// Metres for one unit of the file.
        scale: f64,
    },
}

impl BodySpec {
    /// Point and axes of a marker at t = 0, in the inertial frame.
    pub fn frame(&self, marker: &str) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let marker = self.markers.iter().find(|m| m.name == marker)?;
        let axes = (self.rotation * marker.rotation).to_rotation_matrix().into_inner();
        Some((self.position + self.rotation * marker.point, axes))
    }

    /// A rigid body with principal moments of inertia, at rest at the origin.
    pub fn rigid(name: &str, mass: f64, principal: [f64; 3]) -> Self {
        BodySpec {
            name: name.to_string(),
            mass,
            kind: BodyKind::Rigid { inertia: Matrix3::from_diagonal(&Vector3::from(principal)) },
            position: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            markers: Vec::new(),
            solid: None,
            look: Vec::new(),
        }
    }

    /// A point mass at rest at the origin.
    pub fn point(name: &str, mass: f64) -> Self {
        BodySpec { kind: BodyKind::PointMass, ..Self::rigid(name, mass, [0.0; 3]) }
    }

    /// With a marker at a point of the body frame, from the centre of mass.
    pub fn marker(mut self, name: &str, point: [f64; 3]) -> Self {
        let (point, rotation) = (Vector3::from(point), UnitQuaternion::identity());
        self.markers.push(MarkerSpec { name: name.to_string(), point, rotation });
        self
    }

    /// Sets the position.
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.position = Vector3::from(position);
        self
    }

    /// With this orientation.
    pub fn rotated(mut self, rotation: UnitQuaternion<f64>) -> Self {
        self.rotation = rotation;
        self
    }

    /// With this velocity of the centre of mass (inertial frame) and angular velocity (body frame).
    pub fn moving(mut self, velocity: [f64; 3], angular_velocity: [f64; 3]) -> Self {
        self.velocity = Vector3::from(velocity);
        self.angular_velocity = Vector3::from(angular_velocity);
        self
    }
}
