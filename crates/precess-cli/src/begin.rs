//! The start of a run that differs from its file: joints are closed first, or the run begins at the end of
//! another one.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use precess::analysis::rough;
use precess::mechanics::mechanism::{BodyState, Mechanism};
use precess::mechanics::{State, System};
use precess::model::start::with_start;
use precess::model::turns::angles;
use precess::model::{Files, Loaded, StartSpec, build, load, load_with};
use precess::study::CheckpointError;
use precess::study::checkpoint::{source_of, state_of};
use precess::study::larger;
use precess::study::results::{FORMATS, Results, read};

use crate::output::{Stop, message, wrong};
use crate::subject::stop;

/// The model with its first positions and velocities.
pub fn begin(mut loaded: Loaded, from: Option<&Path>) -> Result<Loaded, Stop> {
    if let Some(file) = from {
        return start_from(loaded, file);
    }
    close(&mut loaded)?;
    Ok(loaded)
}

/// The text of a model for a study or a sweep, which reads it once per run. If the model asks for it
/// (`assemble = true`), the joints are closed here, with the values in the file.
pub fn assembled(path: &str, text: String, overrides: &[String], files: &Files) -> Result<String, Stop> {
    // The caller reports a model that cannot be read.
    let Ok(mut loaded) = load_with(path, &text, overrides, files.clone()) else { return Ok(text) };
    if !close(&mut loaded)? {
        return Ok(text);
    }
    let bodies: Vec<(String, StartSpec)> =
        loaded.model.start.iter().map(|(name, start)| (name.clone(), start.clone())).collect();
    Ok(with_start(&text, "Assembled.", &bodies))
}

/// Closes the joints of a model that asks for it and prints how far bodies moved; false for other models.
fn close(loaded: &mut Loaded) -> Result<bool, Stop> {
    let found = rough::close(loaded).map_err(stop)?;
    if let Some(found) = &found {
        let turned = found.moved.iter().fold(0.0, |m, [turned, _]| larger(m, *turned));
        let moved = found.moved.iter().fold(0.0, |m, [_, moved]| larger(m, *moved));
        message(&format!(
            "assembled in {} iterations: bodies moved by up to {moved:.3e} m and {turned:.3e} rad",
            found.iterations
        ));
        for m in &found.mirrored {
            message(&format!(
                "warning: joint '{}' now bends the other way than in the given positions",
                m.joint
            ));
        }
    }
    Ok(found.is_some())
}

/// The end of a run.
struct End {
    bodies: Vec<(String, StartSpec)>,
    /// Modal bodies, states and controls, each with its entries of q and v.
    variables: Vec<(String, Vec<f64>, Vec<f64>)>,
    /// Angles of joints, with full turns.
    angles: Vec<(String, f64)>,
    t: f64,
}

/// Starts bodies, modal coordinates, states and controls where those of the same name ended in a result or a
/// checkpoint.
fn start_from(mut loaded: Loaded, file: &Path) -> Result<Loaded, Stop> {
    let is_result = file.extension().and_then(|e| e.to_str()).is_some_and(|e| FORMATS.contains(&e));
    let end = if is_result { end_of_results(&loaded, file)? } else { end_of_checkpoint(file)? };
    let model = &mut loaded.model;
    let starts: Vec<(String, StartSpec)> = {
        let known = |name: &String| model.bodies.iter().any(|b| &b.name == name);
        end.bodies.into_iter().filter(|(name, _)| known(name)).collect()
    };
    if starts.is_empty() {
        return Err(wrong(format!(
            "no body of the model is in {}\n  help: give the result of a model with the same names of bodies",
            file.display()
        )));
    }
    let mut others: Vec<String> = model.bodies.iter().map(|b| b.name.clone()).collect();
    others.extend(model.variables().into_iter().filter(|(_, n)| *n > 0).map(|(name, _)| name));
    let found: Vec<&str> = (end.variables.iter())
        .filter(|(name, q, v)| model.begin_with(name, q, v))
        .map(|(name, ..)| name.as_str())
        .collect();
    let modal = |name: &str| model.modal.iter().any(|m| m.name == name);
    others.retain(|n| !(starts.iter().any(|(s, _)| s == n) && !modal(n) || found.contains(&n.as_str())));
    others.dedup();
    if !others.is_empty() {
        message(&format!("not in {}, so they begin as in the model: {}", file.display(), others.join(", ")));
    }
    if !model.events.is_empty() {
        message("events start again: switches are set as in the model, not as at the end of the other run");
    }
    model.start.extend(starts);
    model.begin_next_to(&end.angles).map_err(wrong)?;
    message(&format!("begins where {} ends, at t = {} s of that run", file.display(), end.t));
    Ok(loaded)
}

