//! Finds what the parts of a model name while it is built: bodies, points, joints and their coordinates.

use std::collections::HashMap;

use nalgebra::{Matrix3, Vector3};

use super::elements::{At, Of};
use super::spec::{BodySpec, GROUND, Model};
use crate::Error;
use crate::mechanics::Multibody;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::joint::Joint;
use crate::mechanics::kernels::Marker;
use crate::mechanics::links::Link;

/// A body with its number; none is the ground.
pub(super) type FoundBody<'a> = Option<(usize, &'a BodySpec)>;

/// Bodies by name in constant time, for models with many joints.
pub(super) struct Names<'a> {
    pub(super) model: &'a Model,
    carriers: Vec<&'a BodySpec>,
    index: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Names {
            model,
            index: carriers(model)
                .enumerate()
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .map(|(i, b)| (b.name.as_str(), i))
                .collect(),
            carriers: carriers(model).collect(),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<(usize, &'a BodySpec)> {
        self.index.get(name).and_then(|&i| Some((i, *self.carriers.get(i)?)))
    }

    /// The same as [`find`].
    pub(super) fn find(&self, name: &str) -> Result<FoundBody<'a>, Error> {
        match self.get(name) {
            Some(found) if name != GROUND => Ok(Some(found)),
            _ => find(self.model, name),
        }
    }

    /// The two bodies of an element, and their link.
    pub(super) fn pair(&self, bodies: &[String; 2]) -> Result<([FoundBody<'a>; 2], Link), Error> {
        let (a, b) = (self.find(&bodies[0])?, self.find(&bodies[1])?);
        Ok(([a, b], Link { a: a.map(|x| x.0), b: b.map(|x| x.0) }))
    }

    /// A moving body that a force acts on, with a point in its frame.
    pub(super) fn point(&self, name: &str, point: &Vector3<f64>) -> Result<(usize, Vector3<f64>), Error> {
        match self.find(name)? {
            Some(found) => Ok((found.0, point_of(Some(found), point))),
            None => Err(Error::Unsupported {
                method: "a force".to_string(),
                reason: "it acts on the ground, which does not move".to_string(),
            }),
        }
    }
}

/// Everything to which joints and forces attach: bodies, then nodes of modal bodies, in the order of the
/// system.
pub(super) fn carriers(model: &Model) -> impl Iterator<Item = &BodySpec> {
    model.bodies.iter().chain(model.nodes())
}

/// A body by name; `None` is the ground.
pub(crate) fn find<'a>(model: &'a Model, name: &str) -> Result<FoundBody<'a>, Error> {
    if name == GROUND {
        return Ok(None);
    }
    match carriers(model).enumerate().find(|(_, b)| b.name == name) {
        Some(found) => Ok(Some(found)),
        None => Err(Error::unknown_name("body", name, carriers(model).map(|b| b.name.as_str()))),
    }
}

/// A point of the inertial space at t = 0 in the frame of a body.
pub(crate) fn point_of(body: FoundBody, point: &Vector3<f64>) -> Vector3<f64> {
    marker(body, point, &Matrix3::identity()).p
}

/// A point and a frame of the inertial space at t = 0 as a marker of a body.
pub(crate) fn marker(body: FoundBody, point: &Vector3<f64>, frame: &Matrix3<f64>) -> Marker {
    match body {
        None => Marker { p: *point, c: *frame },
        Some((_, b)) => {
            let back = b.rotation.inverse().to_rotation_matrix();
            Marker { p: back * (point - b.position), c: back.matrix() * frame }
        }
    }
}

/// A joint of the system by name, with its number.
pub(crate) fn joint<'a>(system: &'a Multibody, name: &str) -> Result<(usize, &'a Joint), Error> {
    let joints = system.joint_list();
    joints
        .iter()
        .enumerate()
        .find(|(_, j)| j.name == name)
        .ok_or_else(|| Error::unknown_name("joint", name, joints.iter().map(|j| j.name.as_str())))
}

/// The coordinate of a joint for an element; from now on it counts turns.
pub(super) fn coordinate(system: &mut Multibody, at: &At) -> Result<Coordinate, Error> {
    let (index, _) = joint(system, &at.joint)?;
    coordinate_of(system.watch(index), at)
}

/// The requested coordinate of a joint.
pub(crate) fn coordinate_of(joint: &Joint, at: &At) -> Result<Coordinate, Error> {
    let found = match at.of {
        Of::Default => joint.coordinate(),
        Of::Angle => joint.angle(),
        Of::Displacement => joint.displacement(),
    };
    found.ok_or_else(|| Error::Unsupported {
        method: format!("joint '{}'", at.joint),
        reason: "it has no such coordinate; revolute joints have an angle, prismatic ones a displacement"
            .to_string(),
    })
}
