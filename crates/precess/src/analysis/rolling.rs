//! Wheels that roll and blades that slide, in the linear equations. Their rows A v = 0 restrict velocities and
//! leave all positions open, so there are fewer rates than positions:
//!
//! ```text
//! z = N_G a + N_r b     N_G: motions that all rows allow,  N_r: those that only A forbids,  N_G^T M N_r = 0
//! A z' + (A E + Y_A) z = 0          Y_A = D_q(A v)
//! b' = S_a a + S_b b                since A N_G = 0
//! ```
//!
//! So b are first-order states beside the second-order coordinates a. The equations of a, tested with N_G,
//! contain b' and b: with the relation above, b' is replaced.

use crate::solve::decompositions::upper_solve;
use crate::solve::pivoted_qr::PivotedQr;
use crate::solve::products::{column_norms, congruent, product, scale_columns, times, transposed_product};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

use crate::analysis::AnalysisError;
use crate::analysis::freedom::Freedom;
use crate::analysis::local::{FrameMatrices, Layout};

/// The motions that rows of velocities forbid, and the drift of positions along them.
#[derive(Clone, Debug)]
pub(crate) struct Rolling {
    /// N_r, k x r: orthonormal with respect to M.
    pub n: DMatrix<f64>,
    /// -(A N_r)^-1 (A E + Y_A): the rates b' of all motions z.
    drift: DMatrix<f64>,
    /// (A N_r)^-1: rates along N_r of given slip velocities A v, for the scaled independent rows.
    rates: SlipRates,
}

/// The solution of A N_r x = s for consistent s, redundant rows included.
#[derive(Clone, Debug)]
struct SlipRates {
    qr_q: DMatrix<f64>,
    qr_r: DMatrix<f64>,
    order: Vec<usize>,
    rows: DVector<f64>,
}

impl SlipRates {
    fn new(a_n: &DMatrix<f64>) -> Self {
        // Rows of points and of directions have other units.
        let rows = DVector::from_fn(a_n.nrows(), |i, _| {
            let size = a_n.row(i).norm();
            if size > 0.0 { size.recip() } else { 0.0 }
        });
        let mut scaled = a_n.clone();
        scaled.row_iter_mut().zip(rows.iter()).for_each(|(mut row, s)| row *= *s);
        let (m, r) = scaled.shape();
        let qr = PivotedQr::new(scaled, 1e-12);
        let qr_r: DMatrix<f64> = qr.r.view((0, 0), (r.min(m), r)).into();
        SlipRates { qr_q: qr.q.columns(0, r.min(m)).into(), qr_r, order: qr.order, rows }
    }

    fn of(&self, slip: &DVector<f64>) -> DVector<f64> {
        let mut x = DVector::zeros(self.order.len());
        let right = times(&self.qr_q.transpose(), &slip.component_mul(&self.rows));
        if let Some(y) = upper_solve(&self.qr_r, &right) {
            self.order.iter().zip(y.iter()).for_each(|(&j, y)| x[j] = *y);
        }
        x
    }
}

impl Rolling {
    /// From the matrices at a state, the motions N_G that all rows allow, and the rows of velocities; none
    /// without such rows.
    pub fn new(
        layout: &Layout,
        all: &FrameMatrices,
        free: &Freedom,
        rows: &[usize],
    ) -> Result<Option<Self>, AnalysisError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let bodies = layout.controls.start;
        let own = Layout { controls: bodies..bodies, ..layout.clone() };
        let m: DMatrix<f64> = all.m.view((0, 0), (bodies, bodies)).into();
        let positions: Vec<usize> = (0..all.b.nrows()).filter(|i| rows.binary_search(i).is_err()).collect();
        let b: DMatrix<f64> = all.b.select_rows(&positions).columns(0, bodies).into();
        let wide = Freedom::new(&m, &b, &own)?;
        let shared = transposed_product(&wide.n, &product(&m, &free.n));
        let qr = PivotedQr::new(shared, 1e-6);
        let count = wide.dim() - free.dim();
        let own = product(&wide.n, &qr.q.columns(free.dim(), count).into());
        let mut n = DMatrix::zeros(layout.controls.end, count);
        n.view_mut((0, 0), (bodies, count)).copy_from(&own);
        Ok(Some(Self::along(all, n, rows)))
    }

    /// For given motions N_r.
    pub fn along(all: &FrameMatrices, n: DMatrix<f64>, rows: &[usize]) -> Self {
        let (a, y) = (all.b.select_rows(rows), all.y.select_rows(rows));
        let rates = SlipRates::new(&product(&a, &n));
        let slips = product(&a, &all.e) + y;
        let columns: Vec<DVector<f64>> = slips.column_iter().map(|s| -rates.of(&s.into())).collect();
        let drift = match columns.is_empty() {
            true => DMatrix::zeros(n.ncols(), 0),
            false => DMatrix::from_columns(&columns),
        };
        Rolling { n, drift, rates }
    }

    /// Number of positions beyond the rates.
    pub fn count(&self) -> usize {
        self.n.ncols()
    }

    /// The rates along N_r that end a slip.
    pub fn rates(&self, slip: &DVector<f64>) -> DVector<f64> {
        self.rates.of(slip)
    }

    /// S for motions in the columns of `n`.
    pub fn drift(&self, n: &DMatrix<f64>) -> DMatrix<f64> {
        product(&self.drift, n)
    }
}

