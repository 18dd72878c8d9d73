//! Finds where a mechanism rests: g(q, 0, t) + B^T lambda = 0, Phi(q, t) = 0.
//!
//! The search is a proximal Newton method on the motions N that the constraints leave free (N^T W N = 1):
//!
//! ```text
//! (N^T K N + c) y = -N^T g,     q <- assemble(q exp(N y))
//! ```
//!
//! an implicit Euler step of the flow of W q' = -(g + B^T lambda) with pseudo-time 1/c. W measures rotations,
//! and translations in units of the reach of the model, so that the tip of a long chain can move far. Steps
//! are judged by the work of the forces along the step, -(g(q) + g(q+)) . x / 2, so no potential is needed.
//! For stable equilibria c exceeds the most negative eigenvalue of N^T K N, and an unstable stationary point
//! is left along that direction. Convergence is measured by alpha, the acceleration on release, rotations in
//! rad/s^2 and translations over L.

mod rescue;
pub(crate) mod search;

use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::products::{asymmetry, largest, times};
use nalgebra::{Complex, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::carry;
use crate::analysis::eigen::{Spectrum, grows};
use crate::analysis::frame::{Linear, Steady};
use crate::analysis::limits::{MAX_DENSE, ZERO_STIFFNESS, is_large};
use crate::analysis::local::{Layout, at_rest};
use crate::analysis::words::{Axes, motion};
use search::{RestPosition, Search};

/// Relative asymmetry of K above which forces have no potential; away from an equilibrium K is not quite
/// symmetric either.
const NO_POTENTIAL: f64 = 1e-5;

/// The wanted kind of equilibrium.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Stable ones: where the mechanism comes to rest with a little damping.
    #[default]
    Stable,
    /// The nearest one, stable or not.
    Any,
}

/// Options of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumOptions {
    /// The wanted kind.
    pub kind: Kind,
    /// Time for drives and forces.
    pub t: f64,
    /// Largest number of factorisations.
    pub iterations: usize,
    /// Converged if alpha is below this part of the accelerations that the forces alone would cause.
    pub tolerance: f64,
}

impl Default for EquilibriumOptions {
    fn default() -> Self {
        EquilibriumOptions { kind: Kind::Stable, t: 0.0, iterations: 300, tolerance: 1e-10 }
    }
}

/// Stability of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// All motions are pushed back.
    Stable,
    /// All motions are pushed back or free.
    StableWithFreeMotions,
    /// Some motions grow.
    Unstable,
    /// Nothing can move.
    Fixed,
}

impl Stability {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::StableWithFreeMotions => "stable, apart from free motions",
            Stability::Unstable => "unstable",
            Stability::Fixed => "the joints leave nothing free",
        }
    }
}

/// One motion at an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// Stiffness over inertia, 1/s^2: omega^2 if positive.
    pub kappa: f64,
    /// Rate of growth, 1/s; zero for free motions.
    pub growth: f64,
    /// In words.
    pub words: String,
    /// The motion, x^T M x = 1.
    pub x: DVector<f64>,
}

/// A position of rest.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The state at rest, with its multipliers.
    pub state: State,
    /// Stable or not.
    pub stability: Stability,
    /// Eigenvalues of the stiffness against the inertia, ascending, in 1/s^2; none if forces have no
    /// potential.
    pub kappa: Vec<f64>,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Motions that grow.
    pub unstable: Vec<Direction>,
    /// Motions without stiffness.
    pub free: Vec<Direction>,
    /// Largest remaining acceleration, in m/s^2 (rad/s^2 times the length of the model).
    pub acceleration: f64,
    /// Factorisations made.
    pub factorisations: usize,
    /// Number of unstable points left during the search.
    pub escapes: usize,
    /// Largest difference between K and its transpose on the free motions, relative to K: zero for forces
    /// with a potential.
    pub asymmetry: f64,
    /// Independent constraint rows.
    pub rank: usize,
    /// Distance of each body from the given position: rad and m.
    pub moved: Vec<[f64; 2]>,
    /// States of the search, from the given position to the equilibrium.
    pub path: Vec<State>,
    /// The rescue that found it, if the search alone did not, in words.
    pub rescue: Option<&'static str>,
    /// Another equilibrium, if the search left an unstable one and the opposite direction leads elsewhere.
    pub other: Option<State>,
}

impl Equilibrium {
    /// An error if a stable equilibrium was wanted, but this one is unstable. With controls, the search takes
    /// the nearest one in any case.
    pub fn is_as_wanted(&self, system: &dyn Mechanism, kind: Kind) -> Result<(), AnalysisError> {
        let searched = kind == Kind::Stable && Layout::new(system)?.controls.is_empty();
        match searched && self.stability == Stability::Unstable {
            true => Err(AnalysisError::OnlyUnstable),
            false => Ok(()),
        }
    }
}

