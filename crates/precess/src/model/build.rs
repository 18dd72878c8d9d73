//! Builds a system in a formulation from a model, with its initial values.

use super::build_elements::add_elements;
use super::build_multibody::{assemble, multibody};
use super::extreme_units;
use super::spec::{GROUND, Model};
use crate::Error;
use crate::formulation::FixedPoint;
use crate::formulation::{Formulation, in_coordinates};
use crate::mechanics::joints::JointKind;
use crate::mechanics::kernels::Group;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{BodyKind, Multibody, System};

/// A system and its initial values.
pub struct Built {
    /// The equations of motion.
    pub system: Box<dyn Mechanism>,
    /// Initial configuration.
    pub q: Vec<f64>,
    /// Initial velocity.
    pub v: Vec<f64>,
}

/// Writes a model in the coordinates of a formulation.
pub fn build(model: &Model, formulation: Formulation) -> Result<Built, Error> {
    match formulation {
        Formulation::R3SO3 => absolute(model, Group::R3xSO3),
        Formulation::SE3 => absolute(model, Group::SE3),
        Formulation::SO3 => about_fixed_point(model),
        Formulation::EulerParameters | Formulation::TaitBryan => {
            let Built { system, q, v } = absolute(model, Group::R3xSO3)?;
            let (system, q, v) = in_coordinates(formulation, system, &q, &v)?;
            Ok(Built { system, q, v })
        }
        Formulation::Joint => super::build_joint::build(model),
        Formulation::Directors => {
            let (system, q, v) = super::build_directors::build(model)?;
            Ok(Built { system: Box::new(system), q, v })
        }
    }
}

fn absolute(model: &Model, group: Group) -> Result<Built, Error> {
    let system = assemble(model, group)?;
    let (system, q, v) = with_state(model, group, system)?;
    Ok(Built { system: Box::new(system), q, v })
}

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

fn about_fixed_point(model: &Model) -> Result<Built, Error> {
    let unsupported = |found: String| Error::Unsupported {
        method: "formulation so3".to_string(),
        reason: format!(
            "{found}; it describes one rigid body held by one spherical joint to the ground; use r3so3 or se3"
        ),
    };
    if let Some(modal) = model.modal.first() {
        return Err(unsupported(format!("body '{}' deforms in modes", modal.name)));
    }
    if !(model.constraints.is_empty() && model.states.is_empty() && model.algebraic.is_empty()) {
        return Err(unsupported("the model has constraints, states or variables of its own".to_string()));
    }
    let ([body], [joint]) = (model.bodies.as_slice(), model.joints.as_slice()) else {
        return Err(unsupported(format!(
            "the model has {} bodies and {} joints",
            model.bodies.len(),
            model.joints.len()
        )));
    };
    let grounded = joint.bodies.contains(&GROUND.to_string()) && joint.bodies.contains(&body.name);
    if joint.kind != JointKind::Spherical || !grounded || !matches!(body.kind, BodyKind::Rigid { .. }) {
        return Err(unsupported(format!(
            "joint '{}' is not a spherical joint of a rigid body to the ground",
            joint.name
        )));
    }
    let x_body = body.rotation.inverse() * (body.position - joint.point);
    let begin = model.starting(body);
    let apart = (begin.position - joint.point - begin.rotation * x_body).amax();
    let limit = 1e-8 * (1.0 + x_body.amax());
    if apart > limit {
        return Err(Error::InconsistentPosition {
            constraint: format!("joint {}", joint.name),
            residual: apart,
            tolerance: limit,
            t: 0.0,
        });
    }
    let expected = begin.rotation * begin.angular_velocity.cross(&x_body);
    let residual = (begin.velocity - expected).amax();
    let tolerance = 1e-8 * (1.0 + begin.velocity.amax());
    if residual > tolerance {
        return Err(Error::InconsistentVelocity {
            constraint: format!("joint {}", joint.name),
            residual,
            tolerance,
            t: 0.0,
        });
    }
    let mut inner = multibody(model, Group::R3xSO3);
    add_elements(model, &mut inner).map_err(|e| unsupported(format!("an element needs the joint ({e})")))?;
    let r = begin.rotation.quaternion();
    Ok(Built {
        system: Box::new(FixedPoint::new(inner, joint.name.clone(), joint.point, x_body)),
        q: vec![r.w, r.i, r.j, r.k],
        v: begin.angular_velocity.as_slice().to_vec(),
    })
}
