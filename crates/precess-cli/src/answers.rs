//! Results of the analyses as text and as JSON, for callers other than the command line.

use std::path::Path;

use precess::analysis::equilibrium::find;
use precess::analysis::steady::{self, Found, moving, resting_at};
use precess::analysis::{EquilibriumOptions, Frame, Kind, Selection, modes as analysis};
use precess::formulation::Formulation;
use precess::model::{Built, Loaded, build};
use serde_json::Value;

use crate::output::Stop;
use crate::subject::stop;
use crate::{equilibrium as rest, modes as vibration, state_space};

/// Text for people and JSON for machines, or the message that the command line prints.
pub type Answer = Result<(String, Value), String>;

fn message(stop: Stop) -> String {
    stop.message.trim_start_matches("error: ").to_string()
}

fn built(loaded: &Loaded) -> Result<Built, String> {
    let built = build(&loaded.model, Formulation::R3SO3).map_err(|e| e.to_string())?;
    if built.system.group().dim() == 0 {
        return Err("the model has no moving body\n  help: add a [[body]]".to_string());
    }
    Ok(built)
}

/// The equilibrium of a mechanism at time t; `any` also accepts unstable ones.
pub fn equilibrium(loaded: &Loaded, any: bool, t: f64) -> Answer {
    let built = built(loaded)?;
    let kind = if any { Kind::Any } else { Kind::Stable };
    let options = EquilibriumOptions { kind, t, ..EquilibriumOptions::default() };
    let found = find(&*built.system, &built.q, &options).map_err(|e| message(stop(e)))?;
    let system = &*built.system;
    Ok((rest::text(loaded, system, &found), rest::as_json(loaded, system, &found)))
}

/// Rest, or the steady rotation of the initial values.
fn linearisation_state(built: &Built, steady: bool) -> Result<Found, String> {
    let (system, say) = (&*built.system, |e| message(stop(e)));
    if steady {
        let state = moving(system, &built.q, &built.v, 0.0);
        return steady::find(system, &state, Frame::Auto, true).map_err(say);
    }
    let found = find(system, &built.q, &EquilibriumOptions::default()).map_err(say)?;
    resting_at(system, &found.state).map_err(say)
}

/// Vibrations of a mechanism about rest, or about the steady rotation of its initial values.
pub fn modes(loaded: &Loaded, steady: bool, n: usize, near: Option<f64>) -> Answer {
    let built = built(loaded)?;
    let system = &*built.system;
    let found = linearisation_state(&built, steady)?;
    let modes = analysis::modes(system, &found, Selection { n, near }).map_err(|e| message(stop(e)))?;
    let text = vibration::text(loaded, system, &found, &modes).map_err(message)?;
    let json = vibration::as_json(loaded, system, &found, &modes).map_err(message)?;
    Ok((text, json))
}

/// A page that shows these modes. Meshes are searched in this folder.
pub fn modes_page(
    loaded: &Loaded,
    steady: bool,
    n: usize,
    near: Option<f64>,
    folder: Option<&Path>,
) -> Result<String, String> {
    let built = built(loaded)?;
    let found = linearisation_state(&built, steady)?;
    let modes =
        analysis::modes(&*built.system, &found, Selection { n, near }).map_err(|e| message(stop(e)))?;
    vibration::page((loaded, &built), (&found, &modes), folder).map_err(message)
}

/// The linear equations about the same states: x' = A x + B u, y = C x + D u, with inputs and outputs by
/// name.
pub fn linear(loaded: &Loaded, steady: bool, inputs: &[String], outputs: &[String]) -> Answer {
    if inputs.is_empty() {
        let help = "name a joint, an actuator, a drive or FORCE.x";
        return Err(format!("linear equations need inputs\n  help: {help}"));
    }
    let built = built(loaded)?;
    let found = linearisation_state(&built, steady)?;
    let selection = Selection { n: 1, near: None };
    let modes = analysis::modes(&*built.system, &found, selection).map_err(|e| message(stop(e)))?;
    let which = (Formulation::R3SO3, inputs, outputs);
    let space = state_space::space(which, (loaded, &built), (&found, &modes)).map_err(message)?;
    let names = |list: &[(String, String)]| {
        list.iter().map(|(name, unit)| format!("{name} ({unit})")).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "linear equations with {} states\n  inputs   {}\n  outputs  {}\n",
        space.a.nrows(),
        names(&space.inputs),
        names(&space.outputs)
    );
    Ok((text, state_space::as_json(&space)))
}
