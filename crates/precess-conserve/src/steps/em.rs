//! Energy-momentum schemes: EM (84) of the GGL principle and EM-G of Gonzalez (1999).
//!
//! With m = 1/2 (midpoint), v = M^-1 p at the nodes:
//!
//! ```text
//! q_1 - q_0 = h M^-1 p_m + h M^-1 D_w^T gamma                                       (84a)
//! p_1 - p_0 = -h D^G V(q_0, q_1) - h (D^G g)^T lambda - h D_q^T gamma + h f(t_m, q_m, v_m)     (84b)
//! g(q_1) = 0,    G(q_1) M^-1 p_1 = 0                                                (84d, e)
//! ```
//!
//! D^G g = D_w = G(q_m) and D_q^T gamma = S(gamma) M^-1 p_m for quadratic g; see
//! [`constraint`](crate::conservative::constraint) for others.
//!
//! EM-G is EM with gamma = 0 and without the last equation.
//!
//! Order 2 in q and p; lambda of the step n -> n+1 is a midpoint value of order 2 at t_n + h/2 (order 1 when
//! read at t_n+1, as in the paper). Kept at round-off: H(q, p), all momentum maps of quadratic invariants and
//! of linear or scalar constraints, g, and for EM also G v. Not symplectic (defect 2.9e-4 for the pendulum at
//! h = 0.05). Forces f without potential are evaluated at the midpoint: H grows by exactly their work h f .
//! (q_1 - q_0)/h.
//!
//! gamma is a pure correction of order h^2. It makes the problem of index 2: at h = 1e-5 lambda of EM has
//! noise 1e-9, that of EM-G 2e-3.

use super::entries::MatrixBlocks;
use super::matrix::Matrix;
use super::step::{Step, StepRule, StepStart, Unknowns, Workspace};
use crate::conservative::constraint::StepEnds;

/// The rule of EM, or of EM-G.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnergyMomentum {
    /// True for EM: the secondary constraints are enforced.
    pub secondary: bool,
}

impl EnergyMomentum {
    /// EM (84).
    pub const EM: Self = EnergyMomentum { secondary: true };
    /// EM-G.
    pub const EM_G: Self = EnergyMomentum { secondary: false };
}

/// The step for discrete derivatives, with its midpoint.
fn between<'a>(from: &'a StepStart, x: &Unknowns<'a>, q_m: &'a [f64], w_m: &'a [f64]) -> StepEnds<'a> {
    StepEnds { q: [&from.q, x.q], w: [&from.w, x.w], middle: (q_m, w_m) }
}

fn midpoint(from: &StepStart, x: &Unknowns, work: &mut Workspace) {
    for i in 0..x.q.len() {
        work.q[i] = 0.5 * (from.q[i] + x.q[i]);
        work.v[i] = 0.5 * (from.w[i] + x.w[i]);
    }
}

impl StepRule for EnergyMomentum {
    fn name(&self) -> &'static str {
        if self.secondary { "em" } else { "em-g" }
    }

    fn order(&self) -> usize {
        2
    }

    fn n_unknowns(&self) -> (usize, usize) {
        (2, 1 + usize::from(self.secondary))
    }

    fn takes_loads(&self) -> bool {
        true
    }

    fn residual(&self, step: &Step, r: &mut [f64], work: &mut Workspace) {
        let Step { system: s, from, x, layout } = step;
        let (d, m, h) = (layout.d, layout.m, from.h);
        midpoint(from, x, work);
        let at = between(from, x, &work.q, &work.v);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, rows) = r.split_at_mut(d);
        s.add_mass_times(|j| x.q[j] - from.q[j] - h * at.middle.1[j], r_q);
        s.add_mass_times(|j| x.w[j] - from.w[j], r_p);
        for term in &s.terms {
            term.discrete_weights(&from.q, x.q, &mut work.s);
            term.add_force(at.middle.0, h, &work.s, r_p);
        }
        for (c, l) in s.constraints.iter().zip(x.lambda) {
            c.g.each_discrete(&at, |i, a| r_p[i] += h * l * a);
        }
        for (c, y) in s.constraints.iter().zip(x.gamma) {
            c.g.each_by_w(&at, |i, a| r_q[i] -= h * y * a);
            c.g.each_by_q(&at, |i, a| r_p[i] += h * y * a);
        }
        for load in &s.loads {
            load.add(from.t + 0.5 * h, at.middle.0, at.middle.1, -h, r_p);
        }
        s.g(x.q, &mut rows[..m]);
        if self.secondary {
            s.gv(x.q, x.w, &mut rows[m..]);
        }
    }

    fn jacobian(&self, step: &Step, out: &mut Matrix, work: &mut Workspace) {
        let Step { system: s, from, x, layout } = step;
        let (d, h) = (layout.d, from.h);
        let (lambda, gamma) = (layout.lambda(), layout.gamma());
        midpoint(from, x, work);
        let at = between(from, x, &work.q, &work.v);
        let mut put = MatrixBlocks { system: s, out };
        put.mass(1.0, (0, 0));
        put.mass(-0.5 * h, (0, d));
        put.mass(1.0, (d, d));
        put.discrete_stiffness(&at, h, (d, 0), &mut work.s);
        put.discrete_gradient(&at, x.lambda, h, d, (0, lambda));
        put.gradient(x.q, 1.0, (lambda, 0));
        if self.secondary {
            put.by_w(&at, x.gamma, -h, 0, (0, gamma));
            put.by_q(&at, x.gamma, h, d, [0, d, gamma]);
            put.curvature(x.q, x.w, 1.0, (gamma, 0));
            put.gradient(x.q, 1.0, (gamma, d));
        }
        for load in &s.loads {
            put.load(load.as_ref(), (from.t + 0.5 * h, at.middle.0, at.middle.1), -0.5 * h, (d, 0), (d, d));
        }
    }
}
