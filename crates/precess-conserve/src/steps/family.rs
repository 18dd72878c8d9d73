//! The whole family (62) of variational integrators: any quadrature for each of its three discrete functions.
//!
//! ```text
//! L_d = h sum_i b_i L(q_(x_i), v),   G_d = h sum_j w_j G(q_(y_j)),   g_d = h sum_k c_k g(q_(z_k))
//! ```
//!
//! with q_x = (1 - x) q_0 + x q_1 and weights that sum up to one. (62) becomes, with S(gamma) = sum of
//! gamma_k D^2 g_k,
//!
//! ```text
//! q_1 - q_0 = h v + h M^-1 sum_j w_j G(q_(y_j))^T gamma
//! p_1 - p_0 = -h sum_i b_i DV(q_(x_i)) - h sum_k c_k G(q_(z_k))^T lambda - h sum_j w_j S_j(gamma) v
//! M v       = p_1 + h sum_i b_i x_i DV(q_(x_i)) + h sum_k c_k z_k G(q_(z_k))^T lambda
//!             + h sum_j w_j y_j S_j(gamma) v
//! sum_k c_k g(q_(z_k)) = 0,   sum_j w_j G(q_(y_j)) v = 0
//! ```
//!
//! One node for all three is option A, nodes 0 and 1 in g_d are option B ([`theta`](super::theta)): members
//! of the theta family, written in another way. Every member is symplectic and keeps momentum maps (A.7).
//! Quadratures that are symmetric about 1/2 have order 2.
//!
//! **Stability at the nodes.** A constraint sum_k c_k g(q_(z_k)) = 0 determines q_1 from q_0: for linear g an
//! error e_0 becomes e_1 = -(1 - z) e_0 / z with the mean z = sum_k c_k z_k, and one of the multipliers or
//! momenta gets the inverse factor. So z must be 1/2, or g_d must use the nodes 0 and 1. Other means are
//! refused unless requested, as in option A.

use super::entries::MatrixBlocks;
use super::matrix::Matrix;
use super::step::{Report, Step, StepRule, StepStart, Unknowns, Workspace};
use precess_engine::Error;

/// Largest number of nodes of a quadrature.
pub const MAX_NODES: usize = 4;

/// Nodes in [0, 1] with weights that sum up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadrature {
    n: usize,
    nodes: [(f64, f64); MAX_NODES],
}

impl Quadrature {
    /// The midpoint.
    pub const MIDPOINT: Self = Quadrature { n: 1, nodes: [(1.0, 0.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)] };
    /// Both ends.
    pub const TRAPEZOIDAL: Self =
        Quadrature { n: 2, nodes: [(0.5, 0.0), (0.5, 1.0), (0.0, 0.0), (0.0, 0.0)] };
    /// Names of quadratures.
    pub const NAMES: [&'static str; 4] = ["midpoint", "trapezoidal", "simpson", "gauss"];

    /// From pairs of a weight and a node.
    pub fn new(name: &'static str, pairs: &[(f64, f64)]) -> Result<Self, Error> {
        let refuse = |value: f64, expected| Err(Error::Parameter { name, value, expected });
        if pairs.is_empty() || pairs.len() > MAX_NODES {
            return refuse(pairs.len() as f64, "one to four pairs of a weight and a node");
        }
        if let Some(x) = pairs.iter().map(|p| p.1).find(|x| !(0.0..=1.0).contains(x)) {
            return refuse(x, "nodes between 0, the beginning of a step, and 1, its end");
        }
        let sum: f64 = pairs.iter().map(|p| p.0).sum();
        if !((sum - 1.0).abs() <= 1e-12) {
            return refuse(sum, "weights that sum up to 1");
        }
        let mut nodes = [(0.0, 0.0); MAX_NODES];
        nodes[..pairs.len()].copy_from_slice(pairs);
        Ok(Quadrature { n: pairs.len(), nodes })
    }

    fn nodes(&self) -> &[(f64, f64)] {
        &self.nodes[..self.n]
    }

    /// The mean of the nodes.
    fn mean(&self) -> f64 {
        self.nodes().iter().map(|(w, x)| w * x).sum()
    }

    /// True for the two ends of a step.
    fn is_ends(&self) -> bool {
        self.nodes().iter().all(|(w, x)| *w == 0.0 || *x == 0.0 || *x == 1.0)
    }
}

impl std::str::FromStr for Quadrature {
    type Err = Error;

