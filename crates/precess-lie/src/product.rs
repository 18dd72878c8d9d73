//! Direct products of groups that are known at run time.

use std::fmt;
use std::ops::Range;

use nalgebra::{Matrix3, SVector, Vector3};

use crate::r3so3::{parts, split, vector};
use crate::rotation::rotate;
use crate::{LieGroup, R3xSO3, SE3, SO3, coefficients, so3};

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
    #[inline]
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
    const fn has_rotation(self) -> bool {
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

/// A direct product of groups, with elements and vectors in flat arrays.
///
/// The factors follow each other in both arrays. No method allocates except the constructors.
///
/// # Panics
/// Methods panic if an array is shorter than the product requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    factors: Vec<Factor>,
    starts: Vec<(usize, usize)>,
    dim: usize,
    repr: usize,
    tangent_len: usize,
}

#[inline(always)]
pub(crate) fn load<const N: usize>(a: &[f64], at: usize) -> SVector<f64, N> {
    SVector::from_column_slice(&a[at..at + N])
}

#[inline(always)]
pub(crate) fn store<const N: usize>(out: &mut [f64], at: usize, value: &SVector<f64, N>) {
    out[at..at + N].copy_from_slice(value.as_slice());
}

#[inline(always)]
pub(crate) fn load_block(a: &[f64], at: usize) -> Matrix3<f64> {
    Matrix3::from_column_slice(&a[at..at + 9])
}

