//! Dense kernels of a pivot in [`BlockLu`](super::BlockLu): an elimination and the products it takes off later pivots.
//!
//! A pivot of n unknowns with r rows of neighbours is stored as two panels, both column-major:
//!
//! ```text
//! A = [ D ]  (n + r) x n, the columns of the pivot      C = U^T  r x n, its rows, transposed
//!     [ L ]
//! ```
//!
//! Sizes are arguments: functions are inlined where they are literals, which makes straight-line vector code. Written by
//! hand because products of 6 x 6 and the partial pivoting inside D are not what general libraries are fast at; every sum
//! has the same order in all variants, so results do not depend on the width of the vector unit.

use super::dense_lu::Singular;

/// y += w x, four lanes at once.
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
pub(super) fn add_columns(weight: f64, rows: usize, data: &[f64], stride: usize, target: &mut [f64]) {
    #[inline(always)]
    fn known<const N: usize>(weight: f64, data: &[f64], stride: usize, target: &mut [f64]) {
        for (t, x) in target.chunks_mut(stride).zip(data.as_chunks::<N>().0) {
            let Some(t) = t.first_chunk_mut::<N>() else { return };
            for i in 0..N {
                t[i] += weight * x[i];
            }
        }
    }
    match rows {
        0 => {}
        3 => known::<3>(weight, data, stride, target),
        5 => known::<5>(weight, data, stride, target),
        6 => known::<6>(weight, data, stride, target),
        _ => {
            for (t, x) in target.chunks_mut(stride).zip(data.chunks_exact(rows)) {
                add_scaled(weight, x, &mut t[..rows]);
            }
        }
    }
}

/// D = P^-1 L U with row interchanges inside D and U^T, L <- L U^-1, U^T <- U^T P^T L^-T. The diagonal of U is inverted.
#[inline(always)]
pub(super) fn factor(
    a: &mut [f64],
    c: &mut [f64],
    n: usize,
    r: usize,
    row_pivots: &mut [u8],
) -> Result<(), Singular> {
    let m = n + r;
    let (a, c, row_pivots) = (&mut a[..m * n], &mut c[..r * n], &mut row_pivots[..n]);
    let size = largest(a.chunks_exact(m).map(|column| &column[..n]));
    // Four pivots at a time, so that later columns are read and written once for four products.
    let at_once = if n <= 8 { n } else { 4 };
    for first in (0..n).step_by(at_once) {
        let end = (first + at_once).min(n);
        for k in first..end {
            let p = choose(&a[k * m..k * m + n], k, size)?;
            row_pivots[k] = p as u8;
            if p != k {
                for column in a.chunks_exact_mut(m) {
                    column.swap(k, p);
                }
                let (left, right) = c.split_at_mut(p * r);
                left[k * r..(k + 1) * r].swap_with_slice(&mut right[..r]);
            }
            let (left, right) = a.split_at_mut((k + 1) * m);
            let own = &mut left[k * m..];
            let inverse = 1.0 / own[k];
            own[k] = inverse;
            for x in &mut own[k + 1..] {
                *x *= inverse;
            }
            for other in right.chunks_exact_mut(m).take(end - k - 1) {
                let w = other[k];
                if w != 0.0 {
                    for i in k + 1..n {
                        other[i] -= w * own[i];
                    }
                    add_scaled(-w, &own[n..], &mut other[n..]);
                }
            }
        }
        for k in first..end {
            let (left, right) = c.split_at_mut((k + 1) * r);
            for (other, w) in right.chunks_exact_mut(r.max(1)).zip(&a[k * m + k + 1..k * m + end]) {
                if *w != 0.0 {
                    add_scaled(-w, &left[k * r..], other);
                }
            }
        }
        if end == n {
            break;
        }
        let (left, right) = a.split_at_mut(end * m);
        let done: [&[f64]; 4] = std::array::from_fn(|i| &left[(first + i) * m..][..m]);
        for other in right.chunks_exact_mut(m) {
            for k in first..end {
                add_scaled(-other[k], &done[k - first][k + 1..end], &mut other[k + 1..end]);
            }
            let w = std::array::from_fn(|i| -other[first + i]);
            add_four(w, done.map(|x| &x[end..]), &mut other[end..]);
        }
        let (left, right) = c.split_at_mut(end * r);
        let rows: [&[f64]; 4] = std::array::from_fn(|i| &left[(first + i) * r..][..r]);
        for (j, other) in (end..n).zip(right.chunks_exact_mut(r.max(1))) {
            let w = std::array::from_fn(|i| -done[i][j]);
            add_four(w, rows, other);
        }
    }
    Ok(())
}

