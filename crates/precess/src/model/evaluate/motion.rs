//! `motion` of a body: its position and orientation as functions of time. It becomes a body guided from the
//! ground.

use std::collections::HashSet;

use nalgebra::{Matrix3, Vector3};

use super::Evaluator;
use crate::mechanics::joints::JointKind;
use crate::mechanics::joints::generic::Locks;
use crate::mechanics::{BodyKind, Function};
use crate::model::file::BodyBlock;
use crate::model::formula::Need;
use crate::model::number::{Number, Vector};
use crate::model::spec::{BodySpec, GROUND, JointSpec, Model};

/// Mass of a moved body without a given one, relative to all other bodies. Its motion does not depend on it,
/// and it must not change the sums of energy and momentum.
const SHARE: f64 = 1e-6;

impl Evaluator {
    /// Adds the joint that moves a body, and sets its initial velocity.
    pub(super) fn motion(&mut self, path: &str, block: &BodyBlock, body: &mut BodySpec) -> Option<JointSpec> {
        let motion = block.motion.as_ref()?;
        if motion.position.is_none() && motion.roll_pitch_yaw.is_none() {
            self.problem(
                &format!("{path}.motion"),
                "a motion without position and roll_pitch_yaw moves nothing",
                "add position = [x, y, z], functions of t, or use \"ground\"",
            );
        }
        for (key, given) in [
            ("velocity", block.velocity.is_some()),
            ("angular_velocity", block.angular_velocity.is_some()),
            ("angular_velocity_global", block.angular_velocity_global.is_some()),
        ] {
            if given {
                let message = format!("the motion of '{}' already gives its velocity", body.name);
                self.problem(&format!("{path}.{key}"), message, "leave it out");
            }
        }
        if matches!(body.kind, BodyKind::PointMass) {
            self.problem(
                &format!("{path}.motion"),
                format!("'{}' is a point mass, which has no orientation", body.name),
                "leave out type = \"point\"; a body that is moved needs no mass",
            );
        }
        let zero: Vector = [0.0, 0.0, 0.0].map(Number::Value);
        let part = |e: &mut Self, key: &str, list: &Option<Vector>| {
            let at = format!("{path}.motion.{key}");
            e.entries(&at, list.as_ref().unwrap_or(&zero), |e, path, x| {
                let function = e.function(path, x, Need::Motion);
                e.begins_at_zero(path, &function);
                e.follows(path, &function);
                function
            })
        };
        let [x, y, z] = part(self, "position", &motion.position);
        let [roll, pitch, yaw] = part(self, "roll_pitch_yaw", &motion.roll_pitch_yaw);
        let rates = |list: [&Function; 3]| Vector3::from(list.map(|f| f.motion(0.0)[1]));
        body.velocity = rates([&x, &y, &z]);
        body.angular_velocity = body.rotation.inverse() * rates([&roll, &pitch, &yaw]);
        let name = format!("{}_motion", body.name);
        let kind = JointKind::Generic(Locks::default());
        let mut joint = JointSpec::new(&name, kind, [GROUND, &body.name], body.position.into());
        joint.guide = Some(Box::new([x, y, z, roll, pitch, yaw]));
        Some(joint)
    }

    /// Gives moved bodies without mass a small one. If no other velocity is given, theirs are removed, too: a
    /// run then computes all velocities that the motion needs.
    pub(super) fn weigh_moved(&mut self, model: &mut Model) {
        let guided = model.joints.iter().filter(|j| j.guide.is_some()).flat_map(|j| &j.bodies);
        let guided: HashSet<&str> = guided.map(String::as_str).collect();
        let moved: Vec<bool> = model.bodies.iter().map(|b| guided.contains(b.name.as_str())).collect();
        let still = |b: &BodySpec| b.velocity == Vector3::zeros() && b.angular_velocity == Vector3::zeros();
        if model.start.is_empty() && model.bodies.iter().zip(&moved).all(|(b, moved)| *moved || still(b)) {
            for (body, _) in model.bodies.iter_mut().zip(&moved).filter(|(_, moved)| **moved) {
                (body.velocity, body.angular_velocity) = (Vector3::zeros(), Vector3::zeros());
            }
        }
        let mass: f64 = model.bodies.iter().map(|b| b.mass).filter(|m| *m > 0.0).sum();
        let mass = if mass > 0.0 { SHARE * mass } else { SHARE };
        for (body, _) in model.bodies.iter_mut().zip(moved).filter(|(b, moved)| *moved && b.mass == 0.0) {
            body.mass = mass;
            body.kind = BodyKind::Rigid { inertia: Matrix3::identity() * mass };
        }
    }
}
