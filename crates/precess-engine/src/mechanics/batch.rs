//! This module evaluates several models side by side. The models differ in their numbers only, and every
//! number of a formula has one lane per model.
//!
//! The formulas are those of single models ([`Physics`]). The derivatives go into the same sparse blocks. A
//! list of contributions adds them to the iteration matrix of [`Condensed`](crate::integrate::Condensed). The
//! list is made once. Models that cannot run in lanes ([`refusal`]) are simulated one after the other.

mod contributions;
mod plan;

use nalgebra::{Matrix3, Vector3};
use num_traits::Zero;
use precess_lie::rotation::{retract, retract_screw, tangent, tangent_screw};
use precess_lie::{Factor, LANES, Lanes, Number};

use self::contributions::{Contributions, Sources};
pub use self::plan::LanePlan;
use super::Multibody;
use super::block::Block;
use super::body::{Body, BodyKind};
use super::combine::{Combine, Side};
use super::forces::Force;
use super::jacobian;
use super::nonzero::Nonzero;
use super::physics::Physics;
use super::system::{At, Equations, System};
use super::tangents::{Tangents, Want};
use crate::solve::Mat;
use crate::solve::pattern_lu::{Entries, PatternLu};

/// The largest number of unknowns of a model in lanes. The analysis of the pattern looks at the zeros, too.
const MOST_UNKNOWNS: usize = 96;

/// The numbers of coordinates, multipliers and multipliers of the stabilisation; `None` if they are too many.
fn unknowns(model: &Multibody, stabilized: bool) -> Option<[usize; 3]> {
    let [n_v, n_lambda] = [model.group().dim(), model.n_lambda()];
    let sizes = [n_v, n_lambda, if stabilized { n_lambda } else { 0 }];
    (sizes.iter().sum::<usize>() <= MOST_UNKNOWNS).then_some(sizes)
}

/// Puts the number of each model into its lane.
fn lanes(number: &dyn Fn(usize) -> f64) -> Lanes {
    Lanes::new(std::array::from_fn(number))
}

/// True if the number differs from zero in at least one model.
fn nonzero(number: &dyn Fn(usize) -> f64) -> Nonzero {
    Nonzero((0..LANES).any(|lane| number(lane) != 0.0))
}

/// The weights of the parts of the iteration matrix.
#[derive(Clone, Copy, Debug)]
pub struct MatrixWeights {
    /// The weight of the mass.
    pub mass: f64,
    /// The weight of the derivatives with respect to velocities.
    pub damping: f64,
    /// The weight of the derivatives with respect to positions, and of the forces in the residual: h^2.
    pub force: f64,
}

/// The weights for the matrix of (19): M and B, without the derivatives of the forces.
const SADDLE: MatrixWeights = MatrixWeights { mass: 1.0, damping: 0.0, force: 1.0 };

/// The largest number of Newton iterations at the start. Friction needs them if it depends on the
/// multipliers.
const FRICTION_ROUNDS: usize = 8;
/// The last iteration may change the accelerations and multipliers by this fraction of their size.
const CONVERGED: f64 = 1e-9;

/// Says why a model cannot be simulated in lanes; `None` if it can.
pub fn refusal(model: &Multibody) -> Option<&'static str> {
    let physics = model.physics();
    if !model.events().is_empty() || physics.joints.iter().any(|j| j.is_switched()) {
        return Some("events and switches");
    }
    if model.row_weights().is_some() {
        return Some("redundant constraints");
    }
    if !model.velocity_rows().is_empty() {
        return Some("joints that constrain velocities");
    }
    if physics.forces.iter().any(|f| matches!(f.force, Force::Custom(_))) {
        return Some("forces written in code");
    }
    None
}

/// A factor of the configuration space and the places of its numbers.
#[derive(Clone, Copy, Debug)]
struct FactorPlace {
    factor: Factor,
    q: usize,
    v: usize,
    /// The first number of its tangent operator.
    turn: usize,
}

/// Several models and their derivatives.
#[derive(Clone, Debug)]
pub struct Batch<T: Number> {
    physics: Physics<T>,
    factors: Vec<FactorPlace>,
    /// The inverse inertias of the bodies.
    inverses: Vec<Matrix3<T>>,
    /// The meaning of the coordinates.
    described: Vec<Block>,
    /// The typical lengths of the models.
    length: T,
    sizes: [usize; 3],
    /// The turns that the joints have made, with one lane per model.
    pub memory: Vec<T>,
    tangents: Tangents<T>,
    /// The compact tangent operators T(theta).
    turns: Vec<T>,
    /// N^T in the blocks of B, for the stabilized form.
    direction: Mat<T>,
    stabilized: bool,
    contributions: Contributions,
}

