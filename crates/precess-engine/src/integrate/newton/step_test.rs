//! The convergence test of a fixed step, with the matrix of this step or of an earlier one. Single runs and
//! runs side by side share it.

use super::convergence::{Convergence, ConvergenceRule, Said};
use super::refresh::{IN_STEP_RATE, LARGEST_FLOOR};

/// A correction of this size in units of round-off does not change a position. It may be omitted in every
/// step.
pub(crate) const INVISIBLE: f64 = 1.0 / 16.0;
/// Matrices of earlier steps must meet a 100 times tighter tolerance.
const STALE_TOLERANCE_FACTOR: f64 = 1e-2;
/// Factor by which the floor of corrections decays in each step.
pub(crate) const FLOOR_DECAY: f64 = 0.99;

/// The corrections of a step, in units of round-off, and the tolerance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTest {
    pub convergence: Convergence,
    /// Largest remaining error.
    pub tolerated: f64,
    /// Weight of unbalanced forces in relation to corrections.
    per_force: f64,
}

/// A correction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepCorrection {
    /// Its size in units of round-off.
    pub size: f64,
    /// The unbalanced forces before it, if the matrix is old.
    pub forces: f64,
    /// The number of corrections in this step so far.
    pub count: usize,
    /// True if the matrix belongs to this step.
    pub current: bool,
    /// True if the matrix belongs to an earlier step and is kept to save work. Its error has the same sign in
    /// every step and accumulates, so it is not accepted as round-off.
    pub old: bool,
}

impl StepTest {
    /// A test before the first correction.
    #[inline]
    pub fn new(rule: ConvergenceRule) -> Self {
        StepTest { convergence: Convergence::new(rule), tolerated: 1.0, per_force: 0.0 }
    }

    /// Sets the largest remaining error: `tolerance` times a first correction of size `first`. `least` is the
    /// error that is always allowed. With an old matrix, `accelerations` is the size of the accelerations.
    #[inline(always)]
    pub fn set_tolerance(&mut self, tolerance: f64, first: f64, least: f64, accelerations: Option<f64>) {
        let tolerance = tolerance * if accelerations.is_some() { STALE_TOLERANCE_FACTOR } else { 1.0 };
        self.tolerated = (tolerance * first).max(least);
        if let Some(size) = accelerations {
            self.per_force = self.tolerated / (tolerance * size).max(INVISIBLE);
        }
    }

    /// Judges a correction. Below `floor`, corrections of this run do not shrink; it is updated.
    #[inline(always)]
    pub fn judge(&mut self, c: StepCorrection, floor: &mut f64) -> Said {
        let round_off = match c.count {
            2.. if c.old => INVISIBLE.max(2.0 * *floor),
            _ if c.current => 1.0,
            _ => INVISIBLE,
        };
        let forces = self.per_force * c.forces;
        let negligible = c.size <= round_off && IN_STEP_RATE * forces <= self.tolerated;
        let convergence = &mut self.convergence;
        convergence.observe(if c.size < forces { forces } else { c.size });
        if convergence.is_noise(c.current) {
            *floor = convergence.last.max(convergence.previous).min(LARGEST_FLOOR);
        }
        convergence.judge(negligible, self.tolerated, c.current)
    }
}
