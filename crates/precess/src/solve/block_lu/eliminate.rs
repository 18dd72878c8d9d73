//! The eliminations and substitutions of a [`BlockLu`], compiled for the vector unit at hand.

use pulp::NullaryFnOnce;

use super::{BlockLu, Pivot, Run, Target};
use crate::solve::dense_lu::Singular;
use crate::solve::inverse::invert;
use crate::solve::panel::{self, MAX_GROUPS, Panel, groups, with_sizes};

/// The factorisation.
pub(super) struct Factor<'a>(pub &'a mut BlockLu);

impl NullaryFnOnce for Factor<'_> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn call(self) -> Self::Output {
        let BlockLu { pivots, values, upper, row_pivots, targets, runs, product, order, inverted, .. } =
            self.0;
        let (lower, upper) = values.split_at_mut(*upper);
        for p in 0..pivots.len() - 1 {
            let pivot = &pivots[p];
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            let at = pivot.at as usize;
            let targets = &targets[pivot.targets as usize..=pivots[p + 1].targets as usize];
            let row_pivots = &mut row_pivots[at..at + n];
            let front = Front { pivot, pivots, targets, runs };
            let (values, l) = (&mut upper[pivot.values as usize..], &mut lower[pivot.below as usize..]);
            let named = |e: Singular| Singular { column: order[at + e.column] as usize, ..e };
            let inverted = n <= *inverted;
            with_sizes!(
                if inverted { n } else { 0 },
                r,
                |N, R| {
                    panel::eliminate_known::<N, R>(values, l, product).map_err(named)?;
                    front.distribute(product, R, lower, upper);
                },
                {
                    if inverted {
                        invert(values, n).map_err(named)?;
                    }
                    let (d, c) = values.split_at_mut(n * n);
                    if inverted {
                        panel::divide_small(d, n, r, l, product);
                    } else {
                        panel::factor(d, n, row_pivots).map_err(named)?;
                        panel::divide(d, n, r, row_pivots, l, c);
                    }
                    if r > 4 * MAX_GROUPS {
                        front.eliminate_in_tiles(product, lower, upper);
                    } else if r > 0 {
                        panel::multiply(l, c, n, r, product);
                        front.distribute(product, 4 * groups(r), lower, upper);
                    }
                }
            );
        }
        Ok(())
    }
}

/// What one elimination changes.
struct Front<'a> {
    pivot: &'a Pivot,
    pivots: &'a [Pivot],
    targets: &'a [Target],
    runs: &'a [Run],
}

/// What changes in one later pivot: its columns are `start..end` of the panels of the elimination.
struct Change<'a> {
    start: usize,
    end: usize,
    /// First value of D.
    d: usize,
    /// First value of L.
    below: usize,
    dim: usize,
    rest: usize,
    /// Its runs in D and in L or C.
    own: &'a [Run],
    others: &'a [Run],
}

impl<'a> Front<'a> {
    /// The pivots it changes.
    #[inline(always)]
    fn targets(&self) -> impl Iterator<Item = Change<'a>> {
        let (pivots, all_runs) = (self.pivots, self.runs);
        self.targets.windows(2).map(move |pair| {
            let target = pair[0];
            let Pivot { dim, rest, values, below, .. } = pivots[target.pivot as usize];
            let (own, others) =
                all_runs[target.runs as usize..pair[1].runs as usize].split_at(target.own as usize);
            Change {
                start: target.start as usize,
                end: target.end as usize,
                d: values as usize,
                below: below as usize,
                dim: dim as usize,
                rest: rest as usize,
                own,
                others,
            }
        })
    }

    /// Takes a product, columns of `rows` each, off the pivots that come later.
    #[inline(always)]
    fn distribute(&self, product: &[f64], rows: usize, lower: &mut [f64], upper: &mut [f64]) {
        for Change { d, below, dim, rest, own, others, .. } in self.targets() {
            let (their_d, their_c) = upper[d..].split_at_mut(dim * dim);
            let their_l = &mut lower[below..];
            for cols in own {
                let (from, to, n) = (cols.from as usize, cols.to as usize, cols.len as usize);
                let below = &product[from * rows..];
                for run in own {
                    let below = &below[run.from as usize..];
                    subtract_block(run, n, below, rows, &mut their_d[to * dim..], dim);
                }
                for run in others {
                    let below = &below[run.from as usize..];
                    subtract_block(run, n, below, rows, &mut their_l[to * rest..], rest);
                    let beside = &product[run.from as usize * rows + from..];
                    subtract_transposed(run, n, beside, rows, &mut their_c[to * rest..], rest);
                }
            }
        }
    }

    /// Both for many rows: a few columns at a time.
    #[inline(always)]
    fn eliminate_in_tiles(&self, product: &mut [f64], lower: &mut [f64], upper: &mut [f64]) {
        let (n, r) = (self.pivot.dim as usize, self.pivot.rest as usize);
        let (l_end, c_end) = (self.pivot.below as usize + n * r, self.pivot.values as usize + n * (n + r));
        let ((lower, later_l), (upper, later)) = (lower.split_at_mut(l_end), upper.split_at_mut(c_end));
        let l = Panel { values: &lower[l_end - n * r..], at: 0, stride: r };
        let c = Panel { values: &upper[c_end - n * r..], at: 0, stride: r };
        for Change { start, end, d, below, dim, rest, own, others } in self.targets() {
            let (their_d, their_c) = later[d - c_end..].split_at_mut(dim * dim);
            let their_l = &mut later_l[below - l_end..];
            for columns in own {
                let (mut from, mut to) = (columns.from as usize, columns.to as usize);
                let last = from + columns.len as usize;
                while from < last {
                    let cols = panel::columns_at_once(last - from);
                    panel::times_transpose(l.from(start), c.from(from), n, r - start, cols, product);
                    for run in own {
                        let x = &product[run.from as usize - start..];
                        subtract_block(run, cols, x, r - start, &mut their_d[to * dim..], dim);
                    }
                    for run in others {
                        let x = &product[run.from as usize - start..];
                        subtract_block(run, cols, x, r - start, &mut their_l[to * rest..], rest);
                    }
                    if end < r {
                        panel::times_transpose(c.from(end), l.from(from), n, r - end, cols, product);
                        for run in others {
                            let x = &product[run.from as usize - end..];
                            subtract_block(run, cols, x, r - end, &mut their_c[to * rest..], rest);
                        }
                    }
                    from += cols;
                    to += cols;
                }
            }
        }
    }
}

