//! Dense kernels of a pivot in [`BlockLu`](super::BlockLu): the elimination, and its products, which are
//! subtracted from later pivots.
//!
//! A pivot of n unknowns with r rows of neighbours is stored as three panels, all column-major:
//!
//! ```text
//! [ D  U ]    D    n x n, the pivot itself       C = U^T  r x n, its rows, transposed
//! [ L    ]    L    r x n, the columns below
//! ```
//!
//! C follows D. L is in another place, because memory is fast only without gaps: a forward substitution reads
//! L of one pivot after the other, and a backward substitution reads C and D from the last column to the
//! first.
//!
//! The kernels process columns of L and C in groups of four rows. The compiler knows the number of groups up
//! to [`MAX_GROUPS`], so sums stay in registers and loops have no remainders. If the last group is not full,
//! it reads numbers behind its column and discards their results. Thus, panels need no padding. This code is
//! written by hand, because general libraries are slow for products of 6 x 6 and for partial pivoting inside
//! D. Every sum has the same order in all variants, so results do not depend on the width of the vector unit.

use precess_lie::{Number, VectorUnit};

use super::inverse::{self, choose, larger};
use super::singular::Singular;

/// Four rows.
type FourRows = [f64; 4];

/// The largest number of groups for which loops have a known length.
pub(super) const MAX_GROUPS: usize = 8;

/// The number of groups that hold this many rows.
#[inline(always)]
pub(super) const fn groups(rows: usize) -> usize {
    rows.div_ceil(4)
}

/// Calls `$body` with the constant W = `$groups`, at most [`MAX_GROUPS`].
macro_rules! with_groups {
    ($groups:expr, |$W:ident| $body:expr) => {
        with_groups!(@each $groups, $W, $body; 1 2 3 4 5 6 7)
    };
    (@each $groups:expr, $W:ident, $body:expr; $($w:literal)*) => {
        match $groups {
            $($w => {
                const $W: usize = $w;
                $body
            })*
            _ => {
                const $W: usize = $crate::solve::panel::MAX_GROUPS;
                $body
            }
        }
    };
}

/// Calls `$known` with constants N = n and R = r for the eliminations of chains. These are bodies beside one
/// or two joints (spherical, revolute, also in the stabilized form), and joints beside the remaining
/// unknowns. `$any` is for other sizes. Without these sizes, steps of chains take up to 1.10 times as long
/// because of eliminations and 1.11 times because of substitutions, with 16 % and 13 % more instructions
/// (`-- steps chain` of the benchmark `speed`, `bench/instructions`). Without known lengths in
/// [`invert`](super::inverse::invert), too, they take 1.43 times as long.
macro_rules! with_sizes {
    ($n:expr, $r:expr, |$N:ident, $R:ident| $known:expr, $any:expr) => {
        with_sizes!(@each $n, $r, $N, $R, $known, $any;
            (3, 3) (6, 3) (6, 6) (5, 5) (5, 11) (6, 5) (6, 10) (6, 11) (6, 12) (6, 16) (6, 26) (10, 16))
    };
    (@each $n:expr, $r:expr, $N:ident, $R:ident, $known:expr, $any:expr; $(($a:literal, $b:literal))*) => {
        match ($n, $r) {
            $(($a, $b) => {
                const $N: usize = $a;
                const $R: usize = $b;
                $known
            })*
            _ => $any,
        }
    };
}

mod substitute;
pub(super) use substitute::{backward, forward};

/// Computes y += w x in four lanes at once.
#[inline(always)]
pub(super) fn add_scaled(w: f64, x: &[f64], y: &mut [f64]) {
    let ((x4, x), (y4, y)) = (x.as_chunks::<4>(), y.as_chunks_mut::<4>());
    for (y, x) in y4.iter_mut().zip(x4) {
        for i in 0..4 {
            y[i] += w * x[i];
        }
    }
    for (y, x) in y.iter_mut().zip(x) {
        *y += w * x;
    }
}

/// Adds columns of `rows` entries to columns that are `stride` apart.
#[inline(always)]
pub(super) fn add_columns<T: Number>(weight: T, rows: usize, data: &[T], stride: usize, target: &mut [T]) {
    #[inline(always)]
    fn known<const N: usize, T: Number>(weight: T, data: &[T], stride: usize, mut target: &mut [T]) {
        for x in data.as_chunks::<N>().0 {
            let Some(t) = target.first_chunk_mut::<N>() else { return };
            // The sums stay in registers.
            let mut sum = *t;
            for i in 0..N {
                sum[i] += weight * x[i];
            }
            *t = sum;
            let Some(next) = target.get_mut(stride..) else { return };
            target = next;
        }
    }
    match rows {
        0 => {}
        3 => known::<3, T>(weight, data, stride, target),
        5 => known::<5, T>(weight, data, stride, target),
        6 => known::<6, T>(weight, data, stride, target),
        _ => {
            for (t, x) in target.chunks_mut(stride).zip(data.chunks_exact(rows)) {
                t[..rows].iter_mut().zip(x).for_each(|(t, x)| *t += weight * *x);
            }
        }
    }
}

