//! Results as arrays and back: files, pictures, pages.

use std::path::Path;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use precess::study::results::{self, Column, Output, Results};
use precess_view::Scene;
use precess_view::curves;
use precess_view::plot::{html, png, svg};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// Name, unit, names of the parts (empty for one number per row), values.
pub type Given<'py> = (String, String, Vec<String>, PyReadonlyArrayDyn<'py, f64>);
/// The same for data passed to Python.
pub type Taken<'py> = (String, String, Vec<String>, Bound<'py, PyArrayDyn<f64>>);

/// Passes the columns to Python without a copy.
pub fn arrays<'py>(py: Python<'py>, results: Results) -> PyResult<(Vec<Taken<'py>>, String)> {
    let metadata = serde_json::to_string(&results.metadata).unwrap_or_default();
    let rows = results.rows();
    let column = |c: Column| {
        let shape = if c.scalar { vec![rows] } else { vec![rows, c.parts.len()] };
        let parts = if c.scalar { Vec::new() } else { c.parts };
        Ok((c.name, c.unit, parts, PyArray1::from_vec(py, c.values).reshape(shape)?))
    };
    Ok((results.columns.into_iter().map(column).collect::<PyResult<_>>()?, metadata))
}

/// Results of the core from arrays.
pub fn gathered(py: Python, columns: Vec<Given>, metadata: &str) -> PyResult<Results> {
    let metadata = serde_json::from_str(metadata)
        .map_err(|e| errors::sentence(py, "ModelError", &format!("the metadata cannot be read: {e}")))?;
    let column = |(name, unit, parts, values): Given| {
        let scalar = parts.is_empty() && values.as_array().ndim() == 1;
        let parts = if scalar { vec![name.clone()] } else { parts };
        Column { name, unit, parts, scalar, values: values.as_array().iter().copied().collect() }
    };
    Ok(Results { metadata, columns: columns.into_iter().map(column).collect() })
}

/// Reads a file of results.
#[pyfunction]
pub fn read(py: Python<'_>, path: String) -> PyResult<(Vec<Taken<'_>>, String)> {
    let read = py.detach(|| results::read(&path));
    arrays(py, read.map_err(|e| errors::sentence(py, "FileError", &e.to_string()))?)
}

/// Writes a file of results.
#[pyfunction]
pub fn write(py: Python, path: String, columns: Vec<Given>, metadata: &str) -> PyResult<()> {
    let results = gathered(py, columns, metadata)?;
    let written = py.detach(|| Output::create(path).and_then(|out| out.finish(&results)));
    written.map(|_| ()).map_err(|e| errors::sentence(py, "FileError", &e.to_string()))
}

/// A figure as svg, html or png.
#[pyfunction]
pub fn plot<'py>(
    py: Python<'py>,
    columns: Vec<Given>,
    metadata: &str,
    names: Vec<String>,
    kind: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let results = gathered(py, columns, metadata)?;
    let figure = match names.is_empty() {
        true => curves::page(&results, false),
        false => curves::histories(&results, &names).map_err(|e| errors::of(py, &e))?,
    };
    let bytes = match kind {
        "svg" => svg::render(&figure).into_bytes(),
        "html" => html::render(&figure).into_bytes(),
        _ => png::render(&figure, 2.0).ok_or_else(|| {
            errors::sentence(py, "ModelError", "the picture is too large for a PNG; use svg")
        })?,
    };
    Ok(PyBytes::new(py, &bytes))
}

/// The page of a scene; an error if it has no rows or bodies.
pub fn page(py: Python, scene: Scene) -> PyResult<String> {
    if scene.motion.frames() == 0 || scene.drawn.bodies.is_empty() {
        let message = "there is nothing to show: no rows, or no bodies";
        return Err(errors::sentence(py, "ModelError", message));
    }
    Ok(py.detach(|| precess_view::html::page(&[scene])))
}

/// A page with the mechanism in motion; meshes are searched in `folder`.
#[pyfunction]
pub fn view(py: Python, columns: Vec<Given>, metadata: &str, folder: Option<String>) -> PyResult<String> {
    let results = gathered(py, columns, metadata)?;
    let scene = py.detach(|| Scene::of(&results, folder.as_deref().map(Path::new)));
    page(py, scene)
}
