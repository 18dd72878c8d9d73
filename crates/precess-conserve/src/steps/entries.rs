//! Blocks of Newton matrices, named as in the paper.

use super::matrix::Matrix;
use crate::conservative::constraint::StepEnds;
use crate::conservative::potential::Scratch;
use crate::conservative::system::{Conservative, Load};

/// Adds blocks of a system to a matrix; positions are (row, column).
pub struct MatrixBlocks<'a> {
    /// The system.
    pub system: &'a Conservative,
    /// The matrix.
    pub out: &'a mut Matrix,
}

type Corner = (usize, usize);

impl MatrixBlocks<'_> {
    /// weight M.
    pub fn mass(&mut self, weight: f64, (row, col): Corner) {
        for &(i, j, m) in self.system.mass_entries() {
            self.out.add(row + i as usize, col + j as usize, weight * m);
        }
    }

    /// weight S(gamma), S = sum of gamma_k D^2 g_k(q).
    pub fn second(&mut self, q: &[f64], gamma: &[f64], weight: f64, (row, col): Corner) {
        for (c, x) in self.system.constraints.iter().zip(gamma) {
            let w = weight * x;
            if w != 0.0 {
                c.g.each_hessian(q, |i, j, a| self.out.add(row + i, col + j, w * a));
            }
        }
    }

    /// weight times the derivative of S(gamma) v for q; nothing if g is quadratic.
    pub fn third(&mut self, q: &[f64], gamma: &[f64], v: &[f64], weight: f64, (row, col): Corner) {
        for (c, x) in self.system.constraints.iter().zip(gamma) {
            c.g.each_third(q, v, |i, j, a| self.out.add(row + i, col + j, weight * x * a));
        }
    }

    /// weight G(q).
    pub fn gradient(&mut self, q: &[f64], weight: f64, (row, col): Corner) {
        for (k, c) in self.system.constraints.iter().enumerate() {
            c.g.each_gradient(q, |i, x| self.out.add(row + k, col + i, weight * x));
        }
    }

    /// weight G(q)^T.
    pub fn gradient_t(&mut self, q: &[f64], weight: f64, (row, col): Corner) {
        if weight != 0.0 {
            for (k, c) in self.system.constraints.iter().enumerate() {
                c.g.each_gradient(q, |i, x| self.out.add(row + i, col + k, weight * x));
            }
        }
    }

    /// Rows weight (D^2 g_k v)^T: the derivative of G(q) v for q.
    pub fn curvature(&mut self, q: &[f64], v: &[f64], weight: f64, (row, col): Corner) {
        for (k, c) in self.system.constraints.iter().enumerate() {
            c.g.each_hessian_times(q, v, |i, x| self.out.add(row + k, col + i, weight * x));
        }
    }

    /// Columns weight D^2 g_k v: the derivative of S(gamma) v for gamma.
    pub fn curvature_t(&mut self, q: &[f64], v: &[f64], weight: f64, (row, col): Corner) {
        for (k, c) in self.system.constraints.iter().enumerate() {
            c.g.each_hessian_times(q, v, |i, x| self.out.add(row + i, col + k, weight * x));
        }
    }

    /// weight D^2 V(q).
    pub fn stiffness(&mut self, q: &[f64], weight: f64, (row, col): Corner, scratch: &mut Scratch) {
        for term in &self.system.terms {
            term.weights(q, scratch);
            term.each_tangent((q, q), 1.0, scratch, |i, j, x| self.out.add(row + i, col + j, weight * x));
        }
    }

    /// weight times the derivative of D^G V for q_1.
    pub fn discrete_stiffness(
        &mut self,
        at: &StepEnds,
        weight: f64,
        (row, col): Corner,
        scratch: &mut Scratch,
    ) {
        for term in &self.system.terms {
            term.discrete_weights(at.q[0], at.q[1], scratch);
            term.each_tangent((at.middle.0, at.q[1]), 0.5, scratch, |i, j, x| {
                self.out.add(row + i, col + j, weight * x)
            });
        }
    }

    /// (D^G g)^T lambda: its derivatives for q_1 and for lambda.
    pub fn discrete_gradient(
        &mut self,
        at: &StepEnds,
        lambda: &[f64],
        weight: f64,
        row: usize,
        cols: Corner,
    ) {
        for (k, (c, l)) in self.system.constraints.iter().zip(lambda).enumerate() {
            c.g.each_discrete_tangent(at, |i, j, x| self.out.add(row + i, cols.0 + j, weight * l * x));
            c.g.each_discrete(at, |i, x| self.out.add(row + i, cols.1 + k, weight * x));
        }
    }

    /// D_w^T gamma: its derivatives for q_1 and for gamma.
    pub fn by_w(&mut self, at: &StepEnds, gamma: &[f64], weight: f64, row: usize, cols: Corner) {
        for (k, (c, x)) in self.system.constraints.iter().zip(gamma).enumerate() {
            c.g.each_by_w_tangent(at, |i, j, a| self.out.add(row + i, cols.0 + j, weight * x * a));
            c.g.each_by_w(at, |i, a| self.out.add(row + i, cols.1 + k, weight * a));
        }
    }

    /// D_q^T gamma: its derivatives for q_1, w_1 and gamma.
    pub fn by_q(&mut self, at: &StepEnds, gamma: &[f64], weight: f64, row: usize, cols: [usize; 3]) {
        let out = std::cell::RefCell::new(&mut *self.out);
        for (k, (c, x)) in self.system.constraints.iter().zip(gamma).enumerate() {
            let add = |col: usize, i: usize, j: usize, a: f64| {
                out.borrow_mut().add(row + i, col + j, weight * a);
            };
            c.g.each_by_q_tangents(
                at,
                |i, j, a| add(cols[0], i, j, x * a),
                |i, j, a| add(cols[1], i, j, x * a),
            );
            c.g.each_by_q(at, |i, a| add(cols[2], i, k, a));
        }
    }

    /// weight times the derivatives of a load for q and for v; each entry is added at `of_q` or at `of_v`.
    pub fn load(
        &mut self,
        load: &dyn Load,
        (t, q, v): (f64, &[f64], &[f64]),
        weight: f64,
        of_q: Corner,
        of_v: Corner,
    ) {
        let out = std::cell::RefCell::new(&mut *self.out);
        let add = |(row, col): Corner, i, j, x: f64| out.borrow_mut().add(row + i, col + j, weight * x);
        load.tangents(t, q, v, &mut |i, j, x| add(of_q, i, j, x), &mut |i, j, x| add(of_v, i, j, x));
    }
}
