//! Where a mechanism rests: g(q, 0, t) + B^T lambda = 0, Phi(q, t) = 0.
//!
//! The search is a proximal Newton method on the motions N that the constraints leave free (N^T M N = 1):
//!
//! ```text
//! (N^T K N + c) y = -N^T g,     q <- assemble(q exp(N y))
//! ```
//!
//! an implicit Euler step of the flow of M q' = -(g + B^T lambda) with pseudo-time 1/c. Steps are judged by the work of the forces
//! on the way, -(g(q) + g(q+)) . x / 2, so no potential is needed. For stable equilibria c exceeds the most negative eigenvalue of
//! N^T K N, and a stationary point that is not stable is left along that direction. The measure is alpha, the acceleration on
//! release, rotations in rad/s^2 and translations over L.

use nalgebra::{DVector, Dyn, SymmetricEigen};
use precess::mechanics::State;
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::mobility::mobility;

use crate::assembly::{assemble, carry, limited, not_finite};
use crate::eigen::{Spectrum, eigenvalues};
use crate::frame::{Linear, Steady};
use crate::freedom::Freedom;
use crate::local::{Layout, Local, apart, at_rest, moved_apart, residual};
use crate::matrix::{largest, pseudo_solve, symmetric};
use crate::modes::is_large;
use crate::words::{Axes, motion};
use crate::{AnalysisError, NetForce};

/// Relative asymmetry of K above which forces have no potential; away from an equilibrium K is not quite symmetric, either.
const NO_POTENTIAL: f64 = 1e-5;

/// What has come so far downhill without rest, in rad or lengths of the model, is driven round and round: a motor stronger than all weights.
const ROUND: f64 = 20.0;

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
pub struct Options {
    /// Which.
    pub kind: Kind,
    /// Time at which drives and forces are taken.
    pub t: f64,
    /// Most factorisations.
    pub iterations: usize,
    /// Converged if alpha is below this part of the accelerations that the forces alone would cause.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { kind: Kind::Stable, t: 0.0, iterations: 300, tolerance: 1e-10 }
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
    /// Largest difference between K and its transpose on the free motions, relative to K: zero for forces with a potential.
    pub asymmetry: f64,
    /// Independent constraint rows.
    pub rank: usize,
    /// How far each body has moved from the given position: rad and m.
    pub moved: Vec<[f64; 2]>,
}

