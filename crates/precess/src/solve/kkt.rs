//! The iteration matrix of a step: block rows and columns are placed by name, then factorised.

use super::dense_lu::{DenseLu, Singular};
use super::mat::Mat;

/// Dense iteration matrix and its factors.
#[derive(Clone, Debug, Default)]
pub struct Kkt {
    n: usize,
    lu: DenseLu,
}

impl Kkt {
    /// Workspace for n unknowns.
    pub fn new(n: usize) -> Self {
        Kkt { n, lu: DenseLu::new(n) }
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Starts a new matrix.
    #[inline]
    pub fn clear(&mut self) {
        self.lu.matrix_mut().fill(0.0);
    }

    /// Adds `weight * a` at (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        let m = self.lu.matrix_mut();
        for j in 0..a.cols() {
            let target = &mut m.column_mut(col + j)[row..row + a.rows()];
            for (t, x) in target.iter_mut().zip(a.column(j)) {
                *t += weight * x;
            }
        }
    }

    /// Adds `weight * a^T` at (row, col).
    #[inline]
    pub fn add_transpose(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        let m = self.lu.matrix_mut();
        for i in 0..a.rows() {
            let target = &mut m.column_mut(col + i)[row..row + a.cols()];
            for (j, t) in target.iter_mut().enumerate() {
                *t += weight * a.get(i, j);
            }
        }
    }

    /// Adds `weight * a b` at (row, col).
    #[inline]
    pub fn add_product(&mut self, row: usize, col: usize, weight: f64, a: &Mat, b: &Mat) {
        let m = self.lu.matrix_mut();
        for j in 0..b.cols() {
            let target = &mut m.column_mut(col + j)[row..row + a.rows()];
            for (k, x) in b.column(j).iter().enumerate() {
                let w = weight * x;
                if w != 0.0 {
                    for (t, y) in target.iter_mut().zip(a.column(k)) {
                        *t += w * y;
                    }
                }
            }
        }
    }

    /// Entry (i, i), before factorisation: a size to scale residuals with.
    #[inline]
    pub fn diagonal(&mut self, i: usize) -> f64 {
        *self.lu.matrix_mut().at(i, i)
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        self.lu.factor()
    }

    /// Solves in place.
    #[inline]
    pub fn solve(&self, b: &mut [f64]) {
        self.lu.solve(b);
    }
}
