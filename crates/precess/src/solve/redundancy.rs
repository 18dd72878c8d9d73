//! Redundant constraints: all rows are kept and regularised with weights that have the units of the rows.
//!
//! With D_m = diag(tr(B_c M^-1 B_c^T)/n_c) per class c of rows (the points of a joint, the directions of a joint) a
//! regularisation `-eps D_m` of the multiplier block means the same in every unit. Directions in which the constraints
//! determine lambda have Schur eigenvalues of order one relative to D_m and do not notice eps = 1e-11; redundant directions
//! have eigenvalue zero and get multipliers of minimum norm.

use precess_lie::Product;

use super::block_lu::constraint_blocks;
use super::dense_lu::DenseLu;
use super::kkt::Kkt;
use crate::mechanics::mobility::NEARLY;
use crate::mechanics::tangents::sparse_structure;
use crate::mechanics::{At, Structure, System, Tangents, Want};

/// Regularisation of a step, relative to the weights.
pub const EPS: f64 = 1e-11;
/// Regularisation of the output filter.
pub const EPS_OUTPUT: f64 = 1e-8;
/// Filter passes in the first Newton iteration of a step.
pub const FILTER_PASSES: usize = 2;

/// Passes of inverse iteration.
const PASSES: usize = 6;

/// D_m, one weight per row, from M (block diagonal, in `tangents.s`) and B.
pub fn weights(tangents: &Tangents, group: &Product, structure: &Structure) -> Vec<f64> {
    let b = &tangents.b;
    let mut diagonal = vec![0.0; b.rows()];
    let mut lu = DenseLu::default();
    for c in &structure.constraints {
        for &i in &c.factors {
            let range = group.v_range(i);
            lu.resize(range.len());
            for col in 0..range.len() {
                for row in 0..range.len() {
                    let x = tangents.s.get(range.start + row, range.start + col);
                    lu.matrix_mut().column_mut(col)[row] = x;
                }
            }
            if lu.factor().is_err() {
                continue;
            }
            for r in c.rows.clone() {
                let row: Vec<f64> = range.clone().map(|col| b.get(r, col)).collect();
                let mut solved = row.clone();
                lu.solve(&mut solved);
                diagonal[r] += row.iter().zip(&solved).map(|(x, y)| x * y).sum::<f64>();
            }
        }
    }
    let mut out = vec![1.0; b.rows()];
    for class in &structure.classes {
        let mean = diagonal[class.clone()].iter().sum::<f64>() / class.len().max(1) as f64;
        if mean > 0.0 {
            out[class.clone()].fill(mean);
        }
    }
    out
}

/// The unique multipliers of minimum norm that exert the same forces: (B M^-1 B^T + eps D_m) mu = B M^-1 B^T lambda.
/// Raw multipliers carry rounding noise of the size 1/eps in redundant directions. Allocates; for output only.
pub fn filtered_multipliers(system: &dyn System, at: &At) -> Vec<f64> {
    let Some(weights) = system.row_weights() else { return at.lambda.to_vec() };
    let (k, m) = (at.v.len(), at.lambda.len());
    let mut tangents = Tangents::of(system);
    tangents.evaluate(system, at, Want::SADDLE);
    let Some(mut kkt) = saddle(system, &tangents, weights, EPS_OUTPUT) else { return at.lambda.to_vec() };
    let mut x = vec![0.0; k + m];
    tangents.b.gemv_transpose(1.0, at.lambda, &mut x[..k]);
    kkt.solve(&mut x);
    x[k..].to_vec()
}

/// Factors of (M, B^T; B, -eps D_m), with M in `tangents.s`.
fn saddle(system: &dyn System, tangents: &Tangents, weights: &[f64], eps: f64) -> Option<Kkt> {
    let (k, m) = (tangents.b.cols(), tangents.b.rows());
    let mut kkt = match sparse_structure(system) {
        Some(structure) => {
            Kkt::block(constraint_blocks(system.group(), structure, m, false).without_inverses())
        }
        None => Kkt::regularised(k + m),
    };
    kkt.add(0, 0, 1.0, &tangents.s);
    kkt.add_transpose(0, k, 1.0, &tangents.b);
    kkt.add(k, 0, 1.0, &tangents.b);
    for (i, d) in weights.iter().enumerate() {
        kkt.add_diagonal(k + i, -eps * d);
    }
    kkt.factor().is_ok().then_some(kkt)
}

/// True if no row depends on the others, not even nearly: the smallest eigenvalue mu of B M^-1 B^T x = mu D_m x is above
/// [`NEARLY`] squared. Inverse iteration costs a factorisation and a few solutions where a count of the redundant rows
/// ([`mobility`](crate::mechanics::mobility)) takes the cube of their number; a redundant direction grows by 1/eps = 1e11
/// in each pass and cannot hide.
pub fn is_regular(system: &dyn System, tangents: &Tangents, weights: &[f64]) -> bool {
    let Some(mut kkt) = saddle(system, tangents, weights, EPS) else { return false };
    let (k, m) = (tangents.b.cols(), tangents.b.rows());
    let norm = |x: &[f64]| x.iter().zip(weights).map(|(x, d)| d * x * x).sum::<f64>().sqrt();
    // Any vector without symmetries.
    let mut x = vec![0.0; k + m];
    x[k..].iter_mut().enumerate().for_each(|(i, x)| *x = (1.0 + (i as f64 + 1.0).sqrt()).sin());
    let mut growth = 0.0;
    for _ in 0..PASSES {
        let size = norm(&x[k..]);
        x[..k].fill(0.0);
        x[k..].iter_mut().zip(weights).for_each(|(x, d)| *x *= -d / size);
        kkt.solve(&mut x);
        growth = norm(&x[k..]);
    }
    growth * NEARLY * NEARLY < 1.0
}

/// True if the constraints form a forest: then every joint finds a body of its own to act on and, its own rows being
/// independent, no row is redundant.
pub fn is_forest(structure: &Structure, factors: usize) -> bool {
    let ground = factors;
    let mut parent: Vec<usize> = (0..=factors).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for c in &structure.constraints {
        let ends: Vec<usize> = match c.factors.as_slice() {
            [a] => vec![*a, ground],
            list => list.to_vec(),
        };
        for pair in ends.windows(2) {
            let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            if a == b {
                return false;
            }
            parent[a] = b;
        }
    }
    true
}
