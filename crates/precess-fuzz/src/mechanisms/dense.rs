//! Computes accelerations and multipliers at t = 0 without the algorithms of the library. B and its
//! derivative along the motion are difference quotients of Phi of order eight. Masses and gyroscopic terms
//! come from the data. The equations are solved by orthogonal factors.

use nalgebra::{DMatrix, DVector, Matrix3};
use precess::mechanics::{At, BodyKind, State, System};
use precess::study::larger;

use super::simulate::Ready;

/// The weights of first and second central differences of order eight, from the middle on.
const FIRST: [f64; 5] = [0.0, 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
const SECOND: [f64; 5] = [-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
/// The spacing of the differences, in rad and in lengths of the mechanism.
const SPACING: f64 = 0.02;
/// Constraint matrices with a worse condition are skipped.
const SINGULAR: f64 = 1e-5;

/// The largest differences of accelerations and of reactions at t = 0, relative to the largest. Returns
/// `None` if rows depend on each other.
pub fn difference(ready: &Ready) -> Option<[f64; 2]> {
    let system = &*ready.built.system;
    let state = &ready.state;
    let (vdot, lambda) = solve(ready)?;
    let length = system.length_scale();
    let mut other = state.clone();
    other.vdot.copy_from_slice(vdot.as_slice());
    other.lambda.copy_from_slice(lambda.as_slice());
    // Angular accelerations are multiplied by the typical length.
    let weights = weights(ready, length);
    let acceleration =
        |a: &[f64]| DVector::from_iterator(a.len(), a.iter().zip(&weights).map(|(x, w)| x * w));
    let (ours, theirs) = (acceleration(&other.vdot), acceleration(&state.vdot));
    // This is a typical size, for mechanisms without acceleration.
    let speed = acceleration(&state.v).amax();
    let slow = length / ready.loaded.settings.until.powi(2);
    let usual = slow + speed.powi(2) / length + ready.loaded.model.gravity.norm();
    let accelerations = relative((&ours - &theirs).amax(), theirs.amax().max(usual));
    let forces = |s: &State| -> Vec<f64> {
        let list = system.reactions(&s.at());
        list.iter()
            .flat_map(|j| {
                j.force.iter().copied().chain(j.torque.iter().map(|m| m / length)).collect::<Vec<_>>()
            })
            .collect()
    };
    let (ours, theirs) = (forces(&other), forces(state));
    let error = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, larger);
    // If reactions cancel, they are small compared with the weights and inertia forces of the bodies.
    let inertia = mass_matrix(ready) * DVector::from_column_slice(&state.vdot);
    let heaviest = ready.loaded.model.bodies.iter().map(|b| b.mass * usual).fold(0.0, larger);
    let loads = inertia.iter().zip(&weights).map(|(f, w)| (f / w).abs()).fold(heaviest, larger);
    let size = theirs.iter().map(|x| x.abs()).fold(loads, larger);
    Some([accelerations, relative(error, size)])
}

fn relative(error: f64, size: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / size }
}

/// The weights are one for translations and the typical length for rotations.
fn weights(ready: &Ready, length: f64) -> Vec<f64> {
    let mut list = Vec::new();
    for b in &ready.loaded.model.bodies {
        if matches!(b.kind, BodyKind::Rigid { .. }) {
            list.extend([length; 3]);
        }
        list.extend([1.0; 3]);
    }
    list
}

/// The mass matrix from the data of the bodies, in R^3xSO(3).
fn mass_matrix(ready: &Ready) -> DMatrix<f64> {
    let n = ready.state.v.len();
    let mut m = DMatrix::zeros(n, n);
    let mut at = 0;
    for b in &ready.loaded.model.bodies {
        if let BodyKind::Rigid { inertia } = b.kind {
            m.fixed_view_mut::<3, 3>(at, at).copy_from(&inertia);
            at += 3;
        }
        m.fixed_view_mut::<3, 3>(at, at).copy_from(&(Matrix3::identity() * b.mass));
        at += 3;
    }
    m
}

