//! One step of an implicit rule: initial guess, Newton's method with the exact matrix, one more update after
//! convergence.
//!
//! A [`StepRule`] contains the equations of a paper, in the unknowns (q_1, w_1, v, lambda, gamma) with w =
//! M^-1 p. Multiplied by M, no equation contains M^-1, so sparse mass matrices stay sparse.
//!
//! **Convergence.** The residual of each row is measured in its own scale
//! ([`Scales`](super::scales::Scales)), those of momenta and velocities relative to the velocity. It must
//! fall below the tolerance, 1e-9 as in the paper. Then **one more update** follows: without it invariants
//! hold only to the tolerance (pendulum: 6e-10 in J_3, 7e-9 in the energy), with it to round-off. The units
//! of length, mass and time make no difference, neither here nor in the choice of pivots.
//!
//! **Initial guess.** Simple: the values of the last step. Advanced: q_1 = q_0 + h v_0, about one iteration
//! less. If Newton's method fails, the other guess is tried, then a continuation in the step size: the
//! equations are solved for h/n, 2h/n, ..., h from the same q_0, p_0 with the last solution extrapolated. The
//! four particles at h = 0.675, thirty times the linear limit, need it in a few steps out of a hundred.
//!
//! **Moving origin.** A free system may move far away, and round-off of its coordinates grows with the
//! distance: the four particles are 2500 m away after 10^6 steps of 0.01 s, where one ulp changes the energy
//! by 1e-9. If nothing depends on the position ([`Conservative::is_translation_invariant`]), the step uses
//! coordinates from an origin that follows the system, and the state is their sum.

use super::matrix::Matrix;
use super::node::{NodeEquations, NodeState};
pub use super::rule::{Report, StepRule};
use super::scales::power_of_two;
pub use super::unknowns::{Step, StepStart, UnknownLayout, Unknowns, Workspace};
use crate::conservative::potential::Scratch;
use crate::conservative::system::Conservative;
use precess_engine::Error;
use precess_engine::integrate::{Conjugate, check_step};
use precess_engine::integrate::{Integrator, Rescue, StepReport};
use precess_engine::mechanics::{State, System};
use precess_engine::persist::{Archive, Damage, Persist};

/// Initial guess of Newton's method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guess {
    /// The values of the last step.
    #[default]
    Simple,
    /// q_1 = q_0 + h v_0.
    Advanced,
}

precess_engine::named! { Guess, "initial guess": Simple = "simple", Advanced = "advanced" }

/// Settings of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Residual at which Newton's method has converged.
    pub tolerance: f64,
    /// Largest number of updates.
    pub max_iterations: usize,
    /// Initial guess.
    pub guess: Guess,
    /// Try other guesses and continuation if Newton's method fails.
    pub fallback: bool,
    /// One more update after convergence.
    pub polish: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { tolerance: 1e-9, max_iterations: 25, guess: Guess::Simple, fallback: true, polish: true }
    }
}

/// Largest number of parts in the continuation.
const MAX_PARTS: usize = 64;

/// A [`StepRule`] as an [`Integrator`].
#[derive(Clone, Debug)]
pub struct Stepper<R> {
    /// The equations.
    pub rule: R,
    /// Newton's method.
    pub settings: Settings,
    /// Number of steps so far that needed another guess.
    pub rescued: usize,
    pub(super) layout: UnknownLayout,
    pub(super) matrix: Matrix,
    pub(super) from: StepStart,
    pub(super) work: Workspace,
    pub(super) x: Vec<f64>,
    last: Vec<f64>,
    pub(super) r: Vec<f64>,
    v: Vec<f64>,
    lambda: Vec<f64>,
    /// Distance that coordinates move in this step, in their units.
    pub(super) pace: f64,
    /// Work of the loads in the last step.
    load_work: f64,
    /// E(q, v, p) at the beginning of the last step, for rules whose velocity belongs there.
    function: Option<f64>,
    /// True if the origin may follow the system.
    free: bool,
    /// The origin.
    offset: [f64; 3],
    /// The last reported positions: the sum of `from.q` and the origin.
    shown: Vec<f64>,
    /// Computes the values reported at the end of a step.
    node: NodeEquations,
}

