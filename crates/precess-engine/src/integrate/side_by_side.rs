//! Generalized-alpha for several runs at the same time, in the lanes of the vector unit.
//!
//! The step is that of single runs ([`step`](super::step)), index-3 or stabilized, for models that differ in
//! numbers only (`mechanics/batch.rs`). In index-3 form and without constraints, each run keeps its matrix over
//! several steps. In the stabilized form, every step forms one matrix; for a small model, every iteration forms
//! one. A run that does not converge is repeated alone, where more remedies are available. The results of a
//! run do not depend on the other lanes.
//!
//! `precess::study::run_batch` runs models this way.

use num_traits::Zero;
use precess_lie::{Lanes, Number};

use super::form::Form;
use super::generalized_alpha::{GeneralizedAlpha, Predictor, Start};
use super::implicit::{Implicit, Newton, Scheme, Strategy};
use super::integrator::{Integrator, check_step};
use super::newton::Policy;
use super::newton::refresh::Keep;
use super::sigma::Modification;
use super::start::{Tolerated, finite};
use super::step::places::Places;
pub use super::step::tested::Counts;
use super::step::tested::{StepSettings, Tested};
use super::step::{Method, Step, advance};
use crate::Error;
use crate::mechanics::batch::{Batch, LanePlan};
use crate::mechanics::{Block, Dynamics, Equations, Multibody, State, System};
use crate::solve::Solver;

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

/// Runs of models that differ in their numbers only, with generalized-alpha or another method for lanes.
pub struct SideBySide<'a, M = GeneralizedAlpha<X>> {
    systems: [&'a dyn System; LANES],
    method: M,
    order: usize,
    /// Single runs compute the starting values, unless these are just accelerations.
    tables: Option<GeneralizedAlpha>,
    models: Batch<X>,
    linear: Places<X>,
    control: Tested<X>,
    step: Step<X>,
    h: f64,
    t_0: [f64; LANES],
    /// The states that keep the memory of the models. Empty if the models have no memory.
    memory: Vec<State>,
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
        let usual = matches!(scheme.predictor, Predictor::Auto | Predictor::Constant)
            && scheme.modification == Modification::default();
        // This checks the parameters of the scheme.
        scheme.check(systems[0]).ok().filter(|()| usual)?;
        let sizes = [systems[0].group().dim(), systems[0].n_lambda()];
        let form = if systems[0].n_lambda() > 0 { scheme.form } else { Form::Index3 };
        let method = scheme.with_numbers(form, sizes);
        let facts = (form, scheme.order(), scheme.histories());
        let runs = SideBySide::of(systems, method, facts, newton, plan)?;
        let tables = (scheme.start != Start::Classical).then_some(scheme);
        Some(SideBySide { tables, ..runs })
    }
}

