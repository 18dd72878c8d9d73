//! Judges whether the results of a run can be trusted, from numbers that every run has.
//!
//! ```text
//! X = max (|E - E_0 - W| - S) / (max(range of T, range of V) + int |P| dt + max T/20 + floor)
//! S = sum |lambda_i Phi_i|, at most a tenth of the denominator
//! Y = max |B v + Phi_t| / max sum_j |B_ij| (|v_j| + floor)
//! ```
//!
//! X is the unaccounted energy divided by the exchanged energy; Y measures velocities that violate the
//! joints. S is the energy that joints store because Newton's method leaves them open by a little. E = T + V
//! is the energy, W the work of drives and of forces without potential, P their power. A small error of the
//! total energy says little if most of it is the spin of a wheel. X compares the error with the energy that
//! changed from one kind to another. X is only meaningful at the end of a run: in the first steps nothing has
//! been exchanged yet.
//!
//! Methods with separate momenta (vi-*) do not lose energy, but H(q, p) swings: by a constant after the
//! first step, because p_0 = M v_0 is not a momentum of the scheme, and between even and odd steps. Neither
//! grows. So for these methods
//!
//! ```text
//! X = max(largest change of the mean over two steps / exchanged energy, max |E - E_0 - W| / (exchanged
//! energy + max T))
//! ```
//!
//! What accumulates is compared with the exchanged energy as above, the swing with all energy in motion.
//!
//! If an event changes the energy at an instant (an impact, a spring that is turned off), this change counts
//! as exchanged energy, not as an error. The limits were found on all models of `models/`, with their own
//! settings, with coarse steps and with coarse tolerances; `--example trust_table` prints them.

use super::balance::Work;
use super::diagnostics::{Missed, residuals};
use super::errors::larger;
use super::recorder::{Moment, Sample};
use super::turns::Turns;
use crate::Error;
use crate::integrate::StepReport;
use crate::integrate::adaptive::Scales;
use crate::mechanics::{At, Lock, State, System, Tangents, Want};

/// Above this part of the exchanged energy a run gets a notice.
pub const DOUBTFUL_ENERGY: f64 = 0.1;
/// Above this part of the exchanged energy the results are meaningless.
pub const WRONG_ENERGY: f64 = 0.4;
/// Above this relative residual of the velocities the results are meaningless.
pub const WRONG_VELOCITY: f64 = 0.1;
/// If gimbal lock is closer than this number of steps, it is named as the cause of an imbalance, and a
/// doubtful imbalance is enough.
const NEAR_LOCK_STEPS: f64 = 10.0;
/// Part of a typical velocity that is always included: if nothing moves along the rows, only rounding errors
/// remain.
const SLOW_VELOCITY: f64 = 1e-3;
/// In runs with fewer steps, a part of a typical energy of the model counts as exchanged: the first steps
/// from rest exchange as little energy as their errors.
const FEW_STEPS: usize = 10;
/// This part.
const EXCHANGED_IN_FEW_STEPS: f64 = 0.1;
/// At most this part of the exchanged energy is taken for energy that joints store: an open joint with a
/// large force is not only inaccurate, it also pumps energy into the motion.
const MOST_STORED: f64 = 0.1;
/// Part of the largest energy that open joints may store as well: a mechanism at rest exchanges nothing.
const SLIGHT_ENERGY: f64 = 1e-6;
/// Part of a typical energy of the model that always counts as exchanged, for rounding errors of a model at
/// rest.
const MIN_EXCHANGED: f64 = 1e-8;
/// Part of the largest energy, kinetic or potential, that always counts as exchanged: its rounding errors in
/// a long run.
const ROUNDED_ENERGY: f64 = 1e-11;
/// Joints with a larger residual, in rad or relative to the length of the model, store no energy: their error
/// counts.
const NEARLY_CLOSED: f64 = 1e-6;
/// Part of the largest kinetic energy that always counts as exchanged: free bodies and wheels exchange almost
/// none.
const MIN_KINETIC_EXCHANGED: f64 = 0.05;

/// The closest approach of coordinates to a singularity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approach {
    /// The body.
    pub body: String,
    /// When.
    pub t: f64,
    /// Angle to the singularity, in rad.
    pub distance: f64,
    /// The angle divided by the rotation of the body per step.
    pub steps: f64,
}

crate::persist!(Approach { body, t, distance, steps });

