//! Where a mechanism rests: g(q, 0, t) + B^T lambda = 0, Phi(q, t) = 0.
//!
//! The search is a proximal Newton method on the motions N that the constraints leave free (N^T W N = 1):
//!
//! ```text
//! (N^T K N + c) y = -N^T g,     q <- assemble(q exp(N y))
//! ```
//!
//! an implicit Euler step of the flow of W q' = -(g + B^T lambda) with pseudo-time 1/c. W counts rotations,
//! and translations in units of the reach of the model, so that the tip of a long chain need not creep. Steps
//! are judged by the work of the forces on the way, -(g(q) + g(q+)) . x / 2, so no potential is needed. For
//! stable equilibria c exceeds the most negative eigenvalue of N^T K N, and a stationary point that is not
//! stable is left along that direction. The measure is alpha, the acceleration on release, rotations in
//! rad/s^2 and translations over L.

mod rescue;
mod search;

use nalgebra::DVector;
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;

use crate::AnalysisError;
use crate::assembly::carry;
use crate::eigen::Spectrum;
use crate::frame::{Linear, Steady};
use crate::local::{Layout, at_rest};
use crate::modes::is_large;
use crate::words::{Axes, motion};
use search::Search;

/// Relative asymmetry of K above which forces have no potential; away from an equilibrium K is not quite
/// symmetric, either.
const NO_POTENTIAL: f64 = 1e-5;

/// Relative asymmetry of K that is a rounding error. A small force that follows a body is beyond it, also
/// beside stiff parts.
const ROUNDING: f64 = 1e-12;

/// Which equilibria are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Stable ones: where the mechanism comes to rest with a little damping.
    #[default]
    Stable,
    /// The nearest one, stable or not.
    Any,
}

/// How to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumOptions {
    /// Which.
    pub kind: Kind,
    /// Time at which drives and forces are taken.
    pub t: f64,
    /// Most factorisations.
    pub iterations: usize,
    /// Converged if alpha is below this part of the accelerations that the forces alone would cause.
    pub tolerance: f64,
}

impl Default for EquilibriumOptions {
    fn default() -> Self {
        EquilibriumOptions { kind: Kind::Stable, t: 0.0, iterations: 300, tolerance: 1e-10 }
    }
}

/// What an equilibrium is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Every motion is pushed back.
    Stable,
    /// Pushed back, or free to move.
    StableWithFreeMotions,
    /// Some motion grows.
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
    /// Stiffness over inertia, 1/s^2: omega^2 where positive.
    pub kappa: f64,
    /// In words.
    pub words: String,
    /// The motion, x^T M x = 1.
    pub x: DVector<f64>,
}

/// A position of rest.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// At rest there, with the multipliers that hold it.
    pub state: State,
    /// Stable or not.
    pub stability: Stability,
    /// Eigenvalues of the stiffness against the inertia, ascending, in 1/s^2.
    pub kappa: Vec<f64>,
    /// Motions that grow.
    pub unstable: Vec<Direction>,
    /// Motions without stiffness.
    pub free: Vec<Direction>,
    /// Largest acceleration that is left, in m/s^2 (rad/s^2 times the length of the model).
    pub acceleration: f64,
    /// Factorisations made.
    pub factorisations: usize,
    /// Unstable points left on the way.
    pub escapes: usize,
    /// Largest difference between K and its transpose on the free motions, relative to K: zero for forces
    /// with a potential.
    pub asymmetry: f64,
    /// Independent constraint rows.
    pub rank: usize,
    /// How far each body has moved from the given position: rad and m.
    pub moved: Vec<[f64; 2]>,
    /// States of the search, from the given position to the one of rest.
    pub path: Vec<State>,
    /// What found it where the search alone did not: words for people.
    pub rescue: Option<&'static str>,
    /// Another one, if the search left an unstable equilibrium and the opposite way leads elsewhere.
    pub other: Option<State>,
}

/// Looks for an equilibrium near the configuration q.
pub fn find(
    system: &dyn Mechanism,
    q: &[f64],
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    let layout = Layout::new(system)?;
    if is_large(system) {
        if !layout.controls.is_empty() {
            let (size, most) = (system.group().dim().saturating_sub(system.n_lambda()), crate::modes::MOST);
            let (what, remedy) = ("a model with controls", "leave them out, or make the model smaller");
            return Err(AnalysisError::TooLarge { what, size, most, remedy });
        }
        return crate::large::rest::find(system, &layout, &at_rest(system, q, 0.0), options);
    }
    let mut search = Search::new(system, &layout, options);
    let given = at_rest(system, q, 0.0);
    let found = match search.sparse(&given) {
        Some(place) => place,
        None => {
            let state = carry(system, &layout, &given, options.t)?;
            match search.run(state.clone()) {
                Err(e @ AnalysisError::NotFound { .. }) => search.rescue(&state).ok_or(e)?,
                other => other?,
            }
        }
    };
    let mut result = search.classify(found, q)?;
    if let Some(point) = search.left.take() {
        result.other = search.other_way(point, &result);
    }
    // What the symmetric part of K calls unstable may be the work of a follower force.
    let limit = if result.unstable.is_empty() { NO_POTENTIAL } else { ROUNDING };
    if !layout.controls.is_empty() || result.asymmetry > limit {
        without_potential(system, &layout, &mut result)?;
    }
    Ok(result)
}

/// Controls and some forces have no potential: eigenvalues decide, and a stiffness means nothing.
fn without_potential(
    system: &dyn Mechanism,
    layout: &Layout,
    e: &mut Equilibrium,
) -> Result<(), AnalysisError> {
    let linear = Linear::new(system, layout, &e.state, &Steady::rest(layout))?;
    let spectrum = Spectrum::new(&linear, 1e-8 * system.acceleration_scale().unwrap_or(0.0) / layout.length)?;
    let grows = spectrum.values.iter().any(|s| s.re > 1e-9 * s.norm());
    (e.kappa, e.unstable) = Default::default();
    let axes = Axes::new(system, &e.state);
    let direction = |p: nalgebra::DVectorView<f64>| {
        let mut all = DVector::zeros(linear.n.ncols());
        all.rows_mut(0, p.len()).copy_from(&p);
        let x = &linear.n * all;
        Direction { kappa: 0.0, words: motion(layout, &x, Some(&axes)), x }
    };
    e.free = spectrum.free.column_iter().map(|p| direction(p.as_view())).collect();
    e.stability = match (grows, e.free.is_empty()) {
        (true, _) => Stability::Unstable,
        (false, true) => Stability::Stable,
        (false, false) => Stability::StableWithFreeMotions,
    };
    Ok(())
}
