//! `type = "potential"`: a potential of coordinates, distances, angles and joint coordinates.

use super::*;
use crate::mechanics::expressed;
use crate::model::build_expressed::expression;
use crate::model::expressed::ExpressedSpec;
use crate::model::measured::Allowed;

const ALLOWED: Allowed =
    Allowed { time: false, rates: false, algebraic: false, smooth: 2, what: "a potential" };

/// A potential of measured quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// V in J.
    pub expression: ExpressedSpec,
}

impl InFiles for Potential {
    const KEYS: Keys = &["potential"];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let Some(potential) = &from.block.potential else {
            let message = format!("potential '{}' has no potential", from.name);
            e.problem(from.path, message, "add potential = \"an expression of positions\"");
            return None;
        };
        let expression = e.read(&from.at("potential"), potential, from.model, None, ALLOWED)?;
        Some(Potential { expression }.into())
    }
}

impl ForceModel for Potential {
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let expression = expression(names.model, system, &self.expression)?;
        Ok(Force::Custom(Arc::new(expressed::ExpressedPotential { name, expression })))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Potential { expression: to.expressed(&self.expression) }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.expression(&self.expression)
    }

    fn in_directors(&self, name: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        system.terms.push(places.potential(name, &self.expression)?);
        Ok(())
    }
}
