//! Generic compliant element: any law `s(y, y')` on any measure.
//!
//! The force is `g = B^T s`, so action equals reaction and the power taken from the system is `v^T g = s .
//! y'`. `D = B^T s_y' B` and `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`; the last term, the turning of the
//! rates, belongs to the exact derivative of every damper.

use nalgebra::{SMatrix, SVector, Vector1};
use precess_lie::Number;

use super::pose::{Pair, PairMotion};
use super::row::{Blocks, Measure, Row};
use crate::mechanics::combine::combine;

/// Value and derivatives of a force law, evaluated at some `y` and `y'`.
///
/// `s` is conjugate to `y` and opposes it: a positive `s` pushes `y` down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantLaw<const N: usize, T = f64> {
    /// The force `s(y, y')`.
    pub s: SVector<T, N>,
    /// The stiffness `ds/dy`.
    pub s_y: SMatrix<T, N, N>,
    /// The damping `ds/dy'`, positive semidefinite for a dissipative law.
    pub s_rate: SMatrix<T, N, N>,
}

impl<const N: usize, T: Number> CompliantLaw<N, T> {
    /// The linear law `s = k y + c y'` with full matrices.
    pub fn linear(
        k: &SMatrix<T, N, N>,
        c: &SMatrix<T, N, N>,
        y: &SVector<T, N>,
        rate: &SVector<T, N>,
    ) -> Self {
        Self { s: k * y + c * rate, s_y: *k, s_rate: *c }
    }
}

impl<T: Number> CompliantLaw<1, T> {
    /// Scalar law `s` with its derivatives: a spring, a damper, a torque curve.
    pub fn scalar(s: T, s_y: T, s_rate: T) -> Self {
        Self {
            s: Vector1::new(s),
            s_y: SMatrix::<T, 1, 1>::new(s_y),
            s_rate: SMatrix::<T, 1, 1>::new(s_rate),
        }
    }
}

/// Linear spring and damper with preload, for lengths and (unwrapped) angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper<T = f64> {
    /// Stiffness.
    pub k: T,
    /// Damping.
    pub c: T,
    /// Rest length or rest angle.
    pub y0: T,
    /// Preload at rest, positive in tension.
    pub f0: T,
}

impl<T: Number> SpringDamper<T> {
    /// The law `s = k (y - y0) + c y' + f0`.
    pub fn law(&self, y: T, rate: T) -> CompliantLaw<1, T> {
        let s = self.k * (y - self.y0) + self.c * rate + self.f0;
        CompliantLaw::scalar(s, self.k, self.c)
    }
}

/// The force `g = B^T s`.
#[inline(always)]
pub fn force<const N: usize, T: Number>(
    measure: &impl Measure<N, T>,
    pair: &Pair<T>,
    s: &SVector<T, N>,
) -> Row<T> {
    measure.bt_lambda(pair, s)
}

/// Adds `D = B^T s_y' B`.
#[inline(always)]
pub fn add_d<const N: usize, T: Number>(
    measure: &impl Measure<N, T>,
    pair: &Pair<T>,
    s_rate: &SMatrix<T, N, N>,
    d: &mut impl Blocks<T>,
) {
    d.add_congruence_of(&measure.rows(pair), s_rate);
}

/// The columns of rows that blocks use.
#[inline(always)]
pub(crate) fn parts<T: Number, B: Blocks<T>, const N: usize>(rows: &[Row<T>; N]) -> BlockRows<T, B, N> {
    let mut list = [B::part(&Row::zero()); N];
    for (part, row) in list.iter_mut().zip(rows) {
        *part = B::part(row);
    }
    BlockRows(list)
}

/// Rows in the form that blocks of the kind `B` use.
pub(crate) struct BlockRows<T: Number, B: Blocks<T>, const N: usize>([B::Row; N]);

/// [`add_d`] with given rows.
#[inline(always)]
pub(crate) fn add_d_of<T: Number, B: Blocks<T>, const N: usize>(
    rows: &BlockRows<T, B, N>,
    s_rate: &SMatrix<T, N, N>,
    d: &mut B,
) {
    d.add_congruence(&rows.0, s_rate);
}

/// Adds `K = sum_i s_i K[i] + B^T (s_y B + s_y' Y)`. The velocities matter only if the law has damping.
#[inline(always)]
pub fn add_k<const N: usize, T: Number>(
    measure: &impl Measure<N, T>,
    pair: &Pair<T>,
    v: &PairMotion<T>,
    law: &CompliantLaw<N, T>,
    k: &mut impl Blocks<T>,
) {
    add_k_of(&parts(&measure.rows(pair)), measure, (pair, v), law, k);
}

/// [`add_k`] with given rows.
#[inline(always)]
pub(crate) fn add_k_of<T: Number, B: Blocks<T>, const N: usize>(
    rows: &BlockRows<T, B, N>,
    measure: &impl Measure<N, T>,
    (pair, v): (&Pair<T>, &PairMotion<T>),
    law: &CompliantLaw<N, T>,
    k: &mut B,
) {
    measure.add_k(pair, &law.s, k);
    let damped = !T::all_zero(law.s_rate.iter());
    let y_rows = damped.then(
        #[inline(always)]
        || parts::<T, B, N>(&measure.y_rows(pair, v)),
    );
    for (i, row) in rows.0.iter().enumerate() {
        let mut right = B::combine(&rows.0, |j| law.s_y[(i, j)]);
        if let Some(y_rows) = &y_rows {
            right = right + B::combine(&y_rows.0, |j| law.s_rate[(i, j)]);
        }
        k.add_product(row, &right);
    }
}

combine!(struct SpringDamper { k, c, y0, f0 });
