//! The automatic choice of a method for a tolerance: BLieDF, unless its stability limits the steps.
//!
//! BLieDF of orders 3 to 5 is unstable for weakly damped vibrations with a frequency of about 1/h. If the
//! tolerance does not require resolving them, an A-stable method of order 2 can take longer steps. Many
//! rejections are the first sign. Then generalized-alpha (rho 0.8) is tried for some steps with the same
//! tolerance. A method of order 2 cannot take longer steps than one of order 5 for reasons of accuracy. So if
//! its steps are longer it stays, otherwise BLieDF starts again. The vibrations may become unimportant. So
//! BLieDF is tried again from time to time, at growing intervals, and stays if its steps are longer. (It is
//! not enough that a vibration has decayed. BLieDF is unstable for it, however small it is, and would excite
//! it again.)

use super::alpha::VariableAlpha;
use super::bliedf::VariableBliedf;
use super::{Adaptive, Horizon};
use crate::Error;
use crate::integrate::integrator::StepReport;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist, ensure};

/// Number of steps after which BLieDF is examined.
const WINDOW_STEPS: usize = 100;
/// Number of growing steps after a start of BLieDF that are not counted.
const GROWING_STEPS: usize = 60;
/// Number of steps at the end of a window whose mean is compared.
const RECENT_STEPS: usize = 25;
/// Number of rejected steps in a window that causes a trial.
const SUSPICIOUS_REJECTIONS: usize = 4;
/// Largest ratio of steps in a window for a stability limit: stability keeps the step constant, accuracy
/// follows the motion.
const STEADY_RATIO: f64 = 4.0;
/// Number of steps in a trial. In the first half the step may grow.
const TRIAL_STEPS: usize = 60;
/// The tried method stays if its steps are longer by this factor.
const LONGER_FACTOR: f64 = 1.2;
/// Number of steps of generalized-alpha before BLieDF is tried again.
const RETRY_STEPS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// BLieDF is used.
    Bliedf,
    /// Generalized-alpha is tried; the mean step of BLieDF before it.
    Trial(f64),
    /// Generalized-alpha is used since a time, with steps longer by a factor.
    Alpha { since: f64, factor: f64 },
    /// BLieDF is tried again, after generalized-alpha with this mean step.
    Back { since: f64, factor: f64, mean: f64 },
}

impl Persist for Phase {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let (mut kind, mut x) = match *self {
            Phase::Bliedf => (0_u8, [0.0; 3]),
            Phase::Trial(mean) => (1, [0.0, 0.0, mean]),
            Phase::Alpha { since, factor } => (2, [since, factor, 0.0]),
            Phase::Back { since, factor, mean } => (3, [since, factor, mean]),
        };
        (&mut kind, &mut x).persist(archive)?;
        *self = match kind {
            0 => Phase::Bliedf,
            1 => Phase::Trial(x[2]),
            2 => Phase::Alpha { since: x[0], factor: x[1] },
            3 => Phase::Back { since: x[0], factor: x[1], mean: x[2] },
            _ => return Err(Damage::Value),
        };
        Ok(())
    }
}

/// BLieDF or generalized-alpha, whichever takes the longer steps.
#[derive(Clone, Debug)]
pub struct Automatic {
    bliedf: VariableBliedf,
    alpha: VariableAlpha,
    alpha_started: bool,
    phase: Phase,
    /// Steps, rejected steps and time in the current window.
    steps: usize,
    rejected: usize,
    since: f64,
    /// Smallest and largest step in the current window.
    h: [f64; 2],
    /// Length of the current window; doubled after every unsuccessful trial.
    window: usize,
    trials: usize,
    /// Steps of generalized-alpha before BLieDF is tried again; doubled after every unsuccessful trial.
    back: usize,
    /// Times between which generalized-alpha was used.
    worked: Option<[f64; 2]>,
    /// True if BLieDF has just started and its steps still grow.
    fresh: bool,
    t_end: f64,
}

impl Automatic {
    /// A choice between these two methods.
    pub fn new(bliedf: VariableBliedf, alpha: VariableAlpha) -> Self {
        Automatic {
            bliedf,
            alpha,
            alpha_started: false,
            phase: Phase::Bliedf,
            steps: 0,
            rejected: 0,
            since: 0.0,
            h: [f64::MAX, 0.0],
            window: WINDOW_STEPS,
            trials: 0,
            back: RETRY_STEPS,
            worked: None,
            fresh: true,
            t_end: 0.0,
        }
    }

