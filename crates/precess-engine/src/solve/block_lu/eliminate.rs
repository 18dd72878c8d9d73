//! The eliminations and substitutions of a [`BlockLu`], compiled for the available vector unit.

use std::ops::Range;

use precess_lie::VectorUnit;

use super::{BlockLu, Pivot, PivotUpdate, Run};
use crate::solve::inverse::invert;
use crate::solve::panel::{self, MAX_GROUPS, Panel, groups};
use crate::solve::singular::Singular;

/// The structure of the eliminations, which is known before there are values.
#[derive(Clone, Copy)]
pub(super) struct Symbolic<'a> {
    pub pivots: &'a [Pivot],
    pub targets: &'a [PivotUpdate],
    pub runs: &'a [Run],
    pub order: &'a [u32],
    /// The largest pivot that is inverted.
    pub inverted: usize,
}

/// Some pivots with their values, and the values of later pivots that they change.
pub(super) struct Region<'a> {
    pub pivots: Range<usize>,
    pub lower: &'a mut [f64],
    pub upper: &'a mut [f64],
    pub row_pivots: &'a mut [u8],
    /// The first pivot in `behind_lower` and `behind_upper`. These are the values from this pivot on.
    pub behind: usize,
    pub behind_lower: &'a mut [f64],
    pub behind_upper: &'a mut [f64],
    /// Room for a part of a product.
    pub product: &'a mut [f64],
}

/// The task to factorise a region.
pub(super) struct RegionFactorisation<'a>(pub Symbolic<'a>, pub Region<'a>);

impl RegionFactorisation<'_> {
    /// Eliminates all pivots of the region.
    #[inline(never)]
    pub(super) fn run(self) -> Result<(), Singular> {
        let unit = VectorUnit::expected();
        unit.run(
            #[inline(always)]
            || self.eliminate(unit),
        )
    }
}

impl Forward<'_> {
    /// Substitutes forward.
    #[inline(never)]
    pub(super) fn run(self) {
        VectorUnit::expected().run(
            #[inline(always)]
            || self.substitute(),
        );
    }
}

impl Backward<'_> {
    /// Substitutes backward.
    #[inline(never)]
    pub(super) fn run(self) {
        VectorUnit::expected().run(
            #[inline(always)]
            || self.substitute(),
        );
    }
}

impl RegionFactorisation<'_> {
    /// Eliminates all pivots. Frequent sizes have loops of known length.
    #[inline(always)]
    fn eliminate(self, unit: VectorUnit) -> Result<(), Singular> {
        let RegionFactorisation(Symbolic { pivots, targets, runs, order, inverted, .. }, mut region) = self;
        let begin = pivots[region.pivots.start];
        for p in region.pivots.clone() {
            let pivot = &pivots[p];
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            let at = pivot.at as usize;
            let targets = &targets[pivot.targets as usize..=pivots[p + 1].targets as usize];
            let front = Front { pivot, begin: &begin, pivots, targets, runs };
            let named = |e: Singular| Singular { column: order[at + e.column] as usize, ..e };
            let inverted = n <= inverted;
            let (first, below) = front.pivot_index();
            let (values, l) = (&mut region.upper[first..], &mut region.lower[below..]);
            let product = &mut *region.product;
            let known = if inverted { panel::eliminate_known(unit, n, r, values, l, product) } else { None };
            // Columns of the product have known length, or whole groups.
            let rows = match known {
                Some(done) => {
                    done.map_err(named)?;
                    r
                }
                None => {
                    if inverted {
                        invert(unit, values, n).map_err(named)?;
                        panel::divide_small(values, n, r, l, product);
                    } else {
                        let (d, c) = values.split_at_mut(n * n);
                        let row_pivots = &mut region.row_pivots[at - begin.at as usize..][..n];
                        panel::factor(d, n, row_pivots).map_err(named)?;
                        panel::divide(d, n, r, row_pivots, l, c);
                    }
                    if r > 4 * MAX_GROUPS {
                        front.eliminate_in_tiles(&mut region);
                        continue;
                    }
                    panel::multiply(l, &values[n * n..], n, r, product);
                    4 * groups(r)
                }
            };
            front.distribute(unit, rows, &mut region);
        }
        Ok(())
    }
}

/// One elimination and the pivots that it changes.
struct Front<'a> {
    pivot: &'a Pivot,
    /// The first pivot of the region.
    begin: &'a Pivot,
    pivots: &'a [Pivot],
    targets: &'a [PivotUpdate],
    runs: &'a [Run],
}

/// The change of one later pivot. Its columns are `start..end` of the panels of the elimination.
struct PivotChange<'a> {
    pivot: usize,
    start: usize,
    end: usize,
    dim: usize,
    rest: usize,
    /// Its runs in D; `others` are its runs in L or C.
    own: &'a [Run],
    others: &'a [Run],
}

