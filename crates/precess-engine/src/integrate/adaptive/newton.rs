//! Modified Newton iteration to a tolerance.
//!
//! One factorisation serves many iterations and steps. Corrections are measured in the [`Norm`] of the error
//! test, as changes of positions, of velocities, and of the velocities dv theta that the next step sees in
//! the history. With the rate of convergence Theta and the last correction d, the remaining error is about d
//! Theta/(1 - Theta); it must stay below [`NEWTON_ERROR`]. Corrections cannot get below rounding errors: a
//! correction of that size ends the iteration too. Otherwise a tight tolerance and a small step would drive
//! each other to zero.
//!
//! Algebraic variables s follow from q, but the iteration has to find them, too. Their corrections are
//! measured relative to the largest s so far.
//!
//! **Forces.** A wrong multiplier may have no effect on positions and velocities. This is usual if drives
//! determine the motion. A kept matrix leaves a part of the error of lambda, about the angle turned since the
//! matrix was formed. The guess of lambda extrapolates the errors of the last steps, by factors up to 63 at
//! order 5. So corrections of lambda are tested as well, joint by joint as forces ([`ForceWeights`]) relative
//! to the largest force so far: the remaining error must stay below [`FORCE_ERROR`] times the root of the
//! tolerance of a step. If a kept matrix cannot reach that, a new one is formed and the step is repeated from
//! its predictor. With a new matrix, forces get some more iterations, and never cause a failure: near
//! singular positions rounding errors change them.
//!
//! With redundant rows a new matrix is formed in every iteration: an old one mixes the directions that
//! multipliers control with those they do not, and the regularisation magnifies that by 1e11. There the
//! regularisation follows the gap in Phi ([`step`](crate::integrate::step)).

use super::norm::Norm;
use super::steering::{Matrices, Steering};
use crate::Error;
use crate::integrate::force_weights::ForceWeights;
use crate::integrate::implicit::{Implicit, Scheme};
use crate::integrate::integrator::StepReport;
use crate::integrate::newton::convergence::ConvergenceRule;
use crate::integrate::newton::{Convergence, Policy, Refresh, Said, Verdict};
use crate::integrate::step::{Decisions, Failure, Linear, Step, solve};
use crate::mechanics::jacobian::Columns;
use crate::mechanics::{Dynamics, State, System, Tangents, Want};

/// Largest remaining Newton error, in units of the tolerance.
const NEWTON_ERROR: f64 = 0.02;
/// Largest remaining error of forces, relative to the largest force, in units of the root of the tolerance of
/// a step.
const FORCE_ERROR: f64 = 0.1;
/// Largest rate of convergence of forces. If it is exceeded, a kept matrix is replaced, and with a new one
/// the forces are accepted.
const SLOW_FORCE_RATE: f64 = 0.5;
/// Factor by which the round-off floor of the forces decays per step.
const FORCE_FLOOR_DECAY: f64 = 0.98;
/// A smaller first correction needs no second.
const NEGLIGIBLE_CORRECTION: f64 = 5e-5;
/// Corrections of this size, in units of round-off, end the iteration.
const ROUND_OFF_FLOOR: f64 = 4.0;
/// Largest number of iterations with one predictor.
const MAX_ITERATIONS: usize = 6;
/// A residual of this size, in units of its own rounding errors, cannot get smaller.
const ROUND_OFF_ROWS: f64 = 16.0;

/// The largest absolute value; NaN if an entry is NaN.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}

/// Newton's method to a tolerance.
#[derive(Clone, Debug, Default)]
pub(super) struct ModifiedNewton {
    /// True if the iteration has ended in rounding errors above the tolerance.
    pub noisy: bool,
    dv: Vec<f64>,
    /// Largest algebraic variable so far.
    s: f64,
    /// Corrections of forces in the current step.
    forces: ForceCorrections,
    /// User settings.
    pub steering: Steering,
}

/// Convergence of the multipliers, as forces relative to the largest one so far.
#[derive(Clone, Debug, Default)]
struct ForceCorrections {
    weights: ForceWeights,
    /// The largest force so far.
    largest: f64,
    /// Relative level at which rounding errors stop the iteration, measured with a new matrix.
    floor: f64,
    /// The last relative correction, and its ratio to the one before.
    change: f64,
    rate: f64,
}

crate::persist!(ForceCorrections { largest, floor } given { weights, change, rate });