/// E = p.v - v.M v/2 + V at (q, M^-1 p).
fn energy_function(system: &Conservative, (q, w): (&[f64], &[f64]), v: &[f64]) -> f64 {
    system.mass_product(w, v) - 0.5 * system.mass_product(v, v) + system.potential(q)
}

/// Distance, in lengths of the system, beyond which the origin follows.
const FOLLOW_DISTANCE: f64 = 4.0;

impl<R: StepRule> Stepper<R> {
    /// A stepper with default settings.
    pub fn new(rule: R) -> Self {
        Stepper {
            rule,
            settings: Settings::default(),
            rescued: 0,
            layout: UnknownLayout::default(),
            matrix: Matrix::default(),
            from: StepStart::default(),
            work: Workspace::default(),
            x: Vec::new(),
            last: Vec::new(),
            r: Vec::new(),
            v: Vec::new(),
            lambda: Vec::new(),
            pace: 1.0,
            load_work: 0.0,
            function: None,
            free: false,
            offset: [0.0; 3],
            shown: Vec::new(),
            node: NodeEquations::default(),
        }
    }

    /// With other settings.
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The solution of the last step: q_1, w_1, v, lambda and gamma of the rule.
    pub fn unknowns(&self) -> Unknowns<'_> {
        self.layout.split(&self.last)
    }

    /// Number of values stored for the Newton matrix and its factors.
    pub fn matrix_values(&self) -> usize {
        self.matrix.n_values()
    }

    /// M^-1 p at the current time.
    pub fn w(&self) -> &[f64] {
        &self.from.w
    }

    /// The velocity of the last step: that of the rule, or M^-1 p if the rule has none.
    pub fn velocity(&self) -> &[f64] {
        &self.v
    }

    /// The energy function E = p.v - v.M v/2 + V(q) of the paper, at the current state, or at the beginning
    /// of the last step if the velocity of the rule belongs there.
    pub fn energy_function(&self, system: &Conservative, q: &[f64]) -> f64 {
        self.function.unwrap_or_else(|| energy_function(system, (q, &self.from.w), &self.v))
    }

    /// H = p.M^-1 p/2 + V(q) at the current state.
    pub fn hamiltonian(&self, system: &Conservative, q: &[f64]) -> f64 {
        0.5 * system.mass_product(&self.from.w, &self.from.w) + system.potential(q)
    }

    fn guess(&mut self, guess: Guess) {
        self.x.copy_from_slice(&self.last);
        let d = self.layout.d;
        self.x[..d].copy_from_slice(&self.from.q);
        self.x[d..2 * d].copy_from_slice(&self.from.w);
        if guess == Guess::Advanced {
            for i in 0..d {
                self.x[i] += self.from.h * self.from.w[i];
            }
        }
    }

    /// Work f . (q_1 - q_0) of the loads at the midpoint.
    fn midpoint_work(&mut self, system: &Conservative) -> f64 {
        if system.loads.is_empty() {
            return 0.0;
        }
        let (d, from) = (self.layout.d, &self.from);
        let (q, w, f) = (&mut self.work.q, &mut self.work.v, &mut self.r[..d]);
        for i in 0..d {
            q[i] = 0.5 * (from.q[i] + self.x[i]);
            w[i] = 0.5 * (from.w[i] + self.x[d + i]);
        }
        f.fill(0.0);
        system.loads.iter().for_each(|l| l.add(from.t + 0.5 * from.h, q, w, 1.0, f));
        (0..d).map(|i| f[i] * (self.x[i] - from.q[i])).sum()
    }

    /// Moves the origin if the first point is far from it. The shift is a multiple of a power of two near the
    /// typical length, which is exact.
    fn follow(&mut self, system: &Conservative) {
        let (first, unit) = (system.points[0], power_of_two(system.length));
        for k in 0..3 {
            let away = self.from.q[first + k];
            if away.abs() > FOLLOW_DISTANCE * system.length {
                let move_by = (away / unit).round() * unit;
                self.offset[k] += move_by;
                system.points.iter().for_each(|&i| self.from.q[i + k] -= move_by);
            }
        }
    }

    /// Solves the step, with other guesses if necessary.
    fn solve(&mut self, system: &Conservative, report: &mut StepReport) -> Result<(), Error> {
        self.guess(self.settings.guess);
        let first = self.iterate(system, report);
        if first.is_ok() || !self.settings.fallback {
            return first;
        }
        self.rescued += 1;
        report.dampings += 1;
        self.guess(match self.settings.guess {
            Guess::Simple => Guess::Advanced,
            Guess::Advanced => Guess::Simple,
        });
        if self.iterate(system, report).is_ok() {
            report.rescue = Some(Rescue::Guess);
            return Ok(());
        }
        let h = self.from.h;
        let mut parts = 2;
        while parts <= MAX_PARTS {
            if self.continuation(system, parts, report).is_ok() {
                self.from.h = h;
                report.rescue = Some(Rescue::Continuation);
                return Ok(());
            }
            self.from.h = h;
            parts *= 2;
        }
        first
    }

    /// Solves the step for h/n, 2h/n, ..., h from the same state. Multipliers are kept, q and w continue
    /// along the secant.
    fn continuation(
        &mut self,
        system: &Conservative,
        n: usize,
        report: &mut StepReport,
    ) -> Result<(), Error> {
        let h = self.from.h;
        for k in 1..=n {
            self.from.h = h * (k as f64 / n as f64);
            if k == 1 {
                self.guess(Guess::Advanced);
            } else {
                let stretch = 1.0 / (k - 1) as f64;
                let d = self.layout.d;
                for i in 0..d {
                    self.x[i] += stretch * (self.x[i] - self.from.q[i]);
                    self.x[d + i] += stretch * (self.x[d + i] - self.from.w[i]);
                }
            }
            self.iterate(system, report)?;
        }
        Ok(())
    }
}

