//! Zero crossings of the event functions of a system, located on the dense output of a step.
//!
//! The functions are sampled at the ends and the quarters of a step. So a function that crosses zero and
//! returns within half a step is noticed. Crossings are located by the Illinois variant of regula falsi, to
//! rounding errors of the time. The time of a crossing is on its far side. The error of an event time is that
//! of the solution there: interpolation adds less than a step does ([`Dense`]). If drives determine the
//! motion, steps are long and the interpolation is less accurate. Then the time is corrected with states on
//! the constraints.
//!
//! A function that is zero at the start takes the sign of its first change, without an event. After an event,
//! the function has the new sign, even if rounding errors give it the old one.
//!
//! Elements that switch themselves are different ([`Condition`]): their switch says which sign the function
//! had before a step. So the switch agrees with the function after every step: if they differ, the crossing
//! is found then, and if it is not, [`ensure_agreement`](Events::ensure_agreement) ends the run.

use super::dense::Dense;
use super::project::{project_position, project_velocity};
use super::start::{Accelerations, finite, largest};
use crate::Error;
use crate::mechanics::event::Condition;
use crate::mechanics::{Action, State, System};

/// Samples per step, including both ends.
const SAMPLES: usize = 5;
/// At the start and at other events, a function below this fraction of its size in the step counts as zero.
const ZERO_TOLERANCE: f64 = 1e-9;
/// Largest number of crossings of one event within the largest step so far.
const MAX_CROSSINGS: usize = 50;

/// Largest residual of a joint that is turned on, as an angle or relative to the size of the model.
const CLOSED_TOLERANCE: f64 = 1e-4;
/// Smaller changes of the velocities are rounding errors.
const NO_JUMP: f64 = 1e-9;

/// Largest number of corrections of an event time with states on the constraints.
const MAX_CORRECTIONS: usize = 8;

/// Change of the velocities when a joint or a drive is turned on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jump {
    /// Largest change of an entry of v.
    pub velocity: f64,
    /// Change of the energy by the impulses, if the energy is defined.
    pub energy: Option<f64>,
    /// Energy of springs that were turned on or off.
    pub switched: Option<f64>,
}

/// A crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Index in [`System::events`].
    pub event: usize,
    /// When.
    pub t: f64,
    /// True for a change from negative to positive.
    pub rising: bool,
}

/// Finds events in one step after the other.
///
/// After each accepted step call [`look`](Self::look), then [`next`](Self::next) until it returns none. An
/// event that stops or switches ends the step: [`land`](Self::land) computes its state, [`act`](Self::act)
/// turns the switches, and the integrator starts again from there.
#[derive(Clone, Debug)]
pub struct Events {
    dense: Dense,
    times: [f64; SAMPLES],
    values: Vec<[f64; SAMPLES]>,
    work: Vec<f64>,
    track: Vec<Track>,
    needs_forces: bool,
    /// For each event that depends on time alone, its times and signs.
    moments: Vec<Option<Vec<(f64, bool)>>>,
    largest_step: f64,
    /// Time of the last event.
    now: f64,
    /// A state of the step on the constraints.
    landed: State,
}

/// Tracking data of one event.
#[derive(Clone, Copy, Debug, Default)]
struct Track {
    /// Sign of the function at the last sample followed: 1, -1, or 0 for a zero at the start; none before the
    /// first step.
    sign: Option<f64>,
    /// Number of samples followed.
    followed: usize,
    /// True if the event happened at the beginning of this step.
    fresh: bool,
    /// Sign after a crossing at exactly the time of another event, not yet reported.
    due: Option<f64>,
    /// Number of crossings since `since`.
    count: usize,
    since: f64,
    /// For an event that depends on time alone, the last of its times that have passed.
    passed: Option<f64>,
}

