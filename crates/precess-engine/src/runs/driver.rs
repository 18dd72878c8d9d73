//! The loop of every run: pieces between breakpoints and events, steps, samples, checkpoints.
//!
//! A `Pace` takes the steps: equal steps of an integrator ([`Run`](super::run::Run)), or steps chosen by a
//! method for a tolerance ([`AdaptiveRun`](super::adaptive::AdaptiveRun)).

use super::checkpoint::Checkpoints;
use super::course::{Course, Next};
use super::creep::Creep;
use super::diagnostics::{diagnostics, energies};
use super::monitor::Monitor;
use super::recorder::{Moment, Recorder, Sample};
use super::summary::{Failure, Summary};
use super::trust;
use crate::Error;
use crate::clock::Instant;
use crate::integrate::integrator::Conjugate;
use crate::integrate::reach::{self, Reach};
use crate::integrate::{ConsistentForces, StepReport};
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};

/// Name of the history of a method in messages.
pub const HISTORY: &str = "the history of the method";

/// The way a run makes its steps.
pub(super) trait Pace {
    /// Checks the run; returns its step size, zero if the method chooses it.
    fn check(&self, state: &State) -> Result<f64, Error>;

    /// Called first, also before a checkpoint is read.
    fn prepare(&mut self, system: &dyn System, state: &mut State, resumes: bool) -> Result<(), Error>;

    /// Begins a piece that ends at `end`: the first one, or one after a jump.
    fn begin(&mut self, system: &dyn System, state: &mut State, end: f64) -> Result<(), Error>;

    /// Beginning of the current piece.
    fn piece_start(&self) -> f64;

    /// True if the piece that ends at `end` has no step left.
    fn is_done(&self, state: &State, end: f64) -> bool;

    /// One step; it becomes part of [`count`](Self::count) before it is made.
    fn step(&mut self, system: &dyn System, state: &mut State, end: f64) -> Result<StepReport, Error>;

    /// Steps so far.
    fn count(&self) -> usize;

    /// True if the method chooses its steps.
    fn chooses(&self) -> bool {
        false
    }

    /// Adds information of the method to a sample.
    fn annotate<'a>(&'a self, sample: Sample<'a>) -> Sample<'a>;

    /// Work of the last step, if the method knows it.
    fn work(&self) -> Option<f64> {
        None
    }

    /// Momenta of the method.
    fn conjugate(&self) -> Option<Conjugate<'_>> {
        None
    }

    /// True if consistent forces are computed after this step.
    fn reads_forces(&self, forces: &ConsistentForces, recorder: &dyn Recorder, state: &State) -> bool;

    /// True if samples show these forces; otherwise they are only compared.
    fn shows_consistent_forces(&self) -> bool;

    /// Saves or restores the position of the run.
    fn persist(&mut self, forces: &mut ConsistentForces, archive: &mut Archive) -> Result<(), Damage>;

    /// Saves or restores the history of the method.
    fn persist_method(&mut self, like: (&dyn System, &State), archive: &mut Archive) -> Result<(), Damage>;

    /// Checks that this run can be at the restored position.
    fn ensure_place(&self, system: &dyn System, state: &State, course: &Course) -> Result<(), Damage>;

    /// Undoes a restore after an error.
    fn forget(&mut self) {}

    /// Ends the run; true if it had a tolerance.
    fn close(
        &mut self,
        system: &dyn System,
        state: &mut State,
        forces: &mut ConsistentForces,
        summary: &mut Summary,
    ) -> bool;
}

/// A run with everything except the steps.
pub(super) struct Driver<'a> {
    system: &'a dyn System,
    state: &'a mut State,
    recorder: &'a mut dyn Recorder,
    checkpoints: Option<&'a mut Checkpoints>,
    monitor: Monitor,
    forces: ConsistentForces,
    begin: Instant,
}