/// The arguments of an evaluation: time, configuration, velocity, acceleration and multipliers.
#[derive(Clone, Copy, Debug)]
pub struct BatchState<'a, T> {
    /// Time.
    pub t: T,
    /// Configuration.
    pub q: &'a [T],
    /// Velocity.
    pub v: &'a [T],
    /// Acceleration.
    pub vdot: &'a [T],
    /// Multipliers.
    pub lambda: &'a [T],
}

/// The inverse inertias of all bodies, zero for a point mass. Returns `None` if an inertia has no inverse.
fn inverses(model: &Multibody) -> Option<Vec<Matrix3<f64>>> {
    let of = |body: &Body| match &body.kind {
        BodyKind::Rigid { inertia } => inertia.try_inverse(),
        BodyKind::PointMass => Some(Matrix3::zeros()),
    };
    model.physics().bodies.list.iter().map(of).collect()
}

/// The inverse inertias of all bodies of several models.
fn inverse_inertias<T: Number>(models: &[&Multibody], side: Side<T>) -> Option<Vec<Matrix3<T>>> {
    let all = models.iter().map(|m| inverses(m)).collect::<Option<Vec<_>>>()?;
    Vec::combine(&all.iter().collect::<Vec<_>>(), side)
}

impl<T: Number> Batch<T> {
    /// Puts models side by side. The entries of the matrix have no places yet. Returns `None` if the models
    /// are not alike.
    fn new(models: &[&Multibody], side: Side<T>, tangents: Tangents<T>) -> Option<Self> {
        let first = *models.first()?;
        let group = first.group();
        if models.iter().any(|m| m.group().factors() != group.factors() || refusal(m).is_some()) {
            return None;
        }
        let mut turn = 0;
        let factor = |(i, f): (usize, &Factor)| {
            turn += f.tangent_len();
            let (q, v) = (group.q_range(i).start, group.v_range(i).start);
            FactorPlace { factor: *f, q, v, turn: turn - f.tangent_len() }
        };
        let factors: Vec<FactorPlace> = group.factors().iter().enumerate().map(factor).collect();
        Some(Batch {
            physics: Physics::combine(&models.iter().map(|m| m.physics()).collect::<Vec<_>>(), side)?,
            factors,
            inverses: inverse_inertias(models, side)?,
            described: Block::of(group),
            length: side(&|lane| models[lane].length_scale()),
            sizes: [group.repr(), group.dim(), first.n_lambda()],
            memory: vec![T::zero(); first.n_memory()],
            direction: tangents.b.like(),
            turns: vec![T::zero(); turn],
            tangents,
            stabilized: false,
            contributions: Contributions::default(),
        })
    }

    /// The numbers of coordinates, velocities and constraints.
    pub fn sizes(&self) -> [usize; 3] {
        self.sizes
    }

    /// Computes q_n o exp(theta).
    #[inline(always)]
    pub fn retract(&self, q_n: &[T], theta: &[T], q: &mut [T]) {
        for FactorPlace { factor, q: at, v, .. } in &self.factors {
            let (at, v) = (*at, *v);
            match factor {
                Factor::Rn(n) => (0..*n).for_each(|i| q[at + i] = q_n[at + i] + theta[v + i]),
                Factor::SO3 => q[at..at + 4].copy_from_slice(&retract(&q_n[at..at + 4], &three(theta, v))),
                Factor::R3xSO3 => {
                    q[at..at + 4].copy_from_slice(&retract(&q_n[at..at + 4], &three(theta, v)));
                    (0..3).for_each(|i| q[at + 4 + i] = q_n[at + 4 + i] + theta[v + 3 + i]);
                }
                Factor::SE3 => {
                    let moved = retract_screw(&q_n[at..at + 7], &three(theta, v), &three(theta, v + 3));
                    q[at..at + 7].copy_from_slice(&moved);
                }
            }
        }
    }

    /// Computes the compact tangent operators T(theta).
    #[inline(always)]
    fn turn(&mut self, theta: &[T]) {
        for FactorPlace { factor, v, turn, .. } in &self.factors {
            let w = || three(theta, *v);
            match factor {
                Factor::Rn(_) => {}
                Factor::SO3 | Factor::R3xSO3 => {
                    self.turns[*turn..turn + 9].copy_from_slice(tangent(&w()).as_slice())
                }
                Factor::SE3 => {
                    let [t, s] = tangent_screw(&w(), &three(theta, v + 3));
                    self.turns[*turn..turn + 9].copy_from_slice(t.as_slice());
                    self.turns[turn + 9..turn + 18].copy_from_slice(s.as_slice());
                }
            }
        }
    }

