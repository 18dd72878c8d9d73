//! A run with fixed steps: integrates, projects on request, records, monitors.
//!
//! Steps are equal from the start to the end. Breakpoints of the forces and events that switch something
//! divide a run into pieces ([`Course`]), each with its own equal steps, not larger than the given one. If an
//! event ends a piece, its last step is cut off at the event by dense output, which is at least as accurate
//! as a shorter step. The method starts again there with its own starting procedure, so its order is kept.

use super::checkpoint::Checkpoints;
use super::course::Course;
use super::course::NOTHING_LEFT;
use super::driver::{Driver, Pace};
use super::recorder::{Recorder, Sample};
use super::summary::{Failure, Summary};
use super::trust;
use crate::Error;
use crate::integrate::integrator::Conjugate;
use crate::integrate::{
    ConsistentForces, Integrator, Projection, Restart, StepReport, project_position_in, project_velocity_in,
};
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist, ensure};

/// A run from the time of the initial state to `t_end`.
#[derive(Clone, Debug)]
pub struct Run {
    /// Largest step size; the interval is divided into equal steps not larger than this.
    pub h: f64,
    /// End.
    pub t_end: f64,
    /// Projections.
    pub projection: Projection,
}

impl Run {
    /// A run with steps of size h (or slightly less) up to t_end.
    pub fn new(h: f64, t_end: f64) -> Self {
        Run { h, t_end, projection: Projection::default() }
    }

    /// With projections.
    pub fn with_projection(mut self, projection: Projection) -> Self {
        self.projection = projection;
        self
    }

    /// Number and size of the equal steps that cover the interval.
    pub fn steps(&self, t_0: f64) -> Result<(usize, f64), Error> {
        if !(self.h > 0.0 && self.h.is_finite()) {
            return Err(Error::Parameter {
                name: "step",
                value: self.h,
                expected: "a step size is a positive number of seconds",
            });
        }
        if !(self.t_end >= t_0 && self.t_end.is_finite()) {
            return Err(Error::Parameter {
                name: "until",
                value: self.t_end,
                expected: "the end of a run is not before its start",
            });
        }
        let span = self.t_end - t_0;
        let n = (span / self.h * (1.0 - 1e-9)).ceil();
        if n > 1e15 {
            return Err(Error::Parameter {
                name: "step",
                value: self.h,
                expected: "more than 1e15 steps would be needed",
            });
        }
        Ok((n as usize, if n > 0.0 { span / n } else { self.h }))
    }

    /// Runs. The state then is that at the end of the run, also on failure.
    pub fn run(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
    ) -> Result<Summary, Box<Failure>> {
        self.run_with(system, method, state, recorder, None)
    }

    /// The same with checkpoints. `state`, `method` and `recorder` are those of the beginning, also if the
    /// run continues from a checkpoint.
    pub fn run_with(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
        checkpoints: Option<&mut Checkpoints>,
    ) -> Result<Summary, Box<Failure>> {
        // Forces of conserving methods are evaluated at the ends of steps.
        let conserving = method.conjugate().is_some() || system.constant_mass().is_some();
        let mut pace = FixedSteps { run: self, method, at: FixedProgress::default(), conserving };
        Driver::new(system, state, recorder, checkpoints).run(&mut pace, self.t_end)
    }

    /// Only start and steps, without residuals, energy and warnings: for time measurements and for many small
    /// runs. Returns the sums over all steps.
    pub fn steps_only(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
    ) -> Result<StepReport, Error> {
        self.steps_seen(system, method, state, |_, _| {})
    }

    /// The same, with a call for the state after the start (step 0) and after each step.
    pub fn steps_seen(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        mut see: impl FnMut(usize, &State),
    ) -> Result<StepReport, Error> {
        self.steps_while(system, method, state, |step, state| {
            see(step, state);
            true
        })
    }

    /// The same. The run ends when the call returns false.
    pub fn steps_while(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        mut see: impl FnMut(usize, &State) -> bool,
    ) -> Result<StepReport, Error> {
        let mut total = StepReport::default();
        if !system.events().is_empty() || !system.breakpoints(state.t, self.t_end).is_empty() {
            // With events or breakpoints, the complete run is needed.
            let summary = self.run(system, method, state, &mut ()).map_err(|f| f.error)?;
            (total.iterations, total.jacobians) = (summary.iterations, summary.jacobians);
            return Ok(total);
        }
        let t_0 = state.t;
        let (steps, h) = self.steps(t_0)?;
        method.start(system, state, h)?;
        if !see(0, state) {
            return Ok(total);
        }
        for step in 1..=steps {
            let report = method.step(system, state, h).map_err(|e| e.in_step(step))?;
            total.iterations += report.iterations;
            total.jacobians += report.jacobians;
            total.fallbacks += report.fallbacks;
            total.dampings += report.dampings;
            state.t = t_0 + step as f64 * h;
            self.project(system, method, state, h).map_err(|e| e.in_step(step))?;
            if !see(step, state) {
                break;
            }
        }
        Ok(total)
    }

