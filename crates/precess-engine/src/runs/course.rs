//! The smooth pieces of a run. They end at breakpoints of the forces, which are known in advance, and at
//! events, which are not.
//!
//! Every run, with fixed or variable steps, does the same around its steps:
//!
//! ```text
//! loop over pieces: start the method at state.t with steps up to course.piece_end(state.t)
//!     loop over steps: course.before_step(state);  method.step(..);  course.after_step(state, ..)
//!         Next::Go       the step is accepted
//!         Next::Restart  the state is that at an event, with other forces from now on: a new piece
//!         Next::Stop     the state is that at an event that ends the run
//!     at the end of a piece before t_end: course.cross_breakpoint(state)
//! ```

use super::recorder::Moment;
use crate::Error;
use crate::integrate::{Accelerations, Crossing, Events, Jump};
use crate::mechanics::{Action, State, System};
use crate::persist::{Archive, Damage, Persist, ensure};

/// A remainder of a piece below this fraction of a step is skipped.
pub const NOTHING_LEFT: f64 = 1e-9;

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// Its name.
    pub event: String,
    /// record, stop or switch.
    pub action: &'static str,
    /// When.
    pub t: f64,
    /// True if its function became positive.
    pub rising: bool,
    /// The state at the event, before any switch.
    pub state: State,
    /// The jump of the velocities, if a joint or drive was turned on that they did not fit.
    pub jump: Option<Jump>,
}

impl Persist for Occurrence {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Occurrence { event, action, t, rising, state, jump } = self;
        let mut name = action.to_string();
        (event, &mut name).persist(archive)?;
        *action = Action::NAMES.into_iter().find(|n| *n == name).ok_or(Damage::Value)?;
        ((t, rising), (state, jump)).persist(archive)
    }
}

/// What follows a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next step.
    Go,
    /// The state was moved back to an event that switched something: start the method again.
    Restart,
    /// The state was moved back to an event that ends the run.
    Stop,
}

/// The course of a run over breakpoints and events.
#[derive(Clone)]
pub struct Course {
    t_0: f64,
    t_end: f64,
    breakpoints: Vec<f64>,
    events: Option<Events>,
    before: State,
    /// Events so far.
    pub occurrences: Vec<Occurrence>,
}

/// More breakpoints in one run are refused.
pub const MOST_BREAKPOINTS: usize = 100_000;

/// A step ends this much before a breakpoint, relative to the time, so that rounding errors do not carry it
/// across.
const BREAKPOINT_MARGIN: f64 = 8.0 * f64::EPSILON;

/// The breakpoints of a system between two times.
fn breakpoints(system: &dyn System, from: f64, to: f64) -> Result<Vec<f64>, Error> {
    let mut breakpoints = system.breakpoints(from, to);
    // A corner at the very beginning may be found a rounding error after it; no step ends there.
    breakpoints.retain(|b| b - from > BREAKPOINT_MARGIN * (to - from));
    if breakpoints.len() > MOST_BREAKPOINTS {
        return Err(Error::Parameter {
            name: "breakpoints",
            value: breakpoints.len() as f64,
            expected: "forces may have at most 100000 jumps and corners in a run; end it earlier, or use \
                       smooth functions",
        });
    }
    Ok(breakpoints)
}

