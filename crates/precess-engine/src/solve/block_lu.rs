//! Sparse LU factorisation in small dense blocks, on a structure that is analysed once.
//!
//! The blocks are the bodies (6 unknowns) and the joints (their multipliers). Each body is eliminated before
//! its joints, because the diagonal block of a joint is zero until then. The order (`ordering.rs`) costs O(N)
//! for chains and trees and stays near-linear for nets of loops. Rows are exchanged only inside the diagonal
//! blocks, so the pattern never changes. This code is written by hand: the sparse LU of a general library
//! takes 7 to 18 times as long (`bench/solvers`). Its LDL^T takes 1.6 to 2.3 times as long and needs a
//! symmetric matrix.

mod eliminate;
mod entries;
mod halves;
#[cfg(test)]
mod tests;
mod transposed;

use std::ops::Range;

use precess_lie::Product;

use self::eliminate::{Backward, Behind, Forward, Region, RegionFactorisation, Substitute, Symbolic};
use self::halves::Halves;
use super::inverse::MAX_INVERTED;
use super::ordering::{Elimination, analyse};
use super::panel::{MAX_GROUPS, TILE, groups};
use super::singular::Singular;
use super::sparse_lu::SparseLu;
use super::structure::Structure;

/// One elimination. Its panels are in the lower and in the upper values, see [`panel`](super::panel). Both
/// are in the order of elimination, so an elimination changes only values behind its own.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    /// The number of unknowns, n.
    dim: u32,
    /// The number of rows of neighbours, r.
    rest: u32,
    /// The first value of D among the upper values. C follows D.
    values: u32,
    /// The first value of L among the lower values.
    below: u32,
    /// The first unknown in the order of elimination.
    at: u32,
    /// The first of its rows among [`BlockLu::rows`].
    rows: u32,
    /// The first of its targets.
    targets: u32,
}

/// Consecutive rows: `len` rows that begin at `from` in the panel of a pivot and at `to` in another place.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    len: u32,
    to: u32,
}

/// The part of an elimination that changes one later pivot: rows `start..` and columns `start..end` of the
/// panel.
#[derive(Clone, Copy, Debug)]
struct PivotUpdate {
    pivot: u32,
    start: u32,
    end: u32,
    /// The first of its runs. The runs within D come first and are also the columns. The runs of rows of L
    /// follow.
    runs: u32,
    /// The number of runs within D.
    own: u32,
}

/// The place of a block. There are many places, so they are small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockPlace {
    /// The first value of the block.
    value: u32,
    /// Twice the distance between its columns. If the block is stored transposed, twice the distance between
    /// its rows, plus one.
    lines: u32,
}

impl BlockPlace {
    /// The place of a block outside the structure.
    pub const NOWHERE: BlockPlace = BlockPlace { value: 0, lines: 0 };

    fn new(value: u32, stride: u32, transposed: bool) -> Self {
        BlockPlace { value, lines: 2 * stride + u32::from(transposed) }
    }

    #[inline(always)]
    fn stride(self) -> usize {
        self.lines as usize / 2
    }

    #[inline(always)]
    fn is_transposed(self) -> bool {
        self.lines % 2 == 1
    }
}

/// The structure and the values.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    /// For each scalar unknown, the position of its block and its index in the block.
    map: Vec<(u32, u32)>,
    /// For each position of a block, its pivot and the index of its first unknown in the pivot.
    place_of: Vec<(u32, u32)>,
    /// The later blocks of each pivot (positions, increasing), with their first row below D.
    neighbours: Vec<(u32, u32)>,
    /// The first neighbour of each pivot, and the end.
    first: Vec<u32>,
    /// The scalar unknowns in the order of elimination.
    order: Vec<u32>,
    /// All pivots, and an end.
    pivots: Vec<Pivot>,
    /// The rows of the neighbours of all pivots; `to` is an unknown in the order of elimination.
    rows: Vec<Run>,
    /// All targets, and an end.
    targets: Vec<PivotUpdate>,
    runs: Vec<Run>,
    /// The lower values (L of all pivots) and the upper values (D and C of all pivots). Each list has
    /// [`BEHIND`] more numbers at its end and at the ends of halves.
    values: Vec<f64>,
    /// The first of the upper values.
    upper: usize,
    row_pivots: Vec<u8>,
    /// Room for a part of a product.
    product: Vec<f64>,
    /// The largest pivot that is inverted. Larger pivots are factorised.
    inverted: usize,
    /// Two halves that are eliminated at the same time, if the system is large.
    halves: Option<Halves>,
}