/// Takes n columns of x, from their first row on, off the rows of a run in y.
#[inline(always)]
fn subtract_block(run: &Run, n: usize, x: &[f64], x_stride: usize, y: &mut [f64], y_stride: usize) {
    #[inline(always)]
    fn known<const L: usize>(n: usize, x: &[f64], x_stride: usize, y: &mut [f64], y_stride: usize) {
        for j in 0..n {
            let (x, y) = (&x[j * x_stride..][..L], &mut y[j * y_stride..][..L]);
            for i in 0..L {
                y[i] -= x[i];
            }
        }
    }
    let y = &mut y[run.to as usize..];
    match run.len as usize {
        3 => known::<3>(n, x, x_stride, y, y_stride),
        5 => known::<5>(n, x, x_stride, y, y_stride),
        6 => known::<6>(n, x, x_stride, y, y_stride),
        l => {
            for j in 0..n {
                panel::add_scaled(-1.0, &x[j * x_stride..][..l], &mut y[j * y_stride..][..l]);
            }
        }
    }
}

/// Takes columns of n rows of x off rows of y.
#[inline(always)]
fn subtract_transposed(run: &Run, n: usize, x: &[f64], x_stride: usize, y: &mut [f64], y_stride: usize) {
    #[inline(always)]
    fn known<const L: usize>(n: usize, x: &[f64], x_stride: usize, y: &mut [f64], y_stride: usize) {
        for i in 0..L {
            let x = &x[i * x_stride..][..n];
            for j in 0..n {
                y[j * y_stride + i] -= x[j];
            }
        }
    }
    let y = &mut y[run.to as usize..];
    match (run.len as usize, n) {
        (3, 3) => known::<3>(3, x, x_stride, y, y_stride),
        (5, 5) => known::<5>(5, x, x_stride, y, y_stride),
        (6, 5) => known::<6>(5, x, x_stride, y, y_stride),
        (6, 3) => known::<6>(3, x, x_stride, y, y_stride),
        (l, _) => {
            for i in 0..l {
                let x = &x[i * x_stride..][..n];
                for (y, x) in y[i..].iter_mut().step_by(y_stride).zip(x) {
                    *y -= x;
                }
            }
        }
    }
}

/// Both substitutions.
pub(super) struct Solve<'a> {
    pub lu: &'a BlockLu,
    /// Right-hand side, then solution, in the order of elimination.
    pub x: &'a mut [f64],
    pub rest: &'a mut [f64],
}

impl NullaryFnOnce for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Solve { lu, x, rest } = self;
        let row_pivots = |p: &Pivot, n: usize| &lu.row_pivots[p.at as usize..][..n];
        let (lower, upper) = lu.values.split_at(lu.upper);
        for pair in lu.pivots.windows(2) {
            let (pivot, rows) = (&pair[0], &lu.rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            let (own, later) = x[pivot.at as usize..].split_at_mut(n);
            let (d, l) = (&upper[pivot.values as usize..], &lower[pivot.below as usize..]);
            let row_pivots = (n > lu.inverted).then(|| row_pivots(pivot, n));
            panel::forward(d, l, n, r, row_pivots, own, rest);
            let first = pivot.at as usize + n;
            for run in rows {
                let l = run.len as usize;
                subtract(&mut later[run.to as usize - first..][..l], &rest[run.from as usize..][..l]);
            }
        }
        for pair in lu.pivots.windows(2).rev() {
            let (pivot, rows) = (&pair[0], &lu.rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            let (own, later) = x[pivot.at as usize..].split_at_mut(n);
            let first = pivot.at as usize + n;
            for run in rows {
                let l = run.len as usize;
                copy(&mut rest[run.from as usize..][..l], &later[run.to as usize - first..][..l]);
            }
            let inverted = n <= lu.inverted;
            panel::backward(&upper[pivot.values as usize..], n, r, inverted, own, rest);
        }
    }
}

/// y -= x, without a loop for the usual joints.
#[inline(always)]
fn subtract(y: &mut [f64], x: &[f64]) {
    match x.len() {
        3 => panel::add_scaled(-1.0, &x[..3], &mut y[..3]),
        5 => panel::add_scaled(-1.0, &x[..5], &mut y[..5]),
        6 => panel::add_scaled(-1.0, &x[..6], &mut y[..6]),
        10 => panel::add_scaled(-1.0, &x[..10], &mut y[..10]),
        _ => panel::add_scaled(-1.0, x, y),
    }
}

/// y = x, without a call for the usual joints.
#[inline(always)]
fn copy(y: &mut [f64], x: &[f64]) {
    match x.len() {
        3 => y[..3].copy_from_slice(&x[..3]),
        5 => y[..5].copy_from_slice(&x[..5]),
        6 => y[..6].copy_from_slice(&x[..6]),
        10 => y[..10].copy_from_slice(&x[..10]),
        _ => y.copy_from_slice(x),
    }
}
