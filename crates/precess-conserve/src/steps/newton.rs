//! Newton's method for a step of a conserving method: the exact matrix in every iteration, and one more
//! update after convergence. The residual is measured, not the correction, because invariants depend on the
//! residual.

use precess_engine::Error;
use precess_engine::integrate::{Diagnosis, StepReport};
use precess_engine::mechanics::System;

use super::step::{Step, StepRule, Stepper, UnknownLayout};
use crate::conservative::system::Conservative;

impl<R: StepRule> Stepper<R> {
    /// Solves the equations of a step from the current guess.
    pub(super) fn iterate(&mut self, system: &Conservative, report: &mut StepReport) -> Result<(), Error> {
        let settings = self.settings;
        let mut count = 0;
        loop {
            let (worst, size) = self.residual(system);
            count += 1;
            let (has_converged, size) = (size <= settings.tolerance, size / settings.tolerance);
            if !size.is_finite() || (!has_converged && count > settings.max_iterations) {
                return Err(Error::Newton {
                    t: self.end(),
                    step: 0,
                    iterations: report.iterations,
                    correction: size,
                    worst: self.name_of(system, worst),
                    diagnosis: Box::new(Diagnosis::advising("a smaller step")),
                });
            }
            if has_converged && !settings.polish {
                return Ok(());
            }
            self.refactor(system)?;
            report.jacobians += 1;
            let Stepper { matrix, x, r, .. } = &mut *self;
            matrix.solve(r);
            for (x, r) in x.iter_mut().zip(&*r) {
                *x -= r;
            }
            report.iterations += 1;
            if has_converged {
                return Ok(());
            }
        }
    }

    /// Time at the end of the step.
    fn end(&self) -> f64 {
        self.from.t + self.from.h
    }

    /// Evaluates the residual at the iterate; its largest row and the size of that.
    fn residual(&mut self, system: &Conservative) -> (usize, f64) {
        let Stepper { rule, layout, matrix, from, work, x, r, pace, .. } = &mut *self;
        r.fill(0.0);
        rule.residual(&Step { system, from, x: layout.split(x), layout: *layout }, r, work);
        matrix.scales().worst(r, *pace)
    }

    /// Forms the matrix of the iterate and factorises it.
    fn refactor(&mut self, system: &Conservative) -> Result<(), Error> {
        let Stepper { rule, layout, matrix, from, work, x, .. } = &mut *self;
        matrix.clear();
        rule.jacobian(&Step { system, from, x: layout.split(x), layout: *layout }, matrix, work);
        matrix.factor().map_err(|e| Error::SingularMatrix {
            t: self.end(),
            step: 0,
            pivot: e.pivot,
            size: e.size,
            unknown: self.name_of(system, e.column),
            diagnosis: Box::default(),
        })
    }

    fn name_of(&self, system: &Conservative, i: usize) -> String {
        let UnknownLayout { d, m, .. } = self.layout;
        match i.checked_sub(self.layout.lambda()) {
            Some(k) => format!("'{}'", system.constraint_name(k % m.max(1))),
            None => format!("coordinate {}", i % d + 1),
        }
    }
}
