//! Reports of a [`Multibody`]: bodies, joint forces, sensors.

use super::Multibody;
use crate::mechanics::coordinate::CoordinateKind;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::mechanics::quantity::Quantity;
use crate::mechanics::redundancy;
use crate::mechanics::signal::Signal;
use crate::mechanics::system::At;

impl Multibody {
    /// Force and torque of one joint on its second body, with the given multipliers. The force on the system
    /// is -B^T lambda.
    pub fn reaction(&self, index: usize, at: &At) -> Reaction {
        let joint = &self.physics.joints[index];
        let pair = joint.pair(&self.physics.bodies, at.q);
        let row = joint.bt_lambda(&pair, at) * -1.0;
        let (force, moment) = row.b.inertial(self.physics.bodies.group, &pair.b);
        let arm = pair.b.r * joint.marker_b.p;
        Reaction {
            name: joint.name.clone(),
            force,
            torque: moment - arm.cross(&force),
            multipliers: at.lambda[joint.range.clone()].to_vec(),
            unique: self.is_unique(index),
        }
    }
}

impl Mechanism for Multibody {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.physics
            .bodies
            .list
            .iter()
            .map(|b| BodyState {
                name: b.name.clone(),
                position: b.pose(at.q).x,
                rotation: match b.dim() {
                    6 => std::array::from_fn(|i| at.q[b.q + i]),
                    _ => [1.0, 0.0, 0.0, 0.0],
                },
                velocity: b.velocity(self.physics.bodies.group, at),
                angular_velocity: b.motion(at.v).omega,
            })
            .collect()
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        let lambda = redundancy::filtered_multipliers(self, at);
        let at = &At { lambda: &lambda, ..*at };
        let joints = (0..self.physics.joints.len()).map(|i| self.reaction(i, at));
        joints.chain(self.constraint_reactions(at)).collect()
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        self.read_sensors(at)
    }

    fn sensor_units(&self) -> Vec<&'static str> {
        let unit = |quantity: &Quantity| match quantity {
            Quantity::ControlOutput(i) => match self.control_list()[*i].driven.motion {
                CoordinateKind::Angle(_) => "N m",
                _ => "N",
            },
            Quantity::Formula(i) => self.formulas.get(*i).map_or("", |f| f.unit),
            other => other.unit(),
        };
        self.sensors.iter().map(|s| unit(&s.quantity)).collect()
    }

    fn troubles(&self, at: &At) -> Vec<String> {
        self.list_troubles(at)
    }

    fn with_signals(&self, other: &mut dyn FnMut(&Signal) -> Signal) -> Option<Box<dyn Mechanism>> {
        let mut copy = self.clone();
        for force in &mut copy.physics.forces {
            force.force.functions_mut().iter_mut().for_each(|f| f.replace_signals(other));
        }
        for control in &mut copy.physics.controls {
            control.controller.drive_mut().replace_signals(other);
        }
        Some(Box::new(copy))
    }
}
