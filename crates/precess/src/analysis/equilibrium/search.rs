//! The proximal Newton method of [`equilibrium`](super): positions, steps, escapes, and results.

use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::mobility::mobility;
use crate::solve::decompositions::{cholesky, cholesky_solve, lower_solve};
use crate::solve::products::{asymmetry, congruent, largest, symmetric_part, times, transposed_times};
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

use super::{Direction, Equilibrium, EquilibriumOptions, Kind, ROUNDING, Stability};
use crate::analysis::assembly::{assemble, limited, not_finite};
use crate::analysis::eigen::eigenvalues;
use crate::analysis::freedom::Freedom;
use crate::analysis::local::{Layout, Local, apart, moved_apart, residual};
use crate::analysis::matrix::ascending;
use crate::analysis::matrix::{pseudo_solve, symmetric};
use crate::analysis::noise;
use crate::analysis::reach::{weights, wide};
use crate::analysis::words::{Axes, motion};
use crate::analysis::{AnalysisError, NetForce};

/// After this distance downhill without rest, in rad or lengths of the model, the mechanism is driven in
/// circles, for example by a motor stronger than all weights.
const MAX_PATH: f64 = 20.0;

/// After this number of steps with little gain close to rest, the search ends.
const MAX_STALLED: usize = 3;
/// From this number of bodies on, sparse factors are used first, since dense ones would take long.
const SPARSE_BODIES: usize = 12;

/// The mechanism at one position, at rest.
pub(super) struct RestPosition {
    pub(super) state: State,
    pub(super) local: Local,
    pub(super) freedom: Freedom,
    /// g.
    pub(super) g: DVector<f64>,
    /// N^T g.
    pub(super) force: DVector<f64>,
    /// N^T M N.
    inertia: DMatrix<f64>,
    pub(super) alpha: f64,
    /// The slope in the measure of the search: the step of unit c, in rad and in reaches.
    slope: f64,
}

/// A position in the measure of the inertia.
pub(super) struct Inertial {
    /// N^T M N = 1.
    pub(super) n: DMatrix<f64>,
    /// N^T g.
    pub(super) force: DVector<f64>,
    /// Eigenvalues of the symmetric part of N^T K N.
    pub(super) eigen: SymmetricEigen<f64, Dyn>,
}

impl RestPosition {
    pub(super) fn inertial(&self) -> Inertial {
        let n = lower_solve(&self.inertia, &self.freedom.n.transpose());
        let n = n.map_or_else(|| self.freedom.n.clone(), |x| x.transpose());
        let k = symmetric_part(&congruent(&self.local.k, &n));
        Inertial { force: transposed_times(&n, &self.g), eigen: symmetric(k), n }
    }

    /// N^T M a = -N^T g.
    fn acceleration(&self) -> DVector<f64> {
        times(&self.freedom.n, &cholesky_solve(&self.inertia, &-&self.force))
    }
}

