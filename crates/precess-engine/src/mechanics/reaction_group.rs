//! Total forces: what joints, gears, springs and bushings together do to a body or to the ground.

use nalgebra::{Vector1, Vector3};

use super::coordinate::Coordinate;
use super::forces::Force;
use super::forces::friction::FrictionKind;
use super::kernels::{Measure, Wrench};
use super::links::Link;
use super::mechanism::Reaction;
use super::physics::Physics;
use super::system::At;

/// Joints and forces whose effects are added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReactionGroup {
    /// Joints with a sign: 1 for the force on the second body, -1 for that on the first one.
    pub joints: Vec<(usize, f64)>,
    /// A body (or the ground, `None`) whose gears and forces between bodies count as well.
    pub body: Option<Option<usize>>,
    /// The point of the moment, inertial frame.
    pub point: Vector3<f64>,
}

impl ReactionGroup {
    /// Force, and moment about the point, in the inertial frame. `reaction` gives that of a joint.
    pub fn total(
        &self,
        physics: &Physics,
        at: &At,
        reaction: impl Fn(usize) -> Reaction,
    ) -> [Vector3<f64>; 2] {
        let bodies = &physics.bodies;
        let mut sum = [Vector3::zeros(); 2];
        for (joint, sign) in &self.joints {
            let Some(found) = physics.joints.get(*joint) else { continue };
            let Reaction { force, torque, .. } = reaction(*joint);
            let arm = bodies.pose(found.link.b, at.q).point(&found.marker_b.p) - self.point;
            sum[0] += *sign * force;
            sum[1] += *sign * (torque + arm.cross(&force));
        }
        let Some(body) = self.body else { return sum };
        // What acts between two bodies acts with the opposite sign on the other one.
        let mut add = |link: Link, on_b: &Wrench<f64>| {
            let sign = if link.b == body { 1.0 } else { -1.0 };
            if link.b == link.a || (link.a != body && link.b != body) {
                return;
            }
            let pose = bodies.pose(link.b, at.q);
            let (force, moment) = on_b.inertial(bodies.group, &pose);
            sum[0] += sign * force;
            sum[1] += sign * (moment + (pose.x - self.point).cross(&force));
        };
        for gear in &physics.gears {
            let lambda = at.lambda.get(gear.row).copied().unwrap_or(0.0);
            for (c, weight) in gear.coordinates.iter().zip(gear.weights()) {
                let row = c.motion.bt_lambda(&bodies.pair(c.link, at.q), &Vector1::new(-weight * lambda));
                add(c.link, &row.b);
            }
        }
        let mut r = vec![0.0; at.v.len()];
        for force in physics.acting(at.memory) {
            let link = force.link();
            let near = link.a == body || link.b == body;
            if !near || !is_mutual(force) {
                continue;
            }
            let Some(b) = bodies.get(link.b) else { continue };
            r.fill(0.0);
            force.residual(bodies, at, &mut r);
            let three = |first: usize| Vector3::from_fn(|k, _| -r.get(first + k).copied().unwrap_or(0.0));
            let wrench = match b.dim() {
                3 => Wrench { rot: Vector3::zeros(), trans: three(b.v) },
                _ => Wrench { rot: three(b.v), trans: three(b.v + 3) },
            };
            add(link, &wrench);
        }
        sum
    }
}

/// True for forces that act between two bodies, with opposite signs.
fn is_mutual(force: &Force) -> bool {
    match force {
        Force::Spring(_) | Force::Bushing(_) | Force::Along(_) | Force::Friction(_) => true,
        Force::Law(law) => law.coordinate().is_some(),
        _ => false,
    }
}

/// The joint coordinate on which a force acts; none if it acts on no coordinate.
pub fn coordinate_of(force: &Force) -> Option<Coordinate> {
    match force {
        Force::Along(f) => Some(f.coordinate),
        Force::Law(f) => f.coordinate().copied(),
        Force::Friction(f) => match &f.kind {
            FrictionKind::Single { coordinate, .. } => Some(*coordinate),
            FrictionKind::Screw { .. } => None,
        },
        _ => None,
    }
}

/// The effort of a force along its joint coordinate: positive if it drives the coordinate to larger values;
/// none if it acts on no coordinate.
pub fn effort(physics: &Physics, force: &Force, at: &At) -> Option<f64> {
    let coordinate = coordinate_of(force)?;
    // The force is -s times the direction of the coordinate, so s follows from its projection.
    let bodies = &physics.bodies;
    let (mut r, mut direction) = (vec![0.0; at.v.len()], vec![0.0; at.v.len()]);
    force.residual(bodies, at, &mut r);
    let row = coordinate.motion.bt_lambda(&bodies.pair(coordinate.link, at.q), &Vector1::new(1.0));
    bodies.add_force(coordinate.link, &row, at, &mut direction);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    Some(-dot(&r, &direction) / dot(&direction, &direction))
}
