//! BLieDF with variable order and variable step, stabilized index-2 form.
//!
//! The increment of a step is theta = int v + c with the commutators c of the Magnus series. For psi =
//! theta - c, with c from the velocity polynomial extrapolated over the step, the method is an ordinary BDF
//! method in a vector space:
//!
//! ```text
//! q_np1  = q_n o exp(theta),   psi = theta - c
//! v_np1  = psi'_pred + cj (psi - psi_pred) + N eta
//! v'_np1 = v'_pred + cj (v_np1 - v_pred)
//! M v'_np1 + g + B^T lambda_np1 = 0,   Phi(q_np1) = 0,   B(q_np1) v_np1 + Phi_t = 0
//! ```
//!
//! with predictors of degree k through the last k + 1 values of psi and v (`differences`) and the fixed
//! leading coefficient cj = (1 + 1/2 + ... + 1/k)/h. Only differences of psi have a meaning. c has an error
//! of O(h^kp2) from the extrapolation and of O(h^7) from the Magnus formula: enough for k <= 6.
//!
//! **Error.** E = Y - Y_pred in psi and v is proportional to the local error, on every grid.
//!
//! **Order** 2, ..., 5 (6 on request) in q, v and lambda; without c it would be 2. k = 5 needs grids that
//! change rarely, which `order` ensures; k = 6 is stable only on almost equal steps.
//!
//! **Measured** on the heavy top with 150 rad/s, tol 1e-6, 1e-8, 1e-10: see `book/tolerance.md`.

use super::differences::Differences;
use super::newton::ModifiedNewton;
use super::noise::{LARGEST_NOISE, Noise};
use super::norm::{Norm, Tolerance};
use super::order::{Estimates, OrderControl};
use super::steering::Steering;
use super::{Adaptive, Horizon, first_difference, not_started, too_small};
use crate::Error;
use crate::integrate::bliedf::coefficients::{GAUSS, MAX_K};
use crate::integrate::bliedf::correction::Commutators;
use crate::integrate::form::{Eta, Form};
use crate::integrate::implicit::{Implicit, Scheme};
use crate::integrate::integrator::{Integrator, StepReport};
use crate::integrate::start::Accelerations;
use crate::integrate::step::{Linear, Method, Step};
use crate::mechanics::{Dynamics, State, System};
use crate::persist::{Archive, Damage, Persist};

/// Order of most steps.
const ORDER: f64 = 5.0;
/// Number of steps that are affected by the rounding errors of one step: those of the history, and one more.
const NOISY_STEPS: usize = MAX_K + 3;
/// Decay of these rounding errors per step.
const NOISE_DECAY: f64 = 0.5;
/// Smallest error reported to the control of order and step during noisy steps. It leaves both unchanged.
const NOISY_STEP_ERROR: f64 = 0.4;

/// One step of order k with the current history.
#[derive(Clone, Debug)]
pub(super) struct Bdf {
    k: usize,
    /// Constant of the error test.
    ck: f64,
    history: Differences,
    commutators: Commutators,
    /// dv/dtheta, and theta_0, v_0, vdot_0 of the next step.
    cj: f64,
    predictor: [Vec<f64>; 3],
    c: Vec<f64>,
    v_pred: Vec<f64>,
    lambda_pred: Vec<f64>,
    /// Y - Y_pred.
    e_psi: Vec<f64>,
    e_v: Vec<f64>,
    e_lambda: Vec<f64>,
}

crate::persist!(Bdf { k, ck, history, commutators } given {
    cj, predictor, c, v_pred, lambda_pred, e_psi, e_v, e_lambda
} where |x| { (1..=MAX_K).contains(&x.k) => "the order of the last step is not an order of this method" });

impl Bdf {
    fn new() -> Self {
        Bdf {
            k: 1,
            ck: 0.0,
            history: Differences::default(),
            commutators: Commutators::default(),
            cj: 0.0,
            predictor: Default::default(),
            c: Vec::new(),
            v_pred: Vec::new(),
            lambda_pred: Vec::new(),
            e_psi: Vec::new(),
            e_v: Vec::new(),
            e_lambda: Vec::new(),
        }
    }

