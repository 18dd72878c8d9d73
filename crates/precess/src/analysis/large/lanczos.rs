//! The block Lanczos method with all vectors M-orthogonal, for the operator (K + c M)^-1 M on the motions
//! that joints allow.
//!
//! The operator in the vectors, T = V^T M (K + c M)^-1 M V, results from the orthogonalisation, and so do the
//! errors of pairs: the rows of T beyond its square. Eigenvalues are theta = 1/(kappa + c).

use crate::solve::Mat;
use crate::solve::products::{add, asymmetry, block_times, dot, largest, symmetric_part, times};
use nalgebra::{DMatrix, DVector};

use super::shifted::Shifted;
use crate::analysis::assembly::noise;
use crate::analysis::matrix::symmetric;

/// Number of vectors that grow together, so that double frequencies are found twice.
pub(super) const BLOCK: usize = 3;

/// Orthonormal vectors and the operator in them.
pub(super) struct Lanczos<'s, 'a> {
    pub(super) shifted: &'s mut Shifted<'a>,
    v: Vec<DVector<f64>>,
    /// Columns of T in the basis at their time.
    columns: Vec<Vec<f64>>,
}

/// An eigenvalue of T.
#[derive(Clone)]
pub(super) struct Ritz {
    /// Stiffness over inertia, 1/s^2.
    pub(super) kappa: f64,
    /// Error of the eigenvector.
    pub(super) lack: f64,
    /// theta.
    pub(super) theta: f64,
    y: DVector<f64>,
}

impl<'s, 'a> Lanczos<'s, 'a> {
    /// Starts with random vectors; a factor kappa/(kappa + c) removes motions without stiffness.
    pub(super) fn new(shifted: &'s mut Shifted<'a>) -> Self {
        let k = shifted.system.group().dim();
        let mut lanczos = Lanczos { shifted, v: Vec::new(), columns: Vec::new() };
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..BLOCK {
            let y = DVector::from_fn(k, |_, _| noise(&mut seed));
            let y = lanczos.shifted.solve(&block_times(&lanczos.shifted.t.s, &y));
            let x = lanczos.shifted.solve(&block_times(&lanczos.shifted.t.k, &y));
            lanczos.add(x);
        }
        lanczos
    }

    /// Applies the operator up to this number of vectors; false if there are fewer.
    pub(super) fn grow(&mut self, size: usize) -> bool {
        while self.columns.len() < size {
            let Some(v) = self.v.get(self.columns.len()) else { return false };
            let right = block_times(&self.shifted.t.s, v);
            let x = self.shifted.solve(&right);
            let column = self.add(x);
            self.columns.push(column);
        }
        true
    }

    /// Adds the new part of x to the basis; returns the parts of x.
    fn add(&mut self, mut x: DVector<f64>) -> Vec<f64> {
        let mass = &self.shifted.t.s;
        let mut parts = vec![0.0; self.v.len()];
        let before = size(mass, &x);
        // First the neighbours, which contain most of it, then all; once more if that removed much.
        let near = self.v.len().saturating_sub(3 * BLOCK);
        take(mass, &self.v, near, &mut x, &mut parts);
        let mut rest = size(mass, &x);
        for _ in 0..2 {
            take(mass, &self.v, 0, &mut x, &mut parts);
            let now = size(mass, &x);
            let enough = now > 0.5 * rest;
            rest = now;
            if enough {
                break;
            }
        }
        if rest > 1e-10 * before {
            self.v.push(x / rest);
            parts.push(rest);
        }
        parts
    }

    /// Eigenvalues of T by stiffness; none if the operator is not symmetric.
    pub(super) fn ritz(&self) -> Option<Vec<Ritz>> {
        let n = self.columns.len();
        let at = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or(0.0);
        let square = DMatrix::from_fn(n, n, at);
        if !(asymmetry(&square) <= 1e-6 * largest(square.as_slice())) {
            return None;
        }
        let below = DMatrix::from_fn(self.v.len().saturating_sub(n), n, |i, j| at(n + i, j));
        let eigen = symmetric(symmetric_part(&square));
        let most = largest(eigen.eigenvalues.as_slice());
        let pair = |i: usize| {
            let (theta, y) = (eigen.eigenvalues[i], eigen.eigenvectors.column(i).into_owned());
            let lack = times(&below, &y).norm() / theta.abs();
            Ritz { kappa: theta.recip() - self.shifted.c, lack, theta, y }
        };
        // Smaller values are rounding errors.
        let mut list: Vec<Ritz> =
            (0..n).filter(|&i| eigen.eigenvalues[i].abs() > 1e-10 * most).map(pair).collect();
        list.sort_by(|a, b| a.kappa.total_cmp(&b.kappa));
        Some(list)
    }

    /// The motion of a pair, x^T M x = 1, and its stiffness over inertia x^T K x.
    pub(super) fn vector(&self, pair: &Ritz) -> (f64, DVector<f64>) {
        let mut x = DVector::zeros(self.shifted.system.group().dim());
        self.v.iter().zip(pair.y.iter()).for_each(|(v, y)| add(*y, v.as_slice(), x.as_mut_slice()));
        x /= size(&self.shifted.t.s, &x);
        (size_squared(&self.shifted.t.k, &x), x)
    }
}

/// sqrt(x^T M x).
fn size(mass: &Mat, x: &DVector<f64>) -> f64 {
    size_squared(mass, x).max(0.0).sqrt()
}

/// x^T A x.
fn size_squared(a: &Mat, x: &DVector<f64>) -> f64 {
    dot(block_times(a, x).as_slice(), x.as_slice())
}

/// Removes the parts along the vectors from `first` on from x.
fn take(mass: &Mat, v: &[DVector<f64>], first: usize, x: &mut DVector<f64>, parts: &mut [f64]) {
    let mx = block_times(mass, x);
    let along: Vec<f64> = v[first..].iter().map(|v| dot(v.as_slice(), mx.as_slice())).collect();
    for ((v, part), sum) in v[first..].iter().zip(along).zip(&mut parts[first..]) {
        add(-part, v.as_slice(), x.as_mut_slice());
        *sum += part;
    }
}