    fn enter(&mut self, phase: Phase, t: f64) {
        (self.phase, self.steps, self.rejected, self.since) = (phase, 0, 0, t);
        self.h = [f64::MAX, 0.0];
    }

    /// Makes a step with the other method if the current one finds no step size; returns the given error if
    /// that fails, too. BLieDF then starts again, at once or after a trial.
    fn other_method(
        &mut self,
        system: &dyn System,
        state: &mut State,
        to: Horizon,
        error: Error,
    ) -> Result<StepReport, Error> {
        if !matches!(
            error,
            Error::StepTooSmall { .. } | Error::SingularPosition { .. } | Error::NotFinite { .. }
        ) {
            return Err(error);
        }
        let outcome = match self.phase {
            Phase::Bliedf | Phase::Back { .. } => {
                self.start_alpha(system, state).and_then(|()| self.alpha.advance(system, state, to))
            }
            Phase::Trial(_) | Phase::Alpha { .. } => {
                self.bliedf.restart(system, state).and_then(|()| self.bliedf.advance(system, state, to))
            }
        };
        let Ok(report) = outcome else { return Err(error) };
        match self.phase {
            Phase::Bliedf | Phase::Back { .. } => {
                self.trials += 1;
                self.enter(Phase::Trial(f64::INFINITY), state.t);
            }
            Phase::Trial(_) | Phase::Alpha { .. } => {
                self.fresh = true;
                self.enter(Phase::Bliedf, state.t);
            }
        }
        Ok(report)
    }

    fn start_alpha(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        if self.alpha_started {
            return self.alpha.restart(system, state);
        }
        self.alpha.start(system, state, self.t_end)?;
        self.alpha_started = true;
        Ok(())
    }

