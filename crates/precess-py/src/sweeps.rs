//! Sweeps: on all cores, or in parts for other processes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use precess::study::Sweep;
use precess::study::parallel::Workers;
use precess::study::points::{Selection, Value};
use precess::study::sweep::SweepError;
use pyo3::prelude::*;

use crate::errors;
use crate::models::Source;

/// Varied entries, selection of points (grid, together, random, lhs), their number, the seed, and collected quantities.
#[derive(FromPyObject)]
pub struct Plan(Vec<String>, String, usize, u64, Vec<String>);

fn sweep(py: Python, source: &Source, plan: &Plan) -> PyResult<Sweep> {
    let Source(name, text, overrides, own, _) = source;
    if !own.is_empty() {
        let message = "a sweep runs without Python: write the force as a formula, or call m.set(..).run(..) \
                       for each row";
        return Err(errors::sentence(py, "ModelError", message));
    }
    let Plan(vary, kind, n, seed, collect) = plan;
    let selection = match kind.as_str() {
        "random" => Selection::Random { n: *n, seed: *seed },
        "lhs" => Selection::LatinHypercube { n: *n, seed: *seed },
        "together" => Selection::Together,
        _ => Selection::Grid,
    };
    Sweep::new_with(name, text, overrides, source.files(), vary, selection, collect).map_err(|e| match e {
        SweepError::Model(d) => errors::of_file(py, &d, None),
        SweepError::Name(e) => errors::of(py, &e),
        SweepError::Values(text) => errors::sentence(py, "ModelError", &text),
    })
}

/// A column of inputs: numbers, or words.
#[derive(IntoPyObject)]
pub enum Inputs<'py> {
    Numbers(Bound<'py, PyArray1<f64>>),
    Words(Vec<String>),
}

/// Names and values of inputs, names of outputs, number of parts.
type Parts<'py> = (Vec<(String, Inputs<'py>)>, Vec<String>, usize);

/// Varied entries and collected quantities of a sweep.
#[pyfunction]
pub fn sweep_parts(py: Python<'_>, source: Source, plan: Plan) -> PyResult<Parts<'_>> {
    let sweep = sweep(py, &source, &plan)?;
    let column = |k: usize| {
        let values = || sweep.points.iter().filter_map(|p| p.get(k));
        let number = |v: &Value| if let Value::Number(x) = v { Some(*x) } else { None };
        match values().map(number).collect::<Option<Vec<f64>>>() {
            Some(numbers) => Inputs::Numbers(PyArray1::from_vec(py, numbers)),
            None => Inputs::Words(values().map(Value::to_string).collect()),
        }
    };
    let inputs = sweep.variations.iter().enumerate().map(|(k, v)| (v.name.clone(), column(k))).collect();
    let parts = py.detach(|| sweep.parts().len());
    Ok((inputs, sweep.collect.columns.clone(), parts))
}

/// The paths of the varied entries in the model.
#[pyfunction]
pub fn sweep_paths(py: Python<'_>, source: Source, plan: Plan) -> PyResult<Vec<String>> {
    Ok(sweep(py, &source, &plan)?.variations.into_iter().map(|v| v.path).collect())
}

/// Numbers of the runs, collected values (one row each, NaN if a run failed), errors and doubts by number.
type Rows<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>, Vec<(usize, String)>, Vec<(usize, String)>);

/// Interval of the checks for Ctrl-C.
const ASKED: Duration = Duration::from_millis(50);
/// Interval of the first checks: short sweeps do not wait.
const BRIEFLY: Duration = Duration::from_millis(1);

/// The rows of the parts from `first` up to `end`, and the exception that ended the sweep early. `tell` gets
/// the number of finished rows.
#[pyfunction]
pub fn sweep_rows<'py>(
    py: Python<'py>,
    source: Source,
    plan: Plan,
    range: (usize, usize),
    threads: usize,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Rows<'py>, Option<Py<PyAny>>)> {
    let sweep = sweep(py, &source, &plan)?;
    let (parts, width) = (py.detach(|| sweep.parts()), sweep.collect.columns.len());
    let wanted: Vec<usize> = (range.0..range.1.min(parts.len())).collect();
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    // Only this thread may ask Python for signals, so another one makes the runs.
    let (rows, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (stop, done, sweep, parts) = (&stop, &done, &sweep, &parts);
            let runs = scope.spawn(move || {
                let stops = || stop.load(Ordering::Relaxed);
                let tick = || {
                    done.fetch_add(1, Ordering::Relaxed);
                };
                let workers = Workers::new(threads).telling(&tick).until(&stops);
                sweep.run_some(parts, &wanted, workers, &|_| {})
            });
            let (mut raised, mut told) = (None, 0);
            while raised.is_none() && !runs.is_finished() {
                std::thread::sleep(ASKED.min(BRIEFLY * (1 + told.min(10))));
                told += 1;
                let count = done.load(Ordering::Relaxed);
                raised = Python::attach(|py| ask(py, tell.as_ref(), count)).err();
            }
            stop.store(raised.is_some(), Ordering::Relaxed);
            let rows = runs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (rows, raised)
        })
    });
    if let (Some(tell), None) = (&tell, &raised) {
        tell.call1(py, (rows.len(),))?;
    }
    let (mut runs, mut numbers) = (Vec::new(), Vec::new());
    let (mut errors, mut doubts) = (Vec::new(), Vec::new());
    for (i, row) in rows {
        runs.push(i as i64);
        match row.result {
            Ok(kept) => numbers.extend(kept),
            Err(e) => {
                numbers.extend(std::iter::repeat_n(f64::NAN, width));
                errors.push((i, e));
            }
        }
        doubts.extend(row.untrusted.map(|reason| (i, reason)));
    }
    let shape = [runs.len(), width];
    let numbers = PyArray1::from_vec(py, numbers).reshape(shape)?;
    let raised = raised.map(|e| e.into_value(py).into_any());
    Ok(((PyArray1::from_vec(py, runs), numbers, errors, doubts), raised))
}

/// Asks for signals and reports progress.
fn ask(py: Python, tell: Option<&Py<PyAny>>, count: usize) -> PyResult<()> {
    py.check_signals()?;
    tell.map_or(Ok(()), |tell| tell.call1(py, (count,)).map(|_| ()))
}
