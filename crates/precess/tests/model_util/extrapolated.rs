//! Every derivative of a system against extrapolated differences of its equations, to 1e-11.
//!
//! Central differences of steps h, h/1.5, h/1.5^2, .. have errors in h^2, h^4, ..; Neville's scheme removes
//! nine of these terms. The steps stay above 1e-3, so that rounding errors stay below 1e-12. Nothing but
//! values of the system is used.
#![allow(dead_code)]

use precess::mechanics::{At, Equations, RowKind, State, System, Tangents, Want};
use precess::solve::Mat;
use precess::study::larger;

/// Relative to the largest entry of what is compared, or to one.
pub const TOLERANCE: f64 = 1e-11;
const LEVELS: usize = 10;

/// df/dtau at tau = 0. Each entry comes from the columns of the scheme that agree best.
pub fn derivative(mut f: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    let mut table: Vec<Vec<Vec<f64>>> = Vec::new();
    let mut step = 0.05;
    let mut best: Vec<(f64, f64)> = Vec::new();
    for level in 0..LEVELS {
        let (up, down) = (f(step), f(-step));
        let first: Vec<f64> = up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        if level == 0 {
            best = first.iter().map(|x| (*x, f64::INFINITY)).collect();
        }
        let mut row = vec![first];
        for column in 1..=level {
            let factor = 2.25_f64.powi(column as i32);
            let (finer, coarser) = (&row[column - 1], &table[level - 1][column - 1]);
            let next: Vec<f64> =
                finer.iter().zip(coarser).map(|(a, b)| a + (a - b) / (factor - 1.0)).collect();
            for (i, x) in next.iter().enumerate() {
                let error = larger((x - finer[i]).abs(), (x - coarser[i]).abs());
                if x.is_nan() || error < best[i].1 {
                    best[i] = (*x, error);
                }
            }
            row.push(next);
        }
        table.push(row);
        step /= 1.5;
    }
    best.into_iter().map(|x| x.0).collect()
}

/// Which arguments change, and how; what is empty stays.
#[derive(Default)]
pub struct Direction<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub vdot: &'a [f64],
    pub lambda: &'a [f64],
    pub s: &'a [f64],
}

impl Direction<'_> {
    /// The state at tau.
    pub fn moved(&self, system: &dyn System, state: &State, tau: f64) -> State {
        let mut moved = state.clone();
        moved.t += tau * self.t;
        if !self.q.is_empty() {
            let step: Vec<f64> = self.q.iter().map(|x| tau * x).collect();
            system.group().retract(&state.q, &step, &mut moved.q);
        }
        let add = |x: &mut [f64], dx: &[f64]| x.iter_mut().zip(dx).for_each(|(x, dx)| *x += tau * dx);
        add(&mut moved.v, self.v);
        add(&mut moved.vdot, self.vdot);
        add(&mut moved.lambda, self.lambda);
        add(&mut moved.s, self.s);
        moved
    }

    /// d/dtau of a function of the state.
    pub fn of(&self, system: &dyn System, state: &State, mut f: impl FnMut(&At) -> Vec<f64>) -> Vec<f64> {
        derivative(|tau| f(&self.moved(system, state, tau).at()))
    }
}

/// The derivative of all equations along a direction.
struct Along {
    r: Vec<f64>,
    phi: Vec<f64>,
    rate: Vec<f64>,
    algebraic: Vec<f64>,
}

fn along(system: &dyn System, state: &State, direction: &Direction) -> Along {
    let (k, m, n_s) = (state.v.len(), state.lambda.len(), state.s.len());
    let mut all = direction.of(system, state, |at| {
        let mut all = vec![0.0; k + 2 * m + n_s];
        let (r, rest) = all.split_at_mut(k);
        let (phi, rest) = rest.split_at_mut(m);
        let (velocity, algebraic) = rest.split_at_mut(m);
        system.equations(at, Equations { r: Some(r), phi: Some(phi), velocity: Some(velocity) });
        system.algebraic(at, algebraic);
        all
    });
    let algebraic = all.split_off(k + 2 * m);
    let rate = all.split_off(k + m);
    let phi = all.split_off(k);
    Along { r: all, phi, rate, algebraic }
}