crate::persist!(BlockLu { values, row_pivots } given {
    map, place_of, neighbours, first, order, pivots, rows, targets, runs, upper, product, inverted,
    halves
} where |x| {
    x.pivots.iter().all(|p| {
        x.row_pivots[p.at as usize..][..p.dim as usize].iter().all(|r| u32::from(*r) < p.dim)
    })
        => "a pivot is outside of the matrix",
});

/// The largest block. Row pivots are stored in bytes, and this number leaves room to spare.
pub const MAX_BLOCK: usize = 64;

/// Kernels read groups of four numbers. Some of these numbers lie behind the last panel.
const BEHIND: usize = 4;

impl BlockLu {
    /// Analyses a structure. `unknowns[b]` has the scalar unknowns of block b, `before[b]` lists the blocks
    /// that must be eliminated before b, and `pairs` are the coupled blocks.
    pub fn new(unknowns: Vec<Vec<u32>>, before: &[Vec<usize>], pairs: &[(usize, usize)]) -> Self {
        let mut graph: Vec<Vec<u32>> = vec![Vec::new(); unknowns.len()];
        for &(i, j) in pairs {
            if i != j {
                graph[i].push(j as u32);
                graph[j].push(i as u32);
            }
        }
        for list in &mut graph {
            list.sort_unstable();
            list.dedup();
        }
        let dim: Vec<u32> = unknowns.iter().map(|u| u.len() as u32).collect();
        let elimination = analyse(&dim, &graph, before);
        drop(graph);
        BlockLu::arranged(&unknowns, &elimination)
    }

    /// Makes room for the values of an elimination and finds the targets of its products.
    fn arranged(unknowns: &[Vec<u32>], elimination: &Elimination) -> Self {
        let Elimination { order, pivots, neighbours, first, halves } = elimination;
        let n: usize = unknowns.iter().map(Vec::len).sum();
        let mut lu = BlockLu {
            map: vec![(0, 0); n],
            row_pivots: vec![0; n],
            inverted: MAX_INVERTED,
            ..BlockLu::default()
        };
        let dim = |position: u32| unknowns[order[position as usize] as usize].len() as u32;
        let (mut values, mut below) = (0, 0);
        for (p, range) in pivots.windows(2).enumerate() {
            let at = lu.order.len() as u32;
            for position in range[0]..range[1] {
                lu.place_of.push((p as u32, lu.order.len() as u32 - at));
                for (i, &u) in unknowns[order[position as usize] as usize].iter().enumerate() {
                    lu.map[u as usize] = (position, i as u32);
                    lu.order.push(u);
                }
            }
            lu.first.push(lu.neighbours.len() as u32);
            let mut rest = 0;
            for &position in &neighbours[first[p] as usize..first[p + 1] as usize] {
                lu.neighbours.push((position, rest));
                rest += dim(position);
            }
            let dim = lu.order.len() as u32 - at;
            if halves.is_some_and(|ends| ends.contains(&(p as u32))) {
                values += BEHIND as u32;
                below += BEHIND as u32;
            }
            lu.pivots.push(Pivot { dim, rest, values, below, at, rows: 0, targets: 0 });
            values += dim * (dim + rest);
            below += dim * rest;
        }
        lu.first.push(lu.neighbours.len() as u32);
        let widest = lu.pivots.iter().map(|p| p.rest as usize).max().unwrap_or(0);
        let top = halves.map(|[_, top]| lu.pivots[top as usize].at);
        for p in 0..lu.pivots.len() {
            lu.pivots[p].rows = lu.rows.len() as u32;
            lu.pivots[p].targets = lu.targets.len() as u32;
            lu.find_targets(p, &dim, top);
        }
        lu.pivots.push(Pivot {
            dim: 0,
            rest: 0,
            values,
            below,
            at: n as u32,
            rows: lu.rows.len() as u32,
            targets: lu.targets.len() as u32,
        });
        lu.targets.push(PivotUpdate { pivot: 0, start: 0, end: 0, runs: lu.runs.len() as u32, own: 0 });
        lu.upper = below as usize + BEHIND;
        lu.values = vec![0.0; lu.upper + values as usize + BEHIND];
        // The room must hold products of known sizes, and quotients of small pivots.
        let columns = |p: &Pivot| (p.rest as usize).max(MAX_INVERTED) * 4 * groups(p.rest as usize);
        let largest = 4 * MAX_GROUPS * (4 * MAX_GROUPS).max(MAX_INVERTED);
        let small = lu.pivots.iter().map(|p| columns(p).min(largest)).max().unwrap_or(0);
        lu.product = vec![0.0; (TILE * (widest + 4)).max(small)];
        lu.halves = halves.map(|ends| Halves::new(ends, &lu.pivots, lu.product.len()));
        lu
    }

