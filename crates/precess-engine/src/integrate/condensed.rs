//! One implicit step in condensed form, for every method whose v_np1 and v'_np1 are affine in the increment
//! theta.
//!
//! ```text
//! q_np1 = q_n o exp(theta),   theta = theta_0 + delta - N h eta
//! v_np1 = v_0 + dv delta,     v'_np1 = vdot_0 + da delta
//! ```
//!
//! A method provides theta_0, v_0, vdot_0 (its predictor) and the numbers dv, da. This file computes the
//! residual and the exact iteration matrix in the four forms of the constraints. Unknowns are xi = (theta,
//! h^2 lambda, s, h eta): the scaling of (LA 57)-(62) times h, which keeps the condition number of the
//! iteration matrix independent of h. Velocity and acceleration are evaluated from delta, the difference from
//! the predictor, so nothing cancels for small h. With c_m = h^2 da (for generalized-alpha (1 -
//! alpha_m)/(beta (1 - alpha_f))):
//!
//! ```text
//! [ c_m M + h^2 dv D + h^2 K T   B^T   S N ]        S = c_m M + h^2 dv D
//! [ B T                           0     0  ]        index-3: without the third row and column
//! [ B + Y T / dv                  0    B N ]        index-2: third row instead of the second
//! ```
//!
//! [`jacobian`](crate::mechanics::jacobian) lists the blocks of this matrix, also with algebraic variables.
//!
//! Methods whose velocity is not affine in theta supply their own relation ([`sigma`](super::sigma)). Then
//! delta is the distance of v_np1 from v_0 in units of 1/dv.
//!
//! Redundant rows are regularised and the incompatible part of Phi is filtered out in each step
//! ([`redundancy`](crate::mechanics::redundancy)). If the constraints do not hold, redundant rows look
//! independent: a gap g in Phi gives them singular values of about g. A part of Phi, about g^2, cannot be
//! removed; trying to remove it would cause a motion of size g. With
//! [`opens_with_gap`](Condensed::opens_with_gap) the regularisation is at least 100 g^2 and falls to its
//! smallest value as the iteration closes the gap. First guesses with a coarse tolerance need this.

mod direction;
mod levels;
mod matrix;
mod redundant;
mod sizes;

use precess_lie::Product;
use precess_lie::larger;

use self::levels::VelocityRows;
use self::redundant::row_sizes;
use super::chart::Chart;
use super::entries::{follow, of_two, update};
pub use super::form::{Eta, Form};
use super::sigma::Kinematics;
use crate::mechanics::jacobian::allocate_matrix;
use crate::mechanics::redundancy::EPS;
use crate::mechanics::{Block, Equations, State, System, Tangents};
use crate::solve::{DenseLu, Kkt, Mat};

/// First number of each factor in the compact tangent operator.
pub(crate) fn starts(group: &Product) -> Vec<usize> {
    let mut at = 0;
    group
        .factors()
        .iter()
        .map(|f| {
            at += f.tangent_len();
            at - f.tangent_len()
        })
        .collect()
}

/// Relative round-off of a position, with a margin for the arithmetic that produced it.
pub(super) const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// Regularisation of redundant rows per square of the relative gap in Phi.
const GAP_REGULARISATION: f64 = 100.0;

