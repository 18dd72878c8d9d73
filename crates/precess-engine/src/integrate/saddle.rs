//! The saddle-point system (20) of LA, Remark 2.4, by range-space and null-space elimination.
//!
//! ```text
//! [ M  B^T ] [ x_v ]   [ r_v ]
//! [ B   0  ] [ x_l ] = [ r_l ]
//! ```
//!
//! Used at the start and in projections, where a clear diagnosis matters more than speed.

use nalgebra::{DMatrix, DVector};
use precess_lie::larger;

use crate::mechanics::jacobian;
use crate::mechanics::redundancy::EPS;
use crate::mechanics::tangents::sparse_structure;
use crate::mechanics::{System, Tangents};
use crate::solve::kkt::Kkt;

/// Passes with regularised rows. Each shrinks the bias of multipliers by [`EPS`]/s, where s is the eigenvalue
/// of their direction, from 1e-9 (light bodies between heavy ones) to 1.
const REGULARISED_PASSES: usize = 6;

/// If a pass corrects the solution by at most this part, the next one would correct it by less than round-off.
const LAST_RATIO: f64 = 1e-9;

/// Solver of (20) for a system: dense with a diagnosis for small systems, in sparse blocks for large ones,
/// regularised for redundant rows.
#[derive(Clone, Debug)]
pub struct Saddle {
    /// Elimination for small systems.
    pub elimination: Elimination,
    kkt: Option<Kkt>,
    step: Vec<f64>,
    /// True if the refinement ends when another pass would change only the last digit.
    ends_early: bool,
}

/// y += x.
fn add(y: &mut [f64], x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
}

/// The largest entry in modulus; NaN if there is one.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| larger(m, x.abs()))
}

impl Saddle {
    /// Workspace for a system.
    pub fn new(system: &dyn System) -> Self {
        let (k, m) = (system.group().dim(), system.n_lambda());
        let regularised = system.row_weights().is_some();
        let large = regularised || sparse_structure(system).is_some();
        let kkt = large.then(|| jacobian::allocate_matrix(system, 0, false, regularised));
        Saddle { elimination: Elimination::Auto, kkt, step: vec![0.0; k + m], ends_early: false }
    }

    /// Workspace for repeated solutions: one factorisation without a diagnosis, no allocation, no pass of
    /// refinement that changes only the last digit.
    pub fn fast(system: &dyn System) -> Self {
        let mut saddle = Saddle { ends_early: true, ..Saddle::new(system) };
        saddle.kkt.get_or_insert_with(|| Kkt::dense(saddle.step.len()));
        saddle
    }

    /// Solves with M in `tangents.s`, B in `tangents.b` (and friction in `tangents.g_lambda`).
    pub fn solve(
        &mut self,
        system: &dyn System,
        tangents: &Tangents,
        r_v: &DVector<f64>,
        r_l: &DVector<f64>,
    ) -> Result<(DVector<f64>, DVector<f64>), SaddleError> {
        let (k, m) = (r_v.len(), r_l.len());
        if self.kkt.is_none() {
            let b = tangents.b.to_dmatrix();
            let mut c = b.transpose();
            if tangents.has_friction() {
                c += tangents.g_lambda.to_dmatrix();
            }
            return solve(&tangents.s.to_dmatrix(), &b, &c, r_v, r_l, self.elimination);
        }
        let (mut x_v, mut x_l) = (DVector::zeros(k), DVector::zeros(m));
        self.solve_into(
            system,
            tangents,
            (r_v.as_slice(), r_l.as_slice()),
            (x_v.as_mut_slice(), x_l.as_mut_slice()),
        )?;
        Ok((x_v, x_l))
    }