impl Course {
    /// Saves or restores the events so far and their signs; `like` is a state of the run.
    pub fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        let Course { t_0: _, t_end: _, breakpoints: _, events, before: _, occurrences } = self;
        if let Some(events) = events {
            events.persist(archive)?;
        }
        let first = Occurrence {
            event: String::new(),
            action: Action::Record.name(),
            t: 0.0,
            rising: false,
            state: like.clone(),
            jump: None,
        };
        archive.finite("an event", |archive| archive.growing_like(occurrences, &first))
    }

    /// Checks that a run can be at time t, in a piece that began at `from`, after the events so far.
    pub fn ensure_place(&self, system: &dyn System, from: f64, t: f64) -> Result<(), Damage> {
        let Course { t_0, t_end, breakpoints, events: _, before: _, occurrences } = self;
        // Times of steps are rounded.
        let latest = t_end + NOTHING_LEFT * (t_end - t_0);
        ensure(*t_0 <= t && t <= latest, || {
            format!("its time {t} s is not within the run, {t_0} s to {t_end} s")
        })?;
        let switched = |o: &Occurrence| o.t == from && !["record", "stop"].contains(&o.action);
        let begins = from == *t_0 || breakpoints.contains(&from) || occurrences.iter().any(switched);
        ensure(begins && from <= t, || format!("no part of this run begins at {from} s and reaches {t} s"))?;
        let mut last = *t_0;
        for Occurrence { event, action, t: when, .. } in occurrences {
            let known = system.events().iter().any(|e| e.name == *event && e.action.name() == *action);
            ensure(known, || format!("this model has no event '{event}' with the action {action}"))?;
            ensure(last <= *when && *when <= t, || {
                format!("event '{event}' at {when} s is not between {last} s and {t} s")
            })?;
            last = *when;
        }
        Ok(())
    }

    /// Largest number of steps of at most h before time t, if all pieces have equal steps.
    pub fn most_steps(&self, t: f64, h: f64) -> f64 {
        let pieces = self.breakpoints.iter().filter(|b| **b <= t).count() + self.occurrences.len();
        if t == self.t_0 { 0.0 } else { 2.0 * (t - self.t_0) / h + 2.0 * (pieces + 1) as f64 }
    }

    /// The course from a state to t_end.
    pub fn new(system: &dyn System, state: &State, t_end: f64) -> Result<Self, Error> {
        let events = !system.events().is_empty();
        let breakpoints = breakpoints(system, state.t, t_end)?;
        Ok(Course {
            t_0: state.t,
            t_end,
            breakpoints,
            events: if events { Some(Events::new(system, state, t_end)?) } else { None },
            before: if events { state.clone() } else { State::default() },
            occurrences: Vec::new(),
        })
    }

    /// Extends the course to a later end; `t` is the current time.
    pub fn extend(&mut self, system: &dyn System, t: f64, t_end: f64) -> Result<(), Error> {
        self.breakpoints = breakpoints(system, t, t_end)?;
        if let Some(events) = &mut self.events {
            events.plan(system, t, t_end)?;
        }
        self.t_end = t_end;
        Ok(())
    }

    /// The breakpoint that ends the piece at t, if one does.
    fn breakpoint(&self, t: f64) -> Option<f64> {
        let apart = |b: f64| b - t > 2.0 * BREAKPOINT_MARGIN * b.abs().max(t.abs());
        self.breakpoints.get(self.breakpoints.partition_point(|b| !apart(*b))).copied()
    }

    /// The end of the smooth piece that begins at t: just before a breakpoint, or the end of the run.
    pub fn piece_end(&self, t: f64) -> f64 {
        match self.breakpoint(t) {
            Some(b) => b - BREAKPOINT_MARGIN * b.abs().max(t.abs()),
            None => self.t_end,
        }
    }

    /// Moves a state across the breakpoint at the end of a piece, with accelerations and multipliers of the
    /// other side.
    pub fn cross_breakpoint(&self, system: &dyn System, from: f64, state: &mut State) -> Result<(), Error> {
        state.t = self.breakpoint(from).unwrap_or(self.t_end);
        Accelerations::new(system).solve(system, state)
    }

    /// The jump of the velocities at the last event.
    pub fn last_jump(&self) -> Option<Jump> {
        self.occurrences.last().and_then(|o| o.jump)
    }

    /// Keeps the state before a step.
    pub fn before_step(&mut self, state: &State) {
        if self.events.is_some() {
            self.before.copy_from(state);
        }
    }

    /// Finds events in an accepted step that led to `state`, and performs their actions. Calls `see` with the
    /// states at events.
    pub fn after_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        mut see: impl FnMut(&State, Moment),
    ) -> Result<Next, Error> {
        let Some(events) = &mut self.events else { return Ok(Next::Go) };
        events.look(system, &self.before, state)?;
        while let Some(crossing) = events.next(system)? {
            let Crossing { event, t, rising } = crossing;
            let kind = &system.events()[event];
            let mut note = |state: &State| {
                let (event, action) = (kind.name.clone(), kind.action.name());
                self.occurrences.push(Occurrence {
                    event,
                    action,
                    t,
                    rising,
                    state: state.clone(),
                    jump: None,
                });
            };
            match kind.action {
                Action::Record => {
                    let there = events.state(system, &crossing)?;
                    note(there);
                    see(there, Moment::Passing(event));
                }
                Action::Stop | Action::Switch(_) => {
                    events.land(system, &crossing, state)?;
                    note(state);
                    see(state, Moment::Cut(event));
                    if kind.action == Action::Stop {
                        return Ok(Next::Stop);
                    }
                    let jump = events.act(system, &crossing, state)?;
                    if let Some(last) = self.occurrences.last_mut() {
                        last.jump = jump;
                    }
                    return Ok(Next::Restart);
                }
            }
        }
        events.ensure_agreement(system, state)?;
        Ok(Next::Go)
    }
}
