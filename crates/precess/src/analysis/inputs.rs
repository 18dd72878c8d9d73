//! Inputs of a linear model by name: a joint with a coordinate, an actuator, or a component of a force or
//! torque.

use crate::formulation::Formulation;
use crate::mechanics::Function;
use crate::mechanics::joints::JointKind;
use crate::model::elements::{At, ForceKind, ForceSpec, Of};
use crate::model::forces::{Actuator, PointForce, Torque};
use crate::model::{Built, Model, build};

use crate::analysis::AnalysisError;

/// A model with an additional unit force.
pub struct Increased {
    /// Name of the input.
    pub name: String,
    /// N or N m.
    pub unit: &'static str,
    /// The model with it.
    pub built: Built,
}

/// The model with an input increased by 1 N or N m.
pub fn increased(model: &Model, formulation: Formulation, name: &str) -> Result<Increased, AnalysisError> {
    let (kind, unit) = force(model, name)?;
    let spec = ForceSpec::new("input of the state space", kind);
    let built = build(&model.clone().force(spec), formulation)?;
    Ok(Increased { name: name.to_string(), unit, built })
}

/// The force and its unit.
fn force(model: &Model, name: &str) -> Result<(ForceKind, &'static str), AnalysisError> {
    let (bare, axis) = match name.rsplit_once('.') {
        Some((bare, "x")) => (bare, Some(0)),
        Some((bare, "y")) => (bare, Some(1)),
        Some((bare, "z")) => (bare, Some(2)),
        _ => (name, None),
    };
    let part = |axis: usize| [0, 1, 2].map(|i| Function::Constant(f64::from(u8::from(i == axis))));
    if let Some(f) = model.forces.iter().find(|f| f.name == bare || f.name == name) {
        return match (&f.kind, axis) {
            (ForceKind::Actuator(a), _) => actuator(model, &a.at),
            (ForceKind::Force(f), Some(axis)) => {
                Ok((PointForce { force: part(axis), ..f.clone() }.into(), "N"))
            }
            (ForceKind::Torque(f), Some(axis)) => {
                Ok((Torque { torque: part(axis), ..f.clone() }.into(), "N m"))
            }
            (ForceKind::Force(_) | ForceKind::Torque(_), None) => Err(AnalysisError::Name(format!(
                "'{name}' has three components; write {name}.x, {name}.y or {name}.z"
            ))),
            _ => Err(AnalysisError::Name(format!(
                "'{name}' is not an actuator, force or torque and cannot be an input; name a joint to act \
                 along its coordinate"
            ))),
        };
    }
    if model.joints.iter().any(|j| j.name == name) {
        return actuator(model, &At::from(name));
    }
    let known =
        model.joints.iter().map(|j| j.name.as_str()).chain(model.forces.iter().map(|f| f.name.as_str()));
    let text = crate::Error::unknown_name("input", name, known).to_string();
    Err(AnalysisError::Name(text))
}

fn actuator(model: &Model, at: &At) -> Result<(ForceKind, &'static str), AnalysisError> {
    let joint = model.joints.iter().find(|j| j.name == at.joint);
    let unit = match (joint.map(|j| j.kind), at.of) {
        (Some(JointKind::Prismatic), _) | (_, Of::Displacement) => "N",
        _ => "N m",
    };
    Ok((Actuator { at: at.clone(), value: Function::Constant(1.0) }.into(), unit))
}
