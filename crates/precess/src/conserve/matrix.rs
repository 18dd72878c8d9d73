//! The Newton matrix of a step, dense for small systems and in blocks of bodies for large ones.
//!
//! In blocks a body carries all its unknowns (q, p and v) and the multipliers of the constraints that touch it alone (its
//! internal ones and its joints to the ground); constraints between bodies form blocks of their own that are
//! eliminated after these bodies. Chains and trees then cost O(N).

use std::ops::Range;

use super::potential::Law;
use super::system::Conservative;
use crate::solve::block_lu::MAX_BLOCK;
use crate::solve::{BlockLu, DenseLu, Singular};

/// Unknowns from which on blocks are used.
const SPARSE_FROM: usize = 120;

/// Matrix and factors.
#[derive(Clone, Debug)]
pub enum Matrix {
    /// Dense.
    Dense(DenseLu),
    /// In blocks, with room for solutions.
    Blocks(Box<BlockLu>, Vec<f64>),
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix::Dense(DenseLu::new(0))
    }
}

impl Matrix {
    /// For unknowns that consist of `levels` vectors of length d and `multipliers` vectors of length m.
    pub fn new(system: &Conservative, levels: usize, multipliers: usize) -> Self {
        let n = levels * system.dim() + multipliers * system.rows();
        if n < SPARSE_FROM || system.bodies().len() < 3 {
            Matrix::Dense(DenseLu::new(n))
        } else {
            Matrix::Blocks(Box::new(blocks(system, levels, multipliers)), vec![0.0; n])
        }
    }

    /// Number of stored values, fill included.
    pub fn n_values(&self) -> usize {
        match self {
            Matrix::Dense(lu) => lu.matrix().data().len(),
            Matrix::Blocks(lu, _) => lu.n_values(),
        }
    }

    /// Starts a new matrix.
    pub fn clear(&mut self) {
        match self {
            Matrix::Dense(lu) => lu.matrix_mut().fill(0.0),
            Matrix::Blocks(lu, _) => lu.clear(),
        }
    }

    /// Adds to one entry.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, x: f64) {
        match self {
            Matrix::Dense(lu) => lu.matrix_mut().add_entry(row, col, x),
            Matrix::Blocks(lu, _) => lu.add(row, col, 1, x, &[1.0]),
        }
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        match self {
            Matrix::Dense(lu) => lu.factor(),
            Matrix::Blocks(lu, _) => lu.factor(),
        }
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        match self {
            Matrix::Dense(lu) => lu.solve(x),
            Matrix::Blocks(lu, work) => lu.solve(x, work),
        }
    }
}

/// Rows of constraints and the bodies they touch.
struct RowGroup {
    rows: Range<usize>,
    bodies: Vec<usize>,
}

fn blocks(system: &Conservative, levels: usize, multipliers: usize) -> BlockLu {
    let (d, m, n) = (system.dim(), system.rows(), system.bodies().len());
    let body_of = |i: u32| system.bodies().partition_point(|b| b.end <= i as usize);
    let touched = |list: &[u32]| {
        let mut bodies: Vec<usize> = list.iter().map(|&i| body_of(i)).collect();
        bodies.dedup();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    };
    let mut groups: Vec<RowGroup> = Vec::new();
    for (k, c) in system.constraints.iter().enumerate() {
        let bodies = touched(c.g.touched());
        match groups.last_mut() {
            Some(g) if g.bodies == bodies => g.rows.end = k + 1,
            _ => groups.push(RowGroup { rows: k..k + 1, bodies }),
        }
    }
    let mut unknowns: Vec<Vec<u32>> = Vec::new();
    for body in system.bodies() {
        let level = |l: usize| body.clone().map(move |i| (l * d + i) as u32);
        unknowns.push((0..levels).flat_map(level).collect());
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for group in &groups {
        let level = |l: usize| group.rows.clone().map(move |k| (levels * d + l * m + k) as u32);
        let list: Vec<u32> = (0..multipliers).flat_map(level).collect();
        let clique = group
            .bodies
            .iter()
            .enumerate()
            .flat_map(|(x, &i)| group.bodies[..x].iter().map(move |&j| (i, j)));
        pairs.extend(clique);
        if let [body] = group.bodies[..]
            && unknowns[body].len() + list.len() <= MAX_BLOCK
        {
            unknowns[body].extend(list);
            continue;
        }
        let block = unknowns.len();
        unknowns.push(list);
        before.push(group.bodies.clone());
        pairs.extend(group.bodies.iter().map(|&i| (i, block)));
    }
    let mut couple = |list: &[u32]| {
        let bodies = touched(list);
        for (x, &i) in bodies.iter().enumerate() {
            pairs.extend(bodies[..x].iter().map(|&j| (i, j)));
        }
    };
    for &(i, j, _) in system.mass_entries() {
        couple(&[i, j]);
    }
    for term in &system.terms {
        let list: Vec<u32> = term.invariants.iter().flat_map(|x| x.touched().iter().copied()).collect();
        // A linear potential has no tangent: gravity couples nothing.
        let linear = matches!(term.law, Law::Linear) && term.invariants.iter().all(|x| x.is_linear());
        if !linear {
            couple(&list);
        }
    }
    for load in &system.loads {
        couple(&load.touched());
    }
    BlockLu::new(unknowns, &before, &pairs)
}
