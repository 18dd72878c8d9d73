//! Implicit methods with fixed steps.
//!
//! A [`Scheme`] is a [`Method`] with a name, starting values and remedies. [`Implicit`] makes its steps
//! ([`advance`]) and tries rescues if Newton's method fails (`recovery.rs`).

use super::integrator::{Integrator, StepReport, check_step};
pub use super::newton::{Newton, Strategy};
use super::newton::{Policy, Refresh};
use super::step::tested::{StepSettings, Tested};
use super::step::{Failure, KktFactors, Linear, Method, Step, advance, solve};
use crate::Error;
use crate::error::first_not_finite;
use crate::integrate::form::Form;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};
use crate::solve::Solver;

/// A first guess other than the one of [`Method::predict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// One of the other guesses of the scheme, by number.
    Other(usize),
    /// From the solution of a shorter step from the same state. This solution is the current iterate.
    Shorter,
}

/// An implicit method with a name: its formulas as printed in the paper, and its starting values.
pub trait Scheme: Method<f64> + Send + 'static {
    /// Name as typed by users.
    fn name(&self) -> &'static str;
    /// Order of convergence.
    fn order(&self) -> usize;
    /// Constraints enforced.
    fn form(&self) -> Form;
    /// Number of vectors in [`Step::past`]: v_n, v'_n and those that the method keeps.
    fn histories(&self) -> usize {
        2
    }
    /// Computes starting values; the step has room for the system.
    fn start(&mut self, system: &dyn System, step: &mut Step, state: &mut State, h: f64)
    -> Result<(), Error>;
    /// The same, but the velocities stay as they are.
    fn restart(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        self.start(system, step, state, h)
    }

    /// Refuses parameters and systems that the method cannot handle.
    fn check(&self, system: &dyn System) -> Result<(), Error> {
        let _ = system;
        Ok(())
    }
    /// True if the error of the method is far above the error caused by a matrix of an earlier step: a few
    /// round-offs, with the same sign in every step.
    fn keeps_matrices(&self, system: &dyn System) -> bool {
        let _ = system;
        false
    }
    /// Begins a step with another guess; false if the method has no such guess.
    fn predict_anew(
        &mut self,
        (step, linear): (&mut Step, &mut KktFactors),
        system: &dyn System,
        (state, h): (&State, f64),
        guess: Guess,
    ) -> bool {
        let _ = (step, linear, system, state, h, guess);
        false
    }
    /// Converts the history to another step size and keeps the order; false if that is not possible.
    fn change_step(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        (from, to): (f64, f64),
    ) -> Result<bool, Error> {
        let _ = (system, step, state, from, to);
        Ok(false)
    }
    /// Takes the accelerations of the state as its history, if the method keeps nothing else of the past;
    /// false if a start is needed.
    fn resume(&mut self, step: &mut Step, state: &State) -> bool {
        let _ = (step, state);
        false
    }
    /// Remedies for failures of Newton's method, without those already in use.
    fn remedies(&self, system: &dyn System) -> Vec<&'static str> {
        let _ = system;
        vec!["a smaller step"]
    }
    /// Writes what it keeps beside [`Step::past`] to an archive, or reads it after a start with the same
    /// model; see [`Persist`].
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let _ = archive;
        Err(Damage::Unsupported(format!("the method {}", self.name())))
    }
    /// A copy; none if copies need [`persist`](Scheme::persist).
    fn copied(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A [`Scheme`] driven by Newton's method.
#[derive(Clone, Debug)]
pub struct Implicit<S> {
    /// The method.
    pub scheme: S,
    /// Newton settings.
    pub newton: Newton,
    pub(super) step: Step,
    pub(super) linear: KktFactors,
    pub(super) control: Tested<f64>,
    /// The strategy that `Auto` selects for this system.
    automatic: Strategy,
}

/// The settings of a step with this strategy.
fn settings(strategy: Strategy, newton: &Newton, regular: bool) -> StepSettings {
    StepSettings {
        policy: Policy::of(strategy),
        keeps: strategy == Strategy::Kept,
        regular,
        tolerance: newton.tolerance,
        max_iterations: newton.max_iterations,
        damping: newton.damping,
        quadratic: matches!(strategy, Strategy::Full | Strategy::Once),
    }
}

impl<S: Scheme> Implicit<S> {
    /// A method with default Newton settings.
    pub fn new(scheme: S) -> Self {
        let newton = Newton::default();
        Implicit {
            step: Step::empty(scheme.form()),
            scheme,
            newton,
            linear: KktFactors::default(),
            control: Tested::new(settings(Strategy::Full, &newton, true), 0.0),
            automatic: Strategy::Full,
        }
    }

    /// With other Newton settings.
    pub fn with_newton(mut self, newton: Newton) -> Self {
        self.newton = newton;
        self
    }

    /// The strategy in use.
    pub fn strategy(&self) -> Strategy {
        match self.newton.strategy {
            Strategy::Auto => self.automatic,
            named => named,
        }
    }

    /// The step: its data, and between steps the state.
    pub fn step_data(&self) -> &Step {
        &self.step
    }

    /// Refuses what the method cannot do, and makes room for its step. The matrix of another start is dropped: a
    /// large model then has room for the matrices of its starting values.
    fn begin(&mut self, system: &dyn System, state: &State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        self.scheme.check(system)?;
        self.linear = KktFactors::default();
        let Step { opens_with_gap, renews_direction, .. } = self.step;
        self.step = Step::of(self.scheme.form(), system, state, self.scheme.histories());
        (self.step.opens_with_gap, self.step.renews_direction) = (opens_with_gap, renews_direction);
        Ok(())
    }

    /// Makes room for the matrix and chooses the strategy of Newton's method.
    fn prepare(&mut self, system: &dyn System) {
        self.linear = KktFactors::of(self.scheme.form(), system, self.newton.solver);
        self.control = Tested::new(self.control.settings, self.linear.kkt.cost());
        let sparse = self.linear.kkt.is_sparse();
        let old = self.scheme.keeps_matrices(system) && system.row_weights().is_none();
        self.automatic = match (sparse, old) {
            (false, true) if system.n_lambda() == 0 => Strategy::Kept,
            (false, _) => Strategy::Full,
            (true, true) => Strategy::Kept,
            (true, false) => Strategy::Once,
        };
        self.settle(system);
        self.step.keeps_matrix = self.strategy() == Strategy::Kept;
    }

    /// Passes the settings of Newton's method on.
    fn settle(&mut self, system: &dyn System) {
        // Regularised rows need a new matrix in every iteration.
        let regular = system.row_weights().is_none() && self.may_keep();
        let strategy = self.strategy();
        self.control.settings = settings(strategy, &self.newton, regular);
        self.control.runs[0].refresh.policy = Policy::of(strategy);
        self.linear.assembly.simplified = self.newton.strategy == Strategy::Simplified;
    }

    /// Makes the next step form a new matrix.
    pub(super) fn forget_matrix(&mut self) {
        self.control.forget_matrix();
    }

    /// The matrix of the run, and how long to keep it.
    pub(super) fn refresh(&mut self) -> &mut Refresh {
        &mut self.control.runs[0].refresh
    }

    /// False if the factors needed pivots from whole columns: these are not kept.
    fn may_keep(&self) -> bool {
        self.strategy() != Strategy::Kept || !self.linear.kkt.is_pivoted()
    }

    /// Saves the history, and the factors if a later step uses them. The flag that decides this is saved
    /// first.
    pub(super) fn persist_with(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let may_keep = self.may_keep();
        let Implicit { scheme, newton: _, step, linear, control, automatic: _ } = self;
        scheme.persist(archive)?;
        step.persist(archive)?;
        let (kkt, run) = (&mut linear.kkt, &mut control.runs[0]);
        let (refresh, floor) = (&mut run.refresh, &mut run.floor);
        (kkt.row_scale_mut(), (&mut *refresh, (floor, &mut control.quadratic))).persist(archive)?;
        kkt.persist_trust(archive)?;
        if refresh.keeps_factors() && may_keep { kkt.persist(archive) } else { Ok(()) }
    }

    /// Begins a step: the predictor and a first guess.
    pub(super) fn predict(&mut self, system: &dyn System, state: &State, h: f64) {
        self.step.begin_at(state, h);
        self.scheme.predict(&mut self.step, system, &mut self.linear);
    }

    /// Newton's method from the current guess.
    pub(super) fn solve(&mut self, system: &dyn System, report: &mut StepReport) -> Result<(), Error> {
        self.settle(system);
        let Implicit { linear, control, step, .. } = self;
        let outcome = solve(system, linear, control, step);
        self.note(report);
        let iterations = self.control.work()[0];
        outcome.map_err(|failure| self.explain(failure, system, iterations))
    }

    /// Adds the work of the last step to a report.
    fn note(&mut self, report: &mut StepReport) {
        let [iterations, jacobians, dampings] = self.control.work();
        report.iterations += iterations;
        report.jacobians += jacobians;
        report.dampings += dampings;
        self.note_fallbacks(report);
    }

    pub(super) fn note_fallbacks(&mut self, report: &mut StepReport) {
        let asked_for = self.newton.solver == Solver::Pivoted;
        report.fallbacks += if asked_for { 0 } else { self.linear.fallbacks };
        self.linear.fallbacks = 0;
    }

    /// The error for a failure of Newton's method.
    pub(super) fn explain(&mut self, failure: Failure, system: &dyn System, iterations: usize) -> Error {
        let t = self.step.trial.t;
        match failure {
            Failure::Singular(e) => {
                self.control.runs[0].refresh.forget();
                Error::SingularMatrix {
                    t,
                    step: 0,
                    pivot: e.pivot,
                    size: e.size,
                    unknown: self.step.row_name(system, e.column),
                    diagnosis: Box::default(),
                }
            }
            Failure::NotFinite => {
                let (i, value) = first_not_finite(&self.step.psi).unwrap_or((0, f64::NAN));
                Error::NotFinite {
                    what: format!("the residual of {}", self.step.row_name(system, i)),
                    value,
                    t,
                    step: 0,
                }
            }
            Failure::Diverges(correction) => {
                let worst = Tested::worst(&self.step, self.linear.row_scale());
                Error::Newton {
                    t,
                    step: 0,
                    iterations,
                    correction,
                    worst: self.step.row_name(system, worst),
                    diagnosis: Box::default(),
                }
            }
        }
    }

    /// Forms and factorises the matrix at the iterate, outside of Newton's method.
    pub(super) fn refactor(&mut self, system: &dyn System) -> Result<(), Error> {
        let Implicit { linear, step, control, .. } = self;
        let outcome = linear.form(step, system);
        control.renewed(step.made());
        outcome.map_err(|e| self.explain(Failure::Singular(e), system, 0))
    }
}

impl<S: Scheme> Integrator for Implicit<S> {
    fn name(&self) -> &'static str {
        self.scheme.name()
    }

    fn order(&self) -> usize {
        self.scheme.order()
    }

    fn eta(&self) -> Option<&[f64]> {
        self.step.eta()
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.begin(system, state, h)?;
        self.scheme.start(system, &mut self.step, state, h)?;
        self.prepare(system);
        Ok(())
    }

    fn restart(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.begin(system, state, h)?;
        self.scheme.restart(system, &mut self.step, state, h)?;
        self.prepare(system);
        Ok(())
    }

    fn resume(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        if !self.scheme.resume(&mut self.step, state) {
            return self.start(system, state, h);
        }
        // The measured convergence rates still hold: forces have jumped, but not their derivatives.
        self.refresh().forget();
        Ok(())
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.persist_with(archive)
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(Implicit {
            scheme: self.scheme.copied()?,
            newton: self.newton,
            step: self.step.clone(),
            linear: self.linear.clone(),
            control: self.control.clone(),
            automatic: self.automatic,
        }))
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let mut report = StepReport::default();
        self.settle(system);
        self.step.begin_at(state, h);
        let Implicit { scheme, linear, control, step, .. } = self;
        let mut outcome = advance(scheme, system, linear, control, step);
        self.note(&mut report);
        if outcome.is_err() && self.strategy() == Strategy::Kept {
            // The cause may be an old matrix or an extrapolation.
            self.forget_matrix();
            self.settle(system);
            self.step.keeps_matrix = false;
            self.step.begin_at(state, h);
            let Implicit { scheme, linear, control, step, .. } = self;
            outcome = advance(scheme, system, linear, control, step);
            self.step.keeps_matrix = true;
            self.note(&mut report);
        }
        if let Err(failure) = outcome {
            let iterations = self.control.work()[0];
            let error = self.explain(failure, system, iterations);
            return self.recover(system, state, h, error, report);
        }
        self.step.end_at(state);
        state.remember(system);
        Ok(report)
    }
}
