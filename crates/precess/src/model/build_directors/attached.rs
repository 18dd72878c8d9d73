//! Which directors are needed.

use nalgebra::Vector3;

use super::forces::unknown_force;
use super::{Draft, expressed};
use crate::Error;
use crate::formulation::directors::{DirectorBody, measures};
use crate::mechanics::Multibody;
use crate::mechanics::forces::ForceFrame;
use crate::model::build::{find, marker};
use crate::model::build_elements::{coordinate_of, joint};
use crate::model::elements::{ForceKind, ForceSpec};
use crate::model::spec::Model;

/// For each body, which of its directors something is attached to.
pub(super) fn attached(
    model: &Model,
    view: &Multibody,
    bodies: &[DirectorBody],
    drafts: &[Draft],
) -> Result<Vec<[bool; 3]>, Error> {
    let mut used = vec![[false; 3]; bodies.len()];
    let mut see = |body: Option<usize>, x: &Vector3<f64>| {
        if let Some(i) = body {
            let c = bodies[i].components(x);
            (0..3).for_each(|k| used[i][k] |= c[k] != 0.0);
        }
    };
    for draft in drafts {
        for row in &draft.rows {
            let reads = row.reads();
            for (side, list) in draft.sides.iter().zip(&reads) {
                list.iter().for_each(|x| see(*side, x));
            }
        }
    }
    for constraint in &model.constraints {
        expressed::see(model, view, &constraint.equation, &mut see)?;
    }
    for force in &model.forces {
        of_force(model, view, force, &mut see)?;
    }
    Ok(used)
}

/// What a force is attached to.
fn of_force(
    model: &Model,
    view: &Multibody,
    force: &ForceSpec,
    see: &mut impl FnMut(Option<usize>, &Vector3<f64>),
) -> Result<(), Error> {
    match &force.kind {
        ForceKind::Spring { bodies: names, points, .. } => {
            for (name, p) in names.iter().zip(points) {
                let body = find(model, name)?;
                see(body.map(|b| b.0), &marker(body, p, &Default::default()).p);
            }
        }
        ForceKind::Force { body, point, frame, .. } => {
            let body = find(model, body)?;
            see(body.map(|b| b.0), &marker(body, point, &Default::default()).p);
            if *frame == ForceFrame::Body {
                see(body.map(|b| b.0), &Vector3::from_element(1.0));
            }
        }
        ForceKind::Drag { body, point, .. } => {
            let body = find(model, body)?;
            see(body.map(|b| b.0), &marker(body, point, &Default::default()).p);
        }
        ForceKind::Potential { expression } => expressed::see(model, view, expression, see)?,
        ForceKind::Typed(typed) => {
            for (name, p) in typed.model().directors_read(&force.name)? {
                let body = find(model, name)?;
                see(body.map(|b| b.0), &marker(body, &p, &Default::default()).p);
            }
        }
        ForceKind::Own { .. }
        | ForceKind::OnBody { .. }
        | ForceKind::Custom(_)
        | ForceKind::Load { .. }
        | ForceKind::Beam { .. }
        | ForceKind::Law { .. }
        | ForceKind::Limit { .. }
        | ForceKind::JointTable { .. } => {
            return Err(unknown_force(&force.name));
        }
        ForceKind::Torque { body, .. } => {
            for k in 0..3 {
                see(find(model, body)?.map(|b| b.0), &Vector3::ith(k, 1.0));
            }
        }
        ForceKind::Bushing { bodies: names, point, frame, stiffness, damping } => {
            let turns = measures::rotates(stiffness) || measures::rotates(damping);
            for (name, side) in names.iter().zip(0..) {
                let body = find(model, name)?;
                let marker = marker(body, point, frame);
                see(body.map(|b| b.0), &marker.p);
                (0..3).filter(|_| turns || side == 0).for_each(|k| {
                    see(body.map(|b| b.0), &marker.axis(k));
                });
            }
        }
        ForceKind::JointSpring { at, .. }
        | ForceKind::Actuator { at, .. }
        | ForceKind::Friction { at, .. } => {
            let (_, joint) = joint(view, &at.joint)?;
            let coordinate = coordinate_of(joint, at)?;
            if coordinate.is_angle() {
                (0..2).for_each(|k| see(joint.link.a, &joint.marker_a.axis(k)));
                see(joint.link.b, &joint.marker_b.axis(0));
            } else {
                see(joint.link.a, &joint.marker_a.axis(2));
                see(joint.link.a, &joint.marker_a.p);
                see(joint.link.b, &joint.marker_b.p);
            }
        }
    }
    Ok(())
}
