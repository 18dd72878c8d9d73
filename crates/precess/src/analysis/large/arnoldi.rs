//! Modes of large models with damping or in a steady rotation: shift and invert of the quadratic problem.
//!
//! ```text
//! w = (s + E) z,    [ sigma^2 M + sigma G1 + K1   B^T ] [ z+ ]     [ M w + (F + sigma M) z ]
//!                   [ B                            0  ] [ mu ] = - [ 0                     ]
//! w+ = z + (sigma + E) z+
//! ```
//!
//! has the eigenvalues theta = 1/(s - sigma). sigma is real and about half of the lowest frequency, or next
//! to i times the requested frequency. Arnoldi's method begins with three vectors, so double frequencies are
//! found twice, and keeps all vectors orthogonal in the measure of the energy.

use nalgebra::{Complex, DMatrix, DVector};

use super::pencil::{Pencil, Vector};
use crate::analysis::AnalysisError;
use crate::analysis::assembly::noise;
use crate::solve::decompositions::{complex_eigenvalues, complex_lu, complex_solve};
use crate::solve::products::{complex_add, complex_dot, scaled};

/// Largest number of vectors.
pub(super) const MAX_VECTORS: usize = 420;

/// Largest error of a converged pair.
const CONVERGED: f64 = 1e-9;
/// Number of vectors at the start.
const BLOCK: usize = 3;

/// Eigenvalues with their shapes.
pub(super) type Pairs = Vec<(Complex<f64>, Vector)>;

/// Positions and velocities, and M times them.
#[derive(Clone)]
struct Both {
    z: Vector,
    w: Vector,
    mz: Vector,
    mw: Vector,
}

/// The requested modes.
pub(super) struct Goal {
    /// Number of modes.
    pub n: usize,
    /// Nearest to this frequency, rad/s; the lowest if absent.
    pub near: Option<f64>,
    /// Approximate lowest stiffness over inertia, 1/s^2.
    pub kappa: f64,
    /// Motions below this, 1/s^2, are free.
    pub floor: f64,
}

struct Arnoldi<'a, 'b> {
    pencil: &'a mut Pencil<'b>,
    sigma: Complex<f64>,
    /// Weight of positions in the measure, 1/s^2.
    weight: f64,
    basis: Vec<Both>,
    /// Columns of the operator in the basis at their time.
    columns: Vec<Vec<Complex<f64>>>,
}

/// Eigenvalues with Im s >= 0 nearest to the goal, with their shapes.
pub(super) fn nearest(pencil: &mut Pencil, goal: &Goal) -> Result<Pairs, AnalysisError> {
    let lowest = goal.kappa.max(goal.floor).sqrt();
    // Combine the axis, because an undamped mode may be exactly on it.
    let sigma = match goal.near {
        Some(omega) if omega > 0.1 * lowest => Complex::new(3e-3 * omega, omega),
        _ => Complex::new(0.5 * lowest, 0.0),
    };
    pencil.shift(sigma)?;
    let size = pencil.m.rows();
    let mut run = Arnoldi { pencil, sigma, weight: sigma.norm_sqr(), basis: Vec::new(), columns: Vec::new() };
    run.begin();
    let mut wanted = 3 * goal.n + 40;
    loop {
        wanted = wanted.min(MAX_VECTORS);
        let more = run.grow(wanted);
        let (list, converged) = run.pairs(goal)?;
        if converged || !more {
            return Ok(list);
        }
        if wanted >= MAX_VECTORS {
            return Err(AnalysisError::Eigenvalues { size });
        }
        wanted += 50;
    }
}

impl Arnoldi<'_, '_> {
    fn both(&self, z: Vector, w: Vector) -> Both {
        let (mz, mw) = (self.pencil.mass(&z), self.pencil.mass(&w));
        Both { z, w, mz, mw }
    }

    fn product(&self, a: &Both, z: &Vector, w: &Vector) -> Complex<f64> {
        complex_dot(a.mz.as_slice(), z.as_slice()) * self.weight + complex_dot(a.mw.as_slice(), w.as_slice())
    }

    /// Adds start vectors without motions that have no stiffness; positions and velocities satisfy the
    /// joints.
    fn begin(&mut self) {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let k = self.pencil.m.rows();
        for _ in 0..BLOCK {
            let y = DVector::from_fn(k, |_, _| Complex::new(noise(&mut seed), 0.0));
            let y = self.pencil.solve(&self.pencil.mass(&y));
            let [_, _, stiff] = self.pencil.products(&y);
            let z = self.pencil.solve(&stiff);
            let first = self.both(z, Vector::zeros(k));
            let first = self.apply(&first);
            let first = self.apply(&first);
            self.add(first.z, first.w);
        }
    }

