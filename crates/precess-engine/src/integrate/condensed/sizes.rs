//! Sizes of corrections and residuals in units of the round-off of positions.

use std::ops::Range;

use super::{Condensed, ROUND_OFF, larger, max_norm};
use crate::integrate::entries::norm_of;
use crate::mechanics::System;

impl Condensed {
    /// Size of a correction in units of round-off; NaN if an entry is NaN.
    pub fn size_of(&self, system: &dyn System, delta: &[f64]) -> f64 {
        let w = self;
        let size = w.size_of_increment(system, delta);
        // Algebraic variables may have no influence on theta, so they are tested separately.
        let k = w.theta.len() + w.trial.lambda.len();
        let d_s = max_norm(&delta[k..k + w.trial.s.len()]);
        if d_s > 0.0 {
            let own = d_s / (ROUND_OFF * (max_norm(&w.trial.s) + d_s));
            return larger(own, size);
        }
        size
    }

    /// The same for an increment theta alone.
    pub fn size_of_increment(&self, system: &dyn System, delta: &[f64]) -> f64 {
        self.size_by_blocks(system, |v| norm_of(&delta[v]))
    }

    /// Estimates the first correction from a guess without extrapolation, which has the size of the local
    /// error, given the actual first correction.
    pub fn first_correction(&self, system: &dyn System, size: f64) -> f64 {
        if self.extrapolates { size.max(self.size_of_increment(system, &self.delta)) } else { size }
    }

    /// Size of the equations of motion in a residual; `row_scale` converts rows to units of a position.
    pub fn size_of_forces(&self, system: &dyn System, psi: &[f64], row_scale: &[f64]) -> f64 {
        self.size_by_blocks(system, |v| match (&psi[v.clone()], &row_scale[v]) {
            ([a, b, c], [x, y, z]) => norm_of(&[a * x, b * y, c * z]),
            (psi, scale) => psi.iter().zip(scale).map(|(p, s)| (p * s) * (p * s)).sum::<f64>().sqrt(),
        })
    }

    /// Size of the accelerations, as the changes of positions that they cause in a step.
    pub fn size_of_accelerations(&self, system: &dyn System) -> f64 {
        let h2 = self.h * self.h;
        self.size_by_blocks(system, |v| h2 * norm_of(&self.trial.vdot[v]))
    }

    /// The largest of these norms, in units of the round-off of their blocks.
    #[inline]
    fn size_by_blocks(&self, system: &dyn System, norm: impl Fn(Range<usize>) -> f64) -> f64 {
        let length = system.length_scale();
        let mut largest = 0.0;
        for block in &self.described {
            let round_off = if block.is_length() {
                ROUND_OFF * (length + norm_of(&self.q_n[block.q.clone()]))
            } else {
                ROUND_OFF
            };
            let size = norm(block.v.clone()) / round_off;
            largest = larger(largest, size);
        }
        largest
    }
}
