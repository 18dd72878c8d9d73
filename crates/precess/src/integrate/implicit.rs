//! The one Newton loop that serves every implicit method.
//!
//! A [`Scheme`] says what the unknowns are, how the state follows from them, what the residual is and what its
//! derivative is. [`Implicit`] does the rest: strategy, damping, convergence, errors.
//!
//! **Convergence.** Corrections of the position increment theta are measured per part of the configuration (rotation and
//! translation of each body) in units of the round-off of that part. The first correction of a step is its distance from
//! the predictor, of the size h^3 v'' of the local error; Newton's error must be `tolerance` times that, so it stays far below
//! the error of the method for every h (an error relative to h v would add up to a visible error in v). With the
//! contraction Theta of the last two corrections, Theta/(1 - Theta) times the last one estimates what is still missing, so
//! no iteration is spent on confirming convergence. Multipliers are never tested: their increments are pure noise for
//! redundant rows. When corrections stop shrinking at the level of rounding errors the step is accepted.
//!
//! **Matrices of earlier steps.** With an old matrix corrections shrink by a factor that grows with its age, about the angle
//! by which bodies have turned since; `jacobian_reuse.rs` says how long that is cheaper than a new one. Multipliers and
//! accelerations are extrapolated, so that there is less to correct. In large systems corrections stop shrinking above the round-off
//! of a position: where that is has been seen with a matrix of the step itself, and nothing below is asked of an old one.
//!
//! **Quality of the factors.** The first ones are tested with a known solution, and so are the next ones when the iteration
//! contracts badly. Where blocks fail, pivots are taken from whole columns ([`Kkt::form`]).
//!
//! **One iteration.** The exact matrix leaves over c times the square of a correction, with c about the same in every
//! step. When c of an earlier step says that this is below round-off, the new residual is measured with the factors at
//! hand, and a second iteration is only done if it is needed after all. With constraints it always is: multipliers may
//! need it when positions do not.

use super::integrator::{Integrator, StepReport, check_step};
use super::jacobian_reuse::JacobianReuse;
use super::recovery;
use crate::Error;
use crate::error::first_not_finite;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage, Persist};
use crate::solve::{Kkt, Solver};

/// How the iteration matrix is formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// `Full` for small systems with constraints, which then hold to round-off, otherwise `Kept` for generalized-alpha in
    /// index-3 form, whose error is far above what old matrices leave over, and `Once` for others and where rows are
    /// redundant.
    #[default]
    Auto,
    /// Exact matrix in every iteration: D, K and the tangent operator T are kept.
    Full,
    /// D, K and T are dropped (LA, end of section 3.5): cheap and linearly convergent, for small steps.
    Simplified,
    /// The exact matrix, kept over iterations and steps until the contraction exceeds 0.5.
    Modified,
    /// The exact matrix once per step, and again when the contraction exceeds 0.1. It takes as many iterations as `Full` at
    /// the steps of our benchmarks, and each after the first costs a third; constraints hold to the tolerance of Newton's
    /// method rather than to round-off.
    Once,
    /// The exact matrix, kept over steps as long as that saves work, and renewed when the contraction exceeds 0.1. Constraints
    /// hold to the tolerance of Newton's method; those of velocity in the stabilized form are not tested, which is why it is no
    /// default there.
    Kept,
}

impl Strategy {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 6] = ["auto", "full", "simplified", "modified", "once", "kept"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "auto" => Ok(Strategy::Auto),
            "full" => Ok(Strategy::Full),
            "simplified" => Ok(Strategy::Simplified),
            "modified" => Ok(Strategy::Modified),
            "once" => Ok(Strategy::Once),
            "kept" => Ok(Strategy::Kept),
            _ => Err(Error::unknown_name("Newton strategy", name, Self::NAMES)),
        }
    }
}

/// Settings of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// How the matrix is formed.
    pub strategy: Strategy,
    /// Newton's error relative to the first correction of a step.
    pub tolerance: f64,
    /// Largest number of iterations in a step.
    pub max_iterations: usize,
    /// Armijo line search when the residual does not decrease.
    pub damping: bool,
    /// Try other ways when Newton's method fails ([`recovery`]).
    pub recovery: bool,
    /// How the matrix is factorised.
    pub solver: Solver,
}

