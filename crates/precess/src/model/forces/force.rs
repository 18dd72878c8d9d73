//! `type = "force"`: a force at a point of a body.

use super::*;

/// A force at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointForce {
    /// Body.
    pub body: String,
    /// Point of application at t = 0.
    pub point: Vector3<f64>,
    /// Components, functions of time.
    pub force: [Function; 3],
    /// Frame of the components.
    pub frame: ForceFrame,
}

impl InFiles for PointForce {
    const KEYS: Keys = &["body", "point", "force", "frame"];
    const MEANT: Meant = &[(&["value", "constant"], "force")];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (body, point) = e.point_of_force(from, "force")?;
        let Some(force) = &from.block.force else {
            e.missing(from, "force", "[Fx, Fy, Fz]");
            return None;
        };
        let (at, frame) = (from.at("force"), e.force_frame(from));
        let target = LawTarget::Point { body: body.clone(), point, frame };
        if let Some(law) = e.vector_law(&at, force, target, from.model) {
            return Some(law.into());
        }
        Some(PointForce { body, point, force: e.functions(&at, force), frame }.into())
    }
}

impl ForceModel for PointForce {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let (body, point) = names.point(&self.body, &self.point)?;
        let (force, frame) = (self.force.clone(), self.frame);
        Ok(Force::PointForce(forces::PointForce { name, body, point, force, frame }))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        let entry = entry.with("type", "force").with("body", self.body.as_str());
        let entry = entry.with("point", vector(&self.point));
        entry.with("force", to.functions(&self.force, whose)).frame(self.frame)
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        PointForce {
            body: to.body_name(&self.body),
            point: to.point(&self.point),
            force: to.functions(&self.force, self.frame, false),
            frame: self.frame,
        }
        .into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.point(&self.body, &self.point)?;
        if self.frame == ForceFrame::Body { needed.all_of(&self.body) } else { Ok(()) }
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let point = places.point(&self.body, &self.point)?;
        let constant = self.force.each_ref().map(Function::constant);
        if let (ForceFrame::Inertial, [Some(x), Some(y), Some(z)]) = (self.frame, constant) {
            system.terms.push(loads::dead_force(&point, &Vector3::new(x, y, z)));
        } else {
            let axes = places.axes(&self.body, self.frame)?;
            system.loads.push(loads::shared(loads::ForceLoad { point, force: self.force.clone(), axes }));
        }
        Ok(())
    }
}
