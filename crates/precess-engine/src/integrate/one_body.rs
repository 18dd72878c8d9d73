//! The iteration matrix of one rigid body.
//!
//! It has the same contributions in the same order as for any system (`step/assembly.rs`). The
//! compiler knows all sizes here, which saves three quarters of the instructions. With the general code,
//! steps of the heavy top take 1.39 times as long, and 1.32 times in stabilized form (`-- steps top` of the
//! benchmark `speed`).

use precess_lie::Factor;

use crate::mechanics::Tangents;
use crate::mechanics::jacobian::{
    CONTRIBUTIONS, Columns, Contribution, Corners, N_CONTRIBUTIONS, Of, Rows, StepWeights, Times,
};
use crate::solve::Mat;

/// The factors by which derivatives are multiplied.
pub(super) struct Operators<'a> {
    /// The group of the body.
    pub factor: Factor,
    /// The compact tangent operator T.
    pub tangent: &'a [f64],
    /// N, for the stabilized form.
    pub n: &'a Mat,
}

/// True if [`assemble`] supports these sizes: one body with at most three constraints.
pub(super) fn is_known(factors: &[Factor], n_lambda: usize) -> bool {
    matches!(factors, [Factor::R3xSO3 | Factor::SE3]) && matches!(n_lambda, 0 | 3)
}

/// Overwrites the matrix of all unknowns, in index-3 or stabilized index-2 form and without friction.
pub(super) fn assemble(corners: &Corners, t: &Tangents, w: &StepWeights, o: &Operators, out: &mut [f64]) {
    match (t.b.rows(), corners.eta) {
        (0, _) => fill::<0, 6>(t, w, o, out),
        (_, None) => fill::<3, 9>(t, w, o, out),
        (_, Some(_)) => fill::<3, 12>(t, w, o, out),
    }
}

/// Computes the matrix with M constraints and N unknowns.
#[inline(always)]
fn fill<const M: usize, const N: usize>(t: &Tangents, w: &StepWeights, o: &Operators, out: &mut [f64]) {
    let Some(out) = out.as_chunks_mut::<N>().0.first_chunk_mut::<N>() else { return };
    // No contribution covers the corner of the multipliers.
    out[6..].iter_mut().for_each(|column| column[6..].fill(0.0));
    macro_rules! put {
        ($($i:literal)*) => {
            const { assert!([$($i),*].len() == N_CONTRIBUTIONS) }
            $(put::<$i, M, N>(t, w, o, out);)*
        };
    }
    put!(0 1 2 3 4 5 6 7 8 9 10 11);
}

/// Writes contribution number I. The compiler knows I, so it keeps only the code of this contribution.
#[inline(always)]
fn put<const I: usize, const M: usize, const N: usize>(
    t: &Tangents,
    w: &StepWeights,
    o: &Operators,
    out: &mut [[f64; N]; N],
) {
    let c = const { CONTRIBUTIONS[I] };
    let row = match c.rows {
        Rows::Motion => 0,
        Rows::Position if M > 0 => 6,
        Rows::Velocity if N == 12 => 9,
        _ => return,
    };
    let col = match c.columns {
        Columns::Theta => 0,
        Columns::Lambda if M > 0 => 6,
        Columns::Eta if N == 12 => 9,
        _ => return,
    };
    let (a, n) = (t.of_term(c.of).data(), columns::<6, 3>(o.n.data()));
    let out = &mut out[col..];
    match (c.of, c.times) {
        (Of::S, Times::One) => add(w, &c, columns::<6, 6>(a), row, out),
        (Of::S, Times::N) => add(w, &c, &along(columns::<6, 6>(a), n), row, out),
        (Of::K, _) => add(w, &c, &turned(o.factor, o.tangent, columns::<6, 6>(a)), row, out),
        (Of::B, Times::One) => add(w, &c, columns::<3, 6>(a), row, out),
        (Of::B, Times::N) => add(w, &c, &along(columns::<3, 6>(a), n), row, out),
        (Of::B | Of::Y, _) => add(w, &c, &turned(o.factor, o.tangent, columns::<3, 6>(a)), row, out),
        (Of::Bt, _) => {
            add(w, &c, &transposed(columns::<3, 6>(a)), row, out);
        }
        _ => {}
    }
}

/// Writes columns to a matrix from this row on, or adds them to the previous contribution.
#[inline(always)]
fn add<const R: usize, const C: usize, const N: usize>(
    w: &StepWeights,
    c: &Contribution,
    a: &[[f64; R]; C],
    row: usize,
    out: &mut [[f64; N]],
) {
    let is_first = !matches!(c.of, Of::K | Of::Y);
    for (out, a) in out.iter_mut().zip(a) {
        for i in 0..R {
            out[row + i] = if is_first { a[i] } else { out[row + i] + w.of(c.weight) * a[i] };
        }
    }
}

/// Computes A N.
#[inline(always)]
fn along<const R: usize>(a: &[[f64; R]; 6], n: &[[f64; 6]; 3]) -> [[f64; R]; 3] {
    let mut out = [[0.0; R]; 3];
    for (out, n) in out.iter_mut().zip(n) {
        for (a, w) in a.iter().zip(n) {
            for i in 0..R {
                out[i] += w * a[i];
            }
        }
    }
    out
}

/// The columns of a matrix. They are empty if the matrix has another shape, which [`is_known`] excludes.
#[inline(always)]
fn columns<const R: usize, const C: usize>(a: &[f64]) -> &[[f64; R]; C] {
    a.as_chunks::<R>().0.first_chunk().unwrap_or(&[[0.0; R]; C])
}

#[inline(always)]
fn transposed(a: &[[f64; 3]; 6]) -> [[f64; 6]; 3] {
    let row = |i: usize| [a[0][i], a[1][i], a[2][i], a[3][i], a[4][i], a[5][i]];
    [row(0), row(1), row(2)]
}

/// Computes x_0 a_0 + x_1 a_1 + x_2 a_2.
#[inline(always)]
fn combine<const R: usize>(a: &[[f64; R]], x: &[f64]) -> [f64; R] {
    let ([a, b, c, ..], [x, y, z, ..]) = (a, x) else { return [0.0; R] };
    std::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z)
}

/// Computes A T. Six coordinates of a vector space, such as those of modes, have no tangent operator.
#[inline(always)]
fn turned<const R: usize>(factor: Factor, t: &[f64], a: &[[f64; R]; 6]) -> [[f64; R]; 6] {
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
