//! Substitutions with a factorised pivot.

use super::{MAX_GROUPS, add, add_scaled, dot_groups, groups, load, load_rows};

/// Computes x <- L^-1 P x inside a pivot.
#[inline(always)]
fn lower(d: &[f64], n: usize, row_pivots: &[u8], x: &mut [f64]) {
    let (d, x, row_pivots) = (&d[..n * n], &mut x[..n], &row_pivots[..n]);
    for k in 0..n {
        x.swap(k, row_pivots[k] as usize);
    }
    for k in 0..n {
        let w = x[k];
        for i in k + 1..n {
            x[i] -= w * d[k * n + i];
        }
    }
}

/// Computes x <- U^-1 x inside a pivot.
#[inline(always)]
fn upper(d: &[f64], n: usize, x: &mut [f64]) {
    let (d, x) = (&d[..n * n], &mut x[..n]);
    for k in (0..n).rev() {
        let w = x[k] * d[k * n + k];
        x[k] = w;
        for i in 0..k {
            x[i] -= w * d[k * n + i];
        }
    }
}

/// Computes L x in `rest`, which is the part of a pivot in later right-hand sides. If the pivot is
/// factorised, x <- L^-1 P x comes first, with its row pivots. `d` and `l` continue behind their panels.
#[inline(always)]
pub(in crate::solve) fn forward(
    d: &[f64],
    l: &[f64],
    n: usize,
    r: usize,
    row_pivots: Option<&[u8]>,
    x: &mut [f64],
    rest: &mut [f64],
) {
    let w = groups(r);
    let known = if row_pivots.is_none() { n } else { 0 };
    with_sizes!(known, r, |N, R| return forward_known::<N, R>(l, x, rest), {});
    if let Some(row_pivots) = row_pivots {
        lower(d, n, row_pivots, x);
    }
    if w > MAX_GROUPS {
        let rest = &mut rest[..r];
        rest.fill(0.0);
        for (x, column) in x.iter().zip(l.chunks_exact(r)) {
            add_scaled(*x, column, rest);
        }
    } else if w > 0 {
        with_groups!(w, |W| {
            let mut sum = [[0.0; 4]; W];
            for (k, x) in x.iter().enumerate() {
                add::<W>(*x, &l[k * r..], &mut sum);
            }
            rest[..4 * W].copy_from_slice(sum.as_flattened());
        });
    }
}

/// Computes the solution of a pivot from those of its neighbours, `rest`. There is room for whole groups
/// behind `rest`, and `d` continues with C.
#[inline(always)]
pub(in crate::solve) fn backward(
    d: &[f64],
    n: usize,
    r: usize,
    inverted: bool,
    x: &mut [f64],
    rest: &mut [f64],
) {
    let c = &d[n * n..];
    let w = groups(r);
    let known = if inverted { n } else { 0 };
    with_sizes!(known, r, |N, R| return backward_known::<N, R>(d, c, x, rest), {});
    if w > MAX_GROUPS {
        for (x, u) in x.iter_mut().zip(c.chunks_exact(r).take(n)).rev() {
            *x -= dot(u, &rest[..r]);
        }
    } else if w > 0 {
        with_groups!(w, |W| {
            let rest = load_rows::<W>(rest, r);
            for (k, x) in x.iter_mut().enumerate().rev() {
                *x -= dot_groups(&load(&c[k * r..]), &rest);
            }
        });
    }
    if inverted {
        times(d, n, x);
    } else {
        upper(d, n, x);
    }
}

/// Computes x <- D x for a small D. It reads up to three numbers behind D.
#[inline(always)]
fn times(d: &[f64], n: usize, x: &mut [f64]) {
    with_groups!(groups(n), |W| {
        let mut sum = [[0.0; 4]; W];
        for (k, x) in x[..n].iter().enumerate().rev() {
            add::<W>(*x, &d[k * n..], &mut sum);
        }
        x[..n].copy_from_slice(&sum.as_flattened()[..n]);
    });
}

#[inline(always)]
fn forward_known<const N: usize, const R: usize>(l: &[f64], x: &[f64], rest: &mut [f64]) {
    let (l, x) = (&l.as_chunks::<R>().0[..N], &x[..N]);
    let mut sum = [0.0; R];
    for k in 0..N {
        for i in 0..R {
            sum[i] += x[k] * l[k][i];
        }
    }
    rest[..R].copy_from_slice(&sum);
}

#[inline(always)]
fn backward_known<const N: usize, const R: usize>(d: &[f64], c: &[f64], x: &mut [f64], rest: &[f64]) {
    let (d, c) = (&d.as_chunks::<N>().0[..N], &c.as_chunks::<R>().0[..N]);
    let (x, rest) = (&mut x[..N], &rest[..R]);
    for k in (0..N).rev() {
        x[k] -= dot(&c[k], rest);
    }
    let mut sum = [0.0; N];
    for k in (0..N).rev() {
        for i in 0..N {
            sum[i] += x[k] * d[k][i];
        }
    }
    x.copy_from_slice(&sum);
}

/// Computes a sum of products in four lanes.
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
