//! A mechanism in R^3xSO(3), written in classical coordinates of its rotations.
//!
//! Every factor SO(3) of the group becomes R^N with parameters p ([`Parameters`]); positions, and all other
//! linear coordinates, do not change. With q the configuration of the mechanism, v its velocity and q_c in
//! R^n the coordinates,
//!
//! ```text
//! q   = q(q_c)
//! v   = A(q_c) q_c'                                   block diagonal: A(p) for rotations, I for the rest
//! v'  = A q_c'' + A' q_c'
//! r_c = A^T r(q, v, v', lambda) + own forces of the parameters = 0
//! Phi_c = ( Phi(q), own constraints of the parameters )
//! ```
//!
//! A variation of q_c by w moves q to q o exp(A w) up to first order, so B_c = B A, and the hidden
//! constraints of the mechanism are those of the coordinates when v and v' are expanded as above. So every
//! joint and force works in every formulation without changes. `chain_rule.rs` has the other derivatives.
//!
//! p and x of a body are two factors R^N and R^3 of the group, because corrections of a step are measured
//! factor by factor, and angles and lengths have different units.

use std::ops::Range;

use nalgebra::{Vector3, Vector4};
use precess_lie::{Factor, Product};

use super::parameters::{ParameterMotion, Parameters};
use super::scratch::Pool;
use crate::Error;
use crate::mechanics::Multibody;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::mechanics::{
    At, Block, Describes, Energy, Event, Function, Lock, Momenta, RowKind, Sight, State, System, Tangents,
    Want,
};

/// Positions of one rotation in the coordinates and in the mechanism.
#[derive(Clone, Debug)]
pub(super) struct RotationPlace {
    /// First entry in q_c and in q_c'.
    pub(super) c: usize,
    /// First entry in q of the mechanism.
    pub(super) q: usize,
    /// First entry in v of the mechanism.
    pub(super) v: usize,
    /// Row of the constraint of the parameters, if they have one.
    pub(super) row: usize,
    /// Inertia in the direction of this constraint.
    pub(super) j_0: f64,
    body: String,
}

/// Coordinates that are the same in both descriptions.
#[derive(Clone, Debug)]
pub(super) struct SharedCoordinates {
    pub(super) c: usize,
    pub(super) q: usize,
    pub(super) v: usize,
    pub(super) n: usize,
}

/// A mechanism in classical coordinates.
pub struct Coordinates<P> {
    pub(super) inner: Box<dyn Mechanism>,
    pub(super) parameters: P,
    group: Product,
    pub(super) turns: Vec<RotationPlace>,
    pub(super) linear: Vec<SharedCoordinates>,
    pub(super) pool: Pool<Expanded>,
    row_weights: Option<Vec<f64>>,
}

/// Expanded state, forces and derivatives of the mechanism.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) full: FullMotion,
    pub(super) r: Vec<f64>,
    pub(super) mass: Tangents,
    pub(super) tangents: Tangents,
    pub(super) pieces: Vec<super::chain_rule::Piece>,
}

/// q, v and v' of the mechanism.
#[derive(Debug)]
pub(super) struct FullMotion {
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
}

