//! `type = "torsion-spring"`: a spring and damper of the angle between two bodies about an axis, without a
//! joint between them.

use nalgebra::{Matrix3, Vector3};

use super::ForceModel;
use crate::Error;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::forces::{Force, JointSpring};
use crate::mechanics::kernels::SpringDamper;
use crate::mechanics::links::Link;
use crate::mechanics::{BodyKind, Multibody};
use crate::model::build::{find, marker};
use crate::model::elements::ForceKind;
use crate::model::evaluate::Evaluator;
use crate::model::file_elements::ForceBlock;
use crate::model::placement::Placement;
use crate::model::spec::{BodySpec, Model, frame_along};
use crate::model::write::{WrittenTable, axis};

/// A torsion spring.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// The bodies.
    pub bodies: [String; 2],
    /// Axes at t = 0 as columns; the angle is that about the third, fixed in the first body.
    pub frame: Matrix3<f64>,
    /// Its law.
    pub law: SpringDamper,
}

pub(super) const KEYS: &[&str] = &["bodies", "axis", "stiffness", "damping", "rest", "preload"];

pub(super) fn read(
    e: &mut Evaluator,
    path: &str,
    block: &ForceBlock,
    name: &str,
    model: &Model,
) -> Option<ForceKind> {
    let bodies = e.pair_of_bodies(path, block, name, model)?;
    let Some(axis) = &block.axis else {
        e.missing(path, name, "axis", "[x, y, z] at t = 0");
        return None;
    };
    let frame = frame_along(&e.axis(&format!("{path}.axis"), axis, model));
    if block.stiffness.is_none() && block.damping.is_none() {
        e.missing(path, name, "stiffness", "k, in N m/rad");
    }
    for (i, body) in bodies.iter().enumerate() {
        let is_point = |b: &BodySpec| matches!(b.kind, BodyKind::PointMass);
        if e.find_body(model, body).is_some_and(is_point) {
            e.problem(&format!("{path}.bodies[{i}]"), format!("a point mass has no angle: '{body}'"), "");
        }
    }
    Some(TorsionSpring { bodies, frame, law: e.spring_damper(path, block) }.into())
}

impl ForceModel for TorsionSpring {
    fn build(&self, name: String, model: &Model, system: &mut Multibody) -> Result<Force, Error> {
        let (a, b) = (find(model, &self.bodies[0])?, find(model, &self.bodies[1])?);
        let link = Link { a: a.map(|x| x.0), b: b.map(|x| x.0) };
        let [a, b] = [a, b].map(|body| marker(body, &Vector3::zeros(), &self.frame));
        let coordinate = system.count_turns(Coordinate::angle(link, &a, &b, 0.0));
        Ok(Force::JointSpring(JointSpring { name, coordinate, law: self.law }))
    }

    fn write(&self, entry: WrittenTable) -> WrittenTable {
        let entry = entry.with("type", "torsion-spring").bodies(&self.bodies);
        entry.with("axis", axis(&self.frame, 2)).law(&self.law, "rest")
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let bodies = self.bodies.each_ref().map(|b| to.body_name(b));
        TorsionSpring { bodies, frame: to.frame(&self.frame, false), law: self.law }.into()
    }
}