impl ForceCorrections {
    /// Records a correction d of h^2 lambda that leads to lambda.
    fn observe(&mut self, d: &[f64], h: f64, lambda: &[f64], first: bool) {
        let change = self.weights.largest(d) / (h * h);
        self.largest = self.largest.max(self.weights.largest(lambda)).max(change);
        let change = if change > 0.0 { change / self.largest } else { 0.0 };
        self.rate = if first { f64::INFINITY } else { change / self.change };
        self.change = change;
    }

    /// True if the remaining error is below this part of the largest force.
    fn are_close(&self, allowed: f64) -> bool {
        let missing = if self.rate < 1.0 { self.change * self.rate / (1.0 - self.rate) } else { self.change };
        missing <= allowed || self.change <= self.floor
    }
}

crate::persist!(ModifiedNewton { s, forces } given { dv, steering, noisy });

impl ModifiedNewton {
    /// Allocates workspace for a system, without a matrix.
    pub fn resize<S: Scheme>(&mut self, implicit: &mut Implicit<S>, system: &dyn System, state: &State) {
        let mut forces =
            ForceCorrections { weights: ForceWeights::of(system), ..ForceCorrections::default() };
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::CONSTRAINT);
        forces.weights.weigh(&tangents.b);
        forces.largest = forces.weights.largest(&state.lambda);
        let (dv, steering) = (vec![0.0; system.group().dim()], self.steering);
        *self = ModifiedNewton { dv, forces, steering, ..ModifiedNewton::default() };
        implicit.refresh().policy = self.policy(system);
        implicit.step.opens_with_gap = true;
    }

    /// How often matrices are formed.
    fn policy(&self, system: &dyn System) -> Policy {
        match self.steering.matrices {
            _ if system.row_weights().is_some() => Policy::EVERY_ITERATION,
            Matrices::EveryIteration => Policy::EVERY_ITERATION,
            Matrices::EveryStep => Policy::EVERY_STEP,
            Matrices::Kept => Policy::SUITABLE,
        }
    }

    /// Solves the step of size h from the state, first with the current matrix.
    pub fn solve<S: Scheme>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        state: &State,
        h: f64,
        norm: &Norm,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        implicit.predict(system, state, h);
        self.noisy = false;
        self.forces.floor *= FORCE_FLOOR_DECAY;
        let outcome = self.iterate(implicit, system, norm, false, report);
        if outcome.is_ok() || implicit.refresh().current {
            return outcome;
        }
        implicit.predict(system, state, h);
        self.iterate(implicit, system, norm, true, report)
    }

    /// Newton's method from the current guess; `again` if a kept matrix has failed.
    fn iterate<S: Scheme>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        norm: &Norm,
        again: bool,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        let Implicit { linear, step, control, .. } = implicit;
        let mut control = ToTolerance::new(self, &mut control.runs[0].refresh, norm, again);
        let outcome = solve(system, linear, &mut control, step);
        let (iterations, jacobians) = (control.convergence.count, control.formed);
        report.iterations += iterations;
        report.jacobians += jacobians;
        implicit.note_fallbacks(report);
        outcome.map_err(|failure| implicit.explain(failure, system, report.iterations))
    }

    /// The size of a correction, before it is made.
    fn measure(&mut self, step: &Step, norm: &Norm) -> f64 {
        let dim = self.dv.len();
        step.velocity_change(&step.xi, &mut self.dv);
        let size = norm.of(&step.xi[..dim], &self.dv);
        // An error of positions alone becomes an error of velocities in the next step, divided by its size.
        let later = norm.of_increment(&step.xi[..dim], step.dv);
        let ds = largest(&step.xi[step.layout.of(Columns::S)]);
        self.s = self.s.max(largest(&step.trial.s)).max(ds);
        let algebraic = if ds == 0.0 { 0.0 } else { ds / (norm.step * self.s) };
        [later, algebraic].into_iter().fold(size, |m, x| if x > m || x.is_nan() { x } else { m })
    }
}

/// The decisions of a step with one predictor.
struct ToTolerance<'a> {
    newton: &'a mut ModifiedNewton,
    refresh: &'a mut Refresh,
    norm: &'a Norm,
    /// A kept matrix has failed.
    again: bool,
    convergence: Convergence,
    /// The size of the last correction, and the matrices so far.
    size: f64,
    formed: usize,
    /// Corrections below this are rounding errors.
    floor: f64,
    /// Largest remaining error of forces, relative to the largest one.
    close_forces: f64,
    max_iterations: usize,
}

