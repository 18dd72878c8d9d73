//! Sparse LU factorisation in small dense blocks, on a structure that is analysed once.
//!
//! Blocks are the bodies (6 unknowns) and the joints (their multipliers). Each body is eliminated before its joints: the
//! diagonal block of a joint is zero until then. Among the blocks that may be eliminated the one with the fewest neighbours
//! goes first (minimum degree), which costs O(N) for chains and trees and stays near-linear for nets of loops. Pivoting is
//! partial and inside the diagonal blocks only, so the pattern never changes. Written by hand: general sparse solvers were three times
//! slower on chains and do not let the elimination order follow the mechanism.

use precess_lie::Product;

use super::dense_lu::Singular;
use crate::mechanics::Structure;

/// One elimination. The values of a pivot follow each other in memory: its diagonal block D (n x n), the panel L below it
/// (r x n, the rows of all its neighbours) and the panel U beside it (n x r), column-major. Pivots are stored in the order of
/// elimination, so everything an elimination changes lies behind it.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    /// n.
    dim: u32,
    /// r.
    rest: u32,
    /// First value of D.
    values: u32,
    /// First unknown in the order of elimination.
    at: u32,
    /// First neighbour.
    neighbours: u32,
    /// Number of neighbours.
    count: u32,
    /// First of the count^2 targets, row by row.
    targets: u32,
}

/// A block that is still there when its pivot is eliminated.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    dim: u32,
    at: u32,
}

/// A block in place: its first value and the distance between its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    value: u32,
    stride: u32,
}

impl Place {
    const NOWHERE: Place = Place { value: 0, stride: 0 };
}

/// Structure and values.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    /// Scalar unknown -> (block, index in the block).
    map: Vec<(u32, u32)>,
    /// Stored blocks, row by row: (block column, place).
    slots: Vec<(u32, Place)>,
    /// First slot of each block row, and the end.
    rows: Vec<u32>,
    /// Scalar unknowns in the order of elimination.
    order: Vec<u32>,
    pivots: Vec<Pivot>,
    neighbours: Vec<Neighbour>,
    targets: Vec<Place>,
    values: Vec<f64>,
    row_pivots: Vec<u8>,
    /// Room for a column of a panel.
    column: Vec<f64>,
}

crate::persist!(BlockLu { values, row_pivots } given { map, slots, rows, order, pivots, neighbours, targets, column });

/// Largest block; chosen so that row pivots fit a byte with room to spare.
pub const MAX_BLOCK: usize = 64;

/// The same code with sizes known to the compiler, for the eliminations of chains: bodies beside one or two joints
/// (spherical, revolute; twice as many unknowns in the stabilized form), joints beside what is left. Bodies and usual joints
/// in other surroundings have at least a known size of their own.
macro_rules! with_known_sizes {
    ($n:expr, $r:expr, |$dim:ident, $room:ident| $call:expr, $column:expr) => {
        with_known_sizes!(@each $n, $r, $dim, $room, $call, $column;
            (6, 3) (6, 6) (3, 3) (6, 5) (6, 10) (6, 11) (6, 12) (6, 16) (6, 20) (6, 26) (5, 5) (5, 11) (10, 10) (10, 16);
            3 4 5 6 8 10)
    };
    (@each $n:expr, $r:expr, $dim:ident, $room:ident, $call:expr, $column:expr;
        $(($a:literal, $b:literal))*; $($c:literal)*) => {
        match ($n, $r) {
            $(($a, $b) => {
                let ($dim, $room): (usize, &mut [f64]) = ($a, &mut [0.0; $b]);
                $call
            })*
            $(($c, r) => {
                let ($dim, $room): (usize, &mut [f64]) = ($c, &mut $column[..r]);
                $call
            })*
            (n, r) => {
                let ($dim, $room): (usize, &mut [f64]) = (n, &mut $column[..r]);
                $call
            }
        }
    };
}

