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
