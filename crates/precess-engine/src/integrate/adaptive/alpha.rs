//! Generalized-alpha with variable step.
//!
//! **Stabilized index-2 form.** a_n approximates v'(t_n + Delta_alpha h) of the previous step. Before a step
//! of another size it is converted,
//!
//! ```text
//! a* = v'_n + (h/h_prev) (a_n - v'_n),
//! ```
//!
//! and the method keeps order 2 in q, v and lambda on every grid; without the conversion, the order drops to
//! 1.2 ... 1.6 on rough grids. The ratio stays in [1/2, 2], since stiff modes would be unstable beyond it.
//! After a larger reduction, a is computed again from differences of v'.
//!
//! `alpha/estimate.rs` estimates the error of a step.
//!
//! **Index-3 form** allows no change of the step without a loss of order or stability, except a full restart
//! (projection of v, Table 2): three more linear systems and three evaluations. Its steps stay the same as
//! long as they are accurate enough.

mod estimate;

use estimate::Estimate;

use super::h211b::H211b;
use super::newton::ModifiedNewton;
use super::noise::Noise;
use super::norm::{Norm, Tolerance};
use super::steering::Steering;
use super::{
    Adaptive, Horizon, check_precision, first_step, instant, not_started, too_small, with_shorter_times,
};
use crate::Error;
use crate::integrate::alpha::Alpha;
use crate::integrate::form::{Eta, Form};
use crate::integrate::generalized_alpha::{GeneralizedAlpha, Predictor, Start};
use crate::integrate::implicit::{Implicit, Scheme};
use crate::integrate::integrator::{Integrator, StepReport};
use crate::integrate::project::project_velocity;
use crate::integrate::start::Accelerations;
use crate::integrate::step::Method;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist, ensure};

/// Order of the steps.
const ORDER: f64 = 2.0;
/// Ratios of neighbouring steps for which a is converted; otherwise it is computed again.
const CONVERTED_RATIOS: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// Refinement of the estimate ends below this error, in units of the tolerance.
const REFINED_ERROR: f64 = 0.05;
/// Largest number of refinement sweeps.
const MAX_SWEEPS: usize = 8;
/// Number of steps that are affected by the rounding errors of one step.
const NOISY_STEPS: usize = 16;
/// Decay of these rounding errors per step: about rho.
const NOISE_DECAY: f64 = 0.8;
/// Smallest error reported to the step control during noisy steps. It leaves the step unchanged.
const NOISY_STEP_ERROR: f64 = 0.8;
/// In index-3 form a step is kept while the requested change is within this range.
const KEPT_RATIOS: std::ops::RangeInclusive<f64> = 0.9..=1.3;

impl Alpha {
    /// Error constant of the velocities with v'''.
    pub fn c_v(&self) -> f64 {
        -1.0 / 12.0 + self.delta_alpha() * (0.5 - self.alpha_f)
    }
}

/// Generalized-alpha with automatic steps.
#[derive(Clone, Debug)]
pub struct VariableAlpha {
    /// The requested accuracy.
    pub tolerance: Tolerance,
    /// Convert a to the size of the next step. False loses the order on rough grids; for comparison.
    pub update: bool,
    implicit: Implicit<GeneralizedAlpha>,
    newton: ModifiedNewton,
    norm: Option<Norm>,
    noise: Noise,
    control: H211b,
    /// a_n and the size of its step.
    a: Vec<f64>,
    a_h: f64,
    /// v' before the last step, and the time since then.
    vdot_before: Vec<f64>,
    before: f64,
    saved: State,
    work: Estimate,
    t_end: f64,
}

impl VariableAlpha {
    /// Generalized-alpha with this damping, in the stabilized index-2 form.
    pub fn new(rho_inf: f64, tolerance: Tolerance) -> Result<Self, Error> {
        Self::with(GeneralizedAlpha::new(rho_inf, Form::StabilizedIndex2)?, tolerance)
    }

    /// Any parameters and direction, in the forms stabilized-index2 or index3.
    pub fn with(scheme: GeneralizedAlpha, tolerance: Tolerance) -> Result<Self, Error> {
        let unsupported = |reason: &str| {
            Err(Error::Unsupported {
                method: "gen-alpha with a tolerance".to_string(),
                reason: reason.to_string(),
            })
        };
        if !matches!(scheme.form, Form::StabilizedIndex2 | Form::Index3) {
            return unsupported("use the form stabilized-index2, or a fixed step");
        }
        if scheme.modification.sigma.value(&scheme.alpha) != 0.0 {
            return unsupported("the sigma-modification is for fixed steps");
        }
        let scheme = scheme.with_predictor(Predictor::Extrapolate).with_start(Start::Classical);
        Ok(VariableAlpha {
            tolerance,
            update: true,
            implicit: Implicit::new(scheme),
            newton: ModifiedNewton::default(),
            norm: None,
            noise: Noise::default(),
            control: H211b::default(),
            a: Vec::new(),
            a_h: 0.0,
            vdot_before: Vec::new(),
            before: 0.0,
            saved: State::default(),
            work: Estimate::default(),
            t_end: 0.0,
        })
    }

