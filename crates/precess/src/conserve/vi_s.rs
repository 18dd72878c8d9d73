//! VI-S (55): the variational integrator from the symplectic Euler discretisation of the GGL functional.
//!
//! With q' = q_0 + h v_0:
//!
//! ```text
//! q_1 - q_0 = h v_0 + h M^-1 G(q')^T gamma_1
//! p_1 - p_0 = -h DV(q_0) - h G(q_0)^T lambda_0 - h S(gamma_1) M^-1 p_1
//! M v_0 = p_1 + h S(gamma_1) M^-1 p_1
//! g(q_1) = 0,    G(q') M^-1 p_1 = 0
//! ```
//!
//! Symplectic, order 1, keeps momentum maps at round-off; the energy oscillates. lambda belongs to t_n. The secondary
//! constraint holds exactly where it is linear or where q' is parallel to q_1 (pendulum); in the directors of a top the
//! internal ones are violated (0.374 at h = 2e-3).

use super::entries as put;
use super::matrix::Matrix;
use super::step::{Layout, Rule, Start, Unknowns, Work};
use super::system::Conservative;

/// The rule of VI-S.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViS;

fn place(from: &Start, x: &Unknowns, work: &mut Work) {
    for i in 0..x.q.len() {
        work.q[i] = from.q[i] + from.h * x.v[i];
    }
}

impl Rule for ViS {
    fn name(&self) -> &'static str {
        "vi-s"
    }

    fn order(&self) -> usize {
        1
    }

    fn size(&self) -> (usize, usize) {
        (3, 2)
    }

    fn takes_loads(&self) -> bool {
        false
    }

    fn residual(&self, s: &Conservative, from: &Start, x: &Unknowns, r: &mut [f64], work: &mut Work) {
        let (d, m, h) = (x.q.len(), x.lambda.len(), from.h);
        place(from, x, work);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, r) = r.split_at_mut(d);
        let (r_v, rows) = r.split_at_mut(d);
        for i in 0..d {
            work.x[i] = x.q[i] - from.q[i] - h * x.v[i];
        }
        s.add_mass_times(&work.x, 1.0, r_q);
        s.add_gt(&work.q, x.gamma, -h, r_q);
        for i in 0..d {
            work.x[i] = x.w[i] - from.w[i];
        }
        s.add_mass_times(&work.x, 1.0, r_p);
        s.add_gradient(&from.q, h, &mut work.s, r_p);
        s.add_gt(&from.q, x.lambda, h, r_p);
        s.add_s(x.gamma, x.w, h, r_p);
        for i in 0..d {
            work.x[i] = x.v[i] - x.w[i];
        }
        s.add_mass_times(&work.x, 1.0, r_v);
        s.add_s(x.gamma, x.w, -h, r_v);
        s.g(x.q, &mut rows[..m]);
        s.gv(&work.q, x.w, &mut rows[m..]);
    }

    fn jacobian(
        &self,
        s: &Conservative,
        from: &Start,
        x: &Unknowns,
        layout: &Layout,
        out: &mut Matrix,
        work: &mut Work,
    ) {
        let (d, h) = (layout.d, from.h);
        let (v, lambda, gamma) = (layout.v(), layout.lambda(), layout.gamma());
        place(from, x, work);
        put::mass(s, 1.0, (0, 0), out);
        put::mass(s, -h, (0, v), out);
        put::second(s, x.gamma, -h * h, (0, v), out);
        put::gradient_t(s, &work.q, -h, (0, gamma), out);

        put::mass(s, 1.0, (d, d), out);
        put::second(s, x.gamma, h, (d, d), out);
        put::gradient_t(s, &from.q, h, (d, lambda), out);
        put::curvature_t(s, x.w, h, (d, gamma), out);

        put::mass(s, 1.0, (v, v), out);
        put::mass(s, -1.0, (v, d), out);
        put::second(s, x.gamma, -h, (v, d), out);
        put::curvature_t(s, x.w, -h, (v, gamma), out);

        put::gradient(s, x.q, 1.0, (lambda, 0), out);
        put::curvature(s, x.w, h, (gamma, v), out);
        put::gradient(s, &work.q, 1.0, (gamma, d), out);
    }
}
