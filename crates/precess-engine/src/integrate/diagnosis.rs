//! Explains why a step failed, in terms of bodies and joints.

use super::step::{KktFactors, Step};
pub use crate::error::diagnosis::{Diagnosis, Residual, Singularity};
use crate::mechanics::{At, State, System};

/// Singular values below this are called nearly singular. Divided by n/100 for n unknowns, since long chains
/// are soft by nature.
const NEARLY_SINGULAR: f64 = 0.02;
/// Perturbation of the position (rad, lengths of the model): exactly at a singular position, the free motion
/// cannot be separated from others.
const PERTURBATION: f64 = 1e-5;
/// Diagonal shift of a matrix that cannot be factorised.
const DIAGONAL_SHIFT: f64 = 1e-13;
/// Smallest part of a motion that is named, relative to the largest part.
const NAMED_PART: f64 = 0.2;
/// Number of inverse iterations.
const ITERATIONS: usize = 6;

/// Deterministic pseudo-random numbers in [-1, 1).
pub(super) fn arbitrary(i: usize) -> f64 {
    let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Names of the constraints with the largest parts of a vector of multipliers. All rows of a joint, also
/// those of its velocity level, count as one constraint.
fn constraints_by_name(z: &[f64], name: impl Fn(usize) -> String) -> Vec<String> {
    let mut rows: Vec<(String, f64)> = Vec::new();
    for (i, z) in z.iter().enumerate() {
        let name = name(i);
        let name = name.trim_start_matches("the velocity level of ").trim_matches('\'');
        let name = name.split(", row ").next().unwrap_or(name).to_string();
        match rows.iter_mut().find(|r| r.0 == name) {
            Some(r) => r.1 += z * z,
            None => rows.push((name, z * z)),
        }
    }
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let largest = rows.first().map_or(0.0, |r| r.1);
    rows.retain(|r| r.1 > NAMED_PART * NAMED_PART * largest);
    rows.into_iter().take(Diagnosis::SHOWN).map(|r| r.0).collect()
}

/// Constraints that are nearly dependent at the current guess, in addition to the redundant rows.
fn weakest_of_redundant(at: &At, system: &dyn System) -> Option<Singularity> {
    let (size, multipliers) = crate::mechanics::redundancy::weakest(system, at)?;
    if size > NEARLY_SINGULAR * (100.0 / multipliers.len() as f64).min(1.0) {
        return None;
    }
    let constraints = constraints_by_name(&multipliers, |i| system.constraint_name(i));
    Some(Singularity { size, constraints, motion: Vec::new() })
}

/// Finds constraints that are nearly dependent where this step begins.
pub(super) fn near_singular(
    (step, linear): (&mut Step, &mut KktFactors),
    system: &dyn System,
    state: &State,
) -> Option<Singularity> {
    match system.row_weights() {
        Some(_) => weakest_of_redundant(&state.at(), system),
        None => singularity(step, linear, system),
    }
}

/// Finds the softest direction of the iteration matrix near the current guess, by inverse iteration on
///
/// ```text
/// D [ S  B^T ] D,   D = diag(S_ii^-1/2, s),   s = the geometric mean of S_ii^1/2
///   [ B   0  ]
/// ```
///
/// A singular pair (u, w) of B S^-1/2 with a small value sigma appears as an eigenvalue -sigma^2 with the
/// vector (sigma u, w). Its multipliers show which constraints become dependent, its positions which motion
/// is no longer constrained.
fn singularity(step: &mut Step, linear: &mut KktFactors, system: &dyn System) -> Option<Singularity> {
    let KktFactors { kkt, assembly, .. } = linear;
    let (k, m, n) = (system.group().dim(), system.n_lambda(), kkt.len());
    if n == 0 {
        return None;
    }
    let length = system.length_scale();
    let mut x: Vec<f64> =
        (0..n).map(|i| if i < k { PERTURBATION * length.min(1.0) * arbitrary(i) } else { 0.0 }).collect();
    step.xi.copy_from_slice(&x);
    step.correct(1.0, system.group());

    assembly.assemble(step, system, kkt);
    let mut d: Vec<f64> = (0..n).map(|i| if i < k { kkt.diagonal(i).abs() } else { 0.0 }).collect();
    let heaviest = d.iter().fold(0.0, |m: f64, x| m.max(*x));
    if !(heaviest > 0.0 && heaviest.is_finite()) {
        return None;
    }
    let mut logarithms = 0.0;
    for d in &mut d[..k] {
        *d = 1.0 / d.max(1e-12 * heaviest).sqrt();
        logarithms -= d.ln();
    }
    let mean = (logarithms / k.max(1) as f64).exp();
    d[k..].fill(mean);
    if kkt.factor().is_err() {
        assembly.assemble(step, system, kkt);
        for (i, d) in d.iter().enumerate() {
            kkt.add_diagonal(i, if i < k { DIAGONAL_SHIFT } else { -DIAGONAL_SHIFT } / (d * d));
        }
        kkt.factor().ok()?;
    }
    let mut z: Vec<f64> = (0..n).map(arbitrary).collect();
    let mut growth = 0.0;
    for _ in 0..ITERATIONS {
        let norm = z.iter().map(|z| z * z).sum::<f64>().sqrt();
        for i in 0..n {
            z[i] /= norm;
            x[i] = z[i] / d[i];
        }
        kkt.solve(&mut x);
        for i in 0..n {
            z[i] = x[i] / d[i];
        }
        growth = z.iter().map(|z| z * z).sum::<f64>().sqrt();
        if !growth.is_finite() {
            return None;
        }
    }
    let size = if m > 0 { growth.recip().sqrt() } else { growth.recip() };
    if size > NEARLY_SINGULAR * (100.0 / n as f64).min(1.0) {
        return None;
    }

    let constraints = constraints_by_name(&z[k..], |i| step.row_name(system, k + i));
    let mut motion: Vec<(usize, f64)> = (0..k).map(|i| (i, z[i])).collect();
    motion.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let largest = motion.first().map_or(1.0, |x| x.1);
    motion.retain(|x| x.1.abs() > NAMED_PART * largest.abs());
    // Amounts are coordinates, not weighted with the masses.
    let unit = motion.first().map_or(1.0, |&(i, _)| x[i]);
    Some(Singularity {
        size,
        constraints,
        motion: motion
            .into_iter()
            .take(Diagnosis::SHOWN)
            .map(|(i, _)| (system.velocity_name(i), x[i] / unit))
            .collect(),
    })
}
