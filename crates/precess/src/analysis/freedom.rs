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

use crate::mechanics::mobility::REDUNDANT;
use crate::solve::decompositions::{cholesky, lower_solve, transposed_upper_solve, upper_solve};
use crate::solve::pivoted_qr::PivotedQr;
use crate::solve::products::{
    column_norms, congruent, largest, scale_columns, scale_rows, symmetric_part, times, transposed_times,
};
use nalgebra::{DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::local::Layout;
use crate::analysis::words::motion;

/// The null space of B and the independent rows.
#[derive(Clone, Debug)]
pub struct Freedom {
    /// k x n, N^T M N = I, B N = 0.
    pub n: DMatrix<f64>,
    /// k x n, the same motions, orthonormal in rad and lengths: N = P L^-T. Large ratios of inertias do not
    /// blur it.
    pub plain: DMatrix<f64>,
    /// L with L L^T = P^T M P.
    pub inertia: DMatrix<f64>,
    /// Rank of B.
    pub rank: usize,
    /// Orthonormal basis of the rows, dimensionless.
    range: DMatrix<f64>,
    /// Upper triangle of the independent rows.
    r: DMatrix<f64>,
    /// Rows of B in the order of their pivots.
    order: Vec<usize>,
    /// Scale of each row of B.
    rows: Vec<f64>,
    units: DVector<f64>,
}

impl Freedom {
    /// From M and B at a point. Refuses free motions without inertia.
    pub fn new(m: &DMatrix<f64>, b: &DMatrix<f64>, layout: &Layout) -> Result<Self, AnalysisError> {
        let units = layout.units();
        let k = m.nrows();
        let mut a = scale_rows(&units, b.transpose());
        let scale = |norm: f64| if norm > 0.0 { norm.recip() } else { 0.0 };
        let rows: Vec<f64> = column_norms(&a).into_iter().map(scale).collect();
        scale_columns(&mut a, &rows);
        let qr = PivotedQr::new(a, REDUNDANT);
        let (rank, free) = (qr.rank, k - qr.rank);
        let plain = scale_rows(&units, qr.q.columns(rank, free).into());
        let reduced = symmetric_part(&congruent(m, &plain));
        let found = match cholesky(reduced.clone()) {
            // P L^-T, solved as L X^T = P^T.
            Some(l) if has_inertia(&l) => lower_solve(&l, &plain.transpose()).map(|x| (x.transpose(), l)),
            _ => None,
        };
        let Some((n, inertia)) = found else {
            let eigen = crate::analysis::matrix::symmetric(reduced);
            let softest = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
            let direction = times(&qr.q.columns(rank, free).into(), &softest);
            return Err(AnalysisError::Massless {
                motion: motion(layout, &direction.component_mul(&units), None),
            });
        };
        Ok(Freedom {
            n,
            plain,
            inertia,
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
        match transposed_upper_solve(&self.r, &right) {
            Some(z) => times(&self.range, &z).component_mul(&self.units),
            None => DVector::zeros(self.units.len()),
        }
    }

    /// Multipliers of independent rows with B^T lambda = f, for f that does no work on free motions.
    pub fn multipliers(&self, f: &DVector<f64>) -> DVector<f64> {
        let mut lambda = DVector::zeros(self.rows.len());
        let right = transposed_times(&self.range, &f.component_mul(&self.units));
        if let Some(z) = upper_solve(&self.r, &right) {
            for (&i, z) in self.order.iter().zip(z.iter()) {
                lambda[i] = z * self.rows[i];
            }
        }
        lambda
    }

    /// N^T A N.
    pub fn reduced(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        congruent(a, &self.n)
    }
}

/// True if the diagonal entries of a Cholesky factor are above rounding errors.
fn has_inertia(l: &DMatrix<f64>) -> bool {
    let diagonal = l.diagonal();
    let least = 1e-8 * largest(diagonal.as_slice());
    diagonal.iter().all(|x| *x > least)
}
