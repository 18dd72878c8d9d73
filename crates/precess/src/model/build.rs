//! Builds a system in a formulation from a model, with its initial values.

use nalgebra::{Matrix3, Vector3};

use super::build_elements::add_elements;
use super::elements::ForceKind;
use super::find::{Names, marker};
use super::modal::ModalSpec;
use super::spec::{BodySpec, GROUND, JointSpec, Model};
use crate::Error;
use crate::formulation::FixedPoint;
use crate::formulation::{Formulation, in_coordinates};
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::{Drive, Frame, JointKind, JointRows};
use crate::mechanics::kernels::Group;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{Body, BodyKind, Multibody, System};

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
        Formulation::Directors => {
            let (system, q, v) = super::build_directors::build(model)?;
            Ok(Built { system: Box::new(system), q, v })
        }
    }
}

fn multibody(model: &Model, group: Group) -> Multibody {
    let body = |b: &BodySpec| Body { name: b.name.clone(), mass: b.mass, kind: b.kind, q: 0, v: 0 };
    let mut bodies: Vec<Body> = model.bodies.iter().map(body).collect();
    // The inertia of a modal body is not that of its frame.
    let frame = |m: &ModalSpec| bodies.iter().position(|b| b.name == m.name);
    let frames: Vec<(usize, &ModalSpec)> = model.modal.iter().filter_map(|m| Some((frame(m)?, m))).collect();
    let none = BodyKind::Rigid { inertia: Matrix3::zeros() };
    for (i, body) in bodies.iter_mut().enumerate() {
        if frames.iter().any(|(frame, _)| *frame == i) {
            (body.mass, body.kind) = (0.0, none);
        }
    }
    let mut system = Multibody::new(group, model.gravity, length_scale(model)).with_bodies(bodies);
    for (i, modal) in frames {
        system.add_modal(modal.assembled(i), modal.assembled_nodes(i));
    }
    system.with_states(model.states.len())
}

/// Bodies, joints and all other elements in absolute coordinates.
pub(crate) fn assemble(model: &Model, group: Group) -> Result<Multibody, Error> {
    let mut system = multibody(model, group);
    let (length, names) = (system.length_scale(), Names::new(model));
    system.reserve_joints(model.joints.len());
    for spec in &model.joints {
        let joint = joint(&names, spec, group, length)?;
        system.add_joint(joint);
    }
    add_elements(model, &mut system)?;
    Ok(system)
}

fn absolute(model: &Model, group: Group) -> Result<Built, Error> {
    let mut system = assemble(model, group)?;
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
    system.detect_redundancy(&q);
    Ok(Built { system: Box::new(system), q, v })
}

/// Arms below this part of another length count as zero.
const TINY_ARM: f64 = 1e-9;

/// Largest distance between a joint and the centre of mass of one of its bodies; without joints the same for
/// springs and bushings, and without these the largest radius of gyration.
pub(crate) fn length_scale(model: &Model) -> f64 {
    if let Some(l) = model.length_scale {
        return l;
    }
    let names = Names::new(model);
    let arm = |bodies: &[String; 2], point: &Vector3<f64>| {
        let held = bodies.iter().filter_map(|name| names.get(name));
        held.map(|(_, b)| (point - b.position).norm()).fold(0.0, f64::max)
    };
    let joints = model.joints.iter().map(|j| arm(&j.bodies, &j.point)).fold(0.0, f64::max);
    let forces = || -> f64 {
        let arms = model.forces.iter().map(|f| match &f.kind {
            ForceKind::Spring(s) => arm(&s.bodies, &s.points[0]).max(arm(&s.bodies, &s.points[1])),
            ForceKind::Bushing(b) => arm(&b.bodies, &b.point),
            ForceKind::Beam(b) => match b.bodies.each_ref().map(|b| names.get(b)) {
                [Some((_, a)), Some((_, b))] => (b.position - a.position).norm(),
                _ => 0.0,
            },
            _ => 0.0,
        });
        arms.fold(0.0, f64::max)
    };
    let bodies = || -> f64 {
        let radii = model.bodies.iter().map(|b| match &b.kind {
            BodyKind::Rigid { inertia } if b.mass > 0.0 => (0.5 * inertia.trace() / b.mass).sqrt(),
            _ => 0.0,
        });
        radii.fold(0.0, f64::max)
    };
    // Joints at the nodes of beams have arms that are only rounding errors.
    let (forces, bodies) = (forces(), bodies());
    let length = if joints > TINY_ARM * forces.max(bodies) { joints } else { forces };
    let length = if length > TINY_ARM * bodies { length } else { bodies };
    if length > 0.0 && length.is_finite() { length } else { 1.0 }
}

fn joint(names: &Names, spec: &JointSpec, group: Group, length: f64) -> Result<Joint, Error> {
    let ([a, b], link) = names.pair(&spec.bodies)?;
    let frame = Frame {
        a: marker(a, &spec.point, &spec.frame),
        b: marker(b, &spec.point2, &spec.frame2),
        length,
        group,
        distance: (spec.point2 - spec.point).norm(),
    };
    let mut rows = match spec.kind {
        JointKind::Spherical if spec.rows_in_body => vec![frame.coincidence_in_body()],
        kind => kind.rows(&frame),
    };
    if let JointKind::Rolling { circle, section } = spec.kind {
        let radius = circle + section;
        if !(circle >= 0.0 && section >= 0.0 && radius > 0.0 && radius.is_finite()) {
            let expected = "the centre of a wheel or ball is above its plane, and a wheel does not lie flat";
            return Err(Error::Parameter { name: "radius", value: radius, expected });
        }
    }
    drives(spec, &frame, length, &mut rows)?;
    Ok(Joint::new(&spec.name, spec.kind, link, &frame, rows, spec.coordinate))
}

/// Adds the rows of prescribed coordinates.
fn drives(spec: &JointSpec, frame: &Frame, length: f64, rows: &mut Vec<JointRows>) -> Result<(), Error> {
    let (angle, displacement) = (spec.kind.has_angle(), spec.kind.has_displacement());
    let mut add = |drive: Drive| rows.push(JointRows::Drive(Box::new(drive)));
    let missing = |what: &str| Error::Unsupported {
        method: format!("the drive of joint '{}'", spec.name),
        reason: format!("it has no {what}"),
    };
    if let Some(function) = spec.drive.clone() {
        let zero = spec.coordinate;
        match (angle, displacement) {
            (true, _) => add(Drive::angle(&frame.a, &frame.b, function, zero)),
            (false, true) => add(Drive::displacement(&frame.a, &frame.b, length, function, zero)),
            (false, false) => return Err(missing("coordinate: an angle or a displacement")),
        }
    }
    if let Some(function) = spec.drive_displacement.clone() {
        if !(angle && displacement) {
            return Err(missing("displacement beside an angle"));
        }
        add(Drive::displacement(&frame.a, &frame.b, length, function, 0.0));
    }
    if let Some(functions) = &spec.guide {
        let [x, y, z, roll, pitch, yaw] = functions.as_ref().clone();
        Drive::guide(&frame.a, &frame.b, length, [x, y, z], [roll, pitch, yaw]).into_iter().for_each(add);
    }
    Ok(())
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
