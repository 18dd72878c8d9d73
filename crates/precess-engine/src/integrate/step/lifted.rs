//! The derivative of a step: the same step once more with dual numbers, at the solution and with the factors of
//! the solution.
//!
//! A step solves psi(xi, p) = 0, where p stands for everything before it: parameters, state and history. Newton's
//! correction with dual numbers at the solution is xi + dxi = xi - J^-1 (psi + dpsi/dp dp): since J is exact
//! there, one correction gives the exact derivative. Nothing is written twice; predictor, iterate, residual and
//! history are those of every step.

use precess_lie::{Dual, Number, Product};

use super::data::Step;
use super::decisions::Decisions;
use super::linear::Linear;
use super::{Failure, Method, advance};
use crate::integrate::form::Eta;
use crate::integrate::newton::Verdict;
use crate::mechanics::batch::{Batch, InverseMass};
use crate::mechanics::{Dynamics, System, Want};
use crate::solve::Singular;

/// Makes the step `step` with dual numbers, which begins at its state like the accepted step `solved` of the same
/// method. Afterwards `linear` has the factors at the solution.
pub fn derive(
    method: &mut impl Method<Dual>,
    (system, models): (&dyn System, &Batch<Dual>),
    (linear, solved): (&mut impl Linear<f64>, &mut Step),
    step: &mut Step<Dual>,
) -> Result<(), Failure> {
    linear.form(solved, system).map_err(Failure::Singular)?;
    let mut lifted = Lifted { of: linear, inverse: &models.inverse, room: [Vec::new(), Vec::new()] };
    let mut control = AtSolution { of: solved, group: Dynamics::group(models) };
    step.begin(solved.h);
    advance(method, models, &mut lifted, &mut control, step)
}

/// The factors of plain numbers: the same J, applied to values and to derivatives.
struct Lifted<'a, L> {
    of: &'a mut L,
    inverse: &'a InverseMass<Dual>,
    room: [Vec<f64>; 2],
}

impl<L: Linear<f64>> Linear<Dual> for Lifted<'_, L> {
    fn direction(&mut self, eta: Eta, step: &mut Step<Dual>, dynamics: &(impl Dynamics<Dual> + ?Sized)) {
        step.evaluate(dynamics, Want::CONSTRAINT);
        step.n.transpose_from(&step.tangents.b);
        if eta == Eta::Mass {
            self.inverse.times(&mut step.n);
        }
    }

    /// J is there.
    fn form(&mut self, _: &mut Step<Dual>, _: &(impl Dynamics<Dual> + ?Sized)) -> Result<(), Singular> {
        Ok(())
    }

    fn solve(&mut self, x: &mut [Dual]) {
        let [value, slope] = &mut self.room;
        value.clear();
        slope.clear();
        value.extend(x.iter().map(|x| x.x));
        slope.extend(x.iter().map(|x| x.dx));
        self.of.solve(value);
        self.of.solve(slope);
        for (x, (value, slope)) in x.iter_mut().zip(value.iter().zip(&*slope)) {
            *x = Dual::new(*value, *slope);
        }
    }

    fn row_scale(&self) -> &[Dual] {
        &[]
    }
}

/// One iteration that begins at the solution of another step.
struct AtSolution<'a> {
    of: &'a Step,
    group: &'a Product,
}

impl Decisions<Dual> for AtSolution<'_> {
    fn begin(&mut self, step: &mut Step<Dual>) -> bool {
        let lists = [
            (&mut step.delta, &self.of.delta),
            (&mut step.trial.lambda, &self.of.trial.lambda),
            (&mut step.trial.s, &self.of.trial.s),
            (&mut step.eta_h, &self.of.eta_h),
        ];
        for (to, from) in lists {
            to.iter_mut().zip(from).for_each(|(to, x)| *to = Dual::of(*x));
        }
        step.follow(self.group);
        false
    }

    fn judge(&mut self, _: &Step<Dual>, _: &mut impl Linear<Dual>) -> Result<Verdict, Failure> {
        Ok(Verdict::Solved)
    }
}