    /// Converts the history to a grid with a step h of order k: c, theta_0, v_0, v'_0 and their derivatives.
    fn prepare(&mut self, system: &dyn System, h: f64, k: usize) {
        let Bdf { history, commutators, predictor, c, v_pred, lambda_pred, .. } = self;
        let [theta_0, v_0, vdot_0] = predictor;
        let mut weights = [[0.0; MAX_K + 1]; 3];
        for (w, x) in weights.iter_mut().zip(GAUSS) {
            history.weights_at(k, x * h, w);
        }
        commutators.magnus(system.group(), h, &weights, &history.phi.v[1..=k + 1], c);

        let (cj, ck) = history.predict(h, k);
        (self.k, self.ck, self.cj) = (k, ck, cj);
        let phi = &history.phi;
        Differences::value(&phi.psi, k, theta_0);
        history.slope(&phi.psi, k, v_0);
        Differences::value(&phi.v, k, v_pred);
        history.slope(&phi.v, k, vdot_0);
        Differences::value(&phi.lambda, k, lambda_pred);
        for i in 0..c.len() {
            theta_0[i] += c[i];
            vdot_0[i] += cj * (v_0[i] - v_pred[i]);
        }
    }

    /// E = Y - Y_pred.
    fn compare(&mut self, step: &Step) {
        for i in 0..self.c.len() {
            self.e_psi[i] = step.theta()[i] - step.theta_0[i];
            self.e_v[i] = step.trial.v[i] - self.v_pred[i];
        }
        for i in 0..self.lambda_pred.len() {
            self.e_lambda[i] = step.trial.lambda[i] - self.lambda_pred[i];
        }
    }
}

impl Method<f64> for Bdf {
    fn predict(
        &mut self,
        step: &mut Step,
        dynamics: &(impl Dynamics<f64> + ?Sized),
        _: &mut impl Linear<f64>,
    ) {
        (step.dv, step.da) = (self.cj, self.cj * self.cj);
        let [theta_0, v_0, vdot_0] = &self.predictor;
        step.theta_0.copy_from_slice(theta_0);
        step.v_0.copy_from_slice(v_0);
        step.vdot_0.copy_from_slice(vdot_0);
        step.trial.lambda.copy_from_slice(&self.lambda_pred);
        step.end_time();
        step.follow(dynamics.group());
    }

    fn accept(&mut self, step: &mut Step) {
        self.history.accept(step.h, self.k, [&self.e_psi, &self.e_v, &self.e_lambda]);
    }
}

impl Scheme for Bdf {
    fn name(&self) -> &'static str {
        "bliedf"
    }

    fn order(&self) -> usize {
        self.k
    }

    fn form(&self) -> Form {
        Form::StabilizedIndex2
    }

    fn start(&mut self, _: &dyn System, _: &mut Step, state: &mut State, _h: f64) -> Result<(), Error> {
        let (dim, m) = (state.v.len(), state.lambda.len());
        self.history.resize(dim, m);
        self.commutators.resize(dim);
        self.predictor = [(); 3].map(|()| vec![0.0; dim]);
        for x in [&mut self.c, &mut self.v_pred, &mut self.e_psi, &mut self.e_v] {
            *x = vec![0.0; dim];
        }
        self.lambda_pred = vec![0.0; m];
        self.e_lambda = vec![0.0; m];
        Ok(())
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        Persist::persist(self, archive)
    }
}

/// BLieDF with automatic order and steps.
#[derive(Clone, Debug)]
pub struct VariableBliedf {
    /// The requested accuracy.
    pub tolerance: Tolerance,
    /// Largest order, 5 by default.
    pub max_order: usize,
    /// Direction of the stabilisation.
    pub eta_direction: Eta,
    implicit: Implicit<Bdf>,
    newton: ModifiedNewton,
    norm: Option<Norm>,
    noise: Noise,
    control: OrderControl,
    dq: Vec<f64>,
    dv: Vec<f64>,
    t_end: f64,
}

