//! Redundant constraints: all rows are kept and regularised, with weights in the units of the rows.
//!
//! With D_m = diag(tr(B_c M^-1 B_c^T)/n_c) per class c of rows (the points of a joint, the directions of a
//! joint), a regularisation `-eps D_m` of the multiplier block means the same in every unit. Directions in
//! which the constraints determine lambda have Schur eigenvalues of order one relative to D_m and are not
//! affected by eps = 1e-11; redundant directions have eigenvalue zero and get multipliers of minimum norm.

use precess_lie::Product;

use crate::mechanics::jacobian;
use crate::mechanics::mobility::NEARLY;
use crate::mechanics::{At, Structure, System, Tangents, Want};
use crate::solve::dense_lu::DenseLu;
use crate::solve::kkt::Kkt;

/// Regularisation of a step, relative to the weights.
pub const EPS: f64 = 1e-11;
/// Passes of the output filter after which only redundant directions remain: (EPS/s)^FILTER_OUTPUT_PASSES is
/// below 1e-11 for s = 1e-9.
const FILTER_OUTPUT_PASSES: usize = 6;
/// Filter passes in the first Newton iteration of a step.
pub const FILTER_PASSES: usize = 2;

/// Passes of inverse iteration.
const INVERSE_ITERATIONS: usize = 6;

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

/// The unique multipliers of minimum norm with the same forces. Raw multipliers contain rounding noise of the
/// size 1/eps in redundant directions. Allocates; for output only.
///
/// With S = B M^-1 B^T the matrix P = eps (S + eps D_m)^-1 D_m keeps redundant directions and multiplies
/// others by eps/(s + eps), s their eigenvalue. After `FILTER_OUTPUT_PASSES` passes of P only the redundant
/// part remains and is subtracted, twice because P itself is only accurate to 1e-16/eps. One pass with a
/// larger eps would be cheaper, but it would remove eps/s of everything: light bodies between heavy ones have
/// s = 1e-7.
pub fn filtered_multipliers(system: &dyn System, at: &At) -> Vec<f64> {
    let mut out = at.lambda.to_vec();
    let Some(weights) = system.row_weights() else { return out };
    let k = at.v.len();
    let mut tangents = Tangents::of(system);
    tangents.evaluate(system, at, Want::SADDLE);
    let (unit, weights) = equilibrate(&mut tangents, weights);
    let Some(mut kkt) = saddle(system, &tangents, &weights, EPS) else { return out };
    out.iter_mut().zip(&unit).for_each(|(x, unit)| *x /= unit);
    let mut x = vec![0.0; k + out.len()];
    for _ in 0..2 {
        x[k..].copy_from_slice(&out);
        for _ in 0..FILTER_OUTPUT_PASSES {
            x[..k].fill(0.0);
            x[k..].iter_mut().zip(&weights).for_each(|(x, d)| *x *= -EPS * d);
            kkt.solve(&mut x);
        }
        out.iter_mut().zip(&x[k..]).for_each(|(out, x)| *out -= x);
    }
    out.iter_mut().zip(&unit).for_each(|(x, unit)| *x *= unit);
    out
}

/// Scales M and B of small systems so that the diagonals of M and of the weights are 1, because their
/// factorisation chooses pivots between entries of different units. Returns the units of the multipliers and
/// their weights. Large systems are eliminated body by body and need no scales.
fn equilibrate(tangents: &mut Tangents, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    if tangents.s.pattern().is_some() || tangents.b.pattern().is_some() {
        return (vec![1.0; weights.len()], weights.to_vec());
    }
    let root = |x: f64| if x > 0.0 { x.sqrt().recip() } else { 1.0 };
    let speeds: Vec<f64> = (0..tangents.s.cols()).map(|j| root(tangents.s.get(j, j))).collect();
    let unit: Vec<f64> = weights.iter().map(|d| root(*d)).collect();
    for (j, speed) in speeds.iter().enumerate() {
        tangents.s.column_mut(j).iter_mut().zip(&speeds).for_each(|(x, s)| *x *= s * speed);
        tangents.b.column_mut(j).iter_mut().zip(&unit).for_each(|(x, u)| *x *= u * speed);
    }
    let weights = weights.iter().zip(&unit).map(|(d, u)| d * u * u).collect();
    (unit, weights)
}