    /// Computes the residual (h^2 (M v' + g + B^T lambda), Phi). In the stabilized form, (B v + Phi_t) / dv
    /// follows it.
    #[inline(always)]
    pub fn residual(&self, at: &BatchState<T>, w: &MatrixWeights, psi: &mut [T]) {
        let [_, n_v, n_lambda] = self.sizes;
        let (r, rest) = psi.split_at_mut(n_v);
        let (phi, rates) = rest.split_at_mut(n_lambda);
        let velocity = (!rates.is_empty()).then_some(&mut *rates);
        self.physics.equations(&self.at(at), Equations { r: Some(&mut *r), phi: Some(phi), velocity });
        let (force, per_dv) = (T::of(w.force), T::of(w.force / w.damping));
        r.iter_mut().for_each(|r| *r *= force);
        rates.iter_mut().for_each(|r| *r *= per_dv);
    }

    /// Computes the derivatives of [`residual`](Self::residual): the matrix of
    /// [`Condensed`](crate::integrate::Condensed) at the increment theta.
    #[inline(always)]
    pub fn matrix(&mut self, at: &BatchState<T>, theta: &[T], w: &MatrixWeights, matrix: &mut Entries<T>) {
        self.turn(theta);
        let want = Want {
            c_m: w.mass,
            c_d: w.damping,
            stiffness: true,
            constraint: true,
            curvature: self.stabilized,
        };
        self.differentiate(at, want);
        matrix.clear();
        self.contributions.add(&self.sources(w), matrix.values_mut());
    }

    fn sources(&self, w: &MatrixWeights) -> Sources<'_, T> {
        Sources {
            tangents: &self.tangents,
            turns: &self.turns,
            direction: &self.direction,
            weights: jacobian::StepWeights { h2: T::of(w.force), per_dv: T::of(w.force / w.damping) },
        }
    }

    #[inline(always)]
    fn differentiate(&mut self, at: &BatchState<T>, want: Want) {
        self.tangents.begin(want);
        let at =
            At { t: at.t, q: at.q, v: at.v, vdot: at.vdot, lambda: at.lambda, s: &[], memory: &self.memory };
        self.physics.tangents(&at, &mut self.tangents);
    }

    fn at<'a>(&'a self, at: &BatchState<'a, T>) -> At<'a, T> {
        At { t: at.t, q: at.q, v: at.v, vdot: at.vdot, lambda: at.lambda, s: &[], memory: &self.memory }
    }

    /// Computes N at q. N is M^-1 B^T if `mass` is true, and B^T otherwise.
    #[inline(always)]
    pub fn set_direction(&mut self, at: &BatchState<T>, mass: bool) {
        self.differentiate(at, Want::CONSTRAINT);
        self.direction.copy_from(&self.tangents.b);
        let Some(pattern) = self.tangents.b.pattern().filter(|_| mass) else { return };
        let data = self.direction.data_mut();
        for i in 0..pattern.rows.blocks() {
            let n = pattern.rows.range(i).len();
            for slot in pattern.row(i) {
                let (body, first) = (slot.col as usize, slot.offset as usize);
                let inverse = T::one() / self.physics.bodies.list[body].mass;
                let turns = matches!(self.physics.bodies.list[body].kind, BodyKind::Rigid { .. });
                let trans = if turns { 3 } else { 0 };
                for row in first..first + n {
                    if turns {
                        let x = self.inverses[body] * Vector3::from_fn(|j, _| data[row + j * n]);
                        (0..3).for_each(|j| data[row + j * n] = x[j]);
                    }
                    (trans..trans + 3).for_each(|j| data[row + j * n] *= inverse);
                }
            }
        }
    }

    /// Adds N eta to `out`.
    #[inline(always)]
    pub fn add_along(&self, eta: impl Fn(usize) -> T, out: &mut [T]) {
        let Some(pattern) = self.direction.pattern() else { return };
        let data = self.direction.data();
        for i in 0..pattern.rows.blocks() {
            let rows = pattern.rows.range(i);
            for slot in pattern.row(i) {
                let columns = data[slot.offset as usize..].chunks_exact(rows.len().max(1));
                for (out, column) in out[pattern.cols.range(slot.col as usize)].iter_mut().zip(columns) {
                    rows.clone().zip(column).for_each(|(row, x)| *out += *x * eta(row));
                }
            }
        }
    }

    /// Computes v' and lambda for q and v, as [`Accelerations`](crate::integrate::Accelerations) does. It
    /// solves (19), and then solves it once more for the remaining residual. `psi` is room for a residual.
    pub fn accelerations(
        &mut self,
        (t, q, v): (T, &[T], &[T]),
        [vdot, lambda]: [&mut [T]; 2],
        psi: &mut [T],
        factors: &mut PatternLu<T>,
    ) {
        let [_, n_v, n_lambda] = self.sizes;
        let n = n_v + n_lambda;
        vdot.fill(T::zero());
        lambda.fill(T::zero());
        // Friction makes the equations nonlinear in the multipliers.
        let has_friction = self.physics.forces.iter().any(|f| f.force.reads_forces());
        for round in 0..if has_friction { FRICTION_ROUNDS } else { 2 } {
            let at = BatchState { t, q, v, vdot, lambda };
            if round == 0 || has_friction {
                psi.fill(T::zero());
                self.turn(&psi[..n_v]);
                self.differentiate(&at, Want::SADDLE);
                factors.matrix.clear();
                self.contributions.add_saddle(&self.sources(&SADDLE), factors.matrix.values_mut());
                // The multipliers of the stabilisation do not occur in (19).
                (n..psi.len()).for_each(|i| factors.matrix.add(i, i, T::one()));
                factors.factor();
            }
            self.residual(&at, &SADDLE, psi);
            self.physics.acceleration_constraint(&self.at(&at), &mut psi[n_v..n]);
            psi[n..].fill(T::zero());
            factors.solve(psi);
            vdot.iter_mut().zip(&psi[..n_v]).for_each(|(x, d)| *x -= *d);
            lambda.iter_mut().zip(&psi[n_v..n]).for_each(|(x, d)| *x -= *d);
        }
        if has_friction {
            // A lane that has not converged has no accelerations. Its model is then run alone.
            let square = |sum: T, x: &T| sum + *x * *x;
            let change = psi[..n].iter().fold(T::zero(), square);
            let size = vdot.iter().chain(&*lambda).fold(T::one(), square);
            let left = T::of(CONVERGED * CONVERGED) * size - change;
            let known = left.if_positive(T::one(), T::of(f64::NAN));
            vdot.iter_mut().for_each(|x| *x *= known);
        }
    }

    /// Computes Phi, followed by B v + Phi_t.
    pub fn constraints(&self, t: T, q: &[T], v: &[T], out: &mut [T]) {
        let (phi, rates) = out.split_at_mut(self.sizes[2]);
        let at = BatchState { t, q, v, vdot: &[], lambda: &[] };
        self.physics.equations(&self.at(&at), Equations { r: None, phi: Some(phi), velocity: Some(rates) });
    }
}

