//! Modified Newton iteration to a tolerance.
//!
//! One factorisation serves many iterations and steps. Corrections are measured in the [`Norm`] of the error test, as changes of
//! positions, of velocities, and of the velocities dv theta that the next step sees in the history. With the rate of convergence Theta and the last correction d, what is missing is about
//! d Theta/(1 - Theta); it must stay below [`CLOSE`]. Nothing gets below rounding errors: a correction of that size ends the
//! iteration too, otherwise a tight tolerance and a small step drive each other to zero.
//!
//! Algebraic variables s follow from q, but the iteration has to find them, too: their corrections are measured relative to
//! the largest s so far.
//!
//! **Forces.** Positions and velocities may not notice a wrong multiplier: where drives determine the motion, nothing else does
//! either. A kept matrix leaves over a part of the error of lambda, about the angle turned since it was made, and the
//! guess of lambda extrapolates what is left of the last steps, times up to 63 at order 5. So corrections of lambda are
//! tested as well, joint by joint as forces ([`ForceWeights`]) relative to the largest force so far: what is missing must
//! stay below [`CLOSE_FORCES`] times the root of the tolerance of a step. A kept matrix that cannot do that is replaced and
//! the step repeated from its predictor. With a matrix of its own forces get some more iterations, and are never a reason to fail: near
//! singular positions rounding errors move them.
//!
//! With redundant rows every iteration has its own matrix: an old one mixes the directions that no multiplier controls
//! with those it does, and the regularisation magnifies that by 1e11. The regularisation follows the gap in Phi there
//! ([`condensed`](crate::integrate::condensed)).

use super::norm::Norm;
use super::steering::{Matrices, Steering};
use crate::Error;
use crate::integrate::condensed::Condensed;
use crate::integrate::force_weights::ForceWeights;
use crate::integrate::implicit::{Implicit, Scheme};
use crate::integrate::integrator::StepReport;
use crate::mechanics::{State, System, Tangents, Want};

/// What may be missing of the solution, in units of the tolerance.
const CLOSE: f64 = 0.02;
/// What may be missing of the largest force, in units of the root of the tolerance of a step.
const CLOSE_FORCES: f64 = 0.1;
/// Forces that shrink more slowly than this are left as they are, with a matrix of their own, or ask for one.
const SLOW_FORCES: f64 = 0.5;
/// What is left of the level that rounding errors set for forces, after a step.
const FORGET: f64 = 0.98;
/// A first correction below this needs no second.
const TINY: f64 = 5e-5;
/// Corrections of this many units of round-off end the iteration.
const FLOOR: f64 = 4.0;
/// Corrections that stop to shrink below this are noise.
const NOISE: f64 = 0.01;
/// Iterations with one predictor.
const MAX_ITERATIONS: usize = 6;
/// Convergence slower than this is no convergence.
const TOO_SLOW: f64 = 0.9;
/// Convergence slower than this asks for a new matrix in the next step: 0.02 and 0.05 cost the same on chains and a
/// slider-crank, 0.2 half as much again.
const SLOW: f64 = 0.03;
/// A residual of this many units of its own rounding errors is as small as it can be.
const ROUND_OFF_ROWS: f64 = 16.0;
/// Relative change of h dv that asks for a new matrix.
const OTHER_COEFFICIENT: f64 = 0.05;
/// Steps with matrices of their own after a kept one has failed.
const OWN: usize = 8;
/// Ratios of the step to that of the matrix that do not ask for a new one.
const SIMILAR_STEP: std::ops::Range<f64> = 0.6..1.6;

/// The largest size of an entry, NaN if one is.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}

/// A scheme that solves a step in condensed form.
pub(super) trait Controlled: Scheme {
    /// The step.
    fn condensed(&self) -> &Condensed;
    /// The step, to be changed.
    fn condensed_mut(&mut self) -> &mut Condensed;
}

/// Step size and coefficient a factorisation was made for.
#[derive(Clone, Copy, Debug, Default)]
struct Made {
    h: f64,
    alpha: f64,
}