impl<'a> Front<'a> {
    /// The places of D and L of the pivot in its region.
    #[inline(always)]
    fn pivot_index(&self) -> (usize, usize) {
        self.place_of(self.pivot, self.begin)
    }

    #[inline(always)]
    fn place_of(&self, pivot: &Pivot, begin: &Pivot) -> (usize, usize) {
        ((pivot.values - begin.values) as usize, (pivot.below - begin.below) as usize)
    }

    /// The pivots that the elimination changes.
    #[inline(always)]
    fn targets(&self) -> impl Iterator<Item = PivotChange<'a>> {
        let (pivots, all_runs) = (self.pivots, self.runs);
        self.targets.windows(2).map(
            #[inline(always)]
            move |pair| {
                let target = pair[0];
                let Pivot { dim, rest, .. } = pivots[target.pivot as usize];
                let (own, others) =
                    all_runs[target.runs as usize..pair[1].runs as usize].split_at(target.own as usize);
                PivotChange {
                    pivot: target.pivot as usize,
                    start: target.start as usize,
                    end: target.end as usize,
                    dim: dim as usize,
                    rest: rest as usize,
                    own,
                    others,
                }
            },
        )
    }

    /// Subtracts the product, in columns of `rows` entries, from the later pivots.
    #[inline(always)]
    fn distribute(&self, unit: VectorUnit, rows: usize, region: &mut Region) {
        let product = &*region.product;
        for PivotChange { pivot, dim, rest, own, others, .. } in self.targets() {
            let (lower, upper, begin) = if pivot < region.behind {
                (&mut *region.lower, &mut *region.upper, self.begin)
            } else {
                (&mut *region.behind_lower, &mut *region.behind_upper, &self.pivots[region.behind])
            };
            let (d, below) = self.place_of(&self.pivots[pivot], begin);
            let (d, c) = upper[d..].split_at_mut(dim * dim);
            let later = Later { dim, rest, d, l: &mut lower[below..], c };
            // The joints of chains, also in the stabilized form.
            match (own, others) {
                ([Run { len: 3, .. }], [] | [Run { len: 3, .. }]) => {
                    later.subtract_known::<3>(product, rows, &own[0], others.first());
                }
                ([Run { len: 5, .. }], [] | [Run { len: 5, .. }]) => {
                    later.subtract_known::<5>(product, rows, &own[0], others.first());
                }
                ([Run { len: 6, .. }], [] | [Run { len: 6, .. }]) => {
                    later.subtract_known::<6>(product, rows, &own[0], others.first());
                }
                _ => later.subtract(unit, product, rows, (own, others)),
            }
        }
    }

    /// Computes and distributes the product for many rows, a few columns at a time.
    #[inline(always)]
    fn eliminate_in_tiles(&self, region: &mut Region) {
        let (n, r) = (self.pivot.dim as usize, self.pivot.rest as usize);
        let (d, l) = self.pivot_index();
        let (c_end, l_end) = (d + n * (n + r), l + n * r);
        let (lower, later_l) = region.lower.split_at_mut(l_end);
        let (upper, later) = region.upper.split_at_mut(c_end);
        let l = Panel { values: &lower[l_end - n * r..], at: 0, stride: r };
        let c = Panel { values: &upper[c_end - n * r..], at: 0, stride: r };
        let product = &mut *region.product;
        for PivotChange { pivot, start, end, dim, rest, own, others } in self.targets() {
            let (d, their_l, d_and_c) = if pivot < region.behind {
                let (d, below) = self.place_of(&self.pivots[pivot], self.begin);
                (d - c_end, &mut later_l[below - l_end..], &mut *later)
            } else {
                let (d, below) = self.place_of(&self.pivots[pivot], &self.pivots[region.behind]);
                (d, &mut region.behind_lower[below..], &mut *region.behind_upper)
            };
            let (their_d, their_c) = d_and_c[d..].split_at_mut(dim * dim);
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

/// A later pivot with its panels D, L and C, from which a product is subtracted. `l` and `c` continue behind
/// their panels.
struct Later<'a> {
    dim: usize,
    rest: usize,
    d: &'a mut [f64],
    l: &'a mut [f64],
    c: &'a mut [f64],
}

impl Later<'_> {
    /// Subtracts the part of a product in these runs of D and of rows of L. It is a function of its own, since
    /// the compiler prepares the distances of all columns before its loops: this took longer than the work
    /// for a joint.
    #[inline(never)]
    fn subtract(self, unit: VectorUnit, product: &[f64], rows: usize, (own, others): (&[Run], &[Run])) {
        let Later { dim, rest, d, l, c } = self;
        unit.run(
            #[inline(always)]
            || {
                for cols in own {
                    let (from, to, n) = (cols.from as usize, cols.to as usize, cols.len as usize);
                    let below = &product[from * rows..];
                    for run in own {
                        let below = &below[run.from as usize..];
                        subtract_block(run, n, below, rows, &mut d[to * dim..], dim);
                    }
                    for run in others {
                        let below = &below[run.from as usize..];
                        subtract_block(run, n, below, rows, &mut l[to * rest..], rest);
                        let beside = &product[run.from as usize * rows + from..];
                        subtract_transposed(run, n, beside, rows, &mut c[to * rest..], rest);
                    }
                }
            },
        );
    }

    /// The same for one run of N rows in D, and at most one in L.
    #[inline(always)]
    fn subtract_known<const N: usize>(self, product: &[f64], rows: usize, own: &Run, other: Option<&Run>) {
        let Later { dim, rest, d, l, c } = self;
        let (from, to) = (own.from as usize, own.to as usize);
        subtract_square::<N>(&product[from * rows + from..], rows, &mut d[to * dim + to..], dim);
        if let Some(other) = other {
            let (row, place) = (other.from as usize, to * rest + other.to as usize);
            subtract_square::<N>(&product[from * rows + row..], rows, &mut l[place..], rest);
            let (beside, c) = (&product[row * rows + from..], &mut c[place..]);
            let mut square = [[0.0; N]; N];
            for (i, row) in square.iter_mut().enumerate() {
                row.copy_from_slice(&beside[i * rows..][..N]);
            }
            for j in 0..N {
                let y = &mut c[j * rest..][..N];
                for i in 0..N {
                    y[i] -= square[i][j];
                }
            }
        }
    }
}

