//! Implicit methods with fixed steps.
//!
//! A [`Scheme`] contains the formulas of one method: how v_np1 and v'_np1 follow from the increment of a
//! step. [`Condensed`] contains the equations of the step and their derivatives, which are the same for all
//! methods. [`Implicit`] solves them by Newton's method (`newton/mod.rs`, and `implicit/iteration.rs` for
//! steps of given size) and tries rescues if it fails (`recovery.rs`).

mod iteration;

use self::iteration::Iteration;
use super::condensed::Condensed;
use super::integrator::{Integrator, StepReport, check_step};
use super::newton::step_test::FLOOR_DECAY;
use super::newton::{self, Made, Policy, Refresh};
pub use super::newton::{Newton, Strategy};
use super::recovery;
use crate::Error;
use crate::error::first_not_finite;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};
use crate::solve::{Kkt, Solver};

/// A first guess other than the one of [`Scheme::predict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// One of the other guesses of the scheme, by number.
    Other(usize),
    /// From the solution of a shorter step from the same state. This solution is the current iterate.
    Shorter,
}

/// An implicit method: its formulas as printed in the paper.
pub trait Scheme: Clone + Send + 'static {
    /// Name as typed by users.
    fn name(&self) -> &'static str;
    /// Order of convergence.
    fn order(&self) -> usize;
    /// The equations of a step and its iterate.
    fn step(&self) -> &Condensed;
    /// The same, mutable.
    fn step_mut(&mut self) -> &mut Condensed;
    /// Sizes the workspace and computes starting values.
    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error>;
    /// The same, but the velocities stay as they are.
    fn restart(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.start(system, state, h)
    }
    /// Begins a step: computes everything that depends only on t_n, and the first guess.
    fn predict(&mut self, system: &dyn System, state: &State, h: f64);
    /// Ends the step: the iterate becomes the state, and the old state becomes history.
    fn accept(&mut self, state: &mut State);

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
    fn predict_anew(&mut self, system: &dyn System, state: &State, h: f64, guess: Guess) -> bool {
        let _ = (system, state, h, guess);
        false
    }
    /// Converts the history to another step size and keeps the order; false if that is not possible.
    fn change_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        from: f64,
        to: f64,
    ) -> Result<bool, Error> {
        let _ = (system, state, from, to);
        Ok(false)
    }
    /// Takes the accelerations of the state as its history, if the method keeps nothing else of the past;
    /// false if a start is needed.
    fn resume(&mut self, state: &State) -> bool {
        let _ = state;
        false
    }
    /// Remedies for failures of Newton's method, without those already in use.
    fn remedies(&self, system: &dyn System) -> Vec<&'static str> {
        let _ = system;
        vec!["a smaller step"]
    }
    /// Writes the history to an archive, or reads it after a start with the same model; see [`Persist`].
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let _ = archive;
        Err(Damage::Unsupported(format!("the method {}", self.name())))
    }
}

/// A [`Scheme`] driven by Newton's method.
#[derive(Clone, Debug, Default)]
pub struct Implicit<S> {
    /// The method.
    pub scheme: S,
    /// Newton settings.
    pub newton: Newton,
    pub(super) kkt: Kkt,
    pub(super) psi: Vec<f64>,
    pub(super) delta: Vec<f64>,
    /// The current matrix, and the policy how long to keep it.
    pub(super) refresh: Refresh,
    /// Floor below which corrections do not shrink, in units of round-off. Measured with a new matrix; decays
    /// by half in 70 steps.
    floor: f64,
    /// The strategy that `Auto` selects for this system.
    automatic: Strategy,
    /// Second correction divided by the square of the first, in the last step with an exact matrix.
    quadratic: Option<f64>,
    /// Sizes of the residuals and their largest rows, if a diagnosis asks for them.
    pub(super) trace: Option<Vec<(f64, usize)>>,
    /// Regularisation of the constraint rows, to get past a singular position.
    pub(super) regularised: Option<f64>,
}

