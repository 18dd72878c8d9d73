//! Consistent initial values: checks of q and v, accelerations and multipliers from (19).

use nalgebra::DVector;

use super::adaptive::Scales;
use super::project::{project_position, project_velocity};
use crate::Error;
use crate::error::first_not_finite;
use crate::integrate::saddle::{Saddle, SaddleError};
use crate::mechanics::{State, System, Tangents, Want};
use crate::solve::Mat;

/// Enough for linear convergence at the rate 0.75, which occurs if the derivative of friction is not given.
const MAX_ITERATIONS: usize = 100;

/// Solver of (19) for accelerations v' and multipliers lambda at given t, q, v:
///
/// ```text
/// [ M  B^T ] [ v'     ]   [ -g                          ]
/// [ B   0  ] [ lambda ] = [ -Z(v,v) - 2 B_t v - Phi_tt  ]
/// ```
///
/// With friction forces that depend on lambda the system is nonlinear and solved by Newton's method.
#[derive(Clone, Debug)]
pub struct Accelerations {
    /// Solver of the saddle-point system.
    pub saddle: Saddle,
    tangents: Tangents,
    work: Corrections,
}

/// Residuals and corrections of a solution.
#[derive(Clone, Debug)]
struct Corrections {
    r_v: Vec<f64>,
    r_l: Vec<f64>,
    dv: Vec<f64>,
    dl: Vec<f64>,
    force: Vec<f64>,
}

