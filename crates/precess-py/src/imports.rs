//! Robots of other programs as the text of a model file, with notes on what was left out.

use precess::model::urdf::{Import, ImportOptions, import};
use precess::model::{Diagnostics, mjcf};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors;

/// The text of the model, and a report as JSON.
fn imported(py: Python, robot: Result<Import, Diagnostics>) -> PyResult<(String, String)> {
    let robot = robot.map_err(|d| errors::of_file(py, &d, None))?;
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

/// A robot described in URDF.
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
    imported(py, import(name, text, &options))
}

/// A model described in MJCF.
#[pyfunction]
pub fn import_mjcf(py: Python, name: &str, text: &str) -> PyResult<(String, String)> {
    imported(py, mjcf::import(name, text))
}