/// Subtracts N columns of N rows.
#[inline(always)]
fn subtract_square<const N: usize>(x: &[f64], x_stride: usize, y: &mut [f64], y_stride: usize) {
    for j in 0..N {
        let (x, y) = (&x[j * x_stride..][..N], &mut y[j * y_stride..][..N]);
        for i in 0..N {
            y[i] -= x[i];
        }
    }
}

/// Subtracts n columns of x, from their first row on, from the rows of a run in y.
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

/// Subtracts columns of n rows of x from rows of y.
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

/// One of the two substitutions for some pivots.
pub(super) struct Substitute<'a> {
    pub lu: &'a BlockLu,
    pub pivots: Range<usize>,
    /// The right-hand side, and later the solution, of these pivots in the order of elimination.
    pub x: &'a mut [f64],
    /// Room for the rows of one pivot.
    pub rest: &'a mut [f64],
}

/// The unknowns of all pivots from a given one on. They follow those of a [`Substitute`].
pub(super) struct Behind<X> {
    pub pivot: usize,
    pub x: X,
}

/// The forward substitution. The second field collects the changes of the later unknowns.
pub(super) struct Forward<'a>(pub Substitute<'a>, pub Behind<&'a mut [f64]>);

/// The backward substitution.
pub(super) struct Backward<'a>(pub Substitute<'a>, pub Behind<&'a [f64]>);

impl Forward<'_> {
    #[inline(always)]
    fn substitute(self) {
        let Forward(Substitute { lu, pivots, x, rest }, behind) = self;
        let BlockLu { pivots: all, rows, inverted, .. } = lu;
        let (begin, end) = (all[pivots.start].at as usize, all[behind.pivot].at as usize);
        let (lower, upper) = lu.values.split_at(lu.upper);
        for pair in all[pivots.start..=pivots.end].windows(2) {
            let (pivot, rows) = (&pair[0], &rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r, at) = (pivot.dim as usize, pivot.rest as usize, pivot.at as usize);
            let (own, later) = x[at - begin..].split_at_mut(n);
            let (d, l) = (&upper[pivot.values as usize..], &lower[pivot.below as usize..]);
            let row_pivots = (n > *inverted).then(|| &lu.row_pivots[at..at + n]);
            panel::forward(d, l, n, r, row_pivots, own, rest);
            for run in rows {
                let (l, to) = (run.len as usize, run.to as usize);
                let y = if to < end { &mut later[to - at - n..] } else { &mut behind.x[to - end..] };
                subtract(&mut y[..l], &rest[run.from as usize..][..l]);
            }
        }
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn substitute(self) {
        let Backward(Substitute { lu, pivots, x, rest }, behind) = self;
        let BlockLu { pivots: all, rows, inverted, .. } = lu;
        let (begin, end) = (all[pivots.start].at as usize, all[behind.pivot].at as usize);
        let upper = &lu.values[lu.upper..];
        for pair in all[pivots.start..=pivots.end].windows(2).rev() {
            let (pivot, rows) = (&pair[0], &rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r, at) = (pivot.dim as usize, pivot.rest as usize, pivot.at as usize);
            let (own, later) = x[at - begin..].split_at_mut(n);
            for run in rows {
                let (l, to) = (run.len as usize, run.to as usize);
                let y = if to < end { &later[to - at - n..] } else { &behind.x[to - end..] };
                copy(&mut rest[run.from as usize..][..l], &y[..l]);
            }
            panel::backward(&upper[pivot.values as usize..], n, r, n <= *inverted, own, rest);
        }
    }
}

/// Computes y -= x. The usual joints need no loop.
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

/// Computes y = x. The usual joints need no call.
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
