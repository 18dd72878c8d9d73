//! Finds the directors that are needed.

use nalgebra::{Matrix3, Vector3};

use super::draft::Draft;
use crate::Error;
use crate::conserve::directors::{DirectorBody, drives};
use crate::mechanics::Multibody;
use crate::model::elements::At;
use crate::model::expressed::{ExpressedSpec, MeasuredSpec, VariableSpec};
use crate::model::find::{coordinate_of, find, joint, marker};
use crate::model::spec::Model;

/// The directors to which something is attached.
pub(in crate::model) struct Needed<'a> {
    model: &'a Model,
    view: &'a Multibody,
    bodies: &'a [DirectorBody],
    used: Vec<[bool; 3]>,
}

/// For each body, the directors to which something is attached.
pub(super) fn attached(
    model: &Model,
    view: &Multibody,
    bodies: &[DirectorBody],
    drafts: &[Draft],
) -> Result<Vec<[bool; 3]>, Error> {
    let mut needed = Needed { model, view, bodies, used: vec![[false; 3]; bodies.len()] };
    for draft in drafts {
        let driven: Vec<_> = draft.drives.iter().flat_map(drives::products).collect();
        for row in draft.rows.iter().chain(&driven) {
            let reads = row.reads();
            for (side, list) in draft.sides.iter().zip(&reads) {
                list.iter().for_each(|x| needed.observe(*side, x));
            }
        }
    }
    for constraint in &model.constraints {
        needed.expression(&constraint.equation)?;
    }
    for force in &model.forces {
        force.kind.model().directors(&force.name, &mut needed)?;
    }
    Ok(needed.used)
}

impl Needed<'_> {
    /// Records a direction or an arm in the frame of a body.
    fn observe(&mut self, body: Option<usize>, x: &Vector3<f64>) {
        if let Some(i) = body {
            let c = self.bodies[i].components(x);
            (0..3).for_each(|k| self.used[i][k] |= c[k] != 0.0);
        }
    }

    /// Records a point of a body, given at t = 0.
    pub fn point(&mut self, body: &str, point: &Vector3<f64>) -> Result<(), Error> {
        self.marker(body, point, &Matrix3::identity(), false)
    }

    /// Records a point of a body, with or without axes.
    pub fn marker(
        &mut self,
        body: &str,
        point: &Vector3<f64>,
        frame: &Matrix3<f64>,
        axes: bool,
    ) -> Result<(), Error> {
        let body = find(self.model, body)?;
        let (marker, body) = (marker(body, point, frame), body.map(|b| b.0));
        self.observe(body, &marker.p);
        (0..3).filter(|_| axes).for_each(|k| self.observe(body, &marker.axis(k)));
        Ok(())
    }

    /// Records all directions of a body.
    pub fn all_of(&mut self, body: &str) -> Result<(), Error> {
        let body = find(self.model, body)?.map(|b| b.0);
        (0..3).for_each(|k| self.observe(body, &Vector3::ith(k, 1.0)));
        Ok(())
    }

    /// Records a joint coordinate.
    pub fn coordinate(&mut self, at: &At) -> Result<(), Error> {
        let (_, joint) = joint(self.view, &at.joint)?;
        if coordinate_of(joint, at)?.is_angle() {
            (0..2).for_each(|k| self.observe(joint.link.a, &joint.marker_a.axis(k)));
            self.observe(joint.link.b, &joint.marker_b.axis(0));
        } else {
            self.observe(joint.link.a, &joint.marker_a.axis(2));
            self.observe(joint.link.a, &joint.marker_a.p);
            self.observe(joint.link.b, &joint.marker_b.p);
        }
        Ok(())
    }

    /// Records the variables of an expression.
    pub fn expression(&mut self, spec: &ExpressedSpec) -> Result<(), Error> {
        for variable in &spec.variables {
            let VariableSpec::Value(measured) = variable else { continue };
            match measured {
                MeasuredSpec::Place { point, .. } => self.point(&point.body, &point.at)?,
                MeasuredSpec::Distance(points) => {
                    points.iter().try_for_each(|p| self.point(&p.body, &p.at))?;
                }
                MeasuredSpec::Joint(at) => self.coordinate(at)?,
            }
        }
        Ok(())
    }
}