/// Factors of (M, B^T; B, -eps D_m), with M in `tangents.s`.
fn saddle(system: &dyn System, tangents: &Tangents, weights: &[f64], eps: f64) -> Option<Kkt> {
    let mut kkt = jacobian::allocate_matrix(system, 0, false, true);
    jacobian::saddle(tangents, false, (weights, eps), &mut kkt);
    kkt.factor().is_ok().then_some(kkt)
}

/// True if no row depends on the others, not even nearly: the smallest eigenvalue mu of B M^-1 B^T x = mu D_m
/// x is above [`NEARLY`] squared. Inverse iteration costs a factorisation and a few solutions, while counting
/// the redundant rows ([`mobility`](crate::mechanics::mobility)) costs the cube of their number. A redundant
/// direction grows by 1/eps = 1e11 in each pass, so it is always found.
pub fn is_regular(system: &dyn System, tangents: &Tangents, weights: &[f64]) -> bool {
    let Some(mut kkt) = saddle(system, tangents, weights, EPS) else { return false };
    let (k, m) = (tangents.b.cols(), tangents.b.rows());
    let norm = |x: &[f64]| x.iter().zip(weights).map(|(x, d)| d * x * x).sum::<f64>().sqrt();
    // Any vector without symmetries.
    let mut x = vec![0.0; k + m];
    x[k..].iter_mut().enumerate().for_each(|(i, x)| *x = (1.0 + (i as f64 + 1.0).sqrt()).sin());
    let mut growth = 0.0;
    for _ in 0..INVERSE_ITERATIONS {
        let size = norm(&x[k..]);
        x[..k].fill(0.0);
        x[k..].iter_mut().zip(weights).for_each(|(x, d)| *x *= -d / size);
        kkt.solve(&mut x);
        growth = norm(&x[k..]);
    }
    growth * NEARLY * NEARLY < 1.0
}

/// Regularisation of the search for weak directions: far above the rounding errors of redundant ones.
const EPS_WEAK: f64 = 1e-8;

/// The direction of multipliers that is closest to redundant but is not, and its singular value sigma in B
/// M^-1 B^T x = sigma^2 D_m x. A filter between the passes removes redundant parts: a factor mu/(mu + eps)
/// with an eigenvalue mu of 1e-16. None without redundant rows. Allocates; for messages only.
pub fn weakest(system: &dyn System, at: &At) -> Option<(f64, Vec<f64>)> {
    let weights = system.row_weights()?;
    let (k, m) = (at.v.len(), at.lambda.len());
    let mut tangents = Tangents::of(system);
    tangents.evaluate(system, at, Want::SADDLE);
    let mut kkt = saddle(system, &tangents, weights, EPS_WEAK)?;
    let norm = |x: &[f64]| x.iter().zip(weights).map(|(x, d)| d * x * x).sum::<f64>().sqrt();
    let mut x = vec![0.0; k + m];
    let mut z: Vec<f64> = (0..m).map(|i| (1.0 + (i as f64 + 1.0).sqrt()).sin()).collect();
    let mut growth = 0.0;
    for _ in 0..2 * INVERSE_ITERATIONS {
        // y = (A + eps D)^-1 D z, which magnifies a direction by 1/(sigma^2 + eps), and the filter (A + eps
        // D)^-1 A y.
        let size = norm(&z);
        x[..k].fill(0.0);
        for i in 0..m {
            x[k + i] = -weights[i] * z[i] / size;
        }
        kkt.solve(&mut x);
        growth = norm(&x[k..]);
        z.copy_from_slice(&x[k..]);
        x.fill(0.0);
        tangents.b.gemv_transpose(1.0, &z, &mut x[..k]);
        kkt.solve(&mut x);
        z.copy_from_slice(&x[k..]);
    }
    let sigma = (1.0 / growth - EPS_WEAK).max(0.0).sqrt();
    (growth.is_finite() && z.iter().all(|z| z.is_finite())).then_some((sigma, z))
}

/// True if the constraints form a forest. Then every joint has a body of its own, and since the rows of a
/// joint are independent, no row is redundant.
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