impl<'a> ToTolerance<'a> {
    fn new(newton: &'a mut ModifiedNewton, refresh: &'a mut Refresh, norm: &'a Norm, again: bool) -> Self {
        let every = refresh.policy.is_every_iteration();
        let max_iterations = newton.steering.max_iterations.unwrap_or(MAX_ITERATIONS);
        ToTolerance {
            newton,
            refresh,
            norm,
            again,
            convergence: Convergence::new(ConvergenceRule::TOLERANCE),
            size: 0.0,
            formed: 0,
            floor: ROUND_OFF_FLOOR * norm.round_off(),
            close_forces: if every { f64::INFINITY } else { FORCE_ERROR * norm.step.sqrt() },
            max_iterations,
        }
    }

    /// Decides about forces, after positions and velocities have converged.
    fn judge_forces(&mut self) -> Verdict {
        let (forces, count) = (&mut self.newton.forces, self.convergence.count);
        if forces.are_close(self.close_forces) {
            return Verdict::Solved;
        }
        let slow = count > 1 && forces.rate > SLOW_FORCE_RATE;
        if self.refresh.current && (slow || count == self.max_iterations) {
            forces.floor = forces.change;
            return Verdict::Solved;
        }
        if slow { Verdict::Stuck } else { self.next() }
    }

    fn next(&self) -> Verdict {
        if self.convergence.count >= self.max_iterations {
            return Verdict::Stuck;
        }
        Verdict::Again { matrix: self.refresh.again(&self.convergence) }
    }
}

impl Decisions<f64> for ToTolerance<'_> {
    fn begin(&mut self, step: &mut Step) -> bool {
        if self.again {
            self.refresh.begin_again();
            return true;
        }
        self.refresh.begin(step.made(), true)
    }

    fn is_solved(
        &mut self,
        step: &mut Step,
        _: &(impl Dynamics<f64> + ?Sized),
        _: &mut impl Linear<f64>,
    ) -> Result<bool, Failure> {
        if step.is_finite() { Ok(false) } else { Err(Failure::NotFinite) }
    }

    fn formed(&mut self, step: &Step, _: &mut impl Linear<f64>) {
        self.refresh.renewing(self.convergence.count);
        self.refresh.renewed(step.made());
        self.formed += 1;
        self.newton.forces.weights.weigh(&step.tangents.b);
    }

    fn filter(&mut self, step: &mut Step, linear: &mut impl Linear<f64>) {
        step.filter(linear, self.convergence.count == 0);
    }

    fn measure(&mut self, step: &mut Step, _: &mut impl Linear<f64>) {
        self.size = self.newton.measure(step, self.norm);
    }

    fn judge(&mut self, step: &Step, linear: &mut impl Linear<f64>) -> Result<Verdict, Failure> {
        let first = self.convergence.count == 0;
        let d_lambda = &step.xi[step.layout.of(Columns::Lambda)];
        self.newton.forces.observe(d_lambda, step.h, &step.trial.lambda, first);
        self.convergence.observe(self.size);
        if !first {
            self.refresh.rate = self.convergence.rate;
        }
        let close = self.newton.steering.close(self.convergence.first, NEWTON_ERROR);
        let negligible = self.size <= NEGLIGIBLE_CORRECTION.min(close) || self.size <= self.floor;
        Ok(match self.convergence.judge(negligible, close, self.refresh.current) {
            Said::Converged => self.judge_forces(),
            Said::Noise => Verdict::Solved,
            Said::Open => self.next(),
            Said::Diverges => {
                linear.doubt();
                Verdict::Stuck
            }
        })
    }

    /// Near singular positions corrections are noise above any tolerance (`round_off.rs`), and a smaller step
    /// makes it worse. The step counts as solved if its residual is at the rounding errors of its rows.
    fn give_up(
        &mut self,
        step: &mut Step,
        dynamics: &(impl Dynamics<f64> + ?Sized),
        linear: &mut impl Linear<f64>,
    ) -> Result<(), Failure> {
        self.refresh.forget();
        step.residual(dynamics);
        if !step.is_finite() {
            return Err(Failure::NotFinite);
        }
        self.newton.noisy =
            self.refresh.current && step.in_round_offs(dynamics, linear.row_scale()) <= ROUND_OFF_ROWS;
        if self.newton.noisy {
            return Ok(());
        }
        let Convergence { last, previous, .. } = self.convergence;
        Err(Failure::Diverges(if last.is_finite() { last } else { previous }))
    }
}