impl BlockLu {
    /// Analyses a structure. `unknowns[b]` are the scalar unknowns of block b, `before[b]` lists the blocks that must be
    /// eliminated before b, `pairs` are the coupled blocks.
    pub fn new(unknowns: Vec<Vec<u32>>, before: &[Vec<usize>], pairs: &[(usize, usize)]) -> Self {
        let n_blocks = unknowns.len();
        let dim = |b: usize| unknowns[b].len() as u32;
        let n: usize = unknowns.iter().map(Vec::len).sum();
        let mut lu = BlockLu { map: vec![(0, 0); n], row_pivots: vec![0; n], ..BlockLu::default() };
        for (b, list) in unknowns.iter().enumerate() {
            for (i, &u) in list.iter().enumerate() {
                lu.map[u as usize] = (b as u32, i as u32);
            }
        }
        let mut graph: Vec<Vec<usize>> = vec![Vec::new(); n_blocks];
        for &(i, j) in pairs {
            if i != j {
                graph[i].push(j);
                graph[j].push(i);
            }
        }
        for list in &mut graph {
            list.sort_unstable();
            list.dedup();
        }
        let sequence = minimum_degree(graph, before);
        let mut at = vec![0; n_blocks];
        for (block, _) in &sequence {
            at[*block] = lu.order.len() as u32;
            lu.order.extend(&unknowns[*block]);
        }
        let (mut size, mut widest) = (0, 0);
        let mut slots: Vec<(u32, u32, Place)> = Vec::new();
        for (block, list) in &sequence {
            let n = dim(*block);
            let rest: u32 = list.iter().map(|&i| dim(i)).sum();
            lu.pivots.push(Pivot {
                dim: n,
                rest,
                values: size,
                at: at[*block],
                neighbours: lu.neighbours.len() as u32,
                count: list.len() as u32,
                targets: 0,
            });
            let own = *block as u32;
            slots.push((own, own, Place { value: size, stride: n }));
            let (mut below, mut beside) = (size + n * n, size + n * n + rest * n);
            for &i in list {
                lu.neighbours.push(Neighbour { dim: dim(i), at: at[i] });
                slots.push((i as u32, own, Place { value: below, stride: rest }));
                slots.push((own, i as u32, Place { value: beside, stride: n }));
                below += dim(i);
                beside += n * dim(i);
            }
            size += n * (n + 2 * rest);
            widest = widest.max(rest);
        }
        slots.sort_unstable_by_key(|s| (s.0, s.1));
        for (row, col, place) in slots {
            lu.rows.resize(row as usize + 1, lu.slots.len() as u32);
            lu.slots.push((col, place));
        }
        lu.rows.resize(n_blocks + 1, lu.slots.len() as u32);
        for (p, (_, list)) in sequence.iter().enumerate() {
            lu.pivots[p].targets = lu.targets.len() as u32;
            for &i in list {
                for &j in list {
                    // Neighbours of a pivot are neighbours of each other from then on.
                    let place = lu.find(i, j as u32).unwrap_or(Place::NOWHERE);
                    debug_assert!(place.stride > 0);
                    lu.targets.push(place);
                }
            }
        }
        lu.values = vec![0.0; size as usize];
        lu.column = vec![0.0; widest as usize];
        lu
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Number of stored values, fill included.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Starts a new matrix.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    #[inline]
    fn find(&self, i: usize, j: u32) -> Option<Place> {
        let row = &self.slots[self.rows[i] as usize..self.rows[i + 1] as usize];
        match row.len() {
            0..=12 => row.iter().find(|s| s.0 == j).map(|s| s.1),
            _ => row.binary_search_by_key(&j, |s| s.0).ok().map(|k| row[k].1),
        }
    }

    /// Place of entry (row, col); of nothing if it is outside the structure.
    pub(crate) fn place(&self, row: usize, col: usize) -> Place {
        let (i, r) = self.map[row];
        let (j, c) = self.map[col];
        let place = self.find(i as usize, j);
        debug_assert!(place.is_some(), "block ({row}, {col}) is outside the structure");
        place.map_or(Place::NOWHERE, |p| Place { value: p.value + c * p.stride + r, ..p })
    }

    /// Adds `weight * data` (columns of `rows` entries) with its corner at the scalar unknowns (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, rows: usize, weight: f64, data: &[f64]) {
        self.add_at(self.place(row, col), rows, weight, data);
    }