    /// With these settings of Newton's method.
    pub fn with_steering(mut self, steering: Steering) -> Self {
        self.newton.steering = steering;
        self.implicit.newton.solver = steering.solver;
        self
    }

    /// With this direction of stabilisation.
    pub fn with_eta(mut self, eta: Eta) -> Self {
        self.implicit.scheme.eta_direction = eta;
        self
    }

    /// A start for steps of prescribed size ([`step`](Self::step)), the first of them about h.
    pub fn start_with(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.allocate(system, state)?;
        self.begin(system, state, Some(h))
    }

    /// Workspace for a system.
    fn allocate(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let norm = Norm::new(system, state, &self.tolerance, self.t_end - state.t, ORDER)?;
        // In index-3 form, every change of the step has set another start.
        self.implicit.scheme.start = Start::Classical;
        self.implicit.start(system, state, 1.0)?;
        let dim = state.v.len();
        self.newton.resize(&mut self.implicit, system, state);
        let zeros = || vec![0.0; dim];
        let unknowns = || vec![0.0; self.implicit.linear.kkt.len()];
        self.work = Estimate {
            l_v: zeros(),
            p: zeros(),
            bracket: zeros(),
            v: zeros(),
            vdot: zeros(),
            dq: zeros(),
            dv: zeros(),
            right: unknowns(),
            rest: unknowns(),
            xi: unknowns(),
        };
        self.a = zeros();
        self.vdot_before = zeros();
        self.saved = state.clone();
        self.noise.resize(self.implicit.linear.kkt.len(), dim, &norm);
        self.norm = Some(norm);
        Ok(())
    }

    /// Starting values: a_0 = v'_0 + Delta_alpha h v'' with central differences (Table 1), and the first step
    /// if none is given.
    fn begin(&mut self, system: &dyn System, state: &mut State, h: Option<f64>) -> Result<(), Error> {
        let Some(norm) = &mut self.norm else { return Err(not_started("gen-alpha")) };
        let mut solver = Accelerations::new(system);
        solver.solve(system, state)?;
        norm.weigh(system, state);
        check_precision(norm, &self.tolerance, ORDER, state)?;
        // With a given step, the paper's s = 1/10.
        let tau = h.map_or_else(|| instant(system, state, norm), |h| 0.1 * h);
        let (mut up, mut down) = (state.clone(), state.clone());
        let tau = with_shorter_times(tau, |tau| {
            solver.probe(system, state, tau, &mut up)?;
            solver.probe(system, state, -tau, &mut down)
        })?;
        let alpha = self.implicit.scheme.alpha;
        let Estimate { bracket, dq, dv, .. } = &mut self.work;
        system.group().bracket(&state.v, &state.vdot, bracket);
        for i in 0..dq.len() {
            let jerk = (up.vdot[i] - down.vdot[i]) / (2.0 * tau);
            let snap = (up.vdot[i] - 2.0 * state.vdot[i] + down.vdot[i]) / (tau * tau);
            self.a[i] = jerk;
            dq[i] = alpha.c_q() * jerk + bracket[i] / 12.0;
            dv[i] = alpha.c_v() * snap;
        }
        let h = h.unwrap_or_else(|| {
            let size = norm.of(dq, dv);
            first_step(0.5 * (0.5 / size).cbrt(), self.t_end - state.t)
        });
        for (a, vdot) in self.a.iter_mut().zip(&state.vdot) {
            *a = vdot + alpha.delta_alpha() * h * *a;
        }
        self.a_h = h;
        self.vdot_before.copy_from_slice(&down.vdot);
        self.before = tau;
        self.control = H211b::new(h);
        self.noise.forget();
        self.implicit.scheme.forget();
        if self.implicit.scheme.form == Form::Index3 {
            self.a_h = 0.0;
        }
        Ok(())
    }

    /// Computes a*, the history variable for a step h.
    fn convert_a(&mut self, state: &State, h: f64) {
        let ratio = h / self.a_h;
        let alpha = self.implicit.scheme.alpha;
        let target = &mut self.implicit.step.past[2];
        if !self.update {
            target.copy_from_slice(&self.a);
        } else if CONVERTED_RATIOS.contains(&ratio) || self.before == 0.0 {
            for i in 0..target.len() {
                target[i] = state.vdot[i] + ratio * (self.a[i] - state.vdot[i]);
            }
        } else {
            let weight = alpha.delta_alpha() * h / self.before;
            for i in 0..target.len() {
                target[i] = state.vdot[i] + weight * (state.vdot[i] - self.vdot_before[i]);
            }
        }
    }