/// Adds columns of `rows` entries to rows that are `stride` apart. Bodies have six columns.
#[inline(always)]
pub(super) fn add_transposed(weight: f64, rows: usize, data: &[f64], stride: usize, target: &mut [f64]) {
    #[inline(always)]
    fn known<const N: usize>(weight: f64, data: &[f64], stride: usize, mut target: &mut [f64]) {
        let Some(x) = data.as_chunks::<N>().0.first_chunk::<6>() else { return };
        for i in 0..N {
            let Some(t) = target.first_chunk_mut::<6>() else { return };
            let mut sum = *t;
            for j in 0..6 {
                sum[j] += weight * x[j][i];
            }
            *t = sum;
            let Some(next) = target.get_mut(stride..) else { return };
            target = next;
        }
    }
    match (rows, data.len()) {
        (0, _) => {}
        (3, 18) => known::<3>(weight, data, stride, target),
        (5, 30) => known::<5>(weight, data, stride, target),
        (6, 36) => known::<6>(weight, data, stride, target),
        _ => {
            for (j, x) in data.chunks_exact(rows).enumerate() {
                x.iter().enumerate().for_each(|(i, x)| target[i * stride + j] += weight * x);
            }
        }
    }
}

/// Factorises D = P^-1 L U of a wide pivot, with row interchanges inside D. The diagonal of U is inverted.
#[inline(always)]
pub(super) fn factor(d: &mut [f64], n: usize, row_pivots: &mut [u8]) -> Result<(), Singular> {
    let (d, row_pivots) = (&mut d[..n * n], &mut row_pivots[..n]);
    let size = d.iter().fold(0.0, |s, x| larger(x.abs(), s));
    for k in 0..n {
        let p = choose(&d[k * n..(k + 1) * n], k, size)?;
        row_pivots[k] = p as u8;
        if p != k {
            d.chunks_exact_mut(n).for_each(|column| column.swap(k, p));
        }
        let (left, right) = d.split_at_mut((k + 1) * n);
        let own = &mut left[k * n..];
        let inverse = 1.0 / own[k];
        own[k] = inverse;
        own[k + 1..].iter_mut().for_each(|x| *x *= inverse);
        for other in right.chunks_exact_mut(n) {
            let w = other[k];
            if w != 0.0 {
                add_scaled(-w, &own[k + 1..], &mut other[k + 1..]);
            }
        }
    }
    Ok(())
}

/// Does [`divide_small`] and [`multiply`] for sizes that the compiler knows. Products are columns of r
/// entries. None for other sizes. Each size is a function of its own: the compiler needs far longer for one
/// function with all of them.
#[inline(always)]
pub(super) fn eliminate_known(
    unit: VectorUnit,
    n: usize,
    r: usize,
    values: &mut [f64],
    l: &mut [f64],
    out: &mut [f64],
) -> Option<Result<(), Singular>> {
    with_sizes!(
        n,
        r,
        |N, R| Some(eliminate_of_size::<N, R, { inverse::padded(N) }>(unit, values, l, out)),
        None
    )
}

#[inline(never)]
fn eliminate_of_size<const N: usize, const R: usize, const P: usize>(
    unit: VectorUnit,
    values: &mut [f64],
    l: &mut [f64],
    out: &mut [f64],
) -> Result<(), Singular> {
    unit.run(
        #[inline(always)]
        || eliminate_in::<N, R, P>(values, l, out),
    )
}

#[inline(always)]
fn eliminate_in<const N: usize, const R: usize, const P: usize>(
    values: &mut [f64],
    l: &mut [f64],
    out: &mut [f64],
) -> Result<(), Singular> {
    let l = &mut l.as_chunks_mut::<R>().0[..N];
    inverse::divide::<P, R>(values, N, l)?;
    let c = &values[N * N..].as_chunks::<R>().0[..N];
    for (j, out) in out.as_chunks_mut::<R>().0[..R].iter_mut().enumerate() {
        let mut sum = [0.0; R];
        for k in 0..N {
            add_known(c[k][j], &l[k], &mut sum);
        }
        *out = sum;
    }
    Ok(())
}