    fn apply(&mut self, v: &Both) -> Both {
        let mut right = self.pencil.forces(&v.z);
        let one = Complex::new(1.0, 0.0);
        complex_add(one, v.mw.as_slice(), right.as_mut_slice());
        complex_add(self.sigma, v.mz.as_slice(), right.as_mut_slice());
        let right = scaled(-one, &right);
        let z = self.pencil.solve(&right);
        let mut w = self.pencil.rates(&z);
        complex_add(one, v.z.as_slice(), w.as_mut_slice());
        complex_add(self.sigma, z.as_slice(), w.as_mut_slice());
        self.both(z, w)
    }

    /// Adds the new part of a vector to the basis; returns its parts along the basis.
    fn add(&mut self, mut z: Vector, mut w: Vector) -> Vec<Complex<f64>> {
        let mut parts = vec![Complex::new(0.0, 0.0); self.basis.len()];
        for _ in 0..2 {
            for (v, sum) in self.basis.iter().zip(&mut parts) {
                let part = self.product(v, &z, &w);
                *sum += part;
                complex_add(-part, v.z.as_slice(), z.as_mut_slice());
                complex_add(-part, v.w.as_slice(), w.as_mut_slice());
            }
        }
        let rest = self.both(z, w);
        let norm = self.product(&rest, &rest.z, &rest.w).re.max(0.0).sqrt();
        let before = parts.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
        if norm > 1e-13 * before && norm > 0.0 {
            let [z, w, mz, mw] = [rest.z, rest.w, rest.mz, rest.mw].map(|x| scaled(norm.recip().into(), &x));
            self.basis.push(Both { z, w, mz, mw });
            parts.push(norm.into());
        }
        parts
    }

    /// Applies the operator up to this number of vectors; false if there are fewer.
    fn grow(&mut self, size: usize) -> bool {
        while self.columns.len() < size {
            let Some(last) = self.basis.get(self.columns.len()).cloned() else { return false };
            let next = self.apply(&last);
            let parts = self.add(next.z, next.w);
            self.columns.push(parts);
        }
        true
    }

    /// The first n pairs, and whether all have converged.
    fn pairs(&self, goal: &Goal) -> Result<(Pairs, bool), AnalysisError> {
        let m = self.columns.len();
        let at = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or_default();
        let square = DMatrix::from_fn(m, m, at);
        let below = DMatrix::from_fn(self.basis.len().saturating_sub(m), m, |i, j| at(m + i, j));
        let value = |theta: &Complex<f64>| self.sigma + theta.inv();
        let all = complex_eigenvalues(square.clone()).ok_or(AnalysisError::Eigenvalues { size: m })?;
        // 1e-9 below zero is rounding of a slowly decaying motion.
        let stays =
            |s: Complex<f64>| s.im >= -1e-9 * s.norm() && s.norm_sqr() > goal.floor.max(1e-8 * goal.kappa);
        let mut thetas: Vec<Complex<f64>> =
            all.into_iter().filter(|x| x.norm() > 0.0 && stays(value(x))).collect();
        thetas.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
        thetas.truncate(goal.n);
        // By frequency, then by decay, as elsewhere.
        let middle = goal.near.unwrap_or(0.0);
        let rank = |t: &Complex<f64>| ((value(t).im - middle).abs(), value(t).re.abs());
        thetas.sort_by(|a, b| rank(a).0.total_cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
        let mut converged = thetas.len() == goal.n;
        let mut list = Vec::with_capacity(goal.n);
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        for theta in thetas {
            let shift = theta * Complex::new(1.0 + 1e-13, 1e-13);
            let mut shifted = square.clone();
            (0..m).for_each(|i| shifted[(i, i)] -= shift);
            let lu = complex_lu(shifted);
            let mut y = DVector::from_fn(m, |_, _| Complex::new(noise(&mut seed), noise(&mut seed)));
            for _ in 0..3 {
                y = complex_solve(&lu, &y).unwrap_or(y);
                y /= Complex::new(y.norm(), 0.0);
            }
            converged &= (&below * &y).norm() <= CONVERGED * theta.norm();
            let mut z = Vector::zeros(self.pencil.m.rows());
            for (v, y) in self.basis.iter().zip(y.iter()) {
                complex_add(*y, v.z.as_slice(), z.as_mut_slice());
            }
            list.push((value(&theta), z));
        }
        Ok((list, converged))
    }
}
