//! Newton's method for one step of several runs side by side.

use num_traits::Zero;
use precess_lie::{Lanes, Mask, Number};

use super::{LANES, SideBySide, X};
use crate::Error;
use crate::integrate::condensed::ROUND_OFF;
use crate::integrate::implicit::{INVISIBLE, STALE_TOLERANCE_FACTOR};
use crate::integrate::newton::convergence::ConvergenceRule;
use crate::integrate::newton::refresh::Keep;
use crate::integrate::newton::{Convergence, Equations, Made, Said, Verdict};
use crate::mechanics::batch::{BatchState, MatrixWeights};

/// Newton's method for one step of all runs. Convergence is tested for each run.
pub(super) struct BatchIteration<'x, 'a> {
    runs: &'x mut SideBySide<'a>,
    /// The derivatives dv/dtheta and dv'/dtheta.
    slopes: [f64; 2],
    weights: MatrixWeights,
    /// The times at the end of the step, where the equations hold.
    t: X,
    /// True for runs that have not converged yet.
    open: [bool; LANES],
    /// True for runs that get the next matrix.
    asks: [bool; LANES],
    convergence: [Convergence; LANES],
    tolerated: [f64; LANES],
    iterations: usize,
}

impl<'x, 'a> BatchIteration<'x, 'a> {
    #[inline(always)]
    pub fn new(runs: &'x mut SideBySide<'a>, slopes: [f64; 2], asks: [bool; LANES]) -> Self {
        let h2 = runs.h * runs.h;
        BatchIteration {
            weights: MatrixWeights { mass: h2 * slopes[1], damping: h2 * slopes[0], force: h2 },
            t: Lanes::new(std::array::from_fn(|i| runs.time(i, runs.counts[i].steps + 1))),
            open: runs.failed.map(|f| !f),
            asks,
            convergence: [Convergence::new(ConvergenceRule::LANES); LANES],
            tolerated: [1.0; LANES],
            iterations: 0,
            runs,
            slopes,
        }
    }

    /// Applies the corrections to the runs that have not converged yet.
    #[inline(always)]
    fn take(&mut self) {
        let runs = &mut *self.runs;
        let moving = Mask::new(self.open);
        let n_v = runs.delta.len();
        for (x, d) in runs.delta.iter_mut().zip(&runs.psi) {
            *x = (*x - *d).where_or(moving, *x);
        }
        let per_lambda = X::of(1.0 / (runs.h * runs.h));
        let (d_lambda, d_eta) = runs.psi[n_v..].split_at(runs.now.lambda.len());
        for (x, d) in runs.now.lambda.iter_mut().zip(d_lambda) {
            *x = (*x - per_lambda * *d).where_or(moving, *x);
        }
        if !runs.eta_h.is_empty() {
            for (x, d) in runs.eta_h.iter_mut().zip(d_eta) {
                *x = (*x - *d).where_or(moving, *x);
            }
            let taken = |i: usize| (-d_eta[i]).where_or(moving, X::zero());
            runs.models.add_along(taken, &mut runs.delta);
        }
        runs.follow(self.slopes[0], self.slopes[1]);
    }

    /// Judges the correction of one run. Returns true if the run needs another iteration.
    #[inline(always)]
    fn judge(&mut self, lane: usize, size: f64) -> bool {
        let (runs, convergence) = (&mut *self.runs, &mut self.convergence[lane]);
        let (every, refresh) = (runs.policy.is_every_iteration(), &mut runs.refresh[lane]);
        runs.counts[lane].iterations += 1;
        // With a matrix of an earlier step, the tolerance is tighter.
        let old = !refresh.current;
        if self.iterations == 1 {
            let least = if every { 1.0 } else { INVISIBLE };
            let tolerance = runs.newton.tolerance * if old { STALE_TOLERANCE_FACTOR } else { 1.0 };
            self.tolerated[lane] = if runs.strict { least } else { (tolerance * size).max(least) };
        }
        convergence.see(size);
        let negligible = size <= if old { INVISIBLE } else { 1.0 };
        let said = convergence.judge(negligible, self.tolerated[lane], !old);
        let gives_up = said == Said::Diverges;
        // If the iteration diverges with an old matrix, a new matrix may help.
        let blamed = gives_up && old && size.is_finite();
        self.asks[lane] = every || blamed || (said == Said::Open && refresh.again(convergence));
        if said == Said::Open || blamed {
            return true;
        }
        runs.failed[lane] |= gives_up;
        if runs.policy.keep != Keep::Never {
            refresh.solved(self.iterations);
        }
        false
    }

    /// Restores the matrix of every run that did not ask for a new one.
    #[inline(always)]
    fn keep(&mut self) {
        let SideBySide { factors, kept, policy, .. } = &mut *self.runs;
        if policy.keep == Keep::Never {
            return;
        }
        let values = factors.matrix.values_mut();
        let asked = Mask::new(self.asks);
        for (new, old) in values.iter_mut().zip(&*kept) {
            *new = new.where_or(asked, *old);
        }
        kept.copy_from_slice(values);
    }
}

impl Equations for BatchIteration<'_, '_> {
    #[inline(always)]
    fn residual(&mut self, matrix: bool) -> Result<bool, Error> {
        let SideBySide { now, models, theta, psi, factors, .. } = &mut *self.runs;
        let at = BatchState { t: self.t, q: &now.q, v: &now.v, vdot: &now.vdot, lambda: &now.lambda };
        models.residual(&at, &self.weights, psi);
        if matrix {
            models.matrix(&at, theta, &self.weights, &mut factors.matrix);
        }
        Ok(false)
    }

    #[inline(always)]
    fn matrix(&mut self) -> Result<(), Error> {
        self.runs.factors.factor();
        self.keep();
        let runs = &mut *self.runs;
        let made = Made { h: runs.h, alpha: runs.h * self.slopes[0] };
        for lane in (0..LANES).filter(|&i| self.open[i] && self.asks[i]) {
            runs.counts[lane].jacobians += 1;
            runs.refresh[lane].renewing(self.iterations);
            runs.refresh[lane].renewed(made);
            if runs.policy.keep != Keep::Never {
                // Corrections with the new matrix are not compared with those of the old one.
                self.convergence[lane].start_anew();
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn correct(&mut self) -> Result<Verdict, Error> {
        let SideBySide { models, factors, psi, q_n, delta, .. } = &mut *self.runs;
        factors.solve(psi);
        let size = models.size(q_n, &psi[..delta.len()], ROUND_OFF).to_array();
        self.take();
        self.iterations += 1;
        for lane in 0..LANES {
            self.open[lane] = self.open[lane] && self.judge(lane, size[lane]);
        }
        if self.open == [false; LANES] {
            return Ok(Verdict::Solved);
        }
        if self.iterations >= self.runs.newton.max_iterations {
            return Ok(Verdict::Stuck);
        }
        Ok(Verdict::Again { matrix: (0..LANES).any(|i| self.open[i] && self.asks[i]) })
    }

    fn stuck(&mut self) -> Result<(), Error> {
        (0..LANES).for_each(|i| self.runs.failed[i] |= self.open[i]);
        Ok(())
    }
}