impl Default for Newton {
    fn default() -> Self {
        Newton {
            strategy: Strategy::default(),
            tolerance: 1e-7,
            max_iterations: 30,
            damping: true,
            recovery: false,
            solver: Solver::default(),
        }
    }
}

/// Contraction above which `Modified` forms a new matrix.
const REFRESH_CONTRACTION: f64 = 0.5;
/// Contraction above which `Once` and `Kept` form another matrix.
const REFRESH_IN_STEP: f64 = 0.1;
/// A correction of this size in units of round-off does not change a position: it may be left out in every step.
pub(super) const INVISIBLE: f64 = 1.0 / 16.0;
/// A correction of this size in units of round-off may be accepted when rounding errors stop the iteration.
pub(super) const ROUND_OFF_SLACK: f64 = 1e4;
/// Matrices of earlier steps must meet a 100 times tighter tolerance.
const STALE_TOLERANCE_FACTOR: f64 = 1e-2;
/// Corrections above this size in units of round-off never pass for its floor.
const LARGEST_FLOOR: f64 = 1e3;
/// A residual of this many units of its own rounding errors is as small as it can be, whatever corrections do.
const ROUND_OFF_ROWS: f64 = 64.0;
/// What is left of a floor after a step.
const FORGET: f64 = 0.99;
/// Corrections above this size in units of round-off say something about the contraction.
const SUSPECT: f64 = 100.0;
/// Sufficient decrease of the line search (Kelley).
const ARMIJO: f64 = 1e-4;

/// An implicit method, as small as its algorithm box in a paper.
pub trait Scheme: Send {
    /// Name as typed by users.
    fn name(&self) -> &'static str;
    /// Order of convergence.
    fn order(&self) -> usize;
    /// Room for the iteration matrix of this system; an error if the system is not supported.
    fn kkt(&self, system: &dyn System) -> Result<Kkt, Error>;
    /// Sizes the workspace and computes starting values.
    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error>;
    /// Begins a step: everything that depends on t_n only, and the initial guess.
    fn predict(&mut self, system: &dyn System, state: &State, h: f64);
    /// The scaled residual Psi at the current iterate.
    fn residual(&mut self, system: &dyn System, psi: &mut [f64]);
    /// dPsi/dxi at the current iterate in place of what `kkt` holds; `simplified` drops D, K and T.
    fn iteration_matrix(&mut self, system: &dyn System, simplified: bool, kkt: &mut Kkt);
    /// Called with the factors in the first iteration of a step, and again where that is asked for: may take an incompatible part out of the residual.
    fn filter(&mut self, system: &dyn System, kkt: &mut Kkt, psi: &mut [f64]) {
        let _ = (system, kkt, psi);
    }
    /// True if what [`filter`](Self::filter) has taken out depends on the guess, so that it should be done again.
    fn filters_again(&self, system: &dyn System) -> bool {
        let _ = system;
        false
    }
    /// xi <- xi + weight * delta, and the state that follows from it.
    fn correct(&mut self, system: &dyn System, weight: f64, delta: &[f64]);
    /// Size of a correction in units of round-off, see the module documentation; NaN if an entry is.
    fn size_of(&self, system: &dyn System, delta: &[f64]) -> f64;
    /// True if the error of the method is far above what a matrix of an earlier step leaves over: a few round-offs, with the same
    /// sign in every step.
    fn accepts_old_matrices(&self, system: &dyn System) -> bool {
        let _ = system;
        false
    }
    /// Size of the equations of motion in a residual as a correction, with what brings their rows to units of a position.
    fn size_of_forces(&self, system: &dyn System, psi: &[f64], row_scale: &[f64]) -> f64 {
        let _ = (system, psi, row_scale);
        0.0
    }
    /// Size of the accelerations, as the corrections by which they change positions in a step.
    fn size_of_accelerations(&self, system: &dyn System) -> f64 {
        let _ = system;
        0.0
    }
    /// Newton's method is about to keep its matrix over steps: a good first guess saves iterations.
    fn expect_kept(&mut self, kept: bool) {
        let _ = kept;
    }
    /// Size of the first correction, which was this, from a guess that does not extrapolate: of the size of the local error.
    fn first_correction(&self, system: &dyn System, size: f64) -> f64 {
        let _ = system;
        size
    }
    /// The largest row of a residual in units of its own rounding errors (`round_off.rs`), with what brings rows to units of a
    /// position; infinite where that is not known.
    fn in_round_offs(&mut self, system: &dyn System, psi: &[f64], row_scale: &[f64]) -> f64 {
        let _ = (system, psi, row_scale);
        f64::INFINITY
    }
    /// Ends the step: the iterate becomes the state.
    fn accept(&mut self, state: &mut State);
    /// What row i of Psi is, for messages.
    fn row_name(&self, system: &dyn System, i: usize) -> String;
    /// Auxiliary multipliers, where there are any.
    fn eta(&self) -> Option<&[f64]> {
        None
    }
    /// Another first guess than [`predict`](Self::predict) makes, by number; false if there is none of this number.
    fn predict_otherwise(&mut self, system: &dyn System, state: &State, h: f64, which: usize) -> bool {
        let _ = (system, state, h, which);
        false
    }
    /// Begins a step from the solution of a shorter one from the same state, which is the present iterate; false if that is
    /// not possible.
    fn predict_from_shorter(&mut self, system: &dyn System, state: &State, h: f64) -> bool {
        let _ = (system, state, h);
        false
    }
    /// Moves the history from steps of one size to steps of another so that the order is kept; false if that is not possible.
    fn change_step(
        &mut self,
        system: &dyn System,
        state: &mut State,
        from: f64,
        to: f64,
    ) -> Result<bool, Error> {
        let _ = (system, state, from, to);
        Ok(false)
    }
    /// What may help when Newton's method fails, other than what is in use.
    fn remedies(&self, system: &dyn System) -> Vec<&'static str> {
        let _ = system;
        vec!["a smaller step"]
    }
    /// Writes the history to an archive, or reads it after a start with the same model; see [`Persist`].
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let _ = archive;
        Err(Damage::Unsupported(format!("the method {}", self.name())))
    }
}

