//! Rounding errors in the error test.
//!
//! An error of a step that rounding errors explain is no reason for a smaller one. Near a singular position
//! rounding errors of the constraints move positions and velocities along the direction that is hardly held
//! (see `round_off.rs`) by much more than a tolerance; how much depends on where a step ends, not on its
//! size, and the next step sets it anew. The test would see it as an error that no step size removes.
//!
//! What rounding errors do in a step is measured with the factors at hand: residuals of the size of the
//! rounding errors of their rows, with arbitrary signs, are solved for. Blocks of an error below
//! [`EXPLAINED`] times that do not count. This is looked at where a step would be rejected or Newton's
//! iteration ended in round-off; from there on for some steps, because the history keeps the noise of one
//! step that long. In the meantime neither step nor order grow.

use super::norm::Norm;
use crate::Error;
use crate::integrate::StepReport;
use crate::integrate::diagnosis::arbitrary;
use crate::integrate::implicit::{Implicit, Scheme};
use crate::mechanics::System;

/// Errors below this many times the measured effect of rounding errors do not count. Newton's iteration may
/// leave 16 of them, and the differences of a history magnify those of one step up to 63 times.
const EXPLAINED: f64 = 256.0;
/// Sets of arbitrary signs.
const SAMPLES: usize = 2;

/// What rounding errors amount to.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    /// Steps for which it is looked at.
    left: usize,
    /// Positions and velocities of every block, the largest of the last steps.
    blocks: Vec<[f64; 2]>,
    rows: Vec<f64>,
    x: Vec<f64>,
    dv: Vec<f64>,
}

crate::persist!(Noise { left, blocks } given { rows, x, dv });

impl Noise {
    /// Room for n unknowns and dim velocities.
    pub fn resize(&mut self, n: usize, dim: usize, norm: &Norm) {
        *self = Noise {
            left: 0,
            blocks: vec![[0.0; 2]; norm.blocks()],
            rows: vec![0.0; n],
            x: vec![0.0; n],
            dv: vec![0.0; dim],
        };
    }

    /// True while steps are noisy.
    pub fn is_on(&self) -> bool {
        self.left > 0
    }

    /// Looks at the next steps, too.
    pub fn stay(&mut self, steps: usize) {
        self.left = steps;
    }

    /// Nothing is noisy any more.
    pub fn forget(&mut self) {
        self.left = 0;
        self.blocks.fill([0.0; 2]);
    }

    /// A step was accepted: what it leaves in the next ones fades by this factor.
    pub fn stepped(&mut self, fades: f64) {
        if self.left > 0 {
            self.left -= 1;
            self.blocks.iter_mut().flatten().for_each(|x| *x *= fades);
            if self.left == 0 {
                self.forget();
            }
        }
    }

    /// Takes in what rounding errors do in the present step.
    pub fn measure<S: Scheme>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        norm: &Norm,
    ) -> Result<(), Error> {
        if !implicit.refresh.current {
            let t = implicit.scheme.step().trial.t;
            implicit.refactor(system, t, &mut StepReport::default())?;
        }
        let Noise { blocks, rows, x, dv, .. } = self;
        let Implicit { scheme, kkt, .. } = implicit;
        if !scheme.step_mut().round_off_of_rows(system, rows) {
            return Ok(());
        }
        for sample in 0..SAMPLES {
            for (i, (x, row)) in x.iter_mut().zip(rows.iter()).enumerate() {
                *x = row * arbitrary(i + sample * rows.len()).signum();
            }
            kkt.solve(x);
            scheme.step().velocity_change(x, dv);
            norm.widen_blocks(&x[..dv.len()], dv, blocks);
        }
        Ok(())
    }

    /// An error without the blocks that rounding errors explain, in units of the tolerance.
    pub fn rest_of(&self, norm: &Norm, dq: &[f64], dv: &[f64]) -> f64 {
        norm.of_above(dq, dv, EXPLAINED, &self.blocks)
    }

    /// What a controller is told of an error in the meantime, so that it keeps step and order.
    pub fn told(&self, error: f64, least: f64) -> f64 {
        if self.is_on() { error.max(least) } else { error }
    }
}
