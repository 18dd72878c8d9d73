//! Newton's method for a step of given size: it ends when the error is far below that of the method.
//!
//! **Convergence.** Corrections of the position increment theta are measured per part of the configuration
//! (rotation and translation of each body) in units of the round-off of that part. The first correction of a
//! step is its distance from the predictor, of the size h^3 v'' of the local error. Newton's error must be
//! `tolerance` times that, so it stays far below the error of the method for every h (an error relative to h
//! v would add up to a visible error in v). Multipliers are never tested: their increments are pure noise for
//! redundant rows.
//!
//! **Matrices of earlier steps.** With an old matrix multipliers converge slowly, so unbalanced forces are
//! tested as well, and velocities, which differ from positions in the stabilized form. Multipliers and
//! accelerations are extrapolated, so that there is less to correct. In large
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
//!
//! **Several runs.** Every run has its own test. If one needs a new matrix, all are computed, and the others
//! keep theirs. A run that has converged waits; one that does not converge has failed, and single runs with
//! more remedies repeat it. A single run may shorten corrections, and looks at the rounding errors of its
//! residual.

use super::Failure;
use super::data::{ROUND_OFF, Step, square_of};
use super::decisions::Decisions;
use super::linear::Linear;
use super::runs::Runs;
use crate::integrate::newton::convergence::ConvergenceRule;
use crate::integrate::newton::refresh::IN_STEP_RATE;
use crate::integrate::newton::step_test::{FLOOR_DECAY, INVISIBLE, StepCorrection, StepTest};
use crate::integrate::newton::{Made, Policy, Refresh, Said, Verdict};
use crate::mechanics::Dynamics;
use crate::mechanics::jacobian::Columns;

/// A residual of this size, in units of its own rounding errors, cannot get smaller.
const ROUND_OFF_ROWS: f64 = 64.0;
/// Only corrections above this size, in units of round-off, are used to judge the contraction.
const JUDGED_CORRECTION: f64 = 100.0;
/// Sufficient decrease of the line search (Kelley).
const ARMIJO: f64 = 1e-4;
/// Shortest part of a correction in a line search.
const SHORTEST_PART: f64 = 1e-3;

/// The work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of steps.
    pub steps: usize,
    /// The number of Newton iterations.
    pub iterations: usize,
    /// The number of matrices.
    pub jacobians: usize,
}

/// One of the runs.
#[derive(Clone, Debug)]
pub(crate) struct OneRun {
    /// The current matrix, and how long to keep it.
    pub refresh: Refresh,
    /// Floor below which corrections do not shrink, in units of round-off. Measured with a new matrix; decays
    /// by half in 70 steps.
    pub floor: f64,
    /// True if it did not converge.
    pub failed: bool,
    /// Its work so far.
    pub counts: Counts,
    test: StepTest,
    /// Not converged yet in this step.
    open: bool,
    /// Gets the next matrix.
    asks: bool,
    /// Iterations and matrices of this step.
    iterations: usize,
    formed: usize,
}

/// StepSettings of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSettings {
    /// When new matrices are formed.
    pub policy: Policy,
    /// True if matrices are kept over steps to save work: then unbalanced forces are tested, too.
    pub keeps: bool,
    /// False if every step needs its own matrix.
    pub regular: bool,
    /// Newton's error relative to the first correction.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Shorten corrections that make the residual larger.
    pub damping: bool,
    /// One iteration may be enough.
    pub quadratic: bool,
}

/// Iterates until the error is invisible.
#[derive(Clone, Debug)]
pub(crate) struct Tested<T> {
    /// The runs.
    pub runs: Vec<OneRun>,
    /// What is set from outside.
    pub settings: StepSettings,
    /// Second correction divided by the square of the first, in the last step with an exact matrix.
    pub quadratic: Option<f64>,
    /// Sizes of the residuals and their largest rows, if a diagnosis asks for them.
    pub trace: Option<Vec<(f64, usize)>>,
    /// Corrections that were shortened in this step.
    pub dampings: usize,
    count: usize,
    /// The merit before the last correction, if that may be shortened.
    merit: Option<f64>,
    size: T,
    forces: T,
    /// The numbers of the factors that runs keep.
    kept: [Vec<T>; 2],
}