    /// Finds the targets of the product of a pivot; `top` is the first unknown between the halves.
    fn find_targets(&mut self, p: usize, dim: &impl Fn(u32) -> u32, top: Option<u32>) {
        let list = self.first[p] as usize..self.first[p + 1] as usize;
        let first_row = self.rows.len();
        for &(position, from) in &self.neighbours[list.clone()] {
            let (pivot, index) = self.place_of[position as usize];
            let run = Run { from, len: dim(position), to: self.pivots[pivot as usize].at + index };
            // Runs end at the end of a half.
            let group = if Some(run.to) == top { self.rows.len() } else { first_row };
            push_run(&mut self.rows, group, run);
        }
        let mut i = list.start;
        while i < list.end {
            let (pivot, _) = self.place_of[self.neighbours[i].0 as usize];
            let start = self.neighbours[i].1;
            let runs = self.runs.len();
            let mut target =
                PivotUpdate { pivot, start, end: self.pivots[p].rest, runs: runs as u32, own: 0 };
            let mut inside = true;
            let mut next = i;
            // Both lists increase.
            let mut theirs = self.first[pivot as usize] as usize;
            for k in i..list.end {
                let (position, from) = self.neighbours[k];
                let (its_pivot, index) = self.place_of[position as usize];
                let to = if its_pivot == pivot {
                    next = k + 1;
                    index
                } else {
                    while self.neighbours[theirs].0 != position {
                        theirs += 1;
                    }
                    self.neighbours[theirs].1
                };
                let mut group = runs;
                if inside && its_pivot != pivot {
                    inside = false;
                    target.end = from;
                    target.own = (self.runs.len() - runs) as u32;
                }
                if !inside {
                    group += target.own as usize;
                }
                push_run(&mut self.runs, group, Run { from, len: dim(position), to });
            }
            if inside {
                target.own = (self.runs.len() - runs) as u32;
            }
            self.targets.push(target);
            i = next;
        }
    }

    /// Factorises all pivots and inverts none. This is for matrices whose pivots are singular up to a
    /// regularisation: products with their inverses would lose all digits.
    pub fn without_inverses(mut self) -> Self {
        self.inverted = 0;
        self
    }

    /// False for matrices that are [regularised](Self::without_inverses).
    pub(super) fn has_inverses(&self) -> bool {
        self.inverted > 0
    }

    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// True if there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The number of stored values, including fill.
    pub fn n_values(&self) -> usize {
        self.pivots.iter().map(|p| (p.dim * (p.dim + 2 * p.rest)) as usize).sum()
    }

    /// The number of additions and multiplications of a factorisation, including those with zeros.
    pub fn operations(&self) -> f64 {
        let of = |p: &Pivot| {
            let (n, r) = (f64::from(p.dim), f64::from(p.rest));
            n * (2.0 / 3.0 * n * n + 2.0 * n * r + 2.0 * r * r)
        };
        self.pivots.iter().map(of).sum()
    }

    /// Computes the sums of the rows of the matrix, before factorisation. As a right-hand side, they have the
    /// solution one everywhere.
    pub(super) fn row_sums(&self, sums: &mut [f64]) {
        sums.fill(0.0);
        self.for_entries(|_, row, x| sums[self.order[row] as usize] += x);
    }

    /// Factorises the matrix with pivots from whole columns. The matrix must not be factorised yet.
    pub(super) fn pivoted(&self) -> Result<SparseLu, Singular> {
        let mut columns = vec![Vec::new(); self.len()];
        self.for_entries(|column, row, x| {
            if x != 0.0 {
                columns[column].push((row as u32, x));
            }
        });
        SparseLu::new(&columns).map_err(|e| Singular { column: self.order[e.column] as usize, ..e })
    }

