//! First guesses of runs that keep their matrices over steps: a and lambda are extrapolated by polynomials
//! through their last values, as in single runs (`generalized_alpha/past.rs`). The degree is chosen for each
//! run.

use num_traits::Zero;
use precess_lie::Lanes;

use super::{LANES, X};
use crate::integrate::generalized_alpha::past::differ;

/// Differences of a and lambda over the last steps, of first to third order.
#[derive(Clone, Debug, Default)]
pub(super) struct Extrapolation {
    pub a: [Vec<X>; 3],
    pub lambda: [Vec<X>; 3],
    /// The multipliers at the beginning of the step.
    pub lambda_n: Vec<X>,
    /// The highest order of the differences.
    order: usize,
    /// The degree that was closest to the last a.
    degrees: [usize; LANES],
}

impl Extrapolation {
    /// Workspace for this many velocities and multipliers.
    pub fn new(n_v: usize, n_lambda: usize) -> Self {
        let zeros = |n: usize| [n; 3].map(|n| vec![X::zero(); n]);
        let lambda_n = vec![X::zero(); n_lambda];
        Extrapolation { a: zeros(n_v), lambda: zeros(n_lambda), lambda_n, ..Self::default() }
    }

    /// Forgets all steps.
    pub fn forget(&mut self) {
        let lists = self.a.iter_mut().chain(&mut self.lambda);
        lists.for_each(|list| list.fill(X::zero()));
        (self.order, self.degrees) = (0, [0; LANES]);
    }

    /// The weights of the differences.
    #[inline(always)]
    pub fn weights(&self) -> [X; 3] {
        [1, 2, 3].map(|k| Lanes::new(self.degrees.map(|degree| f64::from(k <= degree))))
    }

    /// Appends a step with the changes of a and its multipliers.
    #[inline(always)]
    pub fn append(&mut self, changes: impl Iterator<Item = X>, lambda: &[X]) {
        let errors = differ(&mut self.a, changes).map(Lanes::to_array);
        let changes = lambda.iter().zip(&self.lambda_n).map(|(new, old)| *new - *old);
        differ(&mut self.lambda, changes);
        for lane in 0..LANES {
            let better = |best: usize, k: usize| if errors[k][lane] < errors[best][lane] { k } else { best };
            self.degrees[lane] = if self.order == 0 { 1 } else { (1..=self.order).fold(0, better) };
        }
        self.order = (self.order + 1).min(3);
    }
}