impl<R: StepRule> Integrator for Stepper<R> {
    fn name(&self) -> &'static str {
        self.rule.name()
    }

    fn order(&self) -> usize {
        self.rule.order()
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        let Some(system) = Conservative::of(system) else {
            return Err(Error::Unsupported {
                method: self.name().to_string(),
                reason:
                    "it needs a constant mass matrix on R^d; choose the formulation directors, or gen-alpha"
                        .to_string(),
            });
        };
        if !system.loads.is_empty() && !self.rule.takes_loads() {
            return Err(Error::Unsupported {
                method: self.name().to_string(),
                reason: "variational integrators take conservative forces only; use em, which balances the \
                         power of the others"
                    .to_string(),
            });
        }
        if let Some(what) = &system.driven {
            return Err(Error::Unsupported {
                method: self.name().to_string(),
                reason: format!(
                    "{what} depends on time, and its discrete derivatives need constraints that do not; use \
                     gen-alpha or bliedf"
                ),
            });
        }
        if let (Some(what), false) = (&system.massless, self.rule.takes_loads()) {
            return Err(Error::Unsupported {
                method: self.name().to_string(),
                reason: format!(
                    "{what}: variational integrators need it; use em, or give the body a thickness"
                ),
            });
        }
        let (levels, multipliers) = self.rule.n_unknowns();
        self.layout = UnknownLayout { d: system.dim(), m: system.rows(), levels, multipliers };
        let (n, d, m) = (self.layout.len(), self.layout.d, self.layout.m);
        self.matrix = Matrix::new(system, self.layout, &state.q);
        for (x, n) in [
            (&mut self.x, n),
            (&mut self.last, n),
            (&mut self.r, n),
            (&mut self.work.q, d),
            (&mut self.work.v, d),
            (&mut self.lambda, m),
        ] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.work.s = Scratch::for_terms(&system.terms);
        self.from = StepStart { t: state.t, h, q: state.q.clone(), w: state.v.clone() };
        self.v = state.v.clone();
        self.last[d..2 * d].copy_from_slice(&state.v);
        if levels > 2 {
            self.last[2 * d..3 * d].copy_from_slice(&state.v);
        }
        self.rescued = 0;
        self.load_work = 0.0;
        self.function = None;
        self.free = system.is_translation_invariant();
        self.offset = [0.0; 3];
        self.shown = state.q.clone();
        self.node = NodeEquations::new(system, &state.q);
        Ok(())
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let whole = system;
        let Some(system) = Conservative::of(system) else {
            return Err(Error::Unsupported {
                method: self.name().to_string(),
                reason: "start was not called".to_string(),
            });
        };
        let mut report = StepReport::default();
        self.from.t = state.t;
        self.from.h = h;
        if self.shown != state.q {
            self.from.q.copy_from_slice(&state.q);
            self.offset = [0.0; 3];
        }
        self.matrix.scales_mut().set_step(h);
        self.pace = self.matrix.scales().pace(&self.from.w, h);
        self.solve(system, &mut report)?;
        self.load_work = self.midpoint_work(system);
        if self.rule.velocity_at_start() {
            let v = self.layout.split(&self.x).v;
            self.function = Some(energy_function(system, (&self.from.q, &self.from.w), v));
        }
        self.last.copy_from_slice(&self.x);
        let d = self.layout.d;
        self.from.q.copy_from_slice(&self.last[..d]);
        if self.free {
            self.follow(system);
            self.last[..d].copy_from_slice(&self.from.q);
            for &i in &system.points {
                for k in 0..3 {
                    self.last[i + k] += self.offset[k];
                }
            }
        }
        self.shown.copy_from_slice(&self.last[..d]);

        let u = self.layout.split(&self.last);
        self.from.w.copy_from_slice(u.w);
        self.v.copy_from_slice(u.v);
        let velocity = match self.rule.report() {
            Report::Velocity(_) => u.v,
            _ => u.w,
        };
        match self.node.solve(system, NodeState { t: state.t + h, q: &self.from.q, v: velocity }) {
            Ok((vdot, lambda)) => {
                state.vdot.copy_from_slice(vdot);
                state.lambda.copy_from_slice(lambda);
            }
            // If constraints are dependent, only the multipliers of the rule are available.
            Err(_) => {
                for i in 0..self.layout.d {
                    state.vdot[i] = (velocity[i] - state.v[i]) / h;
                }
                let vartheta = match self.rule.report() {
                    Report::Momentum => 0.0,
                    Report::Velocity(vartheta) | Report::Averaged(vartheta) => vartheta,
                };
                for (k, l) in u.lambda.iter().enumerate() {
                    state.lambda[k] = vartheta * self.lambda[k] + (1.0 - vartheta) * l;
                }
            }
        }
        state.v.copy_from_slice(velocity);
        state.q.copy_from_slice(u.q);
        self.lambda.copy_from_slice(u.lambda);
        state.t += h;
        state.remember(whole);
        Ok(report)
    }

    fn eta(&self) -> Option<&[f64]> {
        (self.layout.multipliers > 1).then(|| &self.last[self.layout.gamma()..])
    }

    fn step_lambda(&self) -> Option<&[f64]> {
        (self.layout.m > 0).then(|| self.layout.split(&self.last).lambda)
    }

    fn conjugate(&self) -> Option<Conjugate<'_>> {
        (self.layout.levels > 2).then(|| Conjugate { w: &self.from.w, v: &self.v, function: self.function })
    }

    fn work(&self) -> Option<f64> {
        self.rule.takes_loads().then_some(self.load_work)
    }

    fn warning(&self) -> Option<String> {
        self.rule.warning()
    }

    /// The matrix is new in every iteration except for its scales. The workspace is always written before it
    /// is read.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Stepper {
            rule: _,
            settings: _,
            rescued,
            layout: _,
            matrix,
            from,
            work: _,
            x: _,
            last,
            r: _,
            v,
            lambda,
            pace: _,
            load_work,
            function,
            free,
            offset,
            shown,
            node,
        } = self;
        (rescued, (from, last)).persist(archive)?;
        (v, (lambda, matrix.scales_mut())).persist(archive)?;
        ((load_work, (function, free)), (offset, shown)).persist(archive)?;
        node.persist(archive)
    }
}
