//! Generalized-alpha on Lie groups (Arnold, Cardona, Brüls 2015, "LA").
//!
//! ```text
//! q_np1 = q_n o exp(h Dq_n)                                                  (37a)
//! Dq_n  = v_n + (1/2 - beta) h a_n + beta h a_np1   [ - N_n eta_n ]          (37b), (56b)
//! v_np1 = v_n + (1 - gamma) h a_n + gamma h a_np1                            (37c)
//! (1 - alpha_m) a_np1 + alpha_m a_n = (1 - alpha_f) v'_np1 + alpha_f v'_n    (37d)
//! M v'_np1 + g + B^T lambda_np1 = 0                                          (37e)
//! index-3:           Phi(q_np1) = 0                                          (37f)
//! stabilized-index2: Phi(q_np1) = 0 and B(q_np1) v_np1 = 0                   (56f, 56g)
//! index-2:           B(q_np1) v_np1 = 0
//! index-1:           B v'_np1 + Z(v_np1, v_np1) = 0
//! ```
//!
//! with N_n = B^T(q_n) as printed ([`Eta::Paper`]) or M^-1 B^T ([`Eta::Mass`], independent of the units).
//!
//! **Unknowns.** xi = (theta, h^2 lambda, s, h eta) with theta = h Dq_n: the scaling of (57)-(62) times h, which keeps
//! the condition number of the iteration matrix independent of h. Velocity and acceleration are affine in
//! `delta = h^2 beta (a_np1 - a_n) = theta + N h eta - theta_0` and evaluated from it, so nothing cancels for small h:
//!
//! ```text
//! theta_0 = h v_n + h^2 a_n / 2,   a_np1 = a_n + delta / (beta h^2)
//! v_np1   = v_n + h a_n + gamma/(beta h) delta
//! v'_np1  = (a_n - alpha_f v'_n)/(1 - alpha_f) + c_m/h^2 delta,   c_m = (1 - alpha_m)/(beta (1 - alpha_f))
//! ```
//!
//! **Order** 2 in q and v in all forms. Multipliers: index-3 with the classical start a_0 = v'_0 has a transient of
//! order 1; Table 2 removes it. Stabilized index-2 has order 2 with Table 1; its classical transient is small.
//!
//! **Preserved**: index-3 keeps Phi = 0, stabilized index-2 also B v = 0, index-2 only B v = 0 (Phi drifts by
//! O(h^2)), index-1 neither.
//!
//! **Measured** (heavy top, rho 0.9, h = 1e-3, [0, 1], SO(3)xR^3; `precess-lie` norms): index-3 q 1.28e-2,
//! v 8.1e-4, lambda 0.306 (Table 2: 1.09e-2); stabilized index-2 q 8.2e-3, lambda 3.0e-3.
//! Variable steps: see the error-control issue; `h` may change between steps for the stabilized form only.

use precess_lie::{Factor, Product};

use super::alpha::Alpha;
use super::implicit::Scheme;
use super::start::Accelerations;
use crate::Error;
use crate::mechanics::tangents::sparse_structure;
use crate::mechanics::{At, State, System, Tangents, Want};
use crate::solve::block_lu::constraint_blocks;
use crate::solve::redundancy::{EPS, FILTER_PASSES};
use crate::solve::{DenseLu, Kkt, Mat};

/// Which constraints a step enforces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Phi = 0, (37).
    #[default]
    Index3,
    /// Phi = 0 and B v = 0 with auxiliary multipliers eta, (56).
    StabilizedIndex2,
    /// B v = 0 only.
    Index2,
    /// B v' + Z(v,v) = 0 only.
    Index1,
}

impl Form {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 4] = ["index3", "stabilized-index2", "index2", "index1"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "index3" => Ok(Form::Index3),
            "stabilized-index2" => Ok(Form::StabilizedIndex2),
            "index2" => Ok(Form::Index2),
            "index1" => Ok(Form::Index1),
            _ => Err(Error::unknown_name("form", name, Self::NAMES)),
        }
    }

    /// Name as typed by users.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Starting values of a_n and v_n (LA, section 4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// a_0 = v'_0.
    #[default]
    Classical,
    /// Table 1: a_0 = v'(t_0 + Delta_alpha h) + O(h^2) by differences over +-s h.
    Table1 {
        /// Parameter s in (0, 1].
        s: f64,
    },
    /// Table 2: Table 1 and, in index-3 form, the velocity perturbation (142).
    Table2 {
        /// Parameter s in (0, 1].
        s: f64,
    },
}