impl<P: Parameters> Coordinates<P> {
    /// A mechanism in R^3xSO(3) with its initial values q, v, and those values in the new coordinates.
    ///
    /// Factor i of the group of the mechanism is its body i; further linear factors follow.
    pub fn new(
        inner: Box<dyn Mechanism>,
        parameters: P,
        q: &[f64],
        v: &[f64],
    ) -> Result<(Self, Vec<f64>, Vec<f64>), Error> {
        let refuse =
            |reason: String| Error::Unsupported { method: format!("formulation {}", P::NAME), reason };
        let initial = initial_state(&*inner, q, v);
        let bodies = inner.bodies(&initial.at());
        let mut mass = Tangents::of(&*inner);
        mass.evaluate(&*inner, &initial.at(), Want::MASS);

        let (mut turns, mut linear, mut factors) = (Vec::new(), Vec::new(), Vec::new());
        let mut c = 0;
        for (i, factor) in inner.group().factors().iter().enumerate() {
            let (q, v) = (inner.group().q_range(i).start, inner.group().v_range(i).start);
            let (rotation, n) = match *factor {
                Factor::Rn(n) => (false, n),
                Factor::SO3 => (true, 0),
                Factor::R3xSO3 => (true, 3),
                Factor::SE3 => {
                    return Err(refuse("the model is written in SE(3), not in R^3xSO(3)".to_string()));
                }
            };
            if rotation {
                let trace: f64 = (v..v + 3).map(|j| mass.s.get(j, j)).sum();
                turns.push(RotationPlace {
                    c,
                    q,
                    v,
                    row: inner.n_lambda() + P::ROWS * turns.len(),
                    j_0: if trace > 0.0 { trace / 3.0 } else { 1.0 },
                    body: bodies.get(i).map_or_else(|| format!("{}", i + 1), |b| b.name.clone()),
                });
                factors.push(Factor::Rn(P::N));
                c += P::N;
            }
            if n > 0 {
                let (q, v) = if rotation { (q + 4, v + 3) } else { (q, v) };
                linear.push(SharedCoordinates { c, q, v, n });
                factors.push(Factor::Rn(n));
                c += n;
            }
        }

        let (mut q_c, mut v_c) = (vec![0.0; c], vec![0.0; c]);
        for turn in &turns {
            let quaternion = Vector4::from_column_slice(&q[turn.q..turn.q + 4]);
            let omega = Vector3::from_column_slice(&v[turn.v..turn.v + 3]);
            let (p, rate) = parameters.start(&quaternion, &omega, &turn.body).map_err(refuse)?;
            q_c[turn.c..turn.c + P::N].copy_from_slice(&p.as_slice()[..P::N]);
            v_c[turn.c..turn.c + P::N].copy_from_slice(&rate.as_slice()[..P::N]);
        }
        for l in &linear {
            q_c[l.c..l.c + l.n].copy_from_slice(&q[l.q..l.q + l.n]);
            v_c[l.c..l.c + l.n].copy_from_slice(&v[l.v..l.v + l.n]);
        }
        let group = Product::new(factors);
        // Rows of the parameters are never redundant; their weight is B M^-1 B^T like that of others.
        let row_weights = inner.row_weights().map(|w| {
            let own = turns.iter().flat_map(|t| std::iter::repeat_n(0.25 / t.j_0, P::ROWS));
            w.iter().copied().chain(own).collect()
        });
        let pool = Pool::default();
        Ok((Coordinates { inner, parameters, group, turns, linear, pool, row_weights }, q_c, v_c))
    }

    /// Sets the inertia J_0 in the direction of the constraint of the parameters for all bodies; 0 leaves a
    /// singular mass matrix. The default is the mean of the principal moments of inertia.
    pub fn with_stretch_inertia(mut self, j_0: f64) -> Self {
        for turn in &mut self.turns {
            turn.j_0 = j_0;
        }
        self
    }

    /// The mechanism in R^3xSO(3).
    pub fn mechanism(&self) -> &dyn Mechanism {
        &*self.inner
    }

    fn work(&self) -> Expanded {
        let (k, m, n_s) = (self.inner.group().dim(), self.inner.n_lambda(), self.inner.n_s());
        Expanded {
            full: FullMotion { q: vec![0.0; self.inner.group().repr()], v: vec![0.0; k], vdot: vec![0.0; k] },
            r: vec![0.0; k],
            mass: Tangents::dense(k, m, n_s),
            tangents: Tangents::dense(k, m, n_s),
            pieces: Vec::new(),
        }
    }

    /// Calls `f` with the state of the mechanism and free work arrays.
    pub(super) fn expanded<R>(&self, at: &At, f: impl FnOnce(&At, &mut Rest) -> R) -> R {
        self.pool.with(
            || self.work(),
            |work| {
                let Expanded { full, r, mass, tangents, pieces } = work;
                let inner_at = self.expand(at, full);
                f(&inner_at, &mut Rest { r, mass, tangents, pieces })
            },
        )
    }

    /// The state of the mechanism. Velocities and accelerations are missing if they are not given.
    fn expand<'a>(&self, at: &At<'a>, full: &'a mut FullMotion) -> At<'a> {
        let (with_v, with_a) = (!at.v.is_empty(), !at.vdot.is_empty());
        for turn in &self.turns {
            let p = self.four(at.q, turn);
            full.q[turn.q..turn.q + 4].copy_from_slice(self.parameters.quaternion(&p).as_slice());
            if !with_v {
                continue;
            }
            let a = self.parameters.map(&p);
            let rate = self.four(at.v, turn);
            full.v[turn.v..turn.v + 3].copy_from_slice((a * rate).as_slice());
            if with_a {
                let omega_dot = a * self.four(at.vdot, turn) + self.parameters.bias(&p, &rate);
                full.vdot[turn.v..turn.v + 3].copy_from_slice(omega_dot.as_slice());
            }
        }
        for l in &self.linear {
            full.q[l.q..l.q + l.n].copy_from_slice(&at.q[l.c..l.c + l.n]);
            if with_v {
                full.v[l.v..l.v + l.n].copy_from_slice(&at.v[l.c..l.c + l.n]);
            }
            if with_a {
                full.vdot[l.v..l.v + l.n].copy_from_slice(&at.vdot[l.c..l.c + l.n]);
            }
        }
        At {
            q: &full.q,
            v: if with_v { &full.v } else { &[] },
            vdot: if with_a { &full.vdot } else { &[] },
            lambda: &at.lambda[..at.lambda.len().min(self.inner.n_lambda())],
            ..*at
        }
    }

