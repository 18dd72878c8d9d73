//! A force from a potential V(x) given as an expression of positions: g = D_q V.

use super::Expression;
use crate::mechanics::forces::Element;
use crate::mechanics::links::{Bodies, Link};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A potential of measured quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressedPotential {
    /// Name.
    pub name: String,
    /// V in J, which depends only on values.
    pub expression: Expression,
}

impl Element for ExpressedPotential {
    fn link(&self) -> Link {
        self.expression.span()
    }

    fn reads(&self) -> Vec<usize> {
        self.expression.bodies()
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let e = self.expression.evaluate(bodies, at, false);
        self.expression.add_force(bodies, at, &e, 1.0, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        if out.want().stiffness {
            self.expression.add_stiffness(bodies, at, 1.0, out);
        }
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        self.expression.trouble(bodies, at, 2, &format!("force '{}'", self.name))
    }

    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        self.expression.value(bodies, at)
    }

    fn power(&self, _: &Bodies, _: &At) -> Option<f64> {
        None
    }
}