crate::persist!(Jump { velocity, energy, switched });
// Between two steps, all samples have been followed and no crossing is due.
crate::persist!(Track { sign, followed, fresh, due, count, since, passed } where |x| {
    x.sign.is_none_or(|s| [-1.0, 0.0, 1.0].contains(&s)) => "the sign of an event function is not a sign",
    x.followed <= SAMPLES && x.due.is_none() => "an event was not processed",
    x.count <= MAX_CROSSINGS && x.since.is_finite() => "an event happened too often",
});
crate::persist!(Events { track, largest_step, now } given {
    dense, times, values, work, needs_forces, moments, landed
} where |x| {
    x.largest_step >= 0.0 && x.largest_step.is_finite() => "the largest step is not positive",
    x.now < f64::INFINITY => "the time of the last event is not finite",
});

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

impl Events {
    /// Workspace for the events of a system up to a time; `like` is the state at the start.
    pub fn new(system: &dyn System, like: &State, t_end: f64) -> Result<Self, Error> {
        let n = system.events().len();
        let mut events = Events {
            dense: Dense::new(system, like),
            times: [0.0; SAMPLES],
            values: vec![[0.0; SAMPLES]; n],
            work: vec![0.0; n],
            track: vec![Track::default(); n],
            needs_forces: system.events().iter().any(|e| e.needs_forces),
            largest_step: 0.0,
            now: f64::NEG_INFINITY,
            moments: Vec::new(),
            landed: like.clone(),
        };
        events.plan(system, like.t, t_end)?;
        Ok(events)
    }

