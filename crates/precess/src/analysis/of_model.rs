//! Analyses of a model: its equations, and linear equations with inputs and
//! outputs by name.

use crate::Error;
use crate::analysis::driven_input::{DriveInput, with_drive};
use crate::analysis::inputs::increased;
use crate::analysis::joint_states::with_joint_states;
use crate::analysis::state_space::Input;
use crate::analysis::steady::Found;
use crate::analysis::{AnalysisError, Modes, StateSpace};
use crate::formulation::Formulation;
use crate::model::{Built, Model, build};

/// A model at a value of its parameter.
pub type Source<'a> = dyn Fn(f64) -> Result<Built, AnalysisError> + 'a;

/// The equations of a model with a moving body.
pub fn build_moving(model: &Model, formulation: Formulation) -> Result<Built, Error> {
    let built = build(model, formulation)?;
    if built.system.group().dim() == 0 {
        return Err(Error::Input {
            message: "the model has no moving body\n  help: add a [[body]]".to_string(),
        });
    }
    Ok(built)
}

/// The linear equations about a motion: x' = A x + B u, y = C x + D u. Inputs are names of joints, actuators,
/// drives, `FORCE.x` and inputs of formulas, outputs those of sensors. If joint coordinates and their rates
/// describe all motions, they are the states.
pub fn linear_equations(
    (model, built): (&Model, &Built),
    formulation: Formulation,
    (found, modes): (&Found, &Modes),
    inputs: &[String],
    outputs: &[String],
) -> Result<StateSpace, AnalysisError> {
    let drive = |name: &String| DriveInput::new(model, formulation, name);
    let more = inputs
        .iter()
        .filter(|name| drive(name).is_none())
        .map(|name| increased(model, formulation, name))
        .collect::<Result<Vec<_>, _>>()?;
    let forces: Vec<Input> = more
        .iter()
        .map(|m| Input {
            name: m.name.clone(),
            unit: m.unit,
            size: m.size,
            system: &*m.built.system,
            before: m.before.as_ref().map(|b| &*b.system),
        })
        .collect();
    let Some(linear) = &modes.linear else {
        let message = "the state space of a model of this size is not formed\n  help: make the model smaller";
        return Err(Error::Input { message: message.to_string() }.into());
    };
    let mut space = StateSpace::new(&*built.system, found, linear, &forces, outputs)?;
    if !inputs.iter().any(|name| drive(name).is_some()) {
        return Ok(with_joint_states(space, &*built.system, (found, linear)));
    }
    // Drives come after forces.
    for drive in inputs.iter().filter_map(drive) {
        space = with_drive(space, &*built.system, (found, linear), &drive, outputs)?;
    }
    Ok(space)
}