/// Workspace and iterate of a step.
#[derive(Clone, Debug, Default)]
pub struct Condensed {
    /// Constraints enforced.
    pub form: Form,
    /// Map from theta to q_np1.
    pub chart: Chart,
    /// dv/dtheta.
    pub dv: f64,
    /// dv'/dtheta.
    pub da: f64,
    /// Step size.
    pub h: f64,
    /// Increment of the predictor.
    pub theta_0: Vec<f64>,
    /// Velocity of the predictor.
    pub v_0: Vec<f64>,
    /// Acceleration of the predictor.
    pub vdot_0: Vec<f64>,
    /// (v_np1 - v_0)/dv; if velocities are affine in theta, this is theta + N h eta - theta_0.
    pub delta: Vec<f64>,
    /// The iterate.
    pub trial: State,
    /// Derivatives; other code may use this workspace between steps.
    pub tangents: Tangents,
    q_n: Vec<f64>,
    /// q before a published correction.
    before: Vec<f64>,
    theta: Vec<f64>,
    /// h eta.
    eta_h: Vec<f64>,
    eta: Vec<f64>,
    /// N, k x m.
    n: Mat,
    mass: DenseLu,
    blocks: Vec<f64>,
    block_starts: Vec<usize>,
    /// The incompatible part of Phi, removed once per step; empty without redundant rows.
    incompatible: Vec<f64>,
    pub(super) filter: Vec<f64>,
    /// Regularisation of redundant rows at the iterate, relative to their weights.
    eps: f64,
    /// True if the regularisation follows the gap in Phi; the matrix must then be new in every iteration.
    pub opens_with_gap: bool,
    /// True if Newton's method keeps its matrix over steps: a good first guess then saves iterations.
    pub keeps_matrix: bool,
    /// True if the first guess extrapolates, so that the first correction is smaller than the local error.
    pub extrapolates: bool,
    /// If given, N is recomputed in this direction with every matrix, at the iterate.
    pub renews_direction: Option<Eta>,
    /// Unit in which eta is reported, for methods that define it differently.
    pub eta_unit: f64,
    /// Scale of a gap in each row; empty without redundant rows.
    row_sizes: Vec<f64>,
    scratch: Vec<f64>,
    /// Meaning of the coordinates.
    pub(super) described: Vec<Block>,
    /// Scale of rounding errors, per velocity coordinate (`round_off`).
    pub(super) place: Vec<f64>,
    pub(super) velocity_rows: VelocityRows,
    /// The relation between theta and v if it is not affine.
    pub(crate) kinematics: Option<Box<Kinematics>>,
}

// `begin` and the method set everything else at the beginning of a step. N may come from an earlier step.
crate::persist!(Condensed { trial, eta, n } given {
    form, chart, dv, da, h, theta_0, v_0, vdot_0, delta, tangents, q_n, before, theta, eta_h, mass, blocks,
    block_starts, incompatible, filter, eps, opens_with_gap, keeps_matrix, extrapolates, renews_direction,
    eta_unit, row_sizes, scratch, described, place, velocity_rows, kinematics
});

impl Condensed {
    /// An empty workspace.
    pub fn new(form: Form) -> Self {
        Condensed { form, eta_unit: 1.0, ..Condensed::default() }
    }

    /// Allocates the workspace for a system.
    pub fn resize(&mut self, system: &dyn System, state: &State) {
        let group = system.group();
        let (k, m) = (group.dim(), system.n_lambda());
        let zeros = || vec![0.0; k];
        let tangents = Tangents::of(system);
        let mut kinematics = self.kinematics.take();
        if let Some(kin) = &mut kinematics {
            kin.resize(group, &tangents);
        }
        *self = Condensed {
            form: self.form,
            chart: self.chart,
            q_n: state.q.clone(),
            before: state.q.clone(),
            theta_0: zeros(),
            v_0: zeros(),
            vdot_0: zeros(),
            delta: zeros(),
            theta: zeros(),
            eta_h: vec![0.0; m],
            eta: vec![0.0; m],
            n: match tangents.b.pattern() {
                None => Mat::zeros(k, m),
                Some(p) => Mat::without_room(p.transposed()),
            },
            trial: state.clone(),
            velocity_rows: VelocityRows::new(system.velocity_rows(), &tangents.b),
            tangents,
            blocks: vec![0.0; group.tangent_len()],
            block_starts: starts(group),
            incompatible: vec![0.0; system.row_weights().map_or(0, <[f64]>::len)],
            filter: vec![0.0; k + 2 * m + system.n_s()],
            eps: EPS,
            opens_with_gap: self.opens_with_gap,
            keeps_matrix: self.keeps_matrix,
            extrapolates: self.extrapolates,
            renews_direction: self.renews_direction,
            eta_unit: self.eta_unit,
            row_sizes: row_sizes(system, state),
            scratch: vec![0.0; 3 * k],
            place: vec![1.0; k],
            dv: 0.0,
            da: 0.0,
            h: 0.0,
            mass: DenseLu::default().in_blocks_of_three(),
            described: system.blocks(),
            kinematics,
        };
    }

