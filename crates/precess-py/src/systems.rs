//! Runs of systems written in Python.

use numpy::{PyArray1, PyArrayMethods};
use precess::integrate::InitialValues;
use precess::model::Settings;
use precess::study::execute;
use precess::study::{Recorder, Sample};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors;
use crate::own::{OwnSystem, Raised};
use crate::results::Taken;
use crate::runs::Attention;

/// Keeps every n-th step.
struct Kept {
    every: usize,
    rows: usize,
    t: Vec<f64>,
    /// q, v, v', lambda and the energy, one row after the other.
    parts: [Vec<f64>; 5],
    attention: Attention,
    stop: bool,
}

impl Recorder for Kept {
    fn record(&mut self, sample: &Sample) {
        let state = sample.state;
        self.stop |= !self.attention.observe(state.t);
        if !sample.step.is_multiple_of(self.every) {
            return;
        }
        self.rows += 1;
        self.t.push(state.t);
        let [q, v, vdot, lambda, energy] = &mut self.parts;
        for (kept, now) in [(q, &state.q), (v, &state.v), (vdot, &state.vdot), (lambda, &state.lambda)] {
            kept.extend(now);
        }
        energy.extend(sample.system.energy(&state.at()).map(|e| e.total()));
    }

    fn stops(&self) -> bool {
        self.stop
    }
}

/// Columns, metadata, report, notices, the exception that ended the run.
type Run<'py> = (Vec<Taken<'py>>, String, String, Vec<String>, Option<Py<PyAny>>);

/// Runs a system: the object with its functions, its group and number of constraints, initial values,
/// settings as `path=value`.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn run_system<'py>(
    py: Python<'py>,
    system: Bound<'py, PyAny>,
    group: Vec<(String, usize)>,
    n_lambda: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    overrides: Vec<String>,
    every: usize,
    tell: Option<Py<PyAny>>,
) -> PyResult<Run<'py>> {
    let raised = Raised::default();
    let settings = Settings::read(&overrides).map_err(|e| errors::of(py, &e))?;
    let system = OwnSystem::new(&system, &group, n_lambda, &raised)?;
    let attention = Attention::new(tell);
    let mut kept = Kept {
        every: every.max(1),
        rows: 0,
        t: Vec::new(),
        parts: Default::default(),
        attention,
        stop: false,
    };
    let mut notices = Vec::new();
    let outcome = py.detach(|| {
        let mut initial = InitialValues::new(&q, &v);
        initial.fix = settings.fix_initial;
        let mut state = initial.consistent(&system)?;
        execute::integrate(&settings, &system, &mut state, &mut kept, None, &mut |w| notices.push(w))
    });
    let outcome = outcome.map_err(|e| raised.or(py, &e))?;
    let (summary, error) = match outcome {
        Ok(summary) => (summary, None),
        Err(failure) => (failure.summary, Some(failure.error)),
    };
    let exception = match (kept.attention.raised.take(), raised.take(py), error) {
        (Some(e), _, _) | (None, Some(e), _) => Some(e),
        (None, None, Some(e)) => Some(errors::of(py, &e)),
        (None, None, None) => None,
    };
    let rows = kept.rows;
    let mut columns = vec![("t".to_string(), "s".to_string(), Vec::new(), column(py, kept.t, vec![rows])?)];
    let names = [("q", ""), ("v", ""), ("vdot", ""), ("lambda", ""), ("energy", "J")];
    for ((name, unit), values) in names.into_iter().zip(kept.parts) {
        let n = values.len() / rows.max(1);
        if n == 0 {
            continue;
        }
        let (parts, shape) = match name {
            "energy" => (Vec::new(), vec![rows]),
            _ => ((0..n).map(|i| i.to_string()).collect(), vec![rows, n]),
        };
        columns.push((name.to_string(), unit.to_string(), parts, column(py, values, shape)?));
    }
    let metadata = json!({ "settings": { "method": settings.method, "until": settings.until } });
    let report = json!({
        "steps": summary.steps,
        "constraints": { "position_max": summary.position_max, "velocity_max": summary.velocity_max },
    });
    let exception = exception.map(|e| e.into_value(py).into_any());
    Ok((columns, metadata.to_string(), report.to_string(), notices, exception))
}

fn column<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, numpy::PyArrayDyn<f64>>> {
    PyArray1::from_vec(py, values).reshape(shape)
}
