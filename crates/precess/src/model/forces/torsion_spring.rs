//! `type = "torsion-spring"`: a spring and damper of the angle between two bodies about an axis, without a
//! joint between them.

use super::*;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::forces::along::elastic::Characteristic;
use crate::model::spec::frame_along;
use crate::model::written::axis;

/// A torsion spring.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// The bodies.
    pub bodies: [String; 2],
    /// Axes at t = 0 as columns; the angle is about the third axis, fixed in the first body.
    pub frame: Matrix3<f64>,
    /// Its law.
    pub law: SpringDamper,
}

impl InFiles for TorsionSpring {
    const KEYS: Keys = &["bodies", "axis", "stiffness", "damping", "rest", "preload"];
    const MEANT: Meant = &[(&["free_length"], "rest"), (&["torque", "constant", "value"], "preload")];

    fn is_angle(_: Option<bool>, _: Option<u32>) -> Option<bool> {
        Some(true)
    }

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let bodies = e.pair_of_bodies(from)?;
        let Some(axis) = &from.block.axis else {
            e.missing(from, "axis", "[x, y, z] at t = 0");
            return None;
        };
        let frame = frame_along(&e.axis(&from.at("axis"), axis, from.model));
        if from.block.stiffness.is_none() && from.block.damping.is_none() {
            e.missing(from, "stiffness", "k, in N m/rad");
        }
        for (i, body) in bodies.iter().enumerate() {
            if e.find_body(from.model, body).is_some_and(|b| matches!(b.kind, BodyKind::PointMass)) {
                let at = format!("{}.bodies[{i}]", from.path);
                e.problem(&at, format!("a point mass has no angle: '{body}'"), "");
            }
        }
        Some(TorsionSpring { bodies, frame, law: e.spring_damper(from) }.into())
    }
}

impl ForceModel for TorsionSpring {
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let (bodies, link) = names.pair(&self.bodies)?;
        let [a, b] = bodies.map(|body| marker(body, &Vector3::zeros(), &self.frame));
        let coordinate = system.count_turns(Coordinate::angle(link, &a, &b, 0.0));
        Ok(Force::Along(Along { name, coordinate, law: LawKind::Elastic(Characteristic::Linear(self.law)) }))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        let entry = entry.with("type", "torsion-spring").bodies(&self.bodies);
        entry.with("axis", axis(&self.frame, 2)).law(&self.law, "rest")
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let frame = to.frame(&self.frame, false);
        TorsionSpring { bodies: to.pair(&self.bodies), frame, law: self.law }.into()
    }
}
