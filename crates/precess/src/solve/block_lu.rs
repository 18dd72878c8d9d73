//! Sparse LU factorisation in small dense blocks, on a structure that is analysed once.
//!
//! Blocks are the bodies (6 unknowns) and the joints (their multipliers). Each body is eliminated before its joints: the
//! diagonal block of a joint is zero until then. Among the blocks that may be eliminated the one with the fewest neighbours
//! goes first (minimum degree), which costs O(N) for chains and trees and stays near-linear for nets of loops. Pivoting is
//! partial and inside the diagonal blocks only, so the pattern never changes.

use precess_lie::Product;

use super::dense_lu::Singular;
use crate::mechanics::Structure;

/// An index of a neighbour and the places of the two blocks that connect it with the pivot.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    block: u32,
    /// Block (neighbour, pivot): after factorisation L = A_ip A_pp^-1.
    below: u32,
    /// Block (pivot, neighbour).
    right: u32,
}

/// What one elimination does.
#[derive(Clone, Debug)]
struct Pivot {
    block: u32,
    diagonal: u32,
    neighbours: Vec<Neighbour>,
    /// Place of block (i, j) for each pair of neighbours, row by row.
    updates: Vec<u32>,
}

/// Structure and values.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    dims: Vec<usize>,
    /// Scalar unknown -> (block, index in the block).
    map: Vec<(u32, u32)>,
    /// Scalar unknowns of each block.
    unknowns: Vec<Vec<u32>>,
    /// Stored blocks of each block row: (block column, place).
    slots: Vec<Vec<(u32, u32)>>,
    order: Vec<Pivot>,
    values: Vec<f64>,
    row_pivots: Vec<u8>,
    row_pivot_at: Vec<usize>,
}

/// Largest block; chosen so that row pivots fit a byte with room to spare.
pub const MAX_BLOCK: usize = 64;

