//! The factors of products, and errors of elements.

use std::fmt;

use nalgebra::Matrix3;

#[cfg(doc)]
use super::Product;
use super::load_block;
use crate::{LieGroup, R3xSO3, SE3, SO3};

/// One factor of a [`Product`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// The linear space of the given dimension, see [`crate::Rn`].
    Rn(usize),
    /// See [`SO3`].
    SO3,
    /// See [`R3xSO3`].
    R3xSO3,
    /// See [`SE3`].
    SE3,
}

impl Factor {
    /// `mat <- mat T` for the columns of one factor, with its part of the blocks of [`Product::tangent`].
    #[inline(always)]
    pub fn mul_tangent(self, block: &[f64], rows: usize, mat: &mut [f64]) {
        match self {
            Factor::Rn(_) => {}
            Factor::SO3 | Factor::R3xSO3 => mul_columns(&load_block(block, 0), rows, &mut mat[..3 * rows]),
            Factor::SE3 => {
                mul_columns_se3(&load_block(block, 0), &load_block(block, 9), rows, &mut mat[..6 * rows])
            }
        }
    }

    /// Dimension of the Lie algebra.
    #[inline]
    pub const fn dim(self) -> usize {
        match self {
            Self::Rn(n) => n,
            Self::SO3 => 3,
            Self::R3xSO3 | Self::SE3 => 6,
        }
    }

    /// Number of `f64` that store an element.
    #[inline]
    pub const fn repr(self) -> usize {
        match self {
            Self::Rn(n) => n,
            Self::SO3 => 4,
            Self::R3xSO3 | Self::SE3 => 7,
        }
    }

    /// Number of `f64` of the compact tangent operator, see [`Product::tangent`].
    #[inline]
    pub const fn tangent_len(self) -> usize {
        match self {
            Self::Rn(_) => 0,
            Self::SO3 | Self::R3xSO3 => 9,
            Self::SE3 => 18,
        }
    }

    /// Name of the group, without the dimension of a linear space.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rn(_) => "Rn",
            Self::SO3 => SO3::NAME,
            Self::R3xSO3 => R3xSO3::NAME,
            Self::SE3 => SE3::NAME,
        }
    }

    /// True if an element starts with a unit quaternion.
    pub(super) const fn has_rotation(self) -> bool {
        !matches!(self, Self::Rn(_))
    }
}

/// Why an array is not an element of a [`Product`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidElement {
    /// The number of entries is wrong.
    Length {
        /// [`Product::repr`].
        expected: usize,
        /// Length of the array.
        found: usize,
    },
    /// A number is infinite or not a number.
    NotFinite {
        /// Index of the factor.
        index: usize,
        /// The factor.
        factor: Factor,
    },
    /// A quaternion is not of unit length.
    NotUnit {
        /// Index of the factor.
        index: usize,
        /// The factor.
        factor: Factor,
        /// Length of the quaternion.
        norm: f64,
    },
}

impl fmt::Display for InvalidElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => {
                write!(f, "expected {expected} coordinates, found {found}")
            }
            Self::NotFinite { index, factor } => {
                write!(f, "factor {index} ({}) is not finite", factor.name())
            }
            Self::NotUnit { index, factor, norm } => {
                write!(f, "factor {index} ({}) has a quaternion of length {norm} instead of 1", factor.name())
            }
        }
    }
}

impl std::error::Error for InvalidElement {}

/// `(A, B) <- (A, B)` with the three columns at the start of `mat` multiplied by `t`. Bodies and the usual
/// joints have loops of known length.
#[inline(always)]
fn mul_columns(t: &Matrix3<f64>, rows: usize, mat: &mut [f64]) {
    #[inline(always)]
    fn known<const N: usize>(t: &Matrix3<f64>, mat: &mut [f64]) {
        let Some(columns) = mat.as_chunks_mut::<N>().0.first_chunk_mut::<3>() else { return };
        let [a, b, c] = *columns;
        for j in 0..3 {
            for i in 0..N {
                columns[j][i] = a[i] * t[(0, j)] + b[i] * t[(1, j)] + c[i] * t[(2, j)];
            }
        }
    }
    match rows {
        3 => return known::<3>(t, mat),
        5 => return known::<5>(t, mat),
        6 => return known::<6>(t, mat),
        _ => {}
    }
    let (c0, rest) = mat.split_at_mut(rows);
    let (c1, rest) = rest.split_at_mut(rows);
    let c2 = &mut rest[..rows];
    for ((x, y), z) in c0.iter_mut().zip(c1).zip(c2) {
        let (a, b, c) = (*x, *y, *z);
        *x = a * t[(0, 0)] + b * t[(1, 0)] + c * t[(2, 0)];
        *y = a * t[(0, 1)] + b * t[(1, 1)] + c * t[(2, 1)];
        *z = a * t[(0, 2)] + b * t[(1, 2)] + c * t[(2, 2)];
    }
}

/// The six columns at the start of `mat` multiplied by the matrix (35) with blocks `t` and `s`.
#[inline(always)]
fn mul_columns_se3(t: &Matrix3<f64>, s: &Matrix3<f64>, rows: usize, mat: &mut [f64]) {
    let (left, right) = mat.split_at_mut(3 * rows);
    mul_columns(t, rows, left);
    let (a0, rest) = left.split_at_mut(rows);
    let (a1, a2) = rest.split_at_mut(rows);
    let (b0, rest) = right.split_at(rows);
    let (b1, b2) = rest.split_at(rows);
    for (((((x, y), z), &a), &b), &c) in a0.iter_mut().zip(a1).zip(a2).zip(b0).zip(b1).zip(b2) {
        *x += a * s[(0, 0)] + b * s[(1, 0)] + c * s[(2, 0)];
        *y += a * s[(0, 1)] + b * s[(1, 1)] + c * s[(2, 1)];
        *z += a * s[(0, 2)] + b * s[(1, 2)] + c * s[(2, 2)];
    }
    mul_columns(t, rows, right);
}
