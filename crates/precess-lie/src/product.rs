//! Direct products of groups that are known at run time.

mod factor;
mod tangent;

use std::ops::Range;

use nalgebra::{Matrix3, SVector, Vector3};

pub use self::factor::{Factor, InvalidElement};
use crate::r3so3::{parts, split, vector};
use crate::rotation::{retract, retract_screw, rotate};
use crate::{LieGroup, Number, R3xSO3, SE3, SO3};

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

/// The three entries from a place on.
#[inline(always)]
pub(crate) fn three<T: Number>(x: &[T], at: usize) -> Vector3<T> {
    let x = &x[at..at + 3];
    Vector3::new(x[0], x[1], x[2])
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

    /// The factors with the first indices of their elements and vectors.
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
    #[inline(always)]
    pub fn retract<T: Number>(&self, a: &[T], x: &[T], out: &mut [T]) {
        for (factor, q, v) in self.places() {
            match factor {
                Factor::Rn(n) => (0..n).for_each(|i| out[q + i] = a[q + i] + x[v + i]),
                Factor::SO3 => out[q..q + 4].copy_from_slice(&retract(&a[q..q + 4], &three(x, v))),
                Factor::R3xSO3 => {
                    out[q..q + 4].copy_from_slice(&retract(&a[q..q + 4], &three(x, v)));
                    (0..3).for_each(|i| out[q + 4 + i] = a[q + 4 + i] + x[v + 3 + i]);
                }
                Factor::SE3 => {
                    let moved = retract_screw(&a[q..q + 7], &three(x, v), &three(x, v + 3));
                    out[q..q + 7].copy_from_slice(&moved);
                }
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

    /// The vector from `a` to `b`: `log(a^-1 ∘ b)`.
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

    /// The vector from `a` to `b` by the Cayley map, the inverse of [`Self::cayley_retract`].
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

    /// Checks that the array is an element: its length, finite numbers and quaternions of unit length up to
    /// `1e-8`.
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
