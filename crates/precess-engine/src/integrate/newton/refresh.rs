//! When a new iteration matrix is formed.
//!
//! A matrix of an earlier step costs nothing, but corrections shrink by a factor that grows with its age. A
//! [`Policy`] says whether a step may begin with the matrix of an earlier one ([`Keep`]), and above which
//! rate another one is formed in the step.

use std::ops::Range;

use super::convergence::Convergence;
use super::jacobian_reuse::JacobianReuse;
use super::settings::Strategy;

/// Rate above which `Modified` forms a new matrix.
const MODIFIED: f64 = 0.5;
/// Rate above which `Once` and `Kept` form another matrix in a step.
pub(crate) const IN_STEP: f64 = 0.1;
/// Corrections below this size in units of round-off are not made smaller by another matrix of the same step.
pub(crate) const LARGEST_FLOOR: f64 = 1e3;
/// Rates above this in the last step ask for a new matrix, to a tolerance: 0.02 and 0.05 cost the same on
/// chains and a slider-crank, 0.2 half as much again.
const SLOW: f64 = 0.03;
/// Relative change of h dv that asks for a new matrix, to a tolerance.
const OTHER_COEFFICIENT: f64 = 0.05;
/// Ratios of the step to that of the matrix that do not ask for a new one, to a tolerance.
const SIMILAR_STEP: Range<f64> = 0.6..1.6;
/// Steps with matrices of their own after a kept one has failed, to a tolerance.
const OWN: usize = 8;

/// When a step begins with the matrix of an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Never.
    #[default]
    Never,
    /// Always: it is renewed when the iteration becomes slow.
    WhileItConverges,
    /// As long as that saves work ([`JacobianReuse`]).
    WhileItPays,
    /// While the step is similar and the last iteration was quick: steps of any size.
    WhileItSuits,
}

/// When matrices are renewed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Policy {
    /// At the beginning of a step.
    pub keep: Keep,
    /// In a step, above this rate of convergence.
    pub above: f64,
}

impl Policy {
    /// A matrix in every iteration.
    pub const EVERY_ITERATION: Policy = Policy { keep: Keep::Never, above: f64::NEG_INFINITY };
    /// A matrix in every step and no other.
    pub const EVERY_STEP: Policy = Policy { keep: Keep::Never, above: f64::INFINITY };
    /// Steps of any size: a failure asks for another matrix, nothing else.
    pub const SUITABLE: Policy = Policy { keep: Keep::WhileItSuits, above: f64::INFINITY };

    /// True for a matrix in every iteration.
    pub fn is_every_iteration(&self) -> bool {
        self.above == f64::NEG_INFINITY
    }

    /// For steps of given size.
    pub fn of(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Auto | Strategy::Full | Strategy::Simplified => Policy::EVERY_ITERATION,
            Strategy::Modified => Policy { keep: Keep::WhileItConverges, above: MODIFIED },
            Strategy::Once => Policy { keep: Keep::Never, above: IN_STEP },
            Strategy::Kept => Policy { keep: Keep::WhileItPays, above: IN_STEP },
        }
    }
}

/// What a matrix was made for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Made {
    /// The step size.
    pub h: f64,
    /// h dv/dtheta.
    pub alpha: f64,
}

/// The matrix at hand and what becomes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refresh {
    /// When it is renewed.
    pub policy: Policy,
    /// What it was made for; none if there is no matrix.
    made: Option<Made>,
    /// True if it belongs to the present step.
    pub current: bool,
    /// Rate of convergence in the last step, for steps of any size.
    pub rate: f64,
    /// Steps that get a matrix of their own at once, because a kept one has failed.
    own: usize,
    /// How long keeping it pays.
    reuse: JacobianReuse,
    /// Iterations of the present step before its own matrix.
    before: usize,
}

crate::persist!(Made { h, alpha });
crate::persist!(Refresh { made, current, rate, own, reuse } given { policy, before });

impl Refresh {
    /// For matrices that cost so many iterations.
    pub fn new(cost: f64) -> Self {
        Refresh { reuse: JacobianReuse::new(cost), ..Refresh::default() }
    }

    /// There is no matrix.
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

    /// Begins a step; true if it needs a matrix of its own at once. Systems with redundant rows are not
    /// `regular`, and factors with pivots from whole columns are not kept to save work: they need their own.
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
                && self.rate <= SLOW
        })
    }

    /// The step is repeated with a matrix of its own, because a kept one has failed.
    pub fn begin_again(&mut self) {
        (self.current, self.own) = (true, OWN);
    }

    /// A matrix is about to be formed, after so many iterations.
    pub fn renewing(&mut self, iterations: usize) {
        self.made = None;
        self.before = iterations;
    }

    /// It was formed for this step.
    pub fn renewed(&mut self, step: Made) {
        self.made = Some(step);
        self.current = true;
    }

    /// True if the next iteration needs another matrix.
    #[inline]
    pub fn again(&self, convergence: &Convergence) -> bool {
        let above = match self.policy.keep {
            // What an old matrix leaves over of the first correction is in other directions and shrinks
            // faster.
            Keep::WhileItPays if !self.current && convergence.count == 2 => MODIFIED,
            // Another one of the same step would not help against rounding errors.
            Keep::WhileItPays if self.current && convergence.last <= LARGEST_FLOOR => f64::INFINITY,
            _ => self.policy.above,
        };
        convergence.rate > above
    }

    /// A step of given size was solved in so many iterations.
    pub fn solved(&mut self, iterations: usize) {
        if self.current {
            self.reuse.renewed(self.before);
        }
        self.reuse.note(iterations - self.before);
    }
}
