//! J entry by entry, for any kind of number: every entry that can differ from zero has its place.

use precess_lie::Number;

use super::data::Step;
use super::linear::Linear;
use crate::integrate::form::Eta;
use crate::mechanics::batch::contributions::{Contributions, Sources};
use crate::mechanics::batch::{InverseMass, LanePlan};
use crate::mechanics::jacobian::StepWeights;
use crate::mechanics::{Dynamics, Want};
use crate::solve::Singular;
use crate::solve::kkt::SMALLEST_DIAGONAL;
use crate::solve::pattern_lu::PatternLu;

/// The largest number of Newton iterations at the start. Friction needs them if it depends on the
/// multipliers.
const FRICTION_ROUNDS: usize = 8;
/// The last iteration may change the accelerations and multipliers by this fraction of their size.
const CONVERGED: f64 = 1e-9;

/// J and its factors in places that are known in advance.
#[derive(Clone, Debug)]
pub struct Places<T: Number> {
    contributions: Contributions,
    lu: PatternLu<T>,
    inverse: InverseMass<T>,
    /// The inverse diagonal entries of the equations of motion; empty if nobody reads them.
    row_scale: Vec<T>,
}

impl<T: Number> Places<T> {
    /// The places of a plan, for models with these masses, with scales for this number of equations.
    pub fn new(plan: &LanePlan<T>, inverse: InverseMass<T>, scales: usize) -> Self {
        Places {
            contributions: plan.contributions.clone(),
            lu: plan.factors.clone(),
            inverse,
            row_scale: vec![T::one(); scales],
        }
    }

    /// One entry of J, before it is factorised.
    pub fn entry(&self, row: usize, col: usize) -> T {
        self.lu.matrix.get(row, col)
    }

    /// J from derivatives at the iterate.
    #[inline(always)]
    pub fn assemble(&mut self, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) {
        step.turn(dynamics.group());
        step.linearise(dynamics);
        self.lu.matrix.clear();
        let Step { tangents, turns, n, .. } = &*step;
        let sources = Sources { tangents, turns, direction: n, weights: step.weights() };
        self.contributions.add(&sources, self.lu.matrix.values_mut());
    }

    /// Computes v' and lambda of the state, as [`Accelerations`](crate::integrate::Accelerations) does. It
    /// solves (19), and then solves it once more for the remaining residual.
    pub fn accelerations(&mut self, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) {
        let [n_v, n_lambda, _] = dynamics.sizes();
        let n = n_v + n_lambda;
        step.trial.vdot.fill(T::zero());
        step.trial.lambda.fill(T::zero());
        step.theta.fill(T::zero());
        // Friction makes the equations nonlinear in the multipliers.
        let (mut round, mut has_friction) = (0, false);
        while round < if has_friction { FRICTION_ROUNDS } else { 2 } {
            if round == 0 || has_friction {
                self.form_saddle(step, dynamics);
                has_friction = step.tangents.has_friction();
            }
            let (r, rest) = step.psi.split_at_mut(n_v);
            let at = step.trial.at();
            let out = crate::mechanics::Equations { r: Some(r), ..Default::default() };
            dynamics.equations(&at, out);
            dynamics.acceleration(&at, &mut rest[..n_lambda]);
            rest[n_lambda..].fill(T::zero());
            self.lu.solve(&mut step.psi);
            step.trial.vdot.iter_mut().zip(&step.psi[..n_v]).for_each(|(x, d)| *x -= *d);
            step.trial.lambda.iter_mut().zip(&step.psi[n_v..n]).for_each(|(x, d)| *x -= *d);
            round += 1;
        }
        if has_friction {
            // A lane that has not converged has no accelerations. Its model is then run alone.
            let square = |sum: T, x: &T| sum + *x * *x;
            let change = step.psi[..n].iter().fold(T::zero(), square);
            let size = step.trial.vdot.iter().chain(&step.trial.lambda).fold(T::one(), square);
            let left = T::of(CONVERGED * CONVERGED) * size - change;
            let known = left.if_positive(T::one(), T::of(f64::NAN));
            step.trial.vdot.iter_mut().for_each(|x| *x *= known);
        }
    }

    /// The matrix of (19) and its factors.
    fn form_saddle(&mut self, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) {
        let n = step.trial.v.len() + step.trial.lambda.len();
        step.turn(dynamics.group());
        step.evaluate(dynamics, Want::SADDLE);
        let Step { tangents, turns, n: direction, .. } = &*step;
        let weights = StepWeights { h2: T::one(), per_dv: T::one() };
        self.lu.matrix.clear();
        let sources = Sources { tangents, turns, direction, weights };
        self.contributions.add_saddle(&sources, self.lu.matrix.values_mut());
        // The multipliers of the stabilisation do not occur in (19).
        (n..step.psi.len()).for_each(|i| self.lu.matrix.add(i, i, T::one()));
        self.lu.factor();
    }

    /// The inverse of the diagonal, which is one where that is (nearly) zero.
    #[inline(always)]
    fn scale(&mut self) {
        for (i, scale) in self.row_scale.iter_mut().enumerate() {
            let d = self.lu.matrix.get(i, i);
            let d = d.if_positive(d, -d);
            *scale = (d - T::of(SMALLEST_DIAGONAL)).if_positive(T::one() / d, T::one());
        }
    }
}

impl<T: Number> Linear<T> for Places<T> {
    #[inline(always)]
    fn direction(&mut self, eta: Eta, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) {
        step.evaluate(dynamics, Want::CONSTRAINT);
        step.n.transpose_from(&step.tangents.b);
        if eta == Eta::Mass {
            self.inverse.times(&mut step.n);
        }
    }

    #[inline(always)]
    fn form(&mut self, step: &mut Step<T>, dynamics: &(impl Dynamics<T> + ?Sized)) -> Result<(), Singular> {
        self.assemble(step, dynamics);
        self.scale();
        self.lu.factor();
        Ok(())
    }

    #[inline(always)]
    fn solve(&mut self, x: &mut [T]) {
        self.lu.solve(x);
    }

    #[inline(always)]
    fn row_scale(&self) -> &[T] {
        &self.row_scale
    }

    #[inline(always)]
    fn numbers(&mut self) -> Option<[&mut [T]; 2]> {
        Some([self.lu.matrix.values_mut(), &mut self.row_scale])
    }
}
