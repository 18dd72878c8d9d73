//! Finds where large models rest: the proximal Newton method of [`equilibrium`](crate::analysis::equilibrium) with
//! sparse factors.
//!
//! ```text
//! [ K + c W   B^T ] [ x  ]     [ g + B^T lambda ]
//! [ B          0  ] [ mu ] = - [ 0              ]
//!
//! q <- q exp(x), brought back onto the joints in the measure W
//! ```
//!
//! W measures rotations, and translations in units of the reach of the model (`reach`). lambda makes g + B^T
//! lambda as small as possible in the same measure: the forces that joints would carry at rest. Uphill steps
//! are refused by their curvature, and Lanczos' method finds the lowest stiffness, so that an unstable
//! position is noticed and left.

use crate::integrate::Accelerations;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, Want};
use crate::solve::products::block_times;
use nalgebra::DVector;

use super::lanczos::{BLOCK, Lanczos, Ritz};
use super::shifted::Shifted;
use crate::analysis::assembly::carry_with;
use crate::analysis::equilibrium::search::{
    CONTRACTION, CORRECTED, CREEPING, CREEPING_STEPS, LEAST_STIFFNESS, MAX_CORRECTIONS, MAX_SOFTER,
    MAX_STALLED, SHORT_STEP, SMALL_STEP, SOFTER, forces,
};
use crate::analysis::equilibrium::{Direction, Equilibrium, EquilibriumOptions, Kind, Stability};
use crate::analysis::limits::{ZERO_STIFFNESS, is_large};
use crate::analysis::local::{Layout, apart_blocks, constraint, displacement, moved_apart, residual};
use crate::analysis::mode::Selection;
use crate::analysis::stiffness::{extent, is_rounding, sparse_limit, sparse_row_sums};
use crate::analysis::travel::{weights, wide};
use crate::analysis::words::{Axes, motion};
use crate::analysis::{AnalysisError, NetForce};

/// Largest number of unstable positions that are left.
const MAX_ESCAPES: usize = 20;
/// Relative asymmetry of K that is a rounding error.
const ROUNDING: f64 = 1e-12;
/// With more relative asymmetry, forces have no potential.
const POTENTIAL: f64 = 1e-9;
/// Largest number of sweeps that project a step onto the joints.
const MAX_SWEEPS: usize = 40;

/// A position with its forces.
struct TrialPosition {
    state: State,
    /// g.
    g: DVector<f64>,
    /// g + B^T lambda.
    rest: DVector<f64>,
    /// The acceleration on release.
    a: DVector<f64>,
    alpha: f64,
    /// The slope in the measure W: the step of unit c, in rad and in reaches.
    slope: f64,
}

struct Search<'a> {
    system: &'a dyn Mechanism,
    layout: &'a Layout,
    /// Lengths in units of the reach.
    wide: Layout,
    weights: DVector<f64>,
    /// Factors of K + c W.
    shifted: Shifted<'a>,
    /// Factors of W.
    measure: Shifted<'a>,
    accelerations: Accelerations,
    options: &'a EquilibriumOptions,
    scale: f64,
    /// The largest force on a body at the start, in the measure of steps.
    force: f64,
    factorisations: usize,
    escapes: usize,
    path: Vec<State>,
}

/// Finds an equilibrium from a state at rest on or near the constraints.
pub fn find(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    let wide = wide(system, layout);
    let mut search = Search {
        weights: weights(&wide),
        wide,
        system,
        layout,
        shifted: Shifted::allocate(system),
        measure: Shifted::allocate(system),
        accelerations: Accelerations::new(system),
        options,
        scale: system.acceleration_scale().unwrap_or(0.0) / layout.length,
        force: 0.0,
        factorisations: 0,
        escapes: 0,
        path: Vec::new(),
    };
    let start = carry_with(system, state, options.t, |state| search.close(state.clone()))?;
    search.path.push(start.clone());
    search.run(&start)
}

