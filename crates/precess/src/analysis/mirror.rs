//! Loops that bend the other way round.
//!
//! Two bodies that meet in a joint C, one held at B and the other at D, form a triangle; its mirror image
//! about BD satisfies the same constraints. Both bodies carry the normal of the triangle along. If it points
//! the other way afterwards for both, the triangle has been turned inside out. If D slides along an axis, the
//! sign of the part of BC along that axis is used instead.

use crate::mechanics::Multibody;
use crate::mechanics::State;
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::JointKind;
use crate::mechanics::mechanism::Mechanism;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Flatter triangles have no side: the sine of an angle.
const FLAT_SINE: f64 = 0.02;
/// Bodies with more joints are not examined: a plate with many pins cannot be turned inside out at one of
/// them.
const MAX_JOINTS: usize = 6;

/// A joint at which the mechanism now bends the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrored {
    /// Name of the joint.
    pub joint: String,
    /// The bodies that meet there.
    pub bodies: [String; 2],
}

impl std::fmt::Display for Mirrored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b] = &self.bodies;
        write!(
            f,
            "'{a}' and '{b}' now bend the other way at joint '{}' than in the given positions; move them closer \
             to the side you want, or keep one of them in place",
            self.joint
        )
    }
}

/// Positions and rotations of all bodies at a state.
struct Poses(Vec<(Vector3<f64>, UnitQuaternion<f64>)>);

impl Poses {
    fn new(system: &dyn Mechanism, state: &State) -> Self {
        let turn = |[w, x, y, z]: [f64; 4]| UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        Poses(system.bodies(&state.at()).iter().map(|b| (b.position, turn(b.rotation))).collect())
    }

    fn turn(&self, body: Option<usize>) -> UnitQuaternion<f64> {
        body.map_or_else(UnitQuaternion::identity, |i| self.0[i].1)
    }

    fn point(&self, body: Option<usize>, p: &Vector3<f64>) -> Vector3<f64> {
        body.map_or(*p, |i| self.0[i].0 + self.0[i].1 * p)
    }

    /// The position of a joint on one of its bodies.
    fn joint(&self, j: &Joint, body: Option<usize>) -> Vector3<f64> {
        let marker = if j.link.a == body { &j.marker_a } else { &j.marker_b };
        self.point(body, &marker.p)
    }

    /// Its position between both bodies.
    fn middle(&self, j: &Joint) -> Vector3<f64> {
        0.5 * (self.point(j.link.a, &j.marker_a.p) + self.point(j.link.b, &j.marker_b.p))
    }

    /// Its axis on one of its bodies.
    fn axis(&self, j: &Joint, body: Option<usize>) -> Vector3<f64> {
        let marker = if j.link.a == body { &j.marker_a } else { &j.marker_b };
        self.turn(body) * marker.c.column(2).into_owned()
    }
}

/// The joints at which a mechanism bends the other way round than before.
pub fn mirrored(system: &dyn Mechanism, before: &State, after: &State) -> Vec<Mirrored> {
    let Some(multibody) = Multibody::of(system) else { return Vec::new() };
    // Joints at nodes of deforming bodies are skipped.
    let bodies = multibody.body_list();
    let rigid = |body: Option<usize>| body.is_none_or(|i| i < bodies.len());
    let joints: Vec<&Joint> =
        multibody.joint_list().iter().filter(|j| rigid(j.link.a) && rigid(j.link.b)).collect();
    let poses = [Poses::new(system, before), Poses::new(system, after)];
    let mut on: std::collections::HashMap<Option<usize>, Vec<usize>> = Default::default();
    for (i, j) in joints.iter().enumerate() {
        on.entry(j.link.a).or_default().push(i);
        on.entry(j.link.b).or_default().push(i);
    }
    let none = Vec::new();
    let others = |body: Option<usize>, joint: usize| {
        let list = on.get(&body).unwrap_or(&none);
        let list = if body.is_some() && list.len() > MAX_JOINTS { &none } else { list };
        list.iter().copied().filter(move |&k| k != joint)
    };
    let name = |b: Option<usize>| b.map_or("ground".to_string(), |i| bodies[i].name.clone());
    let mut found = Vec::new();
    for (c, joint) in joints.iter().enumerate() {
        let (a, b) = (joint.link.a, joint.link.b);
        // Only two moving bodies: a crank on the ground may turn freely.
        if a.is_none() || b.is_none() || matches!(joint.kind, JointKind::RigidDistance) {
            continue;
        }
        let turned = others(a, c).any(|first| {
            others(b, c).any(|second| {
                let (first, second) = (joints[first], joints[second]);
                flipped(&poses, (first, joint, second), [a, b])
                    || slid(&poses, (first, joint, second), a, b)
                    || slid(&poses, (second, joint, first), b, a)
            })
        });
        if turned {
            found.push(Mirrored { joint: joint.name.clone(), bodies: [name(a), name(b)] });
        }
    }
    found
}

fn slides(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Prismatic)
}

/// True if the triangle of three joints has been turned inside out.
fn flipped(poses: &[Poses; 2], (b, c, d): (&Joint, &Joint, &Joint), bodies: [Option<usize>; 2]) -> bool {
    if slides(&b.kind) || slides(&c.kind) || slides(&d.kind) {
        return false;
    }
    let normal = |p: &Poses| {
        let middle = p.middle(c);
        let (x, y) = (p.joint(b, bodies[0]) - middle, p.joint(d, bodies[1]) - middle);
        let n = x.cross(&y);
        (n.norm() > FLAT_SINE * x.norm() * y.norm()).then_some(n)
    };
    let (Some(before), Some(after)) = (normal(&poses[0]), normal(&poses[1])) else { return false };
    bodies.iter().all(|&body| {
        let carried = poses[1].turn(body) * (poses[0].turn(body).inverse() * before);
        carried.dot(&after) < 0.0
    })
}

/// True if a rod from B to C has turned round along the axis on which the next body slides.
fn slid(
    poses: &[Poses; 2],
    (b, c, d): (&Joint, &Joint, &Joint),
    rod: Option<usize>,
    slider: Option<usize>,
) -> bool {
    if !slides(&d.kind) || slides(&b.kind) || slides(&c.kind) {
        return false;
    }
    let part = |p: &Poses| {
        let x = p.middle(c) - p.joint(b, rod);
        let along = x.dot(&p.axis(d, slider));
        (along.abs() > FLAT_SINE * x.norm()).then_some(along)
    };
    match (part(&poses[0]), part(&poses[1])) {
        (Some(before), Some(after)) => before * after < 0.0,
        _ => false,
    }
}
