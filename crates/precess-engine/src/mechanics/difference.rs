//! Difference quotients for derivatives that a system does not provide. All are central differences;
//! directions in q are taken along the group, q o exp(eps w).

use nalgebra::DVectorView;

use super::system::{At, System};
use super::tangents::Tangents;

/// Step of first differences: eps^(1/3), where truncation and round-off of a central quotient balance.
const STEP: f64 = 6e-6;
/// Step of the fourth-order quotient at velocity level, eps^(1/5) with a margin for constraints that change
/// fast in time. Its noise divided by h enters the accelerations of every step, so it must be far below that
/// of `STEP`.
const INNER_STEP: f64 = 3e-4;
/// Step of the fourth-order quotient at acceleration level: large enough to survive the round-off of an
/// inner difference quotient, small enough for a truncation error of 1e-12.
const OUTER_STEP: f64 = 1e-3;

/// B v + Phi_t as the derivative of Phi along t -> q o exp(tau v).
pub fn velocity_constraint<S: System + ?Sized>(system: &S, at: &At, out: &mut [f64]) {
    let step = INNER_STEP / (1.0 + norm(at.v));
    let mut wide = vec![0.0; out.len()];
    for (step, out) in [(step, &mut *out), (2.0 * step, &mut wide[..])] {
        along(system.group(), at.q, at.v, step, out, |tau, q, out| {
            system.constraint(&At { t: at.t + tau, q, ..*at }, out)
        });
    }
    extrapolate(out, &wide);
}

/// B v' + Z(v,v) + 2 B_t v + Phi_tt as the derivative of [`System::velocity_constraint`] along the motion.
pub fn acceleration_constraint<S: System + ?Sized>(system: &S, at: &At, out: &mut [f64]) {
    let step = OUTER_STEP / (1.0 + norm(at.v));
    let mut v_tau = at.v.to_vec();
    let mut wide = vec![0.0; out.len()];
    let mut quotient = |step: f64, out: &mut [f64]| {
        along(system.group(), at.q, at.v, step, out, |tau, q, out| {
            for ((x, v), a) in v_tau.iter_mut().zip(at.v).zip(at.vdot) {
                *x = v + tau * a;
            }
            system.velocity_constraint(&At { t: at.t + tau, q, v: &v_tau, ..*at }, out);
        });
    };
    quotient(step, out);
    quotient(2.0 * step, &mut wide);
    extrapolate(out, &wide);
}

/// Fourth order from central quotients with steps 1 and 2.
fn extrapolate(out: &mut [f64], wide: &[f64]) {
    for (o, w) in out.iter_mut().zip(wide) {
        *o += (*o - w) / 3.0;
    }
}

/// All tangents that a scheme wants, column by column. M and B are linear parts: their quotients are exact to
/// round-off.
pub fn tangents<S: System + ?Sized>(system: &S, at: &At, out: &mut Tangents) {
    let group = system.group();
    let (k, m, n_s) = (group.dim(), system.n_lambda(), system.n_s());
    let want = out.want();
    let mut up = vec![0.0; k];
    let mut down = vec![0.0; k];
    let mut rows_up = vec![0.0; m];
    let mut rows_down = vec![0.0; m];
    let mut alg_up = vec![0.0; n_s];
    let mut work = at.vdot.to_vec();

    for j in 0..k {
        if want.c_m != 0.0 {
            let step = 1.0 + at.vdot[j].abs();
            central(&mut work, j, at.vdot[j], step, &mut up, &mut down, |vdot, r| {
                system.residual(&At { vdot, ..*at }, r)
            });
            out.mass(0, j, &column(&up, k));
        }
    }
    work.copy_from_slice(at.v);
    for j in 0..k {
        if want.c_d != 0.0 {
            let step = STEP * (1.0 + at.v[j].abs());
            central(&mut work, j, at.v[j], step, &mut up, &mut down, |v, r| {
                system.residual(&At { v, ..*at }, r)
            });
            out.damping(0, j, &column(&up, k));
        }
        if want.constraint {
            let step = 1.0 + at.v[j].abs();
            central(&mut work, j, at.v[j], step, &mut rows_up, &mut rows_down, |v, out| {
                system.velocity_constraint(&At { v, ..*at }, out)
            });
            out.constraint(0, j, &column(&rows_up, m));
        }
    }

    let mut direction = vec![0.0; k];
    for j in 0..k {
        direction[j] = 1.0;
        if want.stiffness {
            along(group, at.q, &direction, STEP, &mut up, |_, q, r| system.residual(&At { q, ..*at }, r));
            out.stiffness(0, j, &column(&up, k));
        }
        if want.curvature {
            along(group, at.q, &direction, STEP, &mut rows_up, |_, q, out| {
                system.velocity_constraint(&At { q, ..*at }, out)
            });
            out.curvature(0, j, &column(&rows_up, m));
        }
        if n_s > 0 {
            along(group, at.q, &direction, STEP, &mut alg_up, |_, q, out| {
                system.algebraic(&At { q, ..*at }, out)
            });
            out.algebraic_of_q(0, j, &column(&alg_up, n_s));
        }
        direction[j] = 0.0;
    }

    if want.constraint {
        friction(system, at, out);
    }
    algebraic(system, at, out);
}