/// A [`Scheme`] driven by Newton's method.
#[derive(Clone, Debug, Default)]
pub struct Implicit<S> {
    /// The method.
    pub scheme: S,
    /// Newton settings.
    pub newton: Newton,
    pub(super) kkt: Kkt,
    pub(super) psi: Vec<f64>,
    pub(super) delta: Vec<f64>,
    /// Step size of the kept factorisation, if there is one.
    factored_h: Option<f64>,
    /// How long it is kept, with `Kept`.
    reuse: JacobianReuse,
    /// Where corrections stop shrinking, in units of round-off: seen with a matrix of the step, half forgotten after 70 steps.
    floor: f64,
    /// What `Auto` is for this system.
    automatic: Strategy,
    /// The last second correction of a step over the square of the first, for the exact matrix.
    quadratic: Option<f64>,
    /// Sizes of the residuals and their largest rows, where they are asked for.
    pub(super) trace: Option<Vec<(f64, usize)>>,
    /// Regularise the rows of the constraints by this much, to get over a singular position.
    pub(super) regularised: Option<f64>,
}

impl<S: Scheme> Implicit<S> {
    /// A method with default Newton settings.
    pub fn new(scheme: S) -> Self {
        Implicit {
            scheme,
            newton: Newton::default(),
            kkt: Kkt::default(),
            psi: Vec::new(),
            delta: Vec::new(),
            factored_h: None,
            reuse: JacobianReuse::default(),
            automatic: Strategy::Full,
            floor: 0.0,
            quadratic: None,
            trace: None,
            regularised: None,
        }
    }

    /// The next step has a matrix of its own.
    pub(super) fn forget_matrix(&mut self) {
        self.factored_h = None;
        self.quadratic = None;
    }

    /// True if the factors may be used again.
    fn keeps_factors(&self) -> bool {
        match self.strategy() {
            Strategy::Modified => true,
            Strategy::Kept => self.reuse.keeps && !self.kkt.is_pivoted(),
            _ => false,
        }
    }

    /// True if a step of this size begins with the matrix at hand. Regularised rows need their own in every iteration.
    fn begins_with_old(&self, system: &dyn System, h: f64) -> bool {
        let regular = self.strategy() == Strategy::Modified || system.row_weights().is_none();
        self.factored_h == Some(h) && self.keeps_factors() && regular
    }

