//! A run with fixed steps: integrate, project where asked, record, monitor.
//!
//! Steps are equal from the start to the end. Breakpoints of the forces and events that switch something divide a run into
//! pieces ([`Course`]), each with equal steps of its own that are not larger than the given one. A piece that an event
//! ends leaves its last step at the event, on the dense output, which is at least as accurate as a shorter step; the
//! method starts again there with its own starting procedure, so that its order is kept.

use std::time::Duration;

use super::adaptive::Control;
use super::balance::Work;
use super::checkpoint::{CheckpointError, Checkpoints};
use super::course::{Course, Next, Occurrence};
use super::diagnostics::{Diagnostic, diagnostics, energies, residuals};
use super::oscillation::Oscillation;
use super::recorder::{Moment, Recorder, Sample};
use super::trust::{self, Doubt, Entry, Ledger, Trust};
use crate::Error;
use crate::clock::Instant;
use crate::integrate::reach::{self, Reach};
use crate::integrate::{
    ConsistentForces, Integrator, Jump, Rescues, StepReport, project_position, project_velocity,
};
use crate::mechanics::{Momenta, State, System};
use crate::persist::{Archive, Damage, Persist, demand};

/// When positions or velocities are projected onto the constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum When {
    /// Never.
    #[default]
    Never,
    /// After every step.
    EveryStep,
    /// After the steps that end at these times (to the nearest step).
    At(Vec<f64>),
}

impl When {
    fn now(&self, t: f64, h: f64) -> bool {
        match self {
            When::Never => false,
            When::EveryStep => true,
            When::At(times) => times.iter().any(|x| (x - t).abs() < 0.5 * h),
        }
    }
}

/// What happens to the history of the integrator after a projection (VP; measured for the heavy top in the claims).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Only v is replaced: multipliers lose an order for about a hundred steps.
    #[default]
    Keep,
    /// The integrator starts anew with its own starting values. With Table 2 there is no loss of order.
    Start,
}

/// Projections during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// Projection of q (VP 6).
    pub position: When,
    /// Projection of v (VP 7), after that of q.
    pub velocity: When,
    /// What follows.
    pub restart: Restart,
}

/// A rest of a piece below this part of a step is left out.
pub(super) const NOTHING_LEFT: f64 = 1e-9;

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

/// What a run did, complete or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Step size used.
    pub h: f64,
    /// Steps done.
    pub steps: usize,
    /// Time reached.
    pub t_end: f64,
    /// Newton iterations in total.
    pub iterations: usize,
    /// Matrices factorised in total.
    pub jacobians: usize,
    /// Those among them that needed pivots from whole columns.
    pub fallbacks: usize,
    /// Steps in which the line search was active.
    pub damped_steps: usize,
    /// Steps in which Newton's method failed and was helped.
    pub rescues: Rescues,
    /// max |Phi_i| over all steps.
    pub position_max: f64,
    /// max |(B v + Phi_t)_i| over all steps.
    pub velocity_max: f64,
    /// Energy at the start, where defined. Of methods with momenta of their own (vi-*) all energies are H(q, p).
    pub energy_initial: Option<f64>,
    /// Energy at the end.
    pub energy_final: Option<f64>,
    /// max |E - E_0|.
    pub energy_drift: Option<f64>,
    /// max |E - H_0| of E(q, v, p) = p.v - v.M v/2 + V, of methods with momenta of their own.
    pub energy_function_drift: Option<f64>,
    /// Work of forces without potential and of drives; none where the energy is an invariant.
    pub work: Option<f64>,
    /// max |E - E_0 - work|: the power balance in place of conservation.
    pub balance: Option<f64>,
    /// Largest deviations of the momenta from their initial values, where defined.
    pub momenta: Option<MomentumDrift>,
    /// Invariants and residuals at the end.
    pub diagnostics: Vec<Diagnostic>,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// The recorder ended the run before its time.
    pub stopped: bool,
    /// What the run noticed that makes its results doubtful.
    pub warnings: Vec<String>,
    /// Events that happened, in the order of time.
    pub events: Vec<Occurrence>,
    /// Largest difference between the forces of some steps and those consistent with their positions and velocities, relative to
    /// the largest force; none without joints.
    pub force_difference: Option<f64>,
    /// Steps and orders, where the method chose them; `h` is then the mean step.
    pub control: Option<Control>,
    /// Whether the results can be trusted.
    pub trust: Trust,
}