    /// The same without allocation if a factorisation without a diagnosis is used ([`fast`](Self::fast),
    /// large systems).
    pub(crate) fn solve_into(
        &mut self,
        system: &dyn System,
        tangents: &Tangents,
        (r_v, r_l): (&[f64], &[f64]),
        (x_v, x_l): (&mut [f64], &mut [f64]),
    ) -> Result<(), SaddleError> {
        let (k, m) = (r_v.len(), r_l.len());
        let Some(kkt) = &mut self.kkt else {
            let vector = DVector::from_column_slice;
            let (v, l) = self.solve(system, tangents, &vector(r_v), &vector(r_l))?;
            x_v.copy_from_slice(v.as_slice());
            x_l.copy_from_slice(l.as_slice());
            return Ok(());
        };
        let weights = system.row_weights().unwrap_or(&[]);
        let outcome = kkt.form(|kkt| jacobian::saddle(tangents, true, (weights, EPS), kkt));
        outcome.map_err(|e| match e.column.checked_sub(k) {
            None => SaddleError::Mass { coordinate: e.column },
            Some(row) => SaddleError::Rank { rank: m - 1, dependent: vec![row] },
        })?;
        // Refinement removes the bias of the regularisation and the rounding errors of a static pivot order.
        let step = &mut self.step;
        x_v.fill(0.0);
        x_l.fill(0.0);
        let regularised = system.row_weights().is_some();
        let passes = if regularised { REGULARISED_PASSES } else { 3 };
        for pass in 0..passes {
            step[..k].copy_from_slice(r_v);
            step[k..].copy_from_slice(r_l);
            if pass > 0 {
                let (top, bottom) = step.split_at_mut(k);
                tangents.s.gemv(-1.0, x_v, top);
                tangents.b.gemv_transpose(-1.0, x_l, top);
                if tangents.has_friction() {
                    tangents.g_lambda.gemv(-1.0, x_l, top);
                }
                tangents.b.gemv(-1.0, x_v, bottom);
            }
            kkt.solve(step);
            add(x_v, &step[..k]);
            add(x_l, &step[k..]);
            // A pass shrinks the error by about the ratio of its correction to the solution.
            let is_small = |d: &[f64], x: &[f64]| largest(d) <= LAST_RATIO * largest(x);
            let may_end = self.ends_early && !regularised && pass > 0;
            if may_end && is_small(&step[..k], x_v) && is_small(&step[k..], x_l) {
                break;
            }
        }
        Ok(())
    }
}

/// The elimination of Remark 2.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elimination {
    /// Range space, or null space if M is not positive definite.
    #[default]
    Auto,
    /// Cholesky of M, then of B M^-1 B^T. Needs M positive definite.
    RangeSpace,
    /// QR of B^T. Needs M positive definite on ker B only.
    NullSpace,
}

/// Why a saddle-point system has no unique solution.
#[derive(Clone, Debug, PartialEq)]
pub enum SaddleError {
    /// M is not positive definite (range space), or not on ker B (null space).
    Mass {
        /// Velocity coordinate that moves most in the motion without inertia.
        coordinate: usize,
    },
    /// Rows of B depend on the others.
    Rank {
        /// Rank of B.
        rank: usize,
        /// Rows that remain after a pivoted elimination.
        dependent: Vec<usize>,
    },
}

/// Rank decisions: a pivot below this fraction of the largest counts as zero.
const RANK_TOLERANCE: f64 = 1e-8;

/// Solves (20). `c` is B^T, or B^T + dg/dlambda with friction that depends on lambda.
pub fn solve(
    m: &DMatrix<f64>,
    b: &DMatrix<f64>,
    c: &DMatrix<f64>,
    r_v: &DVector<f64>,
    r_l: &DVector<f64>,
    elimination: Elimination,
) -> Result<(DVector<f64>, DVector<f64>), SaddleError> {
    match elimination {
        Elimination::RangeSpace => range_space(m, b, c, r_v, r_l),
        Elimination::NullSpace => null_space(m, b, c, r_v, r_l),
        Elimination::Auto => match range_space(m, b, c, r_v, r_l) {
            Err(SaddleError::Mass { .. }) => null_space(m, b, c, r_v, r_l),
            other => other,
        },
    }
}

