//! Removes the part of Phi that no motion can remove: redundant rows that contradict each other.

use super::data::Step;
use super::linear::Linear;
use super::rows::Redundant;
use super::runs::Runs;
use crate::integrate::form::Form;
use crate::mechanics::redundancy::FILTER_PASSES;

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
