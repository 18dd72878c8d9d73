//! Constant matrices for any [`Number`]. The functions are always inlined.
//!
//! In nalgebra, `zeros`, `identity`, `ith` and `from_column_slice` fill a matrix through an iterator. The
//! compiler removes this loop for `f64`, but not for [`Lanes`](crate::Lanes), where it took half of the time
//! of a step.

use nalgebra::{ArrayStorage, SMatrix, SVector};

use crate::Number;

/// The matrix with equal entries.
#[inline(always)]
pub fn filled<T: Number, const R: usize, const C: usize>(x: T) -> SMatrix<T, R, C> {
    SMatrix::from_array_storage(ArrayStorage([[x; R]; C]))
}

/// The zero matrix, or the zero vector.
#[inline(always)]
pub fn zeros<T: Number, const R: usize, const C: usize>() -> SMatrix<T, R, C> {
    const { SMatrix::from_array_storage(ArrayStorage([[T::ZERO; R]; C])) }
}

/// The identity matrix.
#[inline(always)]
pub fn identity<T: Number, const N: usize>() -> SMatrix<T, N, N> {
    let mut m = zeros();
    for i in 0..N {
        m[(i, i)] = T::one();
    }
    m
}

/// The vector with the entry `x` at place `i` and zeros elsewhere.
///
/// # Panics
/// If there is no such place.
#[inline(always)]
pub fn unit<T: Number, const N: usize>(i: usize, x: T) -> SVector<T, N> {
    let mut v = zeros();
    v[i] = x;
    v
}

/// The vector of the first entries of a slice.
///
/// # Panics
/// If the slice is too short.
#[inline(always)]
pub fn first<T: Number, const N: usize>(x: &[T]) -> SVector<T, N> {
    let x = &x[..N];
    let mut v = zeros();
    for i in 0..N {
        v[i] = x[i];
    }
    v
}

/// Products of small matrices and vectors, written out and always inlined.
///
/// In nalgebra, `dot` and `tr_mul` are always inlined, too, but with their loops for large matrices. They
/// took an eighth of the time that the compiler needed for the numerical crate.
pub trait SmallMatrix<T: Number, const R: usize, const C: usize> {
    /// The sum of the products of all entries: `dot` of nalgebra.
    fn inner(&self, other: &Self) -> T;

    /// The sum of the squares of all entries: `norm_squared` of nalgebra.
    #[inline(always)]
    fn squared(&self) -> T {
        self.inner(self)
    }

    /// The transposed matrix times another one: `tr_mul` of nalgebra.
    fn transposed_times<const K: usize>(&self, other: &SMatrix<T, R, K>) -> SMatrix<T, C, K>;
}

impl<T: Number, const R: usize, const C: usize> SmallMatrix<T, R, C> for SMatrix<T, R, C> {
    #[inline(always)]
    fn inner(&self, other: &Self) -> T {
        let (a, b) = (&self.data.0, &other.data.0);
        let mut sum = product(&a[0], &b[0]);
        for j in 1..C {
            sum += product(&a[j], &b[j]);
        }
        sum
    }

    #[inline(always)]
    fn transposed_times<const K: usize>(&self, other: &SMatrix<T, R, K>) -> SMatrix<T, C, K> {
        let mut m = zeros();
        for k in 0..K {
            for c in 0..C {
                m[(c, k)] = product(&self.data.0[c], &other.data.0[k]);
            }
        }
        m
    }
}

/// The inner product of two columns. For up to seven rows, the sum has the order of nalgebra's `dot`.
#[inline(always)]
fn product<T: Number, const R: usize>(a: &[T; R], b: &[T; R]) -> T {
    match R {
        0 => T::ZERO,
        4 => (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3]),
        _ => {
            let mut sum = a[0] * b[0];
            for i in 1..R {
                sum += a[i] * b[i];
            }
            sum
        }
    }
}
