//! A run with a tolerance: the method chooses the steps; recording and monitoring are those of fixed steps.

use super::at_times::AtTimes;
use super::checkpoint::Checkpoints;
use super::course::{Course, Next};
use super::diagnostics::diagnostics;
use super::recorder::{Moment, Recorder, Sample};
use super::run::{Failure, HISTORY, Monitor, NOTHING_LEFT, Summary, transfer};
use super::trust;
use crate::Error;
use crate::clock::Instant;
use crate::integrate::adaptive::{Adaptive, Horizon, Norm, TurningPoints};
use crate::integrate::reach::{self, Reach};
use crate::integrate::{ConsistentForces, StepReport, Tolerance};
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist, demand};

/// Steps and orders of a run that chose them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// The tolerance.
    pub tol: f64,
    /// Attempts whose error was too large.
    pub rejected: usize,
    /// Attempts in which Newton's method failed.
    pub failed: usize,
    /// Steps of order 1, 2, ...
    pub orders: Vec<usize>,
    /// Smallest and largest step.
    pub h: Option<[f64; 2]>,
    /// Which method was chosen and why, where it was a choice.
    pub choice: Option<String>,
    /// Estimate of the global error, where it was asked for.
    pub achieved: Option<Achieved>,
    /// Why there is no such estimate although it was asked for.
    pub unverified: Option<String>,
}

impl Persist for Control {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        // Choice and achieved accuracy are known at the end.
        let Control { tol: _, rejected, failed, orders, h, choice: _, achieved: _, unverified: _ } = self;
        archive.growing(orders)?;
        ((rejected, failed), h).persist(archive)
    }
}

impl Control {
    /// Takes note of a step.
    pub fn see(&mut self, report: &StepReport) {
        self.rejected += report.rejected;
        self.failed += report.failed;
        if self.orders.len() < report.order {
            self.orders.resize(report.order, 0);
        }
        if let Some(n) = report.order.checked_sub(1) {
            self.orders[n] += 1;
        }
        let [low, high] = self.h.unwrap_or([report.h; 2]);
        self.h = Some([low.min(report.h), high.max(report.h)]);
    }
}

/// The difference to a run with a tenth of the tolerance: about the global error, largest of all bodies and of some
/// times, in the units of the tolerance: 1 is a rad, a length of the model, or a velocity of that length per time of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Achieved {
    /// Rotations and positions.
    pub positions: f64,
    /// Velocities.
    pub velocities: f64,
    /// Forces of the joints, relative to the largest one; none without joints.
    pub forces: Option<f64>,
}

/// Forces are promised to this many tolerances. Where those of the steps are not as good, the work of drives is computed from
/// consistent ones.
const PROMISED_FORCES: f64 = 100.0;