    /// Allocates the iteration matrix.
    pub fn kkt(form: Form, system: &dyn System) -> Kkt {
        let regularised = system.row_weights().is_some();
        let mut kkt = allocate_matrix(system, system.n_s(), form == Form::StabilizedIndex2, regularised);
        // Multipliers of redundant rows are always noisy, and an accuracy test would blame the factors.
        if kkt.is_sparse() && !regularised {
            kkt.doubt();
        }
        kkt
    }

    /// Begins a step from the state. The method then sets theta_0, v_0, vdot_0, dv and da, and calls
    /// [`follow`](Self::follow).
    pub fn begin(&mut self, state: &State, h: f64) {
        self.h = h;
        self.q_n.copy_from_slice(&state.q);
        self.delta.fill(0.0);
        self.eta_h.fill(0.0);
        self.incompatible.fill(0.0);
        self.trial.t = state.t + h;
        self.trial.lambda.copy_from_slice(&state.lambda);
        self.trial.s.copy_from_slice(&state.s);
        self.trial.memory.copy_from_slice(&state.memory);
    }

    /// h^2 da.
    fn c_m(&self) -> f64 {
        self.h * self.h * self.da
    }

    /// N, in the stabilized form.
    fn direction(&self) -> Option<&Mat> {
        (self.form == Form::StabilizedIndex2).then_some(&self.n)
    }

    /// The iterate (q, v, v') that belongs to a guess of delta with eta = 0. `published_factor` is p of
    /// [`Modification::predictor_factor`](super::sigma::Modification::predictor_factor).
    pub fn guess(&mut self, system: &dyn System, published_factor: f64) {
        let Some(mut kin) = self.kinematics.take() else { return self.follow(system) };
        let group = system.group();
        kin.begin(&self.theta_0, &self.v_0, self.dv);
        for i in 0..self.delta.len() {
            let x = self.delta[i];
            self.theta[i] = self.theta_0[i] + x;
            self.trial.v[i] = self.v_0[i] + self.dv * x;
            self.trial.vdot[i] = self.vdot_0[i] + self.da * x;
        }
        if kin.is_published() {
            kin.turn_back(group, published_factor, self.dv, &self.trial.v, &mut self.theta);
            group.retract(&self.q_n, &self.theta, &mut self.trial.q);
            self.kinematics = Some(kin);
        } else {
            kin.guess(group, &self.theta, &self.delta);
            self.kinematics = Some(kin);
            self.follow(system);
        }
    }

    /// The iterate (q, v, v') that follows from the unknowns.
    pub fn follow(&mut self, system: &dyn System) {
        if let Some(mut kin) = self.kinematics.take() {
            let group = system.group();
            for ((theta, theta_0), x) in self.theta.iter_mut().zip(&self.theta_0).zip(&kin.x) {
                *theta = theta_0 + x;
            }
            let mut delta = std::mem::take(&mut self.delta);
            kin.follow(group, &self.theta, self.direction(), &self.eta_h, &mut delta);
            self.delta = delta;
            self.follow_velocities();
            group.retract(&self.q_n, &self.theta, &mut self.trial.q);
            self.kinematics = Some(kin);
            return;
        }
        self.follow_velocities();
        of_two(&mut self.theta, &self.theta_0, &self.delta, |theta_0, x| theta_0 + x);
        if self.form == Form::StabilizedIndex2 {
            self.n.gemv(-1.0, &self.eta_h, &mut self.theta);
        }
        self.chart.retract(system.group(), &self.q_n, &self.theta, &mut self.trial.q);
    }

    #[inline]
    fn follow_velocities(&mut self) {
        let trial = [&mut self.trial.v[..], &mut self.trial.vdot[..]];
        follow(trial, [&self.v_0, &self.vdot_0], [self.dv, self.da], &self.delta);
    }