/// Indicators for the trust in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trust {
    /// Largest imbalance of the energy divided by the exchanged energy; none if energy is not defined.
    pub energy: Option<f64>,
    /// Energy exchanged between kinetic and potential energy and with drives and forces without potential.
    pub exchanged: Option<f64>,
    /// Largest residual of the velocities relative to their parts; none without constraints.
    pub velocity: Option<f64>,
    /// The closest approach of the coordinates to a singularity; none if they have none.
    pub approach: Option<Approach>,
    /// The doubt about the results, if there is one.
    pub doubt: Option<Doubt>,
}

/// A doubt, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Worth a notice.
    Notice(String),
    /// The results are meaningless.
    Wrong(String),
}

impl Trust {
    /// Why the results cannot be trusted, if so.
    pub fn wrong(&self) -> Option<&str> {
        match &self.doubt {
            Some(Doubt::Wrong(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Makes the results meaningless for a reason, if there is one and none is known yet.
    pub fn reject(&mut self, reason: Option<String>) {
        if let (None, Some(reason)) = (self.wrong(), reason) {
            self.doubt = Some(Doubt::Wrong(reason));
        }
    }

    /// The doubt about the results, with a remedy; none if there is none. `tolerance`: the run has automatic
    /// steps.
    /// `imbalance` is the energy that is judged, as a part of the exchanged energy.
    fn judge(&self, imbalance: Option<f64>, tolerance: bool) -> Option<Doubt> {
        let steps = if tolerance {
            "a smaller tolerance"
        } else {
            "a smaller step, or a tolerance instead of a step"
        };
        let above = |x: Option<f64>, limit: f64| x.filter(|x| !(*x <= limit));
        let lock = self.approach.as_ref().filter(|a| a.steps < NEAR_LOCK_STEPS);
        let locked = lock.map(|a| {
            format!(
                "gimbal lock of body {}, {:.2} degrees and {:.1} steps away at t = {:.6}; use the \
                 formulation r3so3",
                a.body,
                a.distance.to_degrees(),
                a.steps,
                a.t
            )
        });
        if let Some((lock, _)) = locked.as_ref().zip(lock.filter(|a| a.steps < 1.0)) {
            return Some(Doubt::Wrong(format!("the coordinates fail: {lock}")));
        }
        if let Some(x) = above(self.velocity, WRONG_VELOCITY) {
            return Some(Doubt::Wrong(format!(
                "velocities violate the joints by {} of their size; try {steps}, the form stabilized-index2, \
                 or other coordinates",
                part(x)
            )));
        }
        let x = above(imbalance, DOUBTFUL_ENERGY)?;
        let energy = format!("{} of the energy that was exchanged is unaccounted for", part(x));
        let wrong = above(imbalance, WRONG_ENERGY).is_some();
        Some(match locked {
            Some(lock) => Doubt::Wrong(format!("{energy}: {lock}")),
            None if wrong => Doubt::Wrong(format!("{energy}; try {steps}")),
            None => Doubt::Notice(format!("{energy}: compare with {steps}")),
        })
    }
}

/// A fraction as text.
pub fn part(x: f64) -> String {
    match x {
        x if !x.is_finite() => "an infinite part".to_string(),
        x if x >= 0.01 => format!("{:.0} %", 100.0 * x),
        x => format!("{x:.0e}"),
    }
}

/// Smallest and largest value so far.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn observe(&mut self, x: f64) {
        // NaN widens a range to infinity.
        self.low = if x >= self.low {
            self.low
        } else if x.is_nan() {
            f64::NEG_INFINITY
        } else {
            x
        };
        self.high = if x <= self.high {
            self.high
        } else if x.is_nan() {
            f64::INFINITY
        } else {
            x
        };
    }

    fn width(&self) -> f64 {
        self.high - self.low
    }
}

impl Default for Range {
    fn default() -> Self {
        Range { low: f64::INFINITY, high: f64::NEG_INFINITY }
    }
}

crate::persist!(Range { low, high });

/// The energy of a method with separate momenta.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Swing {
    /// Largest |E - E_0 - W|.
    largest: f64,
    /// E - E_0 - W after the last step, and its first mean over two steps.
    last: Option<f64>,
    first: Option<f64>,
    /// What had accumulated at the last mean, and before the method started again.
    accumulated: f64,
    carried: f64,
}

crate::persist!(Swing { largest, last, first, accumulated, carried });

impl Swing {
    /// Records the balance after a step; returns what has accumulated.
    fn observe(&mut self, balance: f64) -> f64 {
        self.largest = larger(self.largest, balance.abs());
        if let Some(last) = self.last.replace(balance) {
            let mean = 0.5 * (last + balance);
            self.accumulated = self.carried + mean - *self.first.get_or_insert(mean);
        }
        self.accumulated
    }

