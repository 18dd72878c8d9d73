//! Arithmetic of operators in the compact form of [`Product::tangent`].
//!
//! Operators of this form are closed under sums, products and inverses: the blocks `T` of `SO3` and `R3xSO3`
//! are square matrices, and pairs `(T, S)` of `SE3` represent the lower triangular matrices with `T` twice on
//! the diagonal. The Jacobian of `T(x) w` with respect to `x` also has this form. On a linear space,
//! operators act as the identity; a Jacobian that vanishes there is stored only by its blocks, as elsewhere.

use nalgebra::{Matrix3, Vector3};

use crate::matrix::SmallMatrix;
use crate::product::{Factor, Product, load, load_block, store};
use crate::r3so3::{parts, vector};
use crate::{LieGroup, SE3, SO3, coefficients, so3};

#[inline(always)]
fn put(out: &mut [f64], at: usize, m: &Matrix3<f64>) {
    out[at..at + 9].copy_from_slice(m.as_slice());
}

/// The inverse; NaN for a singular matrix.
#[inline(always)]
fn inverse(m: &Matrix3<f64>) -> Matrix3<f64> {
    m.try_inverse().unwrap_or_else(|| Matrix3::from_element(f64::NAN))
}

/// `y - T(x) y` of the rotational part.
#[inline(always)]
fn defect([b, c]: [f64; 2], x: &Vector3<f64>, y: &Vector3<f64>) -> Vector3<f64> {
    let p = x.cross(y);
    p * b - x.cross(&p) * c
}

impl Product {
    /// `y - T(x) y`, without the cancellation of the difference for small `x`.
    #[inline]
    pub fn tangent_defect_times(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(n) => out[v..v + n].fill(0.0),
                Factor::SO3 => {
                    let x: Vector3<f64> = load(x, v);
                    store(out, v, &defect(coefficients::tangent(x.squared()), &x, &load(y, v)));
                }
                Factor::R3xSO3 => {
                    let x: Vector3<f64> = load(x, v);
                    let d = defect(coefficients::tangent(x.squared()), &x, &load(y, v));
                    store(out, v, &vector(&d, &Vector3::zeros()));
                }
                Factor::SE3 => {
                    let ((w, u), (a, b)) = (parts(&load(x, v)), parts(&load(y, v)));
                    let k = coefficients::first(w.squared());
                    let top = defect([k[0], k[1]], &w, &a);
                    let bottom = defect([k[0], k[1]], &w, &b) - so3::tangent_derivative_times(k, &w, &u, &a);
                    store(out, v, &vector(&top, &bottom));
                }
            }
        }
    }

    /// Jacobian of `T(x) w` with respect to `x`, see [`LieGroup::tangent_times_derivative`]. Unlike other
    /// operators it vanishes on a linear space.
    #[inline]
    pub fn tangent_times_derivative(&self, x: &[f64], w: &[f64], blocks: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    put(blocks, at, &SO3::tangent_times_derivative(&load(x, v), &load(w, v)));
                }
                Factor::SE3 => {
                    let d = SE3::tangent_times_derivative(&load(x, v), &load(w, v));
                    put(blocks, at, &d.fixed_view::<3, 3>(0, 0).into_owned());
                    put(blocks, at + 9, &d.fixed_view::<3, 3>(3, 0).into_owned());
                }
            }
            at += factor.tangent_len();
        }
    }

    /// `I - b ad(x) + c ad(x)^2`, the form of the tangent operator with other coefficients.
    #[inline]
    pub fn compact_quadratic(&self, [b, c]: [f64; 2], x: &[f64], blocks: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => put(blocks, at, &so3::tangent([b, c], &load(x, v))),
                Factor::SE3 => {
                    let (w, u) = parts(&load(x, v));
                    put(blocks, at, &so3::tangent([b, c], &w));
                    put(blocks, at + 9, &so3::tangent_derivative([b, c, 0.0, 0.0], &w, &u));
                }
            }
            at += factor.tangent_len();
        }
    }

    /// The tangent operator of the Cayley map in compact form. That of `SE3` has two different blocks on its
    /// diagonal and no such form: it is NaN, see [`Self::has_compact_cayley`].
    #[inline]
    pub fn cayley_tangent(&self, x: &[f64], blocks: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => put(blocks, at, &SO3::cayley_tangent(&load(x, v))),
                Factor::SE3 => blocks[at..at + 18].fill(f64::NAN),
            }
            at += factor.tangent_len();
        }
    }

    /// True if no factor is `SE3`.
    pub fn has_compact_cayley(&self) -> bool {
        !self.factors().contains(&Factor::SE3)
    }

    /// `A <- a I + b A`; with `a + b = 1` this is also correct on a linear space.
    #[inline]
    pub fn compact_shift(&self, a: f64, b: f64, blocks: &mut [f64]) {
        let mut at = 0;
        for factor in self.factors() {
            let part = &mut blocks[at..at + factor.tangent_len()];
            part.iter_mut().for_each(|x| *x *= b);
            if !part.is_empty() {
                for i in [0, 4, 8] {
                    part[i] += a;
                }
            }
            at += factor.tangent_len();
        }
    }

    /// `A <- A^-1`; NaN if there is none.
    #[inline]
    pub fn compact_inverse(&self, blocks: &mut [f64]) {
        let mut at = 0;
        for factor in self.factors() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    let i = inverse(&load_block(blocks, at));
                    put(blocks, at, &i);
                }
                Factor::SE3 => {
                    let i = inverse(&load_block(blocks, at));
                    let s = -(i * load_block(blocks, at + 9) * i);
                    put(blocks, at, &i);
                    put(blocks, at + 9, &s);
                }
            }
            at += factor.tangent_len();
        }
    }

    /// `C = A B`.
    #[inline]
    pub fn compact_product(&self, a: &[f64], b: &[f64], c: &mut [f64]) {
        let mut at = 0;
        for factor in self.factors() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => put(c, at, &(load_block(a, at) * load_block(b, at))),
                Factor::SE3 => {
                    let (ta, sa) = (load_block(a, at), load_block(a, at + 9));
                    let (tb, sb) = (load_block(b, at), load_block(b, at + 9));
                    put(c, at, &(ta * tb));
                    put(c, at + 9, &(sa * tb + ta * sb));
                }
            }
            at += factor.tangent_len();
        }
    }

    /// `y <- A y`.
    #[inline]
    pub fn compact_times(&self, blocks: &[f64], y: &mut [f64]) {
        let mut at = 0;
        for (factor, _, v) in self.places() {
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    let z: Vector3<f64> = load_block(blocks, at) * load::<3>(y, v);
                    store(y, v, &z);
                }
                Factor::SE3 => {
                    let (t, s) = (load_block(blocks, at), load_block(blocks, at + 9));
                    let (a, b) = parts(&load(y, v));
                    store(y, v, &vector(&(t * a), &(s * a + t * b)));
                }
            }
            at += factor.tangent_len();
        }
    }
}
