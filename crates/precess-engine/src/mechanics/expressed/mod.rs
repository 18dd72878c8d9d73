//! Expressions of positions as constraints, potentials, loads, first-order states and algebraic equations.
//!
//! An expression f(x_1, .., x_n) reads measured quantities: coordinates of points, distances, joint
//! coordinates, their rates, states, algebraic variables and time. With rows B_k of the quantities, by the
//! chain rule
//!
//! ```text
//! B = sum of f_k B_k                      Z(v, v) = sum of f_k Z_k + sum of f_kl (B_k v)(B_l v)
//! Y = sum of f_k Y_k + f_kl (B_l v) B_k   D_q(B^T lambda) = lambda sum of (f_k K_k + f_kl B_k^T B_l)
//! ```
//!
//! with the first and second derivatives of f by automatic differentiation.

mod constraint;
mod load;
mod potential;
mod state;

use std::fmt;
use std::sync::Arc;

use nalgebra::Matrix1;

pub use constraint::ExpressedConstraint;
pub use load::ExpressedLoad;
pub use potential::ExpressedPotential;
pub use state::{Algebraic, FirstOrder};

use super::coordinate::{Coordinate, CoordinateKind};
use super::kernels::Row;
use super::links::{Bodies, Change, Derivative, Link};
use super::system::At;
use super::tangents::Tangents;

/// Largest number of variables of an expression.
pub const MAX_VARIABLES: usize = 16;

/// A smooth function of several numbers.
pub trait OfSeveral: Send + Sync + fmt::Debug {
    /// f(x).
    fn value(&self, x: &[f64]) -> f64;
    /// f(x), its gradient and, if `hessian` is not empty, its second derivatives, row by row.
    fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) -> f64;
    /// The part in which a value or a derivative is not a number, in words; none if all are numbers. `smooth`
    /// derivatives are needed.
    fn culprit(&self, x: &[f64], smooth: usize) -> Option<String> {
        let _ = (x, smooth);
        None
    }
    /// A description; functions with the same description count as equal.
    fn label(&self) -> String;
}

/// A shared function of several numbers.
#[derive(Clone, Debug)]
pub struct Several(pub Arc<dyn OfSeveral>);

impl PartialEq for Several {
    fn eq(&self, other: &Self) -> bool {
        self.0.label() == other.0.label()
    }
}

/// A variable of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Variable {
    /// Time.
    Time,
    /// A measured quantity.
    Value(Coordinate),
    /// Its rate.
    Rate(Coordinate),
    /// A first-order state, by its index in v.
    State(usize),
    /// An algebraic variable, by its index in s.
    Algebraic(usize),
}

impl Variable {
    /// The bodies it reads.
    pub fn bodies(&self) -> impl Iterator<Item = usize> {
        let link = match self {
            Variable::Value(c) | Variable::Rate(c) => c.link,
            _ => Link::default(),
        };
        link.moving()
    }
}

/// A function and its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// In the order of the arguments, at most [`MAX_VARIABLES`].
    pub variables: Vec<Variable>,
    /// The function.
    pub function: Several,
}

/// The value of an expression at one instant, with its derivatives for the variables.
pub(super) struct Evaluated {
    pub f: f64,
    pub gradient: [f64; MAX_VARIABLES],
    pub hessian: [f64; MAX_VARIABLES * MAX_VARIABLES],
    n: usize,
}

impl Evaluated {
    pub fn bend(&self, k: usize, l: usize) -> f64 {
        self.hessian[k * self.n + l]
    }
}

