//! The tangent operators of products: `T`, its transpose and its inverse times a vector, and `T` as compact
//! blocks.

use nalgebra::Vector3;

use super::{Factor, Product, load, store, three};
use crate::matrix::SmallMatrix;
use crate::r3so3::{parts, vector};
use crate::rotation::{tangent, tangent_screw};
use crate::{Number, coefficients, so3};

impl Product {
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
                    let k = coefficients::first(w.squared());
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
                    let [kb, kc, kb1, kc1] = coefficients::first(w.squared());
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
                    let [d, d1] = coefficients::inverse_first(w.squared());
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
    #[inline(always)]
    pub fn tangent<T: Number>(&self, x: &[T], blocks: &mut [T]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    blocks[at..at + 9].copy_from_slice(tangent(&three(x, v)).as_slice());
                }
                Factor::SE3 => {
                    let [t, s] = tangent_screw(&three(x, v), &three(x, v + 3));
                    blocks[at..at + 9].copy_from_slice(t.as_slice());
                    blocks[at + 9..at + 18].copy_from_slice(s.as_slice());
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
}

/// `T(x) y` of the rotational part, or its transpose for `sign = -1`.
#[inline(always)]
fn rotational(x: &[f64], at: usize, y: &Vector3<f64>, sign: f64) -> Vector3<f64> {
    let x: Vector3<f64> = load(x, at);
    let [b, c] = coefficients::tangent(x.squared());
    so3::tangent_times([sign * b, c], &x, y)
}

/// `T(x)^-1 y` of the rotational part.
#[inline(always)]
fn rotational_inverse(x: &[f64], at: usize, y: &Vector3<f64>) -> Vector3<f64> {
    let x: Vector3<f64> = load(x, at);
    so3::tangent_times([-0.5, coefficients::inverse(x.squared())], &x, y)
}
