//! Generalized-alpha for several runs at the same time, in the lanes of the vector unit.
//!
//! The algorithm is that of [`GeneralizedAlpha`], index-3 or stabilized, for
//! models that differ in numbers only (`mechanics/batch.rs`). In index-3 form and without constraints, each
//! run keeps its matrix over several steps, as single runs do (`newton/refresh.rs`). If one run needs a new
//! matrix, all are computed, and the others keep theirs. In the stabilized form, every step forms one matrix;
//! for a small model, every iteration forms one. A run that has converged waits for the other three. A run
//! that does not converge is repeated alone, where more remedies are available. The results of a run do not
//! depend on the other lanes.
//!
//! `precess::study::run_batch` runs models this way.

mod extrapolation;
mod iteration;

use num_traits::Zero;
use precess_lie::{Lanes, Number};

use self::extrapolation::Extrapolation;
use self::iteration::BatchIteration;
use super::alpha::Alpha;
use super::form::{Eta, Form};
use super::generalized_alpha::{GeneralizedAlpha, Predictor, Start};
use super::implicit::{Newton, Scheme, Strategy};
use super::integrator::check_step;
use super::newton::refresh::Keep;
use super::newton::step_test::FLOOR_DECAY;
use super::newton::{self, Made, Policy, Refresh};
use super::sigma::Modification;
use super::start::{Tolerated, finite};
use crate::Error;
use crate::mechanics::batch::{Batch, BatchState, LanePlan};
use crate::mechanics::{Multibody, State, System};
use crate::solve::Solver;
use crate::solve::pattern_lu::PatternLu;

pub use precess_lie::LANES;

type X = Lanes;

/// The largest residual that is accepted in Phi, as in [`InitialValues`](super::InitialValues). For B v, this
/// number is multiplied by the size of v.
const CONSISTENT: f64 = 1e-8;

/// The largest number of coordinates and constraints of a small model. Single runs of small models form a
/// matrix in every iteration. In the stabilized form, lanes do the same to be as accurate. In index-3 form,
/// lanes use one matrix per step and iterate down to rounding errors. This is faster.
const SMALL: usize = 12;

/// The cost of a matrix, in iterations, if it is kept over steps. 3 to 6 are equally good for mechanisms
/// (`-- beside` of the benchmark `speed`), and a rotor in bushings keeps its matrix with any of them.
const MATRIX_COST: f64 = 4.0;

/// Runs of models that differ in their numbers only.
pub struct SideBySide<'a> {
    systems: [&'a dyn System; LANES],
    scheme: GeneralizedAlpha,
    newton: Newton,
    models: Batch<X>,
    factors: PatternLu<X>,
    h: f64,
    t_0: [f64; LANES],
    t: [f64; LANES],
    /// The steps and Newton iterations of each run.
    counts: [Counts; LANES],
    /// True for runs that did not converge.
    failed: [bool; LANES],
    /// The states that keep the memory of the models. Empty if the models have no memory.
    memory: Vec<State>,
    now: States,
    a: Vec<X>,
    q_n: Vec<X>,
    theta_0: Vec<X>,
    v_0: Vec<X>,
    vdot_0: Vec<X>,
    theta: Vec<X>,
    /// The difference theta - theta_0.
    delta: Vec<X>,
    psi: Vec<X>,
    /// The product h eta in the stabilized form; empty otherwise.
    eta_h: Vec<X>,
    /// True if N is M^-1 B^T.
    mass: bool,
    /// Says whether a matrix is used for one iteration, one step or several steps.
    policy: Policy,
    /// True if matrices may be kept over steps.
    keeps: bool,
    /// True if guesses are extrapolated and forces are tested. With old matrices, multipliers need both.
    extrapolates: bool,
    /// True if the runs iterate down to rounding errors.
    strict: bool,
    /// Decides for each run when a matrix that is kept over steps is renewed.
    refresh: [Refresh; LANES],
    /// The factors of all runs, if they are kept over steps. A run that needs no new factors keeps these.
    kept: Vec<X>,
    /// The inverse diagonal entries of the equations of motion in the matrices that are kept over steps.
    row_scale: Vec<X>,
    /// Below these sizes, corrections of a run do not shrink.
    floors: [f64; LANES],
    extrapolation: Extrapolation,
    scratch: Vec<X>,
}

/// The work of a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of steps.
    pub steps: usize,
    /// The number of Newton iterations.
    pub iterations: usize,
    /// The number of matrices.
    pub jacobians: usize,
}

/// The states of all runs, side by side.
#[derive(Clone, Debug, Default)]
struct States {
    q: Vec<X>,
    v: Vec<X>,
    vdot: Vec<X>,
    lambda: Vec<X>,
}