    /// By name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let third = 1.0 / 3.0_f64;
        let gauss = 0.5 - third.sqrt() / 2.0;
        match name {
            "midpoint" => Ok(Self::MIDPOINT),
            "trapezoidal" => Ok(Self::TRAPEZOIDAL),
            "simpson" => {
                Self::new("quadrature", &[(third / 2.0, 0.0), (2.0 * third, 0.5), (third / 2.0, 1.0)])
            }
            "gauss" => Self::new("quadrature", &[(0.5, gauss), (0.5, 1.0 - gauss)]),
            _ => Err(Error::unknown_name("quadrature", name, Self::NAMES)),
        }
    }
}

const UNSTABLE: &str = "a mean of the nodes of g_d of 1/2, or the nodes 0 and 1 alone: otherwise errors \
                        grow in every step by the larger of \
                        z/(1 - z) and (1 - z)/z with the mean z, whatever the step size is; or ask for it \
                        with allow_unstable = true";

/// A member of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    lagrangian: Quadrature,
    velocity: Quadrature,
    position: Quadrature,
}

impl Default for Family {
    /// Order 2 with constraints that hold at the nodes.
    fn default() -> Self {
        Family {
            lagrangian: Quadrature::MIDPOINT,
            velocity: Quadrature::MIDPOINT,
            position: Quadrature::TRAPEZOIDAL,
        }
    }
}

impl Family {
    /// A member with quadratures for L_d, G_d and g_d.
    pub fn new(lagrangian: Quadrature, velocity: Quadrature, position: Quadrature) -> Result<Self, Error> {
        let z = position.mean();
        let refuse = |expected| Err(Error::Parameter { name: "position_quadrature", value: z, expected });
        if z == 0.0 {
            return refuse(
                "a node of g_d after the beginning of a step: otherwise its end is not constrained",
            );
        }
        if z == 1.0 {
            return refuse(
                "a node of g_d before the end of a step: at the end alone the multipliers are not determined",
            );
        }
        Ok(Family { lagrangian, velocity, position })
    }

    /// The same member; an error if its errors grow in every step.
    pub fn stable(self) -> Result<Self, Error> {
        let z = self.position.mean();
        if (z - 0.5).abs() <= 1e-12 || (self.position.is_ends() && z < 0.5) {
            return Ok(self);
        }
        Err(Error::Parameter { name: "position_quadrature", value: z, expected: UNSTABLE })
    }

    /// The factor by which errors grow in every step.
    fn growth(&self) -> f64 {
        let z = self.position.mean();
        if self.position.is_ends() { z / (1.0 - z) } else { (z / (1.0 - z)).max((1.0 - z) / z) }
    }

    fn set_positions(x: f64, from: &StepStart, u: &Unknowns, work: &mut Workspace) {
        for i in 0..u.q.len() {
            work.q[i] = (1.0 - x) * from.q[i] + x * u.q[i];
        }
    }
}