/// Largest deviations of momenta. Momenta are invariants only of systems with the symmetry: linear and angular ones of
/// free systems, that about gravity of systems that may be turned about the vertical through the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MomentumDrift {
    /// max |L - L_0|.
    pub linear: f64,
    /// max |J - J_0|.
    pub angular: f64,
    /// The same of the component of J along gravity.
    pub about_gravity: Option<f64>,
}

/// A run that ended early: the error, and what was reached before it. The recorder has the samples.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Why.
    pub error: Error,
    /// Up to where.
    pub summary: Summary,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} (results up to t = {} after {} steps are kept)",
            self.error, self.summary.t_end, self.summary.steps
        )
    }
}

impl std::error::Error for Failure {}

impl Run {
    /// Steps of size h (or slightly less) up to t_end.
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

    /// Runs. The state ends where the run ends, also on failure.
    pub fn run(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
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
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
        mut checkpoints: Option<&mut Checkpoints>,
    ) -> Result<Summary, Box<Failure>> {
        let begin = Instant::now();
        let mut monitor = Monitor::new(system, state);
        let mut forces = ConsistentForces::new(system, state);
        let checked = checkpoints.as_deref_mut();
        let result = self.advance(system, method, state, recorder, &mut monitor, &mut forces, checked);
        monitor.summary.force_difference = forces.largest_difference();
        monitor
            .summary
            .warnings
            .extend(forces.notice("try a smaller step, or a tolerance (--tol) in its place"));
        monitor.summary.wall = checkpoints.map_or_else(|| begin.elapsed(), |c| c.wall());
        monitor.summary.t_end = state.t;
        monitor.summary.warnings.extend(monitor.summary.rescues.notice());
        monitor.close(system, state, false);
        let Summary { steps: step, work, .. } = monitor.summary;
        let last = Sample::of(system, step, state, StepReport::default(), Moment::Step).with(method);
        monitor.summary.diagnostics = diagnostics(&Sample { work, ..last });
        match result {
            Ok(()) => Ok(monitor.summary),
            Err(error) => {
                let error = reach::explain(system, state, monitor.explain(error));
                Err(Box::new(Failure { error, summary: monitor.summary }))
            }
        }
    }

    /// Start and steps alone, without residuals, energy and warnings: for measurements of time and for many small runs.
    /// Returns the sums over all steps.
    pub fn steps_only(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
    ) -> Result<StepReport, Error> {
        self.steps_seen(system, method, state, |_, _| {})
    }

    /// The same with a look at the state after the start (step 0) and after each step.
    pub(super) fn steps_seen(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        mut see: impl FnMut(usize, &State),
    ) -> Result<StepReport, Error> {
        let mut total = StepReport::default();
        if !system.events().is_empty() || !system.breakpoints(state.t, self.t_end).is_empty() {
            // Events and breakpoints are the business of a whole run.
            let summary = self.run(system, method, state, &mut ()).map_err(|f| f.error)?;
            (total.iterations, total.jacobians) = (summary.iterations, summary.jacobians);
            return Ok(total);
        }
        let t_0 = state.t;
        let (steps, h) = self.steps(t_0)?;
        method.start(system, state, h)?;
        see(0, state);
        for step in 1..=steps {
            let report = method.step(system, state, h).map_err(|e| e.in_step(step))?;
            total.iterations += report.iterations;
            total.jacobians += report.jacobians;
            total.fallbacks += report.fallbacks;
            total.dampings += report.dampings;
            state.t = t_0 + step as f64 * h;
            self.project(system, method, state, h).map_err(|e| e.in_step(step))?;
            see(step, state);
        }
        Ok(total)
    }

