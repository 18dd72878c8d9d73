//! Redundant rows: removes the part of Phi that no motion can remove, and measures gaps.

use super::{Condensed, Form, max_norm};
use crate::integrate::round_off::add_absolute;
use crate::mechanics::redundancy::FILTER_PASSES;
use crate::mechanics::{State, System, Tangents, Want};
use crate::solve::Kkt;

/// Smaller incompatible parts of Phi, in lengths of the model or rad, are not computed again.
const INCOMPATIBLE_ROUND_OFF: f64 = 1e-13;

impl Condensed {
    /// True if the removed part of Phi is so large that it may come from the guess, not from the geometry:
    /// the error of a guess enters it squared. A better iterate then has less of it.
    pub fn filters_again(&self, system: &dyn System) -> bool {
        max_norm(&self.incompatible) > INCOMPATIBLE_ROUND_OFF * system.length_scale().min(1.0)
    }

    /// Removes the part of Phi that no motion can remove from the residual of this step. Replaces an earlier
    /// removal.
    pub fn filter(&mut self, system: &dyn System, kkt: &mut Kkt, psi: &mut [f64]) {
        let Some(weights) = system.row_weights() else { return };
        if !matches!(self.form, Form::Index3 | Form::StabilizedIndex2) {
            return;
        }
        let (c_m, eps) = (self.c_m(), self.eps);
        let w = &mut *self;
        let (k, m) = (w.theta.len(), w.incompatible.len());
        let h2 = w.h * w.h;
        for i in 0..m {
            // Phi alone.
            psi[k + i] += w.incompatible[i];
            w.incompatible[i] = psi[k + i] + eps * weights[i] / c_m * h2 * w.trial.lambda[i];
        }
        let right = &mut w.filter[..kkt.len()];
        for _ in 0..FILTER_PASSES {
            right.fill(0.0);
            for i in 0..m {
                right[k + i] = -w.incompatible[i];
            }
            kkt.solve(right);
            for i in 0..m {
                w.incompatible[i] -= eps * weights[i] / c_m * right[k + i];
            }
        }
        // The passes leave the compatible part; the rest of Phi is incompatible.
        for i in 0..m {
            let phi = psi[k + i] + eps * weights[i] / c_m * h2 * w.trial.lambda[i];
            w.incompatible[i] = phi - w.incompatible[i];
            psi[k + i] -= w.incompatible[i];
        }
    }
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
