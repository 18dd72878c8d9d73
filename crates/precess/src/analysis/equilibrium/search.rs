//! The proximal Newton method of [`equilibrium`](super): positions, steps, escapes, and results.

use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::mobility::mobility;
use crate::solve::decompositions::{cholesky, cholesky_solve, lower_solve, solve};
use crate::solve::products::{congruent, largest, symmetric_part, times, transposed_times};
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

use super::{Equilibrium, EquilibriumOptions, Kind};
use crate::analysis::assembly::{assemble, limited, not_finite};
use crate::analysis::eigen::grows;
use crate::analysis::freedom::Freedom;
use crate::analysis::local::{Layout, Local, apart, displacement, moved_apart, residual};
use crate::analysis::matrix::{pseudo_solve, symmetric};
use crate::analysis::stiffness::{StiffnessBlocks, extent, is_rounding, row_sums};
use crate::analysis::travel::{weights, wide};
use crate::analysis::words::{Axes, motion};
use crate::analysis::{AnalysisError, NetForce};

/// After this distance downhill without rest, in rad or lengths of the model, the mechanism is driven in
/// circles, for example by a motor stronger than all weights.
const MAX_PATH: f64 = 20.0;

/// The search ends with a Newton step below this, in rad or reaches of the model.
pub(crate) const SMALL_STEP: f64 = 1e-9;
/// Steps below this that no longer become shorter are rounding errors.
pub(crate) const SHORT_STEP: f64 = 1e-5;
/// After this number of such steps the search ends.
pub(crate) const MAX_STALLED: usize = 3;
/// The least stiffness c, relative to the forces: motions without stiffness are not moved by rounding errors.
pub(crate) const LEAST_STIFFNESS: f64 = 1e-7;
/// The least stiffness becomes smaller by this factor if the search creeps towards a soft position of rest.
pub(crate) const SOFTER: f64 = 30.0;
/// A search creeps if the next Newton step is longer than this part of the last one.
pub(crate) const CREEPING: f64 = 0.05;
/// Lengths of steps in a search that creeps. Shorter ones may be rounding errors on motions without
/// stiffness.
pub(crate) const CREEPING_STEPS: std::ops::Range<f64> = 1e-7..1e-3;
/// How often the least stiffness becomes smaller.
pub(crate) const MAX_SOFTER: usize = 4;
/// A step of Newton's method converges if the next one is shorter by this factor.
pub(crate) const CONTRACTION: f64 = 0.5;
/// The corrections of a step end when they are shorter than this part of it.
pub(crate) const CORRECTED: f64 = 0.1;
/// Largest number of corrections of a step.
pub(crate) const MAX_CORRECTIONS: usize = 6;
/// From this number of bodies on, sparse factors are used first, since dense ones would take long.
const SPARSE_BODIES: usize = 12;

