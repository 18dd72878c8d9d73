//! Bushing: an elastic bearing between two frames, undeformed in the assembled positions.
//!
//! Displacements of the point of b are measured along the axes of the frame on a, the relative rotation as
//! the vector 2 tan(angle/2) axis, which stiffens towards half a turn. The forces act at the point of b on
//! both bodies. Without any rotational stiffness and damping the rotation is not evaluated, so the bodies may
//! spin freely.

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3};
use precess_lie::Number;
use precess_lie::matrix::SmallMatrix;

use super::super::body::Body;
use super::super::kernels::point::{velocity, wrench};
use super::super::kernels::{
    self, CompliantLaw, Gibbs, Group, Marker, Measure, Offset, Pair, PairMotion, Row, compliant,
};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::{add_compliant_tangents, compliant_power};
use crate::mechanics::combine::{Combine, combine, fields};

/// An elastic bearing.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing<T = f64> {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    kind: BushingKind<T>,
    anchored: Option<Box<Anchored<T>>>,
}

/// A bushing without rotational stiffness on the ground, in inertial components: its force is f = k rho + c
/// rho' with rho the displacement of the point of b, which costs less than the general formula.
#[derive(Clone, Debug, PartialEq)]
struct Anchored<T = f64> {
    p_a: Vector3<T>,
    p_b: Vector3<T>,
    k: Matrix3<T>,
    c: Matrix3<T>,
}

impl<T: Number> Anchored<T> {
    fn new(LinearLaw { measure, k, c }: &LinearLaw<Offset<3, T>, 3, T>) -> Self {
        let inertial = |m: &Matrix3<T>| measure.e * m * measure.e.transpose();
        Anchored { p_a: measure.p_a, p_b: measure.p_b, k: inertial(k), c: inertial(c) }
    }

    #[inline(always)]
    fn add_force(&self, group: Group, body: &Body<T>, at: &At<T>, r: &mut [T]) {
        let (pose, v) = (body.pose(at.q), body.motion(at.v));
        let rho = pose.point(&self.p_b) - self.p_a;
        let f = self.k * rho + self.c * velocity(group, &pose, &v, &self.p_b);
        body.add_wrench(&wrench(group, &pose, &self.p_b, &f), r);
    }
}

#[derive(Clone, Debug, PartialEq)]
enum BushingKind<T = f64> {
    /// Translations only.
    Cartesian(Box<LinearLaw<Offset<3, T>, 3, T>>),
    /// All six motions.
    Full(Box<LinearLaw<kernels::BushingMeasure<T>, 6, T>>),
}

/// The linear law s = k y + c y' on N measures.
#[derive(Clone, Debug, PartialEq)]
struct LinearLaw<M, const N: usize, T> {
    measure: M,
    k: SMatrix<T, N, N>,
    c: SMatrix<T, N, N>,
}

impl<T: Number, M: Measure<N, T>, const N: usize> LinearLaw<M, N, T> {
    #[inline(always)]
    fn law(&self, pair: &Pair<T>, v: &PairMotion<T>) -> CompliantLaw<N, T> {
        CompliantLaw::linear(&self.k, &self.c, &self.measure.value(pair), &self.measure.bv(pair, v))
    }