impl BlockLu {
    /// Analyses a structure. `unknowns[b]` are the scalar unknowns of block b, `late[b]` lists the blocks that must be
    /// eliminated before b, `pairs` are the coupled blocks.
    pub fn new(unknowns: Vec<Vec<u32>>, before: &[Vec<usize>], pairs: &[(usize, usize)]) -> Self {
        let n_blocks = unknowns.len();
        let dims: Vec<usize> = unknowns.iter().map(Vec::len).collect();
        let n: usize = dims.iter().sum();
        let mut map = vec![(0, 0); n];
        for (b, list) in unknowns.iter().enumerate() {
            for (i, &u) in list.iter().enumerate() {
                map[u as usize] = (b as u32, i as u32);
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
        let mut lu = BlockLu {
            map,
            unknowns,
            slots: vec![Vec::new(); n_blocks],
            order: Vec::with_capacity(n_blocks),
            values: Vec::new(),
            row_pivots: vec![0; n],
            row_pivot_at: Vec::with_capacity(n_blocks),
            dims,
        };
        let mut at = 0;
        for b in 0..n_blocks {
            lu.row_pivot_at.push(at);
            at += lu.dims[b];
        }
        let mut size = 0;
        let mut place = |lu: &mut BlockLu, i: usize, j: usize| -> u32 {
            if let Some(&(_, p)) = lu.slots[i].iter().find(|s| s.0 as usize == j) {
                return p;
            }
            let p = size as u32;
            lu.slots[i].push((j as u32, p));
            size += lu.dims[i] * lu.dims[j];
            p
        };
        for (block, neighbours) in sequence {
            let diagonal = place(&mut lu, block, block);
            let mut updates = Vec::with_capacity(neighbours.len().pow(2));
            for &i in &neighbours {
                for &j in &neighbours {
                    updates.push(place(&mut lu, i, j));
                }
            }
            let neighbours = neighbours
                .iter()
                .map(|&i| Neighbour {
                    block: i as u32,
                    below: place(&mut lu, i, block),
                    right: place(&mut lu, block, i),
                })
                .collect();
            lu.order.push(Pivot { block: block as u32, diagonal, neighbours, updates });
        }
        lu.values = vec![0.0; size];
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

    /// Place of entry (row, col), and the distance between entries of neighbouring columns.
    #[inline]
    fn place(&self, row: usize, col: usize) -> Option<(usize, usize)> {
        let (i, r) = self.map[row];
        let (j, c) = self.map[col];
        let dim = self.dims[i as usize];
        self.slots[i as usize]
            .iter()
            .find(|s| s.0 == j)
            .map(|s| (s.1 as usize + c as usize * dim + r as usize, dim))
    }

    /// Adds `weight * data` (column-major, rows x cols) with its corner at the scalar unknowns (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, rows: usize, cols: usize, weight: f64, data: &[f64]) {
        let place = self.place(row, col);
        debug_assert!(place.is_some(), "block ({row}, {col}) is outside the structure");
        let Some((at, dim)) = place else { return };
        for (j, column) in data.chunks_exact(rows).take(cols).enumerate() {
            let target = &mut self.values[at + j * dim..at + j * dim + rows];
            for (t, x) in target.iter_mut().zip(column) {
                *t += weight * x;
            }
        }
    }

    /// Adds the transpose of `data` (column-major, rows x cols).
    #[inline]
    pub fn add_transpose(
        &mut self,
        row: usize,
        col: usize,
        rows: usize,
        cols: usize,
        weight: f64,
        data: &[f64],
    ) {
        let place = self.place(row, col);
        debug_assert!(place.is_some(), "block ({row}, {col}) is outside the structure");
        let Some((at, dim)) = place else { return };
        for j in 0..cols {
            for i in 0..rows {
                self.values[at + i * dim + j] += weight * data[j * rows + i];
            }
        }
    }

    /// One entry.
    pub fn get(&self, row: usize, col: usize) -> f64 {
        self.place(row, col).map_or(0.0, |(at, _)| self.values[at])
    }

    /// Factorises in place.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let mut scratch = [0.0; MAX_BLOCK * MAX_BLOCK];
        for pivot in &self.order {
            let p = pivot.block as usize;
            let n = self.dims[p];
            let pivots = &mut self.row_pivots[self.row_pivot_at[p]..][..n];
            let d = pivot.diagonal as usize;
            if let Err(e) = factor_dense(&mut self.values[d..d + n * n], n, pivots) {
                let column = self.unknowns[p][e.column] as usize;
                return Err(Singular { column, ..e });
            }
            let diagonal = &self.values[d..d + n * n];
            let factors = &mut scratch[..n * n];
            factors.copy_from_slice(diagonal);
            for neighbour in &pivot.neighbours {
                let m = self.dims[neighbour.block as usize];
                let at = neighbour.below as usize;
                solve_from_right(&mut self.values[at..at + m * n], m, factors, n, pivots);
            }
            let k = pivot.neighbours.len();
            for (a, ni) in pivot.neighbours.iter().enumerate() {
                let mi = self.dims[ni.block as usize];
                for (b, nj) in pivot.neighbours.iter().enumerate() {
                    let mj = self.dims[nj.block as usize];
                    let target = pivot.updates[a * k + b] as usize;
                    subtract_product(
                        &mut self.values,
                        target,
                        ni.below as usize,
                        nj.right as usize,
                        mi,
                        n,
                        mj,
                    );
                }
            }
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64], work: &mut Vec<f64>) {
        work.resize(b.len(), 0.0);
        for (block, list) in self.unknowns.iter().enumerate() {
            let at = self.row_pivot_at[block];
            for (i, &u) in list.iter().enumerate() {
                work[at + i] = b[u as usize];
            }
        }
        let mut x = [0.0; MAX_BLOCK];
        for pivot in &self.order {
            let p = pivot.block as usize;
            let n = self.dims[p];
            let at = self.row_pivot_at[p];
            x[..n].copy_from_slice(&work[at..at + n]);
            for neighbour in &pivot.neighbours {
                let i = neighbour.block as usize;
                let m = self.dims[i];
                let l = &self.values[neighbour.below as usize..][..m * n];
                let to = &mut work[self.row_pivot_at[i]..][..m];
                subtract_gemv(to, l, &x[..n]);
            }
        }
        for pivot in self.order.iter().rev() {
            let p = pivot.block as usize;
            let n = self.dims[p];
            let at = self.row_pivot_at[p];
            x[..n].copy_from_slice(&work[at..at + n]);
            for neighbour in &pivot.neighbours {
                let j = neighbour.block as usize;
                let m = self.dims[j];
                let u = &self.values[neighbour.right as usize..][..n * m];
                let from = &work[self.row_pivot_at[j]..][..m];
                subtract_gemv(&mut x[..n], u, from);
            }
            let d = pivot.diagonal as usize;
            let pivots = &self.row_pivots[at..at + n];
            solve_dense(&self.values[d..d + n * n], n, pivots, &mut x[..n]);
            work[at..at + n].copy_from_slice(&x[..n]);
        }
        for (block, list) in self.unknowns.iter().enumerate() {
            let at = self.row_pivot_at[block];
            for (i, &u) in list.iter().enumerate() {
                b[u as usize] = work[at + i];
            }
        }
    }
}

/// y -= A x for a column-major A.
#[inline]
fn subtract_gemv(y: &mut [f64], a: &[f64], x: &[f64]) {
    for (x, column) in x.iter().zip(a.chunks_exact(y.len())) {
        for (y, a) in y.iter_mut().zip(column) {
            *y -= x * a;
        }
    }
}

/// values[target] -= values[left] values[right] with shapes (m x n) (n x k).
#[inline]
fn subtract_product(
    values: &mut [f64],
    target: usize,
    left: usize,
    right: usize,
    m: usize,
    n: usize,
    k: usize,
) {
    let mut column = [0.0; MAX_BLOCK];
    for j in 0..k {
        let at = target + j * m;
        column[..m].copy_from_slice(&values[at..at + m]);
        for l in 0..n {
            let w = values[right + j * n + l];
            if w != 0.0 {
                let a = &values[left + l * m..left + l * m + m];
                for (c, a) in column[..m].iter_mut().zip(a) {
                    *c -= w * a;
                }
            }
        }
        values[at..at + m].copy_from_slice(&column[..m]);
    }
}

/// LU with partial pivoting of a column-major n x n block; row interchanges are applied to whole rows.
fn factor_dense(a: &mut [f64], n: usize, pivots: &mut [u8]) -> Result<(), Singular> {
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
        for i in k + 1..n {
            a[k * n + i] *= inverse;
        }
        for j in k + 1..n {
            let w = a[j * n + k];
            if w != 0.0 {
                let (left, right) = a.split_at_mut(j * n);
                let l = &left[k * n + k + 1..k * n + n];
                for (x, l) in right[k + 1..n].iter_mut().zip(l) {
                    *x -= w * l;
                }
            }
        }
    }
    Ok(())
}

/// x <- A^-1 x.
#[inline]
fn solve_dense(lu: &[f64], n: usize, pivots: &[u8], x: &mut [f64]) {
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
        x[k] /= lu[k * n + k];
        let w = x[k];
        for i in 0..k {
            x[i] -= w * lu[k * n + i];
        }
    }
}

/// X <- X A^-1 for an m x n block X (column-major): columns of X are combined.
#[inline]
fn solve_from_right(x: &mut [f64], m: usize, lu: &[f64], n: usize, pivots: &[u8]) {
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
        let inverse = 1.0 / lu[k * n + k];
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
    let mut pairs: Vec<(usize, usize)> = structure.couplings.clone();
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
        for (x, &i) in group.factors.iter().enumerate() {
            pairs.push((i, block));
            pairs.extend(group.factors[..x].iter().map(|&j| (i, j)));
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
            let merged: BTreeSet<usize> = graph[i]
                .iter()
                .chain(&neighbours)
                .copied()
                .filter(|&j| j != i && j != block && !done[j])
                .collect();
            graph[i] = merged.into_iter().collect();
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
                        lu.add(r as usize, c as usize, 1, 1, 1.0, &[x]);
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
