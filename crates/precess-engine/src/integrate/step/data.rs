//! The data of a step, and what follows from its unknowns. Nothing here depends on the method, on the solver,
//! or on the number of runs.
//!
//! ```text
//! q_np1 = q_n o exp(theta),   theta = theta_0 + delta - N h eta
//! v_np1 = v_0 + dv delta,     v'_np1 = vdot_0 + da delta
//! ```
//!
//! A method provides theta_0, v_0, vdot_0 (its predictor) and the numbers dv, da. Unknowns are xi = (theta,
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
//! `mechanics/jacobian.rs` lists the blocks of this matrix, also with algebraic variables.
//! Methods whose velocity is not affine in theta supply their own [`Relation`]. Then delta is the distance of
//! v_np1 from v_0 in units of 1/dv.

use std::ops::Range;

use precess_lie::{Number, Product};

use super::formulas::Formulas;
use super::layout::Layout;
use super::relation::Relation;
use super::rows::{Held, Redundant};
use super::runs::Runs;
use crate::integrate::form::{Eta, Form};
use crate::integrate::newton::Made;
use crate::mechanics::jacobian::{Columns, Rows, StepWeights};
use crate::mechanics::{Block, Dynamics, Equations, State, System, Tangents, Want};
use crate::solve::Mat;

/// Relative round-off of a position, with a margin for the arithmetic that produced it.
pub(crate) const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// Another map from theta to q_np1 than the exponential one: q o map(x), and its tangent operator.
#[derive(Clone, Copy, Debug)]
pub struct Maps<T> {
    /// q o map(x).
    pub retract: fn(&Product, &[T], &[T], &mut [T]),
    /// The tangent operator in compact form.
    pub tangent: fn(&Product, &[T], &mut [T]),
}

/// A step: its data.
#[derive(Clone, Debug)]
pub struct Step<T: Number = f64> {
    /// Constraints enforced.
    pub form: Form,
    /// The unknowns and equations.
    pub layout: Layout,
    /// The step size.
    pub h: f64,
    /// dv/dtheta.
    pub dv: f64,
    /// dv'/dtheta.
    pub da: f64,
    /// v_n, v'_n, then the vectors that the method keeps.
    pub past: Vec<Vec<T>>,
    /// Increment of the predictor.
    pub theta_0: Vec<T>,
    /// Velocity of the predictor.
    pub v_0: Vec<T>,
    /// Acceleration of the predictor.
    pub vdot_0: Vec<T>,
    /// (v_np1 - v_0)/dv; if velocities are affine in theta, this is theta + N h eta - theta_0.
    pub delta: Vec<T>,
    /// The iterate; between steps the state.
    pub trial: State<T>,
    /// The residual.
    pub psi: Vec<T>,
    /// The correction of all unknowns.
    pub xi: Vec<T>,
    /// Derivatives; other code may use this workspace between steps.
    pub tangents: Tangents<T>,
    /// The compact tangent operator T(theta).
    pub turns: Vec<T>,
    /// N, k x m.
    pub n: Mat<T>,
    /// The status of the constraint rows, if not all of them contain Phi.
    pub held: Option<Held<T>>,
    /// Rows that may depend on each other.
    pub redundant: Option<Redundant<T>>,
    /// The relation between theta and v if it is not affine.
    pub relation: Option<Box<dyn Relation<T>>>,
    /// The map from theta to q_np1 if it is not the exponential one.
    pub maps: Option<Maps<T>>,
    /// True if the regularisation follows the gap in Phi; the matrix must then be new in every iteration.
    pub opens_with_gap: bool,
    /// True if Newton's method keeps its matrix over steps: a good first guess then saves iterations.
    pub keeps_matrix: bool,
    /// True if the first guess extrapolates, so that the first correction is smaller than the local error.
    pub extrapolates: bool,
    /// If given, N is computed again in this direction with every matrix, at the iterate.
    pub renews_direction: Option<Eta>,
    /// Unit in which eta is reported, for methods that define it differently.
    pub eta_unit: f64,
    /// The meaning of the coordinates.
    pub blocks: Vec<Block>,
    /// A typical length.
    pub length: T,
    pub(super) q_n: Vec<T>,
    pub(super) theta: Vec<T>,
    /// h eta.
    pub(super) eta_h: Vec<T>,
    pub(super) eta: Vec<T>,
    /// The round-off of each block, at the beginning of the step.
    units: Vec<T>,
    /// q before a published correction.
    pub(super) before: Vec<T>,
    pub(super) scratch: Vec<T>,
    /// Room for one number per equation.
    pub(super) room: Vec<T>,
    /// Scale of rounding errors, per velocity coordinate (`round_off`).
    pub(super) place: Vec<T>,
}