    /// Solves in place with the factors from [`pivoted`](Self::pivoted), or with those of the transposed
    /// matrix.
    pub(super) fn solve_pivoted(
        &self,
        factors: &mut SparseLu,
        transposed: bool,
        b: &mut [f64],
        work: &mut Vec<f64>,
    ) {
        work.clear();
        work.extend(self.order.iter().map(|&u| b[u as usize]));
        if transposed {
            factors.solve_transposed(work);
        } else {
            factors.solve(work);
        }
        for (x, &u) in work.iter().zip(&self.order) {
            b[u as usize] = *x;
        }
    }

    /// Factorises in place.
    pub fn factor(&mut self) -> Result<(), Singular> {
        if self.halves.is_some() {
            return self.factor_halves();
        }
        let BlockLu { pivots, targets, runs, order, inverted, values, upper, row_pivots, product, .. } = self;
        let end = pivots.len() - 1;
        let (lower, upper) = values.split_at_mut(*upper);
        let symbolic = Symbolic { pivots, targets, runs, order, inverted: *inverted };
        let region = Region {
            pivots: 0..end,
            lower,
            upper,
            row_pivots,
            behind: end,
            behind_lower: &mut [],
            behind_upper: &mut [],
            product,
        };
        RegionFactorisation(symbolic, region).run()
    }

    fn some<'a>(&'a self, pivots: Range<usize>, x: &'a mut [f64], rest: &'a mut [f64]) -> Substitute<'a> {
        Substitute { lu: self, pivots, x, rest }
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64], work: &mut Vec<f64>) {
        let rooms = if self.halves.is_some() { 2 } else { 1 };
        work.resize(b.len() + rooms * self.product.len() + self.n_top(), 0.0);
        let (x, rest) = work.split_at_mut(b.len());
        for (x, &u) in x.iter_mut().zip(&self.order) {
            *x = b[u as usize];
        }
        match &self.halves {
            Some(halves) => self.solve_halves(halves, x, rest),
            None => {
                let pivot = self.pivots.len() - 1;
                Forward(self.some(0..pivot, x, rest), Behind { pivot, x: &mut [] }).run();
                Backward(self.some(0..pivot, x, rest), Behind { pivot, x: &[] }).run();
            }
        }
        for (x, &u) in x.iter().zip(&self.order) {
            b[u as usize] = *x;
        }
    }
}

/// Appends a run, or continues the last one of its group.
fn push_run(list: &mut Vec<Run>, group: usize, run: Run) {
    if list.len() > group
        && let Some(last) = list.last_mut()
        && last.from + last.len == run.from
        && last.to + last.len == run.to
    {
        last.len += run.len;
        return;
    }
    list.push(run);
}

/// Makes one block per factor (theta) and one per group of constraints (its lambda and eta). Bodies come
/// before their joints.
pub fn constraint_blocks(group: &Product, structure: &Structure, m: usize, stabilized: bool) -> BlockLu {
    let (n, k) = (group.factors().len(), group.dim());
    let scalars = |r: std::ops::Range<usize>| r.map(|i| i as u32);
    let mut unknowns: Vec<Vec<u32>> = (0..n).map(|i| scalars(group.v_range(i)).collect()).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut pairs: Vec<(usize, usize)> =
        structure.couplings.iter().chain(&structure.curved).copied().collect();
    let mut at_factor: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (c, group) in structure.constraints.iter().enumerate() {
        let block = n + c;
        let shifted = |by: usize| scalars(group.rows.start + by..group.rows.end + by);
        let mut list: Vec<u32> = shifted(k).collect();
        if stabilized {
            list.extend(shifted(k + m));
        }
        unknowns.push(list);
        before.push(group.factors.clone());
        for &i in &group.factors {
            pairs.push((i, block));
            at_factor[i].push(block);
        }
    }
    if stabilized {
        // These are S N beside the diagonal of S, and B N between constraints of one factor.
        for &(i, j) in &structure.couplings {
            pairs.extend(at_factor[j].iter().map(|&c| (i, c)));
            pairs.extend(at_factor[i].iter().map(|&c| (j, c)));
        }
        for list in &at_factor {
            for (x, &c) in list.iter().enumerate() {
                pairs.extend(list[..x].iter().map(|&d| (c, d)));
            }
        }
    }
    BlockLu::new(unknowns, &before, &pairs)
}
