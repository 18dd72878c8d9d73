//! Builds the equations of a model in directors.

// Indices refer to lists that were just built.
#![allow(clippy::indexing_slicing)]

pub(super) mod attached;
pub(super) mod draft;
mod expressed;
pub(super) mod forces;
mod rows;

use nalgebra::Vector3;

use super::build_expressed::configuration;
use super::build_multibody::{assemble, length_scale};
use super::elements::EventAction;
use super::spec::{BodySpec, Model};
use crate::Error;
use crate::conserve::directors::joints::{Sides, rows};
use crate::conserve::directors::{DirectorBody, DirectorDrive, DirectorJoint, Directors};
use crate::conserve::{Affine, Conservative, LagrangeTop, Law, Quadratic, Term};
use crate::mechanics::RowKind;
use crate::mechanics::joints::{JointKind, JointRows};
use crate::mechanics::kernels::Group;
use crate::mechanics::redundancy::is_forest;
use crate::mechanics::{Multibody, System};
use attached::attached;
use draft::{Draft, unsupported};
use forces::Places;
use rows::{add_massless, remove_redundant};

/// The system and its initial values.
pub fn build(model: &Model) -> Result<(Directors, Vec<f64>, Vec<f64>), Error> {
    refuse(model)?;
    let view = assemble(model, Group::R3xSO3)?;
    let length = length_scale(model);
    let bodies = model.bodies.iter().map(|b| DirectorBody::new(&b.name, b.mass, &b.kind));
    let mut bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    let drafts = drafts(&view, &bodies)?;
    let used = attached(model, &view, &bodies, &drafts)?;
    let mut dims = Vec::new();
    let mut at = 0;
    for (body, used) in bodies.iter_mut().zip(&used) {
        dims.push(body.assign_indices(at, *used));
        at += dims[dims.len() - 1];
    }
    let mut system = Conservative::new(&dims);
    system.length = length;
    system.gravity = model.gravity;
    bodies.iter().for_each(|b| b.add_to(&mut system));
    let (mut q, mut v) = (vec![0.0; at], vec![0.0; at]);
    for (body, spec) in bodies.iter().zip(&model.bodies) {
        initial(body, &model.starting(spec), &mut q, &mut v);
    }
    let weight =
        Affine { terms: bodies.iter().map(|b| (b.phi, -b.mass)).collect(), constant: Vector3::zeros() };
    if model.gravity != Vector3::zeros() {
        system
            .terms
            .push(Term::new(Quadratic::dot(&weight, &Affine::fixed(model.gravity), 0.0, 1.0), Law::Linear));
    }
    let mut joints = add_joints(&mut system, &bodies, &drafts);
    let places = Places { model, view: &view, bodies: &bodies };
    joints.extend(expressed::add_constraints(&places, &mut system)?);
    if !view.structure().is_some_and(|s| is_forest(s, bodies.len())) {
        remove_redundant(&mut system, &mut joints, &q);
        let mut rigid = view.clone();
        rigid.detect_redundancy(&configuration(model));
        joints.iter_mut().enumerate().for_each(|(i, joint)| joint.unique = rigid.is_unique(i));
    }
    for force in &model.forces {
        force.kind.model().in_directors(&force.name, &places, &mut system)?;
    }
    add_massless(&mut system, &bodies);
    let drives = drives(&bodies, &drafts);
    match drives.first() {
        Some(drive) => system.driven = Some(format!("the drive of joint '{}'", drive.joint)),
        None => system.top = lagrange_top(model, &bodies, &drafts),
    }
    Ok((Directors::new(system, bodies, joints, drives, view), q, v))
}

/// Coordinates and velocities of a body as given in its model.
fn initial(body: &DirectorBody, spec: &BodySpec, q: &mut [f64], v: &mut [f64]) {
    let omega = spec.rotation * spec.angular_velocity;
    let mut put = |at: usize, x: Vector3<f64>, rate: Vector3<f64>| {
        q[at..at + 3].copy_from_slice(x.as_slice());
        v[at..at + 3].copy_from_slice(rate.as_slice());
    };
    put(body.phi, spec.position, spec.velocity);
    for (i, at) in body.present() {
        let d = spec.rotation * body.axes.column(i).into_owned();
        put(at, d, omega.cross(&d));
    }
}

