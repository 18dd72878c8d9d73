//! Closes the joints of rough positions, then makes velocities fit them.
//!
//! Bodies move as little as possible, weighted with their inertia: min |Phi + B x|^2 + nu x^T M x
//! (see assembly.rs). Velocities are the nearest ones in the same norm. A loop can often be closed in two
//! ways, mirror images of each other. If it bends the other way than in the given positions, a second search
//! follows a path on which all gaps close together; if it stays so, it is reported ([`crate::analysis::mirror`]).

use crate::Error;
use crate::integrate::project_velocity;
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::model::start::with_start;
use crate::model::{Files, Loaded, Model, StartSpec, build, load_with};
use nalgebra::DVector;

use crate::analysis::AnalysisError;
use crate::analysis::align::align;
use crate::analysis::assembly::{assemble_in, close_gradually};
use crate::analysis::gaps::{Gap, gaps};
use crate::analysis::limits::is_large;
use crate::analysis::local::{Layout, at_rest, constraint};
use crate::analysis::metric::Metric;
use crate::analysis::mirror::{Mirrored, mirrored};
use crate::analysis::words::short;

/// An assembled mechanism.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// Positions and velocities that satisfy all constraints.
    pub state: State,
    /// Iterations made.
    pub iterations: usize,
    /// Gaps of the given positions.
    pub gaps: Vec<Gap>,
    /// Distance that each body has moved: rad and m.
    pub moved: Vec<[f64; 2]>,
    /// Change of the velocity of each body: rad/s and m/s.
    pub changed: Vec<[f64; 2]>,
    /// Joints at which the mechanism bends the other way than in the given positions.
    pub mirrored: Vec<Mirrored>,
}

/// Closes the joints of a model that asks for it (`assemble = true` in `[run]`). None for other models.
pub fn close(loaded: &mut Loaded) -> Result<Option<Assembled>, AnalysisError> {
    if !loaded.settings.assemble {
        return Ok(None);
    }
    let built = build(&loaded.model, loaded.settings.formulation)?;
    let found = assemble(&*built.system, &built.q, &built.v, &[])?;
    let bodies = built.system.bodies(&found.state.at());
    loaded.model.start.clear();
    loaded.model.start.extend(bodies.iter().map(|b| (b.name.clone(), StartSpec::of(b))));
    loaded.model.begin_next_to(&[])?;
    Ok(Some(found))
}

/// The text of a model whose joints were closed, with `[start.BODY]` tables. None if the model does not ask for
/// it, or cannot be read.
pub fn close_text(
    path: &str,
    text: &str,
    overrides: &[String],
    files: &Files,
) -> Result<Option<(String, Assembled)>, AnalysisError> {
    let Ok(mut loaded) = load_with(path, text, overrides, files.clone()) else { return Ok(None) };
    let Some(found) = close(&mut loaded)? else { return Ok(None) };
    let bodies: Vec<(String, StartSpec)> =
        loaded.model.start.iter().map(|(name, start)| (name.clone(), start.clone())).collect();
    Ok(Some((with_start(text, "Assembled.", &bodies), found)))
}

/// Weights of all bodies: 1, but for those that are named.
pub fn weights(model: &Model, named: &[(String, f64)]) -> Result<Vec<f64>, Error> {
    let mut weights = vec![1.0; model.bodies.len()];
    for (name, weight) in named {
        let found = model.bodies.iter().zip(&mut weights).find(|(b, _)| b.name == *name);
        let names = || model.bodies.iter().map(|b| b.name.as_str());
        *found.ok_or_else(|| Error::unknown_name("body", name, names()))?.1 = *weight;
    }
    Ok(weights)
}

