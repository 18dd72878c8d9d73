//! Positions and directions of the forces of a model, in directors.

use std::array::from_fn;

use nalgebra::Vector3;

use super::draft::unsupported;
use crate::Error;
use crate::conserve::Affine;
use crate::conserve::directors::DirectorBody;
use crate::conserve::directors::joints::Sides;
use crate::conserve::directors::measures::JointCoordinate;
use crate::mechanics::Multibody;
use crate::mechanics::forces::ForceFrame;
use crate::model::elements::At;
use crate::model::find::{coordinate_of, find, joint, point_of};
use crate::model::spec::Model;

/// Positions and directions of the forces of a model, in directors.
pub(in crate::model) struct Places<'a> {
    pub model: &'a Model,
    pub view: &'a Multibody,
    pub bodies: &'a [DirectorBody],
}

impl Places<'_> {
    /// A body by name; none is the ground.
    pub fn body(&self, name: &str) -> Result<Option<&DirectorBody>, Error> {
        Ok(find(self.model, name)?.map(|(i, _)| &self.bodies[i]))
    }

    pub fn point(&self, body: &str, p: &Vector3<f64>) -> Result<Affine, Error> {
        let body = find(self.model, body)?;
        let p = point_of(body, p);
        Ok(body.map_or_else(|| Affine::fixed(p), |(i, _)| self.bodies[i].point(&p)))
    }

    /// The axes of the components of a force.
    pub fn axes(&self, body: &str, frame: ForceFrame) -> Result<[Affine; 3], Error> {
        let unit = |k: usize| Vector3::ith(k, 1.0);
        Ok(match (frame, self.body(body)?) {
            (ForceFrame::Body, Some(body)) => from_fn(|k| body.direction(&unit(k))),
            _ => from_fn(|k| Affine::fixed(unit(k))),
        })
    }

    /// The joint coordinate on which an element acts.
    pub fn coordinate(&self, at: &At) -> Result<JointCoordinate, Error> {
        let (_, joint) = joint(self.view, &at.joint)?;
        let coordinate = coordinate_of(joint, at)?;
        let side = |i: Option<usize>| i.map(|i| &self.bodies[i]);
        let sides = Sides { a: side(joint.link.a), b: side(joint.link.b) };
        let (angle, zero) = (coordinate.is_angle(), coordinate.zero);
        Ok(JointCoordinate::new(sides, &joint.marker_a, &joint.marker_b, angle, zero))
    }
}

/// The error for a force that has no form in directors.
pub(in crate::model) fn unknown_force(name: &str) -> Error {
    unsupported(format!(
        "force '{name}' is neither a potential of distances nor a load that these methods \
         support; use r3so3 with gen-alpha or bliedf"
    ))
}