    /// The force of the law, without its derivatives.
    #[inline(always)]
    fn force(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Row<T> {
        let s = self.k * self.measure.value(pair) + self.c * self.measure.bv(pair, v);
        compliant::force(&self.measure, pair, &s)
    }

    #[inline(always)]
    fn tangents(
        &self,
        bodies: &Bodies<T>,
        link: Link,
        (pair, v): (&Pair<T>, &PairMotion<T>),
        at: &At<T>,
        out: &mut Tangents<T>,
    ) {
        add_compliant_tangents(bodies, link, &self.measure, (pair, v), &self.law(pair, v), at, out);
    }

    /// Power of the damper and of the antisymmetric part of k.
    fn power(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Option<T> {
        let twist = (self.k - self.k.transpose()) * T::of(0.5);
        (!T::all_zero(self.c.iter()) || !T::all_zero(twist.iter())).then(|| {
            let y = self.measure.value(pair);
            compliant_power(&self.measure, (pair, v), |rate| self.c * rate + twist * y)
        })
    }

    /// y^T k y / 2; an unsymmetric k has no potential beyond its symmetric part.
    fn potential(&self, pair: &Pair<T>) -> T {
        let y = self.measure.value(pair);
        T::of(0.5) * y.inner(&(self.k * y))
    }
}

impl<T: Number> Bushing<T> {
    /// A bushing between two markers with stiffness k and damping c, translations before rotations.
    pub fn new(name: String, link: Link, a: &Marker<T>, b: &Marker<T>, k: Matrix6<T>, c: Matrix6<T>) -> Self {
        let measure = kernels::BushingMeasure::new(a, b);
        let rotates = |m: &Matrix6<T>| {
            !T::all_zero(m.fixed_view::<6, 3>(0, 3).iter()) || !T::all_zero(m.fixed_view::<3, 6>(3, 0).iter())
        };
        let kind = if rotates(&k) || rotates(&c) {
            BushingKind::Full(Box::new(LinearLaw { measure, k, c }))
        } else {
            let corner = |m: &Matrix6<T>| m.fixed_view::<3, 3>(0, 0).into_owned();
            BushingKind::Cartesian(Box::new(LinearLaw {
                measure: measure.offset,
                k: corner(&k),
                c: corner(&c),
            }))
        };
        let anchored = match (&kind, link.a) {
            (BushingKind::Cartesian(elastic), None) => Some(Box::new(Anchored::new(elastic))),
            _ => None,
        };
        Bushing { name, link, kind, anchored }
    }

    #[inline(always)]
    fn add_force(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        if let (Some(anchored), Some(body)) = (&self.anchored, bodies.get(self.link.b)) {
            return anchored.add_force(bodies.group, body, at, r);
        }
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        let g = match &self.kind {
            BushingKind::Cartesian(elastic) => elastic.force(&pair, &v),
            BushingKind::Full(elastic) => {
                let margin = elastic.measure.gibbs.margin(&pair);
                let twisted = T::of(Gibbs::MIN_MARGIN) - margin;
                elastic.force(&pair, &v) * twisted.if_positive(T::of(f64::NAN), T::one())
            }
        };
        bodies.add_force(self.link, &g, at, r);
    }

    #[inline(always)]
    fn add_tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        match &self.kind {
            BushingKind::Cartesian(elastic) => elastic.tangents(bodies, self.link, (&pair, &v), at, out),
            BushingKind::Full(elastic) => elastic.tangents(bodies, self.link, (&pair, &v), at, out),
        }
    }
}

impl<T: Number> Element<T> for Bushing<T> {
    fn link(&self) -> Link {
        self.link
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        T::vectorize(
            #[inline(always)]
            || self.add_force(bodies, at, r),
        );
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        T::vectorize(
            #[inline(always)]
            || self.add_tangents(bodies, at, out),
        );
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        match &self.kind {
            BushingKind::Cartesian(elastic) => elastic.power(&pair, &v),
            BushingKind::Full(elastic) => elastic.power(&pair, &v),
        }
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let pair = bodies.pair(self.link, at.q);
        match &self.kind {
            BushingKind::Cartesian(elastic) => elastic.potential(&pair),
            BushingKind::Full(elastic) => elastic.potential(&pair),
        }
    }

    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        let BushingKind::Full(elastic) = &self.kind else { return None };
        let margin = elastic.measure.gibbs.margin(&bodies.pair(self.link, at.q));
        (!(margin.first() >= Gibbs::MIN_MARGIN)).then(|| {
            format!(
                "bushing '{}' is twisted by more than 161 degrees, where its rotation is not defined; it is \
                 meant for \
                 small rotations",
                self.name
            )
        })
    }
}

combine!(
    enum BushingKind {
        Cartesian(x),
        Full(x),
    }
);
combine!(struct Anchored { p_a, p_b, k, c });
combine!(struct Bushing { name, link, kind, anchored });

impl<M: Combine, const N: usize> Combine for LinearLaw<M, N, f64> {
    type With<T: Number> = LinearLaw<M::With<T>, N, T>;
    fields!(LinearLaw { measure, k, c });
}
