//! The initial values of a step and its unknowns, (q_1, w_1, v, lambda, gamma) in one vector.

use crate::conservative::potential::Scratch;
use crate::conservative::system::Conservative;

/// The beginning of a step.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    /// Time.
    pub t: f64,
    /// Step size.
    pub h: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// M^-1 p.
    pub w: Vec<f64>,
}

precess_engine::persist!(StepStart { t, h, q, w });

/// Workspace for the evaluation of a rule.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// A vector of length d: the position where the rule evaluates forces.
    pub q: Vec<f64>,
    /// Another vector of length d: the velocity there.
    pub v: Vec<f64>,
    /// Values of potential terms.
    pub s: Scratch,
}

/// Positions of the unknowns in the vector, and of the equations in the same order.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnknownLayout {
    /// Number of coordinates.
    pub d: usize,
    /// Number of constraints.
    pub m: usize,
    /// Vectors of length d: q_1, w_1 and for variational integrators v.
    pub levels: usize,
    /// Vectors of length m: lambda and, unless the rule is of index 3, gamma.
    pub multipliers: usize,
}

impl UnknownLayout {
    /// First entry of v.
    pub fn v(&self) -> usize {
        2 * self.d
    }
    /// First entry of lambda.
    pub fn lambda(&self) -> usize {
        self.levels * self.d
    }
    /// First entry of gamma.
    pub fn gamma(&self) -> usize {
        self.lambda() + self.m
    }
    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.lambda() + self.multipliers * self.m
    }
    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Arguments of the equations of a step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The system.
    pub system: &'a Conservative,
    /// The beginning of the step.
    pub from: &'a StepStart,
    /// The unknowns.
    pub x: Unknowns<'a>,
    /// Their positions in the vector.
    pub layout: UnknownLayout,
}

/// The unknowns by name.
#[derive(Clone, Copy, Debug)]
pub struct Unknowns<'a> {
    /// q_1.
    pub q: &'a [f64],
    /// M^-1 p_1.
    pub w: &'a [f64],
    /// v of the step; w if the rule has no v.
    pub v: &'a [f64],
    /// lambda.
    pub lambda: &'a [f64],
    /// gamma; empty for rules of index 3.
    pub gamma: &'a [f64],
}

impl UnknownLayout {
    /// Splits a vector into the unknowns.
    pub fn split<'a>(&self, x: &'a [f64]) -> Unknowns<'a> {
        let (d, m) = (self.d, self.m);
        let v = if self.levels > 2 { self.v() } else { d };
        let gamma = if self.multipliers > 1 { &x[self.gamma()..] } else { &x[x.len()..] };
        Unknowns {
            q: &x[..d],
            w: &x[d..2 * d],
            v: &x[v..v + d],
            lambda: &x[self.lambda()..self.lambda() + m],
            gamma,
        }
    }
}
