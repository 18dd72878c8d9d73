//! Bushing: an elastic bearing between two frames, undeformed in the assembled positions.
//!
//! Displacements of the point of b are measured along the axes of the frame on a, the relative rotation as the vector
//! 2 tan(angle/2) axis, which stiffens towards half a turn. The forces act at the point of b on both bodies.
//! Without any rotational stiffness and damping the rotation is not looked at, so that the bodies may spin freely.

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3};

use super::super::body::Body;
use super::super::kernels::point::{velocity, wrench};
use super::super::kernels::{
    self, Gibbs, Group, Law, Marker, Measure, Offset, Pair, PairMotion, Row, compliant,
};
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
    anchored: Option<Box<Anchored>>,
}

/// A bushing without rotational stiffness on the ground, in inertial components: its force is f = k rho + c rho' with rho the displacement of the point of b,
/// which costs less than the general formula.
#[derive(Clone, Debug, PartialEq)]
struct Anchored {
    p_a: Vector3<f64>,
    p_b: Vector3<f64>,
    k: Matrix3<f64>,
    c: Matrix3<f64>,
}

impl Anchored {
    fn new(Elastic { measure, k, c }: &Elastic<Offset<3>, 3>) -> Self {
        let inertial = |m: &Matrix3<f64>| measure.e * m * measure.e.transpose();
        Anchored { p_a: measure.p_a, p_b: measure.p_b, k: inertial(k), c: inertial(c) }
    }

    #[inline]
    fn add_force(&self, group: Group, body: &Body, at: &At, r: &mut [f64]) {
        let (pose, v) = (body.pose(at.q), body.motion(at.v));
        let rho = pose.point(&self.p_b) - self.p_a;
        let f = self.k * rho + self.c * velocity(group, &pose, &v, &self.p_b);
        body.add_wrench(&wrench(group, &pose, &self.p_b, &f), r);
    }
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

    /// The force of the law, without its derivatives.
    #[inline(always)]
    fn force(&self, pair: &Pair, v: &PairMotion) -> Row {
        let s = self.k * self.measure.value(pair) + self.c * self.measure.bv(pair, v);
        compliant::force(&self.measure, pair, &s)
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
        let anchored = match (&kind, link.a) {
            (Kind::Cartesian(elastic), None) => Some(Box::new(Anchored::new(elastic))),
            _ => None,
        };
        Bushing { name, link, kind, anchored }
    }
}

impl Element for Bushing {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        if let (Some(anchored), Some(body)) = (&self.anchored, bodies.get(self.link.b)) {
            return anchored.add_force(bodies.group, body, at, r);
        }
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
