//! Full turns of joints that do not begin in the drawn position.
//!
//! Poses determine an angle only up to full turns. If a run begins elsewhere (`[start.BODY]`, `--start-from`,
//! `assemble`), the turns are added to the `coordinate` of a joint in the drawn position. So everything that
//! uses the angle agrees: springs, drives, gears, sensors.

use crate::mechanics::Multibody;
use std::f64::consts::TAU;

use super::build::build;
use super::spec::Model;
use crate::Error;
use crate::formulation::Formulation;
use crate::mechanics::joint::Joint;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{At, State, System};

/// The angles of all joints that have one, by name, with the turns counted in the memory of the state.
pub fn angles(system: &dyn Mechanism, at: &At) -> Vec<(String, f64)> {
    let Some(physics) = Multibody::of(system).map(|m| m.physics()) else { return Vec::new() };
    let angle = |j: &Joint| Some((j.name.clone(), j.angle()?.position(&physics.bodies, at)));
    physics.joints.iter().filter_map(angle).collect()
}

/// Joints with full turns that poses do not contain, and the `coordinate` that restores them.
pub fn lost(model: &Model, system: &dyn Mechanism, at: &At) -> Vec<(String, f64)> {
    let forgetful = vec![0.0; at.memory.len()];
    let counted = angles(system, at).into_iter().zip(angles(system, &At { memory: &forgetful, ..*at }));
    let turned = counted.filter_map(|((name, x), (_, poses))| {
        let turns = ((x - poses) / TAU).round();
        let drawn = model.joints.iter().find(|j| j.name == name)?.coordinate;
        (turns != 0.0 && turns.is_finite()).then_some((name, drawn + turns * TAU))
    });
    turned.collect()
}

impl Model {
    /// Adds full turns to joints, so that their angles at the start are next to these; angles of driven
    /// joints are next to their drives.
    pub(crate) fn begin_next_to(&mut self, wanted: &[(String, f64)]) -> Result<(), Error> {
        let built = build(self, Formulation::R3SO3)?;
        let system = &*built.system;
        let memory = vec![0.0; system.n_memory()];
        let (vdot, lambda) = (vec![0.0; built.v.len()], vec![0.0; System::n_lambda(system)]);
        let state = State { q: built.q, v: built.v, vdot, lambda, memory, ..State::default() };
        let now = angles(system, &state.at());
        let of = |list: &[(String, f64)], name: &str| list.iter().find(|(n, _)| n == name).map(|(_, x)| *x);
        for joint in &mut self.joints {
            let driven = joint.drive.as_ref().map(|f| f.motion(0.0)[0]);
            let (Some(x), Some(to)) = (of(&now, &joint.name), driven.or_else(|| of(wanted, &joint.name)))
            else {
                continue;
            };
            let turns = ((to - x) / TAU).round();
            // Angles far from both stay; they are refused later.
            if (to - x - turns * TAU).abs() < 1.0 {
                joint.coordinate += turns * TAU;
            }
        }
        Ok(())
    }
}
