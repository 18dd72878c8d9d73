//! Monitors every step of a run: residuals, energy, momenta, work, and whether the results can be trusted.

use super::balance::Work;
use super::checkpoint::CheckpointError;
use super::diagnostics::{Missed, energies, momenta, residuals};
use super::errors::larger;
use super::oscillation::Oscillation;
use super::recorder::{Moment, Sample};
use super::summary::{MomentumDrift, Summary};
use super::trust::{Doubt, Ledger, LedgerEntry};
use super::turns::Turns;
use crate::Error;
use crate::integrate::{Jump, StepReport};
use crate::mechanics::{Momenta, State, System};
use crate::persist::{Damage, ensure};

/// Residuals, energy and momenta of every step.
pub(super) struct Monitor {
    rows: Vec<f64>,
    oscillation: Oscillation,
    pub summary: Summary,
    momenta: Option<Momenta>,
    work: Option<Work>,
    ledger: Ledger,
    turns: Turns,
    t_0: f64,
    /// How near the motion came to the limits of the model.
    limits: Vec<f64>,
    /// True if a checkpoint could not be written.
    unsaved: bool,
    /// A kinetic energy beyond the range of numbers.
    overflow: Option<f64>,
}

crate::persist!(Monitor { limits, oscillation, summary, momenta, work, ledger, turns } given { t_0, rows, unsaved, overflow });

/// If the forces of steps and consistent forces differ by more than the largest one, the steps are too large
/// for the motion.
const MEANINGLESS_FORCES: f64 = 1.0;

/// Largest relative difference between restored and recomputed quantities: rounding errors of another
/// computer.
const ROUNDING_TOLERANCE: f64 = 1e-9;

impl Monitor {
    /// Checks that a restored summary belongs to this state and to a run that began with a `fresh` one. For
    /// methods with separate momenta, `hamiltonian` replaces the energy of the state.
    pub fn ensure_agreement(
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
        ensure(same, || "it watches other quantities than this run".to_string())?;
        ensure((s.h, s.steps) == (fresh.h, step), || {
            format!(
                "its summary is of {} steps of {} s, this run of {step} steps of {} s",
                s.steps, s.h, fresh.h
            )
        })?;
        if let (Some(energy), Some(initial), Some(last)) =
            (system.energy(&state.at()), s.energy_initial, s.energy_final)
        {
            let size = energy.kinetic.abs() + energy.potential.abs();
            let near = |x: f64, y: f64| {
                (x - y).abs() <= ROUNDING_TOLERANCE * (size + x.abs()) || (x.is_nan() && y.is_nan())
            };
            let now = hamiltonian.unwrap_or(energy.total());
            let first = fresh.energy_initial.unwrap_or(f64::NAN);
            ensure(near(last, now), || format!("its state has the energy {now} J and its summary {last} J"))?;
            ensure(near(initial, first), || {
                format!("it began with {initial} J and this run with {first} J")
            })?;
        }
        let sample = Sample::of(system, step, state, StepReport::default(), Moment::Step);
        let Missed { position, velocity, .. } = residuals(system, &sample, &mut self.rows);
        let within = |x: f64, largest: f64| x <= (1.0 + ROUNDING_TOLERANCE) * largest + ROUNDING_TOLERANCE;
        ensure(within(position, s.position_max) && within(velocity, s.velocity_max), || {
            format!(
                "its state misses the constraints by {position:.1e} and {velocity:.1e}, and its summary \
                 says {:.1e} and {:.1e}",
                s.position_max, s.velocity_max
            )
        })
    }

    /// Adds the behaviour of the multipliers to a failure of Newton's method.
    pub fn explain(&self, mut error: Error) -> Error {
        if let Some(diagnosis) = error.diagnosis_mut() {
            diagnosis.alternating = self.oscillation.alternating();
        }
        error
    }