impl StepRule for Family {
    fn name(&self) -> &'static str {
        "vi-family"
    }

    /// 2 if all quadratures are symmetric.
    fn order(&self) -> usize {
        let all = [&self.lagrangian, &self.velocity, &self.position];
        1 + usize::from(all.iter().all(|q| (q.mean() - 0.5).abs() <= 1e-12))
    }

    fn n_unknowns(&self) -> (usize, usize) {
        (3, 2)
    }

    fn takes_loads(&self) -> bool {
        false
    }

    fn report(&self) -> Report {
        if self.position.is_ends() { Report::Averaged(self.position.mean()) } else { Report::Momentum }
    }

    fn warning(&self) -> Option<String> {
        (self.growth() > 1.0 + 1e-9).then(|| {
            format!(
                "the nodes of g_d have the mean {}: errors grow by the factor {:.3} in every step, whatever \
                 the step size is",
                self.position.mean(),
                self.growth()
            )
        })
    }

    fn residual(&self, step: &Step, r: &mut [f64], work: &mut Workspace) {
        let Step { system: s, from, x, layout } = step;
        let (d, m, h) = (layout.d, layout.m, from.h);
        let (r_q, r) = r.split_at_mut(d);
        let (r_p, r) = r.split_at_mut(d);
        let (r_v, rows) = r.split_at_mut(d);
        let (g, gv) = rows.split_at_mut(m);
        s.add_mass_times(|j| x.q[j] - from.q[j] - h * x.v[j], r_q);
        s.add_mass_times(|j| x.w[j] - from.w[j], r_p);
        s.add_mass_times(|j| x.v[j] - x.w[j], r_v);
        for &(b, node) in self.lagrangian.nodes() {
            Self::set_positions(node, from, x, work);
            s.add_gradient(&work.q, h * b, &mut work.s, r_p);
            s.add_gradient(&work.q, -h * b * node, &mut work.s, r_v);
        }
        for &(w, node) in self.velocity.nodes() {
            Self::set_positions(node, from, x, work);
            s.add_gt(&work.q, x.gamma, -h * w, r_q);
            s.add_s(&work.q, x.gamma, x.v, h * w, r_p);
            s.add_s(&work.q, x.gamma, x.v, -h * w * node, r_v);
            for (k, sum) in s.constraints.iter().zip(&mut *gv) {
                *sum += w * k.g.rate(&work.q, x.v);
            }
        }
        for &(c, node) in self.position.nodes() {
            Self::set_positions(node, from, x, work);
            s.add_gt(&work.q, x.lambda, h * c, r_p);
            s.add_gt(&work.q, x.lambda, -h * c * node, r_v);
            for (k, sum) in s.constraints.iter().zip(&mut *g) {
                *sum += c * k.g.value(&work.q);
            }
        }
    }

    fn jacobian(&self, step: &Step, out: &mut Matrix, work: &mut Workspace) {
        let Step { system, from, x, layout } = step;
        let (d, h) = (layout.d, from.h);
        let (v, lambda, gamma) = (layout.v(), layout.lambda(), layout.gamma());
        let mut put = MatrixBlocks { system, out };
        put.mass(1.0, (0, 0));
        put.mass(-h, (0, v));
        put.mass(1.0, (d, d));
        put.mass(-1.0, (v, d));
        put.mass(1.0, (v, v));
        for &(b, node) in self.lagrangian.nodes() {
            Self::set_positions(node, from, x, work);
            put.stiffness(&work.q, h * b * node, (d, 0), &mut work.s);
            put.stiffness(&work.q, -h * b * node * node, (v, 0), &mut work.s);
        }
        for &(w, node) in self.velocity.nodes() {
            Self::set_positions(node, from, x, work);
            put.second(&work.q, x.gamma, -h * w * node, (0, 0));
            put.gradient_t(&work.q, -h * w, (0, gamma));
            for (weight, row) in [(h * w, d), (-h * w * node, v)] {
                put.third(&work.q, x.gamma, x.v, weight * node, (row, 0));
                put.second(&work.q, x.gamma, weight, (row, v));
                put.curvature_t(&work.q, x.v, weight, (row, gamma));
            }
            put.curvature(&work.q, x.v, w * node, (gamma, 0));
            put.gradient(&work.q, w, (gamma, v));
        }
        for &(c, node) in self.position.nodes() {
            Self::set_positions(node, from, x, work);
            for (weight, row) in [(h * c, d), (-h * c * node, v)] {
                put.second(&work.q, x.lambda, weight * node, (row, 0));
                put.gradient_t(&work.q, weight, (row, lambda));
            }
            put.gradient(&work.q, c * node, (lambda, 0));
        }
    }
}