    #[allow(clippy::too_many_arguments)]
    fn advance(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
        monitor: &mut Monitor,
        forces: &mut ConsistentForces,
        checkpoints: Option<&mut Checkpoints>,
    ) -> Result<(), Error> {
        let (_, h) = self.steps(state.t)?;
        monitor.summary.h = h;
        let mut course = Course::new(system, state, self.t_end)?;
        let result = self.pieces(system, method, state, recorder, monitor, forces, &mut course, checkpoints);
        monitor.summary.events = course.occurrences;
        result
    }

    #[allow(clippy::too_many_arguments)]
    fn pieces(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
        monitor: &mut Monitor,
        forces: &mut ConsistentForces,
        course: &mut Course,
        mut checkpoints: Option<&mut Checkpoints>,
    ) -> Result<(), Error> {
        // Forces of conserving methods are evaluated at the ends of steps.
        let conserving = method.conjugate().is_some() || system.as_conservative().is_some();
        let mut at = Place::default();
        let mut moment = Moment::Step;
        let mut resumed = false;
        let mut reach = Reach::of(system);
        if let Some(checkpoints) = checkpoints.as_mut().filter(|c| c.resumes()) {
            // For the sizes of its workspace.
            method.start(system, &mut state.clone(), monitor.summary.h)?;
            let (initial, fresh) = (state.clone(), monitor.summary.clone());
            let loaded = checkpoints.load(|archive| {
                transfer(archive, state, recorder, monitor, course, &mut (&mut *forces, &mut at))?;
                archive.finite(HISTORY, |archive| method.persist(archive))?;
                self.demand_place(&at, state, course)?;
                let hamiltonian = energies(system, state, method.conjugate()).map(|e| e[0]);
                let agrees = monitor.demand_agreement(system, at.step, state, &fresh, hamiltonian);
                agrees.map(|()| (at.step, state.t))
            });
            if let Err(error) = loaded {
                (*state, monitor.summary) = (initial, fresh);
                course.occurrences.clear();
                return Err(error);
            }
            resumed = true;
            reach = reach.resumed();
        }
        'pieces: loop {
            if !std::mem::take(&mut resumed) {
                let (t_0, t_1) = (state.t, course.piece_end(state.t));
                let (mut steps, mut h) = Run { t_end: t_1, ..self.clone() }.steps(t_0)?;
                if at.step > 0 && t_1 - t_0 <= NOTHING_LEFT * self.h {
                    (steps, h) = (0, self.h);
                }
                at = Place { step: at.step, t_0, steps, h, done: 0 };
                method.start(system, state, h).map_err(|e| e.in_step(at.step))?;
                let mut sample =
                    Sample::of(system, at.step, state, StepReport::default(), moment).with(method);
                // A restart takes no time: the power may have jumped.
                monitor.see(&mut sample, 0.0, None);
                recorder.record(&sample);
            }
            let Place { t_0, steps, h, .. } = at;
            while at.done < steps {
                at.done += 1;
                at.step += 1;
                let step = at.step;
                let before = state.t;
                course.before_step(state);
                let mut report =
                    method.step(system, state, h).map_err(|e| trust::name_lock(e, system, state, step, h))?;
                (report.h, report.order) = (h, method.order());
                // No accumulation of rounding errors in t.
                state.t = t_0 + at.done as f64 * h;
                self.project(system, method, state, h).map_err(|e| e.in_step(step))?;
                let see = |state: &State, moment| {
                    let mut sample = Sample::of(system, step, state, report, moment).with(method);
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
                        moment = Moment::Restart;
                        continue 'pieces;
                    }
                }
                if ConsistentForces::samples(step) && !conserving {
                    forces.of(system, state);
                }
                let mut sample = Sample::of(system, step, state, report, Moment::Step).with(method);
                monitor.see(&mut sample, h, method.work());
                recorder.record(&sample);
                if let Some(error) = trust::locked(system, state, step, h) {
                    return Err(error);
                }
                reach.see(system, state, h)?;
                if let Some(count) = monitor.summary.rescues.too_many() {
                    return Err(Error::Strained { t: state.t, step, count, h });
                }
                let stops = recorder.stops();
                if let Some(checkpoints) = checkpoints.as_mut().filter(|c| stops || c.due(step)) {
                    let saved = checkpoints.save(step, |archive| {
                        transfer(archive, state, recorder, monitor, course, &mut (&mut *forces, &mut at))?;
                        archive.finite(HISTORY, |archive| method.persist(archive))
                    });
                    monitor.warn_once(saved);
                }
                if stops {
                    monitor.summary.stopped = state.t < self.t_end;
                    return Ok(());
                }
            }
            if course.piece_end(t_0) >= self.t_end {
                return Ok(());
            }
            course.cross_breakpoint(t_0, state)?;
            moment = Moment::Restart;
        }
    }

    /// Whether this run can be at a place: its equal steps follow from where the piece began.
    fn demand_place(&self, at: &Place, state: &State, course: &Course) -> Result<(), Damage> {
        course.demand_place(at.t_0, state.t)?;
        let whole = Run { t_end: course.piece_end(at.t_0), ..self.clone() }.steps(at.t_0);
        let (steps, h) = whole.map_err(|e| Damage::Inconsistent(e.to_string()))?;
        let same = (at.steps, at.h) == (steps, h) && (1..=steps).contains(&at.done);
        demand(same && state.t == at.t_0 + at.done as f64 * h, || {
            format!(
                "step {} of {} with {} s up to {} s is none of this run",
                at.done, at.steps, at.h, state.t
            )
        })?;
        let before = course.most_steps(at.t_0, self.h);
        demand(at.done <= at.step && (at.step - at.done) as f64 <= before, || {
            format!("{} steps were made before {} s, and at most {before} are needed", at.step, state.t)
        })
    }

    fn project(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        let position = self.projection.position.now(state.t, h);
        let velocity = self.projection.velocity.now(state.t, h);
        if position {
            project_position(system, state)?;
        }
        if velocity {
            project_velocity(system, state)?;
        }
        if (position || velocity) && self.projection.restart == Restart::Start {
            method.start(system, state, h)?;
        }
        Ok(())
    }
}

