//! Runs that creep: steps so short that the end is out of sight, because a drive runs into a position where
//! the mechanism is locked.
//!
//! Near such a position velocities grow without bound, and steps shrink with the distance from it. A method
//! with a tolerance would take tens of thousands of steps before no step works at all. So after every 64
//! steps with which the rest of the run would need 10 000 more, the drives are examined. One that other joints
//! hold, and that they cannot follow through the next 256 steps, ends the run with their names. If it would
//! need 100 000 more, so does one that they all but hold, and more from look to look.

use crate::Error;
use crate::integrate::reach;
use crate::mechanics::{State, System};

/// Number of steps between two looks.
const WINDOW: usize = 64;
/// A run creeps if it would need more steps.
const MANY_STEPS: f64 = 1e4;
/// It creeps even if its drives seem free.
const FAR_TOO_MANY_STEPS: f64 = 1e5;

/// Watches the speed of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Creep {
    /// Time at the last look.
    since: f64,
    /// Number of looks at a run that creeps, and the next of them at which the drives are examined.
    looks: usize,
    next: usize,
    /// How far the most held drive was from a lock when it was examined, if it was close.
    distance: Option<f64>,
}

impl Creep {
    pub fn from(t: f64) -> Self {
        Creep { since: t, looks: 0, next: 1, distance: None }
    }

    /// Looks at the state after a step of a run that ends at `t_end`: an error if it creeps towards a lock.
    pub fn observe(
        &mut self,
        system: &dyn System,
        state: &State,
        step: usize,
        t_end: f64,
    ) -> Result<(), Error> {
        if !step.is_multiple_of(WINDOW) {
            return Ok(());
        }
        let mean = (state.t - std::mem::replace(&mut self.since, state.t)) / WINDOW as f64;
        if !(mean * MANY_STEPS < t_end - state.t) {
            *self = Creep::from(state.t);
            return Ok(());
        }
        // Long runs with short steps creep without harm: look less and less often.
        self.looks += 1;
        if self.looks < self.next {
            return Ok(());
        }
        self.next = self.looks + self.looks.div_ceil(4);
        if let Some(error) = reach::ends_soon(system, state, mean, t_end) {
            return Err(error);
        }
        if !(mean * FAR_TOO_MANY_STEPS < t_end - state.t) {
            return Ok(());
        }
        let before = self.distance;
        let held = reach::held(system, state);
        self.distance = held.as_ref().map(|h| h.1);
        // On the way out of such a position the distance grows.
        let (Some((error, now)), Some(before)) = (held, before) else { return Ok(()) };
        if now <= before { Err(error) } else { Ok(()) }
    }
}