impl<T: Runs> Tested<T> {
    /// For a system whose matrix costs as much as `cost` iterations.
    pub fn new(settings: StepSettings, cost: f64) -> Self {
        let mut refresh = Refresh::new(cost);
        refresh.policy = settings.policy;
        let run = OneRun {
            refresh,
            floor: 0.0,
            failed: false,
            counts: Counts::default(),
            test: StepTest::new(Self::RULE),
            open: true,
            asks: true,
            iterations: 0,
            formed: 0,
        };
        Tested {
            runs: vec![run; T::RUNS],
            settings,
            quadratic: None,
            trace: None,
            dampings: 0,
            count: 0,
            merit: None,
            size: T::zero(),
            forces: T::zero(),
            kept: [Vec::new(), Vec::new()],
        }
    }

    const RULE: ConvergenceRule = if T::RUNS == 1 { ConvergenceRule::STEP } else { ConvergenceRule::LANES };

    /// Makes the next step form a new matrix.
    pub fn forget_matrix(&mut self) {
        self.runs.iter_mut().for_each(|run| run.refresh.forget());
        self.quadratic = None;
    }

    /// Iterations, matrices and shortened corrections of the first run in the last step.
    pub fn work(&self) -> [usize; 3] {
        [self.count, self.runs[0].formed, self.dampings]
    }

    /// A matrix has been formed outside of a step.
    pub fn renewed(&mut self, made: Made) {
        self.runs.iter_mut().for_each(|run| run.refresh.renewed(made));
    }

    /// True if unbalanced forces are tested, because an open run uses a matrix of an earlier step.
    #[inline(always)]
    fn tests_forces(&self) -> bool {
        self.settings.keeps && self.runs.iter().any(|run| run.open && !run.refresh.current)
    }

    /// Sets the largest remaining errors, after first corrections of this size.
    #[inline(always)]
    fn set_tolerances(&mut self, step: &Step<T>) {
        let (mut first, mut accelerations) = (self.size, T::of(f64::INFINITY));
        if step.extrapolates {
            // The correction is smaller than the local error.
            let guessed = step.size(|v| square_of(&step.delta[v]).sqrt());
            first = match T::RUNS {
                1 => T::of(first.first().max(guessed.first())),
                _ => first.larger(guessed),
            };
        }
        let StepSettings { policy, keeps, tolerance, .. } = self.settings;
        if self.tests_forces() {
            let h2 = T::of(step.h * step.h);
            accelerations = step.size(|v| h2 * square_of(&step.trial.vdot[v]).sqrt());
        }
        let least = if policy.is_every_iteration() { 1.0 } else { INVISIBLE };
        for (i, run) in self.runs.iter_mut().enumerate() {
            let old = keeps && !run.refresh.current;
            let least = if old { INVISIBLE * run.floor.max(1.0) } else { least };
            let accelerations = old.then(|| accelerations.of_run(i));
            run.test.set_tolerance(tolerance, first.of_run(i), least, accelerations);
        }
    }

    /// Residual norm of the first run with rows scaled to position units, for the line search. Compares four
    /// entries at a time, which are independent of each other.
    #[inline(always)]
    fn merit_of(step: &Step<T>, scale: &[T]) -> f64 {
        let larger = |m: f64, x: f64| if x > m { x } else { m };
        let ((psi, psi_end), (scale, scale_end)) = (step.psi.as_chunks::<4>(), scale.as_chunks::<4>());
        let mut largest = [0.0; 4];
        for (p, s) in psi.iter().zip(scale) {
            for i in 0..4 {
                largest[i] = larger(largest[i], (p[i] * s[i]).first().abs());
            }
        }
        let [a, b, c, d] = largest;
        let end = psi_end.iter().zip(scale_end).map(|(p, s)| (*p * *s).first().abs());
        end.fold(larger(larger(a, b), larger(c, d)), larger)
    }

    /// The largest row of the residual in units of positions.
    pub fn worst(step: &Step<T>, scale: &[T]) -> usize {
        let scaled = |i: usize| (step.psi[i] * scale[i]).first().abs();
        (0..step.psi.len()).fold(0, |b, i| if scaled(i) > scaled(b) { i } else { b })
    }

    /// Armijo's line search: halves the last correction until the residual decreases. It also helps if forces
    /// are not defined at the full correction.
    #[inline(always)]
    fn shorten(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &impl Linear<T>,
    ) -> bool {
        let (mut weight, mut finite) = (1.0, step.is_finite());
        if let Some(merit) = self.merit.take() {
            let too_far = |step: &Step<T>, finite: bool, weight: f64| {
                !finite || Self::merit_of(step, linear.row_scale()) > (1.0 - ARMIJO * weight) * merit
            };
            while too_far(step, finite, weight) && weight > SHORTEST_PART {
                step.correct(-0.5 * weight, dynamics.group());
                weight *= 0.5;
                self.dampings += 1;
                step.residual(dynamics);
                finite = step.is_finite();
            }
        }
        self.runs[0].test.convergence.weight = weight;
        finite
    }

