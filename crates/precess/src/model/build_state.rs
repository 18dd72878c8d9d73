//! The initial state of a model in absolute coordinates.

use super::extreme_units;
use super::spec::Model;
use crate::Error;
use crate::mechanics::kernels::Group;
use crate::mechanics::{BodyKind, Multibody, System};

/// A system, and its initial q and v.
pub(super) type Placed = (Multibody, Vec<f64>, Vec<f64>);

/// The system with its initial values.
pub(super) fn with_state(model: &Model, group: Group, mut system: Multibody) -> Result<Placed, Error> {
    extreme_units::refuse(&model.bodies, system.length_scale())?;
    let n = model.bodies.len();
    let (mut q, mut v) = (Vec::with_capacity(7 * n), Vec::with_capacity(6 * n));
    for body in &model.bodies {
        let body = model.starting(body);
        if matches!(body.kind, BodyKind::Rigid { .. }) {
            let r = body.rotation.quaternion();
            q.extend_from_slice(&[r.w, r.i, r.j, r.k]);
            v.extend_from_slice(body.angular_velocity.as_slice());
        }
        q.extend_from_slice(body.position.as_slice());
        let velocity = match (group, body.kind) {
            (Group::SE3, BodyKind::Rigid { .. }) => body.rotation.inverse() * body.velocity,
            _ => body.velocity,
        };
        v.extend_from_slice(velocity.as_slice());
    }
    for modal in &model.modal {
        q.extend_from_slice(&modal.coordinates);
        v.extend_from_slice(&modal.rates);
    }
    for state in &model.states {
        q.push(0.0);
        v.push(state.initial);
    }
    for control in system.control_list() {
        let n = control.controller.n_states();
        q.extend(std::iter::repeat_n(0.0, n));
        match model.first_states.get(&control.name) {
            Some(first) if first.len() == n => v.extend(first),
            _ => v.extend(control.controller.initial().into_iter().take(n)),
        }
    }
    super::build_velocities::complete(model, &system, &q, &mut v)?;
    system.detect_redundancy(&q);
    Ok((system, q, v))
}
