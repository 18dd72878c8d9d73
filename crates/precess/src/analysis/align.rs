//! Corrects guesses in which a joint is off by more than a right angle: its rows have no value there, since
//! they would close the wrong way round.
//!
//! Bodies are turned about their joints, one after the other from the ground on, until axes point the right
//! way. The assembly corrects small angles. If that does not help, bodies are also moved to their joints, so
//! that only loops are open.

use crate::mechanics::Multibody;
use std::collections::VecDeque;

use crate::mechanics::State;
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::{JointKind, JointRows};
use crate::mechanics::mechanism::Mechanism;
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Smaller angles are not corrected.
const SMALL_ANGLE: f64 = 0.3;

/// The state with bodies turned if their axes point the wrong way and, with `close`, moved to their joints.
/// Bodies in `held` stay, and so do those attached to nodes of deforming bodies.
pub(crate) fn align(system: &dyn Mechanism, state: &State, held: &[bool], close: bool) -> State {
    let mut state = state.clone();
    let Some(multibody) = Multibody::of(system) else { return state };
    let (bodies, joints) = (multibody.body_list(), multibody.joint_list());
    let mut seen: Vec<bool> = (0..bodies.len()).map(|i| held.get(i).copied().unwrap_or(false)).collect();
    let mut queue: VecDeque<Option<usize>> = [None].into();
    queue.extend((0..bodies.len()).filter(|&i| seen[i]).map(Some));
    while let Some(from) = queue.pop_front() {
        for joint in joints.iter().filter(|j| j.link.a == from || j.link.b == from) {
            let to = if joint.link.a == from { joint.link.b } else { joint.link.a };
            let Some(to) = to.filter(|&i| i < bodies.len() && !seen[i] && bodies[i].dim() == 6) else {
                continue;
            };
            seen[to] = true;
            queue.push_back(Some(to));
            let place = |i: usize| {
                let at = bodies[i].q;
                if bodies[i].dim() == 6 { read(&state.q[at..at + 7]) } else { Default::default() }
            };
            let (base, origin) = from.map_or_else(Default::default, &place);
            let (turn, position) = place(to);
            let turned = wanted(joint, state.t, from, &base, &turn);
            let meets = close && !matches!(joint.kind, JointKind::RigidDistance);
            if turned.is_some() || meets {
                let turned = turned.unwrap_or(turn);
                let (first, second) = match joint.link.a == from {
                    true => (&joint.marker_a, &joint.marker_b),
                    false => (&joint.marker_b, &joint.marker_a),
                };
                let point = if meets { origin + base * first.p } else { position + turn * second.p };
                let position = point - turned * second.p;
                let at = bodies[to].q;
                let r = turned.quaternion();
                let pose = [r.w, r.i, r.j, r.k, position.x, position.y, position.z];
                state.q[at..at + 7].copy_from_slice(&pose);
            }
        }
    }
    state.remember(system);
    state
}

fn read(q: &[f64]) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    (turn, Vector3::new(q[4], q[5], q[6]))
}

/// The rotation that a body needs for its joint, if it is far from it.
fn wanted(
    joint: &Joint,
    t: f64,
    from: Option<usize>,
    base: &UnitQuaternion<f64>,
    turn: &UnitQuaternion<f64>,
) -> Option<UnitQuaternion<f64>> {
    let forward = joint.link.a == from;
    let (first, second) =
        if forward { (&joint.marker_a, &joint.marker_b) } else { (&joint.marker_b, &joint.marker_a) };
    let frames = [base.to_rotation_matrix() * first.c, turn.to_rotation_matrix() * second.c];
    let drive = joint.rows.iter().find_map(|r| match r {
        JointRows::Drive(d) if matches!(joint.kind, JointKind::Revolute) => Some(d.function.motion(t)[0]),
        _ => None,
    });
    let whole = match joint.kind {
        JointKind::Fixed | JointKind::Prismatic => Some(0.0),
        JointKind::Generic(locks) if locks.rotation == [true; 3] => Some(0.0),
        JointKind::Revolute => drive.map(|x| x - joint.zero),
        JointKind::Cylindrical | JointKind::Planar => None,
        _ => return None,
    };
    let by = match whole {
        Some(angle) => {
            let angle = if forward { angle } else { -angle };
            let about = Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
            rotation(&(frames[0] * about.matrix() * frames[1].transpose()))
        }
        None => {
            let [a, b] = frames.map(|f| f.column(2).into_owned());
            // Opposite axes: turns about any perpendicular direction.
            UnitQuaternion::rotation_between(&b, &a).unwrap_or_else(|| {
                UnitQuaternion::from_scaled_axis(frames[1].column(0) * std::f64::consts::PI)
            })
        }
    };
    (by.angle() > SMALL_ANGLE).then(|| by * turn)
}

fn rotation(m: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*m))
}
