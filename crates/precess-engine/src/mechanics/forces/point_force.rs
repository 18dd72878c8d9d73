//! A force at a point of a body, constant or a function of time, in the inertial or in the body frame.

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::SmallMatrix;

use super::super::function::{Argument, Function, MAX_READ};
use super::super::kernels::{Block, PairBlocks, Row, Wrench, applied};
use super::super::links::{Bodies, Derivative, Link, Parts};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::element::no_number;
use super::{Element, ForceFrame};
use crate::mechanics::combine::combine;

/// A force at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointForce<T = f64> {
    /// Name.
    pub name: String,
    /// The body.
    pub body: usize,
    /// Point of application, body frame, from the centre of mass.
    pub point: Vector3<T>,
    /// Components.
    pub force: [Function; 3],
    /// Frame of the components.
    pub frame: ForceFrame,
}

/// Three functions of time.
#[inline]
pub(crate) fn vector<T: Number>(f: &[Function; 3], t: T) -> Vector3<T> {
    Vector3::from_fn(|i, _| f[i].value(Argument::time(t)))
}

impl<T: Number> PointForce<T> {
    /// True if the force is constant in the inertial frame; then it has a potential.
    fn is_dead(&self) -> bool {
        self.frame == ForceFrame::Inertial && self.force.iter().all(|f| f.constant().is_some())
    }
}

impl<T: Number> PointForce<T> {
    /// g on its body.
    #[inline]
    fn row(&self, bodies: &Bodies<T>, at: &At<T>) -> Row<T> {
        let (pose, f) = (bodies.pose(Some(self.body), at.q), vector(&self.force, at.t));
        let b = match self.frame {
            ForceFrame::Inertial => applied::inertial_force(bodies.group, &pose, &self.point, &f),
            ForceFrame::Body => applied::body_force(bodies.group, &pose, &self.point, &f),
        };
        Row { a: Wrench::zero(), b }
    }
}

impl<T: Number> Element<T> for PointForce<T> {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn drives(&self) -> Vec<&Function> {
        self.force.iter().collect()
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        bodies.add_force(self.link(), &self.row(bodies, at), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        if !out.want().stiffness {
            return;
        }
        let (pose, f) = (bodies.pose(Some(self.body), at.q), vector(&self.force, at.t));
        let mut k = Block::zero();
        match self.frame {
            ForceFrame::Inertial => {
                applied::add_inertial_force_k(bodies.group, &pose, &self.point, &f, &mut k)
            }
            ForceFrame::Body => applied::add_body_force_k(bodies.group, &pose, &f, &mut k),
        }
        let link = self.link();
        bodies.add_blocks(link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
        if bodies.has_node(link) {
            bodies.add_bending(link, &self.row(bodies, at), None::<&PairBlocks<T>>, at, out);
        }
    }

    fn trouble(&self, _: &Bodies<T>, at: &At<T>) -> Option<String> {
        no_number(&self.force, Argument::time(at.t), &[T::zero(); MAX_READ], (&self.name, at.t))
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let f = vector(&self.force, at.t);
        let velocity = || bodies.point_velocity(Some(self.body), at, &self.point);
        match self.frame {
            _ if self.is_dead() => None,
            ForceFrame::Inertial => Some(f.inner(&velocity())),
            ForceFrame::Body => Some((bodies.pose(Some(self.body), at.q).r * f).inner(&velocity())),
        }
    }

    fn potential(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        if !self.is_dead() {
            return T::zero();
        }
        -vector(&self.force, at.t).inner(&bodies.pose(Some(self.body), at.q).point(&self.point))
    }
}

combine!(struct PointForce { name, body, point, force, frame });
