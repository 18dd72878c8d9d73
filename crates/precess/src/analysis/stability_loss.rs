//! The values of a parameter at which a motion begins or ceases to grow.

use crate::analysis::equilibrium::find;
use crate::analysis::linearised::Place;
use crate::analysis::modes::fastest_growth;
use crate::analysis::of_model::Source;
use crate::analysis::steady::{self, moving, resting_at};
use crate::analysis::{AnalysisError, Complex, EquilibriumOptions, Frame, Kind};

/// Halvings of the interval between two values.
const HALVINGS: usize = 50;
/// The interval is small enough, relative to the value.
const NARROW: f64 = 1e-8;

/// The state at one value of the parameter.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The value.
    pub value: f64,
    /// The eigenvalue that grows fastest, and its motion; none if nothing grows.
    pub fastest: Option<(Complex, String)>,
    q: Vec<f64>,
}

/// A value at which stability changes.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityChange {
    /// The value.
    pub value: f64,
    /// True if a motion begins to grow there as the value goes on through the list.
    pub is_loss: bool,
    /// The eigenvalue that grows next to it.
    pub s: Complex,
    /// Its motion.
    pub motion: String,
}

impl StabilityChange {
    /// True for flutter: the motion vibrates while it grows.
    pub fn vibrates(&self) -> bool {
        self.s.im > 1e-3 * self.s.norm() && self.s.im > 0.0
    }
}

/// What was found between the values of a parameter.
#[derive(Clone, Debug)]
pub struct StabilityChanges {
    /// The given values.
    pub points: Vec<Growth>,
    /// The changes between them.
    pub changes: Vec<StabilityChange>,
}

/// Looks for changes between stable and unstable, and narrows each down to a relative 1e-8. An equilibrium is
/// followed although it may lose its stability.
pub fn stability_changes(
    source: &Source,
    values: &[f64],
    (place, frame): (Place, Frame),
    t: f64,
) -> Result<StabilityChanges, AnalysisError> {
    let at = |value: f64, near: Option<&Growth>| -> Result<Growth, AnalysisError> {
        let built = source(value)?;
        let system = &*built.system;
        let q = near.map(|p| &p.q).filter(|q| q.len() == built.q.len()).unwrap_or(&built.q);
        let given = || moving(system, &built.q, &built.v, 0.0);
        let found = match place {
            Place::Equilibrium(_) => {
                let options = EquilibriumOptions { kind: Kind::Any, t, ..Default::default() };
                resting_at(system, &find(system, q, &options)?.state)?
            }
            Place::Steady => steady::find_near(system, &given(), frame, true, Some(q))?,
            Place::Initial => steady::find(system, &given(), frame, false)?,
        };
        let fastest = fastest_growth(system, &found)?;
        Ok(Growth { value, fastest, q: found.state.q })
    };
    let mut points: Vec<Growth> = Vec::new();
    for value in values {
        let next = at(*value, points.last())?;
        points.push(next);
    }
    let mut changes = Vec::new();
    for pair in points.windows(2) {
        let [a, b] = pair else { continue };
        if a.fastest.is_some() == b.fastest.is_some() {
            continue;
        }
        let (mut low, mut high, mut unstable) = (a.value, b.value, None);
        for _ in 0..HALVINGS {
            if (high - low).abs() <= NARROW * high.abs().max(low.abs()) {
                break;
            }
            let middle = at(0.5 * (low + high), Some(a))?;
            let end = if middle.fastest.is_some() == a.fastest.is_some() { &mut low } else { &mut high };
            *end = middle.value;
            unstable = middle.fastest.or(unstable);
        }
        let unstable = unstable.or_else(|| a.fastest.clone()).or_else(|| b.fastest.clone());
        let (s, motion) = unstable.unwrap_or_default();
        changes.push(StabilityChange { value: 0.5 * (low + high), is_loss: a.fastest.is_none(), s, motion });
    }
    Ok(StabilityChanges { points, changes })
}