    /// Projects the state as the run demands at its time.
    pub fn project(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        let position = self.projection.position.now(state.t, h);
        let velocity = self.projection.velocity.now(state.t, h);
        if position {
            project_position_in(self.projection.norm, system, state)?;
        }
        if velocity {
            project_velocity_in(self.projection.norm, system, state)?;
        }
        if (position || velocity) && self.projection.restart == Restart::Start {
            method.restart(system, state, h)?;
        }
        Ok(())
    }
}

/// Position of a run: steps of size `h` from `t_0`, and the number of steps done.
#[derive(Clone, Copy, Debug, Default)]
struct FixedProgress {
    step: usize,
    t_0: f64,
    steps: usize,
    h: f64,
    done: usize,
}

crate::persist!(FixedProgress { step, t_0, steps, h, done });

/// Equal steps in every piece.
struct FixedSteps<'a> {
    run: &'a Run,
    method: &'a mut dyn Integrator,
    at: FixedProgress,
    conserving: bool,
}

impl Pace for FixedSteps<'_> {
    fn check(&self, state: &State) -> Result<f64, Error> {
        self.run.steps(state.t).map(|(_, h)| h)
    }

    fn prepare(&mut self, system: &dyn System, state: &mut State, resumes: bool) -> Result<(), Error> {
        if !resumes {
            return Ok(());
        }
        // Allocates the workspace.
        let h = self.check(state)?;
        self.method.start(system, &mut state.clone(), h)
    }

    fn begin(&mut self, system: &dyn System, state: &mut State, end: f64) -> Result<(), Error> {
        let (t_0, step) = (state.t, self.at.step);
        let (mut steps, mut h) = Run { t_end: end, ..self.run.clone() }.steps(t_0)?;
        if step > 0 && end - t_0 <= NOTHING_LEFT * self.run.h {
            (steps, h) = (0, self.run.h);
        }
        self.at = FixedProgress { step, t_0, steps, h, done: 0 };
        self.method.start(system, state, h).map_err(|e| e.in_step(step))
    }

    fn piece_start(&self) -> f64 {
        self.at.t_0
    }

    fn is_done(&self, _: &State, _: f64) -> bool {
        self.at.done == self.at.steps
    }

    fn step(&mut self, system: &dyn System, state: &mut State, _: f64) -> Result<StepReport, Error> {
        self.at.done += 1;
        self.at.step += 1;
        let FixedProgress { step, t_0, h, done, .. } = self.at;
        let step_made = self.method.step(system, state, h);
        let mut report = step_made.map_err(|e| trust::name_lock(e, system, state, step, h))?;
        (report.h, report.order) = (h, self.method.order());
        // Avoids accumulated rounding errors in t.
        state.t = t_0 + done as f64 * h;
        self.run.project(system, self.method, state, h).map_err(|e| e.in_step(step))?;
        Ok(report)
    }

    fn count(&self) -> usize {
        self.at.step
    }

    fn annotate<'a>(&'a self, sample: Sample<'a>) -> Sample<'a> {
        sample.with(self.method)
    }

    fn work(&self) -> Option<f64> {
        self.method.work()
    }

    fn conjugate(&self) -> Option<Conjugate<'_>> {
        self.method.conjugate()
    }

    fn reads_forces(&self, _: &ConsistentForces, _: &dyn Recorder, _: &State) -> bool {
        ConsistentForces::samples(self.at.step) && !self.conserving
    }

    fn shows_consistent_forces(&self) -> bool {
        false
    }

    fn persist(&mut self, forces: &mut ConsistentForces, archive: &mut Archive) -> Result<(), Damage> {
        (forces, &mut self.at).persist(archive)
    }

    fn persist_method(&mut self, _: (&dyn System, &State), archive: &mut Archive) -> Result<(), Damage> {
        self.method.persist(archive)
    }

    /// The equal steps follow from the beginning of the piece.
    fn ensure_place(&self, system: &dyn System, state: &State, course: &Course) -> Result<(), Damage> {
        let (run, at) = (self.run, &self.at);
        course.ensure_place(system, at.t_0, state.t)?;
        let whole = Run { t_end: course.piece_end(at.t_0), ..run.clone() }.steps(at.t_0);
        let (steps, h) = whole.map_err(|e| Damage::Inconsistent(e.to_string()))?;
        let same = (at.steps, at.h) == (steps, h) && (1..=steps).contains(&at.done);
        ensure(same && state.t == at.t_0 + at.done as f64 * h, || {
            format!(
                "step {} of {} with {} s up to {} s does not belong to this run",
                at.done, at.steps, at.h, state.t
            )
        })?;
        let before = course.most_steps(at.t_0, run.h);
        ensure(at.done <= at.step && (at.step - at.done) as f64 <= before, || {
            format!("{} steps were made before {} s, and at most {before} are needed", at.step, state.t)
        })
    }

    fn close(
        &mut self,
        _: &dyn System,
        _: &mut State,
        forces: &mut ConsistentForces,
        summary: &mut Summary,
    ) -> bool {
        let remedy = "try a smaller step, or a tolerance instead of a step";
        summary.warnings.extend(forces.notice(remedy));
        summary.warnings.extend(summary.rescues.notice());
        false
    }
}
