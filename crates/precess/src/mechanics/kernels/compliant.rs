//! Generic compliant element: any law `s(y, y')` on any measure.
//!
//! The force is `g = B^T s`, so action equals reaction and the power taken from the system is
//! `v^T g = s . y'` without further care. `D = B^T s_y' B` and
//! `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`; the last term, the turning of the rates, belongs to the
//! exact derivative of every damper.

use nalgebra::{SMatrix, SVector, Vector1};

use super::pose::{Pair, PairMotion};
use super::row::{Measure, PairBlocks, Row};

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
    d: &mut PairBlocks,
) {
    d.add_congruence(&measure.rows(pair), s_rate);
}

/// Adds `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`. The velocities matter only if the law has damping.
#[inline]
pub fn add_k<const N: usize>(
    measure: &impl Measure<N>,
    pair: &Pair,
    v: &PairMotion,
    law: &Law<N>,
    k: &mut PairBlocks,
) {
    measure.add_k(pair, &law.s, k);
    let rows = measure.rows(pair);
    let damped = law.s_rate.iter().any(|&c| c != 0.0);
    let y_rows = damped.then(|| measure.y_rows(pair, v));
    for (i, row) in rows.iter().enumerate() {
        let mut right = Row::combine(&rows, &law.s_y.row(i).transpose());
        if let Some(y_rows) = &y_rows {
            right += Row::combine(y_rows, &law.s_rate.row(i).transpose());
        }
        k.add_outer(row, &right);
    }
}
