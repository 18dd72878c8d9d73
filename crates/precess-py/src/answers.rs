//! Analyses, imports and catalogues, as text and JSON; and the command line itself.

use std::ffi::OsString;
use std::path::Path;

use precess::methods::METHODS;
use precess::model::urdf::{ImportOptions, import};
use precess_cli::answers;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors;
use crate::models::Source;

fn answered(py: Python, answer: answers::Answer) -> PyResult<(String, String)> {
    match answer {
        Ok((text, json)) => Ok((text, json.to_string())),
        Err(message) => Err(errors::sentence(py, "AnalysisError", &message)),
    }
}

/// The equilibrium of a mechanism.
#[pyfunction]
pub fn equilibrium(py: Python, source: Source, kind: &str, t: f64) -> PyResult<(String, String)> {
    let loaded = source.load(py)?;
    answered(py, py.detach(|| answers::equilibrium(&loaded, kind, t)))
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
    answered(py, py.detach(|| answers::modes(&loaded, (&place.0, &place.1), n, near)))
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
    let folder = folder.as_deref().map(Path::new);
    py.detach(|| answers::modes_page(&loaded, (&place.0, &place.1), n, near, folder))
        .map_err(|message| errors::sentence(py, "AnalysisError", &message))
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
    answered(py, py.detach(|| answers::linear(&loaded, (&place.0, &place.1), &inputs, &outputs)))
}

/// A robot as the text of a model file, with notes on what was left out.
#[pyfunction]
pub fn import_urdf(
    py: Python,
    name: &str,
    text: &str,
    floating_base: bool,
    merge_fixed: bool,
    joints: Vec<(String, f64)>,
) -> PyResult<(String, String)> {
    let options = ImportOptions { floating_base, merge_fixed, joints };
    let robot =
        import(name, text, &options).map_err(|e| errors::sentence(py, "ModelError", &e.to_string()))?;
    let notes = &robot.notes;
    let ignored = notes.ignored.iter().map(|(what, of)| json!({ "element": what, "of": of }));
    let limits = notes.limits.iter().map(|(joint, text)| json!({ "joint": joint, "limits": text }));
    let report = json!({
        "ignored": ignored.collect::<Vec<_>>(),
        "limits": limits.collect::<Vec<_>>(),
        "missing": notes.missing,
        "remarks": notes.remarks,
        "text": notes.to_string(),
    });
    Ok((robot.to_toml(), report.to_string()))
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