/// A run from the time of the initial state to `t_end` with steps that a method chooses.
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
    /// Up to t_end; the tolerance is that of the method.
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

    /// Runs. The state ends where the run ends, also on failure.
    pub fn run(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
        state: &mut State,
        recorder: &mut dyn Recorder,
    ) -> Result<Summary, Box<Failure>> {
        self.run_with(system, method, state, recorder, None)
    }

    /// The same with checkpoints. `state`, `method` and `recorder` are those of the beginning, also for a run that goes on from
    /// a checkpoint.
    pub fn run_with(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
        state: &mut State,
        recorder: &mut dyn Recorder,
        mut checkpoints: Option<&mut Checkpoints>,
    ) -> Result<Summary, Box<Failure>> {
        let begin = Instant::now();
        let t_0 = state.t;
        let mut monitor = Monitor::new(system, state);
        let mut control = Control { tol: self.tolerance.tol, ..Control::default() };
        let mut forces = ConsistentForces::new(system, state);
        let result = self.advance(
            system,
            method,
            state,
            recorder,
            &mut monitor,
            &mut control,
            &mut forces,
            checkpoints.as_deref_mut(),
        );
        if monitor.summary.steps > 0 {
            state.copy_from(forces.of(system, state));
        }
        control.choice = method.choice();
        monitor.summary.force_difference = forces.largest_difference();
        monitor.summary.warnings.extend(
            forces.notice("the latter are reported; compare them with those of a tenth of the tolerance"),
        );
        monitor.close(system, state, true);
        let mut summary = monitor.summary;
        summary.wall = checkpoints.map_or_else(|| begin.elapsed(), |c| c.wall());
        summary.t_end = state.t;
        summary.h = (state.t - t_0) / summary.steps.max(1) as f64;
        summary.control = Some(control);
        let last = Sample::of(system, summary.steps, state, StepReport::default(), Moment::Step);
        summary.diagnostics = diagnostics(&Sample { work: summary.work, ..last });
        match result {
            Ok(()) => Ok(summary),
            Err(error) => Err(Box::new(Failure { error: reach::explain(system, state, error), summary })),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn advance(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
        state: &mut State,
        recorder: &mut dyn Recorder,
        monitor: &mut Monitor,
        control: &mut Control,
        forces: &mut ConsistentForces,
        checkpoints: Option<&mut Checkpoints>,
    ) -> Result<(), Error> {
        self.check(state.t)?;
        let mut course = Course::new(system, state, self.t_end)?;
        let result =
            self.pieces(system, method, state, recorder, monitor, control, forces, &mut course, checkpoints);
        monitor.summary.events = course.occurrences;
        result
    }

    #[allow(clippy::too_many_arguments)]
    fn pieces(
        &self,
        system: &dyn System,
        method: &mut dyn Adaptive,
        state: &mut State,
        recorder: &mut dyn Recorder,
        monitor: &mut Monitor,
        control: &mut Control,
        forces: &mut ConsistentForces,
        course: &mut Course,
        mut checkpoints: Option<&mut Checkpoints>,
    ) -> Result<(), Error> {
        let drives = TurningPoints::of(system, state.t, self.t_end);
        let power_reads_forces = system.power(&state.at()).is_some() && system.power_reads_forces();
        let promised = PROMISED_FORCES * self.tolerance.tol;
        let mut at = Place::default();
        let mut moment = Moment::Step;
        let mut resumed = false;
        let mut reach = Reach::of(system);
        method.start(system, state, self.t_end)?;
        if let Some(checkpoints) = checkpoints.as_mut().filter(|c| c.resumes()) {
            let (initial, fresh) = (state.clone(), monitor.summary.clone());
            let loaded = checkpoints.load(|archive| {
                transfer(
                    archive,
                    state,
                    recorder,
                    monitor,
                    course,
                    &mut (&mut *control, (&mut *forces, &mut at)),
                )?;
                archive.finite(HISTORY, |archive| method.persist(system, &initial, archive))?;
                demand_place(&at, state.t, control, course)?;
                monitor.demand_agreement(system, at.step, state, &fresh, None).map(|()| (at.step, state.t))
            });
            if let Err(error) = loaded {
                (*state, monitor.summary, *control) = (initial, fresh, Control::default());
                course.occurrences.clear();
                return Err(error);
            }
            resumed = true;
            reach = reach.resumed();
        }
        'pieces: loop {
            if !std::mem::take(&mut resumed) {
                at.from = state.t;
                let mut sample = Sample::of(system, at.step, state, StepReport::default(), moment);
                // A restart takes no time: the power may have jumped.
                monitor.see(&mut sample, 0.0, None);
                recorder.record(&sample);
            }
            moment = Moment::Restart;
            let stop = course.piece_end(at.from);
            while stop - state.t > NOTHING_LEFT * at.last_h {
                at.step += 1;
                let step = at.step;
                let before = state.t;
                course.before_step(state);
                let h_max = drives.longest_step(state.t).min(self.max_step.unwrap_or(f64::INFINITY));
                let report = method
                    .advance(system, state, Horizon { stop, h_max })
                    .map_err(|e| trust::name_lock(e, system, state, step, at.last_h))?;
                control.see(&report);
                at.last_h = report.h;
                let see = |state: &State, moment| {
                    let mut sample = Sample::of(system, step, state, report, moment);
                    match moment {
                        Moment::Cut(_) => monitor.see(&mut sample, state.t - before, None),
                        _ => sample.work = monitor.work_until(system, state, state.t - before),
                    }
                    recorder.record(&sample);
                };
                match course.after_step(state, see).map_err(|e| e.in_step(step))? {
                    Next::Go => {}
                    Next::Stop => return Ok(()),
                    Next::Restart => {
                        monitor.impulse(course.last_jump());
                        method.restart(system, state).map_err(|e| e.in_step(step))?;
                        continue 'pieces;
                    }
                }
                let doubtful = forces.largest_difference().is_some_and(|d| !(d <= promised));
                let reads = ConsistentForces::samples(step)
                    || (power_reads_forces && doubtful)
                    || recorder.reads_forces(step, state.t);
                let seen = if reads { forces.of(system, state) } else { &*state };
                let mut sample = Sample::of(system, step, seen, report, Moment::Step);
                sample.eta = method.eta();
                monitor.see(&mut sample, report.h, None);
                recorder.record(&sample);
                if let Some(error) = trust::locked(system, state, step, report.h) {
                    return Err(error);
                }
                reach.see(system, state, report.h)?;
                let stops = recorder.stops();
                if let Some(checkpoints) = checkpoints.as_mut().filter(|c| stops || c.due(step)) {
                    let like = state.clone();
                    let saved = checkpoints.save(step, |archive| {
                        transfer(
                            archive,
                            state,
                            recorder,
                            monitor,
                            course,
                            &mut (&mut *control, (&mut *forces, &mut at)),
                        )?;
                        archive.finite(HISTORY, |archive| method.persist(system, &like, archive))
                    });
                    monitor.warn_once(saved);
                }
                if stops {
                    monitor.summary.stopped = state.t < self.t_end;
                    return Ok(());
                }
            }
            if stop >= self.t_end {
                return Ok(());
            }
            course.cross_breakpoint(at.from, state)?;
            method.restart(system, state).map_err(|e| e.in_step(at.step))?;
        }
    }

    /// Largest difference of states on the way (in order of time) to those of another run from the same start.
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
            // A state that this run does not show must not keep the later ones from being compared.
            while others.next_if(|s| s.t < sample.state.t - slack).is_some() {}
            let near = |t: f64| (t - sample.state.t).abs() <= slack;
            let Some(other) = others.next_if(|s| sample.moment == Moment::Step && near(s.t)) else { return };
            system.group().difference(&sample.state.q, &other.q, &mut dq);
            for ((d, v), w) in dv.iter_mut().zip(&sample.state.v).zip(&other.v) {
                *d = v - w;
            }
            norm.look(system, other);
            achieved.positions = achieved.positions.max(norm.of_positions(&dq));
            let [largest, difference] = forces.compare(system, other, sample.state);
            largest_force = largest_force.max(largest);
            force_difference = force_difference.max(difference);
            achieved.velocities = achieved.velocities.max(norm.of_velocities(&dq, &dv));
        };
        let mut recorder = AtTimes::new(on_the_way.iter().map(|s| s.t).collect(), compare);
        self.run(system, method, state, &mut recorder).map_err(|failure| failure.error)?;
        recorder.finish().map(|_| ())?;
        achieved.forces = (largest_force > 0.0).then(|| force_difference / largest_force);
        Ok(achieved)
    }
}

