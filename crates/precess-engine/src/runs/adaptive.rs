//! A run with a tolerance: the method chooses the steps; recording and monitoring are the same as for fixed
//! steps.

pub use super::control::{Achieved, Control};

use super::at_times::AtTimes;
use super::checkpoint::Checkpoints;
use super::course::Course;
use super::course::NOTHING_LEFT;
use super::driver::{Driver, Pace};
use super::errors::larger;
use super::recorder::{Moment, Recorder, Sample};
use super::summary::{Failure, Summary};
use super::trust;
use crate::Error;
use crate::integrate::adaptive::{Adaptive, Horizon, Norm, TurningPoints};
use crate::integrate::{ConsistentForces, StepReport, Tolerance};
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist, ensure};

/// A run with more steps gets a notice that errors grow with its length.
const LONG_RUN: usize = 50_000;
/// Number of steps in which the error of a spinning top grows by one tolerance (measured from 1 s to 1000 s).
const STEPS_PER_TOLERANCE: f64 = 1500.0;

/// Promised accuracy of forces, in tolerances. If those of the steps are less accurate, the work of drives is
/// computed from consistent ones.
const PROMISED_FORCES: f64 = 100.0;

/// A run from the time of the initial state to `t_end` with automatic steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveRun {
    /// End.
    pub t_end: f64,
    /// Longest step, if limited.
    pub max_step: Option<f64>,
    /// The tolerance, for the summary.
    pub tolerance: Tolerance,
}

impl AdaptiveRun {
    /// A run up to t_end; the tolerance is that of the method.
    pub fn new(tolerance: Tolerance, t_end: f64) -> Self {
        AdaptiveRun { t_end, max_step: None, tolerance }
    }

    /// With a limit of the step.
    pub fn with_max_step(mut self, h: Option<f64>) -> Self {
        self.max_step = h;
        self
    }

    fn check(&self, t_0: f64) -> Result<(), Error> {
        if let Some(value) = self.max_step.filter(|h| !(*h > 0.0)) {
            let expected = "the longest step is a positive number of seconds";
            return Err(Error::Parameter { name: "max_step", value, expected });
        }
        if self.t_end >= t_0 && self.t_end.is_finite() {
            return Ok(());
        }
        let expected = "the end of a run is not before its start";
        Err(Error::Parameter { name: "until", value: self.t_end, expected })
    }

    /// Runs. The state then is that at the end of the run, also on failure.
    pub fn run(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
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
        method: &mut dyn Adaptive,
        state: &mut State,
        recorder: &mut dyn Recorder,
        checkpoints: Option<&mut Checkpoints>,
    ) -> Result<Summary, Box<Failure>> {
        let mut pace = ChosenSteps {
            run: self,
            method,
            at: AdaptiveProgress::default(),
            control: self.no_steps(),
            drives: TurningPoints::of(system, state.t, self.t_end),
            power_reads_forces: system.power(&state.at()).is_some() && system.power_reads_forces(),
            t_0: state.t,
            is_first: true,
        };
        let mut summary = Driver::new(system, state, recorder, checkpoints).run(&mut pace, self.t_end)?;
        summary.warnings.extend(tolerance_missed(&summary, self.tolerance.tol));
        Ok(summary)
    }

    fn no_steps(&self) -> Control {
        Control { tol: self.tolerance.tol, ..Control::default() }
    }

    /// Largest difference between some states of this run (in order of time) and those of another run from
    /// the same start.
    pub fn verify(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
        state: &mut State,
        on_the_way: &[State],
    ) -> Result<Achieved, Error> {
        let mut norm = Norm::relative(system, state);
        let dim = state.v.len();
        let (mut dq, mut dv) = (vec![0.0; dim], vec![0.0; dim]);
        let mut achieved = Achieved::default();
        let mut forces = ConsistentForces::new(system, state);
        let (mut largest_force, mut force_difference) = (0.0_f64, 0.0_f64);
        let mut others = on_the_way.iter().peekable();
        let compare = |sample: &Sample| {
            let slack = 1e-9 * self.t_end.abs();
            // A state that this run does not reach must not prevent later ones from being compared.
            while others.next_if(|s| s.t < sample.state.t - slack).is_some() {}
            let near = |t: f64| (t - sample.state.t).abs() <= slack;
            let Some(other) = others.next_if(|s| sample.moment == Moment::Step && near(s.t)) else { return };
            system.group().difference(&sample.state.q, &other.q, &mut dq);
            for ((d, v), w) in dv.iter_mut().zip(&sample.state.v).zip(&other.v) {
                *d = v - w;
            }
            norm.look(system, other);
            achieved.positions = larger(achieved.positions, norm.of_positions(&dq));
            let [largest, difference] = forces.compare(system, other, sample.state);
            largest_force = largest_force.max(largest);
            force_difference = larger(force_difference, difference);
            achieved.velocities = larger(achieved.velocities, norm.of_velocities(&dq, &dv));
        };
        let mut recorder = AtTimes::new(on_the_way.iter().map(|s| s.t).collect(), compare);
        self.run(system, method, state, &mut recorder).map_err(|failure| failure.error)?;
        recorder.finish().map(|_| ())?;
        achieved.forces = (largest_force > 0.0).then(|| force_difference / largest_force);
        Ok(achieved)
    }
}