    /// The entries of one rotation in q_c, q_c' or q_c''.
    #[inline]
    pub(super) fn four(&self, x: &[f64], turn: &RotationPlace) -> Vector4<f64> {
        let mut p = Vector4::zeros();
        p.as_mut_slice()[..P::N].copy_from_slice(&x[turn.c..turn.c + P::N]);
        p
    }

    /// p, p', p'' of one rotation; zeros if they are not given.
    #[inline]
    pub(super) fn motion(&self, at: &At, turn: &RotationPlace) -> ParameterMotion {
        let or_zero = |x: &[f64]| if x.is_empty() { Vector4::zeros() } else { self.four(x, turn) };
        ParameterMotion { p: self.four(at.q, turn), rate: or_zero(at.v), acceleration: or_zero(at.vdot) }
    }

    /// The constraints of the parameters at a level: 0 position, 1 velocity, 2 acceleration.
    fn own_rows(&self, at: &At, level: usize, out: &mut [f64]) {
        if P::ROWS > 0 {
            for turn in &self.turns {
                out[turn.row] = self.parameters.own_row(&self.motion(at, turn))[level];
            }
        }
    }

    /// The multiplier of the constraint of the parameters.
    pub(super) fn own_lambda(at: &At, turn: &RotationPlace) -> f64 {
        if P::ROWS > 0 { at.lambda[turn.row] } else { 0.0 }
    }
}

/// Work arrays besides the expanded state.
pub(super) struct Rest<'a> {
    pub(super) r: &'a mut Vec<f64>,
    pub(super) mass: &'a mut Tangents,
    pub(super) tangents: &'a mut Tangents,
    pub(super) pieces: &'a mut Vec<super::chain_rule::Piece>,
}

fn initial_state(inner: &dyn Mechanism, q: &[f64], v: &[f64]) -> State {
    let mut state = State {
        t: 0.0,
        q: q.to_vec(),
        v: v.to_vec(),
        vdot: vec![0.0; v.len()],
        lambda: vec![0.0; inner.n_lambda()],
        s: vec![0.0; inner.n_s()],
        memory: vec![0.0; inner.n_memory()],
    };
    state.remember(inner);
    state
}