impl VariableBliedf {
    /// BLieDF of orders 1 to 5 with this tolerance.
    pub fn new(tolerance: Tolerance) -> Self {
        VariableBliedf {
            tolerance,
            max_order: 5,
            eta_direction: Eta::default(),
            implicit: Implicit::new(Bdf::new()),
            newton: ModifiedNewton::default(),
            norm: None,
            noise: Noise::default(),
            control: OrderControl::new(5, 0.0),
            dq: Vec::new(),
            dv: Vec::new(),
            t_end: 0.0,
        }
    }

    /// With another largest order, 1 to 6.
    pub fn with_max_order(mut self, k: usize) -> Result<Self, Error> {
        if !(1..=MAX_K).contains(&k) {
            return Err(Error::Parameter {
                name: "max_order",
                value: k as f64,
                expected: "BLieDF has the orders 1 to 6; 5 is the default and 6 needs very smooth motions",
            });
        }
        self.max_order = k;
        Ok(self)
    }

    /// With these settings of Newton's method.
    pub fn with_steering(mut self, steering: Steering) -> Self {
        self.newton.steering = steering;
        self.implicit.newton.solver = steering.solver;
        self
    }

    /// With this direction of stabilisation.
    pub fn with_eta(mut self, eta: Eta) -> Self {
        self.eta_direction = eta;
        self
    }

    /// A start of order k from k + 1 known states, the newest last, for steps of prescribed size
    /// ([`step`](Self::step)).
    pub fn start_from(&mut self, system: &dyn System, states: &[State]) -> Result<(), Error> {
        let k = states.len().saturating_sub(1);
        if !(1..=MAX_K).contains(&k) {
            return Err(Error::Length {
                what: "the history of a k-step method (k + 1 states, k = 1..6)",
                found: states.len(),
                expected: k.clamp(1, MAX_K) + 1,
            });
        }
        let mut newest = states[k].clone();
        self.allocate(system, &mut newest)?;
        self.control = OrderControl::fixed(k, 0.0);
        let Bdf { history, commutators, c, .. } = &mut self.implicit.scheme;
        let times: Vec<f64> = states.iter().map(|s| s.t).collect();
        let velocities: Vec<&[f64]> = states.iter().map(|s| s.v.as_slice()).collect();
        let multipliers: Vec<&[f64]> = states.iter().map(|s| s.lambda.as_slice()).collect();
        let rows: Vec<Vec<f64>> = states.iter().map(|s| s.v.clone()).collect();
        let group = system.group();
        let mut increments = Vec::new();
        for pair in states.windows(2) {
            let (from, h) = (pair[0].t, pair[1].t - pair[0].t);
            let weights = GAUSS.map(|x| {
                let mut w = vec![0.0; k + 1];
                crate::integrate::bliedf::coefficients::lagrange(&times, from + x * h, &mut w);
                w
            });
            let mut psi = vec![0.0; newest.v.len()];
            group.difference(&pair[0].q, &pair[1].q, &mut psi);
            commutators.magnus(group, h, &weights, &rows, c);
            for (p, c) in psi.iter_mut().zip(c.iter()) {
                *p -= c;
            }
            increments.push(psi);
        }
        history.fill(&times, &increments, &velocities, &multipliers);
        Ok(())
    }