    /// Adds `weight * data` at a place.
    #[inline]
    pub(crate) fn add_at(&mut self, place: Place, rows: usize, weight: f64, data: &[f64]) {
        let Place { value, stride } = place;
        if place == Place::NOWHERE {
            return;
        }
        let target = self.values[value as usize..].chunks_mut(stride as usize);
        let columns = target.zip(data.chunks_exact(rows));
        match rows {
            3 => columns.for_each(|(t, x)| add_scaled(weight, &x[..3], &mut t[..3])),
            5 => columns.for_each(|(t, x)| add_scaled(weight, &x[..5], &mut t[..5])),
            6 => columns.for_each(|(t, x)| add_scaled(weight, &x[..6], &mut t[..6])),
            _ => columns.for_each(|(t, x)| add_scaled(weight, x, t)),
        }
    }

    /// Adds `weight` times the transpose of `data` at a place.
    #[inline]
    pub(crate) fn add_transpose_at(&mut self, place: Place, rows: usize, weight: f64, data: &[f64]) {
        let Place { value, stride } = place;
        if place == Place::NOWHERE {
            return;
        }
        let cols = data.len() / rows;
        let columns = self.values[value as usize..].chunks_mut(stride as usize).take(rows);
        for (i, target) in columns.enumerate() {
            for (t, x) in target[..cols].iter_mut().zip(data[i..].iter().step_by(rows)) {
                *t += weight * x;
            }
        }
    }

    /// One entry.
    pub fn get(&self, row: usize, col: usize) -> f64 {
        let ((i, r), (j, c)) = (self.map[row], self.map[col]);
        self.find(i as usize, j).map_or(0.0, |p| self.values[(p.value + c * p.stride + r) as usize])
    }

    /// Factorises in place.
    pub fn factor(&mut self) -> Result<(), Singular> {
        for pivot in &self.pivots {
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            let (first, at) = (pivot.values as usize, pivot.at as usize);
            let (own, later) = self.values[first..].split_at_mut(n * (n + 2 * r));
            let count = pivot.count as usize;
            let front = Front {
                own,
                later,
                first_later: first + n * (n + 2 * r),
                row_pivots: &mut self.row_pivots[at..at + n],
                neighbours: &self.neighbours[pivot.neighbours as usize..][..count],
                targets: &self.targets[pivot.targets as usize..][..count * count],
            };
            let done = with_known_sizes!(n, r, |n, column| front.eliminate(n, column), self.column);
            done.map_err(|e| Singular { column: self.order[at + e.column] as usize, ..e })?;
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64], work: &mut Vec<f64>) {
        work.resize(b.len() + self.column.len(), 0.0);
        let (x, column) = work.split_at_mut(b.len());
        for (x, &u) in x.iter_mut().zip(&self.order) {
            *x = b[u as usize];
        }
        for pivot in &self.pivots {
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            with_known_sizes!(n, r, |n, room| self.forward(pivot, x, n, room), column);
        }
        for pivot in self.pivots.iter().rev() {
            let (n, r) = (pivot.dim as usize, pivot.rest as usize);
            with_known_sizes!(n, r, |n, room| self.backward(pivot, x, n, room), column);
        }
        for (x, &u) in x.iter().zip(&self.order) {
            b[u as usize] = *x;
        }
    }

