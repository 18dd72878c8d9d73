//! What the constraint rows of a step contain.

use precess_lie::{Number, larger};

use super::runs::Runs;
use crate::integrate::form::Form;
use crate::mechanics::redundancy::EPS;
use crate::mechanics::{State, System, Tangents, Want};
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
/// [`opens_with_gap`](super::Step::opens_with_gap) the regularisation is at least 100 g^2 and falls to its smallest
/// value as the iteration closes the gap. First guesses with a coarse tolerance need this.
#[derive(Clone, Debug)]
pub struct Redundant<T> {
    pub(super) weights: Vec<f64>,
    /// The incompatible part of Phi, removed once per step.
    pub(super) incompatible: Vec<T>,
    /// Regularisation at the iterate, relative to the weights.
    pub(super) eps: f64,
    /// Scale of a gap in each row.
    row_sizes: Vec<f64>,
    pub(super) right: Vec<T>,
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
    pub(super) fn filters_again(&self, length: f64) -> bool {
        let largest = self.incompatible.iter().fold(0.0, |m, x| larger(x.abs().first(), m));
        largest > INCOMPATIBLE_ROUND_OFF * length.min(1.0)
    }
}

/// y_r += weight sum |A_rj| |x_j|.
pub(super) fn add_absolute<T: Runs>(a: &Mat<T>, weight: f64, x: &[T], y: &mut [T]) {
    let weight = T::of(weight);
    a.for_blocks(|b| {
        let y = &mut y[b.row..b.row + b.rows];
        for (x, column) in x[b.col..b.col + b.cols].iter().zip(b.data.chunks_exact(b.rows.max(1))) {
            for (y, a) in y.iter_mut().zip(column) {
                *y += weight * (*a * *x).abs();
            }
        }
    });
}

/// Reference size for a gap in each redundant row: |B_rj| times a length of the model or one radian, over all
/// coordinates.
pub(super) fn row_sizes(system: &dyn System, state: &State) -> Vec<f64> {
    let mut sizes = vec![0.0; system.row_weights().map_or(0, <[f64]>::len)];
    if !sizes.is_empty() {
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::CONSTRAINT);
        let mut lengths = vec![1.0; state.v.len()];
        for block in system.blocks().iter().filter(|b| b.is_length()) {
            lengths[block.v.clone()].fill(system.length_scale());
        }
        add_absolute(&tangents.b, 1.0, &lengths, &mut sizes);
        // Rows that are switched off have no gap.
        sizes.iter_mut().filter(|size| **size == 0.0).for_each(|size| *size = f64::INFINITY);
    }
    sizes
}