/// Where a run is: steps of size `h` from `t_0`, of which some are done.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    step: usize,
    t_0: f64,
    steps: usize,
    h: f64,
    done: usize,
}

crate::persist!(Place { step, t_0, steps, h, done });

/// What a method keeps, in words.
pub(super) const HISTORY: &str = "the history of the method";

/// Everything but the method, to or from a checkpoint.
pub(super) fn transfer(
    archive: &mut Archive,
    state: &mut State,
    recorder: &mut dyn Recorder,
    monitor: &mut Monitor,
    course: &mut Course,
    place: &mut dyn Persist,
) -> Result<(), Damage> {
    archive.finite("the state", |archive| state.persist(archive))?;
    (monitor, place).persist(archive)?;
    course.persist(state, archive)?;
    recorder.persist(state, archive)
}

/// Residuals, energy and momenta of every step.
pub(super) struct Monitor {
    rows: Vec<f64>,
    oscillation: Oscillation,
    pub summary: Summary,
    momenta: Option<Momenta>,
    work: Option<Work>,
    ledger: Ledger,
    /// A checkpoint could not be written.
    unsaved: bool,
}

crate::persist!(Monitor { oscillation, summary, momenta, work, ledger } given { rows, unsaved });
crate::persist!(MomentumDrift { linear, angular, about_gravity });

impl Persist for Summary {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        // Events are those of the course; time, diagnostics, control and trust are added at the end.
        let Summary {
            h,
            steps,
            t_end,
            iterations,
            jacobians,
            fallbacks,
            damped_steps,
            rescues,
            position_max,
            velocity_max,
            energy_initial,
            energy_final,
            energy_drift,
            energy_function_drift,
            work,
            balance,
            momenta,
            diagnostics: _,
            wall: _,
            stopped: _,
            warnings,
            events: _,
            force_difference: _,
            control: _,
            trust: _,
        } = self;
        ((h, t_end), (steps, (iterations, (jacobians, (fallbacks, damped_steps))))).persist(archive)?;
        ((position_max, velocity_max), (energy_initial, (energy_final, energy_drift))).persist(archive)?;
        ((work, balance), (momenta, (rescues, energy_function_drift))).persist(archive)?;
        archive.growing(warnings)
    }
}