    /// The method starts again, with momenta M v.
    fn restart(&mut self) {
        *self = Swing { last: None, first: None, carried: self.accumulated, ..*self };
    }
}

/// The energy accounts of a run.
pub(super) struct Ledger {
    /// Energy of a typical motion of the model; none if energy is not defined.
    typical: Option<f64>,
    kinetic: Range,
    potential: Range,
    /// int |P| dt plus the changes by events.
    passed: f64,
    /// E - E_0 - W at the last sample, and the part of it explained by events.
    last: f64,
    explained: f64,
    energy: f64,
    /// The largest imbalance without the energy that joints store, and with it.
    imbalance: f64,
    swing: Swing,
    whole: f64,
    /// max |B v + Phi_t| and max sum_j |B_ij| (|v_j| + floor).
    velocity: f64,
    parts: f64,
    /// The next step at which B is evaluated: the first ones, then at growing intervals.
    next_look: usize,
    steps: usize,
    approach: Option<Approach>,
    tangents: Tangents,
    sums: Vec<f64>,
    /// Velocities below which nothing moves.
    slow: Vec<f64>,
}

crate::persist!(Ledger {
    kinetic, potential, passed, last, explained, energy, imbalance, swing, whole, velocity, parts, next_look, steps,
    approach
} given { typical, tangents, sums, slow });

/// Quantities of a sample that the run has already computed.
#[derive(Clone, Copy)]
pub(super) struct LedgerEntry {
    /// Kinetic and potential energy, if defined.
    pub energy: Option<crate::mechanics::Energy>,
    /// E - E_0 - W.
    pub balance: f64,
    /// int |P| dt of the step.
    pub passed: f64,
    /// Residuals of the constraints.
    pub missed: Missed,
}

impl Ledger {
    pub fn new(system: &dyn System, state: &State) -> Self {
        let mut v = typical_velocities(system, state);
        let typical = system.energy(&At { v: &v, ..state.at() }).map(|e| e.kinetic);
        v.iter_mut().for_each(|v| *v *= SLOW_VELOCITY);
        Ledger {
            typical,
            kinetic: Range::default(),
            potential: Range::default(),
            passed: 0.0,
            last: 0.0,
            explained: 0.0,
            energy: 0.0,
            imbalance: 0.0,
            swing: Swing::default(),
            whole: 0.0,
            velocity: 0.0,
            parts: 0.0,
            next_look: 0,
            steps: 0,
            approach: None,
            tangents: Tangents::of(system),
            sums: vec![0.0; system.n_lambda()],
            slow: v,
        }
    }

    /// Records a sample.
    pub fn observe(&mut self, sample: &Sample, h: f64, entry: LedgerEntry) {
        let (system, at) = (sample.system, sample.state.at());
        if let Some(energy) = entry.energy {
            if sample.moment == Moment::Restart {
                // No time has passed: the change comes from the event.
                self.explained += entry.balance - self.last;
                self.passed += (energy.total() - self.energy).abs();
            }
            self.kinetic.observe(energy.kinetic);
            self.potential.observe(energy.potential);
            self.passed += entry.passed;
            // Joints that Newton's method leaves open store the work of their forces.
            let stored = if entry.missed.position <= NEARLY_CLOSED { entry.missed.work } else { 0.0 };
            let balance = entry.balance - self.explained;
            let off = match (sample.conjugate, sample.moment) {
                (None, _) => {
                    self.whole = larger(self.whole, balance.abs());
                    balance.abs() - stored
                }
                (Some(_), Moment::Step) if sample.step > 0 => self.swing.observe(balance).abs(),
                _ => {
                    self.swing.restart();
                    0.0
                }
            };
            self.imbalance = larger(self.imbalance, off);
            (self.last, self.energy) = (entry.balance, energy.total());
        }
        self.steps = sample.step;
        self.approach(system, &at, h);
        if !self.sums.is_empty() {
            self.velocity = larger(self.velocity, entry.missed.velocity);
            if sample.step >= self.next_look {
                self.look(system, &at);
                self.next_look = (2 * sample.step).max(1);
            }
        }
    }

    /// Updates the distance to the nearest lock, in steps.
    fn approach(&mut self, system: &dyn System, at: &At, h: f64) {
        let Some(lock) = system.nearest_lock(at).filter(|_| h > 0.0) else { return };
        let near =
            self.approach.get_or_insert_with(|| Approach { steps: f64::INFINITY, ..Approach::default() });
        let steps = lock.time() / h;
        if steps < near.steps {
            near.body.clear();
            near.body.push_str(lock.body);
            (near.t, near.distance, near.steps) = (at.t, lock.distance, steps);
        }
    }