impl Start {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["classical", "table1", "table2"];

    /// By name, with the paper's s = 1/10.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "classical" => Ok(Start::Classical),
            "table1" => Ok(Start::Table1 { s: 0.1 }),
            "table2" => Ok(Start::Table2 { s: 0.1 }),
            _ => Err(Error::unknown_name("start", name, Self::NAMES)),
        }
    }
}

/// The direction N in which eta moves the positions in the stabilized form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eta {
    /// N = M^-1 B^T: the trajectory does not depend on the units of the model. Needs M positive definite.
    #[default]
    Mass,
    /// N = B^T as printed in (56b).
    Paper,
}

impl Eta {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["mass", "paper"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "mass" => Ok(Eta::Mass),
            "paper" => Ok(Eta::Paper),
            _ => Err(Error::unknown_name("eta", name, Self::NAMES)),
        }
    }
}

/// A part of the configuration that is measured by its own norm.
#[derive(Clone, Debug)]
struct Part {
    v: std::ops::Range<usize>,
    /// Coordinates whose size sets the round-off of the part; `None` for rotations, which are of size one.
    position: Option<std::ops::Range<usize>>,
}

/// First number of each factor in the compact tangent operator.
pub(crate) fn starts(group: &Product) -> Vec<usize> {
    let mut at = 0;
    group
        .factors()
        .iter()
        .map(|f| {
            at += f.tangent_len();
            at - f.tangent_len()
        })
        .collect()
}

/// Rotation and translation of each factor.
fn parts(group: &Product) -> Vec<Part> {
    let mut parts = Vec::new();
    for (i, factor) in group.factors().iter().enumerate() {
        let (q, v) = (group.q_range(i), group.v_range(i));
        match factor {
            Factor::Rn(_) => parts.push(Part { v, position: Some(q) }),
            Factor::SO3 => parts.push(Part { v, position: None }),
            Factor::R3xSO3 | Factor::SE3 => {
                parts.push(Part { v: v.start..v.start + 3, position: None });
                parts.push(Part { v: v.start + 3..v.end, position: Some(q.start + 4..q.end) });
            }
        }
    }
    parts
}

/// Round-off of a position relative to its size, with a margin for the arithmetic that produced it.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// The scheme; drive it with [`Implicit`](super::Implicit).
#[derive(Clone, Debug)]
pub struct GeneralizedAlpha {
    /// Algorithmic parameters.
    pub alpha: Alpha,
    /// Constraints enforced.
    pub form: Form,
    /// Starting values.
    pub start: Start,
    /// Direction of the stabilisation.
    pub eta_direction: Eta,
    /// Integrate constrained systems even if errors of the multipliers are not damped (rho = 1).
    pub accept_undamped: bool,
    /// a_n, the acceleration-like history variable.
    a: Vec<f64>,
    work: Work,
}

#[derive(Clone, Debug, Default)]
struct Work {
    h: f64,
    q_n: Vec<f64>,
    theta_0: Vec<f64>,
    v_0: Vec<f64>,
    vdot_0: Vec<f64>,
    delta: Vec<f64>,
    theta: Vec<f64>,
    /// h eta.
    eta_h: Vec<f64>,
    eta: Vec<f64>,
    /// N_n, k x m.
    n: Mat,
    mass: DenseLu,
    trial: State,
    tangents: Tangents,
    blocks: Vec<f64>,
    block_starts: Vec<usize>,
    parts: Vec<Part>,
    /// The incompatible part of Phi, taken out once per step; empty without redundant rows.
    incompatible: Vec<f64>,
    filter: Vec<f64>,
}

impl GeneralizedAlpha {
    /// Chung and Hulbert's parameters for this damping, in this form, classical start.
    pub fn new(rho_inf: f64, form: Form) -> Result<Self, Error> {
        Ok(Self::with_alpha(Alpha::from_rho(rho_inf)?, form))
    }