/// Where a run is: in the piece that began at `from`, after a step of this size.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    step: usize,
    from: f64,
    last_h: f64,
}

crate::persist!(Place { step, from, last_h });

/// Whether a run can be at a place at time t.
fn demand_place(at: &Place, t: f64, control: &Control, course: &Course) -> Result<(), Damage> {
    course.demand_place(at.from, t)?;
    let longest = (1.0 + NOTHING_LEFT) * (t - at.from) + 4.0 * f64::EPSILON * t.abs();
    demand(0.0 < at.last_h && at.last_h <= longest, || {
        format!("a last step of {} s does not lead from {} s to {t} s", at.last_h, at.from)
    })?;
    let counted = control.orders.iter().fold(0, |sum: usize, n| sum.saturating_add(*n));
    demand(counted <= at.step, || format!("{counted} steps have an order, and {} were made", at.step))?;
    demand(control.h.is_none_or(|[low, high]| 0.0 < low && low <= high && high < f64::INFINITY), || {
        "its smallest or largest step is not positive".to_string()
    })
}

/// Keeps some states spread over a run, the last one included.
#[derive(Clone, Debug)]
pub struct Spread {
    every: usize,
    most: usize,
    states: Vec<State>,
    last: Option<State>,
}

impl Spread {
    /// Between n/2 and n states.
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
        // At events there are several states of one time.
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

    /// [`AdaptiveRun::verify`] solves for the forces of the few states that are left.
    fn reads_forces(&self, _step: usize, _t: f64) -> bool {
        false
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let Spread { every, most, states, last } = self;
        every.persist(archive)?;
        archive.growing_like(states, like)?;
        archive.maybe_like(last, like)?;
        demand(every.is_power_of_two() && states.len() <= *most, || {
            format!("{} states were kept, one in {every}, and at most {most} are", states.len())
        })
    }
}
