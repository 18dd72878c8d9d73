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
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::products::block_times;
use nalgebra::DVector;

use super::Shifted;
use super::lanczos::{BLOCK, Lanczos, Ritz};
use crate::analysis::assembly::carry_with;
use crate::analysis::equilibrium::{Direction, Equilibrium, EquilibriumOptions, Kind, Stability};
use crate::analysis::local::{Layout, apart_blocks, constraint, moved_apart, residual};
use crate::analysis::noise;
use crate::analysis::reach::{weights, wide};
use crate::analysis::words::{Axes, motion};
use crate::analysis::{AnalysisError, NetForce};

/// Largest number of unstable positions that are left.
const MAX_ESCAPES: usize = 20;
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
    shifted: Shifted<'a>,
    accelerations: Accelerations,
    options: &'a EquilibriumOptions,
    scale: f64,
    /// Rounding errors of accelerations; zero until they matter.
    noise: f64,
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
        shifted: Shifted::room(system),
        accelerations: Accelerations::new(system),
        options,
        scale: system.acceleration_scale().unwrap_or(0.0) / layout.length,
        noise: 0.0,
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
            let (x, _) = self.shifted.solve_both(&none, &-phi);
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
        self.shifted.evaluate(state);
        self.shifted.measure(&self.weights);
        self.shifted.form(0.0, 1.0)
    }

    fn place(&mut self, state: State) -> Result<TrialPosition, AnalysisError> {
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
        let (x, lambda) = self.shifted.solve_both(&-&g, &none);
        state.lambda.copy_from_slice(lambda.as_slice());
        let rest = residual(self.system, &state);
        let alpha = self.layout.size(&a);
        if !alpha.is_finite() {
            return Err(crate::analysis::assembly::not_finite("a force"));
        }
        self.scale = self.scale.max(alpha);
        Ok(TrialPosition { g, rest, a, alpha, slope: self.wide.size(&x), state })
    }

    fn run(&mut self, state: &State) -> Result<Equilibrium, AnalysisError> {
        let mut place = self.place(state.clone())?;
        let mut c = 2.0 * place.slope;
        let mut polished = false;
        while self.factorisations < self.options.iterations {
            if place.alpha <= self.options.tolerance * self.scale
                || (polished && place.alpha <= self.rounding_limit())
            {
                let (kappa, x) = self.lowest(&place)?;
                let floor = 1e-8 * self.scale;
                if kappa >= -floor || self.options.kind == Kind::Any || self.escapes == MAX_ESCAPES {
                    return Ok(self.result(state, place, kappa, x));
                }
                self.escapes += 1;
                let sign = if place.g.dot(&x) > 0.0 { -0.1 } else { 0.1 };
                let away = &x * (sign / self.wide.size(&x));
                // x^T M x = 1: the same stiffness in the other measure.
                let measure = x.dot(&x.component_mul(&self.weights));
                place = self.place(moved_apart(self.system, &place.state, &away))?;
                self.path.push(place.state.clone());
                (c, polished) = (-1.5 * kappa / measure, false);
                continue;
            }
            let next = self.step(&place, &mut c)?;
            let creeps = next.as_ref().is_none_or(|next| next.alpha > 0.3 * place.alpha);
            if creeps && self.noise == 0.0 && place.alpha <= noise::SMALL * self.scale {
                self.noise = self.rounding(&place)?;
            }
            match next {
                Some(next) => {
                    polished = creeps && next.alpha <= self.rounding_limit();
                    self.path.push(next.state.clone());
                    place = next;
                }
                None if c > 1e12 * place.slope.max(f64::MIN_POSITIVE) => break,
                None => {}
            }
        }
        Err(self.lost(&place))
    }

    /// Rounding errors of the accelerations at a position.
    fn rounding(&mut self, place: &TrialPosition) -> Result<f64, AnalysisError> {
        let (scale, x) = (self.scale, noise::jitter(&self.wide.units()));
        let moved = self.place(moved_apart(self.system, &place.state, &x))?;
        self.scale = scale;
        Ok(noise::rounding(self.layout.size(&(moved.a - &place.a))))
    }

    /// Smaller accelerations may be rounding errors.
    fn rounding_limit(&self) -> f64 {
        (1e-7 * self.scale).max(noise::ROUNDING_FACTOR * self.noise)
    }

    /// A step; none if it was refused.
    fn step(&mut self, place: &TrialPosition, c: &mut f64) -> Result<Option<TrialPosition>, AnalysisError> {
        self.factorisations += 1;
        let higher = |c: f64| (4.0 * c).max(0.5 * place.slope);
        self.shifted.evaluate(&place.state);
        self.shifted.measure(&self.weights);
        apart_blocks(self.system, &place.rest, &mut self.shifted.t.k);
        self.shifted.factor(*c)?;
        let x = self.shifted.solve(&-&place.rest);
        let along = block_times(&self.shifted.t.k, &x).dot(&x);
        let length = x.dot(&x.component_mul(&self.weights));
        let curvature = along + *c * length;
        let downhill = self.options.kind == Kind::Stable;
        let size = self.wide.size(&x);
        if !(curvature > 0.0) && downhill || !(size <= 0.5) {
            // If the step exceeds the limit by a factor, the stiffness grows by at most that factor.
            let stiffer = if size.is_finite() { (2.0 * size * *c).min(100.0 * *c) } else { 0.0 };
            *c =
                if curvature > 0.0 { higher(*c).max(stiffer) } else { higher(*c).max(-2.0 * along / length) };
            return Ok(None);
        }
        let Ok(next) = self.place(moved_apart(self.system, &place.state, &x)) else {
            *c = higher(*c);
            return Ok(None);
        };
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = work / (0.5 * (curvature + *c * length)).max(f64::MIN_POSITIVE);
        if !(rho > 1e-3 || next.alpha < 0.3 * place.alpha) && next.alpha > self.options.tolerance * self.scale
        {
            *c = higher(*c);
            // Limited by rounding errors: no further gain.
            return Ok((place.alpha <= self.rounding_limit()).then_some(next));
        }
        *c = match () {
            // Not zero, since motions may be free.
            () if next.alpha < 0.1 * place.alpha && next.alpha < 1e-2 * self.scale => 1e-9 * next.slope,
            () if rho > 0.5 || next.alpha < 0.3 * place.alpha => *c / 10.0,
            () if rho > 0.1 => *c,
            () => 3.0 * *c,
        };
        Ok(Some(next))
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

    fn result(&mut self, start: &State, place: TrialPosition, kappa: f64, x: DVector<f64>) -> Equilibrium {
        let axes = Axes::new(self.system, &place.state);
        let unstable = kappa < -1e-8 * self.scale;
        let direction = || Direction { kappa, words: motion(self.layout, &x, Some(&axes)), x: x.clone() };
        let mut difference = vec![0.0; self.system.group().dim()];
        self.system.group().difference(&start.q, &place.state.q, &mut difference);
        let part = |r: std::ops::Range<usize>| difference[r].iter().map(|x| x * x).sum::<f64>().sqrt();
        let layout = self.layout;
        Equilibrium {
            stability: if unstable { Stability::Unstable } else { Stability::Stable },
            unstable: unstable.then(direction).into_iter().collect(),
            free: Vec::new(),
            kappa: vec![kappa],
            acceleration: place.alpha * layout.length,
            factorisations: self.factorisations,
            escapes: self.escapes,
            asymmetry: 0.0,
            rank: self.system.n_lambda(),
            moved: (0..layout.bodies.len())
                .map(|i| [part(layout.rotation(i)), part(layout.translation(i))])
                .collect(),
            path: std::mem::take(&mut self.path),
            rescue: None,
            other: None,
            state: place.state,
        }
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