    /// Any parameters.
    pub fn with_alpha(alpha: Alpha, form: Form) -> Self {
        GeneralizedAlpha {
            alpha,
            form,
            start: Start::Classical,
            eta_direction: Eta::default(),
            accept_undamped: false,
            a: Vec::new(),
            work: Work::default(),
        }
    }

    /// With these starting values.
    pub fn with_start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// With this direction of stabilisation.
    pub fn with_eta(mut self, eta: Eta) -> Self {
        self.eta_direction = eta;
        self
    }

    /// a_n.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    fn c_m(&self) -> f64 {
        (1.0 - self.alpha.alpha_m) / (self.alpha.beta * (1.0 - self.alpha.alpha_f))
    }

    /// gamma / (beta h): dv/dtheta.
    fn gamma_h(&self) -> f64 {
        self.alpha.gamma / (self.alpha.beta * self.work.h)
    }

    /// The iterate (q, v, v') that follows from delta and eta.
    fn follow(&mut self, system: &dyn System) {
        let (dv, da) = (self.gamma_h(), self.c_m() / (self.work.h * self.work.h));
        let w = &mut self.work;
        for i in 0..w.delta.len() {
            let x = w.delta[i];
            w.theta[i] = w.theta_0[i] + x;
            w.trial.v[i] = w.v_0[i] + dv * x;
            w.trial.vdot[i] = w.vdot_0[i] + da * x;
        }
        if self.form == Form::StabilizedIndex2 {
            w.n.gemv(-1.0, &w.eta_h, &mut w.theta);
        }
        system.group().retract(&w.q_n, &w.theta, &mut w.trial.q);
    }

    /// v'(t_0 + s h) - v'(t_0 - s h) over 2 s h: steps 3 and 4 of Tables 1 and 2.
    fn jerk(
        &self,
        system: &dyn System,
        state: &State,
        h: f64,
        s: f64,
        solver: &mut Accelerations,
    ) -> Result<Vec<f64>, Error> {
        let mut jerk = vec![0.0; state.v.len()];
        let mut probe = state.clone();
        for side in [1.0, -1.0] {
            let tau = side * s * h;
            let x: Vec<f64> =
                state.v.iter().zip(&state.vdot).map(|(v, a)| tau * v + 0.5 * tau * tau * a).collect();
            probe.t = state.t + tau;
            system.group().retract(&state.q, &x, &mut probe.q);
            for ((p, v), a) in probe.v.iter_mut().zip(&state.v).zip(&state.vdot) {
                *p = v + tau * a;
            }
            solver.solve(system, &mut probe)?;
            for (j, a) in jerk.iter_mut().zip(&probe.vdot) {
                *j += side * a / (2.0 * s * h);
            }
        }
        Ok(jerk)
    }

    /// Delta_0^v of (142): the part of l_q/h normal to the constraints.
    fn velocity_perturbation(
        &mut self,
        system: &dyn System,
        state: &State,
        h: f64,
        jerk: &[f64],
    ) -> Result<Vec<f64>, Error> {
        let mut bracket = vec![0.0; state.v.len()];
        system.group().bracket(&state.v, &state.vdot, &mut bracket);
        let c_q = self.alpha.c_q();
        let wanted: Vec<f64> = jerk.iter().zip(&bracket).map(|(j, b)| h * h * (c_q * j + b / 12.0)).collect();
        let tangents = &mut self.work.tangents;
        tangents.evaluate(system, &state.at(), Want::SADDLE);
        let mut right = nalgebra::DVector::zeros(state.lambda.len());
        tangents.b.gemv(1.0, &wanted, right.as_mut_slice());
        let zero = nalgebra::DVector::zeros(state.v.len());
        let (dv, _) = crate::solve::saddle::Saddle::new(system)
            .solve(system, tangents, &zero, &right)
            .map_err(|e| super::start::explain(system, state.t, e))?;
        Ok(dv.as_slice().to_vec())
    }

    /// N_n at the beginning of a step.
    fn stabilisation_direction(&mut self, system: &dyn System, state: &State) {
        let w = &mut self.work;
        let want = match self.eta_direction {
            Eta::Paper => Want::CONSTRAINT,
            Eta::Mass => Want::SADDLE,
        };
        w.tangents.evaluate(system, &state.at(), want);
        w.n.transpose_from(&w.tangents.b);
        // A singular M leaves the paper's direction, which does not need M.
        if self.eta_direction == Eta::Mass {
            solve_mass(&w.tangents.s, &mut w.mass, &mut w.n);
        }
    }
}

