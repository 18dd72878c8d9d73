//! Numbers of one run, or of several runs side by side, whose sizes decide how a step goes on.

use precess_lie::{LANES, Lanes, Mask, Number};

/// A number per run.
pub trait Runs: Number {
    /// The number of runs.
    const RUNS: usize;
    /// A selection of runs.
    type Chosen: Copy;
    /// Selects runs.
    fn choose(chosen: impl Fn(usize) -> bool) -> Self::Chosen;
    /// This number in the chosen runs, the other one elsewhere.
    fn where_or(self, chosen: Self::Chosen, other: Self) -> Self;
    /// The number of a run.
    fn of_run(self, run: usize) -> f64;
    /// The number of each run.
    fn from_runs(f: impl Fn(usize) -> f64) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The larger one, or NaN if one is NaN.
    fn larger(self, other: Self) -> Self;
}

impl Runs for f64 {
    const RUNS: usize = 1;
    type Chosen = bool;
    #[inline(always)]
    fn choose(chosen: impl Fn(usize) -> bool) -> bool {
        chosen(0)
    }
    #[inline(always)]
    fn where_or(self, chosen: bool, other: f64) -> f64 {
        if chosen { self } else { other }
    }
    #[inline(always)]
    fn of_run(self, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn from_runs(f: impl Fn(usize) -> f64) -> f64 {
        f(0)
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn larger(self, other: f64) -> f64 {
        precess_lie::larger(self, other)
    }
}

impl Runs for Lanes {
    const RUNS: usize = LANES;
    type Chosen = Mask;
    #[inline(always)]
    fn choose(chosen: impl Fn(usize) -> bool) -> Mask {
        Mask::new(std::array::from_fn(chosen))
    }
    #[inline(always)]
    fn where_or(self, chosen: Mask, other: Lanes) -> Lanes {
        Lanes::where_or(self, chosen, other)
    }
    #[inline(always)]
    fn of_run(self, run: usize) -> f64 {
        self.lane(run)
    }
    #[inline(always)]
    fn from_runs(f: impl Fn(usize) -> f64) -> Lanes {
        Lanes::new(std::array::from_fn(f))
    }
    #[inline(always)]
    fn abs(self) -> Lanes {
        Lanes::abs(self)
    }
    #[inline(always)]
    fn larger(self, other: Lanes) -> Lanes {
        Lanes::larger(self, other)
    }
}