impl<'a> Driver<'a> {
    pub fn new(
        system: &'a dyn System,
        state: &'a mut State,
        recorder: &'a mut dyn Recorder,
        checkpoints: Option<&'a mut Checkpoints>,
    ) -> Self {
        let begin = Instant::now();
        let (monitor, forces) = (Monitor::new(system, state), ConsistentForces::new(system, state));
        Driver { system, state, recorder, checkpoints, monitor, forces, begin }
    }

    /// Runs to the end. The state then is that at the end of the run, also on failure.
    pub fn run(mut self, pace: &mut dyn Pace, t_end: f64) -> Result<Summary, Box<Failure>> {
        let result = self.advance(pace, t_end);
        let Driver { system, state, checkpoints, mut monitor, mut forces, begin, .. } = self;
        let adaptive = pace.close(system, state, &mut forces, &mut monitor.summary);
        monitor.summary.force_difference = forces.largest_difference();
        monitor.close(system, state, adaptive);
        monitor.summary.wall = checkpoints.map_or_else(|| begin.elapsed(), |c| c.wall());
        monitor.summary.t_end = state.t;
        let Summary { steps, work, .. } = monitor.summary;
        let last = pace.annotate(Sample::of(system, steps, state, StepReport::default(), Moment::Step));
        monitor.summary.diagnostics = diagnostics(&Sample { work, ..last });
        match result {
            Ok(()) => Ok(monitor.summary),
            Err(error) => {
                let error = reach::explain(system, state, monitor.explain(error));
                Err(Box::new(Failure { error, summary: monitor.summary }))
            }
        }
    }

    fn advance(&mut self, pace: &mut dyn Pace, t_end: f64) -> Result<(), Error> {
        self.monitor.summary.h = pace.check(self.state)?;
        let mut course = Course::new(self.system, self.state, t_end)?;
        let result = self.pieces(pace, t_end, &mut course);
        self.monitor.summary.events = course.occurrences;
        result
    }