/// N <- M^-1 N, factor by factor for a sparse M. Columns of a factor with singular mass are left as they are.
fn solve_mass(mass: &Mat, lu: &mut DenseLu, n: &mut Mat) {
    let Some(pattern) = mass.pattern().cloned() else {
        lu.resize(mass.rows());
        lu.matrix_mut().copy_from(mass);
        if lu.factor().is_ok() {
            for i in 0..n.cols() {
                lu.solve(n.column_mut(i));
            }
        }
        return;
    };
    let Some(n_pattern) = n.pattern().cloned() else { return };
    for i in 0..pattern.rows.blocks() {
        let Some(at) = pattern.find(i, i) else { continue };
        let dim = pattern.rows.range(i).len();
        lu.resize(dim);
        lu.matrix_mut().data_mut().copy_from_slice(&mass.data()[at..at + dim * dim]);
        if lu.factor().is_err() {
            continue;
        }
        for slot in n_pattern.row(i) {
            let columns = n_pattern.cols.range(slot.col as usize).len();
            let at = slot.offset as usize;
            for column in n.data_mut()[at..at + dim * columns].chunks_exact_mut(dim) {
                lu.solve(column);
            }
        }
    }
}

impl Scheme for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        "gen-alpha"
    }

    fn order(&self) -> usize {
        self.alpha.order()
    }

    fn kkt(&self, system: &dyn System) -> Result<Kkt, Error> {
        let (k, m, n_s) = (system.group().dim(), system.n_lambda(), system.n_s());
        if m > 0 && self.form == Form::Index3 && !self.accept_undamped {
            self.alpha.check_stability()?;
        }
        let stabilized = self.form == Form::StabilizedIndex2;
        let n = k + if stabilized { 2 * m } else { m } + n_s;
        Ok(match sparse_structure(system) {
            None if system.row_weights().is_some() => Kkt::regularised(n),
            None => Kkt::dense(n),
            Some(structure) => Kkt::block(constraint_blocks(system.group(), structure, m, stabilized)),
        })
    }

    /// Tables 1 and 2 of LA; the classical start is their first two steps with a_0 = v'_0.
    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        let group = system.group();
        let (k, m, n_s) = (group.dim(), system.n_lambda(), system.n_s());
        if self.work.theta.len() != k || self.work.eta.len() != m || self.work.trial.s.len() != n_s {
            let zeros = || vec![0.0; k];
            self.work = Work {
                h,
                q_n: state.q.clone(),
                theta_0: zeros(),
                v_0: zeros(),
                vdot_0: zeros(),
                delta: zeros(),
                theta: zeros(),
                eta_h: vec![0.0; m],
                eta: vec![0.0; m],
                mass: DenseLu::default(),
                trial: state.clone(),
                blocks: vec![0.0; group.tangent_len()],
                block_starts: starts(group),
                n: match Tangents::of(system).b.pattern() {
                    None => Mat::zeros(k, m),
                    Some(p) => Mat::sparse(p.transposed()),
                },
                tangents: Tangents::of(system),
                parts: parts(group),
                incompatible: vec![0.0; system.row_weights().map_or(0, <[f64]>::len)],
                filter: vec![0.0; k + 2 * m],
            };
        }
        let mut solver = Accelerations::new(system);
        solver.solve(system, state)?;
        self.a = state.vdot.clone();
        let s = match self.start {
            Start::Classical => return Ok(()),
            Start::Table1 { s } | Start::Table2 { s } => s,
        };
        if !(s > 0.0 && s <= 1.0) {
            return Err(Error::Parameter {
                name: "s",
                value: s,
                expected: "the parameter of Tables 1 and 2 lies in (0, 1]",
            });
        }
        let jerk = self.jerk(system, state, h, s, &mut solver)?;
        let offset = self.alpha.delta_alpha() * h;
        for (a, j) in self.a.iter_mut().zip(&jerk) {
            *a += offset * j;
        }
        if matches!(self.start, Start::Table2 { .. }) && self.form == Form::Index3 && m > 0 {
            let dv = self.velocity_perturbation(system, state, h, &jerk)?;
            super::start::add(&mut state.v, &dv);
        }
        Ok(())
    }

    fn predict(&mut self, system: &dyn System, state: &State, h: f64) {
        if self.form == Form::StabilizedIndex2 {
            self.stabilisation_direction(system, state);
        }
        let alpha_f = self.alpha.alpha_f;
        let w = &mut self.work;
        w.h = h;
        w.q_n.copy_from_slice(&state.q);
        for i in 0..state.v.len() {
            let (v, a) = (state.v[i], self.a[i]);
            w.theta_0[i] = h * v + 0.5 * h * h * a;
            w.v_0[i] = v + h * a;
            w.vdot_0[i] = (a - alpha_f * state.vdot[i]) / (1.0 - alpha_f);
        }
        w.delta.fill(0.0);
        w.eta_h.fill(0.0);
        w.incompatible.fill(0.0);
        w.trial.t = state.t + h;
        w.trial.lambda.copy_from_slice(&state.lambda);
        w.trial.s.copy_from_slice(&state.s);
        w.trial.memory.copy_from_slice(&state.memory);
        self.follow(system);
    }

    /// (57) and (61) times h: h^2 (M v' + g + B^T lambda), Phi, B v / (gamma/(beta h)).
    fn residual(&mut self, system: &dyn System, psi: &mut [f64]) {
        let (gamma_h, c_m) = (self.gamma_h(), self.c_m());
        let form = self.form;
        let w = &mut self.work;
        let x = &w.trial;
        let (k, m, n_s) = (x.v.len(), x.lambda.len(), x.s.len());
        let (dynamics, rest) = psi.split_at_mut(k);
        let (rows, rest) = rest.split_at_mut(m);
        let (algebraic, hidden) = rest.split_at_mut(n_s);
        let h2 = w.h * w.h;

        system.residual(&x.at(), dynamics);
        dynamics.iter_mut().for_each(|r| *r *= h2);
        if n_s > 0 {
            system.algebraic(&x.at(), algebraic);
        }
        if m == 0 {
            return;
        }
        match form {
            Form::Index3 => system.constraint(&x.at(), rows),
            Form::StabilizedIndex2 => {
                system.constraint(&x.at(), rows);
                system.velocity_constraint(&x.at(), hidden);
                hidden.iter_mut().for_each(|r| *r /= gamma_h);
            }
            Form::Index2 => {
                system.velocity_constraint(&x.at(), rows);
                rows.iter_mut().for_each(|r| *r /= gamma_h);
            }
            Form::Index1 => {
                system.acceleration_constraint(&x.at(), rows);
                rows.iter_mut().for_each(|r| *r *= h2 / c_m);
            }
        }
        if let Some(weights) = system.row_weights() {
            for (i, d) in weights.iter().enumerate() {
                rows[i] -= w.incompatible[i] + EPS * d / c_m * h2 * x.lambda[i];
                if form == Form::StabilizedIndex2 {
                    hidden[i] += EPS * d * w.eta_h[i];
                }
            }
        }
    }

    /// Takes the part of Phi that no motion can remove out of the residual of this step.
    fn filter(&mut self, system: &dyn System, kkt: &mut Kkt, psi: &mut [f64]) {
        let Some(weights) = system.row_weights() else { return };
        if !matches!(self.form, Form::Index3 | Form::StabilizedIndex2) {
            return;
        }
        let c_m = self.c_m();
        let w = &mut self.work;
        let (k, m) = (w.theta.len(), w.incompatible.len());
        let h2 = w.h * w.h;
        for i in 0..m {
            // Phi alone.
            w.incompatible[i] = psi[k + i] + EPS * weights[i] / c_m * h2 * w.trial.lambda[i];
        }
        let right = &mut w.filter[..kkt.len()];
        for _ in 0..FILTER_PASSES {
            right.fill(0.0);
            for i in 0..m {
                right[k + i] = -w.incompatible[i];
            }
            kkt.solve(right);
            for i in 0..m {
                w.incompatible[i] -= EPS * weights[i] / c_m * right[k + i];
            }
        }
        // What the passes left is compatible, the rest is not.
        for i in 0..m {
            let phi = psi[k + i] + EPS * weights[i] / c_m * h2 * w.trial.lambda[i];
            w.incompatible[i] = phi - w.incompatible[i];
            psi[k + i] -= w.incompatible[i];
        }
    }

    /// (60) and (62).
    fn iteration_matrix(&mut self, system: &dyn System, simplified: bool, kkt: &mut Kkt) {
        let (gamma_h, c_m, h) = (self.gamma_h(), self.c_m(), self.work.h);
        let form = self.form;
        let w = &mut self.work;
        let group = system.group();
        let (k, m, n_s) = (group.dim(), system.n_lambda(), system.n_s());
        let (lambda, s, eta) = (k, k + m, k + m + n_s);
        let exact = !simplified;
        let hidden = matches!(form, Form::StabilizedIndex2 | Form::Index2 | Form::Index1);
        let want = Want {
            c_m,
            c_d: if exact { h * h * gamma_h } else { 0.0 },
            stiffness: exact,
            constraint: m > 0,
            curvature: exact && hidden,
        };
        w.tangents.evaluate(system, &w.trial.at(), want);
        let t = &mut w.tangents;

        // What multiplies the variation of v (and eta) comes before K, B, Y are multiplied by T.
        kkt.add(0, 0, 1.0, &t.s);
        if m > 0 {
            kkt.add_transpose(0, lambda, 1.0, &t.b);
            if t.has_friction() {
                kkt.add(0, lambda, 1.0, &t.g_lambda);
            }
        }
        match form {
            Form::Index3 => {}
            Form::StabilizedIndex2 => {
                kkt.add_product(0, eta, 1.0, &t.s, &w.n);
                kkt.add(eta, 0, 1.0, &t.b);
                kkt.add_product(eta, eta, 1.0, &t.b, &w.n);
            }
            Form::Index2 | Form::Index1 => kkt.add(lambda, 0, 1.0, &t.b),
        }
        if form == Form::Index1 && exact {
            // d/dv of Z(v,v) is 2 Y + B v^ (17); its derivative in q comes from differences.
            acceleration_rows(system, w, c_m, gamma_h, kkt, lambda);
        }
        let t = &mut w.tangents;
        if exact {
            group.tangent(&w.theta, &mut w.blocks);
            t.k.mul_tangent(group, &w.blocks, &w.block_starts);
            kkt.add(0, 0, h * h, &t.k);
            if m > 0 {
                t.b.mul_tangent(group, &w.blocks, &w.block_starts);
            }
            if hidden && form != Form::Index1 {
                t.y.mul_tangent(group, &w.blocks, &w.block_starts);
            }
        }
        match form {
            Form::Index3 => kkt.add(lambda, 0, 1.0, &t.b),
            Form::StabilizedIndex2 => {
                kkt.add(lambda, 0, 1.0, &t.b);
                if exact {
                    kkt.add(eta, 0, 1.0 / gamma_h, &t.y);
                }
            }
            Form::Index2 if exact => kkt.add(lambda, 0, 1.0 / gamma_h, &t.y),
            Form::Index2 | Form::Index1 => {}
        }
        if let Some(weights) = system.row_weights() {
            for (i, d) in weights.iter().enumerate() {
                kkt.add_diagonal(lambda + i, -EPS * d / c_m);
                if form == Form::StabilizedIndex2 {
                    kkt.add_diagonal(eta + i, EPS * d);
                }
            }
        }
        if n_s > 0 {
            if exact {
                t.h_q.mul_tangent(group, &w.blocks, &w.block_starts);
            }
            kkt.add(0, s, h * h, &t.r_s);
            kkt.add(s, 0, 1.0, &t.h_q);
            kkt.add(s, s, 1.0, &t.h_s);
        }
    }

    fn correct(&mut self, system: &dyn System, weight: f64, delta: &[f64]) {
        let w = &mut self.work;
        let (k, m, n_s) = (w.theta.len(), w.trial.lambda.len(), w.trial.s.len());
        let per_lambda = weight / (w.h * w.h);
        for (x, d) in w.delta.iter_mut().zip(&delta[..k]) {
            *x += weight * d;
        }
        for (x, d) in w.trial.lambda.iter_mut().zip(&delta[k..k + m]) {
            *x += per_lambda * d;
        }
        for (x, d) in w.trial.s.iter_mut().zip(&delta[k + m..k + m + n_s]) {
            *x += weight * d;
        }
        if self.form == Form::StabilizedIndex2 {
            let d_eta = &delta[k + m + n_s..];
            w.n.gemv(weight, d_eta, &mut w.delta);
            for (x, d) in w.eta_h.iter_mut().zip(d_eta) {
                *x += weight * d;
            }
        }
        self.follow(system);
    }

    fn size_of(&self, system: &dyn System, delta: &[f64]) -> f64 {
        let w = &self.work;
        let length = system.length_scale();
        let mut largest = 0.0;
        for part in &w.parts {
            let round_off = match &part.position {
                None => ROUND_OFF,
                Some(q) => ROUND_OFF * (length + max_norm(&w.q_n[q.clone()])),
            };
            let size = max_norm(&delta[part.v.clone()]) / round_off;
            // NaN must win.
            if !(size <= largest) {
                largest = size;
            }
        }
        // Algebraic variables may have no influence on theta, so they are tested on their own.
        let k = w.theta.len() + w.trial.lambda.len();
        let d_s = max_norm(&delta[k..k + w.trial.s.len()]);
        if d_s > 0.0 {
            let size = d_s / (ROUND_OFF * (max_norm(&w.trial.s) + d_s));
            if !(size <= largest) {
                largest = size;
            }
        }
        largest
    }

    fn accept(&mut self, state: &mut State) {
        let beta = self.alpha.beta;
        let w = &mut self.work;
        let per_delta = 1.0 / (beta * w.h * w.h);
        for (a, d) in self.a.iter_mut().zip(&w.delta) {
            *a += per_delta * d;
        }
        for (e, x) in w.eta.iter_mut().zip(&w.eta_h) {
            *e = x / w.h;
        }
        state.copy_from(&w.trial);
    }

    fn row_name(&self, system: &dyn System, i: usize) -> String {
        let (k, m, n_s) = (system.group().dim(), system.n_lambda(), system.n_s());
        if i < k {
            format!("the equilibrium of {}", system.velocity_name(i))
        } else if i < k + m {
            format!("'{}'", system.constraint_name(i - k))
        } else if i < k + m + n_s {
            format!("algebraic equation {}", i - k - m + 1)
        } else {
            format!("the velocity level of '{}'", system.constraint_name(i - k - m - n_s))
        }
    }

    fn eta(&self) -> Option<&[f64]> {
        (self.form == Form::StabilizedIndex2).then_some(&self.work.eta)
    }
}

