//! A force u along a measured quantity, given as an expression of time, positions, rates, states and
//! algebraic variables: g = -B^T u.

use nalgebra::Matrix1;

use super::{Expression, VelocityColumn, entries};
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::forces::Element;
use crate::mechanics::links::{Bodies, Link};
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A force along a measured quantity: a positive force increases it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressedLoad {
    /// Name.
    pub name: String,
    /// The quantity on which it acts.
    pub driven: Coordinate,
    /// u in N or N m.
    pub expression: Expression,
}

impl Element for ExpressedLoad {
    fn link(&self) -> Link {
        self.driven.link
    }

    fn reads(&self) -> Vec<usize> {
        self.expression.bodies()
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let u = self.expression.value(bodies, at);
        bodies.add_force(self.driven.link, &self.driven.force(bodies, at, -u), at, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let want = out.want();
        let (link, row) = (self.driven.link, self.driven.row(bodies, at));
        let out = std::cell::RefCell::new(out);
        let force = |x: f64, put: &dyn Fn(usize, &Matrix1<f64>)| {
            bodies.put_entries(link, &row, at, |i, y| entries(i, y, -x, put));
        };
        self.expression.each_slope(
            bodies,
            at,
            |j, x| {
                if want.stiffness {
                    entries(j, x, 1.0, |j, x| force(x[0], &|i, y| out.borrow_mut().stiffness(i, j, y)));
                }
            },
            |VelocityColumn(j), x| {
                if want.c_d != 0.0 {
                    force(x, &|i, y| out.borrow_mut().damping(i, j, y));
                }
            },
            |j, x| force(x, &|i, y| out.borrow_mut().force_of_s(i, j, y)),
        );
        if want.stiffness {
            let u = self.expression.value(bodies, at);
            self.driven.add_stiffness(bodies, at, -u, &mut out.borrow_mut());
        }
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        self.expression.trouble(bodies, at, 1, &format!("force '{}'", self.name))
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        Some(self.expression.value(bodies, at) * self.driven.rate(bodies, at))
    }
}
