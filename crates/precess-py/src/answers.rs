//! Analyses and catalogues, as text and JSON; and the command line itself.

use std::ffi::OsString;
use std::path::Path;

use precess::analysis::equilibrium::find;
use precess::analysis::linearised::{Linearised, Place, kind as kind_named};
use precess::analysis::of_model::{build_moving, linear_equations};
use precess::analysis::{
    AnalysisError, EquilibriumOptions, Frame, Modes, Selection, modes as analysis, report,
};
use precess::formulation::Formulation;
use precess::methods::METHODS;
use precess::model::{Built, Loaded};
use precess_view::{html, states};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors;
use crate::models::Source;

pub fn refused(py: Python, e: &AnalysisError) -> PyErr {
    errors::sentence(py, "AnalysisError", &e.with_help())
}

pub fn answered(py: Python, answer: Result<(String, Value), AnalysisError>) -> PyResult<(String, String)> {
    answer.map(|(text, json)| (text, json.to_string())).map_err(|e| refused(py, &e))
}

/// The equations of a model in the coordinates of analyses.
pub fn built(py: Python, loaded: &Loaded) -> PyResult<Built> {
    build_moving(&loaded.model, Formulation::R3SO3)
        .map_err(|e| errors::sentence(py, "AnalysisError", &e.to_string()))
}

/// The equilibrium of a mechanism; `any` also accepts unstable ones.
#[pyfunction]
pub fn equilibrium(py: Python, source: Source, kind: &str, t: f64) -> PyResult<(String, String)> {
    let loaded = source.load(py)?;
    let kind = kind_named(kind).map_err(|e| errors::sentence(py, "AnalysisError", &e))?;
    let built = built(py, &loaded)?;
    let options = EquilibriumOptions { kind, t, ..EquilibriumOptions::default() };
    let answer = py.detach(|| {
        let system = &*built.system;
        let found = find(system, &built.q, &options)?;
        Ok((
            report::equilibrium::text(&loaded, system, &found),
            report::equilibrium::json(&loaded, system, &found),
        ))
    });
    answered(py, answer)
}

/// The place of a name and of a kind of equilibrium.
fn place_named(py: Python, (at, kind): &(String, String)) -> PyResult<Place> {
    Place::named(at, kind).map_err(|e| errors::sentence(py, "AnalysisError", &e))
}

/// The modes about a place.
fn modes_about(
    built: &Built,
    place: Place,
    n: usize,
    near: Option<f64>,
) -> Result<(Linearised, Modes), AnalysisError> {
    let state = Linearised::find(built, place, Frame::Auto, 0.0)?;
    let modes = analysis::modes(&*built.system, &state.found, Selection { n, near })?;
    Ok((state, modes))
}

/// The vibrations of a mechanism.
#[pyfunction]
pub fn modes(
    py: Python,
    source: Source,
    place: (String, String),
    n: usize,
    near: Option<f64>,
) -> PyResult<(String, String)> {
    let loaded = source.load(py)?;
    let place = place_named(py, &place)?;
    let built = built(py, &loaded)?;
    let answer = py.detach(|| {
        let system = &*built.system;
        let (state, modes) = modes_about(&built, place, n, near)?;
        let text = report::modes::text(&loaded, system, &state, &modes)?;
        Ok((text, report::modes::json(&loaded, system, &state, &modes)?))
    });
    answered(py, answer)
}

/// A page that shows modes.
#[pyfunction]
pub fn view_modes(
    py: Python,
    source: Source,
    place: (String, String),
    n: usize,
    near: Option<f64>,
    folder: Option<String>,
) -> PyResult<String> {
    let loaded = source.load(py)?;
    let place = place_named(py, &place)?;
    let built = built(py, &loaded)?;
    let folder = folder.as_deref().map(Path::new);
    let scenes = py.detach(|| {
        let (state, modes) = modes_about(&built, place, n, near)?;
        states::modes(&loaded, &*built.system, (&state.found, &modes), folder)
    });
    scenes.map(|scenes| html::choice(&scenes)).map_err(|e| refused(py, &e))
}

/// The linear equations of a mechanism.
#[pyfunction]
pub fn linearize(
    py: Python,
    source: Source,
    place: (String, String),
    inputs: Vec<String>,
    outputs: Vec<String>,
) -> PyResult<(String, String)> {
    let loaded = source.load(py)?;
    if inputs.is_empty() {
        let help = "name a joint, an actuator, a drive, FORCE.x or an input of formulas";
        let message = format!("linear equations need inputs\n  help: {help}");
        return Err(errors::sentence(py, "AnalysisError", &message));
    }
    let place = place_named(py, &place)?;
    let built = built(py, &loaded)?;
    let answer = py.detach(|| {
        let (state, modes) = modes_about(&built, place, 1, None)?;
        let (model, about) = ((&loaded.model, &built), (&state.found, &modes));
        let space = linear_equations(model, Formulation::R3SO3, about, &inputs, &outputs)?;
        let state = (&*built.system, &state);
        Ok((report::state_space::text(&space, state), report::state_space::json(&space, state)))
    });
    answered(py, answer)
}

/// The JSON schema of model files.
#[pyfunction]
pub fn schema() -> String {
    precess::model::schema::schema().to_string()
}

/// Methods by name, with facts that help to choose one.
#[pyfunction]
pub fn methods() -> String {
    let entry = |m: &precess::methods::MethodEntry| {
        let value = json!({
            "about": m.about,
            "forms": m.facts.forms,
            "formulations": m.facts.formulations,
            "order": m.facts.order,
            "preserves": m.facts.preserves,
        });
        (m.name.to_string(), value)
    };
    Value::Object(METHODS.iter().map(entry).collect()).to_string()
}

/// The command line with these words; returns its exit code.
#[pyfunction]
pub fn cli(py: Python, words: Vec<String>) -> u8 {
    py.detach(|| precess_cli::main(words.into_iter().map(OsString::from)))
}
