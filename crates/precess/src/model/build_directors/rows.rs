//! Redundant rows, and directors without inertia.

use nalgebra::DMatrix;

use crate::conserve::Conservative;
use crate::conserve::directors::{DirectorBody, DirectorJoint};
use crate::solve::decompositions::rank;

/// Removes rows that depend on earlier ones at q: their multipliers are not determined, and the Newton matrix
/// would be singular. The motion is the same without them.
pub(super) fn remove_redundant(system: &mut Conservative, joints: &mut [DirectorJoint], q: &[f64]) {
    let (units, mut basis) = (system.units(), Vec::<Vec<f64>>::new());
    let mut keep = Vec::new();
    for c in &system.constraints {
        let mut row = vec![0.0; system.dim()];
        c.g.add_gradient(q, 1.0, &mut row);
        // Measured as changes of lengths; directors are dimensionless.
        row.iter_mut().zip(&units).for_each(|(x, unit)| *x *= unit);
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = norm(&row);
        for _ in 0..2 {
            for b in &basis {
                let along: f64 = b.iter().zip(&row).map(|(b, x)| b * x).sum();
                row.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
            }
        }
        let rest = norm(&row);
        keep.push(rest > 1e-8 * size);
        if rest > 1e-8 * size {
            row.iter_mut().for_each(|x| *x /= rest);
            basis.push(row);
        }
    }
    let mut new = 0;
    let place: Vec<Option<usize>> = keep
        .iter()
        .map(|&k| {
            new += usize::from(k);
            k.then(|| new - 1)
        })
        .collect();
    let mut kept = keep.iter();
    system.constraints.retain(|_| *kept.next().unwrap_or(&true));
    for joint in joints {
        for row in &mut joint.rows {
            *row = row.and_then(|r| place[r]);
        }
    }
}

/// Needed directors without inertia get it from the linear constraints: M + alpha G_lin^T G_lin is the same
/// kinetic energy on the constraints, for any alpha. If linear constraints do not determine all of them (a
/// thin rod on a hinge), M stays singular. Energy-momentum schemes allow this as long as all constraints
/// together determine the motion.
pub(super) fn add_massless(system: &mut Conservative, bodies: &[DirectorBody]) {
    let massless = |b: &DirectorBody| b.present().filter(|x| b.e[x.0] == 0.0).collect::<Vec<_>>();
    let mut columns: Vec<usize> = Vec::new();
    for body in bodies {
        massless(body).into_iter().for_each(|(_, d)| columns.extend(d..d + 3));
    }
    if columns.is_empty() {
        return;
    }
    let mut linear: Vec<Vec<(u32, f64)>> = Vec::new();
    for g in system.constraints.iter().filter_map(|c| c.g.linear()) {
        let mut row = vec![0.0; g.touched().len()];
        g.gradient(&[], &mut row);
        let row: Vec<(u32, f64)> = g.touched().iter().copied().zip(row).collect();
        if row.iter().any(|x| x.1 != 0.0 && columns.contains(&(x.0 as usize))) {
            linear.push(row);
        }
    }
    let mut matrix = DMatrix::zeros(linear.len().max(1), columns.len());
    for (k, row) in linear.iter().enumerate() {
        for &(i, x) in row {
            if let Some(j) = columns.iter().position(|&c| c == i as usize) {
                matrix[(k, j)] = x;
            }
        }
    }
    if rank(&matrix, 1e-9) < columns.len() {
        let name = bodies.iter().find(|b| !massless(b).is_empty()).map_or("", |b| &b.name);
        system.massless = Some(format!(
            "body '{name}' has no inertia along an axis (E_i = 0) that its joints or forces use"
        ));
        return;
    }
    let alpha = bodies.iter().map(|b| b.mass).sum::<f64>() / bodies.len() as f64 * system.length.powi(2);
    for row in &linear {
        for &(i, x) in row {
            for &(j, y) in row {
                system.add_mass_entry(i as usize, j as usize, alpha * x * y);
            }
        }
    }
}