/// Quantities of a state that was read and of one that was kept may differ by this much: rounding errors of another computer.
const ROUNDED: f64 = 1e-9;

impl Monitor {
    /// Whether a summary that was read belongs to this state and to a run that began with a `fresh` one. `hamiltonian` takes the place of the
    /// energy of the state, of methods with momenta of their own.
    pub fn demand_agreement(
        &mut self,
        system: &dyn System,
        step: usize,
        state: &State,
        fresh: &Summary,
        hamiltonian: Option<f64>,
    ) -> Result<(), Damage> {
        let s = &self.summary;
        let watched = |s: &Summary| {
            let along = s.momenta.map(|m| m.about_gravity.is_some());
            (
                [s.energy_initial, s.energy_final, s.energy_drift, s.work, s.balance].map(|x| x.is_some()),
                along,
            )
        };
        let parts = (self.work.is_some(), self.momenta.map(|m| m.about_gravity.is_some()));
        let same = watched(s) == watched(fresh) && parts == (s.work.is_some(), watched(s).1);
        demand(same, || "it watches other quantities than this run".to_string())?;
        demand((s.h, s.steps) == (fresh.h, step), || {
            format!(
                "its summary is of {} steps of {} s, this run of {step} steps of {} s",
                s.steps, s.h, fresh.h
            )
        })?;
        if let (Some(energy), Some(initial), Some(last)) =
            (system.energy(&state.at()), s.energy_initial, s.energy_final)
        {
            let size = energy.kinetic.abs() + energy.potential.abs();
            let near =
                |x: f64, y: f64| (x - y).abs() <= ROUNDED * (size + x.abs()) || (x.is_nan() && y.is_nan());
            let now = hamiltonian.unwrap_or(energy.total());
            let first = fresh.energy_initial.unwrap_or(f64::NAN);
            demand(near(last, now), || format!("its state has the energy {now} J and its summary {last} J"))?;
            demand(near(initial, first), || {
                format!("it began with {initial} J and this run with {first} J")
            })?;
        }
        let sample = Sample::of(system, step, state, StepReport::default(), Moment::Step);
        let [position, velocity] = residuals(system, &sample, &mut self.rows);
        let within = |x: f64, largest: f64| x <= (1.0 + ROUNDED) * largest + ROUNDED;
        demand(within(position, s.position_max) && within(velocity, s.velocity_max), || {
            format!(
                "its state misses the constraints by {position:.1e} and {velocity:.1e}, and its summary says {:.1e} and {:.1e}",
                s.position_max, s.velocity_max
            )
        })
    }

    /// A failure of Newton's method with what the multipliers did before.
    pub fn explain(&self, mut error: Error) -> Error {
        if let Some(diagnosis) = error.diagnosis_mut() {
            diagnosis.alternating = self.oscillation.alternating();
        }
        error
    }

    /// A checkpoint that cannot be written is no reason to end a run, but one to tell.
    pub fn warn_once(&mut self, saved: Result<(), CheckpointError>) {
        if let Err(e) = saved
            && !std::mem::replace(&mut self.unsaved, true)
        {
            self.summary.warnings.push(e.to_string());
        }
    }

    pub fn new(system: &dyn System, state: &State) -> Self {
        let at = state.at();
        let energy = system.energy(&at).map(|e| e.total());
        let (momenta, work) = (system.momenta(&at), system.power(&at).map(Work::starting));
        let drift = |m: Momenta| MomentumDrift {
            about_gravity: m.about_gravity.map(|_| 0.0),
            ..MomentumDrift::default()
        };
        Monitor {
            rows: vec![0.0; system.n_lambda()],
            oscillation: Oscillation::new(system.n_lambda()),
            momenta,
            work,
            ledger: Ledger::new(system, state),
            unsaved: false,
            summary: Summary {
                energy_initial: energy,
                energy_final: energy,
                energy_drift: energy.map(|_| 0.0),
                work: work.map(|w| w.total),
                balance: work.and(energy).map(|_| 0.0),
                momenta: momenta.map(drift),
                ..Summary::default()
            },
        }
    }