/// Computes sum += w x. Factors of zero are skipped, because bodies in inertial components have many.
#[inline(always)]
fn add_known<const R: usize>(w: f64, x: &[f64; R], sum: &mut [f64; R]) {
    if w != 0.0 {
        for i in 0..R {
            sum[i] += w * x[i];
        }
    }
}

/// Applies the row interchanges of D to the columns of U^T.
#[inline(always)]
fn exchange(c: &mut [f64], r: usize, row_pivots: &[u8]) {
    for (k, p) in row_pivots.iter().map(|p| *p as usize).enumerate() {
        if p != k {
            let (left, right) = c.split_at_mut(p * r);
            left[k * r..(k + 1) * r].swap_with_slice(&mut right[..r]);
        }
    }
}

/// Computes L <- L U^-1 and U^T <- U^T P^T L^-T with the factors of D. `l` and `c` continue behind their
/// panels.
#[inline(always)]
pub(super) fn divide(d: &[f64], n: usize, r: usize, row_pivots: &[u8], l: &mut [f64], c: &mut [f64]) {
    if r == 0 {
        return;
    }
    exchange(&mut c[..r * n], r, &row_pivots[..n]);
    for first in (0..r).step_by(4 * MAX_GROUPS) {
        let rows = (r - first).min(4 * MAX_GROUPS);
        with_groups!(groups(rows), |W| {
            columns::<W>(&mut l[first..], r, rows, n, |k, j| d[j * n + k], |j| d[j * n + j]);
            columns::<W>(&mut c[first..], r, rows, n, |k, j| d[k * n + j], |_| 1.0);
        });
    }
}

/// Computes L <- L D^-1 with the inverse of a small D. `l` continues behind its panel; `room` is for n
/// columns.
#[inline(always)]
pub(super) fn divide_small(inverse: &[f64], n: usize, r: usize, l: &mut [f64], room: &mut [f64]) {
    for first in (0..r).step_by(4 * MAX_GROUPS) {
        let rows = (r - first).min(4 * MAX_GROUPS);
        with_groups!(groups(rows), |W| {
            let l = &mut l[first..];
            let quotients = &mut room.as_chunks_mut::<4>().0.as_chunks_mut::<W>().0[..n];
            for (quotient, d) in quotients.iter_mut().zip(inverse.chunks_exact(n)) {
                let mut sum = [[0.0; 4]; W];
                for (k, d) in d.iter().enumerate() {
                    if *d != 0.0 {
                        add::<W>(*d, &l[k * r..], &mut sum);
                    }
                }
                *quotient = sum;
            }
            for (j, quotient) in quotients.iter().enumerate() {
                store::<W>(quotient, &mut l[j * r..], rows);
            }
        });
    }
}

/// Computes x_j <- (x_j - sum_{k < j} w(k, j) x_k) scale(j) for the columns of a panel, which have `rows`
/// rows in W groups. Factors of zero are skipped, because bodies in inertial components have many.
#[inline(always)]
fn columns<const W: usize>(
    x: &mut [f64],
    stride: usize,
    rows: usize,
    n: usize,
    w: impl Fn(usize, usize) -> f64,
    scale: impl Fn(usize) -> f64,
) {
    for j in 0..n {
        let mut sum = load::<W>(&x[j * stride..]);
        for k in 0..j {
            let w = w(k, j);
            if w != 0.0 {
                add::<W>(-w, &x[k * stride..], &mut sum);
            }
        }
        let scale = scale(j);
        sum.as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
        store::<W>(&sum, &mut x[j * stride..], rows);
    }
}

#[inline(always)]
fn load<const W: usize>(x: &[f64]) -> [FourRows; W] {
    let x = &x.as_chunks::<4>().0[..W];
    let mut out = [[0.0; 4]; W];
    out.copy_from_slice(x);
    out
}

/// Reads `rows` numbers and fills the last group with zeros.
#[inline(always)]
fn load_rows<const W: usize>(x: &[f64], rows: usize) -> [FourRows; W] {
    let mut out = load::<W>(x);
    for (i, x) in out[W - 1].iter_mut().enumerate() {
        *x = if 4 * (W - 1) + i < rows { *x } else { 0.0 };
    }
    out
}

#[inline(always)]
fn dot_groups<const W: usize>(x: &[FourRows; W], y: &[FourRows; W]) -> f64 {
    let mut sum = [0.0; 4];
    for i in 0..W {
        for j in 0..4 {
            sum[j] += x[i][j] * y[i][j];
        }
    }
    (sum[0] + sum[1]) + (sum[2] + sum[3])
}

