//! A force law of a model file: a force, a torque or the effort of a joint as a function of time and of up to
//! eight signals.
//!
//! g = -sum_k w_k(q) u_k(t, y), with the directions w_k of the target and the signals y(q, v). Then D =
//! -sum_k w_k du_k/dy y_v^T and K = -sum_k (w_k du_k/dy y_q^T + u_k D_q w_k). This is exact, because the
//! slopes of u come from automatic differentiation.

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::unit;

use super::super::coordinate::Coordinate;
use super::super::function::{Argument, Function, MAX_READ, Readings};
use super::super::kernels::{Block, PairBlocks, Row, Wrench, applied};
use super::super::links::{Bodies, Derivative, Link, Parts};
use super::super::measured::Measured;
use super::super::system::At;
use super::super::tangents::Tangents;
use super::element::no_number;
use super::{Element, ForceFrame};
use crate::mechanics::combine::combine;

/// The target of a law.
#[derive(Clone, Debug)]
pub enum Target<T = f64> {
    /// A joint coordinate; a positive value drives the second body towards a larger coordinate.
    Coordinate(Coordinate<T>),
    /// A point of a body.
    Point {
        /// The body.
        body: usize,
        /// Point of application, body frame.
        point: Vector3<T>,
        /// Frame of the components.
        frame: ForceFrame,
    },
    /// A body, by a torque.
    Torque {
        /// The body.
        body: usize,
        /// Frame of the components.
        frame: ForceFrame,
    },
}

/// A force that reads signals.
#[derive(Clone, Debug)]
pub struct LawForce<T: Number = f64> {
    /// Name.
    pub name: String,
    /// The target.
    pub target: Target<T>,
    /// The signals, at most [`MAX_READ`].
    pub signals: Vec<Measured<T>>,
    /// One function for a joint coordinate, three for a body.
    pub functions: Vec<Function>,
}

impl<T: Number> LawForce<T> {
    fn read(&self, bodies: &Bodies<T>, at: &At<T>) -> Readings<T> {
        let mut y = [T::zero(); MAX_READ];
        for (y, signal) in y.iter_mut().zip(&self.signals) {
            *y = signal.value(bodies, at);
        }
        y
    }

    /// The joint coordinate on which it acts, if it does.
    pub fn coordinate(&self) -> Option<&Coordinate<T>> {
        match &self.target {
            Target::Coordinate(c) => Some(c),
            _ => None,
        }
    }

    /// The values u; zero if there are fewer than three.
    fn values(&self, bodies: &Bodies<T>, at: &At<T>) -> Vector3<T> {
        let y = self.read(bodies, at);
        Vector3::from_fn(|i, _| self.functions.get(i).map_or_else(T::zero, |f| f.law(at.t, &y)))
    }

    /// The generalised force g of the values u.
    fn force(&self, bodies: &Bodies<T>, at: &At<T>, u: &Vector3<T>) -> Row<T> {
        let one = |b: Wrench<T>| Row { b, ..Row::zero() };
        match &self.target {
            Target::Coordinate(c) => c.force(bodies, at, -u.x),
            Target::Point { body, point, frame } => {
                let pose = bodies.pose(Some(*body), at.q);
                one(match frame {
                    ForceFrame::Inertial => applied::inertial_force(bodies.group, &pose, point, u),
                    ForceFrame::Body => applied::body_force(bodies.group, &pose, point, u),
                })
            }
            Target::Torque { body, frame } => one(match frame {
                ForceFrame::Inertial => applied::inertial_torque(&bodies.pose(Some(*body), at.q), u),
                ForceFrame::Body => applied::body_torque(u),
            }),
        }
    }

    /// Adds the derivative of the directions for fixed values u.
    fn add_turning(&self, bodies: &Bodies<T>, at: &At<T>, u: &Vector3<T>, out: &mut Tangents<T>) {
        if let Target::Coordinate(c) = &self.target {
            return c.add_stiffness(bodies, at, -u.x, out);
        }
        let link = self.link();
        if bodies.has_node(link) {
            bodies.add_bending(link, &self.force(bodies, at, u), None::<&PairBlocks<T>>, at, out);
        }
        let mut k = Block::zero();
        let pose = bodies.pose(link.b, at.q);
        match &self.target {
            Target::Point { point, frame: ForceFrame::Inertial, .. } => {
                applied::add_inertial_force_k(bodies.group, &pose, point, u, &mut k);
            }
            Target::Point { .. } => applied::add_body_force_k(bodies.group, &pose, u, &mut k),
            Target::Torque { frame: ForceFrame::Inertial, .. } => {
                applied::add_inertial_torque_k(&pose, u, &mut k);
            }
            Target::Torque { .. } | Target::Coordinate(_) => return,
        }
        bodies.add_blocks(link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
    }
}

impl<T: Number> Element<T> for LawForce<T> {
    fn link(&self) -> Link {
        match &self.target {
            Target::Coordinate(c) => c.link,
            Target::Point { body, .. } | Target::Torque { body, .. } => Link { a: None, b: Some(*body) },
        }
    }

    fn reads(&self) -> Vec<usize> {
        self.signals.iter().flat_map(|s| s.link().moving()).collect()
    }

    fn drives(&self) -> Vec<&Function> {
        self.functions.iter().collect()
    }

    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let u = self.values(bodies, at);
        bodies.add_force(self.link(), &self.force(bodies, at, &u), at, r);
    }

    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let want = out.want();
        if want.c_d == 0.0 && !want.stiffness {
            return;
        }
        let (link, y) = (self.link(), self.read(bodies, at));
        if want.stiffness {
            let value = |f: &Function| f.law(at.t, &y);
            let u = Vector3::from_fn(|i, _| self.functions.get(i).map_or_else(T::zero, value));
            self.add_turning(bodies, at, &u, out);
        }
        for (k, function) in self.functions.iter().enumerate() {
            if function.constant().is_some() {
                continue;
            }
            let slopes = function.law_slopes(at.t, &y);
            let direction = self.force(bodies, at, &unit(k, T::one()));
            for (signal, slope) in self.signals.iter().zip(slopes) {
                let change = signal.change(bodies, at);
                let along = direction * slope;
                if want.c_d != 0.0 {
                    bodies.add_product(link, &along, &change, (Derivative::Damping, at), out);
                }
                if want.stiffness {
                    bodies.add_product(link, &along, &change, (Derivative::Stiffness, at), out);
                }
            }
        }
    }

    /// All of its work counts, since a law has no known potential.
    fn trouble(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<String> {
        no_number(&self.functions, Argument::time(at.t), &self.read(bodies, at), (&self.name, at.t))
    }

    fn power(&self, bodies: &Bodies<T>, at: &At<T>) -> Option<T> {
        let u = self.values(bodies, at);
        let v = bodies.motion(self.link(), at);
        Some(-self.force(bodies, at, &u).dot(&v))
    }
}

combine!(enum Target { Coordinate(x), Point { body, point, frame }, Torque { body, frame } });
combine!(struct LawForce { name, target, signals, functions });
