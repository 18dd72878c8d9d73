//! The motions that the constraints leave free: a basis of the null space of B, orthonormal with respect to
//! M, and solutions of
//!
//! ```text
//! [ M  B^T ] [ x      ]   [ f ]
//! [ B   0  ] [ lambda ] = [ b ]
//! ```
//!
//! by QR with column pivoting of the dimensionless B^T. The pivots identify redundant rows, which are left
//! out.

use nalgebra::{DMatrix, DVector};
use precess::mechanics::mobility::REDUNDANT;

use crate::AnalysisError;
use crate::local::Layout;
use crate::matrix::largest;
use crate::words::motion;

/// The null space of B and the independent rows.
#[derive(Clone, Debug)]
pub struct Freedom {
    /// k x n, N^T M N = I, B N = 0.
    pub n: DMatrix<f64>,
    /// Rank of B.
    pub rank: usize,
    /// Orthonormal basis of the rows, dimensionless.
    range: DMatrix<f64>,
    /// Upper triangle of the independent rows.
    r: DMatrix<f64>,
    /// Rows of B in the order of their pivots.
    order: Vec<usize>,
    /// Scale of each row of B.
    rows: DVector<f64>,
    units: DVector<f64>,
}

/// A P = Q R with columns of A in the order of their remainders.
pub struct PivotedQr {
    /// Orthogonal, k x k.
    pub q: DMatrix<f64>,
    /// Only its upper triangle is used.
    pub r: DMatrix<f64>,
    /// Columns in the order of their pivots.
    pub order: Vec<usize>,
    /// Number of pivots above the tolerance.
    pub rank: usize,
}

impl PivotedQr {
    /// Householder QR; pivots below `tolerance` times the first are zero.
    pub fn new(mut a: DMatrix<f64>, tolerance: f64) -> Self {
        let (k, m) = a.shape();
        let mut q = DMatrix::identity(k, k);
        let mut order: Vec<usize> = (0..m).collect();
        let (mut rank, mut first) = (0, 0.0);
        for j in 0..k.min(m) {
            let norm = |c: usize| a.view((j, c), (k - j, 1)).norm();
            let (pivot, size) =
                (j..m).map(|c| (c, norm(c))).fold((j, -1.0), |b, x| if x.1 > b.1 { x } else { b });
            if j == 0 {
                first = size;
            }
            if !(size > tolerance * first) {
                break;
            }
            a.swap_columns(j, pivot);
            order.swap(j, pivot);
            let mut v: DVector<f64> = a.view((j, j), (k - j, 1)).column(0).into();
            v[0] += if v[0] < 0.0 { -size } else { size };
            let norm = v.norm();
            v /= norm;
            let mut rest = a.view_mut((j, j), (k - j, m - j));
            let row = rest.tr_mul(&v);
            rest.ger(-2.0, &v, &row, 1.0);
            let mut rest = q.view_mut((0, j), (k, k - j));
            let column = &rest * &v;
            rest.ger(-2.0, &column, &v, 1.0);
            rank += 1;
        }
        PivotedQr { q, r: a, order, rank }
    }
}

impl Freedom {
    /// From M and B at a point. Refuses free motions without inertia.
    pub fn new(m: &DMatrix<f64>, b: &DMatrix<f64>, layout: &Layout) -> Result<Self, AnalysisError> {
        let units = layout.units();
        let k = m.nrows();
        let mut a = b.transpose();
        for (i, mut row) in a.row_iter_mut().enumerate() {
            row *= units[i];
        }
        let rows = DVector::from_iterator(
            a.ncols(),
            a.column_iter().map(|c| if c.norm() > 0.0 { c.norm().recip() } else { 0.0 }),
        );
        for (i, mut column) in a.column_iter_mut().enumerate() {
            column *= rows[i];
        }
        let qr = PivotedQr::new(a, REDUNDANT);
        let (rank, free) = (qr.rank, k - qr.rank);
        let mut n: DMatrix<f64> = qr.q.columns(rank, free).into();
        for (i, mut row) in n.row_iter_mut().enumerate() {
            row *= units[i];
        }
        let reduced = n.tr_mul(&(m * &n));
        let reduced = 0.5 * (&reduced + reduced.transpose());
        let n = match reduced.clone().cholesky() {
            Some(c) if has_inertia(&c.l()) => {
                // N L^-T, solved as L X^T = N^T.
                c.l().solve_lower_triangular(&n.transpose()).map(|x| x.transpose())
            }
            _ => None,
        };
        let Some(n) = n else {
            let eigen = crate::matrix::symmetric(reduced);
            let direction = qr.q.columns(rank, free) * eigen.eigenvectors.column(eigen.eigenvalues.imin());
            return Err(AnalysisError::Massless {
                motion: motion(layout, &direction.component_mul(&units), None),
            });
        };
        Ok(Freedom {
            n,
            rank,
            range: qr.q.columns(0, rank).into(),
            r: qr.r.view((0, 0), (rank, rank)).into(),
            order: qr.order[..rank].to_vec(),
            rows,
            units,
        })
    }

    /// Degrees of freedom.
    pub fn dim(&self) -> usize {
        self.n.ncols()
    }

    /// The shortest x (rotations in rad, translations in L) with B x = b in the independent rows.
    pub fn particular(&self, b: &DVector<f64>) -> DVector<f64> {
        let right = DVector::from_iterator(self.rank, self.order.iter().map(|&i| b[i] * self.rows[i]));
        match self.r.tr_solve_upper_triangular(&right) {
            Some(z) => (&self.range * z).component_mul(&self.units),
            None => DVector::zeros(self.units.len()),
        }
    }

    /// Multipliers of independent rows with B^T lambda = f, for f that does no work on free motions.
    pub fn multipliers(&self, f: &DVector<f64>) -> DVector<f64> {
        let mut lambda = DVector::zeros(self.rows.len());
        let right = self.range.tr_mul(&f.component_mul(&self.units));
        if let Some(z) = self.r.solve_upper_triangular(&right) {
            for (&i, z) in self.order.iter().zip(z.iter()) {
                lambda[i] = z * self.rows[i];
            }
        }
        lambda
    }

    /// N^T A N.
    pub fn reduced(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        self.n.tr_mul(&(a * &self.n))
    }
}

/// True if the diagonal entries of a Cholesky factor are above rounding errors.
fn has_inertia(l: &DMatrix<f64>) -> bool {
    let diagonal = l.diagonal();
    diagonal.iter().all(|x| *x > 1e-8 * largest(&diagonal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess::lie::Largest;

    #[test]
    fn rank_and_factors() {
        let b = DMatrix::from_row_slice(3, 4, &[1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0]);
        let qr = PivotedQr::new(b.transpose(), 1e-10);
        assert_eq!(qr.rank, 2);
        assert!((qr.q.tr_mul(&qr.q) - DMatrix::identity(4, 4)).largest() < 1e-14);
        assert!((&b * qr.q.columns(2, 2)).largest() < 1e-14);
        for (j, &c) in qr.order.iter().enumerate() {
            let mut column = DVector::zeros(4);
            (0..=j.min(1)).for_each(|i| column[i] = qr.r[(i, j)]);
            assert!((&qr.q * column - b.transpose().column(c)).largest() < 1e-14);
        }
    }
}