    /// With other Newton settings.
    pub fn with_newton(mut self, newton: Newton) -> Self {
        self.newton = newton;
        self
    }

    /// The strategy in use.
    pub fn strategy(&self) -> Strategy {
        match self.newton.strategy {
            Strategy::Auto => self.automatic,
            named => named,
        }
    }

    /// History, and the factors where a later step uses them again; what is said of that is read first.
    pub(super) fn persist_with(
        &mut self,
        archive: &mut Archive,
        factors: impl FnOnce(&Self) -> bool,
    ) -> Result<(), Damage> {
        let Implicit {
            scheme,
            newton: _,
            kkt,
            psi: _,
            delta: _,
            factored_h,
            reuse,
            automatic: _,
            floor,
            quadratic,
            trace: _,
            regularised: _,
        } = self;
        scheme.persist(archive)?;
        (kkt.row_scale_mut(), (factored_h, ((reuse, floor), quadratic))).persist(archive)?;
        kkt.persist_trust(archive)?;
        if factors(self) { self.kkt.persist(archive) } else { Ok(()) }
    }

    pub(super) fn refactor(&mut self, system: &dyn System, t: f64) -> Result<(), Error> {
        let simplified = self.newton.strategy == Strategy::Simplified;
        let Implicit { scheme, regularised, kkt, .. } = self;
        let outcome = kkt.form(|kkt| {
            scheme.iteration_matrix(system, simplified, kkt);
            if let Some(size) = *regularised {
                recovery::regularise(system, size, kkt);
            }
        });
        outcome.map_err(|e| Error::SingularMatrix {
            t,
            step: 0,
            pivot: e.pivot,
            size: e.size,
            unknown: self.scheme.row_name(system, e.column),
            diagnosis: Box::default(),
        })
    }

    /// Residual norm with rows scaled to position units, for the line search; four at a time, which do not wait for each other.
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
        let end = psi_end.iter().zip(scale_end).map(|(p, s)| (p * s).abs());
        largest.into_iter().chain(end).fold(0.0, larger)
    }

    /// Size of the correction the present residual asks for, with the factors of the previous iteration.
    fn rest(&mut self, system: &dyn System) -> f64 {
        for (d, p) in self.delta.iter_mut().zip(&self.psi) {
            *d = -p;
        }
        self.kkt.solve(&mut self.delta);
        self.scheme.size_of(system, &self.delta)
    }

    /// The present residual in units of its own rounding errors.
    pub(super) fn in_round_offs(&mut self, system: &dyn System) -> f64 {
        self.scheme.in_round_offs(system, &self.psi, self.kkt.row_scale())
    }

    fn worst(&self) -> usize {
        let scaled = |i: usize| (self.psi[i] * self.kkt.row_scale()[i]).abs();
        (0..self.psi.len()).fold(0, |b, i| if scaled(i) > scaled(b) { i } else { b })
    }

    pub(super) fn worst_row(&self, system: &dyn System) -> String {
        self.scheme.row_name(system, self.worst())
    }

    pub(super) fn evaluate(&mut self, system: &dyn System, t: f64) -> Result<(), Error> {
        self.scheme.residual(system, &mut self.psi);
        match first_not_finite(&self.psi) {
            None => Ok(()),
            Some((i, value)) => Err(Error::NotFinite {
                what: format!("the residual of {}", self.scheme.row_name(system, i)),
                value,
                t,
                step: 0,
            }),
        }
    }
}

