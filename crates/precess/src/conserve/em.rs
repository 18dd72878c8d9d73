//! Energy-momentum schemes: EM (84) of the GGL principle and EM-G of Gonzalez (1999).
//!
//! With m = 1/2 (midpoint), v = M^-1 p at the nodes:
//!
//! ```text
//! q_1 - q_0 = h M^-1 p_m + h M^-1 G(q_m)^T gamma                                    (84a)
//! p_1 - p_0 = -h D^G V(q_0, q_1) - h G(q_m)^T lambda - h S(gamma) M^-1 p_m + h f(t_m, q_m, v_m)    (84b)
//! g(q_1) = 0,    G(q_1) M^-1 p_1 = 0                                                (84d, e)
//! ```
//!
//! EM-G is EM with gamma = 0 and without the last equation.
//!
//! Order 2 in q and p; lambda of the step n -> n+1 is a midpoint value of order 2 at t_n + h/2 (order 1 when read at t_n+1, as
//! in the paper). Kept at round-off: H(q, p), all momentum maps of quadratic invariants and of linear or scalar constraints,
//! g, and for EM also G v. Not symplectic (defect 2.9e-4 for the pendulum at h = 0.05). Forces f without potential are
//! evaluated at the midpoint: H grows by exactly the work h f . (q_1 - q_0)/h that they do.
//!
//! gamma is a pure correction of order h^2. It makes the problem of index 2: at h = 1e-5 lambda of EM has noise 1e-9, that of
//! EM-G 2e-3.

use super::entries as put;
use super::matrix::Matrix;
use super::step::{Layout, Rule, Start, Unknowns, Work};
use super::system::Conservative;

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

fn midpoint(from: &Start, x: &Unknowns, work: &mut Work) {
    for i in 0..x.q.len() {
        work.q[i] = 0.5 * (from.q[i] + x.q[i]);
        work.v[i] = 0.5 * (from.w[i] + x.w[i]);
    }
}

impl Rule for EnergyMomentum {
    fn name(&self) -> &'static str {
        if self.secondary { "em" } else { "em-g" }
    }

    fn order(&self) -> usize {
        2
    }

    fn size(&self) -> (usize, usize) {
        (2, 1 + usize::from(self.secondary))
    }

    fn takes_loads(&self) -> bool {
        true
    }

    fn residual(&self, s: &Conservative, from: &Start, x: &Unknowns, r: &mut [f64], work: &mut Work) {
        let (d, m, h) = (x.q.len(), x.lambda.len(), from.h);
        midpoint(from, x, work);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, rows) = r.split_at_mut(d);
        for i in 0..d {
            work.x[i] = x.q[i] - from.q[i] - h * work.v[i];
        }
        s.add_mass_times(&work.x, 1.0, r_q);
        s.add_gt(&work.q, x.gamma, -h, r_q);
        for i in 0..d {
            work.x[i] = x.w[i] - from.w[i];
        }
        s.add_mass_times(&work.x, 1.0, r_p);
        for term in &s.terms {
            term.discrete_weights(&from.q, x.q, &mut work.s);
            term.add_force(&work.q, h, &work.s, r_p);
        }
        s.add_gt(&work.q, x.lambda, h, r_p);
        s.add_s(x.gamma, &work.v, h, r_p);
        for load in &s.loads {
            load.add(from.t + 0.5 * h, &work.q, &work.v, -h, r_p);
        }
        s.g(x.q, &mut rows[..m]);
        if self.secondary {
            s.gv(x.q, x.w, &mut rows[m..]);
        }
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
        let (lambda, gamma) = (layout.lambda(), layout.gamma());
        midpoint(from, x, work);
        put::mass(s, 1.0, (0, 0), out);
        put::mass(s, -0.5 * h, (0, d), out);
        put::mass(s, 1.0, (d, d), out);
        for term in &s.terms {
            term.discrete_weights(&from.q, x.q, &mut work.s);
            term.each_tangent((&work.q, x.q), 0.5, &mut work.s, |i, j, x| out.add(d + i, j, h * x));
        }
        put::second(s, x.lambda, 0.5 * h, (d, 0), out);
        put::gradient_t(s, &work.q, h, (d, lambda), out);
        put::gradient(s, x.q, 1.0, (lambda, 0), out);
        if self.secondary {
            put::second(s, x.gamma, -0.5 * h, (0, 0), out);
            put::second(s, x.gamma, 0.5 * h, (d, d), out);
            put::gradient_t(s, &work.q, -h, (0, gamma), out);
            put::curvature_t(s, &work.v, h, (d, gamma), out);
            put::curvature(s, x.w, 1.0, (gamma, 0), out);
            put::gradient(s, x.q, 1.0, (gamma, d), out);
        }
        for load in &s.loads {
            // One closure at a time may hold the matrix.
            load.tangents(
                from.t + 0.5 * h,
                &work.q,
                &work.v,
                &mut |i, j, x| out.add(d + i, j, -0.5 * h * x),
                &mut |_, _, _| {},
            );
            load.tangents(from.t + 0.5 * h, &work.q, &work.v, &mut |_, _, _| {}, &mut |i, j, x| {
                out.add(d + i, d + j, -0.5 * h * x)
            });
        }
    }
}