/// The mechanism at one position, at rest.
pub(super) struct RestPosition {
    pub(super) state: State,
    pub(super) local: Local,
    pub(super) freedom: Freedom,
    /// g.
    pub(super) g: DVector<f64>,
    /// g + B^T lambda.
    rest: DVector<f64>,
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
    /// The largest force on a body at the start, in the measure of steps.
    force: f64,
    /// How often the least stiffness was made smaller.
    softer: usize,
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
            force: 0.0,
            softer: 0,
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
        let place = self.rest_position(found.state).ok()?;
        self.factorisations += found.factorisations;
        self.escapes += found.escapes;
        self.path = found.path;
        Some(place)
    }

    /// Forces, stiffness and free motions at a state on the constraints.
    pub(super) fn rest_position(&mut self, mut state: State) -> Result<RestPosition, AnalysisError> {
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
        let mut rest = residual(self.system, &state);
        apart(self.system, &rest, &mut local.k);
        if let Some(hold) = &self.hold {
            rest -= hold;
        }
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
        if self.force == 0.0 {
            self.force = forces(&self.wide, &g).max(weights_of(self.system, &self.wide, &local.m));
        }
        Ok(RestPosition { slope: self.wide.size(&x), state, local, freedom, g, rest, force, inertia, alpha })
    }

    /// No better position can be expected.
    fn is_exact(&self, place: &RestPosition) -> bool {
        let gravity = self.system.acceleration_scale().unwrap_or(0.0) / self.layout.length;
        place.alpha <= 1e-4 * self.options.tolerance * gravity
    }

    /// Eigenvalues of the symmetric part of the stiffness on the free motions, in the measure of the search.
    fn eigen(place: &RestPosition) -> SymmetricEigen<f64, Dyn> {
        let k = place.freedom.reduced(&place.local.k);
        symmetric(symmetric_part(&k))
    }

    /// Smaller stiffness may be zero, for messages.
    fn floor(&self, kappa: &DVector<f64>) -> f64 {
        1e-11 * largest(kappa.as_slice()) + 1e-8 * self.scale
    }

    /// True if the remaining forces are rounding errors.
    fn is_balanced(&self, place: &RestPosition) -> bool {
        let rows = row_sums(&place.local.k, &extent(self.system, self.layout, &place.state));
        is_rounding(&rows, &place.rest, (&self.wide, self.force))
    }

    /// The least c.
    fn least(&self) -> f64 {
        (LEAST_STIFFNESS * self.force * SOFTER.powi(-(self.softer as i32))).max(f64::MIN_POSITIVE)
    }

    pub(super) fn run(&mut self, state: State) -> Result<RestPosition, AnalysisError> {
        let mut place = self.rest_position(state)?;
        self.path.push(place.state.clone());
        let most = self.factorisations + self.options.iterations;
        let simple = self.options.kind == Kind::Any || !self.layout.controls.is_empty();
        self.softer = 0;
        let mut c = (2.0 * place.slope).max(self.least());
        let (mut before, mut stalled) = (f64::INFINITY, 0);
        while self.factorisations < most {
            if simple {
                match self.newton(&place)? {
                    (next, true) => {
                        return Ok(match next {
                            Some(next) if next.alpha < place.alpha => self.accepted(next),
                            _ => place,
                        });
                    }
                    (Some(next), false) => place = self.accepted(next),
                    (None, false) => return Err(self.not_found(&place)),
                }
                continue;
            }
            let eigen = Self::eigen(&place);
            self.rest_in_place(&mut place, &eigen);
            let last = self.last_step(&place, &eigen);
            let size = self.wide.size(&last);
            let creeps = size > CREEPING * before && c <= 2.0 * self.least();
            stalled = if creeps && size <= SHORT_STEP { stalled + 1 } else { 0 };
            if creeps && self.softer < MAX_SOFTER && CREEPING_STEPS.contains(&size) {
                (self.softer, stalled) = (self.softer + 1, 0);
            }
            before = size;
            let exact = size <= SHORT_STEP && self.is_exact(&place) || self.is_balanced(&place);
            if place.alpha == 0.0 || size <= SMALL_STEP || exact || stalled >= MAX_STALLED {
                if let Some(away) = self.unstable(&place) {
                    if self.escapes == 20 {
                        break;
                    }
                    self.escapes += 1;
                    let next = self.escape(&place, &away)?;
                    (place, c, before, stalled) = (self.accepted(next), 0.0, f64::INFINITY, 0);
                    continue;
                }
                // The last step costs little and removes the rest.
                if !exact
                    && let Ok((trial, _)) =
                        assemble(self.system, &self.wide, &moved_apart(self.system, &place.state, &last))
                    && let Ok(next) = self.rest_position(trial)
                    && next.alpha < place.alpha
                {
                    place = self.accepted(next);
                }
                return Ok(place);
            }
            if let Some(next) = self.step(&place, &eigen, &mut c)? {
                place = self.accepted(next);
            }
            if c > 1e12 * place.slope.max(f64::MIN_POSITIVE) && c > 1e3 * self.least() {
                break;
            }
        }
        Err(self.not_found(&place))
    }

    /// Removes rounding errors of forces along motions without stiffness: they stay where they are.
    fn rest_in_place(&self, place: &mut RestPosition, eigen: &SymmetricEigen<f64, Dyn>) {
        let kappa = &eigen.eigenvalues;
        let most = largest(kappa.as_slice());
        let (soft, small) = (1e-11 * self.force, 1e-11 * self.force + 10.0 * f64::EPSILON * most);
        let candidates: Vec<usize> =
            (0..kappa.len()).filter(|&i| kappa[i].abs() <= soft.max(1e-9 * most)).collect();
        if candidates.is_empty() {
            return;
        }
        let blocks = StiffnessBlocks::new(self.layout, &place.local.k);
        for i in candidates {
            let v = eigen.eigenvectors.column(i);
            let (along, z) = (v.dot(&place.force), times(&place.freedom.n, &v.into()));
            let free = blocks.between(&z, &z).abs() <= soft + blocks.limit(&z, &z);
            if free && along.abs() <= small {
                place.force.axpy(-along, &v, 1.0);
            }
        }
    }

    /// The step with the least c; only along positive stiffness.
    fn last_step(&self, place: &RestPosition, eigen: &SymmetricEigen<f64, Dyn>) -> DVector<f64> {
        let force = transposed_times(&eigen.eigenvectors, &place.force);
        let least = self.least();
        let y = DVector::from_fn(force.len(), |i, _| -force[i] / (eigen.eigenvalues[i].abs() + least));
        times(&place.freedom.n, &times(&eigen.eigenvectors, &y))
    }

    /// The motion along which an equilibrium is left without vibrating, if there is one.
    fn unstable(&self, place: &RestPosition) -> Option<DVector<f64>> {
        let (linear, spectrum) = super::judge(self.system, self.layout, &place.state).ok()?;
        let s = spectrum.values.iter().filter(|s| grows(**s) && s.im == 0.0);
        let s = s.max_by(|a, b| a.re.total_cmp(&b.re))?;
        let pair = spectrum.pairs(&[*s]).into_iter().next()?;
        Some(times(&linear.n, &pair.p.map(|x| x.re)))
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
        let (lowest, least) = (lowest(kappa), self.least());
        *c = c.max(-1.5 * lowest).max(least);
        let force = transposed_times(&eigen.eigenvectors, &place.force);
        let (mut y, mut x);
        loop {
            y = DVector::from_fn(kappa.len(), |i, _| {
                let stiffness = kappa[i] + *c;
                if stiffness > 0.0 { -force[i] / stiffness } else { 0.0 }
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
        let next = self.rest_position(trial)?;
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = if predicted > 0.0 { work / predicted } else { 0.0 };
        let size = self.wide.size(&x);
        if rho > 1e-3 || next.alpha < 0.3 * place.alpha {
            self.way += size;
            *c = match () {
                () if next.alpha < 0.1 * place.alpha && size < 0.1 => least,
                () if rho > 0.5 || next.alpha < 0.3 * place.alpha => *c / 10.0,
                () if rho > 0.1 => *c,
                () => 3.0 * *c,
            };
            return Ok(Some(next));
        }
        // Bending a slender beam stretches it a little, which costs much work. Corrections remove this.
        let corrected = self.corrected(place, next, size, *c)?;
        match &corrected {
            Some((_, count)) => {
                self.way += size;
                *c = if *count <= 2 { *c / 10.0 } else { *c };
            }
            None => *c = (4.0 * *c).max(0.5 * place.slope),
        }
        Ok(corrected.map(|x| x.0))
    }

    /// Newton's method for a step of the flow, g + B^T lambda + c W x = 0 with the displacement x, from a
    /// first approximation: the position and the number of corrections.
    fn corrected(
        &mut self,
        place: &RestPosition,
        first: RestPosition,
        size: f64,
        c: f64,
    ) -> Result<Option<(RestPosition, usize)>, AnalysisError> {
        let (mut now, mut before) = (first, size);
        for count in 1..=MAX_CORRECTIONS {
            let moved = displacement(self.system, &place.state, &now.state);
            let n = &now.freedom.n;
            let force = transposed_times(n, &(&now.rest + times(&self.measure, &moved) * c));
            let k = now.freedom.reduced(&now.local.k) + DMatrix::identity(n.ncols(), n.ncols()) * c;
            let Some(y) = solve(k, &DMatrix::from_column_slice(force.len(), 1, (-force).as_slice())) else {
                return Ok(None);
            };
            let x = times(n, &y.column(0).into());
            let length = self.wide.size(&x);
            if !(length < CONTRACTION * before) {
                return Ok(None);
            }
            let trial = moved_apart(self.system, &now.state, &x);
            let Ok((trial, _)) = assemble(self.system, &self.wide, &trial) else { return Ok(None) };
            now = self.rest_position(trial)?;
            before = length;
            if length < CORRECTED * size {
                return Ok(Some((now, count)));
            }
        }
        Ok(None)
    }

    /// Leaves an unstable point along a motion.
    fn escape(&mut self, place: &RestPosition, x: &DVector<f64>) -> Result<RestPosition, AnalysisError> {
        // Downhill if there is a slope.
        let sign = if place.g.dot(x) > 0.0 { -1.0 } else { 1.0 };
        let x = x * (0.1 * sign / self.wide.size(x));
        self.left.get_or_insert_with(|| (place.state.clone(), x.clone()));
        let (state, _) = assemble(self.system, &self.wide, &moved_apart(self.system, &place.state, &x))?;
        self.rest_position(state)
    }

    /// A damped Newton step to a position whose next step with the same matrix is shorter, and whether it is
    /// the last one. No step if no length of it helps.
    fn newton(&mut self, place: &RestPosition) -> Result<(Option<RestPosition>, bool), AnalysisError> {
        let k = place.freedom.reduced(&place.local.k);
        let size = k.nrows();
        let least = self.least();
        let solve = |force: &DVector<f64>| {
            // The least stiffness holds motions that have none.
            let right = DMatrix::from_column_slice(size, 1, force.as_slice());
            let y = solve(&k + DMatrix::identity(size, size) * least, &right);
            let y = y.map_or_else(|| pseudo_solve(&k, force, 1e-15), |y| y.column(0).into());
            times(&place.freedom.n, &y)
        };
        let full = solve(&-&place.force);
        let controls_rest = self.layout.controls.is_empty();
        let step = self.wide.size(&full).max(controls(self.layout, &full));
        if place.alpha == 0.0 || !step.is_finite() {
            return Ok((None, place.alpha == 0.0));
        }
        if step <= SHORT_STEP && self.is_exact(place) || controls_rest && self.is_balanced(place) {
            return Ok((None, true));
        }
        let full = limited(&self.wide, full);
        let mut part = 1.0;
        for _ in 0..12 {
            let x = &full * part;
            let mut trial = moved_apart(self.system, &place.state, &x);
            for j in self.layout.controls.clone() {
                trial.v[j] += x[j];
            }
            if let Ok((trial, _)) = assemble(self.system, &self.wide, &trial) {
                let next = self.rest_position(trial)?;
                if step <= SMALL_STEP {
                    return Ok((Some(next), true));
                }
                let after = solve(&-transposed_times(&place.freedom.n, &next.rest));
                let after = self.wide.size(&after).max(controls(self.layout, &after));
                let better = next.alpha < (1.0 - 0.1 * part) * place.alpha && step > SHORT_STEP;
                if after < (1.0 - 0.1 * part) * step || better {
                    return Ok((Some(next), false));
                }
                // Shorter steps are rounding errors.
                if step <= SHORT_STEP {
                    return Ok((None, true));
                }
            }
            part *= 0.5;
        }
        Ok((None, false))
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
        let verdict = super::verdict(self.system, self.layout, &place.state)?;
        let mut difference = vec![0.0; self.system.group().dim()];
        self.system.group().difference(q, &place.state.q, &mut difference);
        let part = |r: std::ops::Range<usize>| difference[r].iter().map(|x| x * x).sum::<f64>().sqrt();
        let bodies = 0..self.layout.bodies.len();
        Ok(Equilibrium {
            kappa: verdict.kappa,
            stability: verdict.stability,
            unstable: verdict.unstable,
            free: verdict.free,
            degrees_of_freedom: place.freedom.dim(),
            acceleration: place.alpha * self.layout.length,
            factorisations: self.factorisations,
            escapes: self.escapes,
            asymmetry: verdict.asymmetry,
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

/// The largest force on one body in the measure of steps.
pub(crate) fn forces(wide: &Layout, g: &DVector<f64>) -> f64 {
    let each = (0..wide.bodies.len()).map(|i| {
        let part = |r: std::ops::Range<usize>| g.rows(r.start, r.len()).norm();
        part(wide.rotation(i)).max(part(wide.translation(i)) * wide.length)
    });
    each.fold(0.0, f64::max)
}

/// The largest weight of a body in the measure of steps.
fn weights_of(system: &dyn Mechanism, wide: &Layout, m: &DMatrix<f64>) -> f64 {
    let heaviest = (0..wide.bodies.len()).map(|i| m[(wide.translation(i).start, wide.translation(i).start)]);
    heaviest.fold(0.0, f64::max) * system.acceleration_scale().unwrap_or(0.0) * wide.length
}

/// Largest rate of the states of controls.
fn controls(layout: &Layout, a: &DVector<f64>) -> f64 {
    layout.controls.clone().map(|i| a[i].abs()).fold(0.0, f64::max)
}

fn lowest(kappa: &DVector<f64>) -> f64 {
    kappa.iter().copied().fold(f64::INFINITY, f64::min)
}