/// The three entries from a place on.
#[inline(always)]
fn three<T: Number>(x: &[T], at: usize) -> Vector3<T> {
    Vector3::new(x[at], x[at + 1], x[at + 2])
}

impl Batch<Nonzero> {
    /// Marks the derivatives that can differ from zero.
    #[inline]
    fn mark(&mut self) {
        let [n_q, n_v, n_lambda] = self.sizes;
        let all = vec![Nonzero(true); n_q.max(n_v).max(n_lambda)];
        let at = BatchState {
            t: Nonzero(true),
            q: &all,
            v: &all[..n_v],
            vdot: &all[..n_v],
            lambda: &all[..n_lambda],
        };
        self.set_direction(&at, true);
        let everything = Want { c_m: 1.0, c_d: 1.0, stiffness: true, constraint: true, curvature: true };
        self.differentiate(&at, everything);
    }
}

impl Batch<Lanes> {
    /// Puts one model into each lane and prepares the factors for their matrix. Models with the structure of
    /// the plan use it. Otherwise they make a plan and leave it there for the next models.
    #[inline]
    pub fn in_lanes(
        models: [&Multibody; LANES],
        stabilized: bool,
        plan: &mut Option<LanePlan>,
    ) -> Option<(Self, PatternLu<Lanes>)> {
        let plan = match plan.take() {
            Some(known) if known.suits(&models, stabilized) => plan.insert(known),
            _ => plan.insert(LanePlan::new(&models, stabilized)?),
        };
        let mut batch = Batch::new(&models, &lanes, plan.tangents.clone())?;
        batch.stabilized = stabilized;
        batch.contributions = plan.contributions.clone();
        Some((batch, plan.factors.clone()))
    }

    /// The largest entry of a vector, in units of round-off. The unit of a rotation is the round-off of one,
    /// and that of a translation is the round-off of its position. If an entry is NaN, the result is NaN.
    #[inline(always)]
    pub fn size(&self, q: &[Lanes], x: &[Lanes], round_off: f64) -> Lanes {
        // A loop, because `fold` is not inlined into the code for the vector unit.
        #[inline(always)]
        fn largest_of(x: &[Lanes]) -> Lanes {
            let mut largest = Lanes::zero();
            for x in x {
                largest = largest.larger(x.abs());
            }
            largest
        }
        let mut largest = Lanes::zero();
        for block in &self.described {
            let mut size = largest_of(&x[block.v.clone()]);
            if block.is_length() {
                size /= self.length + largest_of(&q[block.q.clone()]);
            }
            largest = largest.larger(size);
        }
        largest * Lanes::of(1.0 / round_off)
    }
}
