//! Spring and damper between two points: tension s = k (l - l_0) + c l' + s_0, or from a table of force over
//! length, or V'(l) of a potential.
//!
//! A linear spring without free length and preload uses the distance vector as seen from body a, f = -k rho -
//! c rho', which acts at the point of b on both bodies. So there is no singular length, and the damper causes
//! no moment. All others need a direction: below a thousandth of the free length [`Element::trouble`] reports
//! a problem.

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, identity};

use super::super::function::{Argument, Function, MAX_READ};
use super::super::kernels::{
    CompliantLaw, Length, Measure, Offset, Pair, PairMotion, Row, SpringDamper, chain::SmoothNorm, compliant,
};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power, no_number};
use super::table::Tables;
use crate::mechanics::combine::combine;

/// Tension over length.
#[derive(Clone, Debug, PartialEq)]
pub enum Characteristic<T = f64> {
    /// Stiffness, damping, free length and preload.
    Linear(SpringDamper<T>),
    /// Force over length, and additional damping.
    Table {
        /// Tension over length.
        table: Tables,
        /// Damping.
        c: T,
    },
    /// Energy over length, and additional damping.
    Potential {
        /// V(l) with two derivatives, in the form of a motion.
        potential: Function,
        /// Damping.
        c: T,
    },
}

/// A spring between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring<T = f64> {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    /// Its tension.
    pub characteristic: Characteristic<T>,
    measure: Length<T>,
    /// True if it needs no direction.
    is_vector: bool,
}

impl<T: Number> Spring<T> {
    /// A spring between body-fixed points; `length` is the length scale of the model, a millionth of which
    /// rounds the length at zero.
    pub fn new(
        name: String,
        link: Link,
        points: [Vector3<T>; 2],
        characteristic: Characteristic<T>,
        length: T,
    ) -> Self {
        let measure = Length::new(points[0], points[1], T::of(1e-6) * length);
        let is_vector = match &characteristic {
            Characteristic::Linear(s) => s.y0.is_zero() && s.f0.is_zero(),
            _ => false,
        };
        Spring { name, link, characteristic, measure, is_vector }
    }

    /// Stiffness and damping if the spring needs no direction.
    fn isotropic(&self) -> Option<(T, T)> {
        match &self.characteristic {
            Characteristic::Linear(s) if self.is_vector => Some((s.k, s.c)),
            _ => None,
        }
    }

    fn law(&self, l: T, rate: T) -> CompliantLaw<1, T> {
        match &self.characteristic {
            Characteristic::Linear(s) => s.law(l, rate),
            Characteristic::Table { table, c } => {
                let [s, s_y] = table.at(l);
                CompliantLaw::scalar(s + *c * rate, s_y, *c)
            }
            Characteristic::Potential { potential, c } => {
                let [_, s, s_y] = potential.motion(l);
                CompliantLaw::scalar(s + *c * rate, s_y, *c)
            }
        }
    }

    fn vector_law(
        &self,
        k: T,
        c: T,
        pair: &Pair<T>,
        v: &PairMotion<T>,
    ) -> (Offset<3, T>, CompliantLaw<3, T>) {
        let points = &self.measure.inner;
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let measure = Offset::displacement(axes, points.p_a, points.p_b);
        let identity = identity();
        let law = CompliantLaw::linear(
            &(identity * k),
            &(identity * c),
            &measure.value(pair),
            &measure.bv(pair, v),
        );
        (measure, law)
    }

    /// Length, its rate and the tension.
    pub fn state(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 3] {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let sharp = Length { outer: SmoothNorm { eps: T::of(f64::MIN_POSITIVE) }, ..self.measure };
        let (l, rate) = (sharp.value(&pair).x, sharp.bv(&pair, &v).x);
        [l, rate, self.law(l, rate).s.x]
    }

    /// Gradient of the length, and of its rate for the positions.
    pub(crate) fn length_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> (Row<T>, Row<T>) {
        let ([row], [turned]) = (self.measure.rows(pair), self.measure.y_rows(pair, v));
        (row, turned)
    }

    /// The tension and its derivatives for the length and its rate.
    pub(crate) fn tension_slopes(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 3] {
        let [l, rate, _] = self.state(bodies, at);
        let law = self.law(l, rate);
        [law.s.x, law.s_y.x, law.s_rate.x]
    }
}

impl<T: Number> Element<T> for Spring<T> {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let g = match self.isotropic() {
            Some((k, c)) => {
                let (measure, law) = self.vector_law(k, c, &pair, &v);
                compliant::force(&measure, &pair, &law.s)
            }
            None => {
                let law = self.law(self.measure.value(&pair).x, self.measure.bv(&pair, &v).x);
                compliant::force(&self.measure, &pair, &law.s)
            }
        };
        bodies.add_force(self.link, &g, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        match self.isotropic() {
            Some((k, c)) => {
                let (measure, law) = self.vector_law(k, c, &pair, &v);
                add_compliant_tangents(bodies, self.link, &measure, (&pair, &v), &law, at, out);
            }
            None => {
                let law = self.law(self.measure.value(&pair).x, self.measure.bv(&pair, &v).x);
                add_compliant_tangents(bodies, self.link, &self.measure, (&pair, &v), &law, at, out);
            }
        }
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let c = match &self.characteristic {
            Characteristic::Linear(s) => s.c,
            Characteristic::Table { c, .. } | Characteristic::Potential { c, .. } => *c,
        };
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let at = (&pair, &v);
        (!c.is_zero()).then(|| match self.isotropic() {
            Some(_) => compliant_power(&self.vector_law(T::zero(), c, &pair, &v).0, at, |rate| rate * c),
            None => compliant_power(&self.measure, at, |rate| rate * c),
        })
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let pair = bodies.pair(self.link, at.q);
        match &self.characteristic {
            Characteristic::Linear(s) if self.isotropic().is_some() => {
                let y = self.measure.inner.value(&pair);
                T::of(0.5) * s.k * y.inner(&y)
            }
            Characteristic::Linear(s) => {
                let x = self.measure.value(&pair).x - s.y0;
                x * (T::of(0.5) * s.k * x + s.f0)
            }
            Characteristic::Table { table, .. } => table.energy(self.measure.value(&pair).x),
            Characteristic::Potential { potential, .. } => potential.motion(self.measure.value(&pair).x)[0],
        }
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let [l, _, _] = self.state(bodies, at);
        if let Characteristic::Potential { potential, .. } = &self.characteristic {
            let (potential, here) = (std::slice::from_ref(potential), Argument::time(l));
            return no_number(potential, here, &[T::zero(); MAX_READ], (&self.name, at.t));
        }
        let Characteristic::Linear(s) = &self.characteristic else { return None };
        let l = l.first();
        (l < 1e-3 * s.y0.first()).then(|| {
            format!(
                "spring '{}' has shrunk to {l:.3e} m, less than a thousandth of its free length: its \
                 direction is not defined",
                self.name
            )
        })
    }
}

combine!(enum Characteristic { Linear(x), Table { table, c }, Potential { potential, c } });
combine!(struct Spring { name, link, characteristic, measure, is_vector });
