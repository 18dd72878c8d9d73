//! `type = "drag"`: quadratic drag at a point of a body.

use super::*;

/// Drag: F = -c |w| w, with the velocity w of a point relative to the wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Body.
    pub body: String,
    /// Point of application at t = 0.
    pub point: Vector3<f64>,
    /// c in N s^2/m^2.
    pub coefficient: f64,
    /// Velocity of the medium.
    pub wind: Vector3<f64>,
}

impl InFiles for Drag {
    const KEYS: Keys = &["body", "point", "coefficient", "wind"];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (body, point) = e.point_of_force(from, "drag")?;
        let coefficient = e.coefficient_of_flow(from).unwrap_or(0.0);
        Some(Drag { body, point, coefficient, wind: e.wind(from) }.into())
    }
}

impl ForceModel for Drag {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let (body, point) = names.point(&self.body, &self.point)?;
        let (coefficient, wind) = (self.coefficient, self.wind);
        Ok(Force::Drag(forces::Drag { name, body, point, coefficient, wind }))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        let entry = entry.with("type", "drag").with("body", self.body.as_str());
        let entry = entry.with("point", vector(&self.point));
        entry.with("coefficient", self.coefficient).with("wind", vector(&self.wind))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let (body, point) = (to.body_name(&self.body), to.point(&self.point));
        Drag { body, point, coefficient: self.coefficient, wind: to.vector(&self.wind) }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.point(&self.body, &self.point)
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let point = places.point(&self.body, &self.point)?;
        system.loads.push(loads::shared(loads::DragLoad { point, c: self.coefficient, wind: self.wind }));
        Ok(())
    }
}