fn range_space(
    m: &DMatrix<f64>,
    b: &DMatrix<f64>,
    c: &DMatrix<f64>,
    r_v: &DVector<f64>,
    r_l: &DVector<f64>,
) -> Result<(DVector<f64>, DVector<f64>), SaddleError> {
    let largest = m.diagonal().amax();
    let chol = m.clone().cholesky().filter(|f| {
        // A semidefinite M can pass Cholesky with a rounding-error pivot.
        f.l_dirty().diagonal().iter().all(|d| d * d > 1e-14 * largest)
    });
    let Some(chol) = chol else {
        return Err(SaddleError::Mass { coordinate: weakest(m, &DMatrix::identity(m.nrows(), m.nrows())) });
    };
    let m_r = chol.solve(r_v);
    if b.nrows() == 0 {
        return Ok((m_r, DVector::zeros(0)));
    }
    let m_c = chol.solve(c);
    let schur = b * &m_c;
    dependent_rows(b)?;
    let Some(x_l) = schur.lu().solve(&(b * &m_r - r_l)) else {
        return Err(SaddleError::Rank { rank: b.nrows() - 1, dependent: vec![b.nrows() - 1] });
    };
    Ok((m_r - m_c * &x_l, x_l))
}

fn null_space(
    m: &DMatrix<f64>,
    b: &DMatrix<f64>,
    c: &DMatrix<f64>,
    r_v: &DVector<f64>,
    r_l: &DVector<f64>,
) -> Result<(DVector<f64>, DVector<f64>), SaddleError> {
    let (k, rows) = (m.nrows(), b.nrows());
    if rows == 0 {
        return range_space(m, b, c, r_v, r_l);
    }
    dependent_rows(b)?;
    // Full Q: the QR factorisation of (B^T, I) keeps the first m columns of Q in range(B^T).
    let mut extended = DMatrix::zeros(k, rows + k);
    extended.view_mut((0, 0), (k, rows)).copy_from(&b.transpose());
    extended.view_mut((0, rows), (k, k)).fill_with_identity();
    let q = extended.qr().q();
    let (q1, q2) = (q.columns(0, rows).into_owned(), q.columns(rows, k - rows).into_owned());

    let reduced = q2.transpose() * m * &q2;
    let size = m.amax().max(f64::MIN_POSITIVE);
    let definite =
        reduced.cholesky().is_some_and(|f| f.l_dirty().diagonal().iter().all(|d| d * d > 1e-13 * size));
    if !definite && rows < k {
        return Err(SaddleError::Mass { coordinate: weakest(m, &q2) });
    }
    // x_v = Q1 x1 + Q2 x2 with B Q1 x1 = r_l; then (M Q2, C) (x2, x_l) = r_v - M Q1 x1 is square, with
    // friction too.
    let not_unique = || SaddleError::Rank { rank: rows.saturating_sub(1), dependent: (0..rows).collect() };
    let x_range = &q1 * (b * &q1).lu().solve(r_l).ok_or_else(not_unique)?;
    let mut square = DMatrix::zeros(k, k);
    square.columns_mut(0, k - rows).copy_from(&(m * &q2));
    square.columns_mut(k - rows, rows).copy_from(c);
    let x = square.lu().solve(&(r_v - m * &x_range)).ok_or_else(not_unique)?;
    let (x2, x_l) = (x.rows(0, k - rows), x.rows(k - rows, rows));
    Ok((x_range + q2 * x2, x_l.into_owned()))
}

