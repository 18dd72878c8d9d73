//! VI-S (55): the variational integrator from the symplectic Euler discretisation of the GGL functional.
//!
//! With q' = q_0 + h v_0:
//!
//! ```text
//! q_1 - q_0 = h v_0 + h M^-1 G(q')^T gamma_1                       S(gamma) = sum of gamma_k D^2 g_k(q')
//! p_1 - p_0 = -h DV(q_0) - h G(q_0)^T lambda_0 - h S(gamma_1) M^-1 p_1
//! M v_0 = p_1 + h S(gamma_1) M^-1 p_1
//! g(q_1) = 0,    G(q') M^-1 p_1 = 0
//! ```
//!
//! Symplectic, order 1, keeps momentum maps at round-off; the energy oscillates. lambda belongs to t_n. The
//! secondary constraint holds exactly if it is linear or if q' is parallel to q_1 (pendulum); in the
//! directors of a top the internal ones are violated (0.374 at h = 2e-3).

use super::entries::MatrixBlocks;
use super::matrix::Matrix;
use super::step::{Step, StepRule, StepStart, Unknowns, Workspace};

/// The rule of VI-S.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViS;

fn set_positions(from: &StepStart, x: &Unknowns, work: &mut Workspace) {
    for i in 0..x.q.len() {
        work.q[i] = from.q[i] + from.h * x.v[i];
    }
}

impl StepRule for ViS {
    fn name(&self) -> &'static str {
        "vi-s"
    }

    fn order(&self) -> usize {
        1
    }

    fn n_unknowns(&self) -> (usize, usize) {
        (3, 2)
    }

    fn takes_loads(&self) -> bool {
        false
    }

    fn velocity_at_start(&self) -> bool {
        true
    }

    fn residual(&self, step: &Step, r: &mut [f64], work: &mut Workspace) {
        let Step { system: s, from, x, layout } = step;
        let (d, m, h) = (layout.d, layout.m, from.h);
        set_positions(from, x, work);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, r) = r.split_at_mut(d);
        let (r_v, rows) = r.split_at_mut(d);
        s.add_mass_times(|j| x.q[j] - from.q[j] - h * x.v[j], r_q);
        s.add_gt(&work.q, x.gamma, -h, r_q);
        s.add_mass_times(|j| x.w[j] - from.w[j], r_p);
        s.add_gradient(&from.q, h, &mut work.s, r_p);
        s.add_gt(&from.q, x.lambda, h, r_p);
        s.add_s(&work.q, x.gamma, x.w, h, r_p);
        s.add_mass_times(|j| x.v[j] - x.w[j], r_v);
        s.add_s(&work.q, x.gamma, x.w, -h, r_v);
        s.g(x.q, &mut rows[..m]);
        s.gv(&work.q, x.w, &mut rows[m..]);
    }

    fn jacobian(&self, step: &Step, out: &mut Matrix, work: &mut Workspace) {
        let Step { system, from, x, layout } = step;
        let (d, h) = (layout.d, from.h);
        let (v, lambda, gamma) = (layout.v(), layout.lambda(), layout.gamma());
        set_positions(from, x, work);
        let mut put = MatrixBlocks { system, out };
        put.mass(1.0, (0, 0));
        put.mass(-h, (0, v));
        put.second(&work.q, x.gamma, -h * h, (0, v));
        put.gradient_t(&work.q, -h, (0, gamma));

        put.mass(1.0, (d, d));
        put.second(&work.q, x.gamma, h, (d, d));
        put.third(&work.q, x.gamma, x.w, h * h, (d, v));
        put.gradient_t(&from.q, h, (d, lambda));
        put.curvature_t(&work.q, x.w, h, (d, gamma));

        put.mass(1.0, (v, v));
        put.mass(-1.0, (v, d));
        put.second(&work.q, x.gamma, -h, (v, d));
        put.third(&work.q, x.gamma, x.w, -h * h, (v, v));
        put.curvature_t(&work.q, x.w, -h, (v, gamma));

        put.gradient(x.q, 1.0, (lambda, 0));
        put.curvature(&work.q, x.w, h, (gamma, v));
        put.gradient(&work.q, 1.0, (gamma, d));
    }
}