/// Rows of the index-1 form beyond B: (h^2/c_m) [ gamma_h (2 Y + B v^) + D_q(...) T ].
fn acceleration_rows(system: &dyn System, w: &mut Work, c_m: f64, gamma_h: f64, kkt: &mut Kkt, row: usize) {
    let group = system.group();
    let (k, m) = (group.dim(), w.trial.lambda.len());
    let scale = w.h * w.h / c_m;
    let step = 1e-6;
    let mut up = vec![0.0; m];
    let mut down = vec![0.0; m];
    let mut x = w.theta.clone();
    let mut q = w.trial.q.clone();
    let mut v = w.trial.v.clone();
    let mut block = Mat::zeros(m, k);
    for j in 0..k {
        // theta and v move together along column j of the Newton direction.
        for (side, out) in [(1.0, &mut up), (-1.0, &mut down)] {
            x[j] = w.theta[j] + side * step;
            v[j] = w.trial.v[j] + side * step * gamma_h;
            group.retract(&w.q_n, &x, &mut q);
            system.acceleration_constraint(&At { q: &q, v: &v, ..w.trial.at() }, out);
            x[j] = w.theta[j];
            v[j] = w.trial.v[j];
        }
        for i in 0..m {
            block.column_mut(j)[i] = (up[i] - down[i]) / (2.0 * step);
        }
    }
    kkt.add(row, 0, scale, &block);
}

#[inline]
fn max_norm(x: &[f64]) -> f64 {
    let mut m = 0.0;
    for x in x {
        let a = x.abs();
        // NaN must win.
        if !(a <= m) {
            m = a;
        }
    }
    m
}