/// What is known about the matrix at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct ModifiedNewton {
    made: Option<Made>,
    /// Rate of convergence in the last step.
    rate: f64,
    /// Steps that get a matrix of their own at once, because a kept one has failed.
    own: usize,
    /// True if the matrix belongs to the present step.
    pub current: bool,
    /// True if the iteration has ended in rounding errors above what was asked for.
    pub noisy: bool,
    dv: Vec<f64>,
    /// Largest algebraic variable so far.
    s: f64,
    /// Corrections of forces in the present step.
    forces: Forces,
    /// What a user asks for.
    pub steering: Steering,
}

/// How corrections of multipliers shrink, as forces relative to the largest one so far.
#[derive(Clone, Debug, Default)]
struct Forces {
    weights: ForceWeights,
    /// The largest force so far.
    largest: f64,
    /// Where rounding errors stop the iteration, relative: seen with a matrix of the step itself.
    floor: f64,
    /// The last correction, relative, and its ratio to the one before.
    change: f64,
    rate: f64,
}

crate::persist!(Forces { largest, floor } given { weights, change, rate });

impl Forces {
    /// Takes note of a correction d of h^2 lambda that leads to lambda.
    fn see(&mut self, d: &[f64], h: f64, lambda: &[f64], first: bool) {
        let change = self.weights.largest(d) / (h * h);
        self.largest = self.largest.max(self.weights.largest(lambda)).max(change);
        let change = if change > 0.0 { change / self.largest } else { 0.0 };
        self.rate = if first { f64::INFINITY } else { change / self.change };
        self.change = change;
    }

    /// True if less than this part of the largest force is missing.
    fn are_close(&self, allowed: f64) -> bool {
        let missing = if self.rate < 1.0 { self.change * self.rate / (1.0 - self.rate) } else { self.change };
        missing <= allowed || self.change <= self.floor
    }
}

crate::persist!(Made { h, alpha });
crate::persist!(ModifiedNewton { made, rate, own, current, s, forces } given { dv, steering, noisy });

impl ModifiedNewton {
    /// True if the factors at hand may be used again.
    pub fn keeps_factors(&self) -> bool {
        self.made.is_some()
    }