/// The last entries of q and v, by name.
fn split_variables(variables: &[(String, usize)], q: &[f64], v: &[f64]) -> Vec<(String, Vec<f64>, Vec<f64>)> {
    let (mut q, mut v, mut list) = (q, v, Vec::new());
    for (name, n) in variables.iter().rev() {
        let split = |x: &'_ [f64]| x.len().checked_sub(*n);
        let (Some(i), Some(k)) = (split(q), split(v)) else { break };
        let ((first_q, last_q), (first_v, last_v)) = (q.split_at(i), v.split_at(k));
        list.push((name.clone(), last_q.to_vec(), last_v.to_vec()));
        (q, v) = (first_q, first_v);
    }
    list
}

fn end_of_results(loaded: &Loaded, file: &Path) -> Result<End, Stop> {
    let results = read(file).map_err(wrong)?;
    let results = results.in_si();
    let names = loaded.model.bodies.iter().map(|b| &b.name);
    let bodies = names.filter_map(|name| Some((name.clone(), last_row_of(&results, name)?))).collect();
    let last = |name: &str| {
        let row = results.rows().checked_sub(1)?;
        Some(results.column(name)?.row(row).to_vec())
    };
    let (q, v) = (last("q").unwrap_or_default(), last("v").unwrap_or_default());
    let t = last("t").and_then(|t| t.first().copied()).unwrap_or(f64::NAN);
    let variables = split_variables(&results.metadata.variables, &q, &v);
    Ok(End { bodies, variables, angles: results.metadata.angles.clone(), t })
}

fn end_of_checkpoint(file: &Path) -> Result<End, Stop> {
    let refused = |e: CheckpointError| {
        let text = e.to_string();
        let why = text.lines().next().unwrap_or("");
        wrong(format!("{why}\n  help: give a result ({}) or a checkpoint", FORMATS.join(", ")))
    };
    let source = source_of(file).map_err(refused)?;
    let loaded = load(&source.file, &source.text, &source.overrides).map_err(wrong)?;
    let formulation = source.formulation.parse().map_err(wrong)?;
    let built = build(&loaded.model, formulation).map_err(wrong)?;
    let system = &*built.system;
    let like = empty_state(system, &built.q, &built.v);
    let state = state_of(file, &source.formulation, &like).map_err(refused)?;
    let bodies = system.bodies(&state.at());
    Ok(End {
        bodies: bodies.iter().map(|b| (b.name.clone(), StartSpec::of(b))).collect(),
        variables: split_variables(&loaded.model.variables(), &state.q, &state.v),
        angles: angles(system, &state.at()),
        t: state.t,
    })
}

/// A state with the sizes of a system.
fn empty_state(system: &dyn Mechanism, q: &[f64], v: &[f64]) -> State {
    State {
        q: q.to_vec(),
        v: v.to_vec(),
        vdot: vec![0.0; v.len()],
        lambda: vec![0.0; System::n_lambda(system)],
        memory: vec![0.0; system.n_memory()],
        ..State::default()
    }
}

/// Position and velocity of a body in the last row.
fn last_row_of(results: &Results, name: &str) -> Option<StartSpec> {
    let last = |what: &str| {
        let column = results.column(&format!("{name}.{what}"))?;
        Some(column.row(results.rows().checked_sub(1)?).to_vec())
    };
    let three = |what: &str| <[f64; 3]>::try_from(last(what)?).ok();
    Some(StartSpec::of(&BodyState {
        name: name.to_string(),
        position: three("position")?.into(),
        rotation: <[f64; 4]>::try_from(last("rotation")?).ok()?,
        velocity: three("velocity")?.into(),
        angular_velocity: three("angular_velocity")?.into(),
    }))
}
