//! Sweeps: all cores, or parts of them for other processes.

use precess::study::Sweep;
use precess::study::parallel::Workers;
use precess::study::points::{Selection, Value};
use precess::study::sweep::{Row, Unclear};
use pyo3::prelude::*;

use crate::errors;
use crate::models::Source;

/// What varies, how points are chosen (grid, random, lhs), how many, with which seed, and what is kept.
#[derive(FromPyObject)]
pub struct Plan(Vec<String>, String, usize, u64, Vec<String>);

fn sweep(py: Python, source: &Source, plan: &Plan) -> PyResult<Sweep> {
    let Source(name, text, overrides) = source;
    let Plan(vary, kind, n, seed, collect) = plan;
    let selection = match kind.as_str() {
        "random" => Selection::Random { n: *n, seed: *seed },
        "lhs" => Selection::LatinHypercube { n: *n, seed: *seed },
        _ => Selection::Grid,
    };
    Sweep::new(name, text, overrides, vary, selection, collect).map_err(|e| match e {
        Unclear::Model(d) => errors::of_file(py, &d, None),
        Unclear::Name(e) => errors::of(py, &e),
        Unclear::Values(text) => errors::sentence(py, "ModelError", &text),
    })
}

/// Names of inputs and outputs, number of runs, number of parts.
#[pyfunction]
pub fn sweep_parts(
    py: Python,
    source: Source,
    plan: Plan,
) -> PyResult<(Vec<String>, Vec<String>, usize, usize)> {
    let sweep = sweep(py, &source, &plan)?;
    let inputs = sweep.variations.iter().map(|v| v.name.clone()).collect();
    let parts = py.detach(|| sweep.parts().len());
    Ok((inputs, sweep.collect.columns.clone(), sweep.points.len(), parts))
}

/// A value of an entry: a number or a word.
#[derive(IntoPyObject)]
pub enum Cell {
    Number(f64),
    Word(String),
}

/// Number of the run, values, numbers, error, why it cannot be trusted.
type Line = (usize, Vec<Cell>, Vec<f64>, Option<String>, Option<String>);

/// A sweep on all cores looks for Ctrl-C so many times.
const PAUSES: usize = 16;

/// The rows of the parts from `first` up to `end`; `tell` is told how many are done.
#[pyfunction]
pub fn sweep_rows(
    py: Python,
    source: Source,
    plan: Plan,
    range: (usize, usize),
    threads: usize,
    tell: Option<Py<PyAny>>,
) -> PyResult<Vec<Line>> {
    let sweep = sweep(py, &source, &plan)?;
    let parts = py.detach(|| sweep.parts());
    let (mut first, end) = (range.0, range.1.min(parts.len()));
    let some = end.saturating_sub(first).div_ceil(PAUSES).max(1);
    let mut rows: Vec<(usize, Row)> = Vec::new();
    while first < end {
        let next = end.min(first + some);
        rows.extend(py.detach(|| sweep.run_parts(&parts, first..next, Workers::new(threads))));
        first = next;
        py.check_signals()?;
        if let Some(tell) = &tell {
            tell.call1(py, (rows.len(),))?;
        }
    }
    let cell = |v: Value| match v {
        Value::Number(x) => Cell::Number(x),
        Value::Word(w) => Cell::Word(w),
    };
    let line = |(i, r): (usize, Row)| {
        let (numbers, error) = match r.result {
            Ok(numbers) => (numbers, None),
            Err(e) => (Vec::new(), Some(e)),
        };
        (i, r.values.into_iter().map(cell).collect(), numbers, error, r.untrusted)
    };
    Ok(rows.into_iter().map(line).collect())
}
