//! `type = "joint-spring"`: a spring and damper of a joint coordinate, linear or given by a table.

use super::*;
use crate::mechanics::forces::along::elastic::Characteristic;
use crate::mechanics::forces::table::Tables;

/// A linear spring and damper.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpring {
    /// Joint.
    pub at: At,
    /// Its law.
    pub law: SpringDamper,
}

/// A spring given by a table, with a damper.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTable {
    /// Joint.
    pub at: At,
    /// Effort over coordinate.
    pub table: Tables,
    /// Damping.
    pub damping: f64,
}

impl InFiles for JointSpring {
    const KEYS: Keys = &["joint", "of", "stiffness", "damping", "rest", "preload", "table", "interpolation"];
    const MEANT: Meant =
        &[(&["free_length"], "rest"), (&["torque", "force", "constant", "value"], "preload")];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (block, at) = (from.block, e.joint_of_force(from, "force")?);
        if block.table.is_some() {
            e.exclude(from, "a table", &["stiffness", "rest", "preload"]);
            let damping = e.scalar(&from.at("damping"), &block.damping);
            let table = e.table(from, e.coordinate_and_effort())?;
            return Some(JointTable { at, table, damping }.into());
        }
        if block.interpolation.is_some() {
            e.problem(&from.at("interpolation"), "there is no table to interpolate", "");
        }
        if block.stiffness.is_none() && block.damping.is_none() {
            e.missing(from, "stiffness", "k");
        }
        Some(JointSpring { at, law: e.spring_damper(from) }.into())
    }
}

impl ForceModel for JointSpring {
    fn build(&self, name: String, _: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let coordinate = coordinate(system, &self.at)?;
        Ok(Force::Along(Along { name, coordinate, law: LawKind::Elastic(Characteristic::Linear(self.law)) }))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        entry.with("type", "joint-spring").at(&self.at).law(&self.law, "rest")
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        JointSpring { at: to.at(&self.at), law: self.law }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.coordinate(&self.at)
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let coordinate = places.coordinate(&self.at)?;
        system.terms.push(coordinate.spring(&self.law));
        if self.law.c != 0.0 {
            system.loads.push(loads::shared(coordinate.damper(self.law.c)?));
        }
        Ok(())
    }
}

impl ForceModel for JointTable {
    fn build(&self, name: String, _: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let coordinate = coordinate(system, &self.at)?;
        let law = Characteristic::Table { table: self.table.clone(), c: self.damping };
        Ok(Force::Along(Along { name, coordinate, law: LawKind::Elastic(law) }))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        to.table(entry.with("type", "joint-spring").at(&self.at), &self.table, self.damping, whose)
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        JointTable { at: to.at(&self.at), table: self.table.clone(), damping: self.damping }.into()
    }
}
