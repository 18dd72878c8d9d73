//! The theta family of variational integrators: VI-A (79) and VI-B (82).
//!
//! With q_theta = (1 - theta) q_0 + theta q_1, for both options
//!
//! ```text
//! q_1 - q_0 = h v + h M^-1 G(q_theta)^T gamma
//! p_1 - p_0 = -h DV(q_theta) - h L^T lambda - h S(gamma) v
//! G(q_theta) v = 0
//! ```
//!
//! Option A: L = G(q_theta), M v = theta p_0 + (1 - theta) p_1, g(q_theta) = 0. Constraints do not hold at
//! the nodes, except linear ones. Order 2 for theta = 1/2 (`vi-a`); lambda and gamma have a component of
//! period two.
//!
//! **theta in option A.** The paper allows (0, 1). The node q_1 = (q_theta - (1 - theta) q_0)/theta is
//! extrapolated from the point where the constraints hold, so a violation of q_0 is multiplied by -(1 -
//! theta)/theta. p_1 = (M v - theta p_0)/(1 - theta) multiplies an error of the momenta by -theta/(1 -
//! theta). One of these factors exceeds 1 unless theta = 1/2: errors grow by it in every step, whatever h is.
//! Other values are refused unless requested ([`Theta::stable`]). At theta = 1 no equation contains lambda
//! and p_1 separately, and every matrix is singular.
//!
//! Option B: L = (1 - vartheta) G(q_0) + vartheta G(q_1), M v = theta p_0 + (1 - theta) p_1 - h (theta (1 -
//! vartheta) G(q_0) - (1 - theta) vartheta G(q_1))^T lambda, g(q_1) = 0. `vi-b` of the paper (83) is theta =
//! 1, vartheta = 1/2, order 1.
//!
//! **vartheta.** With p^ = p + h vartheta G^T lambda_(n-1) and mu_n = vartheta lambda_(n-1) + (1 - vartheta)
//! lambda_n the scheme in (q, p^, mu) does not contain vartheta. It only changes the splitting of the
//! multipliers, and lambda_n = (mu_n - vartheta lambda_(n-1)) / (1 - vartheta) has the parasitic factor
//! -vartheta/(1 - vartheta). So vartheta = 1 is singular and refused, vartheta > 1/2 grows exponentially
//! (0.6: 48 steps of the pendulum) and causes a warning, vartheta = 1/2 oscillates without end: lambda itself
//! does not converge, but mu does and is reported. p violates the hidden constraints by O(h); for theta = 1
//! the velocity v, which satisfies them, is reported.
//!
//! **Recommended:** option B with theta = vartheta = 1/2. Measured: order 2 in q and p, g exact at the nodes,
//! gamma = 0 identically for quadratic g, and a smaller error in q than VI-A (pendulum 0.164 against 0.286 at
//! t = 10, h = 0.05).
//!
//! All members are symplectic (defect of the one-step map below 4e-11) and keep momentum maps at round-off.

use super::entries::MatrixBlocks;
use super::matrix::Matrix;
use super::step::{Report, Step, StepRule, StepStart, Unknowns, Workspace};
use precess_engine::Error;

/// Position at which the primary constraints are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// At q_theta.
    A,
    /// At the nodes.
    #[default]
    B,
}

impl Variant {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["a", "b"];
}

impl std::str::FromStr for Variant {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "a" | "A" => Ok(Variant::A),
            "b" | "B" => Ok(Variant::B),
            _ => Err(Error::unknown_name("option of vi-theta", name, Self::NAMES)),
        }
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(Self::NAMES[*self as usize])
    }
}

const THETA_0: &str = "theta > 0 in option A: at 0 the constraints are those of the node where the step \
                       begins, and the next node is not constrained";
const THETA_1: &str = "theta < 1 in option A: at 1 the velocity follows from p_0 alone, no equation \
                       determines lambda, and every Newton matrix is \
                       singular; use 1/2, or option B";
const VARTHETA_1: &str = "vartheta < 1: at 1 the multiplier of the new node is not determined and every \
                          Newton matrix is singular (the paper \
                          allows it by mistake); values up to 1/2 are usable";
