//! QR factorisation with column pivoting: the rank of constraints, and the share of each joint in a
//! redundancy.

use nalgebra::{DMatrix, DVector};

use super::Core;
use crate::solve::structure::RowGroup;

/// QR factorisation with column pivoting of the transpose: rows of the matrix are orthogonalised one after
/// the other, the largest remainder first, until the remainder is below a tolerance.
pub(super) struct Pivoted {
    /// Rows in the order of elimination; those after `rank` depend on the others.
    pub(super) order: Vec<usize>,
    /// Remainders of the eliminated rows, R_kk.
    pub(super) sizes: Vec<f64>,
    pub(super) rank: usize,
    /// Orthonormal rows, as columns.
    pub(super) q: Vec<DVector<f64>>,
    /// R, its columns by row of the matrix.
    pub(super) r: Vec<Vec<f64>>,
}

impl Pivoted {
    pub(super) fn new(matrix: &DMatrix<f64>, tolerance: f64) -> Self {
        let n = matrix.nrows();
        let mut rest: Vec<DVector<f64>> = matrix.row_iter().map(|r| r.transpose()).collect();
        let mut qr =
            Pivoted { order: (0..n).collect(), sizes: vec![], rank: 0, q: vec![], r: vec![vec![]; n] };
        while qr.rank < n {
            let k = qr.rank;
            let (at, size) = qr.order[k..]
                .iter()
                .enumerate()
                .map(|(i, &row)| (k + i, rest[row].norm()))
                .fold((k, -1.0), |best, x| if x.1 > best.1 { x } else { best });
            let first = qr.sizes.first().copied().unwrap_or(size);
            if !(size > tolerance * first) {
                break;
            }
            qr.order.swap(k, at);
            let chosen = qr.order[k];
            let direction = &rest[chosen] / size;
            qr.r[chosen].push(size);
            for &row in &qr.order[k + 1..] {
                let mut overlap = 0.0;
                // The second pass restores orthogonality.
                for _ in 0..2 {
                    let part = rest[row].dot(&direction);
                    rest[row].axpy(-part, &direction, 1.0);
                    overlap += part;
                }
                qr.r[row].push(overlap);
            }
            qr.q.push(direction);
            qr.sizes.push(size);
            qr.rank += 1;
        }
        qr
    }

    /// Adds the diagonal of N N^T, summed over the rows of each joint, with N of
    /// [`null_basis`](Self::null_basis).
    pub(super) fn add_shares(&self, core: &Core, joints: &[RowGroup], rank: usize, shares: &mut [f64]) {
        if self.order.len() == rank {
            return;
        }
        let basis = self.null_basis(rank);
        let mut row = 0;
        for &joint in &core.joints {
            for _ in joints[joint].rows.clone() {
                shares[joint] += basis.row(row).norm_squared();
                row += 1;
            }
        }
    }

    /// An orthonormal basis, as columns, of the combinations of rows that vanish if everything after `rank`
    /// pivots counts as zero.
    pub(super) fn null_basis(&self, rank: usize) -> DMatrix<f64> {
        let (n, left) = (self.order.len(), self.order.len() - rank);
        if left == 0 {
            return DMatrix::zeros(n, 0);
        }
        let mut null = DMatrix::zeros(n, left);
        let r11 = DMatrix::from_fn(rank, rank, |i, j| if i <= j { self.r[self.order[j]][i] } else { 0.0 });
        for (c, &row) in self.order[rank..].iter().enumerate() {
            let right = DVector::from_fn(rank, |i, _| -self.r[row][i]);
            if let Some(z) = r11.solve_upper_triangular(&right) {
                (0..rank).for_each(|i| null[(self.order[i], c)] = z[i]);
            }
            null[(row, c)] = 1.0;
        }
        null.qr().q()
    }

    /// The shortest x with A x = right in the independent rows.
    pub(super) fn solve(&self, right: &DVector<f64>) -> DVector<f64> {
        let n = self.q.first().map_or(0, DVector::len);
        let mut x = DVector::zeros(n);
        let mut z = vec![0.0; self.rank];
        for k in 0..self.rank {
            let column = &self.r[self.order[k]];
            let known: f64 = (0..k).map(|i| column[i] * z[i]).sum();
            z[k] = (right[self.order[k]] - known) / column[k];
            x.axpy(z[k], &self.q[k], 1.0);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::Largest;

    #[test]
    fn pivoted_qr_finds_rank_and_solves() {
        let a = DMatrix::from_row_slice(
            4,
            5,
            &[
                1.0, 2.0, 0.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 3.0, 1.0, 1.0, 0.5, 2.0, 0.0, 0.0,
                1.0, 4.0,
            ],
        );
        let qr = Pivoted::new(&a, 1e-10);
        assert_eq!(qr.rank, 3);
        let right = &a * DVector::from_vec(vec![1.0, -1.0, 2.0, 0.3, 0.7]);
        let x = qr.solve(&right);
        assert!((&a * &x - right).largest() < 1e-13);
        let core = Core { joints: vec![0, 1, 2, 3], bodies: vec![] };
        let joints: Vec<RowGroup> = (0..4).map(|i| RowGroup { rows: i..i + 1, factors: vec![] }).collect();
        // The third row is the sum of the first two; the fourth is independent.
        let mut shares = vec![0.0; 4];
        qr.add_shares(&core, &joints, qr.rank, &mut shares);
        for (share, expected) in shares.iter().zip([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]) {
            assert!((share - expected).abs() < 1e-13, "{shares:?}");
        }
    }
}