/// Rows of B that depend on the others, by column-pivoted QR of B^T with rows scaled to unit length.
pub fn dependent_rows(b: &DMatrix<f64>) -> Result<(), SaddleError> {
    let mut rest = b.clone();
    for mut row in rest.row_iter_mut() {
        let n = row.norm();
        if n > 0.0 {
            row /= n;
        }
    }
    let mut left: Vec<usize> = (0..b.nrows()).collect();
    while !left.is_empty() {
        let (position, size) = left
            .iter()
            .enumerate()
            .map(|(p, &i)| (p, rest.row(i).norm()))
            .fold((0, -1.0), |best, x| if x.1 > best.1 * (1.0 + 1e-6) { x } else { best });
        if !(size > RANK_TOLERANCE) {
            return Err(SaddleError::Rank { rank: b.nrows() - left.len(), dependent: left });
        }
        let chosen = left.remove(position);
        let direction = rest.row(chosen) / size;
        for &i in &left {
            for _twice_for_orthogonality in 0..2 {
                let overlap = rest.row(i).dot(&direction);
                let mut row = rest.row_mut(i);
                row -= overlap * &direction;
            }
        }
    }
    Ok(())
}

/// The velocity coordinate that moves most in the motion (within the columns of `basis`) of least inertia.
fn weakest(m: &DMatrix<f64>, basis: &DMatrix<f64>) -> usize {
    let eigen = (basis.transpose() * m * basis).symmetric_eigen();
    let (index, _) = eigen
        .eigenvalues
        .iter()
        .enumerate()
        .fold((0, f64::INFINITY), |best, (i, &x)| if x < best.1 { (i, x) } else { best });
    let motion = basis * eigen.eigenvectors.column(index);
    motion.icamax_full().0
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::Largest;
    use proptest::prelude::*;

    fn random(rows: usize, cols: usize, values: &[f64]) -> DMatrix<f64> {
        DMatrix::from_iterator(rows, cols, values.iter().copied().cycle().take(rows * cols))
    }

    proptest! {
        #[test]
        fn both_eliminations_solve_the_block_system(
            values in proptest::collection::vec(-1.0f64..1.0, 97),
            k in 3usize..8, rows in 0usize..3,
        ) {
            let a = random(k, k, &values);
            let m = &a * a.transpose() + DMatrix::identity(k, k) * 0.1;
            let b = random(rows, k, &values[31..]);
            let r_v = DVector::from_column_slice(&values[..k]);
            let r_l = DVector::from_column_slice(&values[40..40 + rows]);
            let c = b.transpose();
            for elimination in [Elimination::RangeSpace, Elimination::NullSpace] {
                if let Ok((x, l)) = solve(&m, &b, &c, &r_v, &r_l, elimination) {
                    let scale = 1.0 + x.largest() + l.largest();
                    prop_assert!((&m * &x + &c * &l - &r_v).largest() < 1e-10 * scale);
                    prop_assert!((&b * &x - &r_l).largest() < 1e-10 * scale);
                }
            }
        }
    }

    #[test]
    fn semidefinite_mass_needs_the_null_space() {
        // Two coordinates tied together, inertia only in the first.
        let m = DMatrix::from_diagonal(&DVector::from_vec(vec![2.0, 0.0]));
        let b = DMatrix::from_row_slice(1, 2, &[1.0, -1.0]);
        let (r_v, r_l) = (DVector::from_vec(vec![3.0, 1.0]), DVector::zeros(1));
        let c = b.transpose();
        assert!(matches!(
            solve(&m, &b, &c, &r_v, &r_l, Elimination::RangeSpace),
            Err(SaddleError::Mass { coordinate: 1 })
        ));
        let (x, l) = solve(&m, &b, &c, &r_v, &r_l, Elimination::Auto).unwrap();
        assert!((x[0] - 2.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14 && (l[0] + 1.0).abs() < 1e-14);
    }

    #[test]
    fn dependent_rows_are_named() {
        let b = DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 3.0, 0.0]);
        match dependent_rows(&b) {
            Err(SaddleError::Rank { rank: 2, dependent }) => assert_eq!(dependent.len(), 1),
            other => panic!("{other:?}"),
        }
    }
}
