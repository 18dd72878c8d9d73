//! Newton's method for one step of several runs side by side.

use num_traits::{One, Zero};
use precess_lie::{Lanes, Mask, Number};

use super::{LANES, SideBySide, X};
use crate::Error;
use crate::integrate::condensed::ROUND_OFF;
use crate::integrate::newton::convergence::ConvergenceRule;
use crate::integrate::newton::step_test::{INVISIBLE, StepCorrection, StepTest};
use crate::integrate::newton::{Equations, Made, Said, Verdict};
use crate::mechanics::batch::{BatchState, MatrixWeights};
use crate::solve::kkt::SMALLEST_DIAGONAL;

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
    tests: [StepTest; LANES],
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
            tests: [StepTest::new(ConvergenceRule::LANES); LANES],
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

    /// True if unbalanced forces are tested, because an open run uses a matrix of an earlier step.
    #[inline(always)]
    fn tests_forces(&self) -> bool {
        self.runs.extrapolates && (0..LANES).any(|i| self.open[i] && !self.runs.refresh[i].current)
    }

    /// Sets the largest remaining errors, after first corrections of these sizes.
    #[inline(always)]
    fn set_tolerances(&mut self, size: X) {
        let forces = self.tests_forces();
        let runs = &mut *self.runs;
        let (mut first, mut accelerations) = (size, X::of(f64::INFINITY));
        if runs.extrapolates {
            // The correction is smaller than the local error.
            first = size.larger(runs.models.size(&runs.q_n, &runs.delta, ROUND_OFF));
        }
        if forces {
            let h2 = X::of(runs.h * runs.h);
            for (x, a) in runs.scratch.iter_mut().zip(&runs.now.vdot) {
                *x = h2 * *a;
            }
            accelerations = runs.models.size(&runs.q_n, &runs.scratch, ROUND_OFF);
        }
        let tolerance = if runs.strict { 0.0 } else { runs.newton.tolerance };
        let least = if runs.policy.is_every_iteration() { 1.0 } else { INVISIBLE };
        for (lane, test) in self.tests.iter_mut().enumerate() {
            let old = !runs.refresh[lane].current;
            let least = if old { INVISIBLE * runs.floors[lane].max(1.0) } else { least };
            let accelerations = old.then(|| accelerations.lane(lane));
            test.set_tolerance(tolerance, first.lane(lane), least, accelerations);
        }
    }

    /// Judges the correction of one run, with the unbalanced forces before it. Returns true if the run needs
    /// another iteration.
    #[inline(always)]
    fn judge(&mut self, lane: usize, size: f64, forces: f64) -> bool {
        let (runs, test) = (&mut *self.runs, &mut self.tests[lane]);
        let (every, refresh) = (runs.policy.is_every_iteration(), &mut runs.refresh[lane]);
        runs.counts[lane].iterations += 1;
        let (current, old, count) = (refresh.current, !refresh.current, self.iterations);
        let forces = if old { forces } else { 0.0 };
        let said = test.judge(StepCorrection { size, forces, count, current, old }, &mut runs.floors[lane]);
        let gives_up = said == Said::Diverges;
        // If the iteration diverges with an old matrix, a new matrix may help.
        let blamed = gives_up && old && size.is_finite();
        self.asks[lane] = every || blamed || (said == Said::Open && refresh.again(&test.convergence));
        if said == Said::Open || blamed {
            return true;
        }
        runs.failed[lane] |= gives_up;
        if runs.keeps {
            refresh.solved(self.iterations);
        }
        false
    }

    /// The unbalanced forces in units of round-off, if a run needs them.
    #[inline(always)]
    fn forces(&mut self) -> X {
        if !self.tests_forces() {
            return X::zero();
        }
        let SideBySide { models, psi, q_n, row_scale, scratch, .. } = &mut *self.runs;
        for (x, (r, scale)) in scratch.iter_mut().zip(psi.iter().zip(&*row_scale)) {
            *x = *r * *scale;
        }
        models.size(q_n, scratch, ROUND_OFF)
    }

    /// The scales of the equations of motion of every run that asked for a new matrix, before it is
    /// factorised.
    #[inline(always)]
    fn scale(&mut self) {
        let SideBySide { factors, row_scale, .. } = &mut *self.runs;
        let asked = Mask::new(self.asks);
        for (i, scale) in row_scale.iter_mut().enumerate() {
            let diagonal = factors.matrix.get(i, i).abs();
            let inverse = (diagonal - X::of(SMALLEST_DIAGONAL)).if_positive(X::one() / diagonal, X::one());
            *scale = inverse.where_or(asked, *scale);
        }
    }

    /// Restores the matrix of every run that did not ask for a new one.
    #[inline(always)]
    fn keep(&mut self) {
        let SideBySide { factors, kept, .. } = &mut *self.runs;
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
        self.scale();
        self.runs.factors.factor();
        if self.runs.keeps {
            self.keep();
        }
        let runs = &mut *self.runs;
        let made = Made { h: runs.h, alpha: runs.h * self.slopes[0] };
        for lane in (0..LANES).filter(|&i| self.open[i] && self.asks[i]) {
            runs.counts[lane].jacobians += 1;
            runs.refresh[lane].renewing(self.iterations);
            runs.refresh[lane].renewed(made);
            if runs.keeps {
                // Corrections with the new matrix are not compared with those of the old one.
                self.tests[lane].convergence.start_anew();
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn correct(&mut self) -> Result<Verdict, Error> {
        let forces = self.forces();
        let SideBySide { models, factors, psi, q_n, delta, .. } = &mut *self.runs;
        factors.solve(psi);
        let size = models.size(q_n, &psi[..delta.len()], ROUND_OFF);
        self.take();
        self.iterations += 1;
        if self.iterations == 1 {
            self.set_tolerances(size);
        }
        for lane in 0..LANES {
            self.open[lane] = self.open[lane] && self.judge(lane, size.lane(lane), forces.lane(lane));
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