    /// Takes the part of a pivot out of the right-hand sides of its neighbours.
    #[inline(always)]
    fn forward(&self, pivot: &Pivot, x: &mut [f64], n: usize, column: &mut [f64]) {
        let r = column.len();
        let (own, later) = x[pivot.at as usize..].split_at_mut(n);
        let l = &self.values[pivot.values as usize + n * n..][..r * n];
        column.fill(0.0);
        for (l, x) in l.chunks_exact(r.max(1)).zip(&*own) {
            for (c, l) in column.iter_mut().zip(l) {
                *c += x * l;
            }
        }
        let mut rest = &*column;
        for i in &self.neighbours[pivot.neighbours as usize..][..pivot.count as usize] {
            let (part, others) = rest.split_at(i.dim as usize);
            subtract(&mut later[i.at as usize - pivot.at as usize - n..][..part.len()], part);
            rest = others;
        }
    }

    /// The solution of a pivot from those of its neighbours.
    #[inline(always)]
    fn backward(&self, pivot: &Pivot, x: &mut [f64], n: usize, column: &mut [f64]) {
        let r = column.len();
        let (own, later) = x[pivot.at as usize..].split_at_mut(n);
        let mut rest = &mut *column;
        for i in &self.neighbours[pivot.neighbours as usize..][..pivot.count as usize] {
            let (part, others) = rest.split_at_mut(i.dim as usize);
            part.copy_from_slice(&later[i.at as usize - pivot.at as usize - n..][..i.dim as usize]);
            rest = others;
        }
        let values = &self.values[pivot.values as usize..][..n * (n + 2 * r)];
        for (u, y) in values[n * (n + r)..].chunks_exact(n).zip(&*column) {
            for (x, u) in own.iter_mut().zip(u) {
                *x -= y * u;
            }
        }
        solve_dense(&values[..n * n], n, &self.row_pivots[pivot.at as usize..][..n], own);
    }
}

/// y += a x.
#[inline(always)]
fn add_scaled(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// y -= x, without a loop for the usual joints.
#[inline(always)]
fn subtract(y: &mut [f64], x: &[f64]) {
    match x.len() {
        3 => add_scaled(-1.0, &x[..3], &mut y[..3]),
        5 => add_scaled(-1.0, &x[..5], &mut y[..5]),
        6 => add_scaled(-1.0, &x[..6], &mut y[..6]),
        10 => add_scaled(-1.0, &x[..10], &mut y[..10]),
        _ => add_scaled(-1.0, x, y),
    }
}

/// What one elimination reads and changes.
struct Front<'a> {
    own: &'a mut [f64],
    later: &'a mut [f64],
    first_later: usize,
    row_pivots: &'a mut [u8],
    neighbours: &'a [Neighbour],
    targets: &'a [Place],
}

impl Front<'_> {
    /// D = P^-1 L U, L <- L D^-1, and L U taken off the blocks of the neighbours; `column` has room for r numbers.
    #[inline(always)]
    fn eliminate(self, n: usize, column: &mut [f64]) -> Result<(), Singular> {
        let r = column.len();
        let (d, panels) = self.own.split_at_mut(n * n);
        factor_dense(d, n, self.row_pivots)?;
        if r == 0 {
            return Ok(());
        }
        let (l, u) = panels.split_at_mut(r * n);
        solve_from_right(l, r, d, n, self.row_pivots);
        let mut u = u.chunks_exact(n);
        for (j, block) in self.neighbours.iter().enumerate() {
            for (c, u) in u.by_ref().take(block.dim as usize).enumerate() {
                column.fill(0.0);
                for (l, w) in l.chunks_exact(r).zip(u) {
                    // Bodies in inertial components have many zeros here.
                    if *w != 0.0 {
                        for (c, l) in column.iter_mut().zip(l) {
                            *c += w * l;
                        }
                    }
                }
                let mut rest = &*column;
                for (i, row) in self.neighbours.iter().enumerate() {
                    let (part, others) = rest.split_at(row.dim as usize);
                    let place = self.targets[i * self.neighbours.len() + j];
                    let at = place.value as usize - self.first_later + c * place.stride as usize;
                    subtract(&mut self.later[at..at + part.len()], part);
                    rest = others;
                }
            }
        }
        Ok(())
    }
}

