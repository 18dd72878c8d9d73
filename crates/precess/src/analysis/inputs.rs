//! Inputs of a linear model by name: a joint with a coordinate, an actuator, a component of a force or torque,
//! or an input of formulas, `input("u")`.

use crate::formulation::Formulation;
use crate::mechanics::Function;
use crate::mechanics::joints::JointKind;
use crate::mechanics::signal::Signal;
use crate::model::elements::{At, ForceKind, ForceSpec, Of};
use crate::model::forces::{Actuator, PointForce, Torque};
use crate::model::{Built, Model, build};

use crate::analysis::AnalysisError;

/// A model with an additional unit force, or with another value of an input.
pub struct Increased {
    /// Name of the input.
    pub name: String,
    /// N or N m; empty for an input of formulas, whose unit is that of the formulas.
    pub unit: &'static str,
    /// The increase.
    pub size: f64,
    /// The model with it.
    pub built: Built,
    /// The model before, if it is not the given one.
    pub before: Option<Built>,
}

/// Half the change of an input of formulas, relative to its value or to 1. The difference of both sides is
/// exact for formulas in which it is linear or squared.
const CHANGE: f64 = 1e-3;

/// The model with a force or torque increased by 1 N or N m, or with an input of formulas on both sides of its
/// value.
pub fn increased(model: &Model, formulation: Formulation, name: &str) -> Result<Increased, AnalysisError> {
    let name_of = name.to_string();
    if let Some(value) = model.inputs.get(name) {
        let h = CHANGE * value.abs().max(1.0);
        let at = |value: f64| {
            let mut model = model.clone();
            model.replace_signals(&mut |s| {
                if s.name() == name { Signal::new(name, value) } else { s.clone() }
            });
            build(&model, formulation)
        };
        let (built, before) = (at(value + h)?, Some(at(value - h)?));
        return Ok(Increased { name: name_of, unit: "", size: 2.0 * h, built, before });
    }
    let (kind, unit) = force(model, name)?;
    let spec = ForceSpec::new("input of the state space", kind);
    let built = build(&model.clone().force(spec), formulation)?;
    Ok(Increased { name: name_of, unit, size: 1.0, built, before: None })
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
    let joints = model.joints.iter().map(|j| j.name.as_str());
    let forces = model.forces.iter().map(|f| f.name.as_str());
    let known = joints.chain(forces).chain(model.inputs.keys().map(String::as_str));
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
