//! The solution between two rows of results.

use precess::integrate::{Dense, StepReport};
use precess::mechanics::State;
use precess::model::build;
use precess::study::results::Recording;
use precess::study::{Moment, Recorder, Sample, Sampling, Summary};
use pyo3::prelude::*;

use crate::errors;
use crate::models::Source;
use crate::results::{Taken, arrays};

/// t, q, v, v' and lambda of a row.
type Row = (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>);

/// All quantities at time t between two rows, as columns with one row.
#[pyfunction]
pub fn at<'py>(py: Python<'py>, source: Source, rows: [Row; 2], t: f64) -> PyResult<Vec<Taken<'py>>> {
    let loaded = source.load(py)?;
    let built = build(&loaded.model, loaded.settings.formulation).map_err(|e| errors::of(py, &e))?;
    let system = &*built.system;
    if system.n_s() > 0 || !system.events().is_empty() {
        let message = "the solution between rows is not known of models with events or inner variables; \
                       give run(every=...)";
        return Err(errors::sentence(py, "ModelError", message));
    }
    let [first, last] = rows.map(|(t, q, v, vdot, lambda)| State {
        t,
        q,
        v,
        vdot,
        lambda,
        s: Vec::new(),
        memory: vec![0.0; system.n_memory()],
    });
    let fits = |s: &State| {
        let (group, m) = (system.group(), system.n_lambda());
        [s.q.len(), s.v.len(), s.vdot.len(), s.lambda.len()] == [group.repr(), group.dim(), group.dim(), m]
    };
    if !(fits(&first) && fits(&last) && first.t <= t && t <= last.t) {
        return Err(errors::sentence(
            py,
            "ModelError",
            "these rows are not of this model, or t is not between them",
        ));
    }
    let (mut first, mut last) = (first, last);
    // Rows do not contain numbers of whole turns, so angles are known only up to those.
    first.remember(system);
    last.memory.copy_from_slice(&first.memory);
    last.remember(system);
    let mut dense = Dense::new(system, &first);
    let state = if first.t == last.t {
        &last
    } else {
        let found = dense.between(system, &first, &last).and_then(|()| dense.state(system, t));
        found.map_err(|e| errors::of(py, &e))?
    };
    let mut recording = Recording::new(&loaded, system, Sampling::Steps(1));
    recording.record(&Sample::of(system, 0, state, StepReport::default(), Moment::Step));
    arrays(py, recording.finish(&Summary::default(), None)).map(|x| x.0)
}