/// LU with partial pivoting of a column-major n x n block; row interchanges are applied to whole rows, the diagonal of U is
/// inverted.
#[inline(always)]
fn factor_dense(a: &mut [f64], n: usize, pivots: &mut [u8]) -> Result<(), Singular> {
    let a = &mut a[..n * n];
    let size = a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    for k in 0..n {
        let (mut p, mut largest) = (k, a[k * n + k].abs());
        for i in k + 1..n {
            let x = a[k * n + i].abs();
            if x > largest {
                (p, largest) = (i, x);
            }
        }
        if !(largest > 1e-14 * size) {
            return Err(Singular { column: k, pivot: largest, size });
        }
        pivots[k] = p as u8;
        if p != k {
            for j in 0..n {
                a.swap(j * n + k, j * n + p);
            }
        }
        let inverse = 1.0 / a[k * n + k];
        a[k * n + k] = inverse;
        for i in k + 1..n {
            a[k * n + i] *= inverse;
        }
        for j in k + 1..n {
            let w = a[j * n + k];
            if w != 0.0 {
                for i in k + 1..n {
                    a[j * n + i] -= w * a[k * n + i];
                }
            }
        }
    }
    Ok(())
}

/// x <- A^-1 x.
#[inline(always)]
fn solve_dense(lu: &[f64], n: usize, pivots: &[u8], x: &mut [f64]) {
    let (lu, x) = (&lu[..n * n], &mut x[..n]);
    for k in 0..n {
        x.swap(k, pivots[k] as usize);
    }
    for k in 0..n {
        let w = x[k];
        for i in k + 1..n {
            x[i] -= w * lu[k * n + i];
        }
    }
    for k in (0..n).rev() {
        x[k] *= lu[k * n + k];
        let w = x[k];
        for i in 0..k {
            x[i] -= w * lu[k * n + i];
        }
    }
}

/// X <- X A^-1 for an m x n panel X (column-major): columns of X are combined.
#[inline(always)]
fn solve_from_right(x: &mut [f64], m: usize, lu: &[f64], n: usize, pivots: &[u8]) {
    let (x, lu) = (&mut x[..m * n], &lu[..n * n]);
    // X A^-1 = X U^-1 L^-1 P.
    for k in 0..n {
        for l in 0..k {
            let w = lu[k * n + l];
            if w != 0.0 {
                let (left, right) = x.split_at_mut(k * m);
                for (y, z) in right[..m].iter_mut().zip(&left[l * m..l * m + m]) {
                    *y -= w * z;
                }
            }
        }
        let inverse = lu[k * n + k];
        for y in &mut x[k * m..(k + 1) * m] {
            *y *= inverse;
        }
    }
    for k in (0..n).rev() {
        for l in k + 1..n {
            let w = lu[k * n + l];
            if w != 0.0 {
                let (left, right) = x.split_at_mut(l * m);
                for (y, z) in left[k * m..k * m + m].iter_mut().zip(&right[..m]) {
                    *y -= w * z;
                }
            }
        }
    }
    for k in (0..n).rev() {
        let p = pivots[k] as usize;
        if p != k {
            for i in 0..m {
                x.swap(k * m + i, p * m + i);
            }
        }
    }
}

/// One block per factor (theta) and one per group of constraints (its lambda and eta), bodies before their joints.
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
        // S N beside the diagonal of S, and B N between constraints of one factor.
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