impl<'a, M: Method<X>> SideBySide<'a, M> {
    /// Prepares systems for any method that is written for lanes, given its form, its order and the number of
    /// vectors in its history.
    #[inline]
    pub fn of(
        systems: [&'a dyn System; LANES],
        method: M,
        (form, order, histories): (Form, usize, usize),
        newton: Newton,
        plan: &mut Option<LanePlan>,
    ) -> Option<Self> {
        let usual = matches!(newton.strategy, Strategy::Auto | Strategy::Full | Strategy::Once)
            && newton.solver == Solver::default();
        let constrained = systems[0].n_lambda() > 0;
        let stabilized = constrained && form == Form::StabilizedIndex2;
        if !Lanes::are_available() || !usual || (constrained && form != Form::Index3 && !stabilized) {
            return None;
        }
        let list: [Option<&Multibody>; LANES] = systems.map(Multibody::of);
        let first = list[0]?;
        if list.iter().any(Option::is_none) {
            return None;
        }
        let list = list.map(|m| m.unwrap_or(first));
        let plan = LanePlan::of(&list, stabilized, plan)?;
        let models = Batch::new(&list, &|number| Lanes::new(std::array::from_fn(number)))?;
        let [n_q, n_v, n_lambda] = models.sizes();
        let small = newton.strategy == Strategy::Auto && n_lambda > 0 && n_v + n_lambda <= SMALL;
        let policy = match newton.strategy {
            Strategy::Full => Policy::EVERY_ITERATION,
            Strategy::Once => Policy::EVERY_STEP,
            _ if small && stabilized => Policy::EVERY_ITERATION,
            _ if small || stabilized => Policy::EVERY_STEP,
            _ => Policy::of(Strategy::Kept),
        };
        let keeps = policy.keep != Keep::Never;
        let settings = StepSettings {
            policy,
            keeps,
            regular: true,
            // Small models iterate down to rounding errors.
            tolerance: if small && !stabilized { 0.0 } else { newton.tolerance },
            max_iterations: newton.max_iterations,
            damping: false,
            quadratic: false,
        };
        let zeros = |n: usize| vec![X::zero(); n];
        let now = State {
            t: X::zero(),
            q: zeros(n_q),
            v: zeros(n_v),
            vdot: zeros(n_v),
            lambda: zeros(n_lambda),
            s: Vec::new(),
            memory: zeros(first.n_memory()),
        };
        let blocks = Block::of(first.group());
        let mut step = Step::new(form, now, histories, &models, (plan.tangents(), blocks));
        // With old matrices, multipliers need better guesses.
        step.keeps_matrix = keeps && constrained;
        Some(SideBySide {
            linear: Places::new(plan, models.inverse.clone(), if keeps { n_v } else { 0 }),
            control: Tested::new(settings, MATRIX_COST),
            method,
            order,
            tables: None,
            systems,
            models,
            step,
            h: 0.0,
            t_0: [0.0; LANES],
            memory: Vec::new(),
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
        self.read(states);
        self.check(states)?;
        self.h = h;
        self.t_0 = std::array::from_fn(|i| states[i].t);
        self.control = Tested::new(self.control.settings, MATRIX_COST);
        self.memory.clear();
        if states.iter().any(|s| !s.memory.is_empty()) {
            self.memory.extend(states.iter().cloned());
        }
        self.share_memory();
        if let Some(scheme) = &self.tables {
            let mut first = Vec::new();
            for (system, state) in self.systems.iter().zip(states.iter_mut()) {
                let mut alone = Implicit::new(scheme.clone());
                alone.start(*system, state, h)?;
                first.push(alone);
            }
            // Starting values may have changed the velocities.
            self.read(states);
            self.method.begin(&mut self.step, h);
            for (lane, alone) in first.iter().enumerate() {
                self.step.past[2].iter_mut().zip(alone.a()).for_each(|(all, a)| all.set(lane, *a));
            }
            return Ok(());
        }
        self.linear.accelerations(&mut self.step, &self.models);
        let State { vdot, lambda, .. } = &self.step.trial;
        for (lane, state) in states.iter_mut().enumerate() {
            // The cause is reported by the run that is then done alone.
            self.control.runs[lane].failed = !vdot.iter().chain(lambda).all(|x| x.lane(lane).is_finite());
            for (all, own) in [(vdot, &mut state.vdot), (lambda, &mut state.lambda)] {
                own.iter_mut().zip(all).for_each(|(own, all)| *own = all.lane(lane));
            }
        }
        self.method.begin(&mut self.step, h);
        Ok(())
    }

    /// Reads the states of all runs.
    fn read(&mut self, states: &[State]) {
        let State { t, q, v, vdot, lambda, .. } = &mut self.step.trial;
        for (lane, state) in states.iter().enumerate() {
            t.set(lane, state.t);
            let lists = [(&mut *q, &state.q), (v, &state.v), (vdot, &state.vdot), (lambda, &state.lambda)];
            for (all, own) in lists {
                all.iter_mut().zip(own).for_each(|(all, own)| all.set(lane, *own));
            }
        }
    }

    /// Refuses positions and velocities that do not satisfy the constraints, as
    /// [`InitialValues`](super::InitialValues) does.
    fn check(&mut self, states: &[State]) -> Result<(), Error> {
        let m = self.step.trial.lambda.len();
        let mut residuals = vec![X::zero(); 2 * m];
        let (phi, rates) = residuals.split_at_mut(m);
        let out = Equations { r: None, phi: Some(phi), velocity: Some(rates) };
        self.models.equations(&self.step.trial.at(), out);
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
        self.order
    }

    /// The work of each run so far.
    pub fn counts(&self) -> [Counts; LANES] {
        std::array::from_fn(|lane| self.control.runs[lane].counts)
    }

    /// Writes the state of a run. Returns false if the run has failed.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn state(&self, lane: usize, state: &mut State) -> bool {
        let State { t, q, v, vdot, lambda, .. } = &self.step.trial;
        let lists =
            [(q, &mut state.q), (v, &mut state.v), (vdot, &mut state.vdot), (lambda, &mut state.lambda)];
        for (from, to) in lists {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from.lane(lane));
        }
        state.t = t.lane(lane);
        if let Some(own) = self.memory.get(lane) {
            state.memory.clone_from(&own.memory);
        }
        !self.control.runs[lane].failed
    }

    /// The multipliers eta of a run in the last step. They are empty unless the form is stabilized.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn eta(&self, lane: usize) -> Vec<f64> {
        self.step.eta_h().iter().map(|x| x.lane(lane) / self.h).collect()
    }

    /// Does one step of all runs, after [`start`](Self::start). Runs that have failed are ignored.
    pub fn step(&mut self) {
        Lanes::vectorize(
            #[inline(always)]
            || {
                let SideBySide { method, models, linear, control, step, h, .. } = self;
                step.begin(*h);
                // Failures are recorded for each run, so the result is not needed.
                let _ = advance(method, models, linear, control, step);
            },
        );
        let steps = |lane: usize| self.control.runs[lane].counts.steps as f64;
        self.step.trial.t = Lanes::new(std::array::from_fn(|lane| self.t_0[lane] + steps(lane) * self.h));
        self.remember();
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
            let all = self.step.trial.memory.iter_mut();
            all.zip(&own.memory).for_each(|(all, own)| all.set(lane, *own));
        }
    }
}