/// Looks for an equilibrium near the configuration q.
pub fn find(system: &dyn Mechanism, q: &[f64], options: &Options) -> Result<Equilibrium, AnalysisError> {
    let layout = Layout::new(system)?;
    if is_large(system) {
        let (size, most) = (system.group().dim().saturating_sub(system.n_lambda()), crate::modes::MOST);
        let remedy = "give positions of rest and use precess modes --at initial";
        return Err(AnalysisError::TooLarge { what: "the search for an equilibrium", size, most, remedy });
    }
    let state = carry(system, &layout, &at_rest(system, q, 0.0), options.t)?;
    let mut search = Search::new(system, &layout, options);
    let found = search.run(state)?;
    let mut result = search.classify(found, q)?;
    if !layout.controls.is_empty() || result.asymmetry > NO_POTENTIAL {
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

/// The mechanism at one position of rest.
struct Place {
    state: State,
    local: Local,
    freedom: Freedom,
    /// g.
    g: DVector<f64>,
    /// N^T g.
    force: DVector<f64>,
    alpha: f64,
}

struct Search<'a> {
    system: &'a dyn Mechanism,
    layout: &'a Layout,
    options: &'a Options,
    factorisations: usize,
    escapes: usize,
    /// Largest accelerations that the forces alone would cause.
    scale: f64,
    /// Way of all accepted steps, in rad or lengths of the model.
    way: f64,
}

impl<'a> Search<'a> {
    fn new(system: &'a dyn Mechanism, layout: &'a Layout, options: &'a Options) -> Self {
        Search { system, layout, options, factorisations: 0, escapes: 0, scale: 0.0, way: 0.0 }
    }

    /// Forces, stiffness and free motions at a state on the constraints.
    fn place(&mut self, mut state: State) -> Result<Place, AnalysisError> {
        self.factorisations += 1;
        state.lambda.fill(0.0);
        let g = residual(self.system, &state);
        let mut local = Local::new(self.system, &state);
        let freedom = Freedom::new(&local.m, &local.b, self.layout)?;
        let force = freedom.n.tr_mul(&g);
        let a = -(&freedom.n * &force);
        let lambda = freedom.multipliers(&-(&g + &local.m * &a));
        state.lambda.copy_from_slice(lambda.as_slice());
        local.k = Local::new(self.system, &state).k;
        apart(self.system, &residual(self.system, &state), &mut local.k);
        // Positions of control states do not matter; their rates do.
        for j in self.layout.controls.clone() {
            let column = local.d.column(j).into_owned();
            local.k.set_column(j, &column);
        }
        let alone = local.m.clone().cholesky().map(|c| self.layout.size(&c.solve(&g)));
        self.scale = self.scale.max(alone.unwrap_or_else(|| self.layout.size(&a)));
        let alpha = self.layout.size(&a).max(controls(self.layout, &a));
        if !(alpha.is_finite() && local.k.iter().all(|x| x.is_finite())) {
            return Err(not_finite("a force"));
        }
        Ok(Place { state, local, freedom, g, force, alpha })
    }

    fn is_done(&self, place: &Place) -> bool {
        place.alpha <= self.options.tolerance * self.scale
    }

    /// Stiffness on the free motions, made symmetric; its eigenvalues.
    fn eigen(place: &Place) -> SymmetricEigen<f64, Dyn> {
        let k = place.freedom.reduced(&place.local.k);
        symmetric(0.5 * (&k + k.transpose()))
    }

    /// Whether a negative stiffness is one: where forces have no potential (a torque that is fixed in space) the symmetric part of
    /// K may have one although K has not.
    fn turns_over(place: &Place, floor: f64) -> bool {
        let k = place.freedom.reduced(&place.local.k);
        if largest(&(&k - k.transpose())) <= NO_POTENTIAL * largest(&k) {
            return true;
        }
        eigenvalues(&k).map_or(true, |list| list.iter().any(|x| x.re < -floor))
    }

    /// Stiffness below this is none.
    fn floor(&self, kappa: &DVector<f64>) -> f64 {
        1e-11 * largest(kappa) + 1e-8 * self.scale
    }

    fn run(&mut self, state: State) -> Result<Place, AnalysisError> {
        let mut place = self.place(state)?;
        let simple = self.options.kind == Kind::Any || !self.layout.controls.is_empty();
        let mut c = 10.0 * place.alpha;
        let mut polished = false;
        while self.factorisations < self.options.iterations {
            let done = self.is_done(&place);
            if simple {
                if done {
                    return Ok(place);
                }
                match self.newton(&place)? {
                    Some(next) => place = next,
                    None => return Err(self.lost(&place)),
                }
                continue;
            }
            let eigen = Self::eigen(&place);
            let lowest = lowest(&eigen.eigenvalues);
            let floor = self.floor(&eigen.eigenvalues);
            let unstable = lowest < -floor && Self::turns_over(&place, floor);
            if done && !unstable {
                if polished || place.alpha == 0.0 {
                    return Ok(place);
                }
                // One more step of Newton's method costs little and takes the rest.
                polished = true;
                match self.newton(&place)? {
                    Some(next) if next.alpha < place.alpha => place = next,
                    _ => return Ok(place),
                }
                continue;
            }
            if done || (unstable && place.alpha < 1e-7 * self.scale) {
                if self.escapes == 20 {
                    break;
                }
                self.escapes += 1;
                place = self.escape(&place, &eigen)?;
                c = -1.5 * lowest;
                continue;
            }
            let next = self.step(&place, &eigen, &mut c)?;
            if let Some(next) = next {
                place = next;
            }
            if c > 1e12 * (1.0 + self.scale) {
                break;
            }
        }
        Err(self.lost(&place))
    }

    /// A step of the proximal Newton method; none if it was refused.
    fn step(
        &mut self,
        place: &Place,
        eigen: &SymmetricEigen<f64, Dyn>,
        c: &mut f64,
    ) -> Result<Option<Place>, AnalysisError> {
        let kappa = &eigen.eigenvalues;
        let floor = self.floor(kappa);
        let lowest = lowest(kappa);
        if lowest < -floor {
            *c = c.max(-1.5 * lowest);
        }
        let force = eigen.eigenvectors.tr_mul(&place.force);
        let (mut y, mut x);
        loop {
            y = DVector::from_fn(kappa.len(), |i, _| {
                let stiffness = kappa[i] + *c;
                if stiffness > 0.5 * floor { -force[i] / stiffness } else { 0.0 }
            });
            x = &place.freedom.n * (&eigen.eigenvectors * &y);
            if !(self.layout.size(&x) > 0.5) {
                break;
            }
            *c = (2.0 * *c).max(0.25 * self.scale);
        }
        let curvature: f64 = y.iter().zip(kappa.iter()).map(|(y, k)| y * y * (k + *c)).sum();
        let predicted = 0.5 * (curvature + *c * y.norm_squared());
        let Ok((trial, _)) = assemble(self.system, self.layout, &moved_apart(self.system, &place.state, &x))
        else {
            *c = (4.0 * *c).max(0.5 * place.alpha);
            self.factorisations += 1;
            return Ok(None);
        };
        let next = self.place(trial)?;
        let work = -0.5 * (place.g.dot(&x) + next.g.dot(&x));
        let rho = if predicted > 0.0 { work / predicted } else { 0.0 };
        if !(rho > 1e-3 || next.alpha < 0.3 * place.alpha) {
            *c = (4.0 * *c).max(0.5 * place.alpha);
            return Ok(None);
        }
        self.way += self.layout.size(&x);
        *c = match () {
            () if next.alpha < 0.1 * place.alpha && next.alpha < 1e-2 * self.scale => 0.0,
            () if rho > 0.5 || next.alpha < 0.3 * place.alpha => *c / 10.0,
            () if rho > 0.1 => *c,
            () => 3.0 * *c,
        };
        Ok(Some(next))
    }

    /// Leaves an unstable point along its softest motion.
    fn escape(&mut self, place: &Place, eigen: &SymmetricEigen<f64, Dyn>) -> Result<Place, AnalysisError> {
        let x = &place.freedom.n * eigen.eigenvectors.column(eigen.eigenvalues.imin());
        // Downhill where there is a slope.
        let sign = if place.g.dot(&x) > 0.0 { -1.0 } else { 1.0 };
        let size = self.layout.size(&x);
        let (state, _) = assemble(
            self.system,
            self.layout,
            &moved_apart(self.system, &place.state, &(x * (0.1 * sign / size))),
        )?;
        self.place(state)
    }

    /// A damped step of Newton's method, with pseudo-inverse where motions are free; none if no length of it helps.
    fn newton(&mut self, place: &Place) -> Result<Option<Place>, AnalysisError> {
        let k = place.freedom.reduced(&place.local.k);
        let y = pseudo_solve(&k, &-&place.force, 1e-11);
        let full = limited(self.layout, &place.freedom.n * y);
        let mut part = 1.0;
        for _ in 0..12 {
            let x = &full * part;
            let mut trial = moved_apart(self.system, &place.state, &x);
            for j in self.layout.controls.clone() {
                trial.v[j] += x[j];
            }
            if let Ok((trial, _)) = assemble(self.system, self.layout, &trial) {
                let next = self.place(trial)?;
                if next.alpha < (1.0 - 0.1 * part) * place.alpha || self.is_done(&next) {
                    return Ok(Some(next));
                }
            }
            part *= 0.5;
        }
        Ok(None)
    }

    /// Why nothing was found: a force on a motion without stiffness, or something else.
    fn lost(&self, place: &Place) -> AnalysisError {
        let eigen = Self::eigen(place);
        let axes = Axes::new(self.system, &place.state);
        let floor = self.floor(&eigen.eigenvalues).max(1e-6 * self.scale);
        let force = eigen.eigenvectors.tr_mul(&place.force);
        let free =
            DVector::from_fn(
                force.len(),
                |i, _| if eigen.eigenvalues[i].abs() <= floor { -force[i] } else { 0.0 },
            );
        let x = &place.freedom.n * (&eigen.eigenvectors * &free);
        if self.layout.size(&x) > 0.01 * place.alpha {
            return AnalysisError::NothingHolds { forces: self.net_forces(place, &x, &axes) };
        }
        let a = -(&place.freedom.n * &place.force);
        if self.way > ROUND {
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
    fn net_forces(&self, place: &Place, x: &DVector<f64>, axes: &Axes) -> Vec<NetForce> {
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

    fn classify(&self, place: Place, q: &[f64]) -> Result<Equilibrium, AnalysisError> {
        if let Some(structure) = self.system.structure() {
            let m = mobility(self.system, &place.state, &structure.constraints, self.layout.bodies.len());
            if let Some(nearby) = m.rank_nearby {
                return Err(AnalysisError::Singular { rank: m.rank, nearby });
            }
        }
        let k = place.freedom.reduced(&place.local.k);
        let size = largest(&k);
        let asymmetry = if size > 0.0 { (&k - k.transpose()).amax() / size } else { 0.0 };
        let eigen = Self::eigen(&place);
        let floor = self.floor(&eigen.eigenvalues);
        let axes = Axes::new(self.system, &place.state);
        let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let direction = |i: usize| {
            let x = &place.freedom.n * eigen.eigenvectors.column(i);
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