    /// One step of prescribed size with the current order, whatever its error.
    pub fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        let mut report = StepReport::default();
        self.control.h = h;
        let estimates = self.attempt(system, state, h, &mut report)?;
        self.accept(system, state, &estimates, &mut report);
        Ok(report)
    }

    /// Workspace for a system.
    fn allocate(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let norm = Norm::new(system, state, &self.tolerance, self.t_end - state.t, ORDER)?;
        // Rounding errors of Phi reach theta along N. If the matrix had another N, they would not cancel in
        // the velocities, where they are divided by h (measured: no tolerance below 1e-10 on the
        // slider-crank).
        self.implicit.step.renews_direction = Some(self.eta_direction);
        self.implicit.start(system, state, 1.0)?;
        self.noise.resize(self.implicit.linear.kkt.len(), state.v.len(), &norm);
        self.norm = Some(norm);
        self.newton.resize(&mut self.implicit, system, state);
        self.dq = vec![0.0; state.v.len()];
        self.dv = vec![0.0; state.v.len()];
        Ok(())
    }

    /// Solves the equations of a step and estimates its error.
    fn attempt(
        &mut self,
        system: &dyn System,
        state: &State,
        h: f64,
        report: &mut StepReport,
    ) -> Result<Estimates, Error> {
        let Some(norm) = &mut self.norm else { return Err(not_started("bliedf")) };
        norm.weigh(system, state);
        self.implicit.scheme.prepare(system, h, self.control.k);
        self.newton.solve(&mut self.implicit, system, state, h, norm, report)?;
        let Implicit { scheme, step, .. } = &mut self.implicit;
        scheme.compare(step);
        norm.widen(system, &step.trial);
        let estimates = self.estimate_in_noise(system)?;
        super::finite_estimate(estimates.error, state.t + h).map(|()| estimates)
    }

    /// Estimates without the part explained by rounding errors. That part is measured if a step would be
    /// rejected, or shortly after a noisy step.
    fn estimate_in_noise(&mut self, system: &dyn System) -> Result<Estimates, Error> {
        let known = self.noise.is_on();
        let plain = if known { Estimates::default() } else { self.estimate() };
        if self.newton.noisy {
            self.noise.extend(NOISY_STEPS);
        }
        let rejected = !(plain.error <= 1.0);
        if !self.noise.is_on() && !rejected {
            return Ok(plain);
        }
        let Some(norm) = &self.norm else { return Err(not_started("bliedf")) };
        let Bdf { ck, e_psi, e_v, .. } = &self.implicit.scheme;
        let whole = ck * norm.of(e_psi, e_v);
        self.noise.measure(&mut self.implicit, system, norm)?;
        let rest = self.estimate();
        if !(whole <= LARGEST_NOISE) {
            return Ok(Estimates { error: whole, ..rest });
        }
        if rest.error <= 1.0 && rejected {
            self.noise.extend(NOISY_STEPS);
        } else if !self.noise.is_on() {
            self.noise.forget();
            return Ok(plain);
        }
        let reported = self.noise.reported(rest.error, NOISY_STEP_ERROR);
        Ok(Estimates { lower: [f64::INFINITY, f64::INFINITY, reported], higher: None, ..rest })
    }

    /// The sizes of E, phi_kp1 + E, phi_k + phi_kp1 + E and E - phi_kp2 with their constants.
    fn estimate(&mut self) -> Estimates {
        let Some(norm) = &self.norm else { return Estimates::default() };
        let Bdf { k, ck, history, e_psi, e_v, .. } = &self.implicit.scheme;
        let (k, sigma, phi) = (*k, &history.sigma, &history.phi);
        let e = self.noise.unexplained(norm, e_psi, e_v);
        let mut estimates = Estimates { error: ck * e, lower: [0.0, 0.0, sigma[k + 1] * e], higher: None };
        let mut sum = |weight: f64, row: usize, first: bool| {
            for i in 0..e_psi.len() {
                let (q, v) = if first { (e_psi[i], e_v[i]) } else { (self.dq[i], self.dv[i]) };
                self.dq[i] = q + weight * phi.psi[row][i];
                self.dv[i] = v + weight * phi.v[row][i];
            }
            self.noise.unexplained(norm, &self.dq, &self.dv)
        };
        if k > 1 {
            estimates.lower[1] = sigma[k] * sum(1.0, k + 1, true);
        }
        if k > 2 {
            estimates.lower[0] = sigma[k - 1] * sum(1.0, k, false);
        }
        if k < self.control.k_max && history.equal > k + 1 {
            estimates.higher = Some(sum(-1.0, k + 2, true) / (k + 2) as f64);
        }
        estimates
    }

    fn accept(&mut self, system: &dyn System, state: &mut State, e: &Estimates, report: &mut StepReport) {
        let Implicit { scheme, step, .. } = &mut self.implicit;
        (report.h, report.order, report.error) = (step.h, scheme.k, e.error);
        scheme.accept(step);
        step.end_at(state);
        state.remember(system);
        self.noise.stepped(NOISE_DECAY);
    }

    /// One accepted step, after any number of rejected ones.
    fn accepted_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        to: Horizon,
    ) -> Result<StepReport, Error> {
        let mut report = StepReport::default();
        let Some(norm) = &self.norm else { return Err(not_started("bliedf")) };
        let to = to.with_rotation(norm.fastest_rotation(state));
        let mut not_finite = None;
        loop {
            let h = self.control.fit(state.t, to);
            too_small(state.t, h, self.norm.as_ref(), &self.tolerance)
                .map_err(|e| not_finite.take().unwrap_or(e))?;
            let k = self.control.k;
            match self.attempt(system, state, h, &mut report) {
                Ok(estimates) if estimates.error <= 1.0 => {
                    self.accept(system, state, &estimates, &mut report);
                    self.control.accepted(&estimates, self.implicit.scheme.history.equal);
                    return Ok(report);
                }
                Ok(estimates) => {
                    report.rejected += 1;
                    self.control.rejected(&estimates, state.t)?;
                }
                Err(error) => {
                    report.failed += 1;
                    not_finite = Some(error.clone()).filter(|e| matches!(e, Error::NotFinite { .. }));
                    self.control.failed(error, state.t)?;
                }
            }
            self.implicit.scheme.history.restore(h, k);
        }
    }
}

