//! Sparse LU factorisation with partial pivoting over whole columns: slow and safe.
//!
//! The fallback for matrices on which pivoting inside blocks is not enough, for example with a body without
//! mass in the middle of a chain. It works column by column (Gilbert and Peierls 1988): the pattern of a
//! column of the factors is the set reachable from its entries in the graph of L. The row of a pivot stays
//! unless another entry of the column is ten times larger, so the fill of the block order is mostly kept. It
//! is written by hand because crates with such a factorisation take minutes to build, and it is rarely used.
//! It allocates.

use super::singular::Singular;

/// A column of a sparse matrix: rows and values.
type SparseColumn = Vec<(u32, f64)>;

/// Factors of a matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct SparseLu {
    /// Below the pivots, by rows of the matrix.
    lower: Vec<SparseColumn>,
    /// Above the pivots, by columns.
    upper: Vec<SparseColumn>,
    /// Row of each pivot.
    rows: Vec<u32>,
    inverse: Vec<f64>,
    work: Vec<f64>,
    /// Factors of rows and columns; empty if none were needed.
    scales: Option<[Vec<f64>; 2]>,
}

const NONE: u32 = u32::MAX;
/// A diagonal entry of this fraction of the largest one is good enough.
const PREFER_DIAGONAL: f64 = 0.1;

impl SparseLu {
    /// Factorises a square matrix given by columns. Pivots of multipliers have the size 1/mass and may be
    /// small only because of their units. So a matrix is singular only if it is with rows and columns divided
    /// by their largest entries.
    pub fn new(columns: &[SparseColumn]) -> Result<Self, Singular> {
        Self::factor(columns).or_else(|_| {
            let inverse = |x: f64| if x > 0.0 { x.recip() } else { 1.0 };
            let mut rows = vec![0.0_f64; columns.len()];
            columns.iter().flatten().for_each(|&(i, x)| rows[i as usize] = rows[i as usize].max(x.abs()));
            rows.iter_mut().for_each(|x| *x = inverse(*x));
            let largest =
                |c: &SparseColumn| c.iter().fold(0.0_f64, |m, &(i, x)| m.max(x.abs() * rows[i as usize]));
            let own: Vec<f64> = columns.iter().map(|c| inverse(largest(c))).collect();
            let scaled = columns
                .iter()
                .zip(&own)
                .map(|(c, s)| c.iter().map(|&(i, x)| (i, x * rows[i as usize] * s)).collect());
            let lu = Self::factor(&scaled.collect::<Vec<SparseColumn>>())?;
            Ok(SparseLu { scales: Some([rows, own]), ..lu })
        })
    }

    fn factor(columns: &[SparseColumn]) -> Result<Self, Singular> {
        let n = columns.len();
        let mut lu = SparseLu { work: vec![0.0; n], ..SparseLu::default() };
        // The column in which a row is the pivot.
        let mut pivot_of = vec![NONE; n];
        let mut seen = vec![NONE; n];
        let mut x = vec![0.0; n];
        for (j, column) in columns.iter().enumerate() {
            let reached = lu.reach(column, &pivot_of, &mut seen, j as u32);
            let mut size = 0.0_f64;
            for &(i, value) in column {
                x[i as usize] += value;
                size = size.max(value.abs());
            }
            let mut above = SparseColumn::new();
            let mut below = Vec::new();
            // Reversed: a column of L comes after all columns that change its entry.
            for &i in reached.iter().rev() {
                let value = x[i as usize];
                match pivot_of[i as usize] {
                    NONE => below.push(i),
                    k => {
                        above.push((k, value));
                        x[i as usize] = 0.0;
                        for &(row, l) in &lu.lower[k as usize] {
                            x[row as usize] -= l * value;
                        }
                    }
                }
            }
            let largest = below.iter().fold((NONE, 0.0), |best: (u32, f64), &i| {
                if x[i as usize].abs() > best.1 { (i, x[i as usize].abs()) } else { best }
            });
            if !(largest.1 > 1e-14 * size) {
                return Err(Singular { column: j, pivot: largest.1, size });
            }
            let own = pivot_of[j] == NONE && x[j].abs() >= PREFER_DIAGONAL * largest.1;
            let row = if own { j as u32 } else { largest.0 };
            let inverse = 1.0 / x[row as usize];
            pivot_of[row as usize] = j as u32;
            let mut lower = SparseColumn::new();
            for i in below {
                let value = std::mem::take(&mut x[i as usize]);
                if i != row && value != 0.0 {
                    lower.push((i, value * inverse));
                }
            }
            lu.lower.push(lower);
            lu.upper.push(above);
            lu.rows.push(row);
            lu.inverse.push(inverse);
        }
        Ok(lu)
    }

