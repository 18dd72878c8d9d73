//! Models as text: reading, checking, and conversion from Python data.

use precess::model::{Document, Files, Loaded, load_with};
use precess::study::check_report;
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors;
use crate::own::{OwnForce, Raised};

/// A model file: its name, its text, replaced entries, forces written in code, and whether it may read files
/// outside its folder.
#[derive(FromPyObject)]
pub struct Source(pub String, pub String, pub Vec<String>, pub Vec<OwnForce>, pub bool);

impl Source {
    /// The files that the model may read.
    pub fn files(&self) -> Files {
        if self.4 { Files::anywhere(&self.0) } else { Files::next_to(&self.0) }
    }

    /// The document, before its expressions are evaluated.
    pub fn document(&self) -> Document {
        Document::parse_with(&self.0, &self.1, &self.2, self.files())
    }

    /// Reads everything; all problems become one exception.
    pub fn load(&self, py: Python) -> PyResult<Loaded> {
        self.with_callbacks(py).map(|x| x.0)
    }

    /// The same, with storage for exceptions of forces written in Python.
    pub fn with_callbacks(&self, py: Python) -> PyResult<(Loaded, Raised)> {
        let loaded = load_with(&self.0, &self.1, &self.2, self.files());
        let mut loaded = loaded.map_err(|d| errors::of_file(py, &d, Some(&self.document())))?;
        let raised = Raised::default();
        loaded.model.forces.extend(self.3.iter().map(|f| f.force(py, &raised)));
        Ok((loaded, raised))
    }
}

/// The text of a model file from its content as JSON.
#[pyfunction]
pub fn to_toml(py: Python, json: &str) -> PyResult<String> {
    let wrong = |e: &dyn std::fmt::Display| errors::sentence(py, "ModelError", &format!("no model: {e}"));
    let value: toml::Table = serde_json::from_str(json).map_err(|e| wrong(&e))?;
    toml::to_string(&value).map_err(|e| wrong(&e))
}

/// The content of a model file as JSON, with its overrides; values that cannot be read are an exception.
#[pyfunction]
pub fn read_model(py: Python, source: Source) -> PyResult<String> {
    let document = source.document();
    document.locate(Vec::new()).map_err(|d| errors::of_file(py, &d, Some(&document)))?;
    serde_json::to_string(&document.file).map_err(|e| errors::sentence(py, "ModelError", &e.to_string()))
}

/// Checks a model without running it, as text and as JSON.
#[pyfunction]
pub fn check(py: Python, source: Source) -> PyResult<(String, String)> {
    let loaded = source.load(py)?;
    let (text, json): (String, Value) = py.detach(|| {
        let check = loaded.check();
        let text = check_report::text(&loaded.settings, &check);
        (text, check_report::json(&loaded.settings, &check))
    });
    Ok((text, json.to_string()))
}