impl Adaptive for VariableBliedf {
    fn name(&self) -> &'static str {
        "bliedf"
    }

    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error> {
        self.t_end = t_end;
        self.allocate(system, state)?;
        self.restart(system, state)
    }

    /// Starts with order 1 and a step whose error is a quarter of the tolerance.
    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let Some(norm) = &mut self.norm else { return Err(not_started("bliedf")) };
        let mut solver = Accelerations::new(system);
        solver.solve(system, state)?;
        norm.weigh(system, state);
        super::check_precision(norm, &self.tolerance, ORDER, state)?;
        let rate = first_difference(system, state, norm, &mut solver)?;
        let curvature = norm.of(&state.vdot, &rate.vdot);
        let h = super::first_step((0.5 / curvature).sqrt(), self.t_end - state.t);
        self.control = OrderControl::new(self.max_order, h);
        self.noise.forget();
        self.implicit.scheme.history.begin(h, &state.v, &state.vdot, &state.lambda, &rate.lambda);
        Ok(())
    }

    fn advance(&mut self, system: &dyn System, state: &mut State, to: Horizon) -> Result<StepReport, Error> {
        let outcome = self.accepted_step(system, state, to);
        outcome.map_err(|e| super::at_singular(e, &mut self.implicit, system, state, self.control.h))
    }

    fn eta(&self) -> Option<&[f64]> {
        self.implicit.eta()
    }

    fn persist(
        &mut self,
        _system: &dyn System,
        _initial: &State,
        archive: &mut Archive,
    ) -> Result<(), Damage> {
        let VariableBliedf {
            tolerance: _,
            max_order: _,
            eta_direction: _,
            implicit,
            newton,
            norm,
            noise,
            control,
            dq: _,
            dv: _,
            t_end: _,
        } = self;
        newton.persist(archive)?;
        implicit.persist_with(archive)?;
        norm.as_mut().map_or(Ok(()), |norm| norm.persist(archive))?;
        noise.persist(archive)?;
        control.persist(archive)
    }
}