    /// Sums of |B_ij| (|v_j| + floor).
    fn look(&mut self, system: &dyn System, at: &At) {
        self.tangents.evaluate(system, at, Want::CONSTRAINT);
        self.sums.fill(0.0);
        let (sums, slow) = (&mut self.sums, &self.slow);
        self.tangents.b.for_blocks(|b| {
            for (j, column) in b.data.chunks_exact(b.rows.max(1)).enumerate() {
                for (i, x) in column.iter().enumerate() {
                    sums[b.row + i] += x.abs() * (at.v[b.col + j].abs() + slow[b.col + j]);
                }
            }
        });
        self.parts = self.sums.iter().fold(self.parts, |m, x| m.max(*x));
    }

    /// The result at the end of a run.
    pub fn close(&mut self, system: &dyn System, state: &State, tolerance: bool) -> Trust {
        if !self.sums.is_empty() {
            self.look(system, &state.at());
        }
        let exchanged = self.typical.map(|typical| {
            let between = self.kinetic.width().max(self.potential.width()).max(0.0);
            let largest =
                self.kinetic.high.abs().max(self.potential.low.abs()).max(self.potential.high.abs());
            between
                + self.passed
                + ROUNDED_ENERGY * largest
                + MIN_KINETIC_EXCHANGED * self.kinetic.high.max(0.0)
                + MIN_EXCHANGED * typical
        });
        let over = |x: f64, y: f64| if x == 0.0 { 0.0 } else { x / y };
        let moving = self.kinetic.high.max(0.0);
        let energies = [self.kinetic.high, self.potential.low, self.potential.high];
        let slight = SLIGHT_ENERGY * energies.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let imbalance = |e: f64| larger(self.imbalance, self.whole - MOST_STORED * e - slight);
        let energy = |e| larger(over(imbalance(e), e), over(self.swing.largest, e + moving));
        let mut trust = Trust {
            energy: exchanged.map(energy),
            exchanged,
            velocity: (!self.sums.is_empty()).then(|| over(self.velocity, self.parts)),
            approach: self.approach.clone().filter(|a| a.steps.is_finite()),
            doubt: None,
        };
        let few = if self.steps < FEW_STEPS { EXCHANGED_IN_FEW_STEPS } else { 0.0 };
        let judged = exchanged.zip(self.typical).map(|(e, typical)| over(imbalance(e), e + few * typical));
        trust.doubt = trust.judge(judged, tolerance);
        trust
    }
}

/// Largest number of evaluations of a [`Glance`].
const MAX_EVALUATIONS: usize = 32;

/// Accounts from a few steps, for runs without a monitor.
pub struct Glance {
    ledger: Ledger,
    /// Space for Phi and B v.
    rows: Vec<f64>,
    energy: Option<f64>,
    work: Option<Work>,
    passed: f64,
    /// Interval, in steps, at which energy and residuals are evaluated.
    every: usize,
    h: f64,
    /// True if power and coordinates are evaluated in each step.
    always: bool,
    turns: Turns,
    t_0: f64,
}

impl Glance {
    /// Accounts of a run with this number of steps of size h.
    pub fn new(system: &dyn System, state: &State, steps: usize, h: f64) -> Self {
        let at = state.at();
        let work = system.power(&at).map(Work::starting);
        Glance {
            ledger: Ledger::new(system, state),
            rows: vec![0.0; 2 * system.n_lambda()],
            energy: system.energy(&at).map(|e| e.total()),
            always: work.is_some() || system.nearest_lock(&at).is_some(),
            work,
            passed: 0.0,
            every: steps.div_ceil(MAX_EVALUATIONS).max(1),
            turns: Turns::of(system),
            t_0: state.t,
            h,
        }
    }

    /// True if the state after this step is needed.
    pub fn wants(&self, step: usize) -> bool {
        self.always || step.is_multiple_of(self.every)
    }