/// y += w_0 x_0 + w_1 x_1 + w_2 x_2 + w_3 x_3.
#[inline(always)]
fn add_four(w: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    let (y4, rest) = y.as_chunks_mut::<4>();
    let parts = x.map(|x| x.as_chunks::<4>());
    for (k, y) in y4.iter_mut().enumerate() {
        let mut sum = *y;
        for (w, (x, _)) in w.iter().zip(&parts) {
            for i in 0..4 {
                sum[i] += w * x[k][i];
            }
        }
        *y = sum;
    }
    for (k, y) in rest.iter_mut().enumerate() {
        for (w, (_, x)) in w.iter().zip(&parts) {
            *y += w * x[k];
        }
    }
}

#[inline(always)]
fn largest<'a>(columns: impl Iterator<Item = &'a [f64]>) -> f64 {
    columns.flatten().fold(0.0, |s, x| x.abs().max(s))
}

/// Row of the largest entry from k on; refuses a column whose entries are all round-off of `size`.
#[inline(always)]
fn choose(column: &[f64], k: usize, size: f64) -> Result<usize, Singular> {
    let (mut p, mut pivot) = (k, column[k].abs());
    for (i, x) in column.iter().enumerate() {
        if i > k && x.abs() > pivot {
            (p, pivot) = (i, x.abs());
        }
    }
    if pivot > 1e-14 * size { Ok(p) } else { Err(Singular { column: k, pivot, size }) }
}

/// [`factor`] for M = N + R known to the compiler: whole columns are combined, with zeros above the pivot. Factors of zero
/// are skipped here and in [`product_small`]: bodies in inertial components have many.
#[inline(always)]
pub(super) fn factor_small<const N: usize, const M: usize, const R: usize>(
    a: &mut [f64],
    c: &mut [f64],
    row_pivots: &mut [u8],
) -> Result<(), Singular> {
    let (a, _) = a.as_chunks_mut::<M>();
    let (c, _) = c.as_chunks_mut::<R>();
    let (a, c, row_pivots) = (&mut a[..N], &mut c[..N], &mut row_pivots[..N]);
    let size = largest(a.iter().map(|column| &column[..N]));
    for k in 0..N {
        let p = choose(&a[k][..N], k, size)?;
        row_pivots[k] = p as u8;
        if p != k {
            a.iter_mut().for_each(|column| column.swap(k, p));
            c.swap(k, p);
        }
        let inverse = 1.0 / a[k][k];
        let mut l = [0.0; M];
        for i in 0..M {
            let x = a[k][i] * inverse;
            l[i] = if i > k { x } else { 0.0 };
            a[k][i] = if i > k { x } else { a[k][i] };
        }
        a[k][k] = inverse;
        for other in &mut a[k + 1..] {
            let w = other[k];
            if w != 0.0 {
                for i in 0..M {
                    other[i] -= w * l[i];
                }
            }
        }
        let done = c[k];
        for j in k + 1..N {
            if l[j] != 0.0 {
                for i in 0..R {
                    c[j][i] -= l[j] * done[i];
                }
            }
        }
    }
    Ok(())
}

/// P = L U in columns of R.
#[inline(always)]
pub(super) fn product_small<const N: usize, const M: usize, const R: usize>(
    a: &[f64],
    c: &[f64],
    out: &mut [f64],
) {
    let (a, c, out) = (&a.as_chunks::<M>().0[..N], &c.as_chunks::<R>().0[..N], out.as_chunks_mut::<R>().0);
    for (j, out) in out[..R].iter_mut().enumerate() {
        let mut sum = [0.0; R];
        for (a, c) in a.iter().zip(c) {
            if c[j] != 0.0 {
                for i in 0..R {
                    sum[i] += c[j] * a[N + i];
                }
            }
        }
        *out = sum;
    }
}

/// The same with sizes that are not known.
#[inline(always)]
pub(super) fn product(a: &[f64], c: &[f64], n: usize, r: usize, out: &mut [f64]) {
    let m = n + r;
    for (j, out) in out[..r * r].chunks_exact_mut(r).enumerate() {
        out.fill(0.0);
        for (a, c) in a.chunks_exact(m).zip(c.chunks_exact(r)) {
            if c[j] != 0.0 {
                add_scaled(c[j], &a[n..], out);
            }
        }
    }
}

