//! A torque on a body, constant or a function of time, in the inertial or in the body frame.
//!
//! A torque that is constant in the inertial frame is not conservative: its work depends on the path.

use precess_lie::Number;

use super::super::function::Function;
use super::super::kernels::{Block, applied};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
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

impl<T: Number> Element<T> for Torque {
    fn link(&self) -> Link {
        Link { a: None, b: Some(self.body) }
    }

    fn drives(&self) -> Vec<&Function> {
        self.torque.iter().collect()
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let (body, tau) = (&bodies.list[self.body], vector(&self.torque, at.t));
        let g = match self.frame {
            ForceFrame::Inertial => applied::inertial_torque(&body.pose(at.q), &tau),
            ForceFrame::Body => applied::body_torque(&tau),
        };
        body.add_wrench(&g, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        if !out.want().stiffness || self.frame == ForceFrame::Body {
            return;
        }
        let (body, tau) = (&bodies.list[self.body], vector(&self.torque, at.t));
        let mut k = Block::zero();
        applied::add_inertial_torque_k(&body.pose(at.q), &tau, &mut k);
        body.block_parts(body, &k, false, |i, j, x| out.stiffness(i, j, x));
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let (body, tau) = (&bodies.list[self.body], vector(&self.torque, at.t));
        let omega = body.motion(at.v).omega;
        Some(match self.frame {
            ForceFrame::Inertial => tau.dot(&(body.pose(at.q).r * omega)),
            ForceFrame::Body => tau.dot(&omega),
        })
    }
}
