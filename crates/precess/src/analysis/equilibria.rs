//! Equilibria over a parameter. Each search starts from the last equilibrium.

use crate::analysis::AnalysisError;
use crate::analysis::equilibrium::{Equilibrium, EquilibriumOptions, find};
use crate::analysis::local::at_rest;
use crate::analysis::of_model::Source;
use crate::analysis::words::component_names;
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::sensors::for_summary;

/// What is known about one equilibrium of a sweep.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The state.
    pub state: State,
    /// Its stability in words.
    pub stability: &'static str,
    /// The lowest eigenvalue of the stiffness against the inertia, in 1/s^2.
    pub lowest: Option<f64>,
    /// The sensors, or the positions of the bodies if there are none.
    pub values: Vec<f64>,
}

/// Equilibria over a parameter.
#[derive(Clone, Debug)]
pub struct Equilibria {
    /// Names and units of the values.
    pub columns: Vec<String>,
    /// The parameter, and the equilibrium there or why there is none.
    pub rows: Vec<(f64, Result<Rest, AnalysisError>)>,
}

impl Equilibria {
    /// True if all rows are the same, except for rounding errors.
    pub fn are_equal(&self) -> bool {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-11 * (1.0 + a.abs());
        let same = |a: &Rest, b: &Rest| {
            a.values.iter().zip(&b.values).all(near) && a.lowest.iter().zip(&b.lowest).all(near)
        };
        self.rows.len() > 1
            && self.rows.windows(2).all(|w| matches!(w, [(_, Ok(a)), (_, Ok(b))] if same(a, b)))
    }
}

/// Finds an equilibrium at each of these values.
pub fn equilibria(
    source: &Source,
    values: &[f64],
    options: &EquilibriumOptions,
) -> Result<Equilibria, AnalysisError> {
    let mut all = Equilibria { columns: Vec::new(), rows: Vec::new() };
    let mut last: Option<Vec<f64>> = None;
    for &value in values {
        let built = source(value)?;
        let system = &*built.system;
        if all.rows.is_empty() {
            all.columns = columns(system, &built.q);
        }
        let start = last.as_ref().filter(|q| q.len() == built.q.len()).unwrap_or(&built.q);
        let found = find(system, start, options).map(|e| rest(system, e));
        if let Ok(found) = &found {
            last = Some(found.state.q.clone());
        }
        all.rows.push((value, found));
    }
    Ok(all)
}

fn rest(system: &dyn Mechanism, e: Equilibrium) -> Rest {
    let (sensors, _) = for_summary(system, &e.state.at());
    let values = match sensors.is_empty() {
        true => system.bodies(&e.state.at()).iter().flat_map(|b| <[f64; 3]>::from(b.position)).collect(),
        false => sensors.into_iter().flat_map(|(_, x, _)| x).collect(),
    };
    Rest { stability: e.stability.words(), lowest: e.kappa.first().copied(), values, state: e.state }
}

/// Sensors with units, one column per component; positions of bodies if there are no sensors.
fn columns(system: &dyn Mechanism, q: &[f64]) -> Vec<String> {
    let state = at_rest(system, q, 0.0);
    let (sensors, _) = for_summary(system, &state.at());
    match sensors.is_empty() {
        true => system.bodies(&state.at()).iter().flat_map(|b| component_names(&b.name, 3, "m")).collect(),
        false => sensors.iter().flat_map(|(name, x, unit)| component_names(name, x.len(), unit)).collect(),
    }
}
