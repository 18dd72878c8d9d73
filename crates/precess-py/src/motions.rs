//! Assembly, motions without dynamics, and modes over the speed of a rotor.

use precess::analysis::campbell as speeds;
use precess::analysis::of_model::build_moving;
use precess::analysis::{AnalysisError, Frame, kinematics as driven, report, rough};
use precess::formulation::Formulation;
use precess::model::load_with;
use precess::study::sweep::Variation;
use pyo3::prelude::*;

use crate::answers::{answered, built, refused};
use crate::errors;
use crate::models::Source;
use crate::results::{Taken, arrays};

/// Closes the joints of rough positions: text, JSON and warnings.
#[pyfunction]
pub fn assemble(
    py: Python,
    mut source: Source,
    weights: Vec<(String, f64)>,
    keep: Vec<String>,
) -> PyResult<(String, String, Vec<String>)> {
    source.2.push("run.assemble=true".to_string());
    let loaded = source.load(py)?;
    if let Some((_, value)) = weights.iter().find(|(_, w)| !(*w > 0.0)) {
        let expected = "weights are positive; bodies with a larger one move less";
        return Err(errors::of(py, &precess::Error::Parameter { name: "weight", value: *value, expected }));
    }
    let kept = keep.into_iter().map(|name| (name, f64::INFINITY));
    let named: Vec<(String, f64)> = weights.into_iter().chain(kept).collect();
    let weights = rough::weights(&loaded.model, &named).map_err(|e| errors::of(py, &e))?;
    let built = built(py, &loaded)?;
    let system = &*built.system;
    let found = py.detach(|| rough::assemble(system, &built.q, &built.v, &weights));
    let found = found.map_err(|e| refused(py, &e))?;
    let text = report::assembly::text(&loaded, system, &found);
    let json = report::assembly::json(&loaded, system, &found).to_string();
    Ok((text, json, found.mirrored.iter().map(|m| m.to_string()).collect()))
}

/// Columns, metadata, text, JSON, notes, and why the motion ends early.
type Motion<'py> = (Vec<Taken<'py>>, String, String, String, Vec<String>, Option<String>);

/// Moves a driven mechanism in equal parts of the time.
#[pyfunction]
pub fn kinematics(py: Python<'_>, source: Source, steps: usize) -> PyResult<Motion<'_>> {
    let loaded = source.load(py)?;
    let built = built(py, &loaded)?;
    let system = &*built.system;
    let found = py.detach(|| driven::sweep(system, &built.q, loaded.settings.until, steps));
    let found = found.map_err(|e| refused(py, &e))?;
    let text = report::kinematics::text(system, &found);
    let json = report::kinematics::json(&loaded, system, &found).to_string();
    let (columns, metadata) = arrays(py, report::kinematics::results(&loaded, system, &found))?;
    let notes = report::kinematics::notes(&found);
    Ok((columns, metadata, text, json, notes, found.reached_the_end().err().map(|e| e.with_help())))
}

/// Modes at all values of a parameter, and critical speeds.
#[pyfunction]
pub fn campbell(
    py: Python,
    source: Source,
    name: &str,
    values: Vec<f64>,
    orders: Vec<f64>,
    frame: &str,
    n: usize,
) -> PyResult<(String, String)> {
    let frame: Frame = frame.parse().map_err(|e| errors::of(py, &e))?;
    source.load(py)?;
    let variation = Variation::parse(&format!("{name}=0"), &source.document().file);
    let path = variation.map_err(|e| errors::sentence(py, "NotFound", &e.to_string()))?.path;
    let (file, text, overrides, files) = (&source.0, &source.1, &source.2, source.files());
    let at = |value: f64| {
        let all = [&overrides[..], &[format!("{path}={value:e}")]].concat();
        let loaded = load_with(file, text, &all, files.clone()).map_err(precess::Error::from)?;
        Ok(build_moving(&loaded.model, Formulation::R3SO3)?)
    };
    let answer = py.detach(|| {
        let found = speeds::campbell(&at, &values, frame, &orders)?;
        if found.points.iter().all(|p| p.spin == 0.0) {
            return Err(AnalysisError::Name(format!(
                "nothing turns at any value of {name}\n  help: let it set an angular_velocity of the model"
            )));
        }
        Ok((report::campbell::text(name, &found, n), report::campbell::json(name, &found)))
    });
    answered(py, answer)
}
