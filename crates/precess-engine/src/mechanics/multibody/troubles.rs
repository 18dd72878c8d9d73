//! Elements that are or will soon be undefined, in words for the user, and stops that act without events.

use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::event::BY_POSITION;
use crate::mechanics::forces::along::stops::StopLaw;
use crate::mechanics::forces::{Along, Force, LawKind};
use crate::mechanics::joints::JointRows;
use crate::mechanics::{At, Multibody};

impl Multibody {
    /// Forces, controls, drives and joints that are or will soon be undefined.
    pub(super) fn list_troubles(&self, at: &At) -> Vec<String> {
        let (physics, bodies) = (&self.physics, &self.physics.bodies);
        let mut list: Vec<String> = physics.acting(at.memory).filter_map(|f| f.trouble(bodies, at)).collect();
        list.extend(physics.parts().filter_map(|part| part.trouble(bodies, at)));
        for joint in &physics.joints {
            joint.each_rows(at, |rows, _, _| {
                if let JointRows::Drive(drive) = rows
                    && let Some(why) = drive.culprit(at.t)
                {
                    list.push(format!("{why}, in the drive of joint '{}' at t = {} s", joint.name, at.t));
                }
            });
            if joint.wrong_side(&joint.pair(bodies, at.q), at.memory) != 0.0 {
                list.push(format!("joint '{}' is assembled the other way round", joint.name));
            }
            if joint.holds(at.memory) && joint.angle().is_some_and(|c| c.is_singular(bodies, at.q)) {
                list.push(format!(
                    "the angle of joint '{}' is not defined: its axes are not aligned",
                    joint.name
                ));
            }
        }
        list.dedup();
        list
    }

    /// Stops that events turn on and off.
    pub(super) fn sharp_stops(&self) -> impl Iterator<Item = (&Coordinate, &StopLaw)> {
        self.sharp.iter().filter_map(|i| match self.force(*i) {
            Force::Along(Along { coordinate, law: LawKind::Stops(law), .. }) => Some((coordinate, law)),
            _ => None,
        })
    }

    /// Lets sharp stops act while they are touched, for analyses without time.
    pub fn stop_by_position(&self, memory: &mut [f64]) {
        self.sharp_stops().filter_map(|(_, law)| law.memory).for_each(|i| memory[i] = BY_POSITION);
    }
}