const UNSTABLE: &str = "theta = 1/2 in option A: with any other theta errors grow in every step by the \
                        larger of theta/(1 - theta) and \
                        (1 - theta)/theta, whatever the step size is; use 1/2, or option B, or ask for it \
                        with allow_unstable = true";

/// A member of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theta {
    variant: Variant,
    theta: f64,
    vartheta: f64,
    name: &'static str,
}

impl Theta {
    /// Any member. `vartheta` is not used in option A.
    pub fn new(variant: Variant, theta: f64, vartheta: f64) -> Result<Self, Error> {
        let refuse = |name, value, expected| Err(Error::Parameter { name, value, expected });
        if !(0.0..=1.0).contains(&theta) {
            return refuse("theta", theta, "theta lies in [0, 1]");
        }
        match variant {
            Variant::A if theta == 0.0 => refuse("theta", theta, THETA_0),
            Variant::A if theta == 1.0 => refuse("theta", theta, THETA_1),
            Variant::B if vartheta == 1.0 => refuse("vartheta", vartheta, VARTHETA_1),
            Variant::B if !(0.0..1.0).contains(&vartheta) => {
                refuse("vartheta", vartheta, "vartheta lies in [0, 1); values up to 1/2 are usable")
            }
            _ => Ok(Theta { variant, theta, vartheta, name: "vi-theta" }),
        }
    }

    /// The factor by which errors grow per step: in option A those of nodes and momenta, in option B those of
    /// multipliers.
    pub fn growth(&self) -> f64 {
        let ratio = |x: f64| x / (1.0 - x);
        match self.variant {
            Variant::A => ratio(self.theta).max(1.0 / ratio(self.theta)),
            Variant::B => ratio(self.vartheta).max(1.0),
        }
    }

    /// The same rule; an error if it belongs to option A and its errors grow.
    pub fn stable(self) -> Result<Self, Error> {
        if self.variant == Variant::B || self.theta == 0.5 {
            return Ok(self);
        }
        Err(Error::Parameter { name: "theta", value: self.theta, expected: UNSTABLE })
    }

    /// `vi-a` (79), theta = 1/2.
    pub const VI_A: Self = Theta { variant: Variant::A, theta: 0.5, vartheta: 0.5, name: "vi-a" };
    /// `vi-b` (83), theta = 1 and vartheta = 1/2.
    pub const VI_B: Self = Theta { variant: Variant::B, theta: 1.0, vartheta: 0.5, name: "vi-b" };
    /// The recommended member: option B at the midpoint.
    pub const MIDPOINT: Self = Theta { variant: Variant::B, theta: 0.5, vartheta: 0.5, name: "vi-theta" };

    fn set_positions(&self, from: &StepStart, x: &Unknowns, work: &mut Workspace) {
        for i in 0..x.q.len() {
            work.q[i] = (1.0 - self.theta) * from.q[i] + self.theta * x.q[i];
        }
    }
}