    /// Rows that a column of the factors can have; rows on which others depend come last.
    fn reach(&self, column: &SparseColumn, pivot_of: &[u32], seen: &mut [u32], mark: u32) -> Vec<u32> {
        let mut reached = Vec::new();
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for &(start, _) in column {
            if seen[start as usize] == mark {
                continue;
            }
            seen[start as usize] = mark;
            stack.push((start, 0));
            while let Some((row, next)) = stack.pop() {
                let below: &[(u32, f64)] = match pivot_of[row as usize] {
                    NONE => &[],
                    k => &self.lower[k as usize],
                };
                let unseen = below[next..].iter().position(|(i, _)| seen[*i as usize] != mark);
                match unseen {
                    None => reached.push(row),
                    Some(more) => {
                        let child = below[next + more].0;
                        seen[child as usize] = mark;
                        stack.push((row, next + more + 1));
                        stack.push((child, 0));
                    }
                }
            }
        }
        reached
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        if let Some([rows, _]) = &self.scales {
            b.iter_mut().zip(rows).for_each(|(b, s)| *b *= s);
        }
        for ((y, &row), lower) in self.work.iter_mut().zip(&self.rows).zip(&self.lower) {
            *y = b[row as usize];
            for &(i, l) in lower {
                b[i as usize] -= l * *y;
            }
        }
        for j in (0..b.len()).rev() {
            let x = self.work[j] * self.inverse[j];
            b[j] = x;
            for &(k, u) in &self.upper[j] {
                self.work[k as usize] -= u * x;
            }
        }
        if let Some([_, columns]) = &self.scales {
            b.iter_mut().zip(columns).for_each(|(b, s)| *b *= s);
        }
    }
}

impl SparseLu {
    /// Solves with the transposed matrix in place.
    pub fn solve_transposed(&mut self, b: &mut [f64]) {
        if let Some([_, columns]) = &self.scales {
            b.iter_mut().zip(columns).for_each(|(b, s)| *b *= s);
        }
        for j in 0..b.len() {
            let above: f64 = self.upper[j].iter().map(|&(k, u)| u * self.work[k as usize]).sum();
            self.work[j] = (b[j] - above) * self.inverse[j];
        }
        for j in (0..b.len()).rev() {
            let below: f64 = self.lower[j].iter().map(|&(i, l)| l * b[i as usize]).sum();
            b[self.rows[j] as usize] = self.work[j] - below;
        }
        if let Some([rows, _]) = &self.scales {
            b.iter_mut().zip(rows).for_each(|(b, s)| *b *= s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use precess_lie::Largest;
    use proptest::prelude::*;

    proptest! {
        /// Solves sparse matrices with zeros on the diagonal and compares with the known solution.
        #[test]
        fn solves_sparse_systems(
            n in 1usize..30,
            entries in proptest::collection::vec((0usize..30, 0usize..30, -1.0f64..1.0), 0..120),
            shift in 1usize..30,
        ) {
            // A permutation with large entries keeps the matrix regular; it is not the diagonal.
            let mut dense = DMatrix::<f64>::zeros(n, n);
            (0..n).for_each(|i| dense[((i + shift) % n, i)] = 40.0);
            for (i, j, x) in entries.into_iter().filter(|e| e.0 < n && e.1 < n) {
                dense[(i, j)] += x;
            }
            let columns: Vec<SparseColumn> = (0..n)
                .map(|j| {
                    let rows = (0..n).filter(|&i| dense[(i, j)] != 0.0);
                    rows.map(|i| (i as u32, dense[(i, j)])).collect()
                })
                .collect();
            let mut lu = SparseLu::new(&columns).unwrap();
            let b = DVector::from_fn(n, |i, _| (i as f64 * 0.7).sin());
            let mut x = b.as_slice().to_vec();
            lu.solve(&mut x);
            prop_assert!((&dense * DVector::from_vec(x) - &b).largest() < 1e-13);
            let mut x = b.as_slice().to_vec();
            lu.solve_transposed(&mut x);
            let residual = dense.transpose() * DVector::from_vec(x) - b;
            prop_assert!(residual.iter().all(|r| r.abs() < 1e-13), "transposed: {residual}");
        }
    }

    /// Entries of B beside an inertia of 1e15: the pivots of multipliers are 1e-15.
    #[test]
    fn units_are_no_singularity() {
        let columns = vec![
            vec![(0, 1e15), (2, 0.9)],
            vec![(1, 1e8), (2, 0.1), (3, 1.0)],
            vec![(0, 0.9), (1, 0.1)],
            vec![(1, 1.0)],
        ];
        let mut lu = SparseLu::new(&columns).unwrap();
        // The product with (1, 2, 3e8, 4e8).
        let mut x = vec![1e15 + 0.9 * 3e8, 2e8 + 0.1 * 3e8 + 4e8, 0.9 + 0.2, 2.0];
        lu.solve(&mut x);
        for (x, y) in x.iter().zip([1.0, 2.0, 3e8, 4e8]) {
            assert!((x / y - 1.0).abs() < 1e-6, "{x} {y}");
        }
        // This matrix is symmetric.
        let mut x = vec![1e15 + 0.9 * 3e8, 2e8 + 0.1 * 3e8 + 4e8, 0.9 + 0.2, 2.0];
        lu.solve_transposed(&mut x);
        for (x, y) in x.iter().zip([1.0, 2.0, 3e8, 4e8]) {
            assert!((x / y - 1.0).abs() < 1e-6, "transposed: {x} {y}");
        }
    }

    #[test]
    fn singular_matrix_is_refused_with_its_column() {
        let columns = vec![vec![(0, 1.0), (1, 2.0)], vec![(0, 2.0), (1, 4.0)]];
        assert_eq!(SparseLu::new(&columns).unwrap_err().column, 1);
    }
}
