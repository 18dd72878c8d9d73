//! Spring and damper between two points: tension s = k (l - l_0) + c l' + s_0, or from a table of force over length, or V'(l) of a potential.
//!
//! A linear spring without free length and preload is written with the distance vector as seen from body a, f = -k rho -
//! c rho', which acts at the point of b on both bodies: no singular length, and the damper leaves no moment.
//! All others need a direction: below a thousandth of the free length [`Element::trouble`] complains.

use nalgebra::{Matrix3, Vector3};

use super::super::function::Function;
use super::super::kernels::{
    Law, Length, Measure, Offset, Pair, PairMotion, SpringDamper, chain::SmoothNorm, compliant,
};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};
use super::table::Table;

/// Tension over length.
#[derive(Clone, Debug, PartialEq)]
pub enum Characteristic {
    /// Stiffness, damping, free length and preload.
    Linear(SpringDamper),
    /// Force over length, and the damping beside it.
    Table {
        /// Tension over length.
        table: Table,
        /// Damping.
        c: f64,
    },
    /// Energy over length, and the damping beside it.
    Potential {
        /// V(l) with two derivatives, as those of a motion.
        potential: Function,
        /// Damping.
        c: f64,
    },
}

/// A spring between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    /// Its tension.
    pub characteristic: Characteristic,
    measure: Length,
}

impl Spring {
    /// Between body-fixed points; `length` is the length scale of the model, a millionth of which rounds the length at
    /// zero.
    pub fn new(
        name: String,
        link: Link,
        points: [Vector3<f64>; 2],
        characteristic: Characteristic,
        length: f64,
    ) -> Self {
        let measure = Length::new(points[0], points[1], 1e-6 * length);
        Spring { name, link, characteristic, measure }
    }

    /// Stiffness and damping if the spring needs no direction.
    fn isotropic(&self) -> Option<(f64, f64)> {
        match &self.characteristic {
            Characteristic::Linear(s) if s.y0 == 0.0 && s.f0 == 0.0 => Some((s.k, s.c)),
            _ => None,
        }
    }

    fn law(&self, l: f64, rate: f64) -> Law<1> {
        match &self.characteristic {
            Characteristic::Linear(s) => s.law(l, rate),
            Characteristic::Table { table, c } => {
                let (s, s_y) = table.value(l);
                Law::scalar(s + c * rate, s_y, *c)
            }
            Characteristic::Potential { potential, c } => {
                let [_, s, s_y] = potential.motion(l);
                Law::scalar(s + c * rate, s_y, *c)
            }
        }
    }

    fn vector_law(&self, k: f64, c: f64, pair: &Pair, v: &PairMotion) -> (Offset<3>, Law<3>) {
        let points = &self.measure.inner;
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let measure = Offset::displacement(axes, points.p_a, points.p_b);
        let identity = Matrix3::identity();
        let law = Law::linear(&(identity * k), &(identity * c), &measure.value(pair), &measure.bv(pair, v));
        (measure, law)
    }

    /// Length, its rate and the tension.
    pub fn state(&self, bodies: &Bodies, at: &At) -> [f64; 3] {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        let sharp = Length { outer: SmoothNorm { eps: f64::MIN_POSITIVE }, ..self.measure };
        let (l, rate) = (sharp.value(&pair).x, sharp.bv(&pair, &v).x);
        [l, rate, self.law(l, rate).s.x]
    }
}

impl Element for Spring {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
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
        bodies.add_force(self.link, &g, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        match self.isotropic() {
            Some((k, c)) => {
                let (measure, law) = self.vector_law(k, c, &pair, &v);
                add_compliant_tangents(bodies, self.link, &measure, (&pair, &v), &law, out);
            }
            None => {
                let law = self.law(self.measure.value(&pair).x, self.measure.bv(&pair, &v).x);
                add_compliant_tangents(bodies, self.link, &self.measure, (&pair, &v), &law, out);
            }
        }
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let c = match &self.characteristic {
            Characteristic::Linear(s) => s.c,
            Characteristic::Table { c, .. } | Characteristic::Potential { c, .. } => *c,
        };
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        let at = (&pair, &v);
        (c != 0.0).then(|| match self.isotropic() {
            Some(_) => compliant_power(&self.vector_law(0.0, c, &pair, &v).0, at, |rate| rate * c),
            None => compliant_power(&self.measure, at, |rate| rate * c),
        })
    }

    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        let pair = bodies.pair(self.link, at.q);
        match &self.characteristic {
            Characteristic::Linear(s) if self.isotropic().is_some() => {
                0.5 * s.k * self.measure.inner.value(&pair).norm_squared()
            }
            Characteristic::Linear(s) => {
                let x = self.measure.value(&pair).x - s.y0;
                x * (0.5 * s.k * x + s.f0)
            }
            Characteristic::Table { table, .. } => table.integral(self.measure.value(&pair).x),
            Characteristic::Potential { potential, .. } => potential.motion(self.measure.value(&pair).x)[0],
        }
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        let Characteristic::Linear(s) = &self.characteristic else { return None };
        let [l, _, _] = self.state(bodies, at);
        (l < 1e-3 * s.y0).then(|| {
            format!(
                "spring '{}' has shrunk to {l:.3e} m, less than a thousandth of its free length: its direction is not defined",
                self.name
            )
        })
    }
}