    /// Room for a system, and no matrix.
    pub fn resize(&mut self, system: &dyn System, state: &State) {
        let mut forces = Forces { weights: ForceWeights::of(system), ..Forces::default() };
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::CONSTRAINT);
        forces.weights.weigh(&tangents.b);
        forces.largest = forces.weights.largest(&state.lambda);
        let (dv, steering) = (vec![0.0; system.group().dim()], self.steering);
        *self = ModifiedNewton { dv, forces, steering, ..ModifiedNewton::default() };
    }

    fn suits(&self, step: &Condensed) -> bool {
        self.made.is_some_and(|made| {
            let alpha = step.h * step.dv;
            (alpha / made.alpha - 1.0).abs() <= OTHER_COEFFICIENT
                && SIMILAR_STEP.contains(&(step.h / made.h))
                && self.rate <= SLOW
        })
    }

    /// Solves the step of size h from the state, first with the matrix at hand.
    pub fn solve<S: Controlled>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        state: &State,
        h: f64,
        norm: &Norm,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        implicit.scheme.condensed_mut().opens_with_gap = true;
        implicit.scheme.predict(system, state, h);
        self.noisy = false;
        self.current =
            self.own > 0 || !self.suits(implicit.scheme.condensed()) || system.row_weights().is_some();
        self.current |= self.steering.matrices != Matrices::Kept;
        self.own = self.own.saturating_sub(1);
        self.forces.floor *= FORGET;
        let outcome = self.iterate(implicit, system, state.t + h, norm, report);
        if outcome.is_ok() || self.current {
            return outcome;
        }
        implicit.scheme.predict(system, state, h);
        (self.current, self.own) = (true, OWN);
        self.iterate(implicit, system, state.t + h, norm, report)
    }

    fn iterate<S: Controlled>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        t: f64,
        norm: &Norm,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        let every = system.row_weights().is_some() || self.steering.matrices == Matrices::EveryIteration;
        let floor = FLOOR * norm.round_off();
        let close_forces = if every { f64::INFINITY } else { CLOSE_FORCES * norm.step.sqrt() };
        let (mut first, mut previous) = (0.0, f64::INFINITY);
        let most = self.steering.max_iterations.unwrap_or(MAX_ITERATIONS);
        for iteration in 1..=most {
            implicit.evaluate(system, t)?;
            if self.current && (iteration == 1 || every) {
                self.made = None;
                implicit.refactor(system, t)?;
                let step = implicit.scheme.condensed();
                self.made = Some(Made { h: step.h, alpha: step.h * step.dv });
                if step.tangents.b.is_whole() {
                    self.forces.weights.weigh(&step.tangents.b);
                }
                report.jacobians += 1;
                report.fallbacks += usize::from(implicit.kkt.is_pivoted());
            }
            let size = self.correct(implicit, system, norm, iteration == 1);
            report.iterations += 1;
            if iteration == 1 {
                first = size;
            } else {
                self.rate = (size / first).powf(1.0 / (iteration - 1) as f64);
            }
            let close = self.steering.close(first, CLOSE);
            let small = size <= TINY.min(close) || size <= floor;
            if small || (iteration > 1 && self.rate < 1.0 && size * self.rate / (1.0 - self.rate) <= close) {
                if self.forces.are_close(close_forces) {
                    return Ok(());
                }
                let slow = iteration > 1 && self.forces.rate > SLOW_FORCES;
                if self.current && (slow || iteration == most) {
                    self.forces.floor = self.forces.change;
                    return Ok(());
                }
                if slow {
                    break;
                }
                previous = size;
                continue;
            }
            let diverges = iteration > 1 && (self.rate > TOO_SLOW || size > 2.0 * previous);
            if diverges && self.current && size < NOISE {
                return Ok(());
            }
            if !size.is_finite() || diverges {
                implicit.kkt.doubt();
                break;
            }
            previous = size;
        }
        self.made = None;
        implicit.evaluate(system, t)?;
        if self.ends_in_round_off(implicit, system) {
            return Ok(());
        }
        let worst = implicit.worst_row(system);
        Err(Error::Newton {
            t,
            step: 0,
            iterations: report.iterations,
            correction: previous,
            worst,
            diagnosis: Box::default(),
        })
    }

    /// True where the iteration has not converged, but its residual is as small as rounding errors of its rows: near singular
    /// positions corrections are noise above any tolerance (`round_off.rs`), and a smaller step makes it worse.
    fn ends_in_round_off<S: Controlled>(&mut self, implicit: &mut Implicit<S>, system: &dyn System) -> bool {
        self.noisy = self.current && implicit.in_round_offs(system) <= ROUND_OFF_ROWS;
        self.noisy
    }

    /// A matrix of the present iterate, where a kept one was good enough for the step.
    pub fn renew<S: Controlled>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
    ) -> Result<(), Error> {
        self.made = None;
        let t = implicit.scheme.condensed().trial.t;
        implicit.refactor(system, t)?;
        let step = implicit.scheme.condensed();
        self.made = Some(Made { h: step.h, alpha: step.h * step.dv });
        self.current = true;
        Ok(())
    }

    /// One correction; returns its size.
    fn correct<S: Controlled>(
        &mut self,
        implicit: &mut Implicit<S>,
        system: &dyn System,
        norm: &Norm,
        first: bool,
    ) -> f64 {
        let Implicit { scheme, kkt, psi, delta, .. } = implicit;
        if first || scheme.filters_again(system) {
            scheme.filter(system, kkt, psi);
        }
        for (d, p) in delta.iter_mut().zip(psi.iter()) {
            *d = -p;
        }
        kkt.solve(delta);
        let (step, dim) = (scheme.condensed(), self.dv.len());
        step.velocity_change(delta, &mut self.dv);
        let size = norm.of(&delta[..dim], &self.dv);
        // An error of positions alone comes back as a velocity in the next step, divided by its size.
        let later = norm.of_increment(&delta[..dim], step.dv);
        let n_lambda = step.trial.lambda.len();
        let ds = largest(&delta[dim + n_lambda..][..step.trial.s.len()]);
        self.s = self.s.max(largest(&step.trial.s)).max(ds);
        let algebraic = if ds == 0.0 { 0.0 } else { ds / (norm.step * self.s) };
        scheme.correct(system, 1.0, delta);
        self.forces.see(
            &delta[dim..dim + n_lambda],
            scheme.condensed().h,
            &scheme.condensed().trial.lambda,
            first,
        );
        [later, algebraic].into_iter().fold(size, |m, x| if x > m || x.is_nan() { x } else { m })
    }
}
