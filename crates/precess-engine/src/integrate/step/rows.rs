//! What the constraint rows of a step contain.

use precess_lie::{Number, larger};

use super::data::Step;
use super::linear::Linear;
use super::runs::Runs;
use crate::integrate::form::Form;
use crate::mechanics::redundancy::{EPS, FILTER_PASSES};
use crate::solve::Mat;

/// The status of constraint rows as numbers, so that every run may have its own and the pattern of J does not
/// depend on it. With p for positions and w for velocities,
///
/// ```text
/// rows of lambda    p Phi + w B v / dv + (1 - p - w) h^2 lambda
/// rows of h eta     p B v / dv + (1 - p) h eta                        (stabilized index-2)
/// ```
///
/// N has no columns for rows with p = 0, since there is no position to correct.
#[derive(Clone, Debug)]
pub struct Held<T> {
    /// p: one for rows of position.
    pub position: Vec<T>,
    /// w: one for rows of velocity.
    pub velocity: Vec<T>,
    /// B v / dv.
    pub rates: Vec<T>,
    /// Room for the rows of B or Y with one status.
    part: Mat<T>,
}

impl<T: Number> Held<T> {
    /// Some rows of velocity among others of position, with the pattern of B; none if there are none or if
    /// the form treats both kinds alike.
    pub fn new(form: Form, velocity: &[usize], b: &Mat<T>) -> Option<Self> {
        if velocity.is_empty() || !matches!(form, Form::Index3 | Form::StabilizedIndex2) {
            return None;
        }
        let share = |is: bool| -> Vec<T> {
            (0..b.rows()).map(|i| if velocity.contains(&i) == is { T::one() } else { T::zero() }).collect()
        };
        let rates = vec![T::zero(); b.rows()];
        Some(Held { position: share(false), velocity: share(true), rates, part: b.like() })
    }

    /// 1 - p - w: the share of lambda = 0.
    #[inline(always)]
    pub fn off(&self, i: usize) -> T {
        T::one() - self.position[i] - self.velocity[i]
    }

    /// Matrix A with its rows times p, or times w.
    pub fn share(&mut self, a: &Mat<T>, of_velocity: bool) -> &Mat<T> {
        let factors = if of_velocity { &self.velocity } else { &self.position };
        self.part.copy_from(a);
        self.part.scale_rows(factors);
        &self.part
    }

    /// Writes the rows of lambda, which contain Phi, and those of h eta, which contain B v / dv, if there are
    /// any; otherwise `rates` contains B v / dv.
    #[inline(always)]
    pub fn mix(&mut self, h2: T, lambda: &[T], eta_h: &[T], rows: &mut [T], hidden: &mut [T]) {
        if !hidden.is_empty() {
            self.rates.copy_from_slice(hidden);
        }
        for i in 0..rows.len() {
            let (p, rate) = (self.position[i], self.rates[i]);
            rows[i] = p * rows[i] + self.velocity[i] * rate + self.off(i) * h2 * lambda[i];
            if !hidden.is_empty() {
                hidden[i] = p * rate + (T::one() - p) * eta_h[i];
            }
        }
    }
}

/// Regularisation of redundant rows per square of the relative gap in Phi.
const GAP_REGULARISATION: f64 = 100.0;
/// Smaller incompatible parts of Phi, in lengths of the model or rad, are not computed again.
const INCOMPATIBLE_ROUND_OFF: f64 = 1e-13;

/// Rows that may depend on each other. They are regularised, and the part of Phi that no motion can remove is
/// filtered out in each step ([`redundancy`](crate::mechanics::redundancy)). If the constraints do not hold,
/// redundant rows look independent: a gap g in Phi gives them singular values of about g. A part of Phi, about
/// g^2, cannot be removed; trying to remove it would cause a motion of size g. With
/// [`opens_with_gap`](Step::opens_with_gap) the regularisation is at least 100 g^2 and falls to its smallest
/// value as the iteration closes the gap. First guesses with a coarse tolerance need this.
#[derive(Clone, Debug)]
pub struct Redundant<T> {
    weights: Vec<f64>,
    /// The incompatible part of Phi, removed once per step.
    incompatible: Vec<T>,
    /// Regularisation at the iterate, relative to the weights.
    eps: f64,
    /// Scale of a gap in each row.
    row_sizes: Vec<f64>,
    right: Vec<T>,
}

