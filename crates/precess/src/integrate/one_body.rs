//! The iteration matrix of one rigid body, column by column.
//!
//! The same sums in the same order as in [`condensed`](super::condensed), without the matrices K T, B T, Y T, S N and B N in
//! between and with sizes that the compiler knows: a quarter of the instructions.

use precess_lie::Factor;

use super::form::Form;
use crate::mechanics::Tangents;
use crate::solve::Mat;

/// What a step adds to the derivatives of the system.
pub(super) struct Weights<'a> {
    /// h^2.
    pub h2: f64,
    /// dv/dtheta.
    pub dv: f64,
    /// The compact tangent operator T.
    pub tangent: &'a [f64],
    /// N, in the stabilized form.
    pub n: &'a Mat,
}

/// True if [`assemble`] knows these sizes: forces and at most three constraints on one body, without anything else.
pub(super) fn is_known(factors: &[Factor], n_lambda: usize, form: Form) -> bool {
    let body = matches!(factors, [Factor::R3xSO3 | Factor::SE3]);
    body && (n_lambda == 0 || (n_lambda == 3 && matches!(form, Form::Index3 | Form::StabilizedIndex2)))
}

/// Overwrites the matrix of all unknowns, see the [`condensed`](super::condensed) step.
pub(super) fn assemble(factor: Factor, form: Form, t: &Tangents, w: &Weights, out: &mut [f64]) {
    match (t.b.rows(), form) {
        (0, _) => unconstrained(factor, t, w, out),
        (_, Form::StabilizedIndex2) => stabilized(factor, t, w, out),
        _ => index3(factor, t, w, out),
    }
}

/// Columns of a matrix; empty ones if it has another shape, which [`is_known`] excludes.
#[inline(always)]
pub(super) fn columns<const R: usize, const C: usize>(a: &[f64]) -> &[[f64; R]; C] {
    a.as_chunks::<R>().0.first_chunk().unwrap_or(&[[0.0; R]; C])
}

/// x_0 a_0 + x_1 a_1 + x_2 a_2.
#[inline(always)]
fn combine<const R: usize>(a: &[[f64; R]], x: &[f64]) -> [f64; R] {
    let ([a, b, c, ..], [x, y, z, ..]) = (a, x) else { return [0.0; R] };
    std::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z)
}

/// A T; six coordinates of a vector space, such as those of modes, have no tangent operator.
#[inline(always)]
pub(super) fn turned<const R: usize>(factor: Factor, t: &[f64], a: &[[f64; R]; 6]) -> [[f64; R]; 6] {
    let mut out = *a;
    if matches!(factor, Factor::Rn(_)) {
        return out;
    }
    let column = |j: usize| &t[3 * j..3 * j + 3];
    for j in 0..3 {
        out[j] = combine(a, column(j));
    }
    if factor == Factor::SE3 {
        for j in 0..3 {
            let coupled = combine(&a[3..], column(3 + j));
            (0..R).for_each(|i| out[j][i] += coupled[i]);
            out[3 + j] = combine(&a[3..], column(j));
        }
    }
    out
}

/// S + h^2 K T.
#[inline(always)]
fn dynamics(factor: Factor, t: &Tangents, w: &Weights) -> [[f64; 6]; 6] {
    let (s, k) = (columns::<6, 6>(t.s.data()), turned(factor, w.tangent, columns::<6, 6>(t.k.data())));
    std::array::from_fn(|j| std::array::from_fn(|i| s[j][i] + w.h2 * k[j][i]))
}

fn unconstrained(factor: Factor, t: &Tangents, w: &Weights, out: &mut [f64]) {
    out.copy_from_slice(dynamics(factor, t, w).as_flattened());
}

fn index3(factor: Factor, t: &Tangents, w: &Weights, out: &mut [f64]) {
    let b = columns::<3, 6>(t.b.data());
    let (s, bt) = (dynamics(factor, t, w), turned(factor, w.tangent, b));
    let out = &mut out.as_chunks_mut::<9>().0[..9];
    for j in 0..6 {
        out[j][..6].copy_from_slice(&s[j]);
        out[j][6..].copy_from_slice(&bt[j]);
    }
    for j in 0..3 {
        out[6 + j] = std::array::from_fn(|i| if i < 6 { b[i][j] } else { 0.0 });
    }
}

fn stabilized(factor: Factor, t: &Tangents, w: &Weights, out: &mut [f64]) {
    let (b, s) = (columns::<3, 6>(t.b.data()), columns::<6, 6>(t.s.data()));
    let (y, n) = (columns::<3, 6>(t.y.data()), columns::<6, 3>(w.n.data()));
    let (sum, bt) = (dynamics(factor, t, w), turned(factor, w.tangent, b));
    let yt = turned(factor, w.tangent, y);
    let out = &mut out.as_chunks_mut::<12>().0[..12];
    let per_dv = 1.0 / w.dv;
    for j in 0..6 {
        out[j][..6].copy_from_slice(&sum[j]);
        out[j][6..9].copy_from_slice(&bt[j]);
        (0..3).for_each(|i| out[j][9 + i] = b[j][i] + per_dv * yt[j][i]);
    }
    for j in 0..3 {
        out[6 + j] = std::array::from_fn(|i| if i < 6 { b[i][j] } else { 0.0 });
        let (mut s_n, mut b_n) = ([0.0; 6], [0.0; 3]);
        for k in 0..6 {
            (0..6).for_each(|i| s_n[i] += n[j][k] * s[k][i]);
            (0..3).for_each(|i| b_n[i] += n[j][k] * b[k][i]);
        }
        out[9 + j][..6].copy_from_slice(&s_n);
        out[9 + j][6..9].fill(0.0);
        out[9 + j][9..].copy_from_slice(&b_n);
    }
}