/// A notice if the energy shows that the method did not keep the tolerance, for example in passages of a
/// millionth of the time of the motion. On all models of `models/` it is wrong by at most 15 tolerances at 1e-6.
fn tolerance_missed(summary: &Summary, tol: f64) -> Option<String> {
    /// This many tolerances are usual.
    const USUAL: f64 = 100.0;
    /// Smaller errors of the energy may be rounding errors.
    const ROUNDING: f64 = 1e-8;
    let growth = (summary.steps as f64 / STEPS_PER_TOLERANCE).max(1.0);
    let energy = summary.trust.energy.filter(|x| *x > (USUAL * growth * tol).max(ROUNDING))?;
    Some(format!(
        "the tolerance {tol:.0e} was not kept: the energy balance is wrong by {}, {:.0} times as much; compare with \
         another method, such as bliedf, and with a tenth of the tolerance",
        trust::part(energy),
        energy / tol
    ))
}

/// Position of a run: in the piece that began at `from`, after a step of this size.
#[derive(Clone, Copy, Debug, Default)]
struct AdaptiveProgress {
    step: usize,
    from: f64,
    last_h: f64,
}

crate::persist!(AdaptiveProgress { step, from, last_h });

/// Steps chosen by a method for a tolerance.
struct ChosenSteps<'a> {
    run: &'a AdaptiveRun,
    method: &'a mut dyn Adaptive,
    at: AdaptiveProgress,
    control: Control,
    drives: TurningPoints,
    power_reads_forces: bool,
    /// The start of the run.
    t_0: f64,
    /// True before the first piece.
    is_first: bool,
}

