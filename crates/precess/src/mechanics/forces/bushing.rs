//! Bushing: an elastic bearing between two frames, undeformed in the assembled positions.
//!
//! Displacements of the point of b are measured along the axes of the frame on a, the relative rotation as the vector
//! 2 tan(angle/2) axis, which stiffens towards half a turn. The forces act at the point of b on both bodies.
//! Without any rotational stiffness and damping the rotation is not looked at, so that the bodies may spin freely.

use nalgebra::{Matrix6, SMatrix};

use super::super::kernels::{self, Gibbs, Law, Marker, Measure, Offset, Pair, PairMotion, Row, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};

/// An elastic bearing.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Translations only.
    Cartesian(Box<Elastic<Offset<3>, 3>>),
    /// All six motions.
    Full(Box<Elastic<kernels::Bushing, 6>>),
}

/// The linear law s = k y + c y' on N measures.
#[derive(Clone, Debug, PartialEq)]
struct Elastic<M, const N: usize> {
    measure: M,
    k: SMatrix<f64, N, N>,
    c: SMatrix<f64, N, N>,
}

impl<M: Measure<N>, const N: usize> Elastic<M, N> {
    fn law(&self, pair: &Pair, v: &PairMotion) -> Law<N> {
        Law::linear(&self.k, &self.c, &self.measure.value(pair), &self.measure.bv(pair, v))
    }

    fn force(&self, pair: &Pair, v: &PairMotion) -> Row {
        compliant::force(&self.measure, pair, &self.law(pair, v).s)
    }

    fn tangents(&self, bodies: &Bodies, link: Link, at: (&Pair, &PairMotion), out: &mut Tangents) {
        add_compliant_tangents(bodies, link, &self.measure, at, &self.law(at.0, at.1), out);
    }

    /// Power of the damper and of the antisymmetric part of k.
    fn power(&self, pair: &Pair, v: &PairMotion) -> Option<f64> {
        let twist = (self.k - self.k.transpose()) * 0.5;
        (self.c.amax() != 0.0 || twist.amax() != 0.0).then(|| {
            let y = self.measure.value(pair);
            compliant_power(&self.measure, (pair, v), |rate| self.c * rate + twist * y)
        })
    }

    /// y^T k y / 2; an unsymmetric k has no potential beyond its symmetric part.
    fn potential(&self, pair: &Pair) -> f64 {
        let y = self.measure.value(pair);
        0.5 * y.dot(&(self.k * y))
    }
}

impl Bushing {
    /// Between two markers with stiffness k and damping c, translations before rotations.
    pub fn new(name: String, link: Link, a: &Marker, b: &Marker, k: Matrix6<f64>, c: Matrix6<f64>) -> Self {
        let measure = kernels::Bushing::new(a, b);
        let rotates = |m: &Matrix6<f64>| {
            m.fixed_view::<6, 3>(0, 3).amax() > 0.0 || m.fixed_view::<3, 6>(3, 0).amax() > 0.0
        };
        let kind = if rotates(&k) || rotates(&c) {
            Kind::Full(Box::new(Elastic { measure, k, c }))
        } else {
            let corner = |m: &Matrix6<f64>| m.fixed_view::<3, 3>(0, 0).into_owned();
            Kind::Cartesian(Box::new(Elastic { measure: measure.offset, k: corner(&k), c: corner(&c) }))
        };
        Bushing { name, link, kind }
    }
}

impl Element for Bushing {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        let g = match &self.kind {
            Kind::Cartesian(elastic) => elastic.force(&pair, &v),
            Kind::Full(elastic) if elastic.measure.gibbs.margin(&pair) < Gibbs::MIN_MARGIN => {
                elastic.force(&pair, &v) * f64::NAN
            }
            Kind::Full(elastic) => elastic.force(&pair, &v),
        };
        bodies.add_force(self.link, &g, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        match &self.kind {
            Kind::Cartesian(elastic) => elastic.tangents(bodies, self.link, (&pair, &v), out),
            Kind::Full(elastic) => elastic.tangents(bodies, self.link, (&pair, &v), out),
        }
    }

    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        match &self.kind {
            Kind::Cartesian(elastic) => elastic.power(&pair, &v),
            Kind::Full(elastic) => elastic.power(&pair, &v),
        }
    }

    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        let pair = bodies.pair(self.link, at.q);
        match &self.kind {
            Kind::Cartesian(elastic) => elastic.potential(&pair),
            Kind::Full(elastic) => elastic.potential(&pair),
        }
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        let Kind::Full(elastic) = &self.kind else { return None };
        let margin = elastic.measure.gibbs.margin(&bodies.pair(self.link, at.q));
        (!(margin >= Gibbs::MIN_MARGIN)).then(|| {
            format!(
                "bushing '{}' is twisted by more than 161 degrees, where its rotation is not defined; it is meant for \
                 small rotations",
                self.name
            )
        })
    }
}
