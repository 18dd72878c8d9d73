//! Where a run begins if not where its file says: joints closed first, or the end of another run.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use precess::mechanics::mechanism::{BodyState, Mechanism};
use precess::mechanics::{State, System};
use precess::model::{Loaded, StartSpec, build};
use precess::study::checkpoint::state_of;
use precess::study::larger;
use precess::study::results::{FORMATS, Results, read};
use precess_analysis::rough;

use crate::output::{Stop, message, wrong};
use crate::subject::stop;

/// The model with the positions and velocities it begins with.
pub fn begin(mut loaded: Loaded, from: Option<&Path>) -> Result<Loaded, Stop> {
    if let Some(file) = from {
        return start_from(loaded, file);
    }
    if let Some(found) = rough::close(&mut loaded).map_err(stop)? {
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
    Ok(loaded)
}

/// Bodies begin where those of the same name ended in a result or in a checkpoint.
fn start_from(mut loaded: Loaded, file: &Path) -> Result<Loaded, Stop> {
    let is_result = file.extension().and_then(|e| e.to_str()).is_some_and(|e| FORMATS.contains(&e));
    let starts: Vec<(String, StartSpec)> = match is_result {
        true => {
            let results = read(file).map_err(wrong)?;
            let results = results.in_si();
            let names = loaded.model.bodies.iter().map(|b| &b.name);
            names.filter_map(|name| Some((name.clone(), ended(&results, name)?))).collect()
        }
        false => {
            let formulation = loaded.settings.formulation;
            let built = build(&loaded.model, formulation).map_err(wrong)?;
            let system = &*built.system;
            let like = blank(system, &built.q, &built.v);
            let state = state_of(file, formulation.name(), &like).map_err(|e| {
                let text = e.to_string();
                let why = text.lines().next().unwrap_or("");
                wrong(format!(
                    "{why}\n  help: give a result ({}) or a checkpoint of this model",
                    FORMATS.join(", ")
                ))
            })?;
            system.bodies(&state.at()).iter().map(|b| (b.name.clone(), StartSpec::of(b))).collect()
        }
    };
    if starts.is_empty() {
        return Err(wrong(format!(
            "no body of the model is in {}\n  help: give the result of a model with the same names of bodies",
            file.display()
        )));
    }
    let others: Vec<&str> = loaded.model.bodies.iter().map(|b| b.name.as_str()).collect();
    let others: Vec<&str> = others.into_iter().filter(|n| !starts.iter().any(|(s, _)| s == n)).collect();
    if !others.is_empty() {
        message(&format!("not in {}, begin where the model says: {}", file.display(), others.join(", ")));
    }
    let m = &loaded.model;
    if !m.controls.is_empty() || !m.states.is_empty() || !m.modal.is_empty() {
        message(
            "note: controls, states and modal coordinates begin with their initial values; time begins at \
             zero",
        );
    }
    loaded.model.start.extend(starts);
    Ok(loaded)
}

/// A state of the size of a system.
fn blank(system: &dyn Mechanism, q: &[f64], v: &[f64]) -> State {
    State {
        q: q.to_vec(),
        v: v.to_vec(),
        vdot: vec![0.0; v.len()],
        lambda: vec![0.0; System::n_lambda(system)],
        memory: vec![0.0; system.n_memory()],
        ..State::default()
    }
}

/// What a body did in the last row.
fn ended(results: &Results, name: &str) -> Option<StartSpec> {
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
