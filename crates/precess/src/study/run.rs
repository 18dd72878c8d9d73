//! A run with fixed steps: integrate, project where asked, record, monitor.

use std::time::{Duration, Instant};

use super::adaptive::Control;
use super::oscillation::Oscillation;
use super::recorder::{Recorder, Sample};
use crate::Error;
use crate::integrate::{Integrator, StepReport, project_position, project_velocity};
use crate::mechanics::{State, System};

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
    /// Steps in which the line search was active.
    pub damped_steps: usize,
    /// max |Phi_i| over all steps.
    pub position_max: f64,
    /// max |(B v + Phi_t)_i| over all steps.
    pub velocity_max: f64,
    /// Energy at the start, where defined.
    pub energy_initial: Option<f64>,
    /// Energy at the end.
    pub energy_final: Option<f64>,
    /// max |E - E_0|.
    pub energy_drift: Option<f64>,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// What the run noticed that makes its results doubtful.
    pub warnings: Vec<String>,
    /// Steps and orders, where the method chose them; `h` is then the mean step.
    pub control: Option<Control>,
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
        let begin = Instant::now();
        let mut monitor = Monitor::new(system, state);
        let result = self.advance(system, method, state, recorder, &mut monitor);
        monitor.summary.wall = begin.elapsed();
        monitor.summary.t_end = state.t;
        match result {
            Ok(()) => Ok(monitor.summary),
            Err(error) => Err(Box::new(Failure { error, summary: monitor.summary })),
        }
    }

    fn advance(
        &self,
        system: &dyn System,
        method: &mut dyn Integrator,
        state: &mut State,
        recorder: &mut dyn Recorder,
        monitor: &mut Monitor,
    ) -> Result<(), Error> {
        let t_0 = state.t;
        let (steps, h) = self.steps(t_0)?;
        monitor.summary.h = h;
        method.start(system, state, h)?;
        let mut report = StepReport::default();
        for step in 0..=steps {
            if step > 0 {
                report = method.step(system, state, h).map_err(|e| e.in_step(step))?;
                (report.h, report.order) = (h, method.order());
                // No accumulation of rounding errors in t.
                state.t = t_0 + step as f64 * h;
                self.project(system, method, state, h).map_err(|e| e.in_step(step))?;
            }
            monitor.see(system, step, state, report);
            recorder.record(&Sample { system, step, state, eta: method.eta(), report });
        }
        Ok(())
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

/// Residuals and energy of every step.
pub(super) struct Monitor {
    rows: Vec<f64>,
    oscillation: Oscillation,
    pub summary: Summary,
}

impl Monitor {
    pub fn new(system: &dyn System, state: &State) -> Self {
        let energy = system.energy(&state.at()).map(|e| e.total());
        Monitor {
            rows: vec![0.0; system.n_lambda()],
            oscillation: Oscillation::new(system.n_lambda()),
            summary: Summary {
                energy_initial: energy,
                energy_final: energy,
                energy_drift: energy.map(|_| 0.0),
                ..Summary::default()
            },
        }
    }

    pub fn see(&mut self, system: &dyn System, step: usize, state: &State, report: StepReport) {
        let s = &mut self.summary;
        s.steps = step;
        if step > 0 {
            s.iterations += report.iterations;
            s.jacobians += report.jacobians;
            s.damped_steps += usize::from(report.dampings > 0);
        }
        if let Some(relative) = self.oscillation.see(&state.lambda) {
            s.warnings.push(format!(
                "from t = {} on the multipliers alternate from step to step and grow, by {:.0} % of their size now: they \
                 mean nothing, and positions will follow; try a smaller step, a smaller rho, or the form stabilized-index2",
                state.t,
                100.0 * relative
            ));
        }
        if !self.rows.is_empty() {
            system.constraint(&state.at(), &mut self.rows);
            s.position_max = self.rows.iter().fold(s.position_max, |m, x| m.max(x.abs()));
            system.velocity_constraint(&state.at(), &mut self.rows);
            s.velocity_max = self.rows.iter().fold(s.velocity_max, |m, x| m.max(x.abs()));
        }
        if let (Some(e_0), Some(drift)) = (s.energy_initial, s.energy_drift) {
            let e = system.energy(&state.at()).map_or(f64::NAN, |e| e.total());
            s.energy_final = Some(e);
            s.energy_drift = Some(drift.max((e - e_0).abs()));
        }
    }
}
