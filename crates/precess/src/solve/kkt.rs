//! The iteration matrix of a step: blocks are placed by the numbers of their first unknowns, then factorised.

use super::block_lu::BlockLu;
use super::dense_lu::{DenseLu, Singular};
use super::mat::Mat;

/// Iteration matrix and its factors, dense for small systems and in sparse blocks for large ones.
#[derive(Clone, Debug)]
pub struct Kkt {
    n: usize,
    factors: Factors,
    work: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Factors {
    Dense(DenseLu),
    Block(Box<BlockLu>),
}

impl Default for Kkt {
    fn default() -> Self {
        Kkt::dense(0)
    }
}

impl Kkt {
    /// Dense matrix of n unknowns.
    pub fn dense(n: usize) -> Self {
        Kkt { n, factors: Factors::Dense(DenseLu::new(n)), work: Vec::new() }
    }

    /// Dense matrix with a regularised multiplier block.
    pub fn regularised(n: usize) -> Self {
        let lu = DenseLu::new(n).accepting_small_pivots();
        Kkt { n, factors: Factors::Dense(lu), work: Vec::new() }
    }

    /// Sparse blocks.
    pub fn block(lu: BlockLu) -> Self {
        Kkt { n: lu.len(), work: vec![0.0; lu.len()], factors: Factors::Block(Box::new(lu)) }
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// True for sparse blocks.
    pub fn is_sparse(&self) -> bool {
        matches!(self.factors, Factors::Block(_))
    }

    /// Starts a new matrix.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.factors {
            Factors::Dense(lu) => lu.matrix_mut().fill(0.0),
            Factors::Block(lu) => lu.clear(),
        }
    }

    /// Adds `weight * a` at (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) => {
                let m = lu.matrix_mut();
                a.for_blocks(|b| {
                    for (j, x) in b.data.chunks_exact(b.rows.max(1)).enumerate() {
                        let first = row + b.row;
                        let target = &mut m.column_mut(col + b.col + j)[first..first + b.rows];
                        for (t, x) in target.iter_mut().zip(x) {
                            *t += weight * x;
                        }
                    }
                })
            }
            Factors::Block(lu) => {
                a.for_blocks(|b| lu.add(row + b.row, col + b.col, b.rows, b.cols, weight, b.data));
            }
        }
    }

    /// Adds `weight * a^T` at (row, col).
    #[inline]
    pub fn add_transpose(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) => {
                let m = lu.matrix_mut();
                a.for_blocks(|b| {
                    for i in 0..b.rows {
                        let first = row + b.col;
                        let target = &mut m.column_mut(col + b.row + i)[first..first + b.cols];
                        for (j, t) in target.iter_mut().enumerate() {
                            *t += weight * b.data[j * b.rows + i];
                        }
                    }
                })
            }
            Factors::Block(lu) => {
                a.for_blocks(|b| lu.add_transpose(row + b.col, col + b.row, b.rows, b.cols, weight, b.data));
            }
        }
    }

    /// Adds `weight * a b` at (row, col).
    pub fn add_product(&mut self, row: usize, col: usize, weight: f64, a: &Mat, b: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) => {
                let m = lu.matrix_mut();
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
            Factors::Block(lu) => {
                let Some(pattern) = b.pattern() else { return };
                // Room for a block of two bodies; larger ones come in groups of columns.
                let mut product = [0.0; 144];
                a.for_blocks(|x| {
                    let k = pattern.rows.block_of(x.col);
                    for slot in pattern.row(k) {
                        let cols = pattern.cols.range(slot.col as usize);
                        let y = &b.data()[slot.offset as usize..][..x.cols * cols.len()];
                        let width = product.len() / x.rows;
                        for (group, y) in y.chunks(x.cols * width).enumerate() {
                            let n = y.len() / x.cols;
                            let out = &mut product[..x.rows * n];
                            out.fill(0.0);
                            for (j, y) in y.chunks_exact(x.cols).enumerate() {
                                for (l, y) in y.iter().enumerate() {
                                    for i in 0..x.rows {
                                        out[j * x.rows + i] += x.data[l * x.rows + i] * y;
                                    }
                                }
                            }
                            lu.add(row + x.row, col + cols.start + group * width, x.rows, n, weight, out);
                        }
                    }
                });
            }
        }
    }

    /// Adds to one diagonal entry.
    #[inline]
    pub fn add_diagonal(&mut self, i: usize, value: f64) {
        match &mut self.factors {
            Factors::Dense(lu) => lu.matrix_mut().add_entry(i, i, value),
            Factors::Block(lu) => lu.add(i, i, 1, 1, value, &[1.0]),
        }
    }

    /// Entry (i, i), before factorisation: a size to scale residuals with.
    #[inline]
    pub fn diagonal(&self, i: usize) -> f64 {
        match &self.factors {
            Factors::Dense(lu) => lu.matrix().get(i, i),
            Factors::Block(lu) => lu.get(i, i),
        }
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        match &mut self.factors {
            Factors::Dense(lu) => lu.factor(),
            Factors::Block(lu) => lu.factor(),
        }
    }

    /// Solves in place.
    #[inline]
    pub fn solve(&mut self, b: &mut [f64]) {
        match &self.factors {
            Factors::Dense(lu) => lu.solve(b),
            Factors::Block(lu) => lu.solve(b, &mut self.work),
        }
    }
}
