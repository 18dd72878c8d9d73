//! Results of the analyses as text and as JSON, for callers other than the command line.

use std::path::Path;

use precess::analysis::equilibrium::find;
use precess::analysis::{EquilibriumOptions, Frame, Selection, modes as analysis};
use precess::formulation::Formulation;
use precess::model::{Built, Loaded, build};
use serde_json::Value;

use crate::linearised_state::{Linearised, Place, kind};
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

/// The equilibrium of a mechanism at time t, of a kind: `stable` or `any`.
pub fn equilibrium(loaded: &Loaded, kind_of: &str, t: f64) -> Answer {
    let kind = kind(kind_of)?;
    let built = built(loaded)?;
    let options = EquilibriumOptions { kind, t, ..EquilibriumOptions::default() };
    let found = find(&*built.system, &built.q, &options).map_err(|e| message(stop(e)))?;
    let system = &*built.system;
    Ok((rest::text(loaded, system, &found), rest::as_json(loaded, system, &found)))
}

/// The state about which a model is linearised.
fn linearised(built: &Built, at: &str, kind: &str) -> Result<Linearised, String> {
    let place = Place::named(at, kind)?;
    Linearised::find(built, place, Frame::Auto, 0.0).map_err(|e| message(stop(e)))
}

/// Vibrations of a mechanism about a place (`equilibrium` of a kind, `steady`, `initial`).
pub fn modes(loaded: &Loaded, (at, kind): (&str, &str), n: usize, near: Option<f64>) -> Answer {
    let built = built(loaded)?;
    let system = &*built.system;
    let state = linearised(&built, at, kind)?;
    let modes = analysis::modes(system, &state.found, Selection { n, near }).map_err(|e| message(stop(e)))?;
    let text = vibration::text(loaded, system, &state, &modes).map_err(message)?;
    let json = vibration::as_json(loaded, system, &state, &modes).map_err(message)?;
    Ok((text, json))
}

/// A page that shows these modes. Meshes are searched in this folder.
pub fn modes_page(
    loaded: &Loaded,
    (at, kind): (&str, &str),
    n: usize,
    near: Option<f64>,
    folder: Option<&Path>,
) -> Result<String, String> {
    let built = built(loaded)?;
    let state = linearised(&built, at, kind)?;
    let modes =
        analysis::modes(&*built.system, &state.found, Selection { n, near }).map_err(|e| message(stop(e)))?;
    vibration::page((loaded, &built), (&state.found, &modes), folder).map_err(message)
}

/// The linear equations about the same states: x' = A x + B u, y = C x + D u, with inputs and outputs by
/// name.
pub fn linear(loaded: &Loaded, (at, kind): (&str, &str), inputs: &[String], outputs: &[String]) -> Answer {
    if inputs.is_empty() {
        let help = "name a joint, an actuator, a drive or FORCE.x";
        return Err(format!("linear equations need inputs\n  help: {help}"));
    }
    let built = built(loaded)?;
    let state = linearised(&built, at, kind)?;
    let selection = Selection { n: 1, near: None };
    let modes = analysis::modes(&*built.system, &state.found, selection).map_err(|e| message(stop(e)))?;
    let which = (Formulation::R3SO3, inputs, outputs);
    let space = state_space::space(which, (loaded, &built), (&state.found, &modes)).map_err(message)?;
    let names = |list: &[(String, String)]| {
        list.iter().map(|(name, unit)| format!("{name} ({unit})")).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "linear equations with {} states\n  about    {}\n  inputs   {}\n  outputs  {}\n",
        space.a.nrows(),
        state.words(&*built.system),
        names(&space.inputs),
        names(&space.outputs)
    );
    Ok((text, state_space::as_json(&space, (&*built.system, &state))))
}