// `begin` and the method set everything else at the beginning of a step. N may come from an earlier step.
crate::persist!(Step { trial, past, eta, n } given {
    form, layout, h, dv, da, theta_0, v_0, vdot_0, delta, psi, xi, tangents, turns, held, redundant, relation,
    maps, opens_with_gap, keeps_matrix, extrapolates, renews_direction, eta_unit, blocks, length, q_n, theta,
    eta_h, units, before, scratch, room, place
});

impl<T: Number> Step<T> {
    /// Room for a step from this state, with derivatives of this shape and a history of this number of vectors,
    /// all of which are v'_0 except the first.
    pub fn new(
        form: Form,
        now: State<T>,
        histories: usize,
        dynamics: &(impl Dynamics<T> + ?Sized),
        derivatives: (Tangents<T>, Vec<Block>),
    ) -> Self {
        let turns = dynamics.group().tangent_len();
        Step::sized(form, now, (histories, turns, dynamics.length()), derivatives)
    }

    fn sized(
        form: Form,
        now: State<T>,
        (histories, turns, length): (usize, usize, T),
        (tangents, blocks): (Tangents<T>, Vec<Block>),
    ) -> Self {
        let (k, m) = (now.v.len(), now.lambda.len());
        let layout = Layout::new(form, [k, m, now.s.len()]);
        let zeros = |n: usize| vec![T::zero(); n];
        let (n, n_eta) = (layout.len(), layout.of(Columns::Eta).len());
        let past = |i: usize| if i == 0 { now.v.clone() } else { now.vdot.clone() };
        Step {
            form,
            h: 0.0,
            dv: 0.0,
            da: 0.0,
            past: (0..histories.max(2)).map(past).collect(),
            theta_0: zeros(k),
            v_0: zeros(k),
            vdot_0: zeros(k),
            delta: zeros(k),
            psi: zeros(n),
            xi: zeros(n),
            turns: zeros(turns),
            n: match tangents.b.pattern() {
                None => Mat::zeros(k, m),
                Some(p) => Mat::without_room(p.transposed()),
            },
            held: None,
            redundant: None,
            relation: None,
            maps: None,
            opens_with_gap: false,
            keeps_matrix: false,
            extrapolates: false,
            renews_direction: None,
            eta_unit: 1.0,
            units: vec![T::of(ROUND_OFF); blocks.len()],
            blocks,
            length,
            q_n: now.q.clone(),
            theta: zeros(k),
            eta_h: zeros(n_eta),
            eta: zeros(n_eta),
            before: now.q.clone(),
            scratch: zeros(3 * k),
            room: zeros(n),
            place: vec![T::one(); k],
            layout,
            trial: now,
            tangents,
        }
    }

    /// True in the stabilized form.
    #[inline(always)]
    pub fn is_stabilized(&self) -> bool {
        self.form == Form::StabilizedIndex2
    }

    /// h^2 da.
    #[inline(always)]
    pub(super) fn c_m(&self) -> f64 {
        self.h * self.h * self.da
    }

    /// theta of the iterate.
    pub fn theta(&self) -> &[T] {
        &self.theta
    }