/// Computes sum += w x.
#[inline(always)]
fn add<const W: usize>(w: f64, x: &[f64], sum: &mut [FourRows; W]) {
    add_groups(w, &load(x), sum);
}

#[inline(always)]
fn add_groups<const W: usize>(w: f64, x: &[FourRows; W], sum: &mut [FourRows; W]) {
    for i in 0..W {
        for j in 0..4 {
            sum[i][j] += w * x[i][j];
        }
    }
}

/// Writes the first `rows` numbers of W groups.
#[inline(always)]
fn store<const W: usize>(sum: &[FourRows; W], x: &mut [f64], rows: usize) {
    let (full, rest) = x[..rows].as_chunks_mut::<4>();
    full[..W - 1].copy_from_slice(&sum[..W - 1]);
    let last = &sum[W - 1];
    match rest {
        [] => full[W - 1] = *last,
        [x] => *x = last[0],
        [x, y] => (*x, *y) = (last[0], last[1]),
        rest => rest.iter_mut().zip(last).for_each(|(x, y)| *x = *y),
    }
}

/// Computes L U in columns of whole groups.
#[inline(always)]
pub(super) fn multiply(l: &[f64], c: &[f64], n: usize, r: usize, out: &mut [f64]) {
    with_groups!(groups(r), |W| {
        for (j, out) in out.as_chunks_mut::<4>().0.as_chunks_mut::<W>().0[..r].iter_mut().enumerate() {
            let mut sum = [[0.0; 4]; W];
            for k in 0..n {
                let w = c[k * r + j];
                if w != 0.0 {
                    add::<W>(w, &l[k * r..], &mut sum);
                }
            }
            *out = sum;
        }
    });
}

/// Computes X Y^T for `rows` rows of X and `cols` rows of Y. The panels have n columns. A call processes at
/// most [`TILE`] columns.
#[inline(always)]
pub(super) fn times_transpose(x: Panel, y: Panel, n: usize, rows: usize, cols: usize, out: &mut [f64]) {
    match cols {
        4 => tiles::<4>(x, y, n, rows, out),
        3 => tiles::<3>(x, y, n, rows, out),
        2 => tiles::<2>(x, y, n, rows, out),
        _ => tiles::<1>(x, y, n, rows, out),
    }
}

/// The number of columns to process at once. For the usual 3, 5, 6 and 9 columns, no single one is left over.
#[inline(always)]
pub(super) fn columns_at_once(cols: usize) -> usize {
    match cols {
        3 | 5 | 6 | 9 => 3,
        _ => cols.min(TILE),
    }
}

#[inline(always)]
fn tiles<const C: usize>(x: Panel, y: Panel, n: usize, rows: usize, out: &mut [f64]) {
    if rows >= 8 {
        tiles_of::<8, C>(x, y, n, rows, out);
    } else if rows >= 4 {
        tiles_of::<4, C>(x, y, n, rows, out);
    } else if rows == 3 {
        tile::<3, C>(x, y, n, 0, rows, out);
    } else {
        (0..rows).for_each(|i| tile::<1, C>(x, y, n, i, rows, out));
    }
}

/// Computes tiles of R rows. The last tile overlaps the previous one and computes the same sums there.
#[inline(always)]
fn tiles_of<const R: usize, const C: usize>(x: Panel, y: Panel, n: usize, rows: usize, out: &mut [f64]) {
    for i in (0..rows).step_by(R) {
        tile::<R, C>(x, y, n, i.min(rows - R), rows, out);
    }
}

/// A panel from a row on.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub values: &'a [f64],
    pub at: usize,
    pub stride: usize,
}

impl Panel<'_> {
    /// The same panel from a later row on.
    #[inline(always)]
    pub fn from(self, row: usize) -> Self {
        Panel { at: self.at + row, ..self }
    }
}

/// Computes rows `i..i + R` of C columns.
#[inline(always)]
fn tile<const R: usize, const C: usize>(
    x: Panel,
    y: Panel,
    n: usize,
    i: usize,
    rows: usize,
    out: &mut [f64],
) {
    let mut sum = [[0.0; R]; C];
    let (x, y) = (x.values[x.at + i..].chunks(x.stride), y.values[y.at..].chunks(y.stride));
    for (x, y) in x.zip(y).take(n) {
        let (Some(x), Some(y)) = (x.first_chunk::<R>(), y.first_chunk::<C>()) else { return };
        for j in 0..C {
            for i in 0..R {
                sum[j][i] += y[j] * x[i];
            }
        }
    }
    for (j, sum) in sum.iter().enumerate() {
        out[j * rows + i..][..R].copy_from_slice(sum);
    }
}

/// The largest number of columns of a tile.
pub(super) const TILE: usize = 4;
