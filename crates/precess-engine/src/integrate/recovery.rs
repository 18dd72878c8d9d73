//! Rescues for a step in which Newton's method does not converge. They are tried in this order:
//!
//! 1. the exact matrix in every iteration, line search, more iterations;
//! 2. another first guess, if the scheme has one ([`Guess::Other`]);
//! 3. a first guess from shorter steps: the equations are solved for h/n, 2h/n, ..., h from the same state
//!    ([`Guess::Shorter`]); the solution is that of the full step;
//! 4. a regularised matrix: where constraints become dependent for a moment (bars in line), inertia carries
//!    the mechanism through;
//! 5. 2, 4 or 8 shorter steps instead of one. The scheme converts its history to the other step size and back
//!    and keeps its order ([`Scheme::change_step`]): generalized-alpha as with variable steps (a <- v' +
//!    (h/h_prev) (a - v')), in index-3 form by projection and restart with Table 2, BLieDF by its starting
//!    procedure.
//!
//! [`StepReport::rescue`] names the rescue that succeeded. If all fail, the step ends with a [`Diagnosis`]. A
//! run also ends if more than half of its last 32 steps needed rescues ([`Rescues::too_many`]). Rescues are
//! off by default in the library, so that a method does exactly what its paper says. They are on for runs of
//! model files ([`Newton::recovery`]). Methods with automatic steps do not need them. Steps of variational
//! and energy-momentum schemes are never split, since that would break their conservation; they have their
//! own stages 2 and 3 (`precess-conserve`).

use super::diagnosis::{Diagnosis, Residual, Singularity, near_singular};
use super::implicit::{Guess, Implicit, Newton, Scheme, Strategy};
use super::integrator::StepReport;
use crate::Error;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};

/// The rescue that made a step succeed after Newton's method had failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescue {
    /// The exact matrix in every iteration, with line search.
    Matrix,
    /// Another first guess.
    Guess,
    /// A first guess from shorter steps.
    Continuation,
    /// A regularised matrix, at a singular position.
    Regularisation,
    /// This number of shorter steps instead of one.
    Split(usize),
}

/// How often each rescue succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rescues {
    /// Exact matrix and line search.
    pub matrix: usize,
    /// Another first guess.
    pub guess: usize,
    /// A first guess from shorter steps.
    pub continuation: usize,
    /// A regularised matrix.
    pub regularisation: usize,
    /// Steps that were split.
    pub split: usize,
    /// Time of the first rescue.
    pub first: Option<f64>,
    /// One bit for each of the last 32 steps: 1 if it needed a rescue.
    recent: u32,
}

crate::persist!(Rescues { matrix, guess, continuation, regularisation, split, first, recent });

impl Rescues {
    /// Records a step that ended at t.
    pub fn observe(&mut self, t: f64, rescue: Option<Rescue>) {
        self.recent = (self.recent << 1) | u32::from(rescue.is_some());
        let Some(rescue) = rescue else { return };
        *match rescue {
            Rescue::Matrix => &mut self.matrix,
            Rescue::Guess => &mut self.guess,
            Rescue::Continuation => &mut self.continuation,
            Rescue::Regularisation => &mut self.regularisation,
            Rescue::Split(_) => &mut self.split,
        } += 1;
        self.first.get_or_insert(t);
    }

    /// The number of rescued steps among the last 32, if it is more than half. Then the step size is too
    /// large, and the results are meaningless.
    pub fn too_many(&self) -> Option<u32> {
        Some(self.recent.count_ones()).filter(|n| *n > 16)
    }

    /// Number of steps that needed rescues.
    pub fn total(&self) -> usize {
        self.matrix + self.guess + self.continuation + self.regularisation + self.split
    }

    /// A notice about all rescues; none if there were none.
    pub fn notice(&self) -> Option<String> {
        let first = self.first?;
        let parts: Vec<String> = [
            (self.matrix, "by the exact matrix with line search"),
            (self.guess, "by another first guess"),
            (self.continuation, "by a first guess from shorter steps"),
            (
                self.regularisation,
                "by a regularised matrix at a singular position, where multipliers are meaningless",
            ),
            (self.split, "by several shorter steps instead of one"),
        ]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, how)| format!("{n} {how}"))
        .collect();
        Some(format!(
            "Newton's method failed in {}t = {first}, and was rescued: {}; the order of the method is kept, \
             but compare with a smaller step",
            match self.total() {
                1 => "one step, at ".to_string(),
                n => format!("{n} steps, the first at "),
            },
            parts.join(", ")
        ))
    }
}

/// Sizes of the regularisation, relative to the diagonal that rows of regular constraints have after
/// elimination. The residual is unchanged, so none of them causes an error. Larger ones keep multipliers of
/// dependent rows smaller during the iteration.
const REGULARISATIONS: [f64; 3] = [1e-9, 1e-6, 1e-4];

/// Largest number of iterations in a rescue.
const RESCUE_ITERATIONS: usize = 60;
/// Numbers of shorter steps instead of one.
pub(super) const PARTS: [usize; 3] = [2, 4, 8];

/// State and step size of the last failed attempt.
struct Stuck {
    state: State,
    h: f64,
}