    /// h eta of the iterate; empty except in the stabilized form.
    pub fn eta_h(&self) -> &[T] {
        &self.eta_h
    }

    /// Auxiliary multipliers of the last accepted step, in the stabilized form.
    pub fn eta(&self) -> Option<&[T]> {
        self.is_stabilized().then_some(&self.eta)
    }

    /// Begins a step of size h at the state, which is in `trial`. The method then sets theta_0, v_0, vdot_0,
    /// dv and da, and calls [`follow`](Self::follow).
    #[inline(always)]
    pub fn begin(&mut self, h: f64) {
        self.q_n.copy_from_slice(&self.trial.q);
        self.past[0].copy_from_slice(&self.trial.v);
        self.past[1].copy_from_slice(&self.trial.vdot);
        self.clear(h);
    }

    /// The guess without any increment.
    #[inline(always)]
    fn clear(&mut self, h: f64) {
        self.h = h;
        self.delta.fill(T::zero());
        self.eta_h.fill(T::zero());
        if let Some(redundant) = &mut self.redundant {
            redundant.begin();
        }
    }

    /// The time at the end of the step. Everything before uses the time at its beginning.
    #[inline(always)]
    pub fn end_time(&mut self) {
        self.trial.t += T::of(self.h);
    }

    /// The predictor and its slopes, and the guess delta = 0.
    #[inline(always)]
    pub fn predict<const H: usize>(&mut self, method: &impl Formulas<H>) {
        let (h, k) = (self.h, self.theta_0.len());
        [self.dv, self.da] = method.slopes(h);
        let Ok(past) = <&[Vec<T>; H]>::try_from(&self.past[..]) else { return };
        let past = past.each_ref().map(
            #[inline(always)]
            |list| &list[..k],
        );
        let (theta_0, v_0, vdot_0) = (&mut self.theta_0[..k], &mut self.v_0[..k], &mut self.vdot_0[..k]);
        for i in 0..k {
            [theta_0[i], v_0[i], vdot_0[i]] = method.predict(h, std::array::from_fn(|j| past[j][i]));
        }
        self.end_time();
    }

    /// The history of the next step.
    #[inline(always)]
    pub fn accept<const H: usize>(&mut self, method: &impl Formulas<H>) {
        let (h, k) = (self.h, self.delta.len());
        let (v, vdot) = (&self.trial.v[..k], &self.trial.vdot[..k]);
        let (theta_0, delta) = (&self.theta_0[..k], &self.delta[..k]);
        let Ok(past) = <&mut [Vec<T>; H]>::try_from(&mut self.past[..]) else { return };
        let past = past.each_mut().map(
            #[inline(always)]
            |list| &mut list[..k],
        );
        for i in 0..k {
            let old = std::array::from_fn(|j| past[j][i]);
            let new = method.accept(h, old, [v[i], vdot[i]], [theta_0[i] + delta[i], delta[i]]);
            // The first two are read from the state when the next step begins.
            for j in 2..H {
                past[j][i] = new[j];
            }
        }
    }

    /// The iterate (q, v, v') that belongs to a guess of delta with eta = 0.
    #[inline(always)]
    pub fn guess(&mut self, group: &Product) {
        if self.relation.is_some() {
            return self.guess_relation(group);
        }
        self.follow(group);
    }

    /// The iterate (q, v, v') that follows from the unknowns.
    #[inline(always)]
    pub fn follow(&mut self, group: &Product) {
        if self.relation.is_some() {
            return self.follow_relation(group);
        }
        let (dv, da, k) = (T::of(self.dv), T::of(self.da), self.delta.len());
        let (delta, theta_0) = (&self.delta[..k], &self.theta_0[..k]);
        let (v_0, vdot_0) = (&self.v_0[..k], &self.vdot_0[..k]);
        let (theta, v, vdot) = (&mut self.theta[..k], &mut self.trial.v[..k], &mut self.trial.vdot[..k]);
        for i in 0..k {
            theta[i] = theta_0[i] + delta[i];
            v[i] = v_0[i] + dv * delta[i];
            vdot[i] = vdot_0[i] + da * delta[i];
        }
        if !self.eta_h.is_empty() {
            self.n.gemv(-T::one(), &self.eta_h, &mut self.theta);
        }
        match &self.maps {
            None => group.retract(&self.q_n, &self.theta, &mut self.trial.q),
            Some(maps) => (maps.retract)(group, &self.q_n, &self.theta, &mut self.trial.q),
        }
    }

