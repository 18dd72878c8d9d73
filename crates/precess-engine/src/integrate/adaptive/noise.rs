//! Rounding errors in the error test.
//!
//! An error that rounding errors explain is no reason for a smaller step. Near a singular position, rounding
//! errors of the constraints move positions and velocities along the direction that is only weakly
//! constrained (see `round_off.rs`), by much more than a tolerance. The amount depends on where a step ends,
//! not on its size, and changes with every step. The test would see it as an error that no step size removes.
//!
//! The effect of rounding errors in a step is measured with the current factors: they solve for residuals of
//! the size of the rounding errors of their rows, with arbitrary signs. Blocks of an error below
//! [`NOISE_FACTOR`] times that do not count. This is measured if a step would be rejected or Newton's
//! iteration ended in round-off, and then for some more steps, because the noise of one step stays in the
//! history that long. During these steps the order does not grow, and the step only grows after some steps
//! whose error is small apart from rounding. Without that, a step that has become tiny would stay so for
//! thousands of steps: rounding errors of positions, divided by a tiny step, end every iteration in noise
//! (measured on a scissor lift of three cells at 1e-6: 18 654 steps, and 688 with it).

use super::norm::Norm;
use crate::Error;
use crate::integrate::diagnosis::arbitrary;
use crate::integrate::implicit::{Implicit, Scheme};
use crate::mechanics::System;

/// Errors below this factor times the measured effect of rounding errors do not count. Newton's iteration may
/// leave 16 of them, and the differences of a history magnify those of one step up to 63 times.
const NOISE_FACTOR: f64 = 256.0;
/// Larger errors, in units of the tolerance, are errors whatever causes them: they are part of the motion from
/// then on. A scissor lift of six cells once gained 1e10 J in two hundred steps that were all explained.
pub(super) const LARGEST_NOISE: f64 = 1e3;
/// A noisy step with a smaller error is quiet.
const QUIET_ERROR: f64 = 0.1;
/// After this number of quiet steps in a row the step may grow.
const QUIET_STEPS: usize = 8;
/// Number of sign patterns.
const SAMPLES: usize = 2;

/// Measured effect of rounding errors.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    /// Number of further steps in which it is measured.
    left: usize,
    /// Number of noisy steps in a row with a small error.
    quiet: usize,
    /// Largest effect in the last steps on positions and velocities, per block.
    blocks: Vec<[f64; 2]>,
    rows: Vec<f64>,
    x: Vec<f64>,
    dv: Vec<f64>,
}

crate::persist!(Noise { left, quiet, blocks } given { rows, x, dv });

impl Noise {
    /// Allocates space for n unknowns and dim velocities.
    pub fn resize(&mut self, n: usize, dim: usize, norm: &Norm) {
        *self = Noise {
            left: 0,
            quiet: 0,
            blocks: vec![[0.0; 2]; norm.blocks()],
            rows: vec![0.0; n],
            x: vec![0.0; n],
            dv: vec![0.0; dim],
        };
    }

    /// True during noisy steps.
    pub fn is_on(&self) -> bool {
        self.left > 0
    }

    /// Measures the next steps, too.
    pub fn extend(&mut self, steps: usize) {
        self.left = steps;
    }

    /// Ends the noisy steps.
    pub fn forget(&mut self) {
        (self.left, self.quiet) = (0, 0);
        self.blocks.fill([0.0; 2]);
    }

    /// After an accepted step: its effect on the next ones decays by this factor.
    pub fn stepped(&mut self, decay: f64) {
        if self.left > 0 {
            self.left -= 1;
            self.blocks.iter_mut().flatten().for_each(|x| *x *= decay);
            if self.left == 0 {
                self.forget();
            }
        }
    }

    /// Measures the effect of rounding errors in the current step.
    pub fn measure<S: Scheme>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        norm: &Norm,
    ) -> Result<(), Error> {
        if !implicit.refresh().current {
            implicit.refactor(system)?;
        }
        let Noise { blocks, rows, x, dv, .. } = self;
        let Implicit { step, linear, .. } = implicit;
        if !step.round_off_of_rows(system, rows) {
            return Ok(());
        }
        for sample in 0..SAMPLES {
            for (i, (x, row)) in x.iter_mut().zip(rows.iter()).enumerate() {
                *x = row * arbitrary(i + sample * rows.len()).signum();
            }
            linear.kkt.solve(x);
            step.velocity_change(x, dv);
            norm.widen_blocks(&x[..dv.len()], dv, blocks);
        }
        Ok(())
    }

    /// An error without the blocks explained by rounding errors, in units of the tolerance.
    pub fn unexplained(&self, norm: &Norm, dq: &[f64], dv: &[f64]) -> f64 {
        norm.of_above(dq, dv, NOISE_FACTOR, &self.blocks)
    }

    /// The error reported to the step control: at least `least` during noisy steps, so that step and order do
    /// not grow, except after some steps with small errors.
    pub fn reported(&mut self, error: f64, least: f64) -> f64 {
        if !self.is_on() {
            return error;
        }
        self.quiet = if error < QUIET_ERROR { self.quiet + 1 } else { 0 };
        if self.quiet < QUIET_STEPS {
            return error.max(least);
        }
        self.quiet = 0;
        error
    }
}