/// Derivatives by lambda beyond B^T: friction that reads joint forces.
fn friction<S: System + ?Sized>(system: &S, at: &At, out: &mut Tangents) {
    let (k, m) = (system.group().dim(), system.n_lambda());
    let (mut up, mut down) = (vec![0.0; k], vec![0.0; k]);
    let mut lambda = at.lambda.to_vec();
    for j in 0..m {
        let step = STEP * (1.0 + at.lambda[j].abs());
        central(&mut lambda, j, at.lambda[j], step, &mut up, &mut down, |lambda, r| {
            system.residual(&At { lambda, ..*at }, r)
        });
        let mut row = 0.0_f64;
        for (i, x) in up.iter_mut().enumerate() {
            let b = out.b.get(j, i);
            row = row.hypot(b);
            *x -= b;
        }
        // The difference after subtracting B^T lambda is noise.
        let noise = 1e-6 * row + 4.0 * f64::EPSILON * norm(&down) / step;
        if norm(&up) > noise {
            out.friction(0, j, &column(&up, k));
        }
    }
}

/// Derivatives by the algebraic variables s.
fn algebraic<S: System + ?Sized>(system: &S, at: &At, out: &mut Tangents) {
    let (k, n_s) = (system.group().dim(), system.n_s());
    let (mut up, mut down) = (vec![0.0; k], vec![0.0; k]);
    let (mut alg_up, mut alg_down) = (vec![0.0; n_s], vec![0.0; n_s]);
    let mut s = at.s.to_vec();
    for j in 0..n_s {
        let step = STEP * (1.0 + at.s[j].abs());
        central(&mut s, j, at.s[j], step, &mut up, &mut down, |s, r| system.residual(&At { s, ..*at }, r));
        out.force_of_s(0, j, &column(&up, k));
        central(&mut s, j, at.s[j], step, &mut alg_up, &mut alg_down, |s, out| {
            system.algebraic(&At { s, ..*at }, out)
        });
        out.algebraic_of_s(0, j, &column(&alg_up, n_s));
    }
}

/// Writes (f(x + step e_j) - f(x - step e_j)) / (2 step) to `up`; restores `x`.
fn central(
    x: &mut [f64],
    j: usize,
    x_j: f64,
    step: f64,
    up: &mut [f64],
    down: &mut [f64],
    mut f: impl FnMut(&[f64], &mut [f64]),
) {
    x[j] = x_j + step;
    f(x, up);
    x[j] = x_j - step;
    f(x, down);
    x[j] = x_j;
    for (u, d) in up.iter_mut().zip(down) {
        *u = (*u - *d) / (2.0 * step);
    }
}

/// Derivative of f(tau, q o exp(tau w)) at tau = 0.
fn along(
    group: &precess_lie::Product,
    q: &[f64],
    w: &[f64],
    step: f64,
    out: &mut [f64],
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
) {
    let mut x = vec![0.0; w.len()];
    let mut q_tau = vec![0.0; q.len()];
    let mut down = vec![0.0; out.len()];
    let mut eval = |tau: f64, out: &mut [f64]| {
        for (x, w) in x.iter_mut().zip(w) {
            *x = tau * w;
        }
        group.retract(q, &x, &mut q_tau);
        f(tau, &q_tau, out);
    };
    eval(step, out);
    eval(-step, &mut down);
    for (o, d) in out.iter_mut().zip(down) {
        *o = (*o - d) / (2.0 * step);
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn column(x: &[f64], n: usize) -> DVectorView<'_, f64> {
    DVectorView::from_slice(x, n)
}