    /// q_n o map(x).
    pub(super) fn retract(&self, group: &Product, x: &[T], q: &mut [T]) {
        match &self.maps {
            None => group.retract(&self.q_n, x, q),
            Some(maps) => (maps.retract)(group, &self.q_n, x, q),
        }
    }

    /// h^2 (M v' + g + B^T lambda), the constraints of the form in units of positions (Phi, B v / dv, h^2 (..)
    /// / c_m) and h_s.
    #[inline(always)]
    pub fn residual(&mut self, dynamics: &(impl Dynamics<T> + ?Sized)) {
        let is_index1 = self.form == Form::Index1;
        let (mut out, mut algebraic, mut rest) = (Equations::default(), None, &mut self.psi[..]);
        let mut acceleration = None;
        for part in &self.layout.parts {
            let (own, later) = rest.split_at_mut(part.len);
            rest = later;
            match part.equations {
                Rows::Motion => out.r = Some(own),
                Rows::Position => out.phi = Some(own),
                Rows::Velocity if is_index1 => acceleration = Some(own),
                Rows::Velocity => out.velocity = Some(own),
                Rows::Algebraic => algebraic = Some(own),
            }
        }
        if let (Some(held), None) = (&mut self.held, &out.velocity) {
            out.velocity = Some(&mut held.rates);
        }
        let at = self.trial.at();
        dynamics.equations(&at, out);
        if let Some(own) = algebraic {
            dynamics.algebraic(&at, own);
        }
        if let Some(own) = acceleration {
            dynamics.acceleration(&at, own);
        }
        let (h2, dv) = (T::of(self.h * self.h), T::of(self.dv));
        let per_acceleration = T::of(self.h * self.h / self.c_m());
        for part in &self.layout.parts {
            let own = &mut self.psi[part.first..part.first + part.len];
            match part.equations {
                Rows::Motion => own.iter_mut().for_each(|r| *r *= h2),
                Rows::Velocity if is_index1 => own.iter_mut().for_each(|r| *r *= per_acceleration),
                Rows::Velocity => own.iter_mut().for_each(|r| *r /= dv),
                Rows::Position | Rows::Algebraic => {}
            }
        }
        if self.held.is_some() || self.redundant.is_some() {
            self.mix_rows();
        }
    }

    /// The rows of constraints whose status differs, or that may depend on each other.
    fn mix_rows(&mut self) {
        let (lambda, eta) = (self.layout.of(Columns::Lambda), self.layout.of(Columns::Eta));
        let (h2, dv, c_m) = (self.h * self.h, self.dv, self.c_m());
        let (before, hidden) =
            if eta.is_empty() { (&mut self.psi[..], &mut [][..]) } else { self.psi.split_at_mut(eta.start) };
        let rows = &mut before[lambda];
        if let Some(held) = &mut self.held {
            if hidden.is_empty() {
                held.rates.iter_mut().for_each(|r| *r /= T::of(dv));
            }
            held.mix(T::of(h2), &self.trial.lambda, &self.eta_h, rows, hidden);
        }
        if let Some(redundant) = &mut self.redundant {
            if self.opens_with_gap && matches!(self.form, Form::Index3 | Form::StabilizedIndex2) {
                redundant.open(rows);
            }
            redundant.mix((c_m, h2), &self.trial.lambda, &self.eta_h, rows, hidden);
        }
    }

