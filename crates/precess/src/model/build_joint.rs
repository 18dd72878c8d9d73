//! Builds a model in the coordinates of its joints.

use super::build::{Built, with_state};
use super::build_multibody::{assemble, assemble_without};
use super::elements::ForceKind;
use super::spec::{GROUND, Model};
use crate::Error;
use crate::formulation::JointCoordinates;
use crate::formulation::joint_coordinates::spanning_tree::spanning_tree;
use crate::mechanics::BodyKind;
use crate::mechanics::kernels::{Group, Pose};

/// The joints that must keep their rows: those whose friction needs the force in the joint, and those of point masses.
fn joints_with_rows(model: &Model) -> Vec<bool> {
    let rubs = |name: &str| {
        model.forces.iter().any(|f| match &f.kind {
            ForceKind::Friction(friction) => friction.at.joint == name && friction.data.coefficient != 0.0,
            _ => false,
        })
    };
    let is_point = |name: &String| {
        name != GROUND
            && model.bodies.iter().any(|b| b.name == *name && matches!(b.kind, BodyKind::PointMass))
    };
    model.joints.iter().map(|j| rubs(&j.name) || j.bodies.iter().any(is_point)).collect()
}

/// Writes a model in the coordinates of a spanning tree of its joints.
pub(super) fn build(model: &Model) -> Result<Built, Error> {
    let complete = assemble(model, Group::SE3)?;
    let assembled: Vec<Pose> = model
        .bodies
        .iter()
        .map(|b| Pose { r: *b.rotation.to_rotation_matrix().matrix(), x: b.position })
        .collect();
    let (edges, is_edge) = spanning_tree(&complete, &assembled, &joints_with_rows(model));
    let inner = assemble_without(model, Group::SE3, &is_edge)?;
    let (complete, q, v) = with_state(model, Group::SE3, complete)?;
    let (system, q, v) = JointCoordinates::new(complete, inner, edges, &assembled, (&q, &v))?;
    Ok(Built { system: Box::new(system), q, v })
}