    /// True if the first correction was enough, see the module.
    #[inline(always)]
    fn one_was_enough(&mut self, step: &mut Step<T>, linear: &mut impl Linear<T>) -> bool {
        let convergence = &self.runs[0].test.convergence;
        let may_be = self.settings.quadratic
            && self.count == 1
            && convergence.weight == 1.0
            && step.trial.lambda.is_empty();
        let square = convergence.last * convergence.last;
        if !may_be || !self.quadratic.is_some_and(|c| c * square <= INVISIBLE) {
            return false;
        }
        step.xi.iter_mut().zip(&step.psi).for_each(|(xi, psi)| *xi = -*psi);
        linear.solve(&mut step.xi);
        let rest = Self::size_of(step).first();
        self.quadratic = Some(rest / square);
        rest <= INVISIBLE
    }

    /// The size of the correction in units of round-off; NaN if an entry is NaN.
    #[inline(always)]
    fn size_of(step: &Step<T>) -> T {
        let size = step.size(|v| square_of(&step.xi[v]).sqrt());
        if step.trial.s.is_empty() {
            return size;
        }
        // Algebraic variables may have no influence on theta, so they are tested separately.
        let largest = |x: &[T]| x.iter().fold(T::zero(), |m, x| x.abs().larger(m));
        let d_s = largest(&step.xi[step.layout.of(Columns::S)]);
        if d_s.first() > 0.0 {
            let own = d_s / (T::of(ROUND_OFF) * (largest(&step.trial.s) + d_s));
            return own.larger(size);
        }
        size
    }
}

impl<T: Runs> Decisions<T> for Tested<T> {
    #[inline(always)]
    fn begin(&mut self, step: &mut Step<T>) -> bool {
        step.measure();
        let made = step.made();
        (self.count, self.merit, self.dampings) = (0, None, 0);
        let mut any = false;
        for run in &mut self.runs {
            run.failed &= T::RUNS > 1;
            run.test = StepTest::new(Self::RULE);
            run.open = !run.failed;
            run.asks = run.refresh.begin(made, self.settings.regular) && run.open;
            (run.iterations, run.formed) = (0, 0);
            any |= run.asks;
        }
        any
    }

    #[inline(always)]
    fn is_solved(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) -> Result<bool, Failure> {
        if T::RUNS > 1 {
            return Ok(false);
        }
        if self.count == 0 {
            return if step.is_finite() { Ok(false) } else { Err(Failure::NotFinite) };
        }
        let run = &self.runs[0];
        let stagnates = run.test.convergence.is_slow() && run.refresh.current && self.count > 2;
        if stagnates && step.is_finite() && step.in_round_offs(dynamics, linear.row_scale()) <= ROUND_OFF_ROWS
        {
            return Ok(true);
        }
        if !self.shorten(step, dynamics, linear) {
            return Err(Failure::NotFinite);
        }
        Ok(self.one_was_enough(step, linear))
    }

    #[inline(always)]
    fn formed(&mut self, step: &Step<T>, linear: &mut impl Linear<T>) {
        let (made, count, keeps) = (step.made(), self.count, self.settings.keeps);
        for run in self.runs.iter_mut().filter(|run| run.open && run.asks) {
            run.refresh.renewing(count);
            run.refresh.renewed(made);
            run.formed += 1;
            run.counts.jacobians += 1;
            if keeps && run.formed == 1 {
                // Corrections with the new matrix are not compared with those of the old one.
                run.test.convergence.start_anew();
            }
        }
        if !keeps || T::RUNS == 1 {
            return;
        }
        let Some(new) = linear.numbers() else { return };
        let runs = &self.runs;
        let asked = T::choose(|i| runs[i].asks);
        for (new, kept) in new.into_iter().zip(&mut self.kept) {
            kept.resize(new.len(), T::zero());
            for (new, kept) in new.iter_mut().zip(&mut *kept) {
                *new = new.where_or(asked, *kept);
            }
            kept.copy_from_slice(new);
        }
    }

    #[inline(always)]
    fn filter(&mut self, step: &mut Step<T>, linear: &mut impl Linear<T>) {
        if step.redundant.is_some() {
            step.filter(linear, self.count == 0);
        }
    }