/// M, G and K on motions n; the columns `drifting` are the positions b.
pub(crate) fn reduced(
    all: &FrameMatrices,
    n: &DMatrix<f64>,
    rolling: Option<(&Rolling, Range<usize>)>,
) -> [DMatrix<f64>; 3] {
    let [mut m, mut g, mut k] = [&all.m, &all.g, &all.k].map(|a| congruent(a, n));
    let Some((rolling, own)) = rolling else { return [m, g, k] };
    let s = rolling.drift(n);
    // b' = S z in the equations of a, where G stands before z'.
    let coupling: DMatrix<f64> = g.columns_range(own.clone()).into();
    k += product(&coupling, &s);
    // A first-order state has its value where others have their rate.
    g.columns_range_mut(own.clone()).copy_from(&k.columns_range(own.clone()));
    k.columns_range_mut(own.clone()).fill(0.0);
    m.columns_range_mut(own.clone()).fill(0.0);
    m.rows_range_mut(own.clone()).fill(0.0);
    g.rows_range_mut(own.clone()).fill(0.0);
    k.rows_range_mut(own.clone()).fill(0.0);
    for (i, row) in own.clone().enumerate() {
        m[(row, row)] = 1.0;
        for j in 0..n.ncols() {
            let target = if own.contains(&j) { &mut g } else { &mut k };
            target[(row, j)] = -s[(i, j)];
        }
    }
    [m, g, k]
}

/// A step of Newton's method towards a steady motion: z with
///
/// ```text
/// N_G^T K (N_G a + N_r b) = f,     S (N_G a + N_r b) = (A N_r)^-1 A v
/// ```
///
/// Motions along which nothing changes, such as rolling on, get no part of it.
pub(crate) fn step(
    all: &FrameMatrices,
    free: &Freedom,
    rolling: &Rolling,
    (force, slip): (&DVector<f64>, &DVector<f64>),
) -> DVector<f64> {
    let (a, b) = (free.dim(), rolling.count());
    let mut n = DMatrix::zeros(all.m.nrows(), a + b);
    n.view_mut((0, 0), free.n.shape()).copy_from(&free.n);
    n.columns_mut(a, b).copy_from(&rolling.n);
    let mut matrix = DMatrix::zeros(a + b, a + b);
    let k = congruent(&all.k, &n);
    matrix.rows_mut(0, a).copy_from(&k.rows(0, a));
    matrix.rows_mut(a, b).copy_from(&rolling.drift(&n));
    let mut right = DVector::zeros(a + b);
    right.rows_mut(0, a).copy_from(force);
    right.rows_mut(a, b).copy_from(&rolling.rates(slip));
    // Forces and slips have other units.
    for i in 0..a + b {
        let size = matrix.row(i).norm();
        if size > 0.0 {
            matrix.row_mut(i).unscale_mut(size);
            right[i] /= size;
        }
    }
    let mut scaled = matrix;
    let sizes: Vec<f64> =
        column_norms(&scaled).into_iter().map(|x| if x > 0.0 { x.recip() } else { 1.0 }).collect();
    scale_columns(&mut scaled, &sizes);
    let y = crate::analysis::matrix::pseudo_solve(&scaled, &right, 1e-9);
    times(&n, &DVector::from_fn(a + b, |i, _| y[i] * sizes[i]))
}
