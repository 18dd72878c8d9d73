//! Kernel D1: products of directions of body a with one direction of body b.

use nalgebra::{SMatrix, SVector, Vector3};
use precess_lie::matrix::{SmallMatrix, zeros};

use precess_lie::Number;

use super::pose::{Pair, PairMotion, hat_hat, hat_times, times_hat, tr_times};
use super::row::{Blocks, Measure, Row, Wrench, each_row};
use crate::mechanics::combine::combine;

/// Measures `y_i = (R_a e_i) . (R_b h) - c_i` for `N` directions `e_i` of body a.
///
/// Multiplier i puts the torque `lambda_i a_i x b` on body b and the opposite one on body a, no force.
/// A row is singular only where its two directions are parallel. Rows, curvature and stiffness are the
/// same for both groups and depend on the relative rotation only.
///
/// The rows share `h` because the kernel is linear in `e`: stiffness and force of all of them cost one
/// evaluation with `q = sum_i lambda_i e_i`. The directions need not be unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Directions<const N: usize, T = f64> {
    /// Directions of body a, one per column.
    pub e: SMatrix<T, 3, N>,
    /// Direction of body b.
    pub h: Vector3<T>,
    /// Prescribed products.
    pub c: SVector<T, N>,
}

impl<const N: usize, T: Number> Directions<N, T> {
    /// Rows that keep every `e_i` perpendicular to `h`.
    pub fn perpendicular(e: [Vector3<T>; N], h: Vector3<T>) -> Self {
        Self { e: SMatrix::from_columns(&e), h, c: zeros() }
    }
}

/// Row of the single pair of directions `q`, `h`.
#[inline(always)]
fn row<T: Number>(pair: &Pair<T>, q: &Vector3<T>, h: &Vector3<T>) -> Row<T> {
    rotation_row(q.cross(&(pair.r_ab * h)), h.cross(&tr_times(&pair.r_ab, q)))
}

/// Row without translational columns.
#[inline(always)]
pub(crate) fn rotation_row<T: Number>(a: Vector3<T>, b: Vector3<T>) -> Row<T> {
    Row { a: Wrench { rot: a, trans: zeros() }, b: Wrench { rot: b, trans: zeros() } }
}

impl<const N: usize, T: Number> Measure<N, T> for Directions<N, T> {
    const IS_ROTATION: bool = true;
    const READS_TRANSLATIONS: bool = false;

    #[inline(always)]
    fn value(&self, pair: &Pair<T>) -> SVector<T, N> {
        self.e.transposed_times(&(pair.r_ab * self.h)) - self.c
    }

    #[inline(always)]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; N] {
        each_row(
            #[inline(always)]
            |i| row(pair, &self.e.column(i).into_owned(), &self.h),
        )
    }

    /// Second derivative of `R_ab h` as seen from body a, in its frame.
    #[inline(always)]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        let (o_a, o_b) = (&v.a.omega, &v.b.omega);
        let h1 = o_b.cross(&self.h);
        let h2 = o_b.cross(&h1);
        let transport = o_a.cross(&(o_a.cross(&(pair.r_ab * self.h)) - pair.r_ab * h1 * T::of(2.0)));
        self.e.transposed_times(&(transport + pair.r_ab * h2))
    }

    #[inline(always)]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; N] {
        let h1 = v.b.omega.cross(&self.h);
        let b = pair.r_ab * self.h;
        let b1 = pair.r_ab * h1;
        each_row(
            #[inline(always)]
            |i| {
                let e = self.e.column(i).into_owned();
                let e1 = v.a.omega.cross(&e);
                rotation_row(
                    e1.cross(&b) + e.cross(&b1),
                    self.h.cross(&tr_times(&pair.r_ab, &e1)) + h1.cross(&tr_times(&pair.r_ab, &e)),
                )
            },
        )
    }

    #[inline(always)]
    fn add_k(&self, pair: &Pair<T>, lambda: &SVector<T, N>, k: &mut impl Blocks<T>) {
        let q = self.e * lambda;
        if let Some(k) = k.pair_mut() {
            let ab = times_hat(&hat_times(&q, &pair.r_ab), &self.h);
            k.aa.rr += hat_hat(&q, &(pair.r_ab * self.h));
            k.ab.rr -= ab;
            k.ba.rr -= ab.transpose();
        }
        k.second_mut().rr += hat_hat(&self.h, &tr_times(&pair.r_ab, &q));
    }

    #[inline(always)]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &SVector<T, N>) -> Row<T> {
        row(pair, &(self.e * lambda), &self.h)
    }

    #[inline(always)]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        let carried = v.a.omega.cross(&(pair.r_ab * self.h));
        self.e.transposed_times(&(pair.r_ab * v.b.omega.cross(&self.h) - carried))
    }
}

combine!(struct <const N> Directions [N] { e, h, c });