impl StepRule for Theta {
    fn name(&self) -> &'static str {
        self.name
    }

    fn order(&self) -> usize {
        let midpoint = self.theta == 0.5 && (self.variant == Variant::A || self.vartheta == 0.5);
        1 + usize::from(midpoint)
    }

    fn n_unknowns(&self) -> (usize, usize) {
        (3, 2)
    }

    fn takes_loads(&self) -> bool {
        false
    }

    fn report(&self) -> Report {
        match self.variant {
            Variant::A => Report::Momentum,
            Variant::B if self.theta == 1.0 => Report::Velocity(self.vartheta),
            Variant::B => Report::Averaged(self.vartheta),
        }
    }

    fn warning(&self) -> Option<String> {
        if self.variant == Variant::A && self.theta != 0.5 {
            return Some(format!(
                "theta = {} in option A: errors grow by the factor {:.3} in every step, whatever the step \
                 size is",
                self.theta,
                self.growth()
            ));
        }
        (self.variant == Variant::B && self.vartheta > 0.5).then(|| {
            format!(
                "vartheta = {} is above 1/2: errors of the multipliers grow by the factor {:.3} per step \
                 until the step fails; \
                 positions do not depend on vartheta, use vartheta <= 1/2",
                self.vartheta,
                self.growth()
            )
        })
    }

    fn residual(&self, step: &Step, r: &mut [f64], work: &mut Workspace) {
        let Step { system: s, from, x, layout } = step;
        let (d, m, h) = (layout.d, layout.m, from.h);
        let (theta, vartheta) = (self.theta, self.vartheta);
        self.set_positions(from, x, work);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, r) = r.split_at_mut(d);
        let (r_v, rows) = r.split_at_mut(d);
        s.add_mass_times(|j| x.q[j] - from.q[j] - h * x.v[j], r_q);
        s.add_gt(&work.q, x.gamma, -h, r_q);
        s.add_mass_times(|j| x.w[j] - from.w[j], r_p);
        s.add_gradient(&work.q, h, &mut work.s, r_p);
        s.add_s(&work.q, x.gamma, x.v, h, r_p);
        s.add_mass_times(|j| x.v[j] - theta * from.w[j] - (1.0 - theta) * x.w[j], r_v);
        match self.variant {
            Variant::A => {
                s.add_gt(&work.q, x.lambda, h, r_p);
                s.g(&work.q, &mut rows[..m]);
            }
            Variant::B => {
                s.add_gt(&from.q, x.lambda, h * (1.0 - vartheta), r_p);
                s.add_gt(x.q, x.lambda, h * vartheta, r_p);
                s.add_gt(&from.q, x.lambda, h * theta * (1.0 - vartheta), r_v);
                s.add_gt(x.q, x.lambda, -h * (1.0 - theta) * vartheta, r_v);
                s.g(x.q, &mut rows[..m]);
            }
        }
        s.gv(&work.q, x.v, &mut rows[m..]);
    }

    fn jacobian(&self, step: &Step, out: &mut Matrix, work: &mut Workspace) {
        let Step { system, from, x, layout } = step;
        let (d, h) = (layout.d, from.h);
        let (theta, vartheta) = (self.theta, self.vartheta);
        let (v, lambda, gamma) = (layout.v(), layout.lambda(), layout.gamma());
        self.set_positions(from, x, work);
        let mut put = MatrixBlocks { system, out };
        put.mass(1.0, (0, 0));
        put.second(&work.q, x.gamma, -h * theta, (0, 0));
        put.mass(-h, (0, v));
        put.gradient_t(&work.q, -h, (0, gamma));

        put.stiffness(&work.q, h * theta, (d, 0), &mut work.s);
        put.third(&work.q, x.gamma, x.v, h * theta, (d, 0));
        put.mass(1.0, (d, d));
        put.second(&work.q, x.gamma, h, (d, v));
        put.curvature_t(&work.q, x.v, h, (d, gamma));

        put.mass(theta - 1.0, (v, d));
        put.mass(1.0, (v, v));
        match self.variant {
            Variant::A => {
                put.second(&work.q, x.lambda, h * theta, (d, 0));
                put.gradient_t(&work.q, h, (d, lambda));
                put.gradient(&work.q, theta, (lambda, 0));
            }
            Variant::B => {
                put.second(x.q, x.lambda, h * vartheta, (d, 0));
                put.gradient_t(&from.q, h * (1.0 - vartheta), (d, lambda));
                put.gradient_t(x.q, h * vartheta, (d, lambda));
                put.second(x.q, x.lambda, -h * (1.0 - theta) * vartheta, (v, 0));
                put.gradient_t(&from.q, h * theta * (1.0 - vartheta), (v, lambda));
                put.gradient_t(x.q, -h * (1.0 - theta) * vartheta, (v, lambda));
                put.gradient(x.q, 1.0, (lambda, 0));
            }
        }
        put.curvature(&work.q, x.v, theta, (gamma, 0));
        put.gradient(&work.q, 1.0, (gamma, v));
    }
}
