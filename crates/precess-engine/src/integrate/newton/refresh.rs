//! Decides when a new iteration matrix is formed.
//!
//! A matrix of an earlier step costs nothing, but corrections shrink more slowly with its age. A [`Policy`]
//! says whether a step may begin with the matrix of an earlier one ([`Keep`]), and above which rate a new one
//! is formed within the step.

use std::ops::Range;

use super::convergence::Convergence;
use super::jacobian_reuse::JacobianReuse;
use super::settings::Strategy;

/// Rate above which `Modified` forms a new matrix.
const MODIFIED_RATE: f64 = 0.5;
/// Rate above which `Once` and `Kept` form another matrix in a step.
pub(crate) const IN_STEP_RATE: f64 = 0.1;
/// Another matrix of the same step does not reduce corrections below this size, in units of round-off.
pub(crate) const LARGEST_FLOOR: f64 = 1e3;
/// With a tolerance, a larger rate in the last step requires a new matrix: 0.02 and 0.05 cost the same on
/// chains and a slider-crank, 0.2 half as much again.
const SLOW_RATE: f64 = 0.03;
/// With a tolerance, a larger relative change of h dv requires a new matrix.
const OTHER_COEFFICIENT: f64 = 0.05;
/// With a tolerance, a ratio of the step to that of the matrix outside this range requires a new one.
const SIMILAR_STEP: Range<f64> = 0.6..1.6;
/// With a tolerance, number of steps with new matrices after a kept one has failed.
const FRESH_STEPS: usize = 8;

/// Conditions for starting a step with the matrix of an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Never.
    #[default]
    Never,
    /// Always; a new one is formed if the iteration becomes slow.
    WhileItConverges,
    /// As long as that saves work ([`JacobianReuse`]).
    WhileItPays,
    /// While the step is similar and the last iteration was quick, for variable steps.
    WhileItSuits,
}

/// Decides when new matrices are formed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Policy {
    /// Rule at the beginning of a step.
    pub keep: Keep,
    /// Within a step, above this rate of convergence.
    pub above: f64,
}

impl Policy {
    /// A matrix in every iteration.
    pub const EVERY_ITERATION: Policy = Policy { keep: Keep::Never, above: f64::NEG_INFINITY };
    /// One matrix in every step.
    pub const EVERY_STEP: Policy = Policy { keep: Keep::Never, above: f64::INFINITY };
    /// For variable steps: only a failure requires another matrix within a step.
    pub const SUITABLE: Policy = Policy { keep: Keep::WhileItSuits, above: f64::INFINITY };

    /// True for a matrix in every iteration.
    pub fn is_every_iteration(&self) -> bool {
        self.above == f64::NEG_INFINITY
    }

    /// The policy for fixed steps.
    pub fn of(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Auto | Strategy::Full | Strategy::Simplified => Policy::EVERY_ITERATION,
            Strategy::Modified => Policy { keep: Keep::WhileItConverges, above: MODIFIED_RATE },
            Strategy::Once => Policy { keep: Keep::Never, above: IN_STEP_RATE },
            Strategy::Kept => Policy { keep: Keep::WhileItPays, above: IN_STEP_RATE },
        }
    }
}

/// The step for which a matrix was formed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Made {
    /// The step size.
    pub h: f64,
    /// h dv/dtheta.
    pub alpha: f64,
}

/// The current matrix, and the decision about its reuse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refresh {
    /// The rule for new matrices.
    pub policy: Policy,
    /// The step for which it was formed; none if there is no matrix.
    made: Option<Made>,
    /// True if it belongs to the current step.
    pub current: bool,
    /// Rate of convergence in the last step, for variable steps.
    pub rate: f64,
    /// Number of steps that form a new matrix at once, because a kept one has failed.
    own: usize,
    /// Decides how long keeping it saves work.
    reuse: JacobianReuse,
    /// Iterations of the current step before its new matrix.
    before: usize,
}

crate::persist!(Made { h, alpha });
crate::persist!(Refresh { made, current, rate, own, reuse } given { policy, before });

impl Refresh {
    /// A matrix costs as much as this number of iterations.
    pub fn new(cost: f64) -> Self {
        Refresh { reuse: JacobianReuse::new(cost), ..Refresh::default() }
    }

    /// Drops the matrix.
    pub fn forget(&mut self) {
        self.made = None;
    }

    /// True if a later step may use the factors again.
    pub fn keeps_factors(&self) -> bool {
        match self.policy.keep {
            Keep::Never => false,
            Keep::WhileItConverges => true,
            Keep::WhileItPays => self.reuse.keeps,
            Keep::WhileItSuits => self.made.is_some(),
        }
    }

    /// Begins a step; true if it needs a new matrix at once. Systems with redundant rows, and factors with
    /// pivots from whole columns, are not `regular`: they always need a new one.
    pub fn begin(&mut self, step: Made, regular: bool) -> bool {
        let same_step = self.made.is_some_and(|made| made.h == step.h);
        let kept = match self.policy.keep {
            Keep::Never => false,
            Keep::WhileItConverges => same_step,
            Keep::WhileItPays => same_step && regular && self.reuse.keeps,
            Keep::WhileItSuits => self.own == 0 && regular && self.suits(step),
        };
        self.own = self.own.saturating_sub(1);
        self.before = 0;
        self.current = !kept;
        !kept
    }

    fn suits(&self, step: Made) -> bool {
        self.made.is_some_and(|made| {
            (step.alpha / made.alpha - 1.0).abs() <= OTHER_COEFFICIENT
                && SIMILAR_STEP.contains(&(step.h / made.h))
                && self.rate <= SLOW_RATE
        })
    }

    /// Prepares to repeat the step with a new matrix, because a kept one has failed.
    pub fn begin_again(&mut self) {
        (self.current, self.own) = (true, FRESH_STEPS);
    }

    /// A matrix is about to be formed, after this number of iterations.
    pub fn renewing(&mut self, iterations: usize) {
        self.made = None;
        self.before = iterations;
    }

    /// The matrix was formed for this step.
    pub fn renewed(&mut self, step: Made) {
        self.made = Some(step);
        self.current = true;
    }

    /// True if the next iteration needs another matrix.
    #[inline]
    pub fn again(&self, convergence: &Convergence) -> bool {
        let above = match self.policy.keep {
            // The error that an old matrix leaves after the first correction has other directions and shrinks
            // faster.
            Keep::WhileItPays if !self.current && convergence.count == 2 => MODIFIED_RATE,
            // Another matrix of the same step would not help against rounding errors.
            Keep::WhileItPays if self.current && convergence.last <= LARGEST_FLOOR => f64::INFINITY,
            _ => self.policy.above,
        };
        convergence.rate > above
    }

    /// A fixed step was solved in this number of iterations.
    pub fn solved(&mut self, iterations: usize) {
        if self.current {
            self.reuse.renewed(self.before);
        }
        self.reuse.note(iterations - self.before);
    }
}