/// `(A, B) <- (A, B)` with the three columns at the start of `mat` multiplied by `t`.
#[inline(always)]
fn mul_columns(t: &Matrix3<f64>, rows: usize, mat: &mut [f64]) {
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

impl Product {
    /// The product of the given factors.
    pub fn new(factors: impl IntoIterator<Item = Factor>) -> Self {
        let factors: Vec<Factor> = factors.into_iter().collect();
        let (mut dim, mut repr, mut tangent_len) = (0, 0, 0);
        let mut starts = Vec::with_capacity(factors.len());
        for factor in &factors {
            starts.push((repr, dim));
            dim += factor.dim();
            repr += factor.repr();
            tangent_len += factor.tangent_len();
        }
        Self { factors, starts, dim, repr, tangent_len }
    }

    /// The product of `n` equal factors.
    pub fn power(factor: Factor, n: usize) -> Self {
        Self::new(std::iter::repeat_n(factor, n))
    }

    /// The factors.
    #[inline]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// Dimension of the Lie algebra.
    #[inline]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of `f64` that store an element.
    #[inline]
    pub fn repr(&self) -> usize {
        self.repr
    }

    /// Position of factor `i` in an element.
    #[inline]
    pub fn q_range(&self, i: usize) -> Range<usize> {
        let start = self.starts[i].0;
        start..start + self.factors[i].repr()
    }

    /// Position of factor `i` in a vector.
    #[inline]
    pub fn v_range(&self, i: usize) -> Range<usize> {
        let start = self.starts[i].1;
        start..start + self.factors[i].dim()
    }

    /// The factors with the places where their elements and vectors start.
    #[inline(always)]
    pub(crate) fn places(&self) -> impl Iterator<Item = (Factor, usize, usize)> + '_ {
        self.factors.iter().zip(&self.starts).map(|(&factor, &(q, v))| (factor, q, v))
    }

    /// The neutral element.
    pub fn identity(&self, out: &mut [f64]) {
        out[..self.repr].fill(0.0);
        for (factor, q, _) in self.places() {
            if factor.has_rotation() {
                out[q] = 1.0;
            }
        }
    }

    /// The group operation `a ∘ b`.
    #[inline]
    pub fn compose(&self, a: &[f64], b: &[f64], out: &mut [f64]) {
        for (factor, q, _) in self.places() {
            match factor {
                Factor::Rn(n) => add(&a[q..q + n], &b[q..q + n], &mut out[q..q + n]),
                Factor::SO3 => store(out, q, &SO3::compose(&load(a, q), &load(b, q))),
                Factor::R3xSO3 => store(out, q, &R3xSO3::compose(&load(a, q), &load(b, q))),
                Factor::SE3 => store(out, q, &SE3::compose(&load(a, q), &load(b, q))),
            }
        }
    }

    /// The inverse element.
    #[inline]
    pub fn inverse(&self, a: &[f64], out: &mut [f64]) {
        for (factor, q, _) in self.places() {
            match factor {
                Factor::Rn(n) => negate(&a[q..q + n], &mut out[q..q + n]),
                Factor::SO3 => store(out, q, &SO3::inverse(&load(a, q))),
                Factor::R3xSO3 => store(out, q, &R3xSO3::inverse(&load(a, q))),
                Factor::SE3 => store(out, q, &SE3::inverse(&load(a, q))),
            }
        }
    }

    /// Exponential map.
    #[inline]
    pub fn exp(&self, x: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[q..q + n].copy_from_slice(&x[v..v + n]),
                Factor::SO3 => store(out, q, &SO3::exp(&load(x, v))),
                Factor::R3xSO3 => store(out, q, &R3xSO3::exp(&load(x, v))),
                Factor::SE3 => store(out, q, &SE3::exp(&load(x, v))),
            }
        }
    }

    /// Inverse of the exponential map, with rotation angles of at most `pi`.
    #[inline]
    pub fn log(&self, a: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].copy_from_slice(&a[q..q + n]),
                Factor::SO3 => store(out, v, &SO3::log(&load(a, q))),
                Factor::R3xSO3 => store(out, v, &R3xSO3::log(&load(a, q))),
                Factor::SE3 => store(out, v, &SE3::log(&load(a, q))),
            }
        }
    }

    /// The local parametrisation (9): `a ∘ exp(x)`.
    #[inline]
    pub fn retract(&self, a: &[f64], x: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => add(&a[q..q + n], &x[v..v + n], &mut out[q..q + n]),
                Factor::SO3 => store(out, q, &SO3::retract(&load(a, q), &load(x, v))),
                Factor::R3xSO3 => store(out, q, &R3xSO3::retract(&load(a, q), &load(x, v))),
                Factor::SE3 => store(out, q, &SE3::retract(&load(a, q), &load(x, v))),
            }
        }
    }

    /// `a ∘ cay(x~/2)`: the local parametrisation by the Cayley map.
    #[inline]
    pub fn cayley_retract(&self, a: &[f64], x: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => add(&a[q..q + n], &x[v..v + n], &mut out[q..q + n]),
                Factor::SO3 => {
                    let c = SO3::cayley(&load(x, v));
                    store(out, q, &SO3::compose(&load(a, q), &c));
                }
                Factor::R3xSO3 => {
                    let c = R3xSO3::cayley(&load(x, v));
                    store(out, q, &R3xSO3::compose(&load(a, q), &c));
                }
                Factor::SE3 => {
                    let c = SE3::cayley(&load(x, v));
                    store(out, q, &SE3::compose(&load(a, q), &c));
                }
            }
        }
    }

    /// The vector that leads from `a` to `b`: `log(a^-1 ∘ b)`.
    #[inline]
    pub fn difference(&self, a: &[f64], b: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => {
                    for i in 0..n {
                        out[v + i] = b[q + i] - a[q + i];
                    }
                }
                Factor::SO3 => store(out, v, &SO3::difference(&load(a, q), &load(b, q))),
                Factor::R3xSO3 => store(out, v, &R3xSO3::difference(&load(a, q), &load(b, q))),
                Factor::SE3 => store(out, v, &SE3::difference(&load(a, q), &load(b, q))),
            }
        }
    }

    /// The vector that leads from `a` to `b` by the Cayley map, the inverse of [`Self::cayley_retract`].
    #[inline]
    pub fn cayley_difference(&self, a: &[f64], b: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => {
                    for i in 0..n {
                        out[v + i] = b[q + i] - a[q + i];
                    }
                }
                Factor::SO3 => {
                    let d = SO3::compose(&SO3::inverse(&load(a, q)), &load(b, q));
                    store(out, v, &SO3::cayley_inverse(&d));
                }
                Factor::R3xSO3 => {
                    let d = R3xSO3::compose(&R3xSO3::inverse(&load(a, q)), &load(b, q));
                    store(out, v, &R3xSO3::cayley_inverse(&d));
                }
                Factor::SE3 => {
                    let d = SE3::compose(&SE3::inverse(&load(a, q)), &load(b, q));
                    store(out, v, &SE3::cayley_inverse(&d));
                }
            }
        }
    }

    /// The path of Remark 2.2 from `a` (`theta = 0`) to `b` (`theta = 1`).
    #[inline]
    pub fn interpolate(&self, a: &[f64], b: &[f64], theta: f64, out: &mut [f64]) {
        for (factor, q, _) in self.places() {
            match factor {
                Factor::Rn(n) => {
                    for i in q..q + n {
                        out[i] = a[i] + theta * (b[i] - a[i]);
                    }
                }
                Factor::SO3 => store(out, q, &SO3::interpolate(&load(a, q), &load(b, q), theta)),
                Factor::R3xSO3 => {
                    store(out, q, &R3xSO3::interpolate(&load(a, q), &load(b, q), theta));
                }
                Factor::SE3 => store(out, q, &SE3::interpolate(&load(a, q), &load(b, q), theta)),
            }
        }
    }

    /// Lie bracket `[x, y]`, see (29).
    #[inline]
    pub fn bracket(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].fill(0.0),
                Factor::SO3 => {
                    let (x, y): (Vector3<f64>, Vector3<f64>) = (load(x, v), load(y, v));
                    store(out, v, &x.cross(&y));
                }
                Factor::R3xSO3 => {
                    let (x, y): (Vector3<f64>, Vector3<f64>) = (load(x, v), load(y, v));
                    store(out, v, &vector(&x.cross(&y), &Vector3::zeros()));
                }
                Factor::SE3 => {
                    let ((w, u), (a, b)) = (parts(&load(x, v)), parts(&load(y, v)));
                    store(out, v, &vector(&w.cross(&a), &(u.cross(&a) + w.cross(&b))));
                }
            }
        }
    }

    /// Adjoint representation: `out = Ad_a x` with `a exp(x) a^-1 = exp(Ad_a x)`.
    #[inline]
    pub fn adjoint_times(&self, a: &[f64], x: &[f64], out: &mut [f64]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].copy_from_slice(&x[v..v + n]),
                Factor::SO3 => store(out, v, &rotate(&a[q..], &load(x, v))),
                Factor::R3xSO3 => {
                    let (w, u) = parts(&load(x, v));
                    store(out, v, &vector(&rotate(&a[q..], &w), &u));
                }
                Factor::SE3 => {
                    let (_, p) = split(&load(a, q));
                    let (w, u) = parts(&load(x, v));
                    let w = rotate(&a[q..], &w);
                    let u = rotate(&a[q..], &u) + p.cross(&w);
                    store(out, v, &vector(&w, &u));
                }
            }
        }
    }

    /// `T(x) y` with the tangent operator (30).
    #[inline]
    pub fn tangent_times(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].copy_from_slice(&y[v..v + n]),
                Factor::SO3 => store(out, v, &rotational(x, v, &load(y, v), 1.0)),
                Factor::R3xSO3 => {
                    let (a, b) = parts(&load(y, v));
                    store(out, v, &vector(&rotational(x, v, &a, 1.0), &b));
                }
                Factor::SE3 => {
                    let ((w, u), (a, b)) = (parts(&load(x, v)), parts(&load(y, v)));
                    let k = coefficients::first(w.norm_squared());
                    let top = so3::tangent_times([k[0], k[1]], &w, &a);
                    let bottom = so3::tangent_times([k[0], k[1]], &w, &b)
                        + so3::tangent_derivative_times(k, &w, &u, &a);
                    store(out, v, &vector(&top, &bottom));
                }
            }
        }
    }

    /// `T(x)^T y` with the tangent operator (30).
    #[inline]
    pub fn tangent_transpose_times(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].copy_from_slice(&y[v..v + n]),
                Factor::SO3 => store(out, v, &rotational(x, v, &load(y, v), -1.0)),
                Factor::R3xSO3 => {
                    let (a, b) = parts(&load(y, v));
                    store(out, v, &vector(&rotational(x, v, &a, -1.0), &b));
                }
                Factor::SE3 => {
                    let ((w, u), (a, b)) = (parts(&load(x, v)), parts(&load(y, v)));
                    let [kb, kc, kb1, kc1] = coefficients::first(w.norm_squared());
                    let k = [-kb, kc, -kb1, kc1];
                    let top =
                        so3::tangent_times([-kb, kc], &w, &a) + so3::tangent_derivative_times(k, &w, &u, &b);
                    let bottom = so3::tangent_times([-kb, kc], &w, &b);
                    store(out, v, &vector(&top, &bottom));
                }
            }
        }
    }

    /// `T(x)^-1 y` with the tangent operator (30).
    #[inline]
    pub fn tangent_inverse_times(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].copy_from_slice(&y[v..v + n]),
                Factor::SO3 => store(out, v, &rotational_inverse(x, v, &load(y, v))),
                Factor::R3xSO3 => {
                    let (a, b) = parts(&load(y, v));
                    store(out, v, &vector(&rotational_inverse(x, v, &a), &b));
                }
                Factor::SE3 => {
                    let ((w, u), (a, b)) = (parts(&load(x, v)), parts(&load(y, v)));
                    let [d, d1] = coefficients::inverse_first(w.norm_squared());
                    let top = so3::tangent_times([-0.5, d], &w, &a);
                    let bottom = so3::tangent_times([-0.5, d], &w, &b)
                        + so3::tangent_derivative_times([-0.5, d, 0.0, d1], &w, &u, &a);
                    store(out, v, &vector(&top, &bottom));
                }
            }
        }
    }

    /// Number of `f64` of the compact tangent operator, see [`Self::tangent`].
    #[inline]
    pub fn tangent_len(&self) -> usize {
        self.tangent_len
    }

    /// The tangent operator in compact form: the blocks that differ from the identity, one factor
    /// after the other and each in column-major order. A linear space has none, `SO3` and `R3xSO3`
    /// have the block (33) and `SE3` has the blocks `T` and `S` of (35).
    #[inline]
    pub fn tangent(&self, x: &[f64], blocks: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    let t = SO3::tangent(&load(x, v));
                    blocks[at..at + 9].copy_from_slice(t.as_slice());
                }
                Factor::SE3 => {
                    let (w, u) = parts(&load(x, v));
                    let k = coefficients::first(w.norm_squared());
                    let out = &mut blocks[at..at + 18];
                    out[..9].copy_from_slice(so3::tangent([k[0], k[1]], &w).as_slice());
                    out[9..].copy_from_slice(so3::tangent_derivative(k, &w, &u).as_slice());
                }
            }
            at += factor.tangent_len();
        }
    }

    /// `mat <- mat T` with the compact tangent operator of [`Self::tangent`]. The matrix has
    /// [`Self::dim`] columns of `rows` numbers each.
    #[inline]
    pub fn mul_tangent(&self, blocks: &[f64], rows: usize, mat: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            let columns = &mut mat[v * rows..(v + factor.dim()) * rows];
            factor.mul_tangent(&blocks[at..at + factor.tangent_len()], rows, columns);
            at += factor.tangent_len();
        }
    }

    /// Whether the array is an element: its length, finite numbers and quaternions of unit length
    /// up to `1e-8`.
    pub fn check(&self, a: &[f64]) -> Result<(), InvalidElement> {
        if a.len() != self.repr {
            return Err(InvalidElement::Length { expected: self.repr, found: a.len() });
        }
        for (index, (factor, q, _)) in self.places().enumerate() {
            let numbers = &a[q..q + factor.repr()];
            if !numbers.iter().all(|x| x.is_finite()) {
                return Err(InvalidElement::NotFinite { index, factor });
            }
            if factor.has_rotation() {
                let norm = load::<4>(numbers, 0).norm();
                if (norm - 1.0).abs() > 1e-8 {
                    return Err(InvalidElement::NotUnit { index, factor, norm });
                }
            }
        }
        Ok(())
    }
}

/// `T(x) y` of the rotational part, or its transpose for `sign = -1`.
#[inline(always)]
fn rotational(x: &[f64], at: usize, y: &Vector3<f64>, sign: f64) -> Vector3<f64> {
    let x: Vector3<f64> = load(x, at);
    let [b, c] = coefficients::tangent(x.norm_squared());
    so3::tangent_times([sign * b, c], &x, y)
}

/// `T(x)^-1 y` of the rotational part.
#[inline(always)]
fn rotational_inverse(x: &[f64], at: usize, y: &Vector3<f64>) -> Vector3<f64> {
    let x: Vector3<f64> = load(x, at);
    so3::tangent_times([-0.5, coefficients::inverse(x.norm_squared())], &x, y)
}

#[inline(always)]
fn add(a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a + b;
    }
}

#[inline(always)]
fn negate(a: &[f64], out: &mut [f64]) {
    for (out, a) in out.iter_mut().zip(a) {
        *out = -a;
    }
}