/// Fails unless both are equal to the [tolerance](TOLERANCE).
pub fn agree(what: &str, exact: &[f64], expected: &[f64]) {
    assert_eq!(exact.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0, |m, x| larger(m, x.abs()));
    for (i, (a, b)) in exact.iter().zip(expected).enumerate() {
        let error = (a - b).abs() / scale;
        assert!(error <= TOLERANCE, "{what}, row {i}: {a}, by differences {b}, {error:.1e}");
    }
}

fn times(m: &Mat, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; m.rows()];
    m.gemv(1.0, x, &mut y);
    y
}

/// M, D, K, B, Y, dr/dlambda, the derivatives of algebraic variables and the hidden constraints, along random
/// directions.
pub fn check(what: &str, system: &dyn System, state: &State) {
    let mut numbers = super::hidden::Numbers(17);
    let (k, m, n_s) = (state.v.len(), state.lambda.len(), state.s.len());
    let (w, l, u) = (numbers.vector(k, 1.0), numbers.vector(m, 1.0), numbers.vector(n_s, 1.0));
    let named = |x: &str| format!("{what}, {x}");
    let by = |direction: Direction| along(system, state, &direction);
    // Velocity rows have no Phi.
    let of_position = |mut x: Vec<f64>| {
        system.velocity_rows().iter().for_each(|&i| x[i] = 0.0);
        x
    };
    assert!((0..m).all(|i| system.row_kind(i, &state.memory) != RowKind::Off), "{what}: a row is off");
    let mut t = Tangents::of(system);
    let want = |c_m, c_d| Want { c_m, c_d, stiffness: true, constraint: true, curvature: true };
    t.evaluate(system, &state.at(), want(0.0, 1.0));
    let in_q = by(Direction { q: &w, ..Direction::default() });
    agree(&named("K"), &times(&t.k, &w), &in_q.r);
    agree(&named("B"), &of_position(times(&t.b, &w)), &in_q.phi);
    agree(&named("Y"), &times(&t.y, &w), &in_q.rate);
    agree(&named("dh/dq"), &times(&t.h_q, &w), &in_q.algebraic);
    let in_v = by(Direction { v: &w, ..Direction::default() });
    agree(&named("D"), &times(&t.s, &w), &in_v.r);
    agree(&named("B of v"), &times(&t.b, &w), &in_v.rate);
    let mut force = vec![0.0; k];
    t.b.gemv_transpose(1.0, &l, &mut force);
    if t.has_friction() {
        t.g_lambda.gemv(1.0, &l, &mut force);
    }
    agree(&named("dr/dlambda"), &force, &by(Direction { lambda: &l, ..Direction::default() }).r);
    let in_s = by(Direction { s: &u, ..Direction::default() });
    agree(&named("dr/ds"), &times(&t.r_s, &u), &in_s.r);
    agree(&named("dh/ds"), &times(&t.h_s, &u), &in_s.algebraic);
    t.evaluate(system, &state.at(), want(1.0, 0.0));
    agree(&named("M"), &times(&t.s, &w), &by(Direction { vdot: &w, ..Direction::default() }).r);
    // M and D together, as methods ask for them.
    t.evaluate(system, &state.at(), want(1.7, 0.3));
    let (mut v, mut vdot) = (w.clone(), w.clone());
    v.iter_mut().for_each(|x| *x *= 0.3);
    vdot.iter_mut().for_each(|x| *x *= 1.7);
    let both = by(Direction { v: &v, vdot: &vdot, ..Direction::default() });
    agree(&named("M and D"), &times(&t.s, &w), &both.r);
    // d/dt of Phi and of its rate along the motion.
    let motion = by(Direction { t: 1.0, q: &state.v, v: &state.vdot, ..Direction::default() });
    let (mut rate, mut second) = (vec![0.0; m], vec![0.0; m]);
    system.velocity_constraint(&state.at(), &mut rate);
    agree(&named("B v + Phi_t"), &of_position(rate), &motion.phi);
    system.acceleration_constraint(&state.at(), &mut second);
    agree(&named("acceleration level"), &second, &motion.rate);
}
