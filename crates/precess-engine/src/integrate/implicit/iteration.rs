//! Newton's method for a fixed step.
//!
//! **Convergence.** Corrections of the position increment theta are measured per part of the configuration
//! (rotation and translation of each body) in units of the round-off of that part. The first correction of a
//! step is its distance from the predictor, of the size h^3 v'' of the local error. Newton's error must be
//! `tolerance` times that, so it stays far below the error of the method for every h (an error relative to h
//! v would add up to a visible error in v). Multipliers are never tested: their increments are pure noise for
//! redundant rows.
//!
//! **Matrices of earlier steps.** With an old matrix multipliers converge slowly, so unbalanced forces are
//! tested as well. Multipliers and accelerations are extrapolated, so that there is less to correct. In large
//! systems corrections stop shrinking above the round-off of a position. This floor is measured with a new
//! matrix, and old matrices need not get below it.
//!
//! **Quality of the factors.** The first factors are tested with a known solution, and so are the next ones
//! if the iteration contracts badly. If blocks fail, pivots are taken from whole columns
//! ([`Kkt::form`](crate::solve::Kkt::form)).
//!
//! **One iteration.** With the exact matrix, the remaining error is c times the square of a correction, with
//! c about the same in every step. If c of an earlier step predicts an error below round-off, the new
//! residual is measured with the current factors, and a second iteration follows only if necessary. With
//! constraints it always follows, because multipliers may need it when positions do not.

use super::{Implicit, Scheme, Strategy};
use crate::Error;
use crate::integrate::integrator::StepReport;
use crate::integrate::newton::convergence::ConvergenceRule;
use crate::integrate::newton::refresh::IN_STEP_RATE;
use crate::integrate::newton::step_test::{INVISIBLE, StepCorrection, StepTest};
use crate::integrate::newton::{Equations, Said, Verdict};
use crate::mechanics::System;

/// A residual of this size, in units of its own rounding errors, cannot get smaller.
const ROUND_OFF_ROWS: f64 = 64.0;
/// Only corrections above this size, in units of round-off, are used to judge the contraction.
const JUDGED_CORRECTION: f64 = 100.0;
/// Sufficient decrease of the line search (Kelley).
const ARMIJO: f64 = 1e-4;
/// Shortest part of a correction in a line search.
const SHORTEST_PART: f64 = 1e-3;

/// One step.
pub(super) struct Iteration<'a, S> {
    x: &'a mut Implicit<S>,
    system: &'a dyn System,
    /// Time at the end of the step.
    t: f64,
    report: &'a mut StepReport,
    strategy: Strategy,
    test: StepTest,
    /// The merit before the last correction, if that may be shortened.
    merit: Option<f64>,
}

impl<'a, S: Scheme> Iteration<'a, S> {
    pub fn new(x: &'a mut Implicit<S>, system: &'a dyn System, t: f64, report: &'a mut StepReport) -> Self {
        let strategy = x.strategy();
        Iteration { x, system, t, report, strategy, test: StepTest::new(ConvergenceRule::STEP), merit: None }
    }

    /// True while a matrix of an earlier step is kept to save work.
    fn is_old(&self) -> bool {
        !self.x.refresh.current && self.strategy == Strategy::Kept
    }

    /// Sets the largest remaining error, after a first correction of this size.
    fn set_tolerance(&mut self, size: f64) {
        let (old, current, step) = (self.is_old(), self.x.refresh.current, self.x.scheme.step());
        let exact = current && matches!(self.strategy, Strategy::Full | Strategy::Simplified);
        let least = match exact {
            true => 1.0,
            false if old => INVISIBLE * self.x.floor.max(1.0),
            false => INVISIBLE,
        };
        let first = step.first_correction(self.system, size);
        let accelerations = old.then(|| step.size_of_accelerations(self.system));
        self.test.set_tolerance(self.x.newton.tolerance, first, least, accelerations);
    }

    /// Judges a correction of this size, with the unbalanced forces before it.
    fn judge(&mut self, size: f64, forces: f64) -> Said {
        let (count, current, old) = (self.report.iterations, self.x.refresh.current, self.is_old());
        if count == 1 {
            self.set_tolerance(size);
        }
        let said = self.test.judge(StepCorrection { size, forces, count, current, old }, &mut self.x.floor);
        let convergence = &self.test.convergence;
        if count == 2 && convergence.weight == 1.0 && current {
            self.x.quadratic = Some(convergence.rate / convergence.previous);
        }
        said
    }

    /// Armijo's line search: halves the last correction until the residual decreases. It also helps if forces
    /// are not defined at the full correction.
    fn line_search(&mut self, mut outcome: Result<(), Error>) -> Result<(), Error> {
        let mut weight = 1.0;
        if let Some(merit) = self.merit {
            let too_far = |x: &Implicit<S>, outcome: &Result<(), Error>, weight: f64| {
                outcome.is_err() || x.merit() > (1.0 - ARMIJO * weight) * merit
            };
            while too_far(self.x, &outcome, weight) && weight > SHORTEST_PART {
                self.x.scheme.step_mut().correct(self.system, -0.5 * weight, &self.x.delta);
                weight *= 0.5;
                self.report.dampings += 1;
                outcome = self.x.evaluate(self.system, self.t);
            }
        }
        self.test.convergence.weight = weight;
        outcome
    }