    /// True if all entries of the residual are finite, for a single run. Zero times a value that is not finite
    /// is NaN.
    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        let (fours, rest) = self.psi.as_chunks::<4>();
        let mut sum = [0.0; 4];
        for x in fours {
            for i in 0..4 {
                sum[i] += 0.0 * x[i].first();
            }
        }
        rest.iter().fold(sum[0] + sum[1] + (sum[2] + sum[3]), |sum, x| sum + 0.0 * x.first()) == 0.0
    }

    /// The derivatives in the equations of a step.
    #[inline(always)]
    pub(super) fn want(&self) -> Want {
        let h2 = self.h * self.h;
        let velocity = !matches!(self.form, Form::Index3 | Form::Index1);
        Want {
            c_m: self.c_m(),
            c_d: h2 * self.dv,
            stiffness: true,
            constraint: !self.trial.lambda.is_empty(),
            curvature: velocity || self.held.is_some(),
        }
    }

    /// Evaluates derivatives at the iterate.
    #[inline(always)]
    pub fn evaluate(&mut self, dynamics: &(impl Dynamics<T> + ?Sized), want: Want) {
        self.tangents.begin(want);
        dynamics.tangents(&self.trial.at(), &mut self.tangents);
    }

    /// The derivatives of the equations of the step at the iterate.
    #[inline(always)]
    pub fn linearise(&mut self, dynamics: &(impl Dynamics<T> + ?Sized)) {
        self.evaluate(dynamics, self.want());
    }

    /// The compact tangent operator T(theta).
    #[inline(always)]
    pub(super) fn turn(&mut self, group: &Product) {
        match &self.maps {
            None => group.tangent(&self.theta, &mut self.turns),
            Some(maps) => (maps.tangent)(group, &self.theta, &mut self.turns),
        }
    }

    /// The coefficients of this step in J.
    #[inline(always)]
    pub fn weights(&self) -> StepWeights<T> {
        StepWeights { h2: T::of(self.h * self.h), per_dv: T::of(1.0 / self.dv) }
    }

    /// The step for which a matrix is formed.
    #[inline(always)]
    pub(crate) fn made(&self) -> Made {
        Made { h: self.h, alpha: self.h * self.dv }
    }

    /// Adds `weight` times the correction to the unknowns, and computes the iterate that follows.
    #[inline(always)]
    pub fn correct(&mut self, weight: f64, group: &Product) {
        let (w, per_lambda) = (T::of(weight), T::of(weight / (self.h * self.h)));
        let affine = self.relation.is_none();
        for part in &self.layout.parts {
            let own = &self.xi[part.first..part.first + part.len];
            match part.unknowns {
                Columns::Theta if affine => add(w, own, &mut self.delta),
                Columns::Theta => {}
                Columns::Lambda => add(per_lambda, own, &mut self.trial.lambda),
                Columns::S => add(w, own, &mut self.trial.s),
                Columns::Eta => {
                    add(w, own, &mut self.eta_h);
                    if affine {
                        self.n.gemv(w, own, &mut self.delta);
                    }
                }
            }
        }
        if affine { self.follow(group) } else { self.correct_relation(weight, group) }
    }

    /// The iterate was accepted: eta as it is reported.
    #[inline(always)]
    pub fn keep_eta(&mut self) {
        let (unit, h) = (T::of(self.eta_unit), T::of(self.h));
        for (e, x) in self.eta.iter_mut().zip(&self.eta_h) {
            *e = unit * (*x / h);
        }
    }
}

/// y += a x.
#[inline(always)]
pub(super) fn add<T: Number>(a: T, x: &[T], y: &mut [T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * *x;
    }
}

impl<T: Runs> Step<T> {
    /// Measures the round-off of positions, for [`size`](Self::size).
    #[inline(always)]
    pub fn measure(&mut self) {
        for (unit, block) in self.units.iter_mut().zip(&self.blocks).filter(|(_, b)| b.is_length()) {
            *unit = T::of(ROUND_OFF) * (self.length + square_of(&self.q_n[block.q.clone()]).sqrt());
        }
    }