/// Refuses elements without a polynomial form or a known potential.
fn refuse(model: &Model) -> Result<(), Error> {
    if let Some(gear) = model.gears.first() {
        return Err(unsupported(format!(
            "gear '{}' needs joint angles; use r3so3 or se3 with gen-alpha",
            gear.name
        )));
    }
    if let Some(beam) = model.beams.first() {
        return Err(unsupported(format!(
            "the nodes of beam '{}' are frames in SE(3) whose strain is a logarithm; use r3so3 or se3 with \
             gen-alpha or bliedf",
            beam.name
        )));
    }
    if let Some(modal) = model.modal.first() {
        return Err(unsupported(format!(
            "the mass of modal body '{}' is not constant; use r3so3 or se3 with gen-alpha or bliedf",
            modal.name
        )));
    }
    if let Some(control) = model.controls.first() {
        return Err(unsupported(format!(
            "control '{}' has states of its own; use r3so3 or se3 with gen-alpha",
            control.name
        )));
    }
    let variables = model.states.iter().map(|s| &s.name).chain(model.algebraic.iter().map(|s| &s.name));
    if let Some(name) = variables.into_iter().next() {
        return Err(unsupported(format!(
            "'{name}' is a variable beside the positions; use r3so3 or se3 with gen-alpha"
        )));
    }
    if let Some(event) = model.events.iter().find(|e| matches!(e.action, EventAction::Switch { .. })) {
        return Err(unsupported(format!(
            "event '{}' switches elements, and the potentials of an energy-momentum scheme are fixed; use \
             r3so3 or se3 with \
             gen-alpha",
            event.name
        )));
    }
    if let Some(off) = model.disabled.first() {
        return Err(unsupported(format!(
            "'{}' is switched off; use r3so3 or se3 with gen-alpha",
            off.name()
        )));
    }
    for force in &model.forces {
        if let Some(reason) = force.kind.model().refused_in_directors() {
            return Err(unsupported(format!("'{}' {reason}; use r3so3 or se3 with gen-alpha", force.name)));
        }
    }
    Ok(())
}

fn drafts(view: &Multibody, bodies: &[DirectorBody]) -> Result<Vec<Draft>, Error> {
    let mut out = Vec::new();
    for joint in view.joint_list() {
        let sides = [joint.link.a, joint.link.b];
        let both = Sides { a: joint.link.a.map(|i| &bodies[i]), b: joint.link.b.map(|i| &bodies[i]) };
        let rows = rows(&joint.rows, both).ok_or_else(|| {
            let unknown = |r: &&JointRows| rows(std::slice::from_ref(*r), both).is_none();
            let what = match joint.rows.iter().find(unknown) {
                _ if joint.rows.iter().any(|r| r.row_kind() == RowKind::Velocity) => {
                    format!("joint '{}' constrains velocities", joint.name)
                }
                _ => format!("joint '{}' is a {}", joint.name, joint.kind.name()),
            };
            unsupported(format!("{what}; use r3so3 or se3 with gen-alpha"))
        })?;
        let drive = |rows: &JointRows| match rows {
            JointRows::Drive(drive) => Some(drive.as_ref().clone()),
            _ => None,
        };
        out.push(Draft {
            name: joint.name.clone(),
            sides,
            rows,
            drives: joint.rows.iter().filter_map(drive).collect(),
            point_b: joint.marker_b.p,
            kind: joint.kind,
        });
    }
    Ok(out)
}

fn sides<'a>(bodies: &'a [DirectorBody], draft: &Draft) -> Sides<'a> {
    Sides { a: draft.sides[0].map(|i| &bodies[i]), b: draft.sides[1].map(|i| &bodies[i]) }
}

fn add_joints(system: &mut Conservative, bodies: &[DirectorBody], drafts: &[Draft]) -> Vec<DirectorJoint> {
    let (mut joints, mut driven) = (Vec::new(), 0);
    for draft in drafts {
        let first = system.rows();
        driven += draft.drives.len();
        for row in &draft.rows {
            for g in row.constraints(sides(bodies, draft)) {
                system.constrain(&format!("joint {}", draft.name), g);
            }
        }
        joints.push(DirectorJoint {
            name: draft.name.clone(),
            bodies: draft.sides,
            point: draft.point_b,
            rows: (first..system.rows()).map(Some).collect(),
            drives: (driven - draft.drives.len()..driven).collect(),
            unique: true,
        });
    }
    joints
}

fn drives(bodies: &[DirectorBody], drafts: &[Draft]) -> Vec<DirectorDrive> {
    let all = drafts.iter().flat_map(|draft| draft.drives.iter().map(move |drive| (draft, drive)));
    all.map(|(draft, drive)| DirectorDrive::new(&draft.name, drive.clone(), sides(bodies, draft))).collect()
}

/// One symmetric body with a spherical joint to the ground at the origin, on its axis of symmetry, one of
/// its directors.
fn lagrange_top(model: &Model, bodies: &[DirectorBody], drafts: &[Draft]) -> Option<LagrangeTop> {
    let ([body], [draft]) = (bodies, drafts) else { return None };
    let [spec] = &model.joints[..] else { return None };
    let l = body.components(&draft.point_b);
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (x.abs() + y.abs() + 1e-300);
    let along_z = model.gravity.x == 0.0 && model.gravity.y == 0.0 && model.gravity.z < 0.0;
    let axis = l.iamax();
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let small = 1e-12 * l[axis].abs();
    let fits = draft.kind == JointKind::Spherical
        && spec.point == Vector3::zeros()
        && near(body.e[a], body.e[b])
        && l[axis] != 0.0
        && l[a].abs() <= small
        && l[b].abs() <= small
        && along_z
        && model.forces.is_empty()
        && body.present().count() == 3;
    let (m, l) = (body.mass, -l[axis]);
    fits.then(|| LagrangeTop {
        m,
        l,
        axis,
        j_1: body.e[axis] + body.e[a] + m * l * l,
        j_3: body.e[a] + body.e[b],
        g: -model.gravity.z,
    })
}
