//! Runs. They release the interpreter, and check for Ctrl-C now and then.

use std::path::Path;
use std::time::{Duration, Instant};

use precess::analysis::rough;
use precess::model::build;
use precess::study::{Sample, execute};
use precess_view::{Scene, simulate};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors;
use crate::models::Source;
use crate::results::{Taken, arrays, page};

/// Interval of the checks for Ctrl-C.
const ASKED: Duration = Duration::from_millis(50);

/// Checks signals, and reports the progress of a run to Python.
pub struct Attention {
    tell: Option<Py<PyAny>>,
    last: Instant,
    /// The exception raised by Python.
    pub raised: Option<PyErr>,
}

impl Attention {
    /// With a callback that gets the time of the run.
    pub fn new(tell: Option<Py<PyAny>>) -> Self {
        Attention { tell, last: Instant::now(), raised: None }
    }

    /// True to continue.
    pub fn observe(&mut self, t: f64) -> bool {
        if self.raised.is_some() {
            return false;
        }
        if self.last.elapsed() < ASKED {
            return true;
        }
        self.last = Instant::now();
        let asked = Python::attach(|py| {
            py.check_signals()?;
            self.tell.as_ref().map_or(Ok(()), |tell| tell.call1(py, (t,)).map(|_| ()))
        });
        self.raised = asked.err();
        self.raised.is_none()
    }
}

/// Columns, metadata, text of the summary, its JSON, notices of the method, the exception that ended the run.
type Run<'py> = (Vec<Taken<'py>>, String, String, String, Vec<String>, Option<Py<PyAny>>);

/// Runs a model.
#[pyfunction]
pub fn run(py: Python<'_>, source: Source, tell: Option<Py<PyAny>>) -> PyResult<Run<'_>> {
    let (mut loaded, mine) = source.with_callbacks(py)?;
    rough::close(&mut loaded).map_err(|e| errors::sentence(py, "AnalysisError", &e.to_string()))?;
    let mut attention = Attention::new(tell);
    let outcome = py.detach(|| {
        let built = build(&loaded.model, loaded.settings.formulation)?;
        execute::run(&loaded, &built, &mut |sample: &Sample| attention.observe(sample.state.t))
    });
    let outcome = outcome.map_err(|e| mine.or(py, &e))?;
    let untrusted = outcome.summary.trust.wrong();
    let raised = match (attention.raised.or_else(|| mine.take(py)), &outcome.error, untrusted) {
        (Some(raised), _, _) => Some(raised),
        (None, Some(error), _) => Some(errors::of(py, error)),
        (None, None, Some(reason)) => {
            let message = format!("these results cannot be trusted: {reason}");
            Some(errors::exception(py, "Untrusted", &message, &json!({ "reason": reason })))
        }
        (None, None, None) => None,
    };
    let (columns, metadata) = arrays(py, outcome.results)?;
    let raised = raised.map(|e| e.into_value(py).into_any());
    Ok((columns, metadata, outcome.text, outcome.report.to_string(), outcome.warnings, raised))
}

/// Runs a model for a picture and returns the page.
#[pyfunction]
pub fn view_model(py: Python, source: Source, folder: Option<String>) -> PyResult<String> {
    let (loaded, mine) = source.with_callbacks(py)?;
    let mut attention = Attention::new(None);
    let results =
        py.detach(|| simulate::simulate(&loaded, &mut |sample: &Sample| attention.observe(sample.state.t)));
    if let Some(raised) = attention.raised {
        return Err(raised);
    }
    let results = results.map_err(|e| mine.or(py, &e))?;
    let scene = py.detach(|| Scene::simulated(&loaded, &results, folder.as_deref().map(Path::new)));
    page(py, scene)
}