impl<S: Scheme> Integrator for Implicit<S> {
    fn name(&self) -> &'static str {
        self.scheme.name()
    }

    fn order(&self) -> usize {
        self.scheme.order()
    }

    fn eta(&self) -> Option<&[f64]> {
        self.scheme.eta()
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        self.kkt = self.scheme.kkt(system)?.with_solver(self.newton.solver);
        for x in [&mut self.psi, &mut self.delta] {
            x.clear();
            x.resize(self.kkt.len(), 0.0);
        }
        self.forget_matrix();
        self.reuse = JacobianReuse::new(self.kkt.cost());
        let sparse = self.kkt.is_sparse();
        let old = self.scheme.accepts_old_matrices(system) && system.row_weights().is_none();
        self.automatic = match (sparse, old) {
            (false, true) if system.n_lambda() == 0 => Strategy::Kept,
            (false, _) => Strategy::Full,
            (true, true) => Strategy::Kept,
            (true, false) => Strategy::Once,
        };
        self.floor = 0.0;
        self.scheme.expect_kept(self.strategy() == Strategy::Kept);
        self.scheme.start(system, state, h)
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.persist_with(archive, Self::keeps_factors)
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let mut report = StepReport::default();
        self.scheme.predict(system, state, h);
        let kept = self.strategy() == Strategy::Kept;
        let mut outcome = self.iterate(system, state.t + h, h, &mut report);
        if outcome.is_err() && kept {
            // An old matrix or an extrapolation may be to blame.
            self.forget_matrix();
            self.scheme.expect_kept(false);
            outcome = self.attempt(system, state, h, &mut report);
            self.scheme.expect_kept(true);
        }
        if let Err(error) = outcome {
            return match error {
                Error::Newton { .. } | Error::SingularMatrix { .. } | Error::NotFinite { .. } => {
                    self.recover(system, state, h, error, report)
                }
                other => Err(other),
            };
        }
        self.scheme.accept(state);
        state.remember(system);
        Ok(report)
    }
}

