//! User-defined forces in Rust: a function of the relative position of two points, or anything that
//! implements [`Element`].

use std::fmt;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::super::kernels::{CompliantLaw, Measure, Pair, PairMotion, Point, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};

type PointFunction = dyn Fn(f64, Vector3<f64>, Vector3<f64>) -> Vector3<f64> + Send + Sync;

/// The force on the second of two points as a function of time, of its position relative to the first and of
/// the rate of that, all in the inertial frame. Two laws are equal if they are the same function in memory.
#[derive(Clone)]
pub struct PointLaw(Arc<PointFunction>);

impl PointLaw {
    /// A law f(t, x, x').
    pub fn new(f: impl Fn(f64, Vector3<f64>, Vector3<f64>) -> Vector3<f64> + Send + Sync + 'static) -> Self {
        PointLaw(Arc::new(f))
    }

    /// Its derivative along the columns of x or x', by central differences.
    fn slope(&self, t: f64, x: Vector3<f64>, v: Vector3<f64>, of_rate: bool) -> Matrix3<f64> {
        let size = if of_rate { v.amax() } else { x.amax() };
        let step = 6e-6 * size.max(1e-3);
        let column = |j: usize| {
            let d = Vector3::ith(j, step);
            let at = |sign: f64| match of_rate {
                true => (self.0)(t, x, v + d * sign),
                false => (self.0)(t, x + d * sign, v),
            };
            (at(1.0) - at(-1.0)) / (2.0 * step)
        };
        Matrix3::from_columns(&[column(0), column(1), column(2)])
    }
}

impl fmt::Debug for PointLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PointLaw")
    }
}

impl PartialEq for PointLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Any force, shared. Two are equal if they are the same object in memory.
#[derive(Clone, Debug)]
pub struct OwnElement(pub Arc<dyn Element>);

impl PartialEq for OwnElement {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A law between two points of bodies. Action equals reaction; if the points are apart, the force acts at
/// both.
#[derive(Clone, Debug)]
pub struct PointForceLaw {
    /// The bodies.
    pub link: Link,
    /// The points in the body frames, from the centres of mass.
    pub points: [Vector3<f64>; 2],
    /// The law.
    pub law: PointLaw,
}

impl PointForceLaw {
    /// The measure is the first point minus the second: x is minus its value.
    fn parts(&self, bodies: &Bodies, at: &At) -> (Point, Pair, PairMotion, Vector3<f64>, Vector3<f64>) {
        let measure = Point::difference(self.points[0], self.points[1]);
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let (x, rate) = (-measure.value(&pair), -measure.bv(&pair, &v));
        (measure, pair, v, x, rate)
    }
}

impl Element for PointForceLaw {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (measure, pair, _, x, rate) = self.parts(bodies, at);
        // s is conjugate to y = -x and opposes it, like the force on the second point.
        let s = (self.law.0)(at.t, x, rate);
        bodies.add_force(self.link, &compliant::force(&measure, &pair, &s), at, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (measure, pair, v, x, rate) = self.parts(bodies, at);
        let law = CompliantLaw {
            s: (self.law.0)(at.t, x, rate),
            s_y: -self.law.slope(at.t, x, rate, false),
            s_rate: -self.law.slope(at.t, x, rate, true),
        };
        add_compliant_tangents(bodies, self.link, &measure, (&pair, &v), &law, at, out);
    }

    /// All of its work counts, since a user-defined law has no known potential.
    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let (measure, pair, v, x, rate) = self.parts(bodies, at);
        Some(compliant_power(&measure, (&pair, &v), |_| (self.law.0)(at.t, x, rate)))
    }
}
