//! Steps that skip turns: a body turns by more than half a turn in a step, and its acceleration depends on
//! the angle.
//!
//! Such a step sees the same forces again and again, as a stroboscope shows a wheel, and its results are
//! meaningless though they may look smooth. A wheel that is symmetric about the axis of its spin may turn as
//! often as it likes. So the accelerations are compared at three places of a step, on a line with the present
//! velocities: at its ends and somewhere between, where they would be
//!
//! ```text
//! a(x) = (1 - x) a(0) + x a(1)        x = 0.41
//! ```
//!
//! if only slow changes acted. The difference d, acting during the whole run of length T, changes the angular
//! velocity omega by d T at most; if that is a small part of omega, it does not matter. With a tolerance no
//! step turns a body so far.

use std::f64::consts::PI;
use std::ops::Range;

use crate::integrate::{Accelerations, ConsistentForces, project_position, project_velocity};
use crate::mechanics::{Describes, State, System};

/// Place between the ends of a step; irregular, so that no number of turns per step comes back to it.
const PLACE: f64 = 0.41;
/// A smaller part of the angular velocity does not matter.
const SMALL_PART: f64 = 0.02;

/// Watches the rotations of a run.
pub(super) struct Turns {
    rotations: Vec<Range<usize>>,
    /// Largest angle of a body in a step, if it is more than half a turn.
    turned: f64,
    /// Largest angular velocity at such a step, and the largest difference d.
    speed: f64,
    difference: f64,
}

crate::persist!(Turns { turned, speed, difference } given { rotations });

fn size(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Turns {
    pub fn of(system: &dyn System) -> Self {
        let rotations = system.blocks().into_iter().filter(|b| b.describes == Describes::Rotation);
        Turns { rotations: rotations.map(|b| b.v).collect(), turned: 0.0, speed: 0.0, difference: 0.0 }
    }

    /// Looks at the state after a step of size h, at the first steps and eight in every octave.
    pub fn observe(&mut self, system: &dyn System, state: &State, step: usize, h: f64) {
        if !ConsistentForces::samples(step) {
            return;
        }
        let speed = self.rotations.iter().map(|r| size(&state.v[r.clone()])).fold(0.0, f64::max);
        // A step with a tolerance may turn a body by exactly half a turn.
        if !(h * speed > 1.001 * PI) {
            return;
        }
        self.turned = self.turned.max(h * speed);
        self.speed = self.speed.max(speed);
        let mut solver = Accelerations::new(system);
        let mut at = |x: f64| {
            let mut there = State { t: state.t + x * h, ..state.clone() };
            let increment: Vec<f64> = state.v.iter().map(|v| x * h * v).collect();
            system.group().retract(&state.q, &increment, &mut there.q);
            if x > 0.0 {
                project_position(system, &mut there).ok()?;
                project_velocity(system, &mut there).ok()?;
            }
            solver.solve(system, &mut there).ok()?;
            Some(there.vdot)
        };
        // Where the motion cannot be continued, other steps tell.
        let (Some(first), Some(between), Some(last)) = (at(0.0), at(PLACE), at(1.0)) else { return };
        for r in &self.rotations {
            let off: Vec<f64> =
                r.clone().map(|i| between[i] - (1.0 - PLACE) * first[i] - PLACE * last[i]).collect();
            self.difference = self.difference.max(size(&off));
        }
    }

    /// Why the results of a run of this length are meaningless, if so.
    pub fn doubt(&self, length: f64) -> Option<String> {
        let part = self.difference * length / self.speed;
        (self.turned > 0.0 && part > SMALL_PART).then(|| {
            format!(
                "a step turns a body by {:.1} rad, more than half a turn, and its acceleration depends on \
                 the \
                 angle: whole turns are skipped; try a step of {:.0e} s or less, or a tolerance \
                 instead of a step",
                self.turned,
                PI / self.speed / 10.0
            )
        })
    }
}
