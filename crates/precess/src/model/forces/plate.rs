//! `type = "plate"`: the pressure of a flow on a flat plate.

use super::*;

/// A plate in a flow: F = -c |w| (n . w) n, with the velocity w of a point relative to the wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    /// Body.
    pub body: String,
    /// Point of application at t = 0.
    pub point: Vector3<f64>,
    /// The unit normal n of the plate at t = 0; it turns with the body.
    pub normal: Vector3<f64>,
    /// c in N s^2/m^2: half of density times normal-force coefficient times area.
    pub coefficient: f64,
    /// Velocity of the medium.
    pub wind: Vector3<f64>,
}

impl InFiles for Plate {
    const KEYS: Keys = &["body", "point", "axis", "coefficient", "wind"];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (body, point) = e.point_of_force(from, "plate")?;
        if e.find_body(from.model, &body).is_some_and(|b| matches!(b.kind, BodyKind::PointMass)) {
            e.problem(&from.at("body"), format!("a point mass has no direction: '{body}'"), "use drag");
        }
        let Some(axis) = &from.block.axis else {
            e.missing(from, "axis", "the normal of the plate at t = 0, [x, y, z]");
            return None;
        };
        let normal = e.axis(&from.at("axis"), axis, from.model).normalize();
        let coefficient = e.coefficient_of_flow(from)?;
        Some(Plate { body, point, normal, coefficient, wind: e.wind(from) }.into())
    }
}

impl ForceModel for Plate {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let (body, point) = names.point(&self.body, &self.point)?;
        let turn = names.find(&self.body)?.map(|(_, b)| b.rotation.inverse()).unwrap_or_default();
        let (normal, coefficient, wind) = (turn * self.normal, self.coefficient, self.wind);
        Ok(Force::Plate(forces::Plate { name, body, point, normal, coefficient, wind }))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
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