    /// theta of the iterate.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// Auxiliary multipliers of the last accepted step, in the stabilized form.
    pub fn eta(&self) -> Option<&[f64]> {
        (self.form == Form::StabilizedIndex2).then_some(&self.eta)
    }

    /// Ends the step: the iterate becomes the state.
    pub fn accept(&mut self, state: &mut State) {
        for (e, x) in self.eta.iter_mut().zip(&self.eta_h) {
            *e = self.eta_unit * (x / self.h);
        }
        state.copy_from(&self.trial);
    }

    /// h^2 (M v' + g + B^T lambda), the constraints of the form in position units (Phi, B v / dv, h^2 (..) /
    /// c_m), h_s.
    pub fn residual(&mut self, system: &dyn System, psi: &mut [f64]) {
        let (dv, c_m, form) = (self.dv, self.c_m(), self.form);
        let w = self;
        let x = &w.trial;
        let (k, m, n_s) = (x.v.len(), x.lambda.len(), x.s.len());
        let (dynamics, rest) = psi.split_at_mut(k);
        let (rows, rest) = rest.split_at_mut(m);
        let (algebraic, hidden) = rest.split_at_mut(n_s);
        let h2 = w.h * w.h;

        let r = Some(&mut *dynamics);
        let (phi, velocity) = match form {
            _ if m == 0 => (None, None),
            Form::Index3 if w.velocity_rows.rows.is_empty() => (Some(&mut *rows), None),
            Form::Index3 => (Some(&mut *rows), Some(&mut w.velocity_rows.rates[..])),
            Form::StabilizedIndex2 => (Some(&mut *rows), Some(&mut *hidden)),
            Form::Index2 => (None, Some(&mut *rows)),
            Form::Index1 => (None, None),
        };
        system.equations(&x.at(), Equations { r, phi, velocity });
        dynamics.iter_mut().for_each(|r| *r *= h2);
        if n_s > 0 {
            system.algebraic(&x.at(), algebraic);
        }
        if m == 0 {
            return;
        }
        match form {
            Form::Index3 => w.velocity_rows.rates.iter_mut().for_each(|r| *r /= dv),
            Form::StabilizedIndex2 => hidden.iter_mut().for_each(|r| *r /= dv),
            Form::Index2 => rows.iter_mut().for_each(|r| *r /= dv),
            Form::Index1 => {
                system.acceleration_constraint(&x.at(), rows);
                rows.iter_mut().for_each(|r| *r *= h2 / c_m);
            }
        }
        for &i in &w.velocity_rows.rows {
            match form {
                Form::Index3 => rows[i] = w.velocity_rows.rates[i],
                Form::StabilizedIndex2 => (rows[i], hidden[i]) = (hidden[i], w.eta_h[i]),
                Form::Index2 | Form::Index1 => {}
            }
        }
        if let Some(weights) = system.row_weights() {
            if w.opens_with_gap && matches!(form, Form::Index3 | Form::StabilizedIndex2) {
                let gaps = rows.iter().zip(&w.row_sizes).map(|(phi, size)| phi.abs() / size);
                let gap = gaps.fold(0.0, larger);
                w.eps = larger(EPS, GAP_REGULARISATION * gap * gap).min(1.0);
            }
            let eps = w.eps;
            for (i, d) in weights.iter().enumerate() {
                rows[i] -= w.incompatible[i] + eps * d / c_m * h2 * x.lambda[i];
                if form == Form::StabilizedIndex2 {
                    hidden[i] += eps * d * w.eta_h[i];
                }
            }
        }
    }