impl<S: Scheme> Implicit<S> {
    /// A method with default Newton settings.
    pub fn new(scheme: S) -> Self {
        Implicit {
            scheme,
            newton: Newton::default(),
            kkt: Kkt::default(),
            psi: Vec::new(),
            delta: Vec::new(),
            refresh: Refresh::default(),
            automatic: Strategy::Full,
            floor: 0.0,
            quadratic: None,
            trace: None,
            regularised: None,
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

    /// Sizes the workspace for a system and chooses the strategy of Newton's method.
    fn prepare(&mut self, system: &dyn System, h: f64) -> Result<(), Error> {
        check_step(h)?;
        self.scheme.check(system)?;
        self.kkt = Condensed::kkt(self.scheme.step().form, system).with_solver(self.newton.solver);
        for x in [&mut self.psi, &mut self.delta] {
            x.clear();
            x.resize(self.kkt.len(), 0.0);
        }
        self.refresh = Refresh::new(self.kkt.cost());
        self.quadratic = None;
        let sparse = self.kkt.is_sparse();
        let old = self.scheme.keeps_matrices(system) && system.row_weights().is_none();
        self.automatic = match (sparse, old) {
            (false, true) if system.n_lambda() == 0 => Strategy::Kept,
            (false, _) => Strategy::Full,
            (true, true) => Strategy::Kept,
            (true, false) => Strategy::Once,
        };
        self.floor = 0.0;
        let kept = self.strategy() == Strategy::Kept;
        self.refresh.policy = Policy::of(self.strategy());
        self.scheme.step_mut().keeps_matrix = kept;
        Ok(())
    }

    /// Makes the next step form a new matrix.
    pub(super) fn forget_matrix(&mut self) {
        self.refresh.forget();
        self.quadratic = None;
    }

    /// The step size and the slope for which a matrix of the current step is formed.
    pub(super) fn made(&self) -> Made {
        let step = self.scheme.step();
        Made { h: step.h, alpha: step.h * step.dv }
    }

    /// False if the factors needed pivots from whole columns: these are not kept.
    fn may_keep(&self) -> bool {
        self.strategy() != Strategy::Kept || !self.kkt.is_pivoted()
    }

    /// Saves the history, and the factors if a later step uses them. The flag that decides this is saved
    /// first.
    pub(super) fn persist_with(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Implicit {
            scheme,
            newton: _,
            kkt,
            psi: _,
            delta: _,
            refresh,
            automatic: _,
            floor,
            quadratic,
            trace: _,
            regularised: _,
        } = self;
        scheme.persist(archive)?;
        (kkt.row_scale_mut(), (&mut *refresh, (floor, quadratic))).persist(archive)?;
        kkt.persist_trust(archive)?;
        if refresh.keeps_factors() && self.may_keep() { self.kkt.persist(archive) } else { Ok(()) }
    }

    /// Newton's method for a step to t, from the current guess.
    pub(super) fn iterate(
        &mut self,
        system: &dyn System,
        t: f64,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        let strategy = self.strategy();
        self.refresh.policy = Policy::of(strategy);
        // Regularised rows need a new matrix in every iteration.
        let regular = system.row_weights().is_none() && self.may_keep();
        let matrix = self.refresh.begin(self.made(), regular);
        newton::solve(&mut Iteration::new(self, system, t, report), matrix)?;
        if strategy == Strategy::Kept {
            self.floor *= FLOOR_DECAY;
            self.refresh.solved(report.iterations);
        }
        Ok(())
    }

    /// The residual at the iterate.
    pub(super) fn evaluate(&mut self, system: &dyn System, t: f64) -> Result<(), Error> {
        self.scheme.step_mut().residual(system, &mut self.psi);
        match first_not_finite(&self.psi) {
            None => Ok(()),
            Some((i, value)) => Err(Error::NotFinite {
                what: format!("the residual of {}", self.scheme.step().row_name(system, i)),
                value,
                t,
                step: 0,
            }),
        }
    }

    /// Forms and factorises the matrix at the iterate, after this number of iterations of the step.
    #[inline]
    pub(super) fn refactor(
        &mut self,
        system: &dyn System,
        t: f64,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        self.refresh.renewing(report.iterations);
        let simplified = self.newton.strategy == Strategy::Simplified;
        let Implicit { scheme, regularised, kkt, .. } = self;
        let outcome = kkt.form(|kkt| {
            scheme.step_mut().iteration_matrix(system, simplified, kkt);
            if let Some(size) = *regularised {
                recovery::regularise(system, size, kkt);
            }
        });
        outcome.map_err(|e| Error::SingularMatrix {
            t,
            step: 0,
            pivot: e.pivot,
            size: e.size,
            unknown: self.scheme.step().row_name(system, e.column),
            diagnosis: Box::default(),
        })?;
        self.refresh.renewed(self.made());
        report.jacobians += 1;
        let asked_for = self.newton.solver == Solver::Pivoted;
        report.fallbacks += usize::from(self.kkt.is_pivoted() && !asked_for);
        Ok(())
    }

    /// The correction for the current residual, computed with the current factors.
    pub(super) fn solve_correction(&mut self) {
        for (d, p) in self.delta.iter_mut().zip(&self.psi) {
            *d = -p;
        }
        self.kkt.solve(&mut self.delta);
    }

    /// Removes the incompatible part of the residual, in the first iteration of a step and when this has to
    /// be repeated.
    pub(super) fn filter(&mut self, system: &dyn System, first: bool) {
        let Implicit { scheme, kkt, psi, .. } = self;
        let step = scheme.step_mut();
        if first || step.filters_again(system) {
            step.filter(system, kkt, psi);
        }
    }

    /// The current residual in units of its own rounding errors.
    pub(super) fn in_round_offs(&mut self, system: &dyn System) -> f64 {
        self.scheme.step_mut().in_round_offs(system, &self.psi, self.kkt.row_scale())
    }

    /// The largest row of the residual in units of positions.
    fn worst(&self) -> usize {
        let scaled = |i: usize| (self.psi[i] * self.kkt.row_scale()[i]).abs();
        (0..self.psi.len()).fold(0, |b, i| if scaled(i) > scaled(b) { i } else { b })
    }

    /// The error for a failed Newton iteration, with the last correction in units of the tolerance.
    pub(super) fn not_converged(
        &self,
        system: &dyn System,
        t: f64,
        correction: f64,
        report: &StepReport,
    ) -> Error {
        Error::Newton {
            t,
            step: 0,
            iterations: report.iterations,
            correction,
            worst: self.scheme.step().row_name(system, self.worst()),
            diagnosis: Box::default(),
        }
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
        self.scheme.step().eta()
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.prepare(system, h)?;
        self.scheme.start(system, state, h)
    }

    fn restart(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.prepare(system, h)?;
        self.scheme.restart(system, state, h)
    }

    fn resume(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        if !self.scheme.resume(state) {
            return self.start(system, state, h);
        }
        // The measured convergence rates still hold: forces have jumped, but not their derivatives.
        self.refresh.forget();
        Ok(())
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.persist_with(archive)
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let mut report = StepReport::default();
        self.scheme.predict(system, state, h);
        let kept = self.strategy() == Strategy::Kept;
        let mut outcome = self.iterate(system, state.t + h, &mut report);
        if outcome.is_err() && kept {
            // The cause may be an old matrix or an extrapolation.
            self.forget_matrix();
            self.scheme.step_mut().keeps_matrix = false;
            outcome = self.attempt(system, state, h, &mut report);
            self.scheme.step_mut().keeps_matrix = true;
        }
        if let Err(error) = outcome {
            return match error {
                Error::Newton { .. } | Error::SingularMatrix { .. } | Error::NotFinite { .. } => {
                    self.recover(system, state, h, error, report)
                }
                other => Err(other),
            };
        }
        self.scheme.accept(state);
        state.remember(system);
        Ok(report)
    }
}