/// Closes the joints of positions q, with velocities near v. Each body has a weight, 1 if the list ends
/// before it; bodies with a larger one move less, and those with infinite weight are kept in place. If the
/// joints would close without that, the error says which of these would have to move.
pub fn assemble(
    system: &dyn Mechanism,
    q: &[f64],
    v: &[f64],
    weights: &[f64],
) -> Result<Assembled, AnalysisError> {
    let found = close_joints(system, q, v, weights);
    let Err(error @ AnalysisError::Assembly { .. }) = found else { return found };
    let heavy: Vec<f64> = weights.iter().map(|w| if w.is_infinite() { 1e3 } else { *w }).collect();
    let mut bodies = Vec::new();
    if weights.iter().any(|w| w.is_infinite())
        && let Ok(found) = close_joints(system, q, v, &heavy)
    {
        bodies = kept(&Layout::new(system)?.names, weights, &found.moved);
    }
    Err(if bodies.is_empty() { error } else { AnalysisError::Kept { error: Box::new(error), bodies } })
}

/// The bodies that were to be kept in place and have moved.
fn kept(names: &[String], weights: &[f64], moved: &[[f64; 2]]) -> Vec<String> {
    let all = names.iter().zip(weights).zip(moved);
    let moved = all.filter(|((_, w), moved)| w.is_infinite() && moved.iter().any(|x| *x > 0.0));
    moved
        .map(|((name, _), [turned, moved])| {
            format!("'{name}' by {} m and {} rad", short(*moved), short(*turned))
        })
        .collect()
}

fn close_joints(
    system: &dyn Mechanism,
    q: &[f64],
    v: &[f64],
    weights: &[f64],
) -> Result<Assembled, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    if is_large(system) || system.group().dim() > 3000 {
        let (size, most) = (system.group().dim(), 3000);
        let remedy =
            "close it in parts, or simulate it with a projection onto the constraints if the gaps are small";
        return Err(AnalysisError::TooLarge { what: "assembly", size, most, remedy });
    }
    let given = at_rest(system, q, 0.0);
    let before = gaps(system, &layout, &given);
    let metric = Metric::inertia(system, &layout, &given, weights);
    let held: Vec<bool> = weights.iter().map(|w| w.is_infinite()).collect();
    let has_value = constraint(system, &given).iter().all(|x| x.is_finite());
    let guess = if has_value { given.clone() } else { align(system, &given, &held, false) };
    let found = assemble_in(system, &layout, &guess, &metric).or_else(|e| {
        let AnalysisError::Assembly { iterations, .. } = e else { return Err(e) };
        let guess = align(system, &given, &held, true);
        let (state, more) = assemble_in(system, &layout, &guess, &metric).map_err(|_| e)?;
        Ok((state, iterations + more))
    });
    let (mut state, iterations) = found.map_err(|e| match e {
        AnalysisError::NotFinite { .. } => match &system.troubles(&guess.at())[..] {
            [] => e,
            list => AnalysisError::NotFinite {
                what: "a constraint".to_string(),
                reason: format!("{}; turn these bodies closer to their place", list.join(", ")),
            },
        },
        e => e,
    })?;
    let mut list = mirrored(system, &given, &state);
    if !list.is_empty()
        && has_value
        && let Some(other) = close_gradually(system, &layout, &given, &metric)
        && let Ok((other, _)) = assemble_in(system, &layout, &other, &metric)
    {
        let of_other = mirrored(system, &given, &other);
        if of_other.len() < list.len() {
            (state, list) = (other, of_other);
        }
    }
    state.v.copy_from_slice(v);
    project_velocity(system, &mut state)?;
    Ok(Assembled {
        moved: distances(system, &layout, q, &state.q),
        changed: parts(&layout, &(DVector::from_column_slice(&state.v) - DVector::from_column_slice(v))),
        state,
        iterations,
        gaps: before,
        mirrored: list,
    })
}

/// Distance of each body between two configurations: rad and m.
pub(crate) fn distances(system: &dyn Mechanism, layout: &Layout, from: &[f64], to: &[f64]) -> Vec<[f64; 2]> {
    let mut x = DVector::zeros(system.group().dim());
    system.group().difference(from, to, x.as_mut_slice());
    parts(layout, &x)
}

/// Sizes of the rotation and of the translation of each body.
fn parts(layout: &Layout, x: &DVector<f64>) -> Vec<[f64; 2]> {
    let part = |r: std::ops::Range<usize>| x.rows(r.start, r.len()).norm();
    (0..layout.bodies.len()).map(|i| [part(layout.rotation(i)), part(layout.translation(i))]).collect()
}
