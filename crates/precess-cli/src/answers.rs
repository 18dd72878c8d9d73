//! What the analyses find, as text and as JSON, for other doors than the command line.

use precess::formulation::Formulation;
use precess::model::{Built, Loaded, build};
use precess_analysis::equilibrium::find;
use precess_analysis::steady::{self, moving, resting_at};
use precess_analysis::{Frame, Kind, Options, Selection, modes as analysis};
use serde_json::Value;

use crate::output::Stop;
use crate::subject::stop;
use crate::{equilibrium as rest, modes as vibration};

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

/// Where a mechanism rests at time t; `any` takes unstable places, too.
pub fn equilibrium(loaded: &Loaded, any: bool, t: f64) -> Answer {
    let built = built(loaded)?;
    let kind = if any { Kind::Any } else { Kind::Stable };
    let options = Options { kind, t, ..Options::default() };
    let found = find(&*built.system, &built.q, &options).map_err(|e| message(stop(e)))?;
    let system = &*built.system;
    Ok((rest::text(loaded, system, &found), rest::as_json(loaded, system, &found)))
}

/// How a mechanism vibrates about rest, or about the steady rotation of its initial values.
pub fn modes(loaded: &Loaded, steady: bool, n: usize, near: Option<f64>) -> Answer {
    let say = |e| message(stop(e));
    let built = built(loaded)?;
    let system = &*built.system;
    let found = if steady {
        let state = moving(system, &built.q, &built.v, 0.0);
        steady::find(system, &state, Frame::Auto, true).map_err(say)?
    } else {
        let found = find(system, &built.q, &Options::default()).map_err(say)?;
        resting_at(system, &found.state).map_err(say)?
    };
    let modes = analysis::modes(system, &found, Selection { n, near }).map_err(say)?;
    let text = vibration::text(loaded, system, &found, &modes).map_err(message)?;
    let json = vibration::as_json(loaded, system, &found, &modes).map_err(message)?;
    Ok((text, json))
}
