//! A torque on a body, constant or a function of time, in the inertial or in the body frame.
//!
//! A torque that is constant in the inertial frame is not conservative: its work depends on the path.

use precess_lie::Number;
use precess_lie::matrix::SmallMatrix;

use super::super::function::{Argument, Function, MAX_READ};
use super::super::kernels::{Block, PairBlocks, Row, Wrench, applied};
use super::super::links::{Bodies, Derivative, Link, Parts};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::element::no_number;
use super::point_force::vector;
use super::{Element, ForceFrame};

/// A torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    /// Name.
    pub name: String,
    /// The body, a rigid one.
    pub body: usize,
    /// Components.
    pub torque: [Function; 3],
    /// Frame of the components.
    pub frame: ForceFrame,
}

impl Torque {
    /// g on its body.
    fn row<T: Number>(&self, bodies: &Bodies<T>, at: &At<T>) -> Row<T> {
        let tau = vector(&self.torque, at.t);
        let b = match self.frame {
            ForceFrame::Inertial => applied::inertial_torque(&bodies.pose(Some(self.body), at.q), &tau),
            ForceFrame::Body => applied::body_torque(&tau),
        };
        Row { a: Wrench::zero(), b }
    }
}

impl<T: Number> Element<T> for Torque {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn drives(&self) -> Vec<&Function> {
        self.torque.iter().collect()
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let row = self.row(bodies, at);
        bodies.add_force(Element::<T>::link(self), &row, at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let link = Element::<T>::link(self);
        if out.want().stiffness && bodies.has_node(link) {
            bodies.add_bending(link, &self.row(bodies, at), None::<&PairBlocks<T>>, at, out);
        }
        if !out.want().stiffness || self.frame == ForceFrame::Body {
            return;
        }
        let mut k = Block::zero();
        let pose = bodies.pose(Some(self.body), at.q);
        applied::add_inertial_torque_k(&pose, &vector(&self.torque, at.t), &mut k);
        let parts = Parts { coupled: false, translations: false };
        bodies.add_blocks(link, parts, &k, (Derivative::Stiffness, at), out);
    }

    fn trouble(&self, _: &Bodies<T>, at: &At<T>) -> Option<String> {
        no_number(&self.torque, Argument::time(at.t), &[T::zero(); MAX_READ], (&self.name, at.t))
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let tau = vector(&self.torque, at.t);
        let omega = bodies.motion_of(Some(self.body), at).omega;
        Some(match self.frame {
            ForceFrame::Inertial => tau.inner(&(bodies.pose(Some(self.body), at.q).r * omega)),
            ForceFrame::Body => tau.inner(&omega),
        })
    }
}

crate::mechanics::combine::same!(Torque);
