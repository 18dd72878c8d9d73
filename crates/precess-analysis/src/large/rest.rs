//! Where large models rest: the proximal Newton method of [`equilibrium`](crate::equilibrium) with sparse factors.
//!
//! ```text
//! [ K + c M   B^T ] [ x   ]     [ g + B^T lambda ]
//! [ B          0  ] [ dmu ] = - [ 0              ]        q <- q exp(x), brought back onto the joints
//! ```
//!
//! lambda and the acceleration on release come from the saddle-point system of the integrators. Steps uphill are refused by their curvature, and
//! the lowest stiffness is found by Lanczos' method, so that an unstable place is seen and left.

use nalgebra::DVector;
use precess::integrate::{Accelerations, project_position};
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;

use super::{BLOCK, Shifted, grow, start};
use crate::equilibrium::{Direction, Equilibrium, Kind, Options, Stability};
use crate::local::{Layout, moved_apart, residual};
use crate::words::{Axes, motion};
use crate::{AnalysisError, NetForce};

/// Unstable places that are left.
const ESCAPES: usize = 20;

/// A position with its forces.
struct Place {
    state: State,
    /// g.
    g: DVector<f64>,
    /// g + B^T lambda.
    rest: DVector<f64>,
    /// The acceleration on release.
    a: DVector<f64>,
    alpha: f64,
}

struct Search<'a> {
    system: &'a dyn Mechanism,
    layout: &'a Layout,
    options: &'a Options,
    scale: f64,
    factorisations: usize,
    escapes: usize,
    path: Vec<State>,
}

/// Looks for an equilibrium from a state at rest that is on the constraints.
pub fn find(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    options: &Options,
) -> Result<Equilibrium, AnalysisError> {
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let mut search =
        Search { system, layout, options, scale, factorisations: 0, escapes: 0, path: vec![state.clone()] };
    search.run(state)
}

impl Search<'_> {
    fn place(&mut self, mut state: State) -> Result<Place, AnalysisError> {
        project_position(self.system, &mut state)?;
        state.v.fill(0.0);
        state.remember(self.system);
        Accelerations::new(self.system).solve(self.system, &mut state)?;
        let a = DVector::from_column_slice(&state.vdot);
        state.vdot.fill(0.0);
        let rest = residual(self.system, &state);
        let alone = State { lambda: vec![0.0; state.lambda.len()], ..state.clone() };
        let alpha = self.layout.size(&a);
        if !alpha.is_finite() {
            return Err(crate::assembly::not_finite("a force"));
        }
        self.scale = self.scale.max(alpha);
        Ok(Place { g: residual(self.system, &alone), rest, a, alpha, state })
    }

    fn run(&mut self, state: &State) -> Result<Equilibrium, AnalysisError> {
        let mut place = self.place(state.clone())?;
        let mut c = 10.0 * place.alpha;
        let mut polished = false;
        while self.factorisations < self.options.iterations {
            if place.alpha <= self.options.tolerance * self.scale
                || (polished && place.alpha <= 1e-7 * self.scale)
            {
                let (kappa, x) = self.lowest(&place)?;
                let floor = 1e-8 * self.scale;
                if kappa >= -floor || self.options.kind == Kind::Any || self.escapes == ESCAPES {
                    return Ok(self.result(state, place, kappa, x));
                }
                self.escapes += 1;
                let sign = if place.g.dot(&x) > 0.0 { -0.1 } else { 0.1 };
                let away = &x * (sign / self.layout.size(&x));
                place = self.place(moved_apart(self.system, &place.state, &away))?;
                self.path.push(place.state.clone());
                (c, polished) = (-1.5 * kappa, false);
                continue;
            }
            match self.step(&place, &mut c)? {
                Some(next) => {
                    polished = next.alpha > 0.3 * place.alpha && next.alpha <= 1e-7 * self.scale;
                    self.path.push(next.state.clone());
                    place = next;
                }
                None if c > 1e12 * (1.0 + self.scale) => break,
                None => {}
            }
        }
        Err(self.lost(&place))
    }

    /// A step; none if it was refused.
    fn step(&mut self, place: &Place, c: &mut f64) -> Result<Option<Place>, AnalysisError> {
        self.factorisations += 1;
        let higher = |c: f64| (4.0 * c).max(0.5 * place.alpha);
        let mut shifted = Shifted::new(self.system, &place.state, *c)?;
        let x = shifted.solve(&-&place.rest);
        let along = Shifted::times(&shifted.t.k, &x).dot(&x);
        let mass = Shifted::times(&shifted.t.s, &x).dot(&x);
        let curvature = along + *c * mass;
        let downhill = self.options.kind == Kind::Stable;
        if !(curvature > 0.0) && downhill || !(self.layout.size(&x) <= 0.5) {
            *c = if curvature > 0.0 { higher(*c) } else { higher(*c).max(-2.0 * along / mass) };
            return Ok(None);
        }
        let Ok(next) = self.place(moved_apart(self.system, &place.state, &x)) else {
            *c = higher(*c);
            return Ok(None);
        };
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = work / (0.5 * (curvature + *c * mass)).max(f64::MIN_POSITIVE);
        if !(rho > 1e-3 || next.alpha < 0.3 * place.alpha) && next.alpha > self.options.tolerance * self.scale
        {
            *c = higher(*c);
            // Rounding decides: nothing is gained any more.
            return Ok((place.alpha <= 1e-7 * self.scale).then_some(next));
        }
        *c = match () {
            // Not zero: motions may be free.
            () if next.alpha < 0.1 * place.alpha && next.alpha < 1e-2 * self.scale => 1e-9 * self.scale,
            () if rho > 0.5 || next.alpha < 0.3 * place.alpha => *c / 10.0,
            () if rho > 0.1 => *c,
            () => 3.0 * *c,
        };
        Ok(Some(next))
    }

    /// The lowest stiffness over inertia, and its motion.
    fn lowest(&mut self, place: &Place) -> Result<(f64, DVector<f64>), AnalysisError> {
        let mut shifted = Shifted::new(self.system, &place.state, self.scale.max(1e-3))?;
        let mut basis = start(&mut shifted);
        grow(&mut shifted, &mut basis, 20 * BLOCK);
        let (values, vectors) = basis.ritz(&shifted.t.k, f64::NEG_INFINITY, 1);
        let none = || (0.0, DVector::zeros(self.layout.controls.end));
        Ok(values.first().copied().zip(vectors.into_iter().next()).unwrap_or_else(none))
    }

    fn result(&mut self, start: &State, place: Place, kappa: f64, x: DVector<f64>) -> Equilibrium {
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

    fn lost(&self, place: &Place) -> AnalysisError {
        let axes = Axes::new(self.system, &place.state);
        let words = motion(self.layout, &place.a, Some(&axes));
        // Everything falls alike: nothing holds it.
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
