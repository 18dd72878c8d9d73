//! Starts a run where another one ended: bodies, modal coordinates, states and controls are found by name.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use super::checkpoint::{CheckpointError, source_of, state_of};
use super::results::{FORMATS, Results, is_results, read};
use crate::Error;
use crate::integrate::InitialValues;
use crate::mechanics::mechanism::{BodyState, Mechanism};
use crate::mechanics::{State, System};
use crate::model::turns::angles;
use crate::model::{Built, Loaded, StartSpec, build, load};

/// What a model took over from another run.
#[derive(Clone, Debug, PartialEq)]
pub struct StartedFrom {
    /// The time at which the other run ended.
    pub t: f64,
    /// Bodies, states and controls that the other run does not have. They begin as in the model.
    pub missing: Vec<String>,
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

/// Starts bodies, modal coordinates, states and controls where those of the same name ended in a file of
/// results or a checkpoint. Events begin again, with the switches of the model.
pub fn start_from(loaded: &mut Loaded, file: &Path) -> Result<StartedFrom, Error> {
    let end = if is_results(file) { end_of_results(loaded, file)? } else { end_of_checkpoint(file)? };
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
    let mut missing: Vec<String> = model.bodies.iter().map(|b| b.name.clone()).collect();
    missing.extend(model.variables().into_iter().filter(|(_, n)| *n > 0).map(|(name, _)| name));
    let found: Vec<&str> = (end.variables.iter())
        .filter(|(name, q, v)| model.begin_with(name, q, v))
        .map(|(name, ..)| name.as_str())
        .collect();
    let modal = |name: &str| model.modal.iter().any(|m| m.name == name);
    missing.retain(|n| !(starts.iter().any(|(s, _)| s == n) && !modal(n) || found.contains(&n.as_str())));
    missing.dedup();
    model.start.extend(starts);
    model.begin_next_to(&end.angles)?;
    Ok(StartedFrom { t: end.t, missing })
}

fn wrong(message: impl ToString) -> Error {
    Error::Input { message: message.to_string() }
}

/// Accuracy of positions at the end of a run. Velocities may be less accurate, if the form of that run does
/// not enforce their constraints.
const TOLERANCE: f64 = 1e-6;

/// The first state of a model that starts where another run ended, if its positions fit the joints and only
/// its velocities had to be projected onto the constraints.
pub fn projected(built: &Built) -> Option<State> {
    let near = |state: &State| {
        state.q.iter().zip(&built.q).all(|(a, b)| (a - b).abs() <= TOLERANCE * (1.0 + b.abs()))
    };
    InitialValues::new(&built.q, &built.v).fixed().consistent(&*built.system).ok().filter(near)
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

fn end_of_results(loaded: &Loaded, file: &Path) -> Result<End, Error> {
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

fn end_of_checkpoint(file: &Path) -> Result<End, Error> {
    let refused = |e: CheckpointError| {
        let text = e.to_string();
        let why = text.lines().next().unwrap_or("");
        wrong(format!("{why}\n  help: give a result ({}) or a checkpoint", FORMATS.join(", ")))
    };
    let source = source_of(file).map_err(refused)?;
    let loaded = load(&source.file, &source.text, &source.overrides)?;
    let formulation = source.formulation.parse()?;
    let built = build(&loaded.model, formulation)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::execute;
    use crate::study::larger;
    use crate::study::results::Output;

    const PENDULUM: &str = r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "rod"
        mass = 2
        inertia = [0.03, 0.05, 0.04]
        position = [0.7, 0, 0]
        [[joint]]
        name = "hinge"
        type = "spherical"
        bodies = ["ground", "rod"]
        point = [0, 0, 0]
        [start.rod]
        angular_velocity = [3, 0, 2]
        velocity = [0, 1.4, 0]
        [[body]]
        name = "other"
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        [integrator]
        tol = 1e-10
        [run]
        until = 0.6
    "#;

    fn run(loaded: &Loaded) -> (Results, Vec<f64>) {
        let built = build(&loaded.model, loaded.settings.formulation).unwrap();
        let outcome = execute::run(loaded, &built, &mut |_| true).unwrap();
        assert!(outcome.error.is_none());
        (outcome.results, outcome.state.q)
    }

    /// Two runs, one after the other, end where one run of their duration ends. The kind of the file may be in
    /// capitals, and a body that it does not have begins as in the model.
    #[test]
    fn a_run_goes_on_where_another_one_ended() {
        let file = std::env::temp_dir().join(format!("precess-start-from-{}.NPZ", std::process::id()));
        let at = |until: f64| load("p.toml", PENDULUM, &[format!("run.until={until}")]).unwrap();
        let (half, _) = run(&at(0.3));
        let mut without = half.clone();
        without.columns.retain(|c| !c.name.starts_with("other."));
        Output::create(&file).unwrap().finish(&without).unwrap();
        let mut second = at(0.3);
        let started = start_from(&mut second, &file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!((started.t - 0.3).abs() < 1e-12);
        assert_eq!(started.missing, ["other"]);
        let ((_, q), (_, whole)) = (run(&second), run(&at(0.6)));
        let apart = q.iter().zip(&whole).take(7).fold(0.0, |most, (a, b)| larger(most, (a - b).abs()));
        assert!(apart < 1e-7, "{apart}");
        let (_, begin) = run(&at(0.0));
        let moved = begin.iter().zip(&whole).take(7).fold(0.0, |most, (a, b)| larger(most, (a - b).abs()));
        assert!(moved > 0.1, "{moved}");
    }
}
