//! Blocks of Newton matrices, by the names they have in the paper.

use super::matrix::Matrix;
use super::potential::Scratch;
use super::system::Conservative;

/// weight M at (row, col).
pub fn mass(s: &Conservative, weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    for &(i, j, m) in s.mass_entries() {
        out.add(row + i as usize, col + j as usize, weight * m);
    }
}

/// weight S(gamma), S = sum of gamma_k D^2 g_k.
pub fn second(s: &Conservative, gamma: &[f64], weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    for (c, x) in s.constraints.iter().zip(gamma) {
        let w = weight * x;
        if w != 0.0 {
            c.g.each_hessian(|i, j, a| out.add(row + i, col + j, w * a));
        }
    }
}

/// weight G(q).
pub fn gradient(s: &Conservative, q: &[f64], weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    for (k, c) in s.constraints.iter().enumerate() {
        c.g.each_gradient(q, |i, x| out.add(row + k, col + i, weight * x));
    }
}

/// weight G(q)^T.
pub fn gradient_t(s: &Conservative, q: &[f64], weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    if weight != 0.0 {
        for (k, c) in s.constraints.iter().enumerate() {
            c.g.each_gradient(q, |i, x| out.add(row + i, col + k, weight * x));
        }
    }
}

/// Rows weight (D^2 g_k v)^T: the derivative of G(q) v with respect to q.
pub fn curvature(s: &Conservative, v: &[f64], weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    for (k, c) in s.constraints.iter().enumerate() {
        c.g.each_hessian_times(v, |i, x| out.add(row + k, col + i, weight * x));
    }
}

/// Columns weight D^2 g_k v: the derivative of S(gamma) v with respect to gamma.
pub fn curvature_t(s: &Conservative, v: &[f64], weight: f64, (row, col): (usize, usize), out: &mut Matrix) {
    for (k, c) in s.constraints.iter().enumerate() {
        c.g.each_hessian_times(v, |i, x| out.add(row + i, col + k, weight * x));
    }
}

/// weight D^2 V(q).
pub fn stiffness(
    s: &Conservative,
    q: &[f64],
    weight: f64,
    (row, col): (usize, usize),
    scratch: &mut Scratch,
    out: &mut Matrix,
) {
    for term in &s.terms {
        term.weights(q, scratch);
        term.each_tangent((q, q), 1.0, scratch, |i, j, x| out.add(row + i, col + j, weight * x));
    }
}