/// Elimination sequence: each block with its neighbours at that time.
fn minimum_degree(mut graph: Vec<Vec<usize>>, before: &[Vec<usize>]) -> Vec<(usize, Vec<usize>)> {
    use std::collections::BTreeSet;
    let n = graph.len();
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (b, list) in before.iter().enumerate() {
        for &x in list {
            after[x].push(b);
        }
    }
    let mut done = vec![false; n];
    let mut ready: BTreeSet<(usize, usize)> =
        (0..n).filter(|&b| waiting[b] == 0).map(|b| (graph[b].len(), b)).collect();
    let mut sequence = Vec::with_capacity(n);
    while let Some((degree, block)) = ready.pop_first() {
        debug_assert_eq!(degree, graph[block].len());
        done[block] = true;
        let neighbours = std::mem::take(&mut graph[block]);
        for &i in &neighbours {
            if waiting[i] == 0 {
                ready.remove(&(graph[i].len(), i));
            }
            let list = &mut graph[i];
            list.extend(&neighbours);
            list.retain(|&j| j != i && !done[j]);
            list.sort_unstable();
            list.dedup();
            if waiting[i] == 0 {
                ready.insert((graph[i].len(), i));
            }
        }
        for &b in &after[block] {
            waiting[b] -= 1;
            if waiting[b] == 0 {
                ready.insert((graph[b].len(), b));
            }
        }
        sequence.push((block, neighbours));
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    proptest! {
        /// Random graphs of random blocks against a dense solution.
        #[test]
        fn agrees_with_dense_lu(
            dims in proptest::collection::vec(1usize..5, 2..8),
            edges in proptest::collection::vec((0usize..8, 0usize..8), 0..12),
            seed in proptest::collection::vec(-1.0f64..1.0, 40 * 40 + 40),
        ) {
            let n_blocks = dims.len();
            let edges: Vec<(usize, usize)> = edges.into_iter().filter(|e| e.0 < n_blocks && e.1 < n_blocks).collect();
            let n: usize = dims.iter().sum();
            // Unknowns are dealt out in turn, so blocks are not contiguous ranges of scalars.
            let mut unknowns: Vec<Vec<u32>> = vec![Vec::new(); n_blocks];
            let mut next = 0u32;
            while (next as usize) < n {
                for b in 0..n_blocks {
                    if unknowns[b].len() < dims[b] {
                        unknowns[b].push(next);
                        next += 1;
                    }
                }
            }
            let mut lu = BlockLu::new(unknowns.clone(), &vec![Vec::new(); n_blocks], &edges);
            let mut dense = DMatrix::<f64>::zeros(n, n);
            let all: Vec<(usize, usize)> =
                (0..n_blocks).map(|i| (i, i)).chain(edges.iter().copied()).chain(edges.iter().map(|e| (e.1, e.0))).collect();
            let mut k = 0;
            for (i, j) in all {
                for &r in &unknowns[i] {
                    for &c in &unknowns[j] {
                        let x = seed[k % seed.len()] + if r == c { 4.0 } else { 0.0 };
                        k += 1;
                        lu.add(r as usize, c as usize, 1, 1.0, &[x]);
                        dense[(r as usize, c as usize)] += x;
                    }
                }
            }
            let b = DVector::from_fn(n, |i, _| seed[seed.len() - 1 - i]);
            lu.factor().unwrap();
            let mut x = b.as_slice().to_vec();
            lu.solve(&mut x, &mut Vec::new());
            let residual = (&dense * DVector::from_vec(x.clone()) - &b).amax();
            let size = x.iter().fold(1.0_f64, |s, x| s.max(x.abs()));
            prop_assert!(residual < 1e-9 * size, "{residual} {size}");
        }
    }

    /// Chains are eliminated with constant fill: the number of values grows linearly.
    #[test]
    fn chain_is_linear() {
        let values = |n: usize| {
            let mut unknowns = Vec::new();
            let mut before = Vec::new();
            let mut pairs = Vec::new();
            for i in 0..n {
                unknowns.push((6 * i as u32..6 * i as u32 + 6).collect::<Vec<u32>>());
                before.push(Vec::new());
            }
            for c in 0..n {
                let first = (6 * n + 3 * c) as u32;
                unknowns.push((first..first + 3).collect());
                let bodies: Vec<usize> = if c == 0 { vec![0] } else { vec![c - 1, c] };
                pairs.extend(bodies.iter().map(|&b| (b, n + c)));
                if c > 0 {
                    pairs.push((c - 1, c));
                }
                before.push(bodies);
            }
            BlockLu::new(unknowns, &before, &pairs).n_values()
        };
        let (a, b) = (values(100), values(1000));
        assert!(b < 11 * a, "{a} {b}");
    }
}
