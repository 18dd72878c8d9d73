//! Bodies, joints and all other elements of a model in absolute coordinates.

use nalgebra::{Matrix3, Vector3};

use super::build_elements::add_elements;
use super::elements::ForceKind;
use super::find::{Names, marker};
use super::modal::ModalSpec;
use super::spec::{BodySpec, JointSpec, Model};
use crate::Error;
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::{Drive, Frame, JointKind, JointRows};
use crate::mechanics::kernels::Group;
use crate::mechanics::{Body, BodyKind, Multibody, System};

pub(super) fn multibody(model: &Model, group: Group) -> Multibody {
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
    assemble_without(model, group, &[])
}

/// The same without the rows of some joints, which stay as names of coordinates and sensors: they are edges of a tree.
pub(super) fn assemble_without(model: &Model, group: Group, edges: &[bool]) -> Result<Multibody, Error> {
    let mut system = multibody(model, group);
    let (length, names) = (system.length_scale(), Names::new(model));
    system.reserve_joints(model.joints.len());
    for (i, spec) in model.joints.iter().enumerate() {
        let is_edge = edges.get(i).copied().unwrap_or(false);
        system.add_joint(joint(&names, spec, group, length, is_edge)?);
    }
    add_elements(model, &mut system)?;
    Ok(system)
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

fn joint(names: &Names, spec: &JointSpec, group: Group, length: f64, is_edge: bool) -> Result<Joint, Error> {
    let ([a, b], link) = names.pair(&spec.bodies)?;
    let frame = Frame {
        a: marker(a, &spec.point, &spec.frame),
        b: marker(b, &spec.point2, &spec.frame2),
        length,
        group,
        distance: (spec.point2 - spec.point).norm(),
    };
    let mut rows = match spec.kind {
        _ if is_edge => Vec::new(),
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
