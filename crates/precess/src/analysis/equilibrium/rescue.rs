//! Other ways to an equilibrium if the search alone fails, and a search on the other side of an unstable one.
//!
//! - *A holding force that is released.* At the given position a force holds the mechanism: g(q) - (1 - tau)
//!   g(q_0) + B^T lambda = 0 has a solution there for tau = 0, and the search follows it to tau = 1.
//! - *Damped motion.* The bodies fall with their inertia, v <- (v - h g)/(1 + h^2 kappa) along every
//!   stiffness, and stop whenever they become slower. Inertia carries them over regions where downhill steps
//!   are tiny.

use crate::mechanics::State;
use crate::solve::products::{times, transposed_times};
use nalgebra::DVector;

use super::search::{Inertial, RestPosition, Search};
use super::{Equilibrium, EquilibriumOptions, Kind};
use crate::analysis::AnalysisError;
use crate::analysis::assembly::assemble;
use crate::analysis::local::{moved_apart, residual};

/// Number of parts in which a force is released.
const RELEASE_PARTS: usize = 20;
/// Largest number of steps of a damped motion.
const MAX_FALL_STEPS: usize = 400;
/// Positions closer than this, in rad or lengths of the model, are the same.
const SAME_POSITION: f64 = 1e-4;

impl Search<'_> {
    /// Tries the other ways from the given position; none if they fail, too.
    pub(super) fn rescue(&mut self, start: &State) -> Option<RestPosition> {
        type Way<'a> = fn(&mut Search<'a>, &State) -> Result<State, AnalysisError>;
        let ways: [(&'static str, Way<'_>); 2] = [
            ("a holding force that was slowly reduced to zero", Search::released),
            ("a damped motion", Search::fallen),
        ];
        for (words, way) in ways {
            let found = way(self, start).and_then(|state| self.run(state));
            self.hold = None;
            if let Ok(place) = found {
                self.rescue = Some(words);
                return Some(place);
            }
        }
        None
    }

    /// The end of a path of equilibria on which a holding force is reduced to zero.
    pub(super) fn released(&mut self, start: &State) -> Result<State, AnalysisError> {
        let mut state = start.clone();
        state.lambda.fill(0.0);
        let whole = residual(self.system, &state);
        for part in 1..=RELEASE_PARTS {
            self.hold = Some(&whole * (1.0 - part as f64 / RELEASE_PARTS as f64));
            state = self.run(state)?.state;
        }
        self.hold = None;
        Ok(state)
    }

    /// The end of a damped motion.
    pub(super) fn fallen(&mut self, start: &State) -> Result<State, AnalysisError> {
        let mut place = self.rest_position(start.clone())?;
        let mut v = DVector::zeros(self.layout.controls.end);
        let (mut speed, first) = (0.0, place.alpha);
        for _ in 0..MAX_FALL_STEPS {
            if !(place.alpha > 1e-3 * first) {
                break;
            }
            let Inertial { n, force, eigen } = place.inertial();
            let h = 0.3 / place.alpha.max(0.1 * first).sqrt();
            let now = transposed_times(&n, &times(&place.local.m, &v)) - force * h;
            let mut y = transposed_times(&eigen.eigenvectors, &now);
            y.iter_mut().zip(eigen.eigenvalues.iter()).for_each(|(y, k)| *y /= 1.0 + h * h * k.max(0.0));
            v = times(&n, &times(&eigen.eigenvectors, &y));
            let size = self.wide.size(&v) * h;
            if size > 0.3 {
                v *= 0.3 / size;
            }
            let next = moved_apart(self.system, &place.state, &(&v * h));
            place = match assemble(self.system, &self.wide, &next) {
                Ok((next, _)) => self.rest_position(next)?,
                Err(_) => {
                    v.fill(0.0);
                    speed = 0.0;
                    continue;
                }
            };
            // Slower than before: it has passed a valley, and stops.
            if y.norm() < speed {
                v.fill(0.0);
                speed = 0.0;
            } else {
                speed = y.norm();
            }
        }
        Ok(place.state)
    }

    /// The stable equilibrium on the other side of an unstable one that the search has left, if it differs.
    pub(super) fn other_way(&self, (state, x): (State, DVector<f64>), found: &Equilibrium) -> Option<State> {
        let options = EquilibriumOptions { kind: Kind::Stable, ..*self.options };
        let mut search = Search::new(self.system, self.layout, &options);
        let (start, _) = assemble(self.system, &self.wide, &moved_apart(self.system, &state, &-x)).ok()?;
        let other = search.run(start).ok()?.state;
        let mut apart = DVector::zeros(self.layout.controls.end);
        self.system.group().difference(&found.state.q, &other.q, apart.as_mut_slice());
        // Free parts may be anywhere.
        for direction in &found.free {
            let part = direction.x.dot(&apart) / direction.x.norm_squared();
            apart.axpy(-part, &direction.x, 1.0);
        }
        (self.layout.size(&apart) > SAME_POSITION).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use crate::formulation::Formulation;
    use crate::model::{build, load};

    use super::*;
    use crate::analysis::assembly::assemble;
    use crate::analysis::equilibrium::search::Search;
    use crate::analysis::local::{Layout, at_rest};

    /// Both ways lead from everywhere to the hanging double pendulum, without steps of the normal search.
    #[test]
    fn both_ways_lead_to_rest() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/double_pendulum.toml");
        let loaded = load(path, &std::fs::read_to_string(path).unwrap(), &[]).unwrap();
        let built = build(&loaded.model, Formulation::R3SO3).unwrap();
        let system = &*built.system;
        let layout = Layout::new(system).unwrap();
        let (start, _) = assemble(system, &layout, &at_rest(system, &built.q, 0.0)).unwrap();
        let options = EquilibriumOptions::default();
        let height = |state: &State| system.bodies(&state.at())[1].position.z;
        let mut search = Search::new(system, &layout, &options);
        // The damped motion comes close; the holding force ends at zero.
        let fallen = search.fallen(&start).unwrap();
        assert!((height(&fallen) + 1.4).abs() < 1e-2, "{}", height(&fallen));
        let released = search.released(&start).unwrap();
        assert!((height(&released) + 1.4).abs() < 1e-9, "{}", height(&released));
        assert!(search.hold.is_none());
        // With too few iterations the search alone fails, and the rescue is named.
        let few = EquilibriumOptions { iterations: 6, ..options };
        let found = crate::analysis::equilibrium::find(system, &built.q, &few).unwrap();
        assert!(found.rescue.is_some() && (height(&found.state) + 1.4).abs() < 1e-9);
    }
}