fn solve(ready: &Ready) -> Option<(DVector<f64>, DVector<f64>)> {
    let system = &*ready.built.system;
    let state = &ready.state;
    let (n, m) = (state.v.len(), system.n_lambda());
    let mut force = vec![0.0; n];
    let (no_v, no_l) = (vec![0.0; n], vec![0.0; m]);
    system.residual(&At { vdot: &no_v, lambda: &no_l, ..state.at() }, &mut force);
    let factor = mass_matrix(ready).cholesky()?.l();
    let y_0 = factor.solve_lower_triangular(&-DVector::from_vec(force))?;
    if m == 0 {
        return Some((factor.tr_solve_lower_triangular(&y_0)?, DVector::zeros(0)));
    }
    let (mut b, mut rhs) = (jacobian(ready), -curvature(ready));
    let sizes: Vec<f64> = b.row_iter().map(|row| row.norm()).collect();
    for (i, size) in sizes.iter().enumerate() {
        b.row_mut(i).scale_mut(1.0 / size);
        rhs[i] /= size;
    }
    // The equations are A = B L^-T, A^T = Q R, y = L^T v' = y_0 - A^T lambda, A y = rhs.
    let a_transposed = factor.solve_lower_triangular(&b.transpose())?;
    let values = normalized(&a_transposed).svd(false, false).singular_values;
    if !(values.min() > SINGULAR * values.max()) || m > n {
        return None;
    }
    let qr = a_transposed.qr();
    let (q, r) = (qr.q(), qr.r());
    let z = r.tr_solve_upper_triangular(&rhs)? - q.tr_mul(&y_0);
    let mut lambda = -r.solve_upper_triangular(&z)?;
    let vdot = factor.tr_solve_lower_triangular(&(y_0 + &q * z))?;
    for (l, size) in lambda.iter_mut().zip(&sizes) {
        *l /= size;
    }
    Some((vdot, lambda))
}

/// Scales the columns to unit length.
fn normalized(a: &DMatrix<f64>) -> DMatrix<f64> {
    let mut a = a.clone();
    for mut column in a.column_iter_mut() {
        let size = column.norm();
        column.scale_mut(1.0 / size);
    }
    a
}

/// Computes Phi at q exp(x), t + tau.
fn phi(system: &dyn System, state: &State, x: &[f64], tau: f64) -> DVector<f64> {
    let mut q = state.q.clone();
    system.group().retract(&state.q, x, &mut q);
    let mut out = vec![0.0; system.n_lambda()];
    system.constraint(&At { q: &q, t: state.t + tau, ..state.at() }, &mut out);
    DVector::from_vec(out)
}

fn jacobian(ready: &Ready) -> DMatrix<f64> {
    let (system, state) = (&*ready.built.system, &ready.state);
    let weights = weights(ready, system.length_scale());
    let n = state.v.len();
    let mut b = DMatrix::zeros(system.n_lambda(), n);
    for j in 0..n {
        let h = SPACING * system.length_scale() / weights[j];
        let mut x = vec![0.0; n];
        for (k, w) in FIRST.iter().enumerate().skip(1) {
            for side in [1.0, -1.0] {
                x[j] = side * k as f64 * h;
                b.column_mut(j).axpy(side * w / h, &phi(system, state, &x, 0.0), 1.0);
            }
        }
    }
    b
}

/// The second derivative of Phi along q exp(t v): all terms of the acceleration level except B v'.
fn curvature(ready: &Ready) -> DVector<f64> {
    let (system, state) = (&*ready.built.system, &ready.state);
    let weights = weights(ready, system.length_scale());
    let fastest = state.v.iter().zip(&weights).map(|(v, w)| v.abs() * w).fold(0.0, f64::max);
    let frequency = (fastest / system.length_scale()).max(30.0 / ready.loaded.settings.until);
    let h = SPACING / frequency;
    let mut sum = DVector::zeros(system.n_lambda());
    for (k, w) in SECOND.iter().enumerate() {
        for side in [1.0, -1.0] {
            let tau = side * k as f64 * h;
            let x: Vec<f64> = state.v.iter().map(|v| tau * v).collect();
            // The middle is added twice, so it has half the weight.
            let w = if k == 0 { 0.5 * w } else { *w };
            sum.axpy(w / (h * h), &phi(system, state, &x, tau), 1.0);
        }
    }
    sum
}