/// Finds an equilibrium near the configuration q.
pub fn find(
    system: &dyn Mechanism,
    q: &[f64],
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    if is_large(system) {
        if !layout.controls.is_empty() {
            let (size, most) = (system.group().dim().saturating_sub(system.n_lambda()), MAX_DENSE);
            let (what, remedy) = ("a model with controls", "leave them out, or make the model smaller");
            return Err(AnalysisError::TooLarge { what, size, most, remedy });
        }
        return crate::analysis::large::rest::find(system, &layout, &at_rest(system, q, 0.0), options);
    }
    let mut search = Search::new(system, &layout, options);
    let given = at_rest(system, q, 0.0);
    let found = match search.sparse(&given) {
        Some(place) => place,
        None => {
            let state = carry(system, &layout, &given, options.t)?;
            match search.run(state.clone()) {
                Err(e @ (AnalysisError::NotFound { .. } | AnalysisError::NothingHolds { .. })) => {
                    let lost = matches!(e, AnalysisError::NotFound { .. });
                    other_ways(&mut search, &state, lost).ok_or(e)?
                }
                other => other?,
            }
        }
    };
    let mut result = search.classify(found, q)?;
    if let Some(point) = search.left.take() {
        result.other = search.other_way(point, &result);
    }
    Ok(result)
}

/// Other ways to an equilibrium if the search fails. Forces that follow their bodies can do work on a closed
/// path, so that a downhill search never ends, although Newton's method finds where they balance.
fn other_ways(search: &mut Search, state: &State, lost: bool) -> Option<RestPosition> {
    let nearest = EquilibriumOptions { kind: Kind::Any, ..*search.options };
    let mut newton = Search::new(search.system, search.layout, &nearest);
    let near = if search.options.kind == Kind::Stable { newton.run(state.clone()).ok() } else { None };
    search.factorisations += newton.factorisations;
    let stable = |place: &RestPosition| {
        verdict(search.system, search.layout, &place.state).is_ok_and(|v| v.stability != Stability::Unstable)
    };
    let found = match near {
        Some(place) if stable(&place) => Some(place),
        near if lost => match search.rescue(state) {
            Some(place) => return Some(place),
            None => near,
        },
        near => near,
    };
    if found.is_some() {
        search.left = None;
        search.rescue = Some("Newton's method");
    }
    found
}

/// The linear equations and eigenvalues at a position of rest with its multipliers, as [`crate::analysis::modes`]
/// computes them: equilibria and modes always agree about stability.
pub(crate) fn judge(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
) -> Result<(Linear, Spectrum), AnalysisError> {
    let linear = Linear::new(system, layout, state, &Steady::rest(layout))?;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let spectrum = Spectrum::new(&linear, ZERO_STIFFNESS * scale)?;
    Ok((linear, spectrum))
}

/// What the eigenvalues say about an equilibrium.
pub(crate) struct Verdict {
    stability: Stability,
    kappa: Vec<f64>,
    unstable: Vec<Direction>,
    free: Vec<Direction>,
    asymmetry: f64,
}

/// The stability of a position of rest.
pub(crate) fn verdict(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
) -> Result<Verdict, AnalysisError> {
    let (linear, spectrum) = judge(system, layout, state)?;
    let axes = Axes::new(system, state);
    let direction = |s: Complex<f64>, p: DVector<f64>| {
        let mut all = DVector::zeros(linear.n.ncols());
        all.rows_mut(0, p.len()).copy_from(&p);
        let x = times(&linear.n, &all);
        Direction { kappa: -(s * s).re, growth: s.re, words: motion(layout, &x, Some(&axes)), x }
    };
    let growing: Vec<Complex<f64>> = spectrum.values.iter().copied().filter(|s| grows(*s)).collect();
    let unstable: Vec<Direction> =
        spectrum.pairs(&growing).into_iter().map(|pair| direction(pair.s, pair.p.map(|x| x.re))).collect();
    let free: Vec<Direction> =
        spectrum.free.column_iter().map(|p| direction(Complex::new(0.0, 0.0), p.into())).collect();
    let stability = match (linear.n.ncols(), spectrum.grows(), free.is_empty()) {
        (0, _, _) => Stability::Fixed,
        (_, true, _) => Stability::Unstable,
        (_, false, true) => Stability::Stable,
        (_, false, false) => Stability::StableWithFreeMotions,
    };
    let size = largest(linear.k.as_slice());
    let asymmetry = if size > 0.0 { asymmetry(&linear.k) / size } else { 0.0 };
    let kappa = match &spectrum.symmetric {
        Some((kappa, _)) => kappa.iter().copied().collect(),
        // Damping does not change the stiffness.
        None if asymmetry <= NO_POTENTIAL && linear.first_order == 0 => {
            crate::analysis::eigen::stiffnesses(&linear)
                .map_or(Vec::new(), |(kappa, _)| kappa.iter().copied().collect())
        }
        None => Vec::new(),
    };
    Ok(Verdict { stability, kappa, unstable, free, asymmetry })
}
