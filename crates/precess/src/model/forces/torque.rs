//! `type = "torque"`: a torque on a body.

use super::*;

/// A torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    /// Body.
    pub body: String,
    /// Components, functions of time.
    pub torque: [Function; 3],
    /// Frame of the components.
    pub frame: ForceFrame,
}

impl InFiles for Torque {
    const KEYS: Keys = &["body", "torque", "frame"];
    const MEANT: Meant = &[(&["value", "constant", "force"], "torque")];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let Written { path, block, name, model } = from;
        let (body, _) = e.body_and_point(path, &block.body, &None, &format!("torque '{name}'"), model)?;
        if e.find_body(model, &body).is_some_and(|b| !matches!(b.kind, BodyKind::Rigid { .. })) {
            e.problem(&from.at("body"), format!("a point mass takes no torque: '{body}'"), "");
        }
        let Some(torque) = &block.torque else {
            e.missing(from, "torque", "[Tx, Ty, Tz]");
            return None;
        };
        let (at, frame) = (from.at("torque"), e.force_frame(from));
        let target = LawTarget::Torque { body: body.clone(), frame };
        if let Some(law) = e.vector_law(&at, torque, target, model) {
            return Some(law.into());
        }
        Some(Torque { body, torque: e.functions(&at, torque), frame }.into())
    }
}

impl ForceModel for Torque {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let (body, _) = names.point(&self.body, &Vector3::zeros())?;
        Ok(Force::Torque(forces::Torque { name, body, torque: self.torque.clone(), frame: self.frame }))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        let entry = entry.with("type", "torque").with("body", self.body.as_str());
        entry.with("torque", to.functions(&self.torque, whose)).frame(self.frame)
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let torque = to.functions(&self.torque, self.frame, true);
        Torque { body: to.body_name(&self.body), torque, frame: self.frame }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.all_of(&self.body)
    }

    fn in_directors(&self, name: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let Some(body) = places.body(&self.body)? else { return Ok(()) };
        let [Some(a), Some(b), Some(c)] = body.directors else {
            return Err(unsupported(format!("torque '{name}' acts on a body without orientation")));
        };
        let (torque, axes) = (self.torque.clone(), places.axes(&self.body, self.frame)?);
        system.loads.push(loads::shared(loads::TorqueLoad { directors: [a, b, c], torque, axes }));
        Ok(())
    }
}