impl<T: Number> Redundant<T> {
    /// Rows with these weights and sizes of gaps, in a step with this number of unknowns.
    pub fn new(weights: &[f64], row_sizes: Vec<f64>, unknowns: usize) -> Self {
        let zeros = |n: usize| vec![T::zero(); n];
        let (weights, n) = (weights.to_vec(), weights.len());
        Redundant { weights, incompatible: zeros(n), eps: EPS, row_sizes, right: zeros(unknowns) }
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        self.incompatible.fill(T::zero());
    }

    /// The diagonal entries of J in the rows of lambda, and in those of h eta.
    pub fn diagonals(&self, c_m: f64) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let eps = self.eps;
        self.weights.iter().enumerate().map(move |(i, d)| (i, -eps * d / c_m, eps * d))
    }

    /// The regularisation follows the gap in Phi.
    pub fn open(&mut self, rows: &[T]) {
        let gaps = rows.iter().zip(&self.row_sizes).map(|(phi, size)| phi.first().abs() / size);
        let gap = gaps.fold(0.0, larger);
        self.eps = larger(EPS, GAP_REGULARISATION * gap * gap).min(1.0);
    }

    /// Subtracts the incompatible part and the regularisation from Phi, and adds the one of h eta.
    pub fn mix(&self, (c_m, h2): (f64, f64), lambda: &[T], eta_h: &[T], rows: &mut [T], hidden: &mut [T]) {
        let eps = self.eps;
        for (i, d) in self.weights.iter().enumerate() {
            rows[i] -= self.incompatible[i] + T::of(eps * d / c_m * h2) * lambda[i];
            if !hidden.is_empty() {
                hidden[i] += T::of(eps * d) * eta_h[i];
            }
        }
    }
}

impl<T: Runs> Redundant<T> {
    /// True if the removed part of Phi is so large that it may come from the guess, not from the geometry: the
    /// error of a guess enters it squared. A better iterate then has less of it.
    fn filters_again(&self, length: f64) -> bool {
        let largest = self.incompatible.iter().fold(0.0, |m, x| larger(x.abs().first(), m));
        largest > INCOMPATIBLE_ROUND_OFF * length.min(1.0)
    }
}

impl<T: Runs> Step<T> {
    /// Removes the part of Phi that no motion can remove from the residual, in the first iteration of a step
    /// and when this has to be repeated. Replaces an earlier removal.
    pub(crate) fn filter(&mut self, linear: &mut impl Linear<T>, first: bool) {
        let length = self.length.first();
        let Some(redundant) = self.redundant.as_mut() else { return };
        if !matches!(self.form, Form::Index3 | Form::StabilizedIndex2)
            || !(first || redundant.filters_again(length))
        {
            return;
        }
        let h2 = self.h * self.h;
        let c_m = h2 * self.da;
        let (psi, lambda, k) = (&mut self.psi, &self.trial.lambda, self.delta.len());
        let Redundant { weights, incompatible, eps, right, .. } = redundant;
        let m = weights.len();
        let small = |i: usize| *eps * weights[i] / c_m;
        for i in 0..m {
            // Phi alone.
            psi[k + i] += incompatible[i];
            incompatible[i] = psi[k + i] + T::of(small(i) * h2) * lambda[i];
        }
        for _ in 0..FILTER_PASSES {
            right.fill(T::zero());
            for i in 0..m {
                right[k + i] = -incompatible[i];
            }
            linear.solve(right);
            for i in 0..m {
                incompatible[i] -= T::of(small(i)) * right[k + i];
            }
        }
        // The passes leave the compatible part; the rest of Phi is incompatible.
        for i in 0..m {
            let phi = psi[k + i] + T::of(small(i) * h2) * lambda[i];
            incompatible[i] = phi - incompatible[i];
            psi[k + i] -= incompatible[i];
        }
    }
}
