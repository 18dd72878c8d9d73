//! Errors of the core as exceptions of `precess._errors`, with their numbers.

use precess::Error;
use precess::model::{Diagnostics, Document};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// An exception by the name of its class, with its facts as JSON.
pub fn exception(py: Python, class: &str, message: &str, facts: &Value) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let module = py.import("precess._errors")?;
        let made = module.call_method1("make", (class, message, facts.to_string()))?;
        Ok(PyErr::from_value(made))
    };
    made().unwrap_or_else(|e| e)
}

/// Problems of a model file; the document gives their locations.
pub fn of_file(py: Python, d: &Diagnostics, document: Option<&Document>) -> PyErr {
    let problem = |p: &precess::model::Diagnostic| {
        let offset = p.span.as_ref().map(|s| s.start);
        let path = offset.and_then(|at| document?.path_at(at));
        let line = d.line_and_column(p);
        json!({
            "path": path,
            "line": line.map(|l| l.0),
            "column": line.map(|l| l.1),
            "message": p.message,
            "remedy": p.help,
        })
    };
    let problems: Vec<Value> = d.list.iter().map(problem).collect();
    let text = d.to_string();
    exception(py, "ModelError", text.trim_end(), &json!({ "problems": problems }))
}

/// Class and facts of an error of the core.
pub fn describe(e: &Error) -> (&'static str, Value) {
    match e {
        Error::UnknownName { kind, name, closest, known } => {
            let known: Vec<&str> = known.split(", ").collect();
            ("NotFound", json!({ "kind": kind, "name": name, "nearest": closest, "known": known }))
        }
        Error::InconsistentPosition { constraint, residual, t, .. }
        | Error::InconsistentVelocity { constraint, residual, t, .. }
        | Error::NoVelocity { constraint, residual, t }
        | Error::Projection { constraint, residual, t } => {
            ("StartError", json!({ "constraint": constraint, "residual": residual, "t": t }))
        }
        Error::NotInGroup { .. } | Error::SingularMass { .. } | Error::RankDeficient { .. } => {
            ("StartError", json!({}))
        }
        Error::Newton { t, step, worst, .. } => {
            ("ConvergenceError", json!({ "t": t, "step": step, "worst": worst }))
        }
        Error::SingularMatrix { t, step, unknown, .. } => {
            ("ConvergenceError", json!({ "t": t, "step": step, "worst": unknown }))
        }
        Error::NotFinite { t, step, what, .. } => {
            ("ConvergenceError", json!({ "t": t, "step": step, "worst": what }))
        }
        Error::StepTooSmall { t, .. }
        | Error::OutOfReach { t, .. }
        | Error::SingularPosition { t, .. }
        | Error::Precision { t, .. } => ("ConvergenceError", json!({ "t": t })),
        Error::GimbalLock { t, step, body, .. } => {
            ("ConvergenceError", json!({ "t": t, "step": step, "worst": body }))
        }
        Error::Strained { t, step, .. } => ("ConvergenceError", json!({ "t": t, "step": step })),
        Error::NotClosed { event, t, .. } => ("ConvergenceError", json!({ "t": t, "worst": event })),
        Error::Chattering { event, to, .. } => ("ConvergenceError", json!({ "t": to, "worst": event })),
        Error::Interpolation { from, .. } => ("ConvergenceError", json!({ "t": from })),
        Error::Untrusted { reason } => ("Untrusted", json!({ "reason": reason })),
        other => ("ModelError", json!({ "problems": [{ "message": other.to_string() }] })),
    }
}

/// An error of the core as an exception.
pub fn of(py: Python, e: &Error) -> PyErr {
    if let Error::Model(d) = e {
        return of_file(py, d, None);
    }
    let (class, facts) = describe(e);
    exception(py, class, &e.to_string(), &facts)
}

/// A sentence as an exception.
pub fn sentence(py: Python, class: &str, message: &str) -> PyErr {
    exception(py, class, message, &json!({}))
}