    fn pieces(&mut self, pace: &mut dyn Pace, t_end: f64, course: &mut Course) -> Result<(), Error> {
        let mut reach = Reach::of(self.system);
        let mut creep = Creep::from(self.state.t);
        let mut moment = Moment::Step;
        let mut resumed = self.checkpoints.as_ref().is_some_and(|c| c.resumes());
        pace.prepare(self.system, self.state, resumed)?;
        if resumed {
            self.resume(pace, course)?;
            reach = reach.resumed();
        }
        'pieces: loop {
            if !std::mem::take(&mut resumed) {
                pace.begin(self.system, self.state, course.piece_end(self.state.t))?;
                let sample = Sample::of(self.system, pace.count(), self.state, StepReport::default(), moment);
                // A restart takes no time, but the power may have jumped.
                let mut sample = pace.annotate(sample);
                self.monitor.observe(&mut sample, 0.0, None);
                self.recorder.record(&sample);
            }
            moment = Moment::Restart;
            let end = course.piece_end(pace.piece_start());
            while !pace.is_done(self.state, end) {
                let (next, h) = self.step(pace, course, end)?;
                match next {
                    Next::Go => {}
                    Next::Stop => return Ok(()),
                    Next::Restart => continue 'pieces,
                }
                let step = pace.count();
                if let Some(error) = trust::locked(self.system, self.state, step, h) {
                    return Err(error);
                }
                reach.observe(self.system, self.state, h)?;
                if pace.chooses() {
                    creep.observe(self.system, self.state, step, t_end)?;
                }
                if let Some(count) = self.monitor.summary.rescues.too_many() {
                    return Err(Error::Strained { t: self.state.t, step, count, h });
                }
                let stops = self.recorder.stops();
                self.save(pace, course, stops);
                if stops {
                    self.monitor.summary.stopped = self.state.t < t_end;
                    return Ok(());
                }
            }
            if end >= t_end {
                return Ok(());
            }
            course.cross_breakpoint(self.system, pace.piece_start(), self.state)?;
        }
    }

    /// Makes one step with its events and its sample; returns its size.
    fn step(&mut self, pace: &mut dyn Pace, course: &mut Course, end: f64) -> Result<(Next, f64), Error> {
        let Driver { system, state, recorder, monitor, forces, .. } = self;
        let before = state.t;
        course.before_step(state);
        let report = pace.step(*system, state, end)?;
        let step = pace.count();
        let see = |state: &State, moment| {
            let mut sample = pace.annotate(Sample::of(*system, step, state, report, moment));
            match moment {
                Moment::Cut(_) => monitor.observe(&mut sample, state.t - before, None),
                _ => sample.work = monitor.work_until(*system, state, state.t - before),
            }
            recorder.record(&sample);
        };
        match course.after_step(*system, state, see).map_err(|e| e.in_step(step))? {
            Next::Go => {}
            Next::Stop => return Ok((Next::Stop, report.h)),
            Next::Restart => {
                monitor.impulse(course.last_jump());
                return Ok((Next::Restart, report.h));
            }
        }
        let mut seen = &**state;
        if pace.reads_forces(forces, *recorder, seen) {
            let consistent = forces.of(*system, seen);
            if pace.shows_consistent_forces() {
                seen = consistent;
            }
        }
        let mut sample = pace.annotate(Sample::of(*system, step, seen, report, Moment::Step));
        monitor.observe(&mut sample, report.h, pace.work());
        recorder.record(&sample);
        monitor.ensure_finite(state.t, step)?;
        Ok((Next::Go, report.h))
    }

    /// Continues from a checkpoint. If that is damaged, nothing changes.
    fn resume(&mut self, pace: &mut dyn Pace, course: &mut Course) -> Result<(), Error> {
        let (initial, fresh) = (self.state.clone(), self.monitor.summary.clone());
        let Driver { system, state, recorder, checkpoints, monitor, forces, .. } = self;
        let Some(checkpoints) = checkpoints else { return Ok(()) };
        let loaded = checkpoints.load(|archive| {
            transfer(archive, state, *recorder, monitor, course, (pace, forces))?;
            archive.finite(HISTORY, |archive| pace.persist_method((*system, &initial), archive))?;
            pace.ensure_place(*system, state, course)?;
            let hamiltonian = energies(*system, state, pace.conjugate()).map(|e| e[0]);
            let agrees = monitor.ensure_agreement(*system, pace.count(), state, &fresh, hamiltonian);
            agrees.map(|()| (pace.count(), state.t))
        });
        if loaded.is_err() {
            (**state, monitor.summary) = (initial, fresh);
            course.occurrences.clear();
            pace.forget();
        }
        loaded
    }

    /// Writes a checkpoint if one is due.
    fn save(&mut self, pace: &mut dyn Pace, course: &mut Course, stops: bool) {
        let step = pace.count();
        let Driver { system, state, recorder, checkpoints, monitor, forces, .. } = self;
        let Some(checkpoints) = checkpoints.as_mut().filter(|c| stops || c.is_due(step)) else { return };
        let like = state.clone();
        let saved = checkpoints.save(step, |archive| {
            transfer(archive, state, *recorder, monitor, course, (pace, forces))?;
            archive.finite(HISTORY, |archive| pace.persist_method((*system, &like), archive))
        });
        monitor.warn_once(saved);
    }
}

/// Saves or restores everything except the method.
fn transfer(
    archive: &mut Archive,
    state: &mut State,
    recorder: &mut dyn Recorder,
    monitor: &mut Monitor,
    course: &mut Course,
    (pace, forces): (&mut dyn Pace, &mut ConsistentForces),
) -> Result<(), Damage> {
    archive.finite("the state", |archive| state.persist(archive))?;
    monitor.persist(archive)?;
    pace.persist(forces, archive)?;
    course.persist(state, archive)?;
    recorder.persist(state, archive)
}