    #[inline(always)]
    fn measure(&mut self, step: &mut Step<T>, linear: &mut impl Linear<T>) {
        let scale = linear.row_scale();
        if let Some(trace) = &mut self.trace {
            trace.push((Self::merit_of(step, scale), Self::worst(step, scale)));
        }
        self.forces = match self.tests_forces() {
            true => step.size(|v| weighed(&step.psi[v.clone()], &scale[v]).sqrt()),
            false => T::zero(),
        };
        self.size = Self::size_of(step);
        if step.is_stabilized() && self.tests_forces() {
            self.size = self.size.larger(step.size_of_velocities());
        }
        if T::RUNS > 1 && !self.runs.iter().all(|run| run.open) {
            let runs = &self.runs;
            let open = T::choose(|i| runs[i].open);
            step.xi.iter_mut().for_each(|x| *x = x.where_or(open, T::zero()));
        }
    }

    #[inline(always)]
    fn judge(&mut self, step: &Step<T>, linear: &mut impl Linear<T>) -> Result<Verdict, Failure> {
        if T::RUNS == 1 && !self.size.first().is_finite() {
            return Err(Failure::Diverges(self.size.first() / self.runs[0].test.tolerated));
        }
        self.count += 1;
        if self.count == 1 {
            self.set_tolerances(step);
        }
        let (count, StepSettings { keeps, policy, .. }) = (self.count, self.settings);
        let (mut any_open, mut matrix) = (false, false);
        for (i, run) in self.runs.iter_mut().enumerate().filter(|(_, run)| run.open) {
            let current = run.refresh.current;
            let (size, old) = (self.size.of_run(i), keeps && !current);
            let forces = if old { self.forces.of_run(i) } else { 0.0 };
            run.counts.iterations += 1;
            run.iterations = count;
            let said = run.test.judge(StepCorrection { size, forces, count, current, old }, &mut run.floor);
            let gives_up = said == Said::Diverges;
            // If the iteration diverges with an old matrix, a new matrix may help.
            let blamed = gives_up && old && size.is_finite();
            let slow = said == Said::Open && run.refresh.again(&run.test.convergence);
            run.asks = policy.is_every_iteration() || blamed || slow;
            run.open = said == Said::Open || blamed;
            run.failed |= gives_up && !blamed;
            any_open |= run.open;
            matrix |= run.open && run.asks;
        }
        if T::RUNS == 1 {
            let run = &self.runs[0];
            let convergence = &run.test.convergence;
            if count == 2 && convergence.weight == 1.0 && run.refresh.current {
                self.quadratic = Some(convergence.rate / convergence.previous);
            }
        }
        if !any_open {
            return Ok(Verdict::Solved);
        }
        if count >= self.settings.max_iterations {
            return Ok(Verdict::Stuck);
        }
        if T::RUNS == 1 {
            let run = &self.runs[0];
            let (current, convergence) = (run.refresh.current, &run.test.convergence);
            // With an old matrix the residual may grow before corrections shrink.
            let may_damp =
                self.settings.damping && self.size.first() > Self::RULE.noise && (current || !keeps);
            self.merit = may_damp.then(|| Self::merit_of(step, linear.row_scale()));
            // Tests the next factors, to find out whether they or the equations are the cause.
            if matrix && current && convergence.rate > IN_STEP_RATE && convergence.last > JUDGED_CORRECTION {
                linear.doubt();
            }
        }
        Ok(Verdict::Again { matrix })
    }

    #[inline(always)]
    fn give_up(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) -> Result<(), Failure> {
        if T::RUNS > 1 {
            self.runs.iter_mut().filter(|run| run.open).for_each(|run| run.failed = true);
            return Ok(());
        }
        step.residual(dynamics);
        if !step.is_finite() {
            return Err(Failure::NotFinite);
        }
        if step.in_round_offs(dynamics, linear.row_scale()) <= ROUND_OFF_ROWS {
            return Ok(());
        }
        let run = &mut self.runs[0];
        run.refresh.forget();
        Err(Failure::Diverges(run.test.convergence.last / run.test.tolerated))
    }

    #[inline(always)]
    fn end(&mut self, _: &Step<T>) {
        for run in &mut self.runs {
            run.counts.steps += 1;
            if self.settings.keeps {
                run.floor *= FLOOR_DECAY;
                if !run.failed && run.iterations > 0 {
                    run.refresh.solved(run.iterations);
                }
            }
        }
    }
}

/// The square of the norm of a vector whose entries are multiplied by weights; most have three entries.
#[inline(always)]
fn weighed<T: Runs>(x: &[T], weights: &[T]) -> T {
    let mut sum = T::zero();
    for (x, weight) in x.iter().zip(weights) {
        let y = *x * *weight;
        sum += y * y;
    }
    sum
}