    /// xi <- xi + weight * delta, and the iterate that follows.
    pub fn correct(&mut self, system: &dyn System, weight: f64, delta: &[f64]) {
        let w = &mut *self;
        let (k, m, n_s) = (w.theta.len(), w.trial.lambda.len(), w.trial.s.len());
        let per_lambda = weight / (w.h * w.h);
        add_scaled(per_lambda, &delta[k..k + m], &mut w.trial.lambda);
        for (x, d) in w.trial.s.iter_mut().zip(&delta[k + m..k + m + n_s]) {
            *x += weight * d;
        }
        let d_eta = &delta[k + m + n_s..];
        if w.form == Form::StabilizedIndex2 {
            add_scaled(weight, d_eta, &mut w.eta_h);
        }
        match &mut w.kinematics {
            Some(kin) if kin.is_published() => {
                return self.correct_published(system, weight, &delta[..k], d_eta);
            }
            Some(kin) => add_scaled(weight, &delta[..k], &mut kin.x),
            None => {
                add_scaled(weight, &delta[..k], &mut w.delta);
                if w.form == Form::StabilizedIndex2 {
                    w.n.gemv(weight, d_eta, &mut w.delta);
                }
            }
        }
        self.follow(system);
    }

    /// Lines 15 to 17 of Algorithms 1 and 3 (sigma = 1), lines 15 to 18 of Algorithm 2 and (D.3)-(D.6).
    fn correct_published(&mut self, system: &dyn System, weight: f64, increment: &[f64], d_eta: &[f64]) {
        let Some(mut kin) = self.kinematics.take() else { return };
        let group = system.group();
        let stabilized = self.form == Form::StabilizedIndex2;
        if kin.is_tangent_free() {
            add_scaled(weight, increment, &mut self.delta);
            if stabilized {
                self.n.gemv(weight, d_eta, &mut self.delta);
            }
            for (t, x) in self.theta.iter_mut().zip(increment) {
                *t = weight * x;
            }
            self.before.copy_from_slice(&self.trial.q);
            group.retract(&self.before, &self.theta, &mut self.trial.q);
        } else {
            let n = stabilized.then_some((&self.n, d_eta));
            kin.add_increment(group, weight, increment, n, &mut self.theta, &mut self.delta);
            group.retract(&self.q_n, &self.theta, &mut self.trial.q);
        }
        self.kinematics = Some(kin);
        self.follow_velocities();
    }

    /// Change of v_np1 by a change of the unknowns: dv (theta + N h eta), if velocities are affine in theta.
    pub(crate) fn velocity_change(&self, delta: &[f64], out: &mut [f64]) {
        let k = out.len();
        out.copy_from_slice(&delta[..k]);
        if self.form == Form::StabilizedIndex2 {
            self.n.gemv(1.0, &delta[k + self.trial.lambda.len() + self.trial.s.len()..], out);
        }
        out.iter_mut().for_each(|x| *x *= self.dv);
    }

    /// Changes of position and velocity that belong to the solution xi of J xi =
    /// [`transfer`](Self::transfer).
    pub(crate) fn shift(&self, xi: &[f64], p: &[f64], dq: &mut [f64], dv: &mut [f64]) {
        dq.copy_from_slice(&xi[..dq.len()]);
        self.velocity_change(xi, dv);
        for (x, p) in dv.iter_mut().zip(p) {
            *x -= self.dv * p;
        }
    }

    /// Name of row i of the residual, for messages.
    pub fn row_name(&self, system: &dyn System, i: usize) -> String {
        let (k, m, n_s) = (system.group().dim(), system.n_lambda(), system.n_s());
        if i < k {
            format!("the equilibrium of {}", system.velocity_name(i))
        } else if i < k + m {
            format!("'{}'", system.constraint_name(i - k))
        } else if i < k + m + n_s {
            format!("algebraic equation {}", i - k - m + 1)
        } else {
            format!("the velocity level of '{}'", system.constraint_name(i - k - m - n_s))
        }
    }
}

/// y += a x.
#[inline]
fn add_scaled(a: f64, x: &[f64], y: &mut [f64]) {
    update(y, x, |y, x| y + a * x);
}

#[inline]
fn max_norm(x: &[f64]) -> f64 {
    let mut m = 0.0;
    for x in x {
        let a = x.abs();
        m = larger(m, a);
    }
    m
}
