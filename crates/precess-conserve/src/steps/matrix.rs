//! The Newton matrix of a step, dense for small systems and in blocks of bodies for large ones.
//!
//! In blocks, a body has all its unknowns (q, p and v) and the multipliers of the constraints that touch only
//! this body (its internal ones and its joints to the ground). Constraints between bodies form separate
//! blocks, which are eliminated after these bodies. Chains and trees then cost O(N). If constraints replace
//! inertia ([`Conservative::massless`]), the blocks of bodies alone are singular and the matrix is dense.
//!
//! Rows and columns are scaled ([`Scales`]), because pivots are compared with other entries, which makes no
//! sense between different units.

use precess_lie::VectorUnit;

use super::scales::Scales;
use super::step::UnknownLayout;
use crate::conservative::system::Conservative;
use precess_engine::mechanics::{RowGroup, Structure};
use precess_engine::solve::block_lu::MAX_BLOCK;
use precess_engine::solve::{BlockLu, DenseLu, Singular};

/// Number of unknowns from which on blocks are used.
const SPARSE_FROM: usize = 120;

/// Matrix and factors.
#[derive(Clone, Debug)]
pub struct Matrix {
    factors: ConservingFactors,
    /// Equations are multiplied by `rows`, unknowns divided by `columns`.
    scales: Scales,
}

#[derive(Clone, Debug)]
enum ConservingFactors {
    Dense(DenseLu),
    /// Blocks, with space for solutions.
    Blocks(Box<BlockLu>, Vec<f64>),
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix { factors: ConservingFactors::Dense(DenseLu::new(0)), scales: Scales::default() }
    }
}

impl Matrix {
    /// A matrix for unknowns in this layout, with scales of a system that starts at q.
    pub fn new(system: &Conservative, layout: UnknownLayout, q: &[f64]) -> Self {
        let n = layout.len();
        // Factors of blocks need a vector unit.
        let small = n < SPARSE_FROM || VectorUnit::detect().is_none();
        let factors = if small || system.bodies().len() < 3 || system.massless.is_some() {
            ConservingFactors::Dense(DenseLu::new(n))
        } else {
            ConservingFactors::Blocks(
                Box::new(blocks(system, layout.levels, layout.multipliers)),
                vec![0.0; n],
            )
        };
        Matrix { factors, scales: Scales::new(system, layout, q) }
    }

    /// The scales of rows and columns.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// The scales, for a change of the step size between two matrices.
    pub fn scales_mut(&mut self) -> &mut Scales {
        &mut self.scales
    }

    /// Number of stored values, including fill.
    pub fn n_values(&self) -> usize {
        match &self.factors {
            ConservingFactors::Dense(lu) => lu.matrix().data().len(),
            ConservingFactors::Blocks(lu, _) => lu.n_values(),
        }
    }

    /// Starts a new matrix.
    pub fn clear(&mut self) {
        match &mut self.factors {
            ConservingFactors::Dense(lu) => lu.matrix_mut().fill(0.0),
            ConservingFactors::Blocks(lu, _) => lu.clear(),
        }
    }

    /// Adds to one entry.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, x: f64) {
        let x = x * self.scales.rows[row] * self.scales.columns[col];
        match &mut self.factors {
            ConservingFactors::Dense(lu) => lu.matrix_mut().add_entry(row, col, x),
            ConservingFactors::Blocks(lu, _) => lu.add(row, col, 1, x, &[1.0]),
        }
    }

    /// An entry before the factorisation, as it was added; none in blocks.
    pub fn get(&self, row: usize, col: usize) -> Option<f64> {
        match &self.factors {
            ConservingFactors::Dense(lu) => {
                Some(lu.matrix().get(row, col) / (self.scales.rows[row] * self.scales.columns[col]))
            }
            ConservingFactors::Blocks(..) => None,
        }
    }

    /// Factorises.
    pub fn factor(&mut self) -> Result<(), Singular> {
        match &mut self.factors {
            ConservingFactors::Dense(lu) => lu.factor(),
            ConservingFactors::Blocks(lu, _) => lu.factor(),
        }
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        x.iter_mut().zip(&self.scales.rows).for_each(|(x, s)| *x *= s);
        match &mut self.factors {
            ConservingFactors::Dense(lu) => lu.solve(x),
            ConservingFactors::Blocks(lu, work) => lu.solve(x, work),
        }
        x.iter_mut().zip(&self.scales.columns).for_each(|(x, s)| *x *= s);
    }
}

fn blocks(system: &Conservative, levels: usize, multipliers: usize) -> BlockLu {
    let (d, m, n) = (system.dim(), system.rows(), system.bodies().len());
    let Structure { constraints, couplings: mut pairs, curved, .. } = system.sparsity();
    pairs.extend(curved);
    let mut unknowns: Vec<Vec<u32>> = Vec::new();
    for body in system.bodies() {
        let level = |l: usize| body.clone().map(move |i| (l * d + i) as u32);
        unknowns.push((0..levels).flat_map(level).collect());
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    for RowGroup { rows, factors: bodies } in constraints {
        let level = |l: usize| rows.clone().map(move |k| (levels * d + l * m + k) as u32);
        let list: Vec<u32> = (0..multipliers).flat_map(level).collect();
        if let [body] = bodies[..]
            && unknowns[body].len() + list.len() <= MAX_BLOCK
        {
            unknowns[body].extend(list);
            continue;
        }
        let block = unknowns.len();
        unknowns.push(list);
        pairs.extend(bodies.iter().map(|&i| (i, block)));
        before.push(bodies);
    }
    BlockLu::new(unknowns, &before, &pairs)
}