impl Search<'_> {
    /// Projects a state onto the joints with the smallest change in the measure W. None if it is too far
    /// away.
    fn close(&mut self, mut state: State) -> Result<State, AnalysisError> {
        let none = DVector::zeros(self.layout.controls.end);
        let mut before = f64::INFINITY;
        for _ in 0..MAX_SWEEPS {
            let phi = constraint(self.system, &state);
            if phi.is_empty() || phi.iter().all(|x| *x == 0.0) {
                return Ok(state);
            }
            self.measure(&state)?;
            let (x, _) = self.measure.solve_both(&none, &-phi);
            let size = self.wide.size(&x);
            state = moved_apart(self.system, &state, &x);
            if size <= 1e-15 || (size <= 1e-11 && size >= 0.3 * before) {
                return Ok(state);
            }
            if !(size <= 1.0) || size > 10.0 * before {
                break;
            }
            before = size;
        }
        // The joints are open: the caller reports which.
        Err(AnalysisError::Assembly {
            iterations: MAX_SWEEPS,
            gaps: crate::analysis::gaps::gaps(self.system, self.layout, &state),
        })
    }

    /// Factorises B and W at a state.
    fn measure(&mut self, state: &State) -> Result<(), AnalysisError> {
        self.measure.evaluate(state);
        self.measure.measure(&self.weights);
        self.measure.form(0.0, 1.0)
    }

    fn trial_position(&mut self, state: State) -> Result<TrialPosition, AnalysisError> {
        let mut state = self.close(state)?;
        state.v.fill(0.0);
        state.remember(self.system);
        self.accelerations.solve(self.system, &mut state)?;
        let a = DVector::from_column_slice(&state.vdot);
        state.vdot.fill(0.0);
        state.lambda.fill(0.0);
        let g = residual(self.system, &state);
        self.measure(&state)?;
        let none = DVector::zeros(state.lambda.len());
        let (x, lambda) = self.measure.solve_both(&-&g, &none);
        state.lambda.copy_from_slice(lambda.as_slice());
        let rest = residual(self.system, &state);
        let alpha = self.layout.size(&a);
        if !alpha.is_finite() {
            return Err(crate::analysis::assembly::not_finite("a force"));
        }
        if self.force == 0.0 {
            let heaviest =
                block_times(&self.shifted_mass(&state), &DVector::from_element(g.len(), 1.0)).amax();
            let weight = heaviest * self.system.acceleration_scale().unwrap_or(0.0) * self.wide.length;
            self.force = forces(&self.wide, &g).max(weight);
        }
        Ok(TrialPosition { g, rest, a, alpha, slope: self.wide.size(&x), state })
    }

    fn run(&mut self, state: &State) -> Result<Equilibrium, AnalysisError> {
        let mut place = self.trial_position(state.clone())?;
        let (mut least, mut softer) = ((LEAST_STIFFNESS * self.force).max(f64::MIN_POSITIVE), 0);
        let mut c = (2.0 * place.slope).max(least);
        let (mut before, mut stalled, mut last) = (f64::INFINITY, 0, place.alpha == 0.0);
        while self.factorisations < self.options.iterations {
            if last {
                let (kappa, x) = self.lowest(&place)?;
                let stiff = self.shifted_limit(&place, &x);
                if kappa >= -stiff || self.options.kind == Kind::Any || self.escapes == MAX_ESCAPES {
                    return self.result(state, place, (kappa, x), stiff);
                }
                self.escapes += 1;
                let sign = if place.g.dot(&x) > 0.0 { -0.1 } else { 0.1 };
                let away = &x * (sign / self.wide.size(&x));
                // x^T M x = 1: the same stiffness in the other measure.
                let measure = x.dot(&x.component_mul(&self.weights));
                place = self.trial_position(moved_apart(self.system, &place.state, &away))?;
                self.path.push(place.state.clone());
                (c, before, last) = ((-1.5 * kappa / measure).max(least), f64::INFINITY, false);
                continue;
            }
            if self.is_balanced(&place) {
                last = true;
                continue;
            }
            let least_before = c <= 2.0 * least;
            let (next, size) = self.step(&place, &mut c, least)?;
            if least_before {
                let creeps = size > CREEPING * before;
                stalled = if creeps && size <= SHORT_STEP { stalled + 1 } else { 0 };
                if creeps && softer < MAX_SOFTER && CREEPING_STEPS.contains(&size) {
                    (least, softer, stalled) = (least / SOFTER, softer + 1, 0);
                    c = least;
                }
                before = size;
                last = size <= SMALL_STEP || stalled >= MAX_STALLED;
            }
            match next {
                Some(next) => {
                    self.path.push(next.state.clone());
                    place = next;
                }
                None if last => {}
                None if c > 1e12 * place.slope.max(f64::MIN_POSITIVE) && c > 1e3 * least => break,
                None => {}
            }
        }
        Err(self.lost(&place))
    }

    /// True if the remaining forces are rounding errors.
    fn is_balanced(&mut self, place: &TrialPosition) -> bool {
        self.shifted.evaluate(&place.state);
        let rows = sparse_row_sums(&self.shifted.t.k, &extent(self.system, self.layout, &place.state));
        is_rounding(&rows, &place.rest, (&self.wide, self.force))
    }

    /// A step, none if it was refused, and its size.
    fn step(
        &mut self,
        place: &TrialPosition,
        c: &mut f64,
        least: f64,
    ) -> Result<(Option<TrialPosition>, f64), AnalysisError> {
        self.factorisations += 1;
        let higher = |c: f64| (4.0 * c).max(0.5 * place.slope);
        self.shifted.evaluate(&place.state);
        self.shifted.measure(&self.weights);
        apart_blocks(self.system, &place.rest, &mut self.shifted.t.k);
        self.shifted.factor(*c)?;
        let x = self.shifted.solve(&-&place.rest);
        let along = block_times(&self.shifted.t.k, &x).dot(&x);
        let weighted = x.component_mul(&self.weights);
        let length = x.dot(&weighted);
        let curvature = along + *c * length;
        let downhill = self.options.kind == Kind::Stable;
        let size = self.wide.size(&x);
        // Along a short step rounding errors decide about the curvature.
        let uphill = !(curvature > 0.0) && downhill && size > SMALL_STEP;
        if uphill || !(size <= 0.5) {
            // If the step exceeds the limit by a factor, the stiffness grows by at most that factor.
            let stiffer = if size.is_finite() { (2.0 * size * *c).min(100.0 * *c) } else { 0.0 };
            *c =
                if curvature > 0.0 { higher(*c).max(stiffer) } else { higher(*c).max(-2.0 * along / length) };
            return Ok((None, size));
        }
        let Ok(next) = self.trial_position(moved_apart(self.system, &place.state, &x)) else {
            *c = higher(*c);
            return Ok((None, size));
        };
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = work / (0.5 * (curvature + *c * length)).max(f64::MIN_POSITIVE);
        if rho > 1e-3 || next.alpha < 0.3 * place.alpha {
            *c = match () {
                () if next.alpha < 0.1 * place.alpha && size < 0.1 => least,
                () if rho > 0.5 || next.alpha < 0.3 * place.alpha => (*c / 10.0).max(least),
                () if rho > 0.1 => *c,
                () => 3.0 * *c,
            };
            return Ok((Some(next), size));
        }
        // Bending a slender beam stretches it a little, which costs much work. Corrections remove this.
        let corrected = self.corrected(place, next, size, *c)?;
        match &corrected {
            Some((_, count)) => *c = if *count <= 2 { (*c / 10.0).max(least) } else { *c },
            // Limited by rounding errors: no further gain.
            None if size <= SHORT_STEP => *c = least,
            None => *c = higher(*c),
        }
        Ok((corrected.map(|x| x.0), size))
    }

    /// Newton's method for a step of the flow, g + B^T lambda + c W x = 0 with the displacement x, from a
    /// first approximation: the position and the number of corrections.
    fn corrected(
        &mut self,
        place: &TrialPosition,
        first: TrialPosition,
        size: f64,
        c: f64,
    ) -> Result<Option<(TrialPosition, usize)>, AnalysisError> {
        let (mut now, mut before) = (first, size);
        for count in 1..=MAX_CORRECTIONS {
            self.factorisations += 1;
            let moved = displacement(self.system, &place.state, &now.state);
            self.shifted.evaluate(&now.state);
            self.shifted.measure(&self.weights);
            apart_blocks(self.system, &now.rest, &mut self.shifted.t.k);
            self.shifted.factor(c)?;
            let x = self.shifted.solve(&-(&now.rest + moved.component_mul(&self.weights) * c));
            let length = self.wide.size(&x);
            if !(length < CONTRACTION * before) {
                return Ok(None);
            }
            let Ok(next) = self.trial_position(moved_apart(self.system, &now.state, &x)) else {
                return Ok(None);
            };
            (now, before) = (next, length);
            if length < CORRECTED * size {
                return Ok(Some((now, count)));
            }
        }
        Ok(None)
    }

    /// M.
    fn shifted_mass(&mut self, state: &State) -> crate::solve::Mat {
        self.shifted.t.evaluate(self.system, &state.at(), Want::MASS);
        self.shifted.t.s.clone()
    }

    /// Stiffness over inertia of this motion that counts as zero.
    fn shifted_limit(&mut self, place: &TrialPosition, x: &DVector<f64>) -> f64 {
        self.shifted.evaluate(&place.state);
        let gravity = self.system.acceleration_scale().unwrap_or(0.0) / self.layout.length;
        (ZERO_STIFFNESS * gravity).max(sparse_limit(&self.shifted.t.k, x))
    }

    /// The lowest stiffness over inertia, and its motion.
    fn lowest(&mut self, place: &TrialPosition) -> Result<(f64, DVector<f64>), AnalysisError> {
        let mut shifted = Shifted::new(self.system, &place.state, self.scale.max(1e-3))?;
        let mut basis = Lanczos::new(&mut shifted);
        basis.grow(20 * BLOCK);
        let list = basis.ritz().unwrap_or_default();
        // Eigenvalues of large stiffnesses are uncertain; the motions themselves show their stiffness.
        let strong = |x: &&Ritz| x.theta > 0.0 || x.lack < 0.1;
        let motions = list.iter().filter(strong).take(BLOCK).map(|x| basis.vector(x));
        let lowest = motions.min_by(|a, b| a.0.total_cmp(&b.0));
        Ok(lowest.unwrap_or_else(|| (0.0, DVector::zeros(self.layout.controls.end))))
    }

    fn result(
        &mut self,
        start: &State,
        place: TrialPosition,
        (kappa, x): (f64, DVector<f64>),
        stiff: f64,
    ) -> Result<Equilibrium, AnalysisError> {
        let axes = Axes::new(self.system, &place.state);
        let direction = |kappa: f64, growth: f64, x: DVector<f64>| Direction {
            kappa,
            growth,
            words: motion(self.layout, &x, Some(&axes)),
            x,
        };
        let mut unstable = Vec::new();
        let mut kappas = Vec::new();
        let asymmetry = self.shifted.asymmetry(&self.layout.units());
        if asymmetry <= POTENTIAL {
            kappas.push(kappa);
            if kappa < -stiff {
                unstable.push(direction(kappa, (-kappa).sqrt(), x));
            }
        }
        if asymmetry > ROUNDING && is_large(self.system) {
            // Without a potential, the modes decide, as in `precess modes`.
            let found = crate::analysis::steady::resting_at(self.system, &place.state)?;
            let modes = super::modes(self.system, &found, Selection::default())?;
            let growing = modes.into_iter().filter(|m| m.grows());
            unstable = (growing.map(|m| direction(-(m.s * m.s).re, m.s.re, m.shape.map(|x| x.re)))).collect();
        }
        let mut difference = vec![0.0; self.system.group().dim()];
        self.system.group().difference(&start.q, &place.state.q, &mut difference);
        let part = |r: std::ops::Range<usize>| difference[r].iter().map(|x| x * x).sum::<f64>().sqrt();
        let layout = self.layout;
        Ok(Equilibrium {
            stability: if unstable.is_empty() { Stability::Stable } else { Stability::Unstable },
            unstable,
            free: Vec::new(),
            kappa: kappas,
            degrees_of_freedom: self.layout.controls.end.saturating_sub(self.system.n_lambda()),
            acceleration: place.alpha * layout.length,
            factorisations: self.factorisations,
            escapes: self.escapes,
            asymmetry,
            rank: self.system.n_lambda(),
            moved: (0..layout.bodies.len())
                .map(|i| [part(layout.rotation(i)), part(layout.translation(i))])
                .collect(),
            path: std::mem::take(&mut self.path),
            rescue: None,
            other: None,
            state: place.state,
        })
    }

    fn lost(&self, place: &TrialPosition) -> AnalysisError {
        let axes = Axes::new(self.system, &place.state);
        let words = motion(self.layout, &place.a, Some(&axes));
        // Everything falls equally: nothing holds it.
        if place.alpha > 0.5 * self.scale && self.system.n_lambda() == 0 {
            let size = place.rest.rows(0, self.layout.controls.start).amax();
            return AnalysisError::NothingHolds {
                forces: vec![NetForce { size, is_torque: false, motion: words }],
            };
        }
        AnalysisError::NotFound {
            iterations: self.factorisations,
            acceleration: place.alpha * self.layout.length,
            motion: words,
            stable: self.options.kind == Kind::Stable,
        }
    }
}
