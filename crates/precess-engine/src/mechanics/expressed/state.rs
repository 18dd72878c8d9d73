//! First-order states c' = h(..) and algebraic variables 0 = h(..) given as expressions (LA, Remark 2.3).

use nalgebra::Matrix1;

use super::{Expression, VelocityColumn, entries};
use crate::mechanics::links::Bodies;
use crate::mechanics::part::Part;
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A first-order state: the velocity of a factor R of the configuration space with mass one, like those of
/// controls.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstOrder {
    /// Name, unique in its model.
    pub name: String,
    /// c' as a function of all variables.
    pub rate: Expression,
    /// Its index in v.
    pub state: usize,
}

impl Part for FirstOrder {
    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        self.rate.trouble(bodies, at, 1, &format!("state '{}'", self.name))
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        r[self.state] += at.vdot[self.state] - self.rate.value(bodies, at);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let want = out.want();
        out.mass_diagonal(self.state, 1, 1.0);
        let out = std::cell::RefCell::new(out);
        self.rate.each_slope(
            bodies,
            at,
            |j, x| {
                if want.stiffness {
                    entries(j, x, -1.0, |j, x| out.borrow_mut().stiffness(self.state, j, x));
                }
            },
            |VelocityColumn(j), x| {
                if want.c_d != 0.0 {
                    out.borrow_mut().damping(self.state, j, &Matrix1::new(-x));
                }
            },
            |j, x| out.borrow_mut().force_of_s(self.state, j, &Matrix1::new(-x)),
        );
    }
}

/// An algebraic variable, determined by 0 = h(t, positions, algebraic variables).
#[derive(Clone, Debug, PartialEq)]
pub struct Algebraic {
    /// Name, unique in its model.
    pub name: String,
    /// h, which depends on values, time and algebraic variables.
    pub equation: Expression,
    /// Its index in s.
    pub place: usize,
}

impl Part for Algebraic {
    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        self.equation.trouble(bodies, at, 1, &format!("algebraic variable '{}'", self.name))
    }

    fn algebraic(&self, bodies: &Bodies, at: &At, out: &mut [f64]) {
        out[self.place] = self.equation.value(bodies, at);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let out = std::cell::RefCell::new(out);
        self.equation.each_slope(
            bodies,
            at,
            |j, x| entries(j, x, 1.0, |j, x| out.borrow_mut().algebraic_of_q(self.place, j, x)),
            |_, _| {},
            |j, x| out.borrow_mut().algebraic_of_s(self.place, j, &Matrix1::new(x)),
        );
    }
}