impl Accelerations {
    /// Workspace for a system.
    pub fn new(system: &dyn System) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        let (k, m) = (system.group().dim(), system.n_lambda());
        let work = Corrections { r_v: zeros(k), r_l: zeros(m), dv: zeros(k), dl: zeros(m), force: zeros(k) };
        Accelerations { saddle: Saddle::new(system), tangents: Tangents::of(system), work }
    }

    /// For repeated solutions: nothing allocates (except for algebraic variables s), and a singular system is
    /// not diagnosed in detail.
    pub fn fast(system: &dyn System) -> Self {
        Accelerations { saddle: Saddle::fast(system), ..Self::new(system) }
    }

    /// Fills `state.vdot`, `state.lambda` and `state.s` for given `state.t`, `state.q`, `state.v`.
    pub fn solve(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.solve_algebraic(system, state)?;
        state.vdot.fill(0.0);
        state.lambda.fill(0.0);
        self.iterate(system, state, false)
    }

    /// Corrects `state.vdot` and `state.lambda` of a step; one iteration if no friction depends on them.
    pub fn correct(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.iterate(system, state, true)
    }

    /// Solves again after a small jump of forces, for example by an input, starting from the values before.
    /// The last Newton correction is below `1e-4` of the forces, so the error is about the square of that.
    pub fn again(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        self.solve_algebraic(system, state)?;
        self.iterate_to(system, state, true, 1e-4)
    }

    /// B of the last solution.
    pub(crate) fn constraint_matrix(&self) -> &Mat {
        &self.tangents.b
    }

    /// M of the last solution.
    pub(crate) fn mass_matrix(&self) -> &Mat {
        &self.tangents.s
    }

    /// Newton's method from the given v' and lambda. If they are `near` and the equations are linear, one
    /// iteration is enough.
    fn iterate(&mut self, system: &dyn System, state: &mut State, near: bool) -> Result<(), Error> {
        self.iterate_to(system, state, near, 1e-13)
    }

    /// The same, until a correction is below this part of all forces.
    fn iterate_to(
        &mut self,
        system: &dyn System,
        state: &mut State,
        near: bool,
        small: f64,
    ) -> Result<(), Error> {
        let Corrections { r_v, r_l, dv, dl, force } = &mut self.work;
        let (mut previous, mut first) = (f64::INFINITY, f64::INFINITY);
        for iteration in 0..MAX_ITERATIONS {
            self.tangents.evaluate(system, &state.at(), Want::SADDLE);
            // In redundant directions, multipliers of a step contain rounding errors times 1e11. They are
            // computed again, with minimum norm.
            if near && system.row_weights().is_some() && !self.tangents.has_friction() {
                state.lambda.fill(0.0);
            }
            system.residual(&state.at(), r_v);
            system.acceleration_constraint(&state.at(), r_l);
            finite(r_v, state.t, |i| format!("the force on {}", system.velocity_name(i)))?;
            finite(r_l, state.t, |i| format!("the acceleration level of '{}'", system.constraint_name(i)))?;
            r_v.iter_mut().chain(r_l.iter_mut()).for_each(|x| *x = -*x);
            let t = &self.tangents;
            self.saddle
                .solve_into(system, t, (r_v, r_l), (dv, dl))
                .map_err(|e| explain(system, state.t, e))?;
            add(&mut state.vdot, dv);
            add(&mut state.lambda, dl);
            // Multipliers of nearly redundant rows are not worth an iteration.
            let regularised = system.row_weights().is_some();
            if (near || regularised) && !t.has_friction() {
                return Ok(());
            }
            // One iteration is never enough: the derivative of |lambda| may vanish at lambda = 0, and
            // difference quotients give B to fewer digits than the residual.
            let mut size = |v: &[f64], l: &[f64]| {
                force.fill(0.0);
                t.s.gemv(1.0, v, force);
                let inertia = largest(force).1;
                force.fill(0.0);
                t.b.gemv_transpose(1.0, l, force);
                if t.has_friction() {
                    t.g_lambda.gemv(1.0, l, force);
                }
                inertia + largest(force).1
            };
            let change = size(dv, dl);
            let total = size(&state.vdot, &state.lambda);
            let noise = change <= 1e-5 * total && change >= previous;
            // Changes that stay constant after a few refinements are rounding errors of forces that balance
            // each other.
            if iteration == 0 {
                first = change;
            }
            // If accelerations vanish, only rounding errors remain: these vary, but do not grow.
            let rounding = iteration >= 4 && change >= 0.9 * previous && change <= 2.0 * first
                || iteration >= 20 && change <= 100.0 * first;
            if change <= small * total || noise || (rounding && !t.has_friction()) {
                return Ok(());
            }
            previous = change;
        }
        Err(Error::Newton {
            t: state.t,
            step: 0,
            iterations: MAX_ITERATIONS,
            correction: previous,
            worst: "the accelerations and friction forces at the start".to_string(),
            diagnosis: Box::default(),
        })
    }

    /// v' and lambda at t + tau into `probe`, with q and v on the parabola and straight line through the
    /// state.
    pub(crate) fn probe(
        &mut self,
        system: &dyn System,
        state: &State,
        tau: f64,
        probe: &mut State,
    ) -> Result<(), Error> {
        let x: Vec<f64> =
            state.v.iter().zip(&state.vdot).map(|(v, a)| tau * v + 0.5 * tau * tau * a).collect();
        probe.t = state.t + tau;
        system.group().retract(&state.q, &x, &mut probe.q);
        for ((p, v), a) in probe.v.iter_mut().zip(&state.v).zip(&state.vdot) {
            *p = v + tau * a;
        }
        self.solve(system, probe)
    }

    /// h_s(q, s, t) = 0 for s by Newton's method from the given s.
    fn solve_algebraic(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error> {
        let n = state.s.len();
        let mut rest = DVector::zeros(n);
        for iteration in 0..50 {
            if n == 0 {
                return Ok(());
            }
            system.algebraic(&state.at(), rest.as_mut_slice());
            finite(rest.as_slice(), state.t, |i| format!("algebraic equation {}", i + 1))?;
            self.tangents.evaluate(system, &state.at(), Want::MASS);
            let Some(ds) = self.tangents.h_s.to_dmatrix().lu().solve(&-&rest) else {
                break;
            };
            add(&mut state.s, ds.as_slice());
            let size = 1.0 + DVector::from_column_slice(&state.s).amax();
            if ds.amax() <= 1e-14 * size || (iteration > 5 && ds.amax() <= 1e-12 * size) {
                return Ok(());
            }
        }
        Err(Error::Newton {
            t: state.t,
            step: 0,
            iterations: 50,
            correction: rest.amax(),
            worst: "the algebraic equations h_s(q, s) = 0 at the start".to_string(),
            diagnosis: Box::default(),
        })
    }
}