impl Expression {
    /// The bodies it reads, each once.
    pub fn bodies(&self) -> Vec<usize> {
        let mut list: Vec<usize> = self.variables.iter().flat_map(Variable::bodies).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The body that is named first.
    pub fn first_body(&self) -> Option<usize> {
        self.variables.iter().find_map(|v| match v {
            Variable::Value(c) if !matches!(c.motion, CoordinateKind::Distance(_)) => c.link.b.or(c.link.a),
            other => other.bodies().next(),
        })
    }

    /// The first and the last of the bodies.
    pub(super) fn span(&self) -> Link {
        let list = self.bodies();
        match list[..] {
            [] => Link::default(),
            [only] => Link { a: None, b: Some(only) },
            [first, .., last] => Link { a: Some(first), b: Some(last) },
        }
    }

    fn arguments(&self, bodies: &Bodies, at: &At) -> [f64; MAX_VARIABLES] {
        let mut x = [0.0; MAX_VARIABLES];
        for (x, variable) in x.iter_mut().zip(&self.variables) {
            *x = match variable {
                Variable::Time => at.t,
                Variable::Value(c) => c.position(bodies, at),
                Variable::Rate(m) => m.rate(bodies, at),
                Variable::State(i) => at.v.get(*i).copied().unwrap_or_default(),
                Variable::Algebraic(i) => at.s.get(*i).copied().unwrap_or_default(),
            };
        }
        x
    }

    /// A sentence about the expression of `whose`, if its value or a needed derivative is not a number.
    pub(super) fn trouble(&self, bodies: &Bodies, at: &At, smooth: usize, whose: &str) -> Option<String> {
        let why = self.function.0.culprit(&self.arguments(bodies, at)[..self.variables.len()], smooth)?;
        Some(format!("{why}, in {whose} at t = {} s", at.t))
    }

    pub(super) fn value(&self, bodies: &Bodies, at: &At) -> f64 {
        self.function.0.value(&self.arguments(bodies, at)[..self.variables.len()])
    }

    /// Value and first derivatives; also second ones if `twice`.
    pub(super) fn evaluate(&self, bodies: &Bodies, at: &At, twice: bool) -> Evaluated {
        let n = self.variables.len();
        let x = self.arguments(bodies, at);
        let mut out = Evaluated {
            f: 0.0,
            gradient: [0.0; MAX_VARIABLES],
            hessian: [0.0; MAX_VARIABLES * MAX_VARIABLES],
            n,
        };
        let room = if twice { n * n } else { 0 };
        out.f = self.function.0.derivatives(&x[..n], &mut out.gradient[..n], &mut out.hessian[..room]);
        out
    }

    /// Rates of the variables: 1 for time, B_k v for measured quantities.
    pub(super) fn rates(&self, bodies: &Bodies, at: &At) -> [f64; MAX_VARIABLES] {
        let mut x = [0.0; MAX_VARIABLES];
        for (x, variable) in x.iter_mut().zip(&self.variables) {
            *x = match variable {
                Variable::Time => 1.0,
                Variable::Value(m) => m.rate(bodies, at),
                _ => 0.0,
            };
        }
        x
    }

    /// The measured quantities with their indices.
    pub(super) fn measured(&self) -> impl Iterator<Item = (usize, &Coordinate)> {
        self.variables.iter().enumerate().filter_map(|(k, v)| match v {
            Variable::Value(m) => Some((k, m)),
            _ => None,
        })
    }

    /// Adds weight sum of f_k B_k^T to a residual.
    pub(super) fn add_force(&self, bodies: &Bodies, at: &At, e: &Evaluated, weight: f64, r: &mut [f64]) {
        for (k, m) in self.measured() {
            bodies.add_force(m.link, &m.force(bodies, at, weight * e.gradient[k]), at, r);
        }
    }

    /// Adds weight times D_q of sum of f_k B_k^T to K.
    pub(super) fn add_stiffness(&self, bodies: &Bodies, at: &At, weight: f64, out: &mut Tangents) {
        let e = self.evaluate(bodies, at, true);
        let mut rows: [Option<(Link, Row)>; MAX_VARIABLES] = [None; MAX_VARIABLES];
        for (k, m) in self.measured() {
            m.add_stiffness(bodies, at, weight * e.gradient[k], out);
            rows[k] = Some((m.link, m.row(bodies, at)));
        }
        for (k, left) in rows.iter().enumerate() {
            for (l, right) in rows.iter().enumerate() {
                let (Some((link, row)), Some((other, column))) = (left, right) else { continue };
                let bend = weight * e.bend(k, l);
                if bend != 0.0 {
                    let change = Change { link: *other, v: Row::zero(), q: *column };
                    bodies.add_product(*link, &(*row * bend), &change, (Derivative::Stiffness, at), out);
                }
            }
        }
    }

    /// Calls `of_q` and `of_v` with the derivatives of f for q and v, and `of_s` with those for algebraic
    /// variables: (first column, part).
    pub(super) fn each_slope(
        &self,
        bodies: &Bodies,
        at: &At,
        mut of_q: impl FnMut(usize, &[f64]),
        mut of_v: impl FnMut(VelocityColumn, f64),
        mut of_s: impl FnMut(usize, f64),
    ) {
        let e = self.evaluate(bodies, at, false);
        for (k, variable) in self.variables.iter().enumerate() {
            let slope = e.gradient[k];
            match variable {
                Variable::Time => {}
                Variable::Value(m) => {
                    bodies.put_entries(m.link, &(m.row(bodies, at) * slope), at, &mut of_q);
                }
                Variable::Rate(m) => {
                    let (link, row) = (m.link, m.row(bodies, at) * slope);
                    bodies.put_entries(link, &(m.turned_row(bodies, at) * slope), at, &mut of_q);
                    bodies.put_turned_entries(link, &row, at, &mut of_q);
                    bodies.put_entries(link, &row, at, |j, x| {
                        entries(j, x, 1.0, |j, x| of_v(VelocityColumn(j), x[0]));
                    });
                }
                Variable::State(i) => of_v(VelocityColumn(*i), slope),
                Variable::Algebraic(i) => of_s(*i, slope),
            }
        }
    }
}

/// Calls `put(index, entry)` for consecutive entries from an index on, each times a factor.
fn entries(first: usize, x: &[f64], factor: f64, mut put: impl FnMut(usize, &Matrix1<f64>)) {
    x.iter().enumerate().for_each(|(i, x)| put(first + i, &Matrix1::new(factor * x)));
}

/// A column of v.
pub(super) struct VelocityColumn(pub usize);