/// Adds columns of `rows` entries to rows that are `stride` apart.
#[inline(always)]
pub(super) fn add_transposed(weight: f64, rows: usize, data: &[f64], stride: usize, target: &mut [f64]) {
    #[inline(always)]
    fn known<const N: usize>(weight: f64, data: &[f64], stride: usize, target: &mut [f64]) {
        for (j, x) in data.as_chunks::<N>().0.iter().enumerate() {
            for i in 0..N {
                target[i * stride + j] += weight * x[i];
            }
        }
    }
    match rows {
        0 => {}
        3 => known::<3>(weight, data, stride, target),
        5 => known::<5>(weight, data, stride, target),
        6 => known::<6>(weight, data, stride, target),
        _ => {
            for (j, x) in data.chunks_exact(rows).enumerate() {
                for (i, x) in x.iter().enumerate() {
                    target[i * stride + j] += weight * x;
                }
            }
        }
    }
}

/// X Y^T for `rows` rows of X and `cols` rows of Y, panels of n columns; at most [`TILE`] columns at once.
#[inline(always)]
pub(super) fn times_transpose(x: Panel, y: Panel, n: usize, rows: usize, cols: usize, out: &mut [f64]) {
    match cols {
        4 => tiles::<4>(x, y, n, rows, out),
        3 => tiles::<3>(x, y, n, rows, out),
        2 => tiles::<2>(x, y, n, rows, out),
        _ => tiles::<1>(x, y, n, rows, out),
    }
}

/// How many of these columns to take at once: no single one is left over of the usual 3, 5, 6, 9.
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

/// Tiles of R rows; the last overlaps the one before, where it gives the same sums again.
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

/// Rows `i..i + R` of C columns.
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

/// Most columns of a tile.
pub(super) const TILE: usize = 4;

/// Takes the part of a pivot out of right-hand sides: x <- L^-1 P x of its own, and L x in `rest`.
#[inline(always)]
pub(super) fn forward(a: &[f64], n: usize, row_pivots: &[u8], x: &mut [f64], rest: &mut [f64]) {
    let m = n + rest.len();
    let (a, x, row_pivots) = (&a[..m * n], &mut x[..n], &row_pivots[..n]);
    for k in 0..n {
        x.swap(k, row_pivots[k] as usize);
    }
    rest.fill(0.0);
    for (k, column) in a.chunks_exact(m).enumerate() {
        let w = x[k];
        for i in k + 1..n {
            x[i] -= w * column[i];
        }
        add_scaled(w, &column[n..], rest);
    }
}

/// The solution of a pivot from those of its neighbours, `rest`.
#[inline(always)]
pub(super) fn backward(a: &[f64], c: &[f64], n: usize, x: &mut [f64], rest: &[f64]) {
    let r = rest.len();
    let m = n + r;
    let (a, c, x) = (&a[..m * n], &c[..r * n], &mut x[..n]);
    for (x, u) in x.iter_mut().zip(c.chunks_exact(r.max(1))) {
        *x -= dot(u, rest);
    }
    for k in (0..n).rev() {
        let w = x[k] * a[k * m + k];
        x[k] = w;
        for i in 0..k {
            x[i] -= w * a[k * m + i];
        }
    }
}

/// Sum of products in four lanes.
#[inline(always)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((x4, x), (y4, y)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    let mut sum = [0.0; 4];
    for (x, y) in x4.iter().zip(y4) {
        for i in 0..4 {
            sum[i] += x[i] * y[i];
        }
    }
    let rest: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
    (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest
}

/// [`forward`] for known sizes.
#[inline(always)]
pub(super) fn forward_small<const N: usize, const M: usize, const R: usize>(
    a: &[f64],
    row_pivots: &[u8],
    x: &mut [f64],
    rest: &mut [f64],
) {
    let (a, x, row_pivots) = (&a.as_chunks::<M>().0[..N], &mut x[..N], &row_pivots[..N]);
    for k in 0..N {
        x.swap(k, row_pivots[k] as usize);
    }
    let mut sum = [0.0; R];
    for k in 0..N {
        let w = x[k];
        for i in k + 1..N {
            x[i] -= w * a[k][i];
        }
        for i in 0..R {
            sum[i] += w * a[k][N + i];
        }
    }
    rest[..R].copy_from_slice(&sum);
}

/// [`backward`] for known sizes.
#[inline(always)]
pub(super) fn backward_small<const N: usize, const M: usize, const R: usize>(
    a: &[f64],
    c: &[f64],
    x: &mut [f64],
    rest: &[f64],
) {
    let (a, c) = (&a.as_chunks::<M>().0[..N], &c.as_chunks::<R>().0[..N]);
    let (x, rest) = (&mut x[..N], &rest[..R]);
    for k in 0..N {
        x[k] -= dot(&c[k], rest);
    }
    for k in (0..N).rev() {
        let w = x[k] * a[k][k];
        x[k] = w;
        for i in 0..k {
            x[i] -= w * a[k][i];
        }
    }
}