impl<'a> SideBySide<'a> {
    /// Prepares systems for simulation at the same time. Returns `None` if they differ in more than their
    /// numbers, have more than 96 unknowns, or are [refused](crate::mechanics::batch::refusal). It also
    /// returns `None` if lanes do not support the form of the scheme or the strategy of Newton's method.
    #[inline]
    pub fn new(systems: [&'a dyn System; LANES], scheme: GeneralizedAlpha, newton: Newton) -> Option<Self> {
        Self::planned(systems, scheme, newton, &mut None)
    }

    /// The same with the plan of earlier systems, if these have the same structure. The results are the same
    /// to the bit. The plan is replaced if it does not suit the systems.
    #[inline]
    pub fn planned(
        systems: [&'a dyn System; LANES],
        scheme: GeneralizedAlpha,
        newton: Newton,
        plan: &mut Option<LanePlan>,
    ) -> Option<Self> {
        let usual = matches!(newton.strategy, Strategy::Auto | Strategy::Full | Strategy::Once)
            && matches!(scheme.predictor, Predictor::Auto | Predictor::Constant)
            && newton.solver == Solver::default()
            && scheme.modification == Modification::default();
        let constrained = systems[0].n_lambda() > 0;
        let stabilized = constrained && scheme.form == Form::StabilizedIndex2;
        if !Lanes::are_available() || !usual || (constrained && scheme.form != Form::Index3 && !stabilized) {
            return None;
        }
        let list: [Option<&Multibody>; LANES] = systems.map(Multibody::of);
        let first = list[0]?;
        if list.iter().any(Option::is_none) {
            return None;
        }
        let (models, mut factors) = Batch::in_lanes(list.map(|m| m.unwrap_or(first)), stabilized, plan)?;
        // This checks the parameters of the scheme.
        scheme.check(systems[0]).ok()?;
        let [n_q, n_v, n_lambda] = models.sizes();
        let zeros = |n: usize| vec![X::zero(); n];
        let small = newton.strategy == Strategy::Auto && n_lambda > 0 && n_v + n_lambda <= SMALL;
        let policy = match newton.strategy {
            Strategy::Full => Policy::EVERY_ITERATION,
            Strategy::Once => Policy::EVERY_STEP,
            _ if small && stabilized => Policy::EVERY_ITERATION,
            _ if small || stabilized => Policy::EVERY_STEP,
            _ => Policy::of(Strategy::Kept),
        };
        let keeps = policy.keep != Keep::Never;
        let n_kept = if keeps { factors.matrix.values_mut().len() } else { 0 };
        let extrapolates = keeps && n_lambda > 0;
        let [k, m] = if extrapolates { [n_v, n_lambda] } else { [0; 2] };
        Some(SideBySide {
            mass: scheme.eta_direction == Eta::Mass,
            systems,
            scheme,
            newton,
            models,
            factors,
            h: 0.0,
            t_0: [0.0; LANES],
            t: [0.0; LANES],
            counts: [Counts::default(); LANES],
            failed: [false; LANES],
            memory: Vec::new(),
            now: States { q: zeros(n_q), v: zeros(n_v), vdot: zeros(n_v), lambda: zeros(n_lambda) },
            a: zeros(n_v),
            q_n: zeros(n_q),
            theta_0: zeros(n_v),
            v_0: zeros(n_v),
            vdot_0: zeros(n_v),
            theta: zeros(n_v),
            delta: zeros(n_v),
            psi: zeros(n_v + n_lambda * if stabilized { 2 } else { 1 }),
            eta_h: zeros(if stabilized { n_lambda } else { 0 }),
            strict: small && !stabilized,
            policy,
            keeps,
            extrapolates,
            refresh: Default::default(),
            kept: zeros(n_kept),
            row_scale: zeros(k),
            floors: [0.0; LANES],
            extrapolation: Extrapolation::new(k, m),
            scratch: zeros(k),
        })
    }

    /// Begins one run per lane with the starting values of the options. Positions and velocities must be
    /// consistent. The function fills in accelerations and multipliers.
    pub fn start(&mut self, states: &mut [State], h: f64) -> Result<(), Error> {
        check_step(h)?;
        let [n_q, n_v, n_lambda] = self.models.sizes();
        let lengths =
            |s: &State| [(s.q.len(), n_q), (s.v.len(), n_v), (s.vdot.len(), n_v), (s.lambda.len(), n_lambda)];
        let mut all = [(states.len(), LANES)].into_iter().chain(states.iter().flat_map(lengths));
        if let Some((found, expected)) = all.find(|(found, expected)| found != expected) {
            return Err(Error::Length { what: "states of runs side by side", found, expected });
        }
        for (lane, state) in states.iter().enumerate() {
            for (all, own) in [(&mut self.now.q, &state.q), (&mut self.now.v, &state.v)] {
                all.iter_mut().zip(own).for_each(|(all, own)| all.set(lane, *own));
            }
        }
        self.check(states)?;
        if self.scheme.start != Start::Classical {
            for (lane, (system, state)) in self.systems.iter().zip(states.iter_mut()).enumerate() {
                self.scheme.start(*system, state, h)?;
                self.a.iter_mut().zip(self.scheme.a()).for_each(|(all, a)| all.set(lane, *a));
            }
        }
        self.h = h;
        self.counts = [Counts::default(); LANES];
        self.failed = [false; LANES];
        for refresh in &mut self.refresh {
            *refresh = Refresh::new(MATRIX_COST);
            refresh.policy = self.policy;
        }
        self.floors = [0.0; LANES];
        self.extrapolation.forget();
        let States { q, v, vdot, lambda } = &mut self.now;
        for (lane, state) in states.iter().enumerate() {
            // Starting values may have changed the velocities.
            for (all, own) in [(&mut *v, &state.v), (vdot, &state.vdot), (lambda, &state.lambda)] {
                all.iter_mut().zip(own).for_each(|(all, own)| all.set(lane, *own));
            }
        }
        if self.scheme.start == Start::Classical {
            let given: (X, &[X], &[X]) = (Lanes::new(std::array::from_fn(|i| states[i].t)), q, v);
            self.models.accelerations(given, [vdot, lambda], &mut self.psi, &mut self.factors);
            self.a.copy_from_slice(vdot);
            for (lane, state) in states.iter_mut().enumerate() {
                // The cause is reported by the run that is then done alone.
                self.failed[lane] = !vdot.iter().chain(&*lambda).all(|x| x.lane(lane).is_finite());
                for (all, own) in [(&*vdot, &mut state.vdot), (lambda, &mut state.lambda)] {
                    own.iter_mut().zip(all).for_each(|(own, all)| *own = all.lane(lane));
                }
            }
        }
        self.t_0 = std::array::from_fn(|i| states[i].t);
        self.t = self.t_0;
        self.memory.clear();
        if states.iter().any(|s| !s.memory.is_empty()) {
            self.memory.extend(states.iter().cloned());
        }
        self.share_memory();
        Ok(())
    }

    /// Refuses positions and velocities that do not satisfy the constraints, as
    /// [`InitialValues`](super::InitialValues) does.
    fn check(&mut self, states: &[State]) -> Result<(), Error> {
        let m = self.now.lambda.len();
        let mut residuals = vec![X::zero(); 2 * m];
        let t = Lanes::new(std::array::from_fn(|i| states[i].t));
        self.models.constraints(t, &self.now.q, &self.now.v, &mut residuals);
        for (lane, (system, state)) in self.systems.iter().zip(states).enumerate() {
            let own: Vec<f64> = residuals.iter().map(|x| x.lane(lane)).collect();
            finite(&state.v, state.t, |i| format!("the initial {}", system.velocity_name(i)))?;
            finite(&own, state.t, |i| format!("'{}'", system.constraint_name(i % m)))?;
            let (phi, rates) = own.split_at(m);
            let tolerated = Tolerated::new(*system, state, CONSISTENT);
            tolerated.check_position(*system, phi, state.t)?;
            tolerated.check_velocity(*system, rates, state.t)?;
        }
        Ok(())
    }

    /// The order of convergence.
    pub fn order(&self) -> usize {
        self.scheme.order()
    }

    /// The work of each run so far.
    pub fn counts(&self) -> [Counts; LANES] {
        self.counts
    }

    /// Writes the state of a run. Returns false if the run has failed.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn state(&self, lane: usize, state: &mut State) -> bool {
        let States { q, v, vdot, lambda } = &self.now;
        let lists =
            [(q, &mut state.q), (v, &mut state.v), (vdot, &mut state.vdot), (lambda, &mut state.lambda)];
        for (from, to) in lists {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from.lane(lane));
        }
        state.t = self.t[lane];
        if let Some(own) = self.memory.get(lane) {
            state.memory.clone_from(&own.memory);
        }
        !self.failed[lane]
    }

