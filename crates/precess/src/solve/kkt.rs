//! The iteration matrix of a step: blocks are placed by the numbers of their first unknowns, then factorised.

use std::sync::Arc;

use super::block_lu::{BlockLu, Place};
use super::dense_lu::{DenseLu, Singular};
use super::mat::Mat;
use super::pattern::Pattern;
use crate::persist::{Archive, Damage, Persist};

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
    Block(Box<BlockLu>, Plans),
}

/// Where the blocks of a matrix go, in the order in which they are stored: found when the matrix is first added.
#[derive(Clone, Debug)]
struct Plan {
    kind: Kind,
    corner: (usize, usize),
    pattern: Arc<Pattern>,
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Transposed,
    /// With another matrix, which is stored for each first one.
    Product,
}

/// The handful of matrices an iteration matrix is made of.
#[derive(Clone, Debug, Default)]
struct Plans(Vec<Plan>);

impl Plans {
    /// The plan of a matrix; `find` gives the places of its blocks when it is new.
    #[inline]
    fn get(
        &mut self,
        kind: Kind,
        corner: (usize, usize),
        pattern: &Arc<Pattern>,
        find: impl FnOnce() -> Vec<Place>,
    ) -> &[Place] {
        let same = |p: &Plan| p.kind == kind && p.corner == corner && Arc::ptr_eq(&p.pattern, pattern);
        let i = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Plan { kind, corner, pattern: pattern.clone(), places: find() });
            self.0.len() - 1
        });
        &self.0[i].places
    }
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
        Kkt {
            n: lu.len(),
            work: vec![0.0; lu.len()],
            factors: Factors::Block(Box::new(lu), Plans::default()),
        }
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
        matches!(self.factors, Factors::Block(..))
    }

    /// Starts a new matrix.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.factors {
            Factors::Dense(lu) => lu.matrix_mut().fill(0.0),
            Factors::Block(lu, _) => lu.clear(),
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
            Factors::Block(lu, plans) => {
                let Some(pattern) = a.pattern() else {
                    // A matrix of differences: what is outside the structure is zero.
                    for (k, x) in a.data().iter().enumerate().filter(|(_, x)| **x != 0.0) {
                        lu.add(row + k % a.rows(), col + k / a.rows(), 1, weight, &[*x]);
                    }
                    return;
                };
                let mut places = plans
                    .get(Kind::Plain, (row, col), pattern, || {
                        let mut list = Vec::new();
                        a.for_blocks(|b| list.push(lu.place(row + b.row, col + b.col)));
                        list
                    })
                    .iter();
                a.for_blocks(|b| {
                    if let Some(place) = places.next() {
                        lu.add_at(*place, b.rows, weight, b.data);
                    }
                });
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
            Factors::Block(lu, plans) => {
                let Some(pattern) = a.pattern() else { return };
                let mut places = plans
                    .get(Kind::Transposed, (row, col), pattern, || {
                        let mut list = Vec::new();
                        a.for_blocks(|b| list.push(lu.place(row + b.col, col + b.row)));
                        list
                    })
                    .iter();
                a.for_blocks(|b| {
                    if let Some(place) = places.next() {
                        lu.add_transpose_at(*place, b.rows, weight, b.data);
                    }
                });
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
            Factors::Block(lu, plans) => {
                let (Some(left), Some(right)) = (a.pattern(), b.pattern()) else { return };
                let mut places = plans
                    .get(Kind::Product, (row, col), left, || {
                        let mut list = Vec::new();
                        a.for_blocks(|x| {
                            for slot in right.row(right.rows.block_of(x.col)) {
                                let to = right.cols.range(slot.col as usize).start;
                                list.push(lu.place(row + x.row, col + to));
                            }
                        });
                        list
                    })
                    .iter();
                // Room for two bodies in directors.
                let mut product = [0.0; 144];
                a.for_blocks(|x| {
                    for slot in right.row(right.rows.block_of(x.col)) {
                        let to = right.cols.range(slot.col as usize);
                        let cols = to.len();
                        let y = &b.data()[slot.offset as usize..][..x.cols * cols];
                        let Some(place) = places.next() else { return };
                        if x.rows * cols > product.len() {
                            // Large blocks column by column.
                            for (to, y) in to.zip(y.chunks_exact(x.cols)) {
                                let mut column = vec![0.0; x.rows];
                                multiply(x.data, x.rows, y, x.cols, &mut column);
                                lu.add(row + x.row, col + to, x.rows, weight, &column);
                            }
                            continue;
                        }
                        let out = &mut product[..x.rows * cols];
                        match (x.rows, x.cols, cols) {
                            (6, 6, 3) => multiply(x.data, 6, y, 6, out),
                            (3, 6, 3) => multiply(x.data, 3, y, 6, out),
                            (6, 6, 5) => multiply(x.data, 6, y, 6, out),
                            (5, 6, 5) => multiply(x.data, 5, y, 6, out),
                            (m, n, _) => multiply(x.data, m, y, n, out),
                        }
                        lu.add_at(*place, x.rows, weight, out);
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
            Factors::Block(lu, _) => lu.add(i, i, 1, value, &[1.0]),
        }
    }

    /// Entry (i, i), before factorisation: a size to scale residuals with.
    #[inline]
    pub fn diagonal(&self, i: usize) -> f64 {
        match &self.factors {
            Factors::Dense(lu) => lu.matrix().get(i, i),
            Factors::Block(lu, _) => lu.get(i, i),
        }
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        match &mut self.factors {
            Factors::Dense(lu) => lu.factor(),
            Factors::Block(lu, _) => lu.factor(),
        }
    }

    /// Writes the factors to an archive, or reads them from it.
    pub(crate) fn persist_factors(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        match &mut self.factors {
            Factors::Dense(lu) => lu.persist(archive),
            Factors::Block(lu, _) => lu.persist(archive),
        }
    }

    /// Solves in place.
    #[inline]
    pub fn solve(&mut self, b: &mut [f64]) {
        match &self.factors {
            Factors::Dense(lu) => lu.solve(b),
            Factors::Block(lu, _) => lu.solve(b, &mut self.work),
        }
    }
}

/// C = A B for columns of m and n entries. A constant m and n make it straight-line code.
#[inline(always)]
fn multiply(a: &[f64], m: usize, b: &[f64], n: usize, c: &mut [f64]) {
    for (c, b) in c.chunks_exact_mut(m).zip(b.chunks_exact(n)) {
        c.fill(0.0);
        for (a, b) in a.chunks_exact(m).zip(b) {
            for (c, a) in c.iter_mut().zip(a) {
                *c += a * b;
            }
        }
    }
}
