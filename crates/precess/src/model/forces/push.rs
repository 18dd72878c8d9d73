//! An actuator along a distance or a coordinate of a point, or one whose value uses more than its joint:
//! positions, states, algebraic variables.

use super::*;
use crate::mechanics::expressed::ExpressedLoad;
use crate::model::build_expressed::{expression, measured};
use crate::model::expressed::{ExpressedSpec, MeasuredSpec};
use crate::model::measured::{Allowed, read_measured};
use crate::model::number::Number;

const ALLOWED: Allowed = Allowed { time: true, rates: true, algebraic: true, smooth: 1, what: "an actuator" };

/// A force along a measured quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The quantity on which it acts.
    pub driven: MeasuredSpec,
    /// u in N or N m.
    pub expression: ExpressedSpec,
}

impl Evaluator {
    /// A force along a measured quantity.
    pub(super) fn push_along(&mut self, from: Written, text: &str) -> Option<Push> {
        let text = self.numbered(text);
        let driven = self.with_known(from.model, None, |known| read_measured(&text, known));
        let help = "write bead.x, distance(a, b) or a joint";
        let driven = driven.map_err(|e| self.problem(&from.at("along"), e, help)).ok()?;
        let Some(value) = &from.block.value else {
            self.problem(from.path, "it has no value", "add value = \"an expression\"");
            return None;
        };
        self.push(&from.at("value"), value, driven, from.model)
    }

    /// An actuator whose value uses more than t, x and v.
    pub(super) fn push(
        &mut self,
        path: &str,
        value: &Number,
        driven: MeasuredSpec,
        model: &Model,
    ) -> Option<Push> {
        let expression = self.read(path, value, model, Some(driven.clone()), ALLOWED)?;
        Some(Push { driven, expression })
    }
}

impl Push {
    fn load(&self, name: String, names: &Names, system: &mut Multibody) -> Result<ExpressedLoad, Error> {
        let driven = measured(names.model, system, &self.driven)?;
        Ok(ExpressedLoad { name, driven, expression: expression(names.model, system, &self.expression)? })
    }
}

impl ForceModel for Push {
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error> {
        Ok(Force::Custom(Arc::new(self.load(name, names, system)?)))
    }

    fn add(&self, name: &str, names: &Names, system: &mut Multibody, switch: Switch) -> Result<(), Error> {
        let load = self.load(name.to_string(), names, system)?;
        system.add_load(load, switch);
        Ok(())
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Push { driven: to.measured(&self.driven), expression: to.expressed(&self.expression) }.into()
    }
}