impl<S: Scheme> Implicit<S> {
    /// Completes a step in which Newton's method has failed, or returns the diagnosis. On an error the state
    /// is unchanged.
    pub(super) fn recover(
        &mut self,
        system: &dyn System,
        state: &mut State,
        h: f64,
        error: Error,
        mut report: StepReport,
    ) -> Result<StepReport, Error> {
        let settings = self.newton;
        let mut stuck = Stuck { state: state.clone(), h };
        self.control.trace = Some(Vec::new());
        self.forget_matrix();
        if settings.recovery {
            let max_iterations = settings.max_iterations.max(RESCUE_ITERATIONS);
            self.newton = Newton { strategy: Strategy::Full, damping: true, max_iterations, ..settings };
            report.rescue = self.rescue(system, state, h, &mut report, &mut stuck);
        } else {
            // Repeated only to record the residuals.
            let _ = self.attempt(system, state, h, &mut report);
        }
        let trace = self.control.trace.take().unwrap_or_default();
        let result = match (report.rescue, error) {
            (Some(_), _) => Ok(report),
            (None, mut error) => {
                if let Error::Newton { diagnosis, .. } | Error::SingularMatrix { diagnosis, .. } = &mut error
                {
                    **diagnosis = self.diagnose(system, &stuck, &trace);
                }
                Err(error)
            }
        };
        self.newton = settings;
        self.forget_matrix();
        result
    }

    /// The step with the usual guess.
    pub(super) fn attempt(
        &mut self,
        system: &dyn System,
        state: &State,
        h: f64,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        self.predict(system, state, h);
        self.solve(system, report)
    }

    fn take(&mut self, system: &dyn System, state: &mut State) {
        self.scheme.accept(&mut self.step);
        self.step.end_at(state);
        state.remember(system);
    }

    /// Begins a step with another guess; false if the scheme has no such guess.
    fn predict_anew(&mut self, system: &dyn System, state: &State, h: f64, guess: Guess) -> bool {
        let Implicit { scheme, step, linear, .. } = self;
        scheme.predict_anew((step, linear), system, (state, h), guess)
    }

    fn persist_history(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.scheme.persist(archive)?;
        self.step.persist(archive)
    }

    fn rescue(
        &mut self,
        system: &dyn System,
        state: &mut State,
        h: f64,
        report: &mut StepReport,
        stuck: &mut Stuck,
    ) -> Option<Rescue> {
        if self.attempt(system, state, h, report).is_ok() {
            self.take(system, state);
            return Some(Rescue::Matrix);
        }
        // The recorded residuals are those of the whole step.
        let trace = self.control.trace.take();
        let mut which = 0;
        while self.predict_anew(system, state, h, Guess::Other(which)) {
            which += 1;
            if self.solve(system, report).is_ok() {
                self.take(system, state);
                return Some(Rescue::Guess);
            }
        }
        for parts in PARTS {
            if self.continuation(system, state, h, parts, report).is_ok_and(|done| done) {
                self.take(system, state);
                return Some(Rescue::Continuation);
            }
        }
        if system.n_lambda() > 0 && system.row_weights().is_none() {
            for size in REGULARISATIONS {
                self.linear.assembly.regularised = Some(size);
                let passed = self.attempt(system, state, h, report);
                self.linear.assembly.regularised = None;
                if passed.is_ok() {
                    self.take(system, state);
                    return Some(Rescue::Regularisation);
                }
            }
        }
        let before = state.clone();
        let mut history = Archive::writer();
        if self.persist_history(&mut history).is_ok() {
            let history = history.into_bytes();
            for parts in PARTS {
                if let Ok(true) = self.split(system, state, h, parts, report) {
                    return Some(Rescue::Split(parts));
                }
                if state.t != before.t {
                    *stuck = Stuck { state: state.clone(), h: h / parts as f64 };
                }
                state.clone_from(&before);
                // This cannot fail: the history was just written.
                let _ = self.persist_history(&mut Archive::reader(&history));
            }
        }
        self.control.trace = trace;
        None
    }

    /// Solves the step for h/n, 2h/n, ..., h; false if the scheme cannot.
    fn continuation(
        &mut self,
        system: &dyn System,
        state: &State,
        h: f64,
        parts: usize,
        report: &mut StepReport,
    ) -> Result<bool, Error> {
        for i in 1..=parts {
            let part = h * (i as f64 / parts as f64);
            if i == 1 {
                self.predict(system, state, part);
            } else if !self.predict_anew(system, state, part, Guess::Shorter) {
                return Ok(false);
            }
            self.solve(system, report)?;
        }
        Ok(true)
    }

    /// Makes shorter steps instead of one; false if the scheme cannot change its step.
    fn split(
        &mut self,
        system: &dyn System,
        state: &mut State,
        h: f64,
        parts: usize,
        report: &mut StepReport,
    ) -> Result<bool, Error> {
        let (t, part) = (state.t, h / parts as f64);
        if !self.change_step(system, state, (h, part))? {
            return Ok(false);
        }
        for i in 1..=parts {
            self.attempt(system, state, part, report)?;
            self.take(system, state);
            state.t = t + h * (i as f64 / parts as f64);
        }
        self.change_step(system, state, (part, h))
    }

    fn change_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        sizes: (f64, f64),
    ) -> Result<bool, Error> {
        self.scheme.change_step(system, &mut self.step, state, sizes)
    }

    /// Constraints that are nearly dependent at a state from which the scheme makes a step.
    pub(super) fn near_singular(&mut self, system: &dyn System, state: &State) -> Option<Singularity> {
        near_singular((&mut self.step, &mut self.linear), system, state)
    }

    /// The diagnosis of a failure: the course of the residual, and singularities of the matrix where the last
    /// attempt began.
    fn diagnose(&mut self, system: &dyn System, stuck: &Stuck, trace: &[(f64, usize)]) -> Diagnosis {
        let last = &trace[trace.len().saturating_sub(Diagnosis::SHOWN)..];
        let residuals =
            last.iter().map(|&(size, row)| Residual { size, row: self.step.row_name(system, row) }).collect();
        self.predict(system, &stuck.state, stuck.h);
        Diagnosis {
            residuals,
            singular: self.near_singular(system, &stuck.state),
            alternating: None,
            remedies: self.scheme.remedies(system),
        }
    }
}