/// Given initial positions and velocities, for a consistent [`State`].
#[derive(Clone, Copy, Debug)]
pub struct InitialValues<'a> {
    /// Initial time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// First guess of the algebraic variables; empty means zeros.
    pub s: &'a [f64],
    /// Tolerated residual of Phi and B v. It is relative to the change of a row when bodies move by the
    /// length of the model and turn by 1 rad, in one of its times.
    pub tolerance: f64,
    /// Project q and v onto the constraints (VP 6, 7) instead of refusing inconsistent values.
    pub fix: bool,
}

impl<'a> InitialValues<'a> {
    /// Values at t = 0 with the default tolerance 1e-8, without correction.
    pub fn new(q: &'a [f64], v: &'a [f64]) -> Self {
        InitialValues { t: 0.0, q, v, s: &[], tolerance: 1e-8, fix: false }
    }

    /// Allows a correction of q and v.
    pub fn fixed(self) -> Self {
        InitialValues { fix: true, ..self }
    }

    /// Checks (or corrects) q and v and adds consistent v', lambda and s. If no velocity is given, computes
    /// the velocities that the drives need.
    pub fn consistent(&self, system: &dyn System) -> Result<State, Error> {
        let group = system.group();
        for (what, found, expected) in [
            ("the initial configuration", self.q.len(), group.repr()),
            ("the initial velocity", self.v.len(), group.dim()),
        ] {
            if found != expected {
                return Err(Error::Length { what, found, expected });
            }
        }
        group.check(self.q).map_err(|e| Error::NotInGroup { reason: e.to_string() })?;
        finite(&[self.t], self.t, |_| "the initial time".to_string())?;
        finite(self.v, self.t, |i| format!("the initial {}", system.velocity_name(i)))?;
        let mut s = vec![0.0; system.n_s()];
        system.guess_algebraic(&mut s);
        if !self.s.is_empty() {
            if self.s.len() != s.len() {
                return Err(Error::Length {
                    what: "the initial guess of s",
                    found: self.s.len(),
                    expected: s.len(),
                });
            }
            s.copy_from_slice(self.s);
        }
        let m = system.n_lambda();
        let mut state = State {
            t: self.t,
            q: self.q.to_vec(),
            v: self.v.to_vec(),
            vdot: vec![0.0; group.dim()],
            lambda: vec![0.0; m],
            s,
            memory: vec![0.0; system.n_memory()],
        };
        state.remember(system);
        if self.fix {
            project_position(system, &mut state)?;
            project_velocity(system, &mut state)?;
        }
        let mut residual = vec![0.0; m];
        system.constraint(&state.at(), &mut residual);
        finite(&residual, state.t, |i| format!("'{}'", system.constraint_name(i)))?;
        let tolerated = Tolerated::new(system, &state, self.tolerance);
        tolerated.check_position(system, &residual, state.t)?;
        system.velocity_constraint(&state.at(), &mut residual);
        finite(&residual, state.t, |i| format!("the velocity level of '{}'", system.constraint_name(i)))?;
        let at_rest = self.v.iter().all(|v| *v == 0.0);
        let mut projected = self.fix;
        if at_rest && !self.fix && tolerated.check_velocity(system, &residual, state.t).is_err() {
            // No velocity is given, and a drive moves: takes the smallest velocities that fit.
            project_velocity(system, &mut state)?;
            system.velocity_constraint(&state.at(), &mut residual);
            projected = true;
        }
        tolerated.check_velocity(system, &residual, state.t).map_err(|e| match e {
            Error::InconsistentVelocity { constraint, residual, t, .. } if projected => {
                Error::NoVelocity { constraint, residual, t }
            }
            e => e,
        })?;
        Accelerations::new(system).solve(system, &mut state)?;
        Ok(state)
    }
}