impl Pace for ChosenSteps<'_> {
    fn check(&self, state: &State) -> Result<f64, Error> {
        self.run.check(state.t).map(|()| 0.0)
    }

    fn prepare(&mut self, system: &dyn System, state: &mut State, resumes: bool) -> Result<(), Error> {
        self.is_first = !resumes;
        self.method.start(system, state, self.run.t_end)
    }

    fn begin(&mut self, system: &dyn System, state: &mut State, _: f64) -> Result<(), Error> {
        if !std::mem::take(&mut self.is_first) {
            self.method.restart(system, state).map_err(|e| e.in_step(self.at.step))?;
        }
        self.at.from = state.t;
        Ok(())
    }

    fn piece_start(&self) -> f64 {
        self.at.from
    }

    fn is_done(&self, state: &State, end: f64) -> bool {
        !(end - state.t > NOTHING_LEFT * self.at.last_h)
    }

    fn step(&mut self, system: &dyn System, state: &mut State, end: f64) -> Result<StepReport, Error> {
        self.at.step += 1;
        let AdaptiveProgress { step, last_h, .. } = self.at;
        let h_max = self.drives.longest_step(state.t).min(self.run.max_step.unwrap_or(f64::INFINITY));
        let step_made = self.method.advance(system, state, Horizon { stop: end, h_max });
        let report = step_made.map_err(|e| trust::name_lock(e, system, state, step, last_h))?;
        self.control.observe(&report);
        self.at.last_h = report.h;
        Ok(report)
    }

    fn count(&self) -> usize {
        self.at.step
    }

    fn chooses(&self) -> bool {
        true
    }

    fn annotate<'a>(&'a self, sample: Sample<'a>) -> Sample<'a> {
        let is_step = sample.moment == Moment::Step && sample.report.h > 0.0;
        Sample { eta: if is_step { self.method.eta() } else { None }, ..sample }
    }

    fn reads_forces(&self, forces: &ConsistentForces, recorder: &dyn Recorder, state: &State) -> bool {
        let promised = PROMISED_FORCES * self.run.tolerance.tol;
        let doubtful = forces.largest_difference().is_some_and(|d| !(d <= promised));
        ConsistentForces::samples(self.at.step)
            || (self.power_reads_forces && doubtful)
            || recorder.reads_forces(self.at.step, state.t)
    }

    fn shows_consistent_forces(&self) -> bool {
        true
    }

    fn persist(&mut self, forces: &mut ConsistentForces, archive: &mut Archive) -> Result<(), Damage> {
        (&mut self.control, (forces, &mut self.at)).persist(archive)
    }

    fn persist_method(&mut self, like: (&dyn System, &State), archive: &mut Archive) -> Result<(), Damage> {
        self.method.persist(like.0, like.1, archive)
    }

    fn ensure_place(&self, system: &dyn System, state: &State, course: &Course) -> Result<(), Damage> {
        let (at, control, t) = (&self.at, &self.control, state.t);
        course.ensure_place(system, at.from, t)?;
        let longest = (1.0 + NOTHING_LEFT) * (t - at.from) + 4.0 * f64::EPSILON * t.abs();
        ensure(0.0 < at.last_h && at.last_h <= longest, || {
            format!("a last step of {} s does not lead from {} s to {t} s", at.last_h, at.from)
        })?;
        let counted = control.orders.iter().fold(0, |sum: usize, n| sum.saturating_add(*n));
        ensure(counted <= at.step, || format!("{counted} steps have an order, and {} were made", at.step))?;
        ensure(control.h.is_none_or(|[low, high]| 0.0 < low && low <= high && high < f64::INFINITY), || {
            "its smallest or largest step is not positive".to_string()
        })
    }

    fn forget(&mut self) {
        self.control = self.run.no_steps();
    }

    fn close(
        &mut self,
        system: &dyn System,
        state: &mut State,
        forces: &mut ConsistentForces,
        summary: &mut Summary,
    ) -> bool {
        if summary.steps > 0 {
            state.copy_from(forces.of(system, state));
        }
        let remedy = "the latter are reported; compare them with those of a tenth of the tolerance";
        summary.warnings.extend(forces.notice(remedy));
        if self.at.step >= LONG_RUN {
            let growth = self.at.step as f64 / STEPS_PER_TOLERANCE;
            summary.warnings.push(format!(
                "a run of {} steps is long, and errors grow with its length: that of a spinning top would \
                 be \
                 about {growth:.0} times the tolerance, that of other motions more or less; compare with \
                 a run with a tenth of the tolerance",
                self.at.step
            ));
        }
        summary.h = (state.t - self.t_0) / summary.steps.max(1) as f64;
        self.control.choice = self.method.choice();
        summary.control = Some(std::mem::take(&mut self.control));
        true
    }
}

/// Keeps some states spread over a run, including the last one.
#[derive(Clone, Debug)]
pub struct Spread {
    every: usize,
    most: usize,
    states: Vec<State>,
    last: Option<State>,
}

impl Spread {
    /// Keeps between n/2 and n states.
    pub fn over(n: usize) -> Self {
        Spread { every: 1, most: n.max(2), states: Vec::new(), last: None }
    }

    /// The states in order of time.
    pub fn states(self) -> Vec<State> {
        let mut states = self.states;
        if let Some(last) = self.last.filter(|l| states.last().is_none_or(|s| s.t < l.t)) {
            states.push(last);
        }
        states
    }
}

impl Recorder for Spread {
    fn record(&mut self, sample: &Sample) {
        // At events there are several states of the same time.
        if sample.moment != Moment::Step {
            return;
        }
        match &mut self.last {
            Some(last) => last.copy_from(sample.state),
            None => self.last = Some(sample.state.clone()),
        }
        if sample.step == 0 || !sample.step.is_multiple_of(self.every) {
            return;
        }
        if self.states.len() == self.most {
            let mut n = 0;
            self.states.retain(|_| {
                n += 1;
                n % 2 == 0
            });
            self.every *= 2;
            if !sample.step.is_multiple_of(self.every) {
                return;
            }
        }
        self.states.push(sample.state.clone());
    }

    /// [`AdaptiveRun::verify`] computes the forces of the few kept states.
    fn reads_forces(&self, _step: usize, _t: f64) -> bool {
        false
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let Spread { every, most, states, last } = self;
        every.persist(archive)?;
        archive.growing_like(states, like)?;
        archive.maybe_like(last, like)?;
        ensure(every.is_power_of_two() && states.len() <= *most, || {
            format!("{} states were kept, one in {every}, and at most {most} are", states.len())
        })
    }
}