    /// Closes the accounts at the end of a run.
    pub fn close(&mut self, system: &dyn System, state: &State, tolerance: bool) {
        self.summary.trust = self.ledger.close(system, state, tolerance);
        if let Some(Doubt::Notice(text)) = &self.summary.trust.doubt {
            self.summary.warnings.push(text.clone());
        }
    }

    /// The work up to a state inside the present step, h after its beginning.
    pub fn work_until(&self, system: &dyn System, state: &State, h: f64) -> Option<f64> {
        let mut work = self.work?;
        work.step(h, system.power(&state.at()).unwrap_or(f64::NAN));
        Some(work.total)
    }

    /// Takes note of a jump of the velocities: its energy is what the impulses of a joint or drive do.
    pub fn impulse(&mut self, jump: Option<Jump>) {
        if let (Some(total), Some(energy)) = (&mut self.work, jump.and_then(|j| j.energy)) {
            total.add(energy);
        }
    }

    /// Takes note of a sample and adds to it the work since the start; `h` and `work` are those of the last step.
    pub fn see(&mut self, sample: &mut Sample, h: f64, work: Option<f64>) {
        let (system, at) = (sample.system, sample.state.at());
        let s = &mut self.summary;
        s.steps = sample.step;
        s.iterations += sample.report.iterations;
        s.jacobians += sample.report.jacobians;
        s.fallbacks += sample.report.fallbacks;
        s.damped_steps += usize::from(sample.report.dampings > 0);
        if sample.moment == Moment::Step && sample.step > 0 {
            s.rescues.see(at.t, sample.report.rescue);
        }
        if let Some(relative) = self.oscillation.see(at.lambda) {
            s.warnings.push(format!(
                "from t = {} on the multipliers alternate from step to step and grow, by {:.0} % of their size now: they \
                 mean nothing, and positions will follow; try a smaller step, a smaller rho, or the form stabilized-index2",
                at.t,
                100.0 * relative
            ));
        }
        let mut velocity = 0.0;
        if !self.rows.is_empty() {
            let position;
            [position, velocity] = residuals(system, sample, &mut self.rows);
            s.position_max = s.position_max.max(position);
            s.velocity_max = s.velocity_max.max(velocity);
        }
        let mut passed = 0.0;
        if let (Some(total), true) = (&mut self.work, sample.step > 0) {
            passed = match work {
                Some(work) => {
                    total.add(work);
                    work.abs()
                }
                None => total.step(h, system.power(&at).unwrap_or(f64::NAN)),
            };
        }
        sample.work = self.work.map(|w| w.total);
        s.work = sample.work;
        let mut entry = Entry { energy: None, balance: 0.0, passed, velocity };
        if let (Some(e_0), Some(drift)) = (s.energy_initial, s.energy_drift) {
            entry.energy = system.energy(&at);
            let named = energies(system, sample.state, sample.conjugate);
            let e = named.map_or_else(|| entry.energy.map_or(f64::NAN, |e| e.total()), |[h, _]| h);
            if let Some([_, function]) = named {
                let largest = s.energy_function_drift.unwrap_or(0.0);
                s.energy_function_drift = Some(largest.max((function - e_0).abs()));
            }
            entry.balance = e - e_0 - s.work.unwrap_or(0.0);
            s.energy_final = Some(e);
            s.energy_drift = Some(drift.max((e - e_0).abs()));
            s.balance = s.balance.map(|b| b.max(entry.balance.abs()));
        }
        self.ledger.see(sample, h, entry);
        if let (Some(drift), Some(first), Some(now)) = (&mut s.momenta, self.momenta, system.momenta(&at)) {
            drift.linear = drift.linear.max((now.linear - first.linear).norm());
            drift.angular = drift.angular.max((now.angular - first.angular).norm());
            let along = now.about_gravity.zip(first.about_gravity).map(|(now, first)| (now - first).abs());
            drift.about_gravity = drift.about_gravity.zip(along).map(|(x, y)| x.max(y));
        }
    }
}