impl<S: Scheme> Implicit<S> {
    /// Newton's method from the present guess of a step h to t.
    pub(super) fn iterate(
        &mut self,
        system: &dyn System,
        t: f64,
        h: f64,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        let newton = Newton { strategy: self.strategy(), ..self.newton };
        let mut fresh = !self.begins_with_old(system, h);
        let mut previous = f64::INFINITY;
        let mut tolerated: f64 = 1.0;
        // Forces that are tolerated count as much as corrections that are.
        let mut per_force = 0.0;
        let mut wasted = 0;
        let mut merit = f64::INFINITY;
        let mut weight = 1.0;

        self.evaluate(system, t)?;
        loop {
            if fresh {
                self.factored_h = None;
                wasted = report.iterations;
                self.refactor(system, t)?;
                self.factored_h = Some(h);
                report.jacobians += 1;
                if newton.strategy == Strategy::Kept && report.jacobians == 1 {
                    // Corrections of its own matrix are not compared with those of an old one.
                    previous = f64::INFINITY;
                }
                let asked_for = self.newton.solver == Solver::Pivoted;
                report.fallbacks += usize::from(self.kkt.is_pivoted() && !asked_for);
            }
            if report.iterations == 0 || self.scheme.filters_again(system) {
                self.scheme.filter(system, &mut self.kkt, &mut self.psi);
            }
            if self.trace.is_some() {
                let now = (self.merit(), self.worst());
                self.trace.iter_mut().for_each(|trace| trace.push(now));
            }
            for (d, p) in self.delta.iter_mut().zip(&self.psi) {
                *d = -p;
            }
            let kept = report.jacobians == 0;
            let old = kept && newton.strategy == Strategy::Kept;
            // Its own matrix finds multipliers at once, an old one does not: forces that are not in balance count, too.
            let forces =
                if old { self.scheme.size_of_forces(system, &self.psi, self.kkt.row_scale()) } else { 0.0 };
            self.kkt.solve(&mut self.delta);
            let mut size = self.scheme.size_of(system, &self.delta);
            if !size.is_finite() {
                let worst = self.worst_row(system);
                return Err(Error::Newton {
                    t,
                    step: 0,
                    iterations: report.iterations,
                    correction: size / tolerated,
                    worst,
                    diagnosis: Box::default(),
                });
            }
            // With an old matrix the residual may grow before corrections shrink.
            let damping = newton.damping && size > ROUND_OFF_SLACK && !old;
            if damping {
                merit = self.merit();
            }
            self.scheme.correct(system, 1.0, &self.delta);
            report.iterations += 1;

            // What a matrix of an earlier step leaves over has the same sign in every step and adds up: it is not accepted
            // as round-off, and bad contraction renews the matrix (below).
            let floor = if old { self.floor } else { 0.0 };
            let round_off = match report.iterations {
                2.. if old => INVISIBLE.max(2.0 * floor),
                _ if kept => INVISIBLE,
                _ => 1.0,
            };
            if report.iterations == 1 {
                let exact = matches!(newton.strategy, Strategy::Full | Strategy::Simplified) && !kept;
                let reference = self.scheme.first_correction(system, size);
                let least = if exact { 1.0 } else { INVISIBLE * floor.max(1.0) };
                let tolerance = newton.tolerance * if old { STALE_TOLERANCE_FACTOR } else { 1.0 };
                tolerated = (tolerance * reference).max(least);
                if old {
                    let least = tolerance * self.scheme.size_of_accelerations(system);
                    per_force = tolerated / least.max(INVISIBLE);
                }
            }
            let forces = per_force * forces;
            let negligible = size <= round_off && REFRESH_IN_STEP * forces <= tolerated;
            if size < forces {
                size = forces;
            }
            let contraction = size / (previous * weight);
            if report.iterations == 2 && weight == 1.0 && !kept {
                self.quadratic = Some(contraction / previous);
            }
            let missing = if previous.is_infinite() {
                size
            } else if contraction < 1.0 {
                size * contraction / (1.0 - contraction)
            } else {
                f64::INFINITY
            };
            let stalled = contraction > 0.5 && size <= ROUND_OFF_SLACK && !kept && report.iterations > 2;
            if stalled {
                self.floor = size.max(previous).min(LARGEST_FLOOR);
            }
            if negligible || missing <= tolerated || stalled {
                break;
            }
            if report.iterations >= newton.max_iterations {
                self.evaluate(system, t)?;
                if self.in_round_offs(system) <= ROUND_OFF_ROWS {
                    break;
                }
                let worst = self.worst_row(system);
                self.factored_h = None;
                return Err(Error::Newton {
                    t,
                    step: 0,
                    iterations: report.iterations,
                    correction: size / tolerated,
                    worst,
                    diagnosis: Box::default(),
                });
            }
            fresh = match newton.strategy {
                Strategy::Modified => contraction > REFRESH_CONTRACTION,
                // What an old matrix leaves over of the first correction is in other directions and shrinks faster.
                Strategy::Kept if old && report.iterations == 2 => contraction > REFRESH_CONTRACTION,
                // Another one of the same step would not help against rounding errors.
                Strategy::Kept if !old && size <= LARGEST_FLOOR => false,
                Strategy::Once | Strategy::Kept => contraction > REFRESH_IN_STEP,
                _ => true,
            };
            // Whether it is the factors or the equations that are to blame, the next factors tell.
            if fresh && !kept && contraction > REFRESH_IN_STEP && size > SUSPECT {
                self.kkt.doubt();
            }
            let mut outcome = self.evaluate(system, t);
            let stagnates = contraction > 0.5 && !kept && report.iterations > 2 && outcome.is_ok();
            if stagnates && self.in_round_offs(system) <= ROUND_OFF_ROWS {
                break;
            }
            weight = 1.0;
            if damping {
                // Where forces are not defined a shorter step may still be fine.
                let too_far = |x: &Self, outcome: &Result<(), Error>, weight: f64| {
                    outcome.is_err() || x.merit() > (1.0 - ARMIJO * weight) * merit
                };
                while too_far(self, &outcome, weight) && weight > 1e-3 {
                    self.scheme.correct(system, -0.5 * weight, &self.delta);
                    weight *= 0.5;
                    report.dampings += 1;
                    outcome = self.evaluate(system, t);
                }
            }
            outcome?;
            let square = size * size;
            let enough = matches!(newton.strategy, Strategy::Full | Strategy::Once)
                && report.iterations == 1
                && weight == 1.0
                && system.n_lambda() == 0;
            if enough && self.quadratic.is_some_and(|c| c * square <= INVISIBLE) {
                let rest = self.rest(system);
                self.quadratic = Some(rest / square);
                if rest <= INVISIBLE {
                    break;
                }
            }
            previous = size;
        }
        if newton.strategy == Strategy::Kept {
            self.floor *= FORGET;
            if report.jacobians > 0 {
                self.reuse.renewed(wasted);
            }
            self.reuse.note(report.iterations - wasted);
        }
        Ok(())
    }
}
