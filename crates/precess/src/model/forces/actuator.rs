//! `type = "actuator"`: a force or torque along a joint coordinate.

use super::*;
use crate::model::expressed::MeasuredSpec;
use crate::model::formula::Need;

/// A force or torque of a joint coordinate and its rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Joint.
    pub at: At,
    /// u(t, x, v).
    pub value: Function,
}

impl ForceSpec {
    /// A torque or force u(t, x, v) at a joint.
    pub fn actuator(name: &str, joint: &str, value: Function) -> Self {
        Self::new(name, Actuator { at: joint.into(), value })
    }
}

impl InFiles for Actuator {
    const KEYS: Keys = &["joint", "of", "along", "value"];
    const MEANT: Meant = &[(&["force", "torque", "constant", "preload"], "value")];

    /// Reads an actuator. If it acts along something else, or uses more than its joint, it becomes a
    /// [`Push`](super::Push) or a [`Law`](super::Law).
    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (block, model) = (from.block, from.model);
        if let Some(along) = &block.along {
            if block.joint.is_some() {
                e.problem(&from.at("along"), "a joint is given as well", "leave one of them out");
            }
            return e.push_along(from, along).map(ForceKind::from);
        }
        let at = e.joint_of_force(from, "actuator")?;
        let Some(value) = &block.value else {
            e.missing(from, "value", "\"an expression of t, x and v\"");
            return None;
        };
        let path = from.at("value");
        if e.reads_more(value, model, &at) {
            return e.push(&path, value, MeasuredSpec::Joint(at), model).map(ForceKind::from);
        }
        if let Some(law) = e.law(&[(path.clone(), value)], LawTarget::Joint(at.clone()), model) {
            return Some(law.into());
        }
        let value = e.function(&path, value, Need::State);
        Some(Actuator { at, value }.into())
    }
}

impl ForceModel for Actuator {
    fn build(&self, name: String, _: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let (coordinate, value) = (coordinate(system, &self.at)?, self.value.clone());
        Ok(Force::Along(Along { name, coordinate, law: LawKind::Effort(value) }))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        entry.with("type", "actuator").at(&self.at).with("value", to.function(&self.value, whose))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Actuator { at: to.at(&self.at), value: self.value.clone() }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.coordinate(&self.at)
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        system.loads.push(loads::shared(places.coordinate(&self.at)?.actuator(&self.value)?));
        Ok(())
    }
}