    /// Examines the last steps and changes the method if necessary.
    fn look_back(
        &mut self,
        system: &dyn System,
        state: &mut State,
        report: &StepReport,
    ) -> Result<(), Error> {
        self.steps += 1;
        self.rejected += report.rejected + report.failed;
        self.h = [self.h[0].min(report.h), self.h[1].max(report.h)];
        match self.phase {
            Phase::Bliedf if self.steps >= self.window => {
                let mean = (state.t - self.since) / RECENT_STEPS as f64;
                let steady = self.h[1] < STEADY_RATIO * self.h[0];
                let limited = self.rejected * WINDOW_STEPS >= SUSPICIOUS_REJECTIONS * self.steps
                    && steady
                    && report.order > 2;
                // A trial is not worth it if it would take most of the remaining time.
                let worth_it = self.t_end - state.t > 2.0 * TRIAL_STEPS as f64 * mean;
                // If it cannot start, BLieDF continues.
                if limited && worth_it && self.start_alpha(system, state).is_ok() {
                    self.trials += 1;
                    self.enter(Phase::Trial(mean), state.t);
                } else {
                    self.enter(Phase::Bliedf, state.t);
                }
            }
            Phase::Bliedf if self.steps + RECENT_STEPS == self.window => self.since = state.t,
            Phase::Bliedf if self.fresh && self.steps == GROWING_STEPS => {
                self.fresh = false;
                self.enter(Phase::Bliedf, state.t);
            }
            Phase::Trial(_) if self.steps == TRIAL_STEPS / 2 => self.since = state.t,
            Phase::Trial(mean) if self.steps >= TRIAL_STEPS => {
                let factor = (state.t - self.since) / (TRIAL_STEPS / 2) as f64 / mean;
                if factor > LONGER_FACTOR {
                    self.enter(Phase::Alpha { since: state.t, factor }, state.t);
                } else {
                    self.window *= 2;
                    self.fresh = true;
                    self.bliedf.restart(system, state)?;
                    self.enter(Phase::Bliedf, state.t);
                }
            }
            Phase::Alpha { .. } if self.steps + RECENT_STEPS == self.back => self.since = state.t,
            Phase::Alpha { since, factor } if self.steps >= self.back => {
                let mean = (state.t - self.since) / RECENT_STEPS as f64;
                if self.t_end - state.t > 2.0 * (GROWING_STEPS + TRIAL_STEPS) as f64 * mean {
                    self.bliedf.restart(system, state)?;
                    self.enter(Phase::Back { since, factor, mean }, state.t);
                } else {
                    self.enter(self.phase, state.t);
                }
            }
            Phase::Back { .. } if self.steps == GROWING_STEPS + TRIAL_STEPS / 2 => self.since = state.t,
            Phase::Back { since, factor, mean } if self.steps >= GROWING_STEPS + TRIAL_STEPS => {
                if state.t - self.since > LONGER_FACTOR * mean * (TRIAL_STEPS / 2) as f64 {
                    self.worked = Some([since, state.t]);
                    (self.back, self.fresh) = (RETRY_STEPS, false);
                    self.enter(Phase::Bliedf, state.t);
                } else {
                    self.back *= 2;
                    self.alpha.restart(system, state)?;
                    self.enter(Phase::Alpha { since, factor }, state.t);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Adaptive for Automatic {
    fn name(&self) -> &'static str {
        match self.phase {
            Phase::Bliedf | Phase::Back { .. } => self.bliedf.name(),
            Phase::Trial(_) | Phase::Alpha { .. } => self.alpha.name(),
        }
    }

    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error> {
        self.t_end = t_end;
        self.alpha_started = false;
        (self.window, self.trials, self.fresh) = (WINDOW_STEPS, 0, true);
        (self.back, self.worked) = (RETRY_STEPS, None);
        self.enter(Phase::Bliedf, state.t);
        self.bliedf.start(system, state, t_end)
    }

    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.fresh = true;
        self.enter(self.phase, state.t);
        match self.phase {
            Phase::Bliedf | Phase::Back { .. } => self.bliedf.restart(system, state),
            Phase::Trial(_) | Phase::Alpha { .. } => self.alpha.restart(system, state),
        }
    }

    fn advance(&mut self, system: &dyn System, state: &mut State, to: Horizon) -> Result<StepReport, Error> {
        let report = match self.phase {
            Phase::Bliedf | Phase::Back { .. } => self.bliedf.advance(system, state, to),
            Phase::Trial(_) | Phase::Alpha { .. } => self.alpha.advance(system, state, to),
        };
        let report = match report {
            Ok(report) => report,
            Err(error) => self.other_method(system, state, to, error)?,
        };
        self.look_back(system, state, &report)?;
        Ok(report)
    }

    fn eta(&self) -> Option<&[f64]> {
        match self.phase {
            Phase::Bliedf | Phase::Back { .. } => self.bliedf.eta(),
            Phase::Trial(_) | Phase::Alpha { .. } => self.alpha.eta(),
        }
    }

    fn persist(&mut self, system: &dyn System, initial: &State, archive: &mut Archive) -> Result<(), Damage> {
        let Automatic {
            bliedf,
            alpha,
            alpha_started,
            phase,
            steps,
            rejected,
            since,
            h,
            window,
            trials,
            back,
            worked,
            fresh,
            t_end,
        } = self;
        ((&mut *phase, &mut *alpha_started), (steps, rejected)).persist(archive)?;
        ((since, h), (window, trials)).persist(archive)?;
        ((back, worked), fresh).persist(archive)?;
        ensure(*alpha_started || *phase == Phase::Bliedf, || {
            "the current method was never started".to_string()
        })?;
        bliedf.persist(system, initial, archive)?;
        if !*alpha_started {
            return Ok(());
        }
        if archive.reads() {
            // Allocates its workspace.
            let unsupported = |e: Error| Damage::Unsupported(format!("gen-alpha: {e}"));
            alpha.start(system, &mut initial.clone(), *t_end).map_err(unsupported)?;
        }
        alpha.persist(system, initial, archive)
    }

    fn choice(&self) -> Option<String> {
        Some(match (self.phase, self.worked) {
            (Phase::Bliedf, Some([from, to])) => format!(
                "bliedf with orders up to {}; gen-alpha from t = {from:.3e} s to {to:.3e} s, where lightly \
                 damped vibrations \
                 limited its steps",
                self.bliedf.max_order
            ),
            (Phase::Alpha { since, factor } | Phase::Back { since, factor, .. }, _) => format!(
                "gen-alpha from t = {since:.3e} s on: its steps are {factor:.1} times longer than those of \
                 bliedf, which \
                 lightly damped vibrations limit there"
            ),
            _ if self.trials > 0 => format!(
                "bliedf with orders up to {}: gen-alpha was tried {} and does not take longer steps",
                self.bliedf.max_order,
                if self.trials == 1 { "once".to_string() } else { format!("{} times", self.trials) }
            ),
            _ => format!(
                "bliedf with orders up to {}: its stability does not limit the steps",
                self.bliedf.max_order
            ),
        })
    }
}