    /// The size of the change of v_np1 by the correction, measured as the increment of positions theta + N h eta
    /// that belongs to it.
    #[inline(always)]
    pub fn size_of_velocities(&mut self) -> T {
        let (k, mut room) = (self.delta.len(), std::mem::take(&mut self.scratch));
        room[..k].copy_from_slice(&self.xi[..k]);
        self.n.gemv(T::one(), &self.xi[self.layout.of(Columns::Eta)], &mut room[..k]);
        let size = self.size(|v| square_of(&room[v]).sqrt());
        self.scratch = room;
        size
    }

    /// The size of an increment of positions in units of round-off, the largest of all blocks; NaN if an entry
    /// is NaN. `norm` is its norm in a block.
    #[inline(always)]
    pub fn size(&self, norm: impl Fn(Range<usize>) -> T) -> T {
        let mut largest = T::zero();
        for (block, unit) in self.blocks.iter().zip(&self.units) {
            largest = largest.larger(norm(block.v.clone()) / *unit);
        }
        largest
    }
}

/// The square of the norm of a vector, which does not depend on the orientation of axes; most have three
/// entries.
#[inline(always)]
pub(crate) fn square_of<T: Number>(x: &[T]) -> T {
    if let [a, b, c] = x {
        return *a * *a + *b * *b + *c * *c;
    }
    let mut sum = T::zero();
    for x in x {
        sum += *x * *x;
    }
    sum
}

impl Step {
    /// Name of row i of the residual, for messages.
    pub fn row_name(&self, system: &dyn System, i: usize) -> String {
        let (k, m, n_s) = (self.delta.len(), self.trial.lambda.len(), self.trial.s.len());
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

    /// Without room.
    pub fn empty(form: Form) -> Self {
        Step::sized(form, State::default(), (2, 0, 1.0), (Tangents::default(), Vec::new()))
    }

    /// Room for steps of a system.
    pub fn of(form: Form, system: &dyn System, state: &State, histories: usize) -> Self {
        let tangents = Tangents::of(system);
        let held = Held::new(form, system.velocity_rows(), &tangents.b);
        let mut step = Step::new(form, state.clone(), histories, system, (tangents, system.blocks()));
        step.held = held;
        step.size_rows(system, state);
        step
    }

    /// Sizes of redundant rows at a state.
    pub fn size_rows(&mut self, system: &dyn System, state: &State) {
        let unknowns = self.layout.len();
        let redundant = |weights| Redundant::new(weights, super::rows::row_sizes(system, state), unknowns);
        self.redundant = system.row_weights().map(redundant);
    }

    /// Begins a step of size h at a state.
    #[inline]
    pub fn begin_at(&mut self, state: &State, h: f64) {
        self.q_n.copy_from_slice(&state.q);
        self.past[0].copy_from_slice(&state.v);
        self.past[1].copy_from_slice(&state.vdot);
        let trial = &mut self.trial;
        trial.t = state.t;
        if self.form == Form::StabilizedIndex2 {
            // The direction N is evaluated there. Otherwise the predictor overwrites the rest.
            trial.q.copy_from_slice(&state.q);
            trial.v.copy_from_slice(&state.v);
            trial.vdot.copy_from_slice(&state.vdot);
        }
        trial.lambda.copy_from_slice(&state.lambda);
        if !(state.s.is_empty() && state.memory.is_empty()) {
            trial.s.copy_from_slice(&state.s);
            trial.memory.copy_from_slice(&state.memory);
        }
        self.clear(h);
    }

    /// Ends the step: the iterate becomes the state.
    #[inline]
    pub fn end_at(&mut self, state: &mut State) {
        self.keep_eta();
        state.copy_from(&self.trial);
    }
}