    /// The full restart of the index-3 form for a step h.
    fn restart_index3(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        project_velocity(system, state)?;
        let Implicit { scheme, step, .. } = &mut self.implicit;
        scheme.start = Start::Table2 { s: 0.1 };
        scheme.start(system, step, state, h)?;
        self.a.copy_from_slice(&step.past[2]);
        self.a_h = h;
        Ok(())
    }

    /// Solves the equations of a step. In index-3 form the state may be perturbed before.
    fn attempt(
        &mut self,
        system: &dyn System,
        state: &mut State,
        h: f64,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        if self.implicit.scheme.form == Form::Index3 && self.a_h != h && system.n_lambda() > 0 {
            self.restart_index3(system, state, h)?;
        }
        self.convert_a(state, h);
        let Some(norm) = &mut self.norm else { return Err(not_started("gen-alpha")) };
        norm.weigh(system, state);
        self.newton.solve(&mut self.implicit, system, state, h, norm, report)?;
        norm.widen(system, &self.implicit.step.trial);
        Ok(())
    }

    fn accept(&mut self, system: &dyn System, state: &mut State, report: &mut StepReport) {
        let h = self.implicit.step.h;
        self.vdot_before.copy_from_slice(&state.vdot);
        (self.before, self.a_h) = (h, h);
        let Implicit { scheme, step, .. } = &mut self.implicit;
        scheme.accept(step);
        step.end_at(state);
        self.a.copy_from_slice(&step.past[2]);
        state.remember(system);
        self.noise.stepped(NOISE_DECAY);
        (report.h, report.order) = (h, 2);
    }

    /// One step of prescribed size, whatever its error.
    pub fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        let mut report = StepReport::default();
        self.attempt(system, state, h, &mut report)?;
        report.error = self.estimate(system, state)?;
        self.accept(system, state, &mut report);
        Ok(report)
    }

    /// The estimated error of the last step in positions and velocities.
    pub fn last_estimate(&self) -> (&[f64], &[f64]) {
        (&self.work.dq, &self.work.dv)
    }

    /// One accepted step, after any number of rejected ones.
    fn accepted_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        to: Horizon,
    ) -> Result<StepReport, Error> {
        let mut report = StepReport::default();
        let Some(norm) = &self.norm else { return Err(not_started("gen-alpha")) };
        let to = to.with_rotation(norm.fastest_rotation(state));
        let index3 = self.implicit.scheme.form == Form::Index3 && system.n_lambda() > 0;
        if index3 && self.a_h > 0.0 && KEPT_RATIOS.contains(&(self.control.h / self.a_h)) {
            self.control.h = self.a_h;
        }
        if index3 {
            self.saved.copy_from(state);
        }
        let mut not_finite = None;
        loop {
            let h = self.control.fit(state.t, to);
            too_small(state.t, h, self.norm.as_ref(), &self.tolerance)
                .map_err(|e| not_finite.take().unwrap_or(e))?;
            let outcome = self.attempt(system, state, h, &mut report).and_then(|()| {
                let error = self.estimate_in_noise(system, state)?;
                super::finite_estimate(error, state.t + h).map(|()| error)
            });
            match outcome {
                Ok(error) if error <= 1.0 => {
                    report.error = error;
                    let reported = self.noise.reported(error, NOISY_STEP_ERROR);
                    self.accept(system, state, &mut report);
                    self.control.accepted(reported);
                    return Ok(report);
                }
                Ok(error) => {
                    report.rejected += 1;
                    self.control.rejected(error, state.t)?;
                }
                Err(error) => {
                    report.failed += 1;
                    not_finite = Some(error.clone()).filter(|e| matches!(e, Error::NotFinite { .. }));
                    self.control.failed(error, state.t)?;
                }
            }
            if index3 {
                state.copy_from(&self.saved);
            }
        }
    }
}

impl Adaptive for VariableAlpha {
    fn name(&self) -> &'static str {
        "gen-alpha"
    }

    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error> {
        self.t_end = t_end;
        self.allocate(system, state)?;
        self.begin(system, state, None)
    }

    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.begin(system, state, None)
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
        let VariableAlpha {
            tolerance: _,
            update: _,
            implicit,
            newton,
            norm,
            noise,
            control,
            a,
            a_h,
            vdot_before,
            before,
            saved: _,
            work: _,
            t_end: _,
        } = self;
        newton.persist(archive)?;
        implicit.persist_with(archive)?;
        norm.as_mut().map_or(Ok(()), |norm| norm.persist(archive))?;
        noise.persist(archive)?;
        (control, (a, &mut *a_h)).persist(archive)?;
        (vdot_before, &mut *before).persist(archive)?;
        ensure(*a_h >= 0.0 && *before >= 0.0, || "the last step is not positive".to_string())
    }

    fn warning(&self) -> Option<String> {
        (self.implicit.scheme.form == Form::Index3).then(|| {
            "index3 with a tolerance restarts at every change of the step, which costs three more linear \
             systems; \
             stabilized-index2 does not"
                .to_string()
        })
    }
}