    /// The multipliers eta of a run in the last step. They are empty unless the form is stabilized.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn eta(&self, lane: usize) -> Vec<f64> {
        self.eta_h.iter().map(|x| x.lane(lane) / self.h).collect()
    }

    /// Does one step of all runs, after [`start`](Self::start). Runs that have failed are ignored.
    pub fn step(&mut self) {
        Lanes::vectorize(
            #[inline(always)]
            || self.advance(),
        );
        self.remember();
    }

    #[inline(always)]
    fn advance(&mut self) {
        let h = self.h;
        let Alpha { alpha_m, alpha_f, beta, gamma } = self.scheme.alpha;
        let (dv, da) = (gamma / (beta * h), (1.0 - alpha_m) / (beta * (1.0 - alpha_f) * h * h));
        self.q_n.copy_from_slice(&self.now.q);
        let [x, y, z] = [h, 0.5 * h * h, alpha_f].map(X::of);
        let per_f = X::of(1.0 / (1.0 - alpha_f));
        for i in 0..self.a.len() {
            let (v, a) = (self.now.v[i], self.a[i]);
            self.theta_0[i] = x * v + y * a;
            self.v_0[i] = v + x * a;
            self.vdot_0[i] = (a - z * self.now.vdot[i]) * per_f;
            self.delta[i] = X::zero();
        }
        if self.extrapolates {
            self.extrapolate(beta * h * h);
        }
        if !self.eta_h.is_empty() {
            let States { v, vdot, lambda, .. } = &self.now;
            let at = BatchState { t: Lanes::new(self.t), q: &self.q_n, v, vdot, lambda };
            self.models.set_direction(&at, self.mass);
            self.eta_h.fill(X::zero());
        }
        self.follow(dv, da);
        let made = Made { h, alpha: h * dv };
        let asks: [bool; LANES] =
            std::array::from_fn(|i| self.refresh[i].begin(made, true) && !self.failed[i]);
        let iteration = &mut BatchIteration::new(self, [dv, da], asks);
        // Failures are recorded for each run, so the result is not needed.
        let _ = newton::solve(iteration, asks.contains(&true));
        let per_delta = X::of(1.0 / (beta * h * h));
        if self.extrapolates {
            let changes = self.delta.iter().map(|d| per_delta * *d);
            self.extrapolation.append(changes, &self.now.lambda);
        }
        self.floors.iter_mut().for_each(|floor| *floor *= FLOOR_DECAY);
        for (a, d) in self.a.iter_mut().zip(&self.delta) {
            *a += per_delta * *d;
        }
        for i in 0..LANES {
            self.counts[i].steps += 1;
            self.t[i] = self.time(i, self.counts[i].steps);
        }
    }

    /// Extrapolates a and lambda; `per_a` is the derivative of delta with respect to a.
    #[inline(always)]
    fn extrapolate(&mut self, per_a: f64) {
        let ([x, y, z], per_a) = (self.extrapolation.weights(), X::of(per_a));
        let Extrapolation { a, lambda, lambda_n, .. } = &mut self.extrapolation;
        for (i, delta) in self.delta.iter_mut().enumerate() {
            *delta = per_a * (x * a[0][i] + y * a[1][i] + z * a[2][i]);
        }
        lambda_n.copy_from_slice(&self.now.lambda);
        for (i, now) in self.now.lambda.iter_mut().enumerate() {
            *now += x * lambda[0][i] + y * lambda[1][i] + z * lambda[2][i];
        }
    }

    /// The time of a run after this number of steps.
    fn time(&self, lane: usize, steps: usize) -> f64 {
        self.t_0[lane] + steps as f64 * self.h
    }

    /// Computes the iterate from delta.
    #[inline(always)]
    fn follow(&mut self, dv: f64, da: f64) {
        let (dv, da) = (X::of(dv), X::of(da));
        for i in 0..self.delta.len() {
            let d = self.delta[i];
            self.theta[i] = self.theta_0[i] + d;
            self.now.v[i] = self.v_0[i] + dv * d;
            self.now.vdot[i] = self.vdot_0[i] + da * d;
        }
        if !self.eta_h.is_empty() {
            self.models.add_along(|i| -self.eta_h[i], &mut self.theta);
        }
        self.models.retract(&self.q_n, &self.theta, &mut self.now.q);
    }

    /// Updates the memory of the models after a step. It counts the turns of joints.
    fn remember(&mut self) {
        // The memory is taken out here, so `state` does not change it.
        let mut list = std::mem::take(&mut self.memory);
        for (lane, own) in list.iter_mut().enumerate() {
            self.state(lane, own);
            own.remember(self.systems[lane]);
        }
        self.memory = list;
        self.share_memory();
    }

    /// Copies the memories of the runs to their equations.
    fn share_memory(&mut self) {
        for (lane, own) in self.memory.iter().enumerate() {
            self.models.memory.iter_mut().zip(&own.memory).for_each(|(all, own)| all.set(lane, *own));
        }
    }
}
