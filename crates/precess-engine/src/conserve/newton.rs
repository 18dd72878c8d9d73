//! Newton's method for a step of a conserving method: the exact matrix in every iteration, and one more
//! update after convergence.

use super::step::{Step, StepRule, Stepper, UnknownLayout};
use super::system::Conservative;
use crate::Error;
use crate::integrate::newton::convergence;
use crate::integrate::newton::{Convergence, Said};
use crate::integrate::{Diagnosis, StepReport};
use crate::mechanics::System;

/// The equations of a step. The residual is measured, not the correction, because invariants depend on the
/// residual.
pub(super) struct ConservingIteration<'a, R> {
    stepper: &'a mut Stepper<R>,
    system: &'a Conservative,
    report: &'a mut StepReport,
    convergence: Convergence,
    /// True if the residual is small enough: the next update is the last one.
    has_converged: bool,
    /// The largest row of the residual.
    worst: usize,
}

impl<'a, R: StepRule> ConservingIteration<'a, R> {
    pub fn new(stepper: &'a mut Stepper<R>, system: &'a Conservative, report: &'a mut StepReport) -> Self {
        let convergence = Convergence::new(convergence::ConvergenceRule::RESIDUAL);
        ConservingIteration { stepper, system, report, convergence, has_converged: false, worst: 0 }
    }

    /// Time at the end of the step.
    fn t(&self) -> f64 {
        self.stepper.from.t + self.stepper.from.h
    }

    fn name_of(&self, i: usize) -> String {
        let UnknownLayout { d, m, .. } = self.stepper.layout;
        match i.checked_sub(self.stepper.layout.lambda()) {
            Some(k) => format!("'{}'", self.system.constraint_name(k % m.max(1))),
            None => format!("coordinate {}", i % d + 1),
        }
    }
}

impl<R: StepRule> ConservingIteration<'_, R> {
    /// Solves the equations from the current guess.
    pub fn solve(mut self) -> Result<(), Error> {
        while !self.residual()? {
            self.matrix()?;
            self.correct();
            if self.has_converged {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates the residual. True if no update is needed any more.
    fn residual(&mut self) -> Result<bool, Error> {
        let Stepper { rule, settings, layout, matrix, from, work, x, r, pace, .. } = &mut *self.stepper;
        r.fill(0.0);
        let step = Step { system: self.system, from, x: layout.split(x), layout: *layout };
        rule.residual(&step, r, work);
        let (worst, size) = matrix.scales().worst(r, *pace);
        self.worst = worst;
        self.convergence.observe(size / settings.tolerance);
        let settings = *settings;
        let said = self.convergence.judge(size <= settings.tolerance, f64::NEG_INFINITY, true);
        self.has_converged = said == Said::Converged;
        let too_many = self.convergence.count > settings.max_iterations;
        if said == Said::Diverges || (!self.has_converged && too_many) {
            return Err(self.stuck());
        }
        Ok(self.has_converged && !settings.polish)
    }

    /// The exact matrix and its factors.
    fn matrix(&mut self) -> Result<(), Error> {
        let Stepper { rule, layout, matrix, from, work, x, .. } = &mut *self.stepper;
        matrix.clear();
        let step = Step { system: self.system, from, x: layout.split(x), layout: *layout };
        rule.jacobian(&step, matrix, work);
        let outcome = matrix.factor();
        outcome.map_err(|e| Error::SingularMatrix {
            t: self.t(),
            step: 0,
            pivot: e.pivot,
            size: e.size,
            unknown: self.name_of(e.column),
            diagnosis: Box::default(),
        })?;
        self.report.jacobians += 1;
        Ok(())
    }

    /// An update.
    fn correct(&mut self) {
        let Stepper { matrix, x, r, .. } = &mut *self.stepper;
        matrix.solve(r);
        for (x, r) in x.iter_mut().zip(&*r) {
            *x -= r;
        }
        self.report.iterations += 1;
    }

    fn stuck(&self) -> Error {
        Error::Newton {
            t: self.t(),
            step: 0,
            iterations: self.report.iterations,
            correction: self.convergence.last,
            worst: self.name_of(self.worst),
            diagnosis: Box::new(Diagnosis::advising("a smaller step")),
        }
    }
}
