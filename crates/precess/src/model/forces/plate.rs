//! `type = "plate"`: the pressure of a flow on a flat plate.

use nalgebra::Vector3;

use super::ForceModel;
use crate::Error;
use crate::mechanics::forces::{self, Force};
use crate::mechanics::{BodyKind, Multibody};
use crate::model::build::find;
use crate::model::build_elements::body_point;
use crate::model::elements::ForceKind;
use crate::model::evaluate::Evaluator;
use crate::model::expression::Dimension;
use crate::model::file_elements::ForceBlock;
use crate::model::placement::Placement;
use crate::model::spec::{BodySpec, Model};
use crate::model::write::{WrittenTable, vector};

/// A plate in a flow: F = -c |w| (n . w) n, with the velocity w of a point relative to the wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    /// Body.
    pub body: String,
    /// Where the force acts at t = 0.
    pub point: Vector3<f64>,
    /// The normal n of the plate at t = 0, of length one; it turns with the body.
    pub normal: Vector3<f64>,
    /// c in N s^2/m^2: half of density times normal-force coefficient times area.
    pub coefficient: f64,
    /// Velocity of the medium.
    pub wind: Vector3<f64>,
}

pub(super) const KEYS: &[&str] = &["body", "point", "axis", "coefficient", "wind"];

pub(super) fn read(
    e: &mut Evaluator,
    path: &str,
    block: &ForceBlock,
    name: &str,
    model: &Model,
) -> Option<ForceKind> {
    let what = format!("plate '{name}'");
    let (body, point) = e.body_and_point(path, &block.body, &block.point, &what, model)?;
    if e.find_body(model, &body).is_some_and(|b: &BodySpec| matches!(b.kind, BodyKind::PointMass)) {
        e.problem(&format!("{path}.body"), format!("a point mass has no direction: '{body}'"), "use drag");
    }
    let Some(axis) = &block.axis else {
        e.missing(path, name, "axis", "the normal of the plate at t = 0, [x, y, z]");
        return None;
    };
    let normal = e.axis(&format!("{path}.axis"), axis, model);
    let Some(c) = &block.coefficient else {
        e.missing(path, name, "coefficient", "c, in N s^2/m^2");
        return None;
    };
    let at = format!("{path}.coefficient");
    let coefficient = e.number_in(&at, c, Some(Dimension::new([-1, 1, 0, 0])));
    if coefficient < 0.0 {
        e.problem(&at, format!("{coefficient} is negative"), "");
    }
    let wind = block.wind.as_ref().map_or_else(Vector3::zeros, |w| e.vector(&format!("{path}.wind"), w));
    Some(Plate { body, point, normal: normal.normalize(), coefficient, wind }.into())
}

impl ForceModel for Plate {
    fn build(&self, name: String, model: &Model, _: &mut Multibody) -> Result<Force, Error> {
        let (body, point) = body_point(model, &self.body, &self.point)?;
        let turn = find(model, &self.body)?.map(|(_, b)| b.rotation.inverse()).unwrap_or_default();
        let (normal, coefficient, wind) = (turn * self.normal, self.coefficient, self.wind);
        Ok(Force::Plate(forces::Plate { name, body, point, normal, coefficient, wind }))
    }

    fn write(&self, entry: WrittenTable) -> WrittenTable {
        let entry = entry.with("type", "plate").with("body", self.body.as_str());
        let entry = entry.with("point", vector(&self.point)).with("axis", vector(&self.normal));
        entry.with("coefficient", self.coefficient).with("wind", vector(&self.wind))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Plate {
            body: to.body_name(&self.body),
            point: to.point(&self.point),
            normal: to.vector(&self.normal),
            coefficient: self.coefficient,
            wind: to.vector(&self.wind),
        }
        .into()
    }
}