    /// True if the first correction was enough, see the module.
    fn one_was_enough(&mut self) -> bool {
        let may_be = matches!(self.strategy, Strategy::Full | Strategy::Once)
            && self.report.iterations == 1
            && self.test.convergence.weight == 1.0
            && self.system.n_lambda() == 0;
        let square = self.test.convergence.last * self.test.convergence.last;
        if !may_be || !self.x.quadratic.is_some_and(|c| c * square <= INVISIBLE) {
            return false;
        }
        self.x.solve_correction();
        let rest = self.x.scheme.step().size_of(self.system, &self.x.delta);
        self.x.quadratic = Some(rest / square);
        rest <= INVISIBLE
    }
}

impl<S: Scheme> Equations for Iteration<'_, S> {
    #[inline]
    fn residual(&mut self, _matrix: bool) -> Result<bool, Error> {
        let outcome = self.x.evaluate(self.system, self.t);
        if self.report.iterations == 0 {
            return outcome.map(|()| false);
        }
        let stagnates =
            self.test.convergence.is_slow() && self.x.refresh.current && self.report.iterations > 2;
        if stagnates && outcome.is_ok() && self.x.in_round_offs(self.system) <= ROUND_OFF_ROWS {
            return Ok(true);
        }
        self.line_search(outcome)?;
        Ok(self.one_was_enough())
    }

    fn matrix(&mut self) -> Result<(), Error> {
        self.x.refactor(self.system, self.t, self.report)?;
        if self.strategy == Strategy::Kept && self.report.jacobians == 1 {
            // Corrections with the new matrix are not compared with those of the old one.
            self.test.convergence.start_anew();
        }
        Ok(())
    }

    #[inline]
    fn correct(&mut self) -> Result<Verdict, Error> {
        self.x.filter(self.system, self.report.iterations == 0);
        if self.x.trace.is_some() {
            let now = (self.x.merit(), self.x.worst());
            self.x.trace.iter_mut().for_each(|trace| trace.push(now));
        }
        let old = self.is_old();
        let Implicit { scheme, kkt, psi, .. } = &*self.x;
        let forces = if old { scheme.step().size_of_forces(self.system, psi, kkt.row_scale()) } else { 0.0 };
        self.x.solve_correction();
        let size = self.x.scheme.step().size_of(self.system, &self.x.delta);
        if !size.is_finite() {
            return Err(self.x.not_converged(self.system, self.t, size / self.test.tolerated, self.report));
        }
        self.x.scheme.step_mut().correct(self.system, 1.0, &self.x.delta);
        self.report.iterations += 1;

        if matches!(self.judge(size, forces), Said::Converged | Said::Noise) {
            return Ok(Verdict::Solved);
        }
        if self.report.iterations >= self.x.newton.max_iterations {
            return Ok(Verdict::Stuck);
        }
        // With an old matrix the residual may grow before corrections shrink.
        let may_damp = self.x.newton.damping && size > ConvergenceRule::STEP.noise && !old;
        self.merit = may_damp.then(|| self.x.merit());
        let (convergence, refresh) = (&self.test.convergence, &self.x.refresh);
        let matrix = refresh.again(convergence);
        // Tests the next factors, to find out whether they or the equations are the cause.
        if matrix
            && refresh.current
            && convergence.rate > IN_STEP_RATE
            && convergence.last > JUDGED_CORRECTION
        {
            self.x.kkt.doubt();
        }
        Ok(Verdict::Again { matrix })
    }

    fn stuck(&mut self) -> Result<(), Error> {
        self.x.evaluate(self.system, self.t)?;
        if self.x.in_round_offs(self.system) <= ROUND_OFF_ROWS {
            return Ok(());
        }
        self.x.refresh.forget();
        let correction = self.test.convergence.last / self.test.tolerated;
        Err(self.x.not_converged(self.system, self.t, correction, self.report))
    }
}

impl<S: Scheme> Implicit<S> {
    /// Residual norm with rows scaled to position units, for the line search. Sums four entries at a time,
    /// which are independent of each other.
    fn merit(&self) -> f64 {
        let larger = |m: f64, x: f64| if x > m { x } else { m };
        let ((psi, psi_end), (scale, scale_end)) =
            (self.psi.as_chunks::<4>(), self.kkt.row_scale().as_chunks::<4>());
        let mut largest = [0.0; 4];
        for (p, s) in psi.iter().zip(scale) {
            for i in 0..4 {
                largest[i] = larger(largest[i], (p[i] * s[i]).abs());
            }
        }
        let [a, b, c, d] = largest;
        let end = psi_end.iter().zip(scale_end).map(|(p, s)| (p * s).abs());
        end.fold(larger(larger(a, b), larger(c, d)), larger)
    }
}