    /// Finds the events between two times that depend on time alone.
    pub fn plan(&mut self, system: &dyn System, from: f64, to: f64) -> Result<(), Error> {
        let list = 0..system.events().len();
        self.moments = list.map(|event| system.event_moments(event, from, to)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The next known time of an event in this step, and the sign from then on.
    fn next_moment(&self, system: &dyn System, i: usize) -> Option<(f64, bool)> {
        let list = self.moments.get(i)?.as_ref()?;
        let end = self.times[SAMPLES - 1];
        let first =
            list.partition_point(|m| m.0 < self.times[0] || self.track[i].passed.is_some_and(|p| m.0 <= p));
        let counts = |m: &&(f64, bool)| system.events()[i].direction.counts(if m.1 { 1.0 } else { -1.0 });
        list[first..].iter().take_while(|m| m.0 <= end).find(counts).copied()
    }

    /// Samples the step between two states.
    pub fn look(&mut self, system: &dyn System, before: &State, after: &State) -> Result<(), Error> {
        self.dense.between(system, before, after)?;
        let h = after.t - before.t;
        self.largest_step = self.largest_step.max(h.abs());
        for k in 0..SAMPLES {
            let end = k + 1 == SAMPLES;
            self.times[k] = if end { after.t } else { before.t + h * k as f64 / (SAMPLES - 1) as f64 };
            self.evaluate(system, self.times[k])?;
            for (i, x) in self.work.iter().enumerate() {
                if !x.is_finite() {
                    let what = format!("the function of event '{}'", system.events()[i].name);
                    return Err(Error::NotFinite { what, value: *x, t: self.times[k], step: 0 });
                }
                self.values[i][k] = *x;
            }
        }
        for ((track, values), event) in self.track.iter_mut().zip(&self.values).zip(system.events()) {
            track.followed = 0;
            if let Some(sign) = event.condition.and_then(|c| c.sign(&before.memory)) {
                track.sign = Some(sign);
                continue;
            }
            let size = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let first = if values[0].abs() <= ZERO_TOLERANCE * size { 0.0 } else { sign(values[0]) };
            track.sign.get_or_insert(first);
        }
        Ok(())
    }

    /// All functions at a time of the step.
    fn evaluate(&mut self, system: &dyn System, t: f64) -> Result<(), Error> {
        let state =
            if self.needs_forces { self.dense.consistent(system, t)? } else { self.dense.motion(system, t) };
        system.event_values(&state.at(), &mut self.work);
        Ok(())
    }

    /// The next event of the step, in the order of time.
    pub fn next(&mut self, system: &dyn System) -> Result<Option<Crossing>, Error> {
        if let Some(event) = self.track.iter().position(|t| t.due.is_some()) {
            let track = &mut self.track[event];
            let rising = track.due.take() > Some(0.0);
            let e = Crossing { event, t: self.now, rising };
            self.record(system, e)?;
            return Ok(Some(e));
        }
        let mut earliest: Option<Crossing> = None;
        for i in 0..self.track.len() {
            if self.is_known(i) {
                if let Some((t, rising)) =
                    self.next_moment(system, i).filter(|m| earliest.is_none_or(|e| m.0 < e.t))
                {
                    earliest = Some(Crossing { event: i, t, rising });
                }
            } else if let Some((k, to)) = self.candidate(system, i) {
                // Later quarters cannot contain an earlier crossing.
                if earliest.is_some_and(|e| k > 0 && self.times[k - 1] > e.t) {
                    continue;
                }
                let t = self.locate(system, i, k, to)?;
                let t = self.correct(system, (i, to), t)?;
                if earliest.is_none_or(|e| t < e.t) {
                    earliest = Some(Crossing { event: i, t, rising: to > 0.0 });
                }
            }
        }
        let until = earliest.map_or(f64::INFINITY, |e| e.t);
        for (track, values) in self.track.iter_mut().zip(&self.values) {
            while track.followed < SAMPLES && self.times[track.followed] <= until {
                let s = sign(values[track.followed]);
                if s != 0.0 && !(track.fresh && track.followed == 0) {
                    track.sign = Some(s);
                }
                track.followed += 1;
            }
        }
        match earliest {
            Some(e) => {
                self.now = e.t;
                self.record(system, e)?;
                self.mark_simultaneous(system, e)?;
            }
            None => self.track.iter_mut().for_each(|t| t.fresh = false),
        }
        Ok(earliest)
    }

    /// True if all times of an event are known.
    fn is_known(&self, i: usize) -> bool {
        matches!(self.moments.get(i), Some(Some(_)))
    }

    /// The first sample after a crossing of event i that counts, and its sign there.
    fn candidate(&self, system: &dyn System, i: usize) -> Option<(usize, f64)> {
        let (track, values) = (&self.track[i], &self.values[i]);
        let mut now = track.sign.unwrap_or(0.0);
        for (k, x) in values.iter().enumerate().skip(track.followed) {
            let s = sign(*x);
            if s == 0.0 || s == now || (k == 0 && (track.fresh || now == 0.0)) {
                continue;
            }
            if now != 0.0 && system.events()[i].direction.counts(s) {
                return Some((k, s));
            }
            now = s;
        }
        None
    }

    /// The time of the crossing before sample k, by the Illinois method.
    fn locate(&mut self, system: &dyn System, i: usize, k: usize, to: f64) -> Result<f64, Error> {
        let Some(before) = k.checked_sub(1) else { return Ok(self.times[0]) };
        let (mut a, mut b) = (self.times[before], self.times[k]);
        let (mut f_a, mut f_b) = (self.values[i][before], self.values[i][k]);
        let resolution = 4.0 * f64::EPSILON * b.abs().max(self.largest_step);
        // Just after an event, or at an exact zero, the left end has no sign.
        if before == 0 || sign(f_a) == 0.0 {
            while sign(f_a) != -to {
                let m = 0.5 * (a + b);
                if b - a <= resolution {
                    return Ok(a);
                }
                self.evaluate(system, m)?;
                if sign(self.work[i]) == to {
                    (b, f_b) = (m, self.work[i]);
                } else if sign(self.work[i]) == -to {
                    (a, f_a) = (m, self.work[i]);
                } else {
                    return Ok(m);
                }
            }
        }
        let mut side = 0;
        for _ in 0..100 {
            if b - a <= resolution {
                break;
            }
            // Values that are not finite have no secant.
            let secant = a - f_a * (b - a) / (f_b - f_a);
            let c = if secant.is_finite() { secant } else { 0.5 * (a + b) };
            // The point keeps a distance from both ends, so that the bracket shrinks from both sides.
            let c = c.max(a + 0.25 * resolution).min(b - 0.25 * resolution);
            self.evaluate(system, c)?;
            let f_c = self.work[i];
            if f_c == 0.0 {
                return Ok(c);
            }
            if sign(f_c) == to {
                (b, f_b) = (c, f_c);
                if side == 1 {
                    f_a *= 0.5;
                }
                side = 1;
            } else {
                (a, f_a) = (c, f_c);
                if side == -1 {
                    f_b *= 0.5;
                }
                side = -1;
            }
        }
        Ok(b)
    }

    /// Corrects the time of a crossing of a function (event, sign after it), located by interpolation, with
    /// states on the constraints. Uses Newton's method with the slope of the interpolation. If that leaves
    /// the step or does not converge, the time stays.
    fn correct(&mut self, system: &dyn System, (i, to): (usize, f64), located: f64) -> Result<f64, Error> {
        let (begin, end) = (self.times[0], self.times[SAMPLES - 1]);
        if system.n_lambda() == 0 || self.needs_forces || located <= begin {
            return Ok(located);
        }
        let resolution = 4.0 * f64::EPSILON * end.abs().max(self.largest_step);
        let apart = 1e-6 * (end - begin);
        let values = [located - apart, located].map(|t| self.evaluate(system, t).map(|()| self.work[i]));
        let [before, at] = values;
        let slope = (at? - before?) / apart;
        let mut t = located;
        for _ in 0..MAX_CORRECTIONS {
            let state = &mut self.landed;
            state.copy_from(self.dense.motion(system, t));
            state.remember(system);
            if project_position(system, state).is_err() {
                return Ok(located);
            }
            state.remember(system);
            system.event_values(&state.at(), &mut self.work);
            let missing = -self.work[i] / slope;
            // On the far side, and as close to the crossing as times can be.
            if missing.abs() <= 4.0 * resolution {
                return Ok(if sign(self.work[i]) != -to { t } else { (t + missing + resolution).min(end) });
            }
            t += missing;
            if !(t > begin && t <= end) {
                return Ok(located);
            }
        }
        Ok(located)
    }

    /// Records that an event happened; too many crossings within one step are an error.
    fn record(&mut self, system: &dyn System, e: Crossing) -> Result<(), Error> {
        let entry = |i: usize| system.events()[i].condition.map(|c: Condition| c.entry);
        for (i, track) in self.track.iter_mut().enumerate() {
            // An element that switches itself has several events; rounding errors may reverse any of them.
            track.fresh |= i == e.event || (entry(i).is_some() && entry(i) == entry(e.event));
        }
        let track = &mut self.track[e.event];
        track.sign = Some(if e.rising { 1.0 } else { -1.0 });
        // The sample after the crossing belongs to it.
        track.followed = self.times.partition_point(|t| *t <= e.t).max(1);
        if matches!(self.moments.get(e.event), Some(Some(_))) {
            track.passed = Some(e.t);
            return Ok(());
        }
        if track.count == 0 || e.t - track.since > self.largest_step {
            (track.count, track.since) = (0, e.t);
        }
        track.count += 1;
        if track.count > MAX_CROSSINGS {
            return Err(Error::Chattering {
                event: system.events()[e.event].name.clone(),
                count: track.count,
                from: track.since,
                to: e.t,
            });
        }
        Ok(())
    }

    /// Treats functions that cross zero at exactly the time of an event as crossed, whatever its action does
    /// next. Those that count become due, the others are only recorded.
    fn mark_simultaneous(&mut self, system: &dyn System, e: Crossing) -> Result<(), Error> {
        self.evaluate(system, e.t)?;
        let behind = self.times.partition_point(|t| *t <= e.t).min(SAMPLES - 1);
        for (i, event) in system.events().iter().enumerate() {
            let (track, values) = (&mut self.track[i], &self.values[i]);
            let size = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let to = sign(values[behind]);
            let crosses =
                self.work[i].abs() <= ZERO_TOLERANCE * size && track.sign.is_some_and(|s| s * to < 0.0);
            let known = matches!(self.moments.get(i), Some(Some(_)));
            if i == e.event || !crosses || known || event.condition.is_some() {
                continue;
            }
            if event.direction.counts(to) {
                track.due = Some(to);
            } else {
                (track.sign, track.fresh) = (Some(to), true);
                track.followed = behind;
            }
        }
        Ok(())
    }

    /// Checks that all elements that switch themselves are on or off as they should be.
    pub fn ensure_agreement(&mut self, system: &dyn System, state: &State) -> Result<(), Error> {
        if !system.events().iter().any(|e| e.condition.is_some()) {
            return Ok(());
        }
        system.event_values(&state.at(), &mut self.work);
        for (event, value) in system.events().iter().zip(&self.work) {
            let wanted = event.condition.and_then(|c| c.sign(&state.memory));
            // A switch that is not decided has no wrong sign; NaN is refused elsewhere, and here.
            if wanted.is_some_and(|sign| !(sign * value >= 0.0)) {
                let (event, t) = (event.name.clone(), state.t);
                return Err(Error::Unswitched { event, value: *value, t });
            }
        }
        Ok(())
    }

    /// The dense state at a crossing.
    pub fn state(&mut self, system: &dyn System, e: &Crossing) -> Result<&State, Error> {
        self.dense.state(system, e.t)
    }

    /// Ends the step at an event: computes the state there on the constraints, with the forces that acted
    /// until then.
    pub fn land(&mut self, system: &dyn System, e: &Crossing, state: &mut State) -> Result<(), Error> {
        state.copy_from(self.dense.motion(system, e.t));
        state.remember(system);
        project_position(system, state)?;
        project_velocity(system, state)?;
        state.remember(system);
        Accelerations::new(system).solve(system, state)
    }

    /// Turns the switches of an event and computes the new accelerations and multipliers. If joints or drives
    /// are turned on, the velocities jump to the nearest ones that these allow, as by impulses of their rows.
    pub fn act(
        &mut self,
        system: &dyn System,
        e: &Crossing,
        state: &mut State,
    ) -> Result<Option<Jump>, Error> {
        let event = &system.events()[e.event];
        let Action::Switch(list) = &event.action else { return Ok(None) };
        let total = |state: &State| system.energy(&state.at()).map(|e| e.total());
        let held = total(state);
        let mut memory = state.memory.clone();
        system.switch(&state.at(), list, &mut memory);
        state.memory = memory;
        let mut phi = vec![0.0; system.n_lambda()];
        system.constraint(&state.at(), &mut phi);
        finite(&phi, state.t, |i| format!("'{}'", system.constraint_name(i)))?;
        let (row, residual) = largest(&phi);
        if residual > CLOSED_TOLERANCE {
            let (event, constraint) = (event.name.clone(), system.constraint_name(row));
            return Err(Error::NotClosed { event, constraint, residual, t: state.t });
        }
        let (before, energy) = (state.v.clone(), total(state));
        let switched = energy.zip(held).map(|(now, then)| now - then).filter(|change| *change != 0.0);
        project_position(system, state)?;
        project_velocity(system, state)?;
        Accelerations::new(system).solve(system, state)?;
        let velocity = before.iter().zip(&state.v).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let energy = total(state).zip(energy).map(|(now, then)| now - then);
        let jumps = velocity > NO_JUMP * (1.0 + largest(&before).1);
        let (velocity, energy) = if jumps { (velocity, energy) } else { (0.0, None) };
        Ok((jumps || switched.is_some()).then_some(Jump { velocity, energy, switched }))
    }
}
