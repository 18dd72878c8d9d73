//! Numbers that are allowed and seldom meant: springs that push away, dampers that drive, bodies without mass.

use super::Evaluator;
use crate::model::elements::{Characteristic, ForceKind};
use crate::model::spec::Model;

impl Evaluator {
    /// Notices about such numbers.
    pub(super) fn doubtful(&mut self, model: &Model) {
        let mut list = Vec::new();
        for force in &model.forces {
            let law = match &force.kind {
                ForceKind::Spring(s) => match &s.characteristic {
                    Characteristic::Linear(law) => law,
                    _ => continue,
                },
                ForceKind::JointSpring(s) => &s.law,
                ForceKind::TorsionSpring(s) => &s.law,
                _ => continue,
            };
            if law.k < 0.0 {
                list.push(format!(
                    "the stiffness of '{}' is negative ({}): it pushes away from its rest position",
                    force.name, law.k
                ));
            }
            if law.c < 0.0 {
                list.push(format!(
                    "the damping of '{}' is negative ({}): it adds energy instead of taking it",
                    force.name, law.c
                ));
            }
        }
        for body in &model.bodies {
            // Modes give the mass of a deformable body, and a given motion needs none.
            let own = model.modal.iter().any(|m| m.name == body.name);
            let jointed = || model.joints.iter().any(|j| j.guide.is_none() && j.bodies.contains(&body.name));
            let moved = || model.joints.iter().any(|j| j.guide.is_some() && j.bodies.contains(&body.name));
            if body.mass == 0.0 && !own && jointed() && !moved() {
                list.push(format!(
                    "body '{}' has no mass: where joints leave it free to move, nothing determines its \
                     acceleration; give it a small mass, or leave it out and connect its neighbours",
                    body.name
                ));
            }
        }
        self.notice(list);
    }
}
