//! Generic compliant element: any law `s(y, y')` on any measure.
//!
//! The force is `g = B^T s`, so action equals reaction and the power taken from the system is
//! `v^T g = s . y'` without further care. `D = B^T s_y' B` and
//! `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`; the last term, the turning of the rates, belongs to the
//! exact derivative of every damper.

use nalgebra::{SMatrix, SVector, Vector1};

use super::pose::{Pair, PairMotion};
use super::row::{Blocks, Measure, Row};

/// Value and derivatives of a force law, evaluated at some `y` and `y'`.
///
/// `s` is conjugate to `y` and opposes it: a positive `s` pushes `y` down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law<const N: usize> {
    /// The force `s(y, y')`.
    pub s: SVector<f64, N>,
    /// The stiffness `ds/dy`.
    pub s_y: SMatrix<f64, N, N>,
    /// The damping `ds/dy'`, positive semidefinite for a dissipative law.
    pub s_rate: SMatrix<f64, N, N>,
}

impl<const N: usize> Law<N> {
    /// The linear law `s = k y + c y'` with full matrices.
    pub fn linear(
        k: &SMatrix<f64, N, N>,
        c: &SMatrix<f64, N, N>,
        y: &SVector<f64, N>,
        rate: &SVector<f64, N>,
    ) -> Self {
        Self { s: k * y + c * rate, s_y: *k, s_rate: *c }
    }
}

impl Law<1> {
    /// Scalar law `s` with its derivatives: a spring, a damper, a torque curve.
    pub fn scalar(s: f64, s_y: f64, s_rate: f64) -> Self {
        Self {
            s: Vector1::new(s),
            s_y: SMatrix::<f64, 1, 1>::new(s_y),
            s_rate: SMatrix::<f64, 1, 1>::new(s_rate),
        }
    }
}

/// Linear spring and damper with preload, for lengths and (unwrapped) angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper {
    /// Stiffness.
    pub k: f64,
    /// Damping.
    pub c: f64,
    /// Rest length or rest angle.
    pub y0: f64,
    /// Preload at rest, positive in tension.
    pub f0: f64,
}

impl SpringDamper {
    /// The law `s = k (y - y0) + c y' + f0`.
    pub fn law(&self, y: f64, rate: f64) -> Law<1> {
        let s = self.k * (y - self.y0) + self.c * rate + self.f0;
        Law::scalar(s, self.k, self.c)
    }
}

/// The force `g = B^T s`.
#[inline]
pub fn force<const N: usize>(measure: &impl Measure<N>, pair: &Pair, s: &SVector<f64, N>) -> Row {
    measure.bt_lambda(pair, s)
}

/// Adds `D = B^T s_y' B`.
#[inline]
pub fn add_d<const N: usize>(
    measure: &impl Measure<N>,
    pair: &Pair,
    s_rate: &SMatrix<f64, N, N>,
    d: &mut impl Blocks,
) {
    d.add_congruence_of(&measure.rows(pair), s_rate);
}

/// The columns of rows that blocks look at.
#[inline]
pub(crate) fn parts<B: Blocks, const N: usize>(rows: &[Row; N]) -> Columns<B, N> {
    Columns(std::array::from_fn(|i| B::part(&rows[i])))
}

/// Rows as blocks of the kind `B` see them.
pub(crate) struct Columns<B: Blocks, const N: usize>([B::Row; N]);

/// [`add_d`] with the rows at hand.
#[inline]
pub(crate) fn add_d_of<B: Blocks, const N: usize>(
    rows: &Columns<B, N>,
    s_rate: &SMatrix<f64, N, N>,
    d: &mut B,
) {
    d.add_congruence(&rows.0, s_rate);
}

/// Adds `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`. The velocities matter only if the law has damping.
#[inline]
pub fn add_k<const N: usize>(
    measure: &impl Measure<N>,
    pair: &Pair,
    v: &PairMotion,
    law: &Law<N>,
    k: &mut impl Blocks,
) {
    add_k_of(&parts(&measure.rows(pair)), measure, (pair, v), law, k);
}

/// [`add_k`] with the rows at hand.
#[inline]
pub(crate) fn add_k_of<B: Blocks, const N: usize>(
    rows: &Columns<B, N>,
    measure: &impl Measure<N>,
    (pair, v): (&Pair, &PairMotion),
    law: &Law<N>,
    k: &mut B,
) {
    measure.add_k(pair, &law.s, k);
    let damped = law.s_rate.iter().any(|&c| c != 0.0);
    let y_rows = damped.then(|| parts::<B, N>(&measure.y_rows(pair, v)));
    for (i, row) in rows.0.iter().enumerate() {
        let mut right = B::combine(&rows.0, |j| law.s_y[(i, j)]);
        if let Some(y_rows) = &y_rows {
            right = right + B::combine(&y_rows.0, |j| law.s_rate[(i, j)]);
        }
        k.add_product(row, &right);
    }
}