    /// Warns once about a checkpoint that cannot be written; the run continues.
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
        let mut limits = Vec::new();
        system.see_limits(&at, &mut limits);
        let drift = |m: Momenta| MomentumDrift {
            about_gravity: m.about_gravity.map(|_| 0.0),
            ..MomentumDrift::default()
        };
        Monitor {
            rows: vec![0.0; 2 * system.n_lambda()],
            oscillation: Oscillation::new(system.n_lambda()),
            momenta,
            work,
            ledger: Ledger::new(system, state),
            turns: Turns::of(system),
            t_0: state.t,
            limits,
            unsaved: false,
            overflow: None,
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

    /// Completes the summary at the end of a run.
    pub fn close(&mut self, system: &dyn System, state: &State, tolerance: bool) {
        self.summary.trust = self.ledger.close(system, state, tolerance);
        self.summary.trust.reject(self.turns.doubt(state.t - self.t_0));
        // With a tolerance, consistent forces are reported, and a notice compares them.
        let forces = self.summary.force_difference.filter(|d| !(tolerance || *d <= MEANINGLESS_FORCES));
        self.summary.trust.reject(forces.map(|d| {
            format!(
                "joint forces of the steps differ by up to {d:.1} times the largest one from those that \
                 follow \
                 from positions and velocities; try a smaller step, or a tolerance instead of a step"
            )
        }));
        self.summary.trust.reject(self.blind_energy().filter(|_| !tolerance));
        if let Some(Doubt::Notice(text)) = &self.summary.trust.doubt {
            self.summary.warnings.push(text.clone());
        }
        self.summary.warnings.extend(system.neglected(&self.limits));
        if let Some(why) = system.exceeded(&self.limits) {
            self.summary.trust.doubt = Some(Doubt::Wrong(why));
        }
    }

    /// A doubt about steps that were found from other guesses by a method that preserves the energy: then the
    /// balance is right whatever the steps are, and nothing else shows that these solutions belong to the motion.
    fn blind_energy(&self) -> Option<String> {
        /// Balances below this are rounding errors.
        const PRESERVED: f64 = 1e-9;
        let Summary { steps, rescues, trust, .. } = &self.summary;
        let guessed = rescues.guess + rescues.continuation;
        let blind = trust.energy.is_some_and(|x| x <= PRESERVED);
        (blind && 100 * guessed > *steps).then(|| {
            format!(
                "Newton's method failed in {guessed} of {steps} steps and was rescued by other guesses, and the \
                 energy, which this method preserves in every step, says nothing about their results; try a \
                 smaller step"
            )
        })
    }

    /// The error if the last sample is too fast for numbers: its energy overflows, and soon everything will.
    pub fn ensure_finite(&self, t: f64, step: usize) -> Result<(), Error> {
        let what = || "the kinetic energy".to_string();
        self.overflow.map_or(Ok(()), |value| Err(Error::NotFinite { what: what(), value, t, step }))
    }

    /// The work up to a state inside the current step, h after its beginning.
    pub fn work_until(&self, system: &dyn System, state: &State, h: f64) -> Option<f64> {
        let mut work = self.work?;
        work.step(h, system.power(&state.at()).unwrap_or(f64::NAN));
        Some(work.total)
    }

    /// Records the change of the energy by an event: impulses of a joint or drive, springs turned on or off.
    pub fn impulse(&mut self, jump: Option<Jump>) {
        if let (Some(total), Some(Jump { energy, switched, .. })) = (&mut self.work, jump) {
            [energy, switched].into_iter().flatten().for_each(|energy| total.add(energy));
        }
    }

    /// Records a sample and adds the work since the start to it; `h` and `work` belong to the last step.
    pub fn observe(&mut self, sample: &mut Sample, h: f64, work: Option<f64>) {
        let (system, at) = (sample.system, sample.state.at());
        let s = &mut self.summary;
        s.steps = sample.step;
        s.iterations += sample.report.iterations;
        s.jacobians += sample.report.jacobians;
        s.fallbacks += sample.report.fallbacks;
        s.damped_steps += usize::from(sample.report.dampings > 0);
        if sample.moment == Moment::Step && sample.step > 0 {
            s.rescues.observe(at.t, sample.report.rescue);
        }
        if let Some(relative) = self.oscillation.observe(at.lambda) {
            s.warnings.push(format!(
                "from t = {} on the multipliers alternate from step to step and grow, by {:.0} % of their \
                 size now: they \
                 are meaningless, and positions will follow; try a smaller step, a smaller rho, or the form \
                 stabilized-index2",
                at.t,
                100.0 * relative
            ));
        }
        system.see_limits(&at, &mut self.limits);
        let mut missed = Missed::default();
        if !self.rows.is_empty() {
            missed = residuals(system, sample, &mut self.rows);
            s.position_max = larger(s.position_max, missed.position);
            s.velocity_max = larger(s.velocity_max, missed.velocity);
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
        let mut entry = LedgerEntry { energy: None, balance: 0.0, passed, missed };
        if let (Some(e_0), Some(drift)) = (s.energy_initial, s.energy_drift) {
            entry.energy = system.energy(&at);
            self.overflow = entry.energy.map(|e| e.kinetic).filter(|x| !x.is_finite());
            let named = energies(system, sample.state, sample.conjugate);
            let e = named.map_or_else(|| entry.energy.map_or(f64::NAN, |e| e.total()), |[h, _]| h);
            if let Some([_, function]) = named {
                let largest = s.energy_function_drift.unwrap_or(0.0);
                s.energy_function_drift = Some(larger(largest, (function - e_0).abs()));
            }
            entry.balance = e - e_0 - s.work.unwrap_or(0.0);
            s.energy_final = Some(e);
            s.energy_drift = Some(larger(drift, (e - e_0).abs()));
            s.balance = s.balance.map(|b| larger(b, entry.balance.abs()));
        }
        self.ledger.observe(sample, h, entry);
        if sample.moment == Moment::Step && sample.step > 0 {
            self.turns.observe(system, sample.state, sample.step, h);
        }
        if let (Some(drift), Some(first), Some(now)) = (&mut s.momenta, self.momenta, momenta(system, sample))
        {
            drift.linear = larger(drift.linear, (now.linear - first.linear).norm());
            drift.angular = larger(drift.angular, (now.angular - first.angular).norm());
            let along = now.about_gravity.zip(first.about_gravity).map(|(now, first)| (now - first).abs());
            drift.about_gravity = drift.about_gravity.zip(along).map(|(x, y)| larger(x, y));
        }
    }
}