/// Residuals that count as zero at the start. They are relative to the change of a row of Phi when bodies
/// move by the length of the model and turn by 1 rad, whatever the unit of the row. Residuals of velocities
/// are relative to that times the largest rate of the motion and of the model.
pub(crate) struct Tolerated {
    rows: Vec<f64>,
    rate: f64,
}

impl Tolerated {
    /// Tolerances at this state, relative to the sizes of the rows.
    pub fn new(system: &dyn System, state: &State, relative: f64) -> Self {
        let length = system.length_scale();
        let mut units = vec![1.0; state.v.len()];
        for block in system.blocks().iter().filter(|b| b.is_length()) {
            units[block.v.clone()].fill(length);
        }
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::CONSTRAINT);
        let mut squares = vec![0.0; system.n_lambda()];
        tangents.b.for_blocks(|b| {
            for (j, column) in b.data.chunks_exact(b.rows.max(1)).enumerate() {
                for (i, x) in column.iter().enumerate() {
                    squares[b.row + i] += (x * units[b.col + j]).powi(2);
                }
            }
        });
        // A row without derivatives is singular here, and has no size.
        let size = |square: &f64| if *square > 0.0 { square.sqrt() } else { length };
        let rows = squares.iter().map(|x| relative * size(x)).collect();
        let scales = Scales::of(system, state);
        Tolerated { rows, rate: 1.0 / scales.time + Scales::fastest(system, state) }
    }

    /// The worst row if its residual exceeds `rate` times the tolerance: its number, residual and tolerance.
    fn worst(&self, residual: &[f64], rate: f64) -> Option<(usize, f64, f64)> {
        let rows = residual.iter().zip(&self.rows).enumerate();
        let rows = rows.map(|(i, (x, row))| (i, x.abs(), row * rate));
        let worst = rows.reduce(|a, b| if b.1 * a.2 > a.1 * b.2 { b } else { a });
        worst.filter(|(_, residual, tolerance)| residual > tolerance)
    }

    /// Refuses positions off the constraints.
    pub fn check_position(&self, system: &dyn System, phi: &[f64], t: f64) -> Result<(), Error> {
        let Some((row, residual, tolerance)) = self.worst(phi, 1.0) else { return Ok(()) };
        let constraint = system.constraint_name(row);
        Err(Error::InconsistentPosition { constraint, residual, tolerance, t })
    }

    /// Refuses velocities off the constraints.
    pub fn check_velocity(&self, system: &dyn System, rates: &[f64], t: f64) -> Result<(), Error> {
        let Some((row, residual, tolerance)) = self.worst(rates, self.rate) else { return Ok(()) };
        let constraint = system.constraint_name(row);
        Err(Error::InconsistentVelocity { constraint, residual, tolerance, t })
    }
}

pub(crate) fn explain(system: &dyn System, t: f64, e: SaddleError) -> Error {
    match e {
        SaddleError::Mass { coordinate } => Error::SingularMass {
            t,
            motion: format!("no inertia along {}", system.velocity_name(coordinate)),
        },
        SaddleError::Rank { rank, dependent } => Error::RankDeficient {
            t,
            rank,
            rows: system.n_lambda(),
            dependent: dependent.iter().map(|&i| system.constraint_name(i)).collect::<Vec<_>>().join(", "),
        },
    }
}

/// Index and size of the entry largest in modulus.
pub(crate) fn largest(x: &[f64]) -> (usize, f64) {
    x.iter().enumerate().fold((0, 0.0), |b, (i, x)| if x.abs() > b.1 { (i, x.abs()) } else { b })
}

pub(crate) fn finite(x: &[f64], t: f64, name: impl Fn(usize) -> String) -> Result<(), Error> {
    match first_not_finite(x) {
        None => Ok(()),
        Some((i, value)) => Err(Error::NotFinite { what: name(i), value, t, step: 0 }),
    }
}

pub(crate) fn add(x: &mut [f64], dx: &[f64]) {
    for (x, d) in x.iter_mut().zip(dx) {
        *x += d;
    }
}