    /// Records the state after a step.
    pub fn observe(&mut self, system: &dyn System, step: usize, state: &State) {
        if !self.wants(step) {
            return;
        }
        let at = state.at();
        let h = if step > 0 { self.h } else { 0.0 };
        if let Some(work) = &mut self.work {
            self.passed += work.step(h, system.power(&at).unwrap_or(f64::NAN));
        }
        if !step.is_multiple_of(self.every) {
            return self.ledger.approach(system, &at, h);
        }
        let sample = Sample::of(system, step, state, StepReport::default(), Moment::Step);
        let mut entry = LedgerEntry {
            energy: None,
            balance: 0.0,
            passed: std::mem::take(&mut self.passed),
            missed: Missed::default(),
        };
        if !self.rows.is_empty() {
            entry.missed = residuals(system, &sample, &mut self.rows);
        }
        if let Some(first) = self.energy {
            entry.energy = system.energy(&at);
            let now = entry.energy.map_or(f64::NAN, |e| e.total());
            entry.balance = now - first - self.work.map_or(0.0, |w| w.total);
        }
        self.ledger.observe(&sample, h, entry);
        self.turns.observe(system, state, step, h);
    }

    /// The result at the end.
    pub fn close(mut self, system: &dyn System, state: &State) -> Trust {
        let mut trust = self.ledger.close(system, state, false);
        trust.reject(self.turns.doubt(state.t - self.t_0));
        trust
    }
}

/// The error if gimbal lock could be reached within a step: the steps have gone past it, or will.
pub(super) fn locked(system: &dyn System, state: &State, step: usize, h: f64) -> Option<Error> {
    let lock = system.nearest_lock(&state.at())?;
    (lock.time() < h).then(|| lock_error(lock, state.t, step, h))
}

/// The error of a failed step, with the number of the step; names gimbal lock if that is the cause.
pub(super) fn name_lock(error: Error, system: &dyn System, state: &State, step: usize, h: f64) -> Error {
    let fails = matches!(
        error,
        Error::Newton { .. }
            | Error::SingularMatrix { .. }
            | Error::NotFinite { .. }
            | Error::StepTooSmall { .. }
            | Error::SingularPosition { .. }
    );
    let lock =
        system.nearest_lock(&state.at()).filter(|l| fails && l.distance < LOCK_ANGLE.max(2.0 * h * l.rate));
    match lock {
        Some(lock) => lock_error(lock, state.t, step, h),
        None => error.in_step(step).not_before(state.t),
    }
}

/// If a failing step begins this close to gimbal lock, in rad, that is the cause.
const LOCK_ANGLE: f64 = 0.02;

fn lock_error(lock: Lock, t: f64, step: usize, h: f64) -> Error {
    let (left, turned) = (lock.distance.to_degrees(), (h * lock.speed).to_degrees());
    Error::GimbalLock { body: lock.body.to_string(), left, turned, t, step }
}

/// Velocities with which the whole model moves by its length, or by a rad, in its time.
fn typical_velocities(system: &dyn System, state: &State) -> Vec<f64> {
    let Scales { length, time } = Scales::of(system, state);
    let mut v = vec![1.0 / time; state.v.len()];
    for block in system.blocks().into_iter().filter(|b| b.is_length()) {
        v[block.v].fill(length / time);
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulation::Formulation;
    use crate::integrate::InitialValues;
    use crate::mechanics::Energy;
    use crate::problems::heavy_top::HeavyTop;

    /// The verdict on twenty samples whose energy grows to `gained`, while open joints are said to store
    /// `stored`.
    fn verdict(gained: f64, stored: f64) -> Trust {
        let top = HeavyTop::spinning(Formulation::R3SO3, nalgebra::Vector3::new(0.0, 0.0, 1.0));
        let state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top).unwrap();
        let mut ledger = Ledger::new(&top, &state);
        for step in 0..=20 {
            let part = step as f64 / 20.0;
            // 36 J go to and fro between kinetic and potential energy.
            let swing = 36.0 * (0.5 * step as f64).sin();
            let missed = Missed { position: 1e-7, velocity: 0.0, work: part * stored };
            let entry = LedgerEntry {
                energy: Some(Energy { kinetic: 40.0 + swing + part * gained, potential: -swing }),
                balance: part * gained,
                passed: 0.0,
                missed,
            };
            ledger.observe(&Sample::of(&top, step, &state, StepReport::default(), Moment::Step), 0.1, entry);
        }
        ledger.close(&top, &state, true)
    }

    /// Energy that open joints pump into the motion is an error, however large the work of their forces is.
    #[test]
    fn constraint_errors_that_pump_are_errors() {
        assert!(verdict(1e5, 1e5).wrong().is_some());
        assert!(verdict(1e5, 0.0).wrong().is_some());
        assert!(verdict(60.0, 1e9).wrong().is_some());
        assert_eq!(verdict(0.0, 0.0).doubt, None);
        // What open joints store for a moment is not.
        assert_eq!(verdict(5.0, 5.0).doubt, None);
        assert!(verdict(5.0, 5.0).energy.unwrap() < 1e-9);
    }
}