impl<P: Parameters> System for Coordinates<P> {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.inner.n_lambda() + P::ROWS * self.turns.len()
    }

    fn n_s(&self) -> usize {
        self.inner.n_s()
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.expanded(at, |inner_at, work| {
            self.inner.residual(inner_at, work.r);
            for turn in &self.turns {
                let x = self.motion(at, turn);
                let moment = Vector3::from_column_slice(&work.r[turn.v..turn.v + 3]);
                let force = self.parameters.map(&x.p).transpose() * moment
                    + self.parameters.own_force(turn.j_0, &x, Self::own_lambda(at, turn));
                r[turn.c..turn.c + P::N].copy_from_slice(&force.as_slice()[..P::N]);
                if let Some(i) = self.parameters.singular(&x.p) {
                    r[turn.c + i] = f64::NAN;
                }
            }
            for l in &self.linear {
                r[l.c..l.c + l.n].copy_from_slice(&work.r[l.v..l.v + l.n]);
            }
        });
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let m = self.inner.n_lambda();
        self.expanded(at, |inner_at, _| self.inner.constraint(inner_at, &mut phi[..m]));
        self.own_rows(at, 0, phi);
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let m = self.inner.n_lambda();
        self.expanded(at, |inner_at, _| self.inner.velocity_constraint(inner_at, &mut out[..m]));
        self.own_rows(at, 1, out);
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let m = self.inner.n_lambda();
        self.expanded(at, |inner_at, _| self.inner.acceleration_constraint(inner_at, &mut out[..m]));
        self.own_rows(at, 2, out);
    }

    fn velocity_rows(&self) -> &[usize] {
        self.inner.velocity_rows()
    }

    fn row_kind(&self, row: usize, memory: &[f64]) -> RowKind {
        if row < self.inner.n_lambda() { self.inner.row_kind(row, memory) } else { RowKind::Position }
    }

    fn algebraic(&self, at: &At, out: &mut [f64]) {
        self.expanded(at, |inner_at, _| self.inner.algebraic(inner_at, out));
    }

    fn guess_algebraic(&self, s: &mut [f64]) {
        self.inner.guess_algebraic(s);
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.chain_rule(at, out);
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        self.expanded(at, |inner_at, _| self.inner.energy(inner_at))
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        self.expanded(at, |inner_at, _| self.inner.momenta(inner_at))
    }

    fn power(&self, at: &At) -> Option<f64> {
        self.expanded(at, |inner_at, _| self.inner.power(inner_at))
    }

    fn see_limits(&self, at: &At, seen: &mut Vec<f64>) {
        if Multibody::of(&*self.inner).is_some_and(|m| m.has_limits()) {
            self.expanded(at, |inner_at, _| self.inner.see_limits(inner_at, seen));
        }
    }

    fn neglected(&self, seen: &[f64]) -> Vec<String> {
        self.inner.neglected(seen)
    }

    fn exceeded(&self, seen: &[f64]) -> Option<String> {
        self.inner.exceeded(seen)
    }

    fn power_reads_forces(&self) -> bool {
        self.inner.power_reads_forces()
    }

    fn nearest_lock(&self, at: &At) -> Option<Lock<'_>> {
        let locks = self.turns.iter().filter_map(|turn| {
            let (p, rate) = (self.four(at.q, turn), self.four(at.v, turn));
            let [distance, rate, speed] = self.parameters.approach(&p, &rate)?;
            Some(Lock { body: &turn.body, distance, rate, speed })
        });
        locks.min_by(|a, b| a.time().total_cmp(&b.time()).then(a.distance.total_cmp(&b.distance)))
    }

    fn n_memory(&self) -> usize {
        self.inner.n_memory()
    }

    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.expanded(at, |inner_at, _| self.inner.remember(inner_at, memory));
    }

    fn switch(&self, at: &At, list: &[(usize, f64)], memory: &mut [f64]) {
        self.expanded(at, |inner_at, _| self.inner.switch(inner_at, list, memory));
    }

    fn events(&self) -> &[Event] {
        self.inner.events()
    }

    fn event_moments(&self, event: usize, from: f64, to: f64) -> Result<Option<Vec<(f64, bool)>>, Error> {
        self.inner.event_moments(event, from, to)
    }

    fn event_values(&self, at: &At, out: &mut [f64]) {
        self.expanded(at, |inner_at, _| self.inner.event_values(inner_at, out));
    }

    fn constraint_name(&self, row: usize) -> String {
        match self.turns.iter().find(|t| P::ROWS > 0 && t.row == row) {
            Some(turn) => self.parameters.own_row_name(&turn.body),
            None => self.inner.constraint_name(row),
        }
    }

    fn velocity_name(&self, index: usize) -> String {
        if let Some(turn) = self.turns.iter().find(|t| (t.c..t.c + P::N).contains(&index)) {
            return self.parameters.name(index - turn.c, &turn.body);
        }
        match self.linear.iter().find(|l| (l.c..l.c + l.n).contains(&index)) {
            Some(l) => self.inner.velocity_name(l.v + index - l.c),
            None => format!("velocity coordinate {}", index + 1),
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut list = Block::of(&self.group);
        for block in &mut list {
            if self.turns.binary_search_by_key(&block.v.start, |turn| turn.c).is_ok() {
                block.describes = Describes::Orientation;
            }
        }
        list
    }

    /// The body turns by A dp. The additional row measures the changes that do not turn it; for Euler
    /// parameters, this is twice the change of |p|.
    fn sight(&self, block: &Block, at: &At, sight: &mut Sight) {
        let Ok(i) = self.turns.binary_search_by_key(&block.v.start, |turn| turn.c) else { return };
        let turn = &self.turns[i];
        let x = ParameterMotion { acceleration: Vector4::zeros(), ..self.motion(at, turn) };
        let (a, c) = (self.parameters.map(&x.p), self.parameters.variations(&x).omega);
        let (own, own_rate) = self.parameters.own_gradients(&x);
        for j in 0..P::N {
            for i in 0..3 {
                sight.set_a(i, j, a[(i, j)]);
                sight.set_c(i, j, c[(i, j)]);
            }
            for i in 3..3 + P::ROWS {
                sight.set_a(i, j, 2.0 * own[j]);
                sight.set_c(i, j, 2.0 * own_rate[j]);
            }
        }
    }

    fn length_scale(&self) -> f64 {
        self.inner.length_scale()
    }

    fn acceleration_scale(&self) -> Option<f64> {
        self.inner.acceleration_scale()
    }

    fn drives(&self) -> Vec<&Function> {
        self.inner.drives()
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.row_weights.as_deref()
    }

    fn row_classes(&self) -> &[Range<usize>] {
        self.inner.row_classes()
    }
}

impl<P: Parameters> Mechanism for Coordinates<P> {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.expanded(at, |inner_at, _| self.inner.bodies(inner_at))
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        self.expanded(at, |inner_at, _| self.inner.reactions(inner_at))
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        self.expanded(at, |inner_at, _| self.inner.sensors(inner_at))
    }

    fn sensor_units(&self) -> Vec<&'static str> {
        self.inner.sensor_units()
    }

    fn troubles(&self, at: &At) -> Vec<String> {
        self.expanded(at, |inner_at, _| self.inner.troubles(inner_at))
    }
}