pub(super) struct Search<'a> {
    pub(super) system: &'a dyn Mechanism,
    pub(super) layout: &'a Layout,
    /// Lengths in units of the reach, for the comparison of steps.
    pub(super) wide: Layout,
    /// W, the measure of steps.
    measure: DMatrix<f64>,
    pub(super) options: &'a EquilibriumOptions,
    pub(super) factorisations: usize,
    pub(super) escapes: usize,
    /// Largest accelerations that the forces alone would cause.
    pub(super) scale: f64,
    /// Rounding errors of accelerations; zero until they matter.
    noise: f64,
    /// Total length of all accepted steps, in rad or lengths of the model.
    way: f64,
    /// All accepted positions.
    path: Vec<State>,
    /// A force that holds the mechanism and is released step by step.
    pub(super) hold: Option<DVector<f64>>,
    /// The rescue that succeeded, if the search alone did not.
    pub(super) rescue: Option<&'static str>,
    /// The first unstable equilibrium that was left, and the direction.
    pub(super) left: Option<(State, DVector<f64>)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a dyn Mechanism,
        layout: &'a Layout,
        options: &'a EquilibriumOptions,
    ) -> Self {
        let wide = wide(system, layout);
        Search {
            measure: DMatrix::from_diagonal(&weights(&wide)),
            wide,
            system,
            layout,
            options,
            factorisations: 0,
            escapes: 0,
            scale: 0.0,
            noise: 0.0,
            way: 0.0,
            path: Vec::new(),
            hold: None,
            rescue: None,
            left: None,
        }
    }

    /// For many bodies, the equilibrium found with sparse factors; dense matrices then analyse it.
    pub(super) fn sparse(&mut self, state: &State) -> Option<RestPosition> {
        let many = self.layout.bodies.len() >= SPARSE_BODIES;
        if !many || !self.layout.controls.is_empty() || self.system.n_s() > 0 {
            return None;
        }
        let found = crate::analysis::large::rest::find(self.system, self.layout, state, self.options).ok()?;
        let place = self.place(found.state).ok()?;
        let inertial = place.inertial();
        let floor = self.floor(&inertial.eigen.eigenvalues);
        let stable = lowest(&inertial.eigen.eigenvalues) >= -floor;
        self.noise = self.rounding(&place).ok()?;
        if place.alpha > self.rounding_limit() || (self.options.kind == Kind::Stable && !stable) {
            return None;
        }
        self.factorisations += found.factorisations;
        self.escapes += found.escapes;
        self.path = found.path;
        Some(place)
    }

    /// Forces, stiffness and free motions at a state on the constraints.
    pub(super) fn place(&mut self, mut state: State) -> Result<RestPosition, AnalysisError> {
        self.factorisations += 1;
        state.lambda.fill(0.0);
        let mut g = residual(self.system, &state);
        if let Some(hold) = &self.hold {
            g -= hold;
        }
        let mut local = Local::new(self.system, &state);
        let freedom = Freedom::new(&self.measure, &local.b, &self.wide)?;
        let force = transposed_times(&freedom.n, &g);
        let x = -times(&freedom.n, &force);
        let lambda = freedom.multipliers(&-(&g + times(&self.measure, &x)));
        state.lambda.copy_from_slice(lambda.as_slice());
        local.k = Local::new(self.system, &state).k;
        apart(self.system, &residual(self.system, &state), &mut local.k);
        // Positions of control states do not matter; their rates do.
        for j in self.layout.controls.clone() {
            let column = local.d.column(j).into_owned();
            local.k.set_column(j, &column);
        }
        let Some(inertia) = cholesky(freedom.reduced(&local.m)) else {
            let massless = Freedom::new(&local.m, &local.b, self.layout).err();
            return Err(massless.unwrap_or_else(|| not_finite("an inertia")));
        };
        let a = times(&freedom.n, &cholesky_solve(&inertia, &-&force));
        let alone = cholesky(local.m.clone()).map(|l| self.layout.size(&cholesky_solve(&l, &g)));
        self.scale = self.scale.max(alone.unwrap_or_else(|| self.layout.size(&a)));
        let alpha = self.layout.size(&a).max(controls(self.layout, &a));
        if !(alpha.is_finite() && local.k.iter().all(|x| x.is_finite())) {
            return Err(not_finite("a force"));
        }
        Ok(RestPosition { slope: self.wide.size(&x), state, local, freedom, g, force, inertia, alpha })
    }

    /// Rounding errors of the accelerations at a position.
    fn rounding(&mut self, place: &RestPosition) -> Result<f64, AnalysisError> {
        let (scale, x) = (self.scale, noise::jitter(&self.wide.units()));
        let moved = self.place(moved_apart(self.system, &place.state, &x))?;
        // Restored, since the jitter is not a motion of the mechanism.
        self.scale = scale;
        Ok(noise::rounding(self.layout.size(&(moved.acceleration() - place.acceleration()))))
    }

    /// Smaller accelerations may be rounding errors.
    fn rounding_limit(&self) -> f64 {
        (1e-7 * self.scale).max(noise::ROUNDING_FACTOR * self.noise)
    }

    fn is_done(&self, place: &RestPosition) -> bool {
        place.alpha <= self.options.tolerance * self.scale
    }

    /// Eigenvalues of the symmetric part of the stiffness on the free motions, in the measure of the search.
    fn eigen(place: &RestPosition) -> SymmetricEigen<f64, Dyn> {
        let k = place.freedom.reduced(&place.local.k);
        symmetric(symmetric_part(&k))
    }

    /// True if a negative stiffness is real. If forces have no potential (a torque fixed in space), the
    /// symmetric part of K may have one although K has not.
    fn is_unstable(place: &RestPosition, floor: f64) -> bool {
        let k = place.freedom.reduced(&place.local.k);
        if asymmetry(&k) <= ROUNDING * largest(k.as_slice()) {
            return true;
        }
        eigenvalues(&k).map_or(true, |list| list.iter().any(|x| x.re < -floor))
    }

    /// Smaller stiffness counts as zero.
    fn floor(&self, kappa: &DVector<f64>) -> f64 {
        1e-11 * largest(kappa.as_slice()) + 1e-8 * self.scale
    }

    pub(super) fn run(&mut self, state: State) -> Result<RestPosition, AnalysisError> {
        let mut place = self.place(state)?;
        self.path.push(place.state.clone());
        let most = self.factorisations + self.options.iterations;
        let simple = self.options.kind == Kind::Any || !self.layout.controls.is_empty();
        let mut c = 2.0 * place.slope;
        let (mut polished, mut stalled) = (false, 0);
        while self.factorisations < most {
            // If light bodies carry large forces, rounding errors limit the accuracy.
            let done = self.is_done(&place) || stalled >= MAX_STALLED;
            if simple {
                if done {
                    return Ok(place);
                }
                match self.newton(&place)? {
                    Some(next) => place = self.accepted(next),
                    None => return Err(self.not_found(&place)),
                }
                continue;
            }
            if done || place.alpha < self.rounding_limit() {
                let inertial = place.inertial();
                let floor = self.floor(&inertial.eigen.eigenvalues);
                let unstable =
                    lowest(&inertial.eigen.eigenvalues) < -floor && Self::is_unstable(&place, floor);
                if unstable {
                    if self.escapes == 20 {
                        break;
                    }
                    self.escapes += 1;
                    let next = self.escape(&place, &inertial)?;
                    (place, c) = (self.accepted(next), 0.0);
                    continue;
                }
            }
            if done {
                if polished || place.alpha == 0.0 || stalled >= MAX_STALLED {
                    return Ok(place);
                }
                // One more Newton step costs little and removes the rest.
                polished = true;
                match self.newton(&place)? {
                    Some(next) if next.alpha < place.alpha => place = self.accepted(next),
                    _ => return Ok(place),
                }
                continue;
            }
            let eigen = Self::eigen(&place);
            let (next, before) = (self.step(&place, &eigen, &mut c)?, place.alpha);
            if let Some(next) = next {
                place = self.accepted(next);
            }
            let creeps = place.alpha > 0.3 * before;
            if creeps && self.noise == 0.0 && place.alpha <= noise::SMALL * self.scale {
                self.noise = self.rounding(&place)?;
            }
            stalled = if creeps && place.alpha <= self.rounding_limit() { stalled + 1 } else { 0 };
            if c > 1e12 * place.slope.max(f64::MIN_POSITIVE) {
                break;
            }
        }
        Err(self.not_found(&place))
    }

    fn accepted(&mut self, place: RestPosition) -> RestPosition {
        self.path.push(place.state.clone());
        place
    }

    /// A step of the proximal Newton method; none if it was refused.
    fn step(
        &mut self,
        place: &RestPosition,
        eigen: &SymmetricEigen<f64, Dyn>,
        c: &mut f64,
    ) -> Result<Option<RestPosition>, AnalysisError> {
        let kappa = &eigen.eigenvalues;
        let floor = 1e-11 * largest(kappa.as_slice());
        let lowest = lowest(kappa);
        if lowest < -floor {
            *c = c.max(-1.5 * lowest);
        }
        let force = transposed_times(&eigen.eigenvectors, &place.force);
        let (mut y, mut x);
        loop {
            y = DVector::from_fn(kappa.len(), |i, _| {
                let stiffness = kappa[i] + *c;
                if stiffness > 0.5 * floor { -force[i] / stiffness } else { 0.0 }
            });
            x = times(&place.freedom.n, &times(&eigen.eigenvectors, &y));
            if !(self.wide.size(&x) > 0.5) {
                break;
            }
            *c = (2.0 * *c).max(0.25 * place.slope);
        }
        let curvature: f64 = y.iter().zip(kappa.iter()).map(|(y, k)| y * y * (k + *c)).sum();
        let predicted = 0.5 * (curvature + *c * y.norm_squared());
        let Ok((trial, _)) = assemble(self.system, &self.wide, &moved_apart(self.system, &place.state, &x))
        else {
            *c = (4.0 * *c).max(0.5 * place.slope);
            self.factorisations += 1;
            return Ok(None);
        };
        let next = self.place(trial)?;
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = if predicted > 0.0 { work / predicted } else { 0.0 };
        if !(rho > 1e-3 || next.alpha < 0.3 * place.alpha) {
            *c = (4.0 * *c).max(0.5 * place.slope);
            return Ok(None);
        }
        self.way += self.wide.size(&x);
        *c = match () {
            () if next.alpha < 0.1 * place.alpha && next.alpha < 1e-2 * self.scale => 0.0,
            () if rho > 0.5 || next.alpha < 0.3 * place.alpha => *c / 10.0,
            () if rho > 0.1 => *c,
            () => 3.0 * *c,
        };
        Ok(Some(next))
    }

    /// Leaves an unstable point along its softest motion.
    fn escape(&mut self, place: &RestPosition, inertial: &Inertial) -> Result<RestPosition, AnalysisError> {
        let eigen = &inertial.eigen;
        let softest = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
        let x = times(&inertial.n, &softest);
        // Downhill if there is a slope.
        let sign = if place.g.dot(&x) > 0.0 { -1.0 } else { 1.0 };
        let x = &x * (0.1 * sign / self.wide.size(&x));
        self.left.get_or_insert_with(|| (place.state.clone(), x.clone()));
        let (state, _) = assemble(self.system, &self.wide, &moved_apart(self.system, &place.state, &x))?;
        self.place(state)
    }

    /// A damped Newton step, with a pseudo-inverse if motions are free; none if no length of it helps.
    fn newton(&mut self, place: &RestPosition) -> Result<Option<RestPosition>, AnalysisError> {
        let k = place.freedom.reduced(&place.local.k);
        let y = pseudo_solve(&k, &-&place.force, 1e-11);
        let full = limited(&self.wide, times(&place.freedom.n, &y));
        let mut part = 1.0;
        for _ in 0..12 {
            let x = &full * part;
            let mut trial = moved_apart(self.system, &place.state, &x);
            for j in self.layout.controls.clone() {
                trial.v[j] += x[j];
            }
            if let Ok((trial, _)) = assemble(self.system, &self.wide, &trial) {
                let next = self.place(trial)?;
                if next.alpha < (1.0 - 0.1 * part) * place.alpha || self.is_done(&next) {
                    return Ok(Some(next));
                }
            }
            part *= 0.5;
        }
        Ok(None)
    }

    /// The error if nothing was found: a force on a motion without stiffness, or something else.
    fn not_found(&self, place: &RestPosition) -> AnalysisError {
        let Inertial { n, force, eigen } = place.inertial();
        let axes = Axes::new(self.system, &place.state);
        let floor = self.floor(&eigen.eigenvalues).max(1e-6 * self.scale);
        let force = transposed_times(&eigen.eigenvectors, &force);
        let free =
            DVector::from_fn(
                force.len(),
                |i, _| if eigen.eigenvalues[i].abs() <= floor { -force[i] } else { 0.0 },
            );
        let x = times(&n, &times(&eigen.eigenvectors, &free));
        if self.layout.size(&x) > 0.01 * place.alpha {
            return AnalysisError::NothingHolds { forces: self.net_forces(place, &x, &axes) };
        }
        let a = place.acceleration();
        if self.way > MAX_PATH {
            return AnalysisError::NothingHolds { forces: self.net_forces(place, &a, &axes) };
        }
        AnalysisError::NotFound {
            iterations: self.factorisations,
            acceleration: place.alpha * self.layout.length,
            motion: motion(self.layout, &a, Some(&axes)),
            stable: self.options.kind == Kind::Stable,
        }
    }

    /// The force along the motion x, per unit of its largest translation or rotation.
    fn net_forces(&self, place: &RestPosition, x: &DVector<f64>, axes: &Axes) -> Vec<NetForce> {
        let parts: Vec<_> = (0..self.layout.bodies.len()).map(|i| axes.spatial(self.layout, i, x)).collect();
        let turning = parts.iter().map(|p| p[0].norm()).fold(0.0, f64::max);
        let moving = parts.iter().map(|p| p[1].norm()).fold(0.0, f64::max);
        let is_torque = turning >= 0.3 * moving / self.layout.length;
        let unit = if is_torque { turning } else { moving };
        vec![NetForce {
            size: place.g.dot(x).abs() / unit,
            is_torque,
            motion: motion(self.layout, x, Some(axes)),
        }]
    }

    pub(super) fn classify(&mut self, place: RestPosition, q: &[f64]) -> Result<Equilibrium, AnalysisError> {
        if let Some(structure) = self.system.structure() {
            let m = mobility(self.system, &place.state, &structure.constraints, self.layout.moving());
            if let Some(nearby) = m.rank_nearby {
                return Err(AnalysisError::Singular { rank: m.rank, nearby });
            }
        }
        let Inertial { n, eigen, .. } = place.inertial();
        let k = congruent(&place.local.k, &n);
        let size = largest(k.as_slice());
        let asymmetry = if size > 0.0 { asymmetry(&k) / size } else { 0.0 };
        let floor = self.floor(&eigen.eigenvalues);
        let axes = Axes::new(self.system, &place.state);
        let order = ascending(&eigen.eigenvalues);
        let direction = |i: usize| {
            let x = times(&n, &eigen.eigenvectors.column(i).into());
            Direction { kappa: eigen.eigenvalues[i], words: motion(self.layout, &x, Some(&axes)), x }
        };
        let pick = |test: &dyn Fn(f64) -> bool| -> Vec<Direction> {
            order.iter().copied().filter(|&i| test(eigen.eigenvalues[i])).map(direction).collect()
        };
        let unstable = pick(&|kappa| kappa < -floor);
        let free = pick(&|kappa| kappa.abs() <= floor);
        let stability = match (order.len(), unstable.len(), free.len()) {
            (0, _, _) => Stability::Fixed,
            (_, 0, 0) => Stability::Stable,
            (_, 0, _) => Stability::StableWithFreeMotions,
            _ => Stability::Unstable,
        };
        let mut difference = vec![0.0; self.system.group().dim()];
        self.system.group().difference(q, &place.state.q, &mut difference);
        let part = |r: std::ops::Range<usize>| difference[r].iter().map(|x| x * x).sum::<f64>().sqrt();
        let bodies = 0..self.layout.bodies.len();
        Ok(Equilibrium {
            kappa: order.iter().map(|&i| eigen.eigenvalues[i]).collect(),
            stability,
            unstable,
            free,
            acceleration: place.alpha * self.layout.length,
            factorisations: self.factorisations,
            escapes: self.escapes,
            asymmetry,
            rank: place.freedom.rank,
            moved: bodies
                .map(|i| [part(self.layout.rotation(i)), part(self.layout.translation(i))])
                .collect(),
            path: std::mem::take(&mut self.path),
            rescue: self.rescue,
            other: None,
            state: place.state,
        })
    }
}

/// Largest rate of the states of controls.
fn controls(layout: &Layout, a: &DVector<f64>) -> f64 {
    layout.controls.clone().map(|i| a[i].abs()).fold(0.0, f64::max)
}

fn lowest(kappa: &DVector<f64>) -> f64 {
    kappa.iter().copied().fold(f64::INFINITY, f64::min)
}
