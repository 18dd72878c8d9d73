//! Spring of a joint coordinate given by a table of effort over coordinate, with an additional damper.

use precess_lie::Number;

use super::super::coordinate::{Coordinate, Reading};
use super::super::kernels::{CompliantLaw, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;
use super::table::Tables;
use crate::mechanics::combine::combine;

/// A spring at a joint whose effort is a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTable<T = f64> {
    /// Name.
    pub name: String,
    /// The coordinate.
    pub coordinate: Coordinate<T>,
    /// Effort over coordinate; a positive effort reduces the coordinate.
    pub table: Tables,
    /// Damping.
    pub c: T,
}

impl<T: Number> JointTable<T> {
    fn law(&self, c: &Reading<T>) -> CompliantLaw<1, T> {
        let [s, s_y] = self.table.at(c.x);
        CompliantLaw::scalar(s + self.c * c.rate, s_y, self.c)
    }
}

impl<T: Number> Element<T> for JointTable<T> {
    fn link(&self) -> Link {
        self.coordinate.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let c = self.coordinate.read(bodies, at);
        let g = compliant::force(&self.coordinate.motion, &c.pair, &self.law(&c).s);
        bodies.add_force(self.coordinate.link, &g, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let c = self.coordinate.read(bodies, at);
        let (law, motion) = (self.law(&c), &self.coordinate.motion);
        add_compliant_tangents(bodies, self.coordinate.link, motion, (&c.pair, &c.v), &law, at, out);
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        (!self.c.is_zero()).then(|| {
            let rate = self.coordinate.read(bodies, at).rate;
            -self.c * rate * rate
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.table.energy(self.coordinate.position(bodies, at))
    }
}

combine!(struct JointTable { name, coordinate, table, c });
