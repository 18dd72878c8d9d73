//! Dense output: the solution between two neighbouring states of a run.
//!
//! With x = (t - t_n)/h, theta = log(q_n^-1 o q_np1) and theta' = T(theta)^-1 v of the chart q = q_n o
//! exp(p),
//!
//! ```text
//! q(t) = q_n o exp(p(x)),   p quintic
//!        p(0) = 0,            p(1)   = theta
//!        p'(0) = h v_n,       p'(1)  = d_1 = h T(theta)^-1 v_np1
//!        p''(0) = h^2 v'_n,   p''(1) = T(theta)^-1 (h^2 v'_np1 - (DT(theta)[d_1]) d_1)
//! v(t): cubic Hermite polynomial of v_n, v'_n, v_np1, v'_np1
//! v'(t), lambda(t), s(t): from the equations (19) at t, q(t), v(t)
//! ```
//!
//! The last derivative follows from T p' = h v. Orders on exact data are 6 for q and 4 for v, v' and lambda.
//! v has a separate polynomial: some methods end a step with h v and theta inconsistent by a local error, and
//! the derivative of p inherits that error divided by h. At both ends the result equals the given states. If
//! a method reports a difference quotient as v' (variational and energy-momentum schemes), v' at the ends is
//! also solved for.
//!
//! If a body turns by more than half a turn in a step, theta is chosen next to h (v_n + v_np1)/2; from 1.5 pi
//! on the step is refused.
//!
//! Phi and B v have interpolation errors. Project the result where they matter.

use std::f64::consts::PI;

use precess_lie::{Factor, Product};

use super::start::Accelerations;
use crate::Error;
use crate::mechanics::{State, System};

/// Largest rotation of a body in one step that is interpolated.
const MAX_ROTATION: f64 = 1.5 * PI;

/// The solution between two states. Workspace is allocated once; evaluation does not allocate.
#[derive(Clone, Debug)]
pub struct Dense {
    first: State,
    last: State,
    state: State,
    /// Coefficients of x, x^2, ..., x^5 in p.
    p: [Vec<f64>; 5],
    /// Coefficients of x, x^2, x^3 in v - v_n.
    v: [Vec<f64>; 3],
    x: Vec<f64>,
    blocks: Vec<f64>,
    accelerations: Accelerations,
    so3: Product,
}

impl Dense {
    /// Workspace for a system; `like` gives the sizes.
    pub fn new(system: &dyn System, like: &State) -> Self {
        let zeros = || vec![0.0; system.group().dim()];
        Dense {
            first: like.clone(),
            last: like.clone(),
            state: like.clone(),
            p: std::array::from_fn(|_| zeros()),
            v: std::array::from_fn(|_| zeros()),
            x: zeros(),
            blocks: vec![0.0; system.group().tangent_len()],
            accelerations: Accelerations::fast(system),
            so3: Product::new([Factor::SO3]),
        }
    }

    /// Prepares the interval between two states of a smooth piece of a solution.
    pub fn between(&mut self, system: &dyn System, first: &State, last: &State) -> Result<(), Error> {
        self.first.copy_from(first);
        self.last.copy_from(last);
        let h = last.t - first.t;
        let mut ends = [&first.vdot, &last.vdot];
        if system.constant_mass().is_some() {
            for end in [&mut self.first, &mut self.last] {
                self.state.copy_from(end);
                self.accelerations.solve(system, &mut self.state)?;
                end.vdot.copy_from_slice(&self.state.vdot);
            }
            ends = [&self.first.vdot, &self.last.vdot];
        }
        let [a_0, a_1] = ends;
        let group = system.group();
        let [c1, c2, c3, c4, c5] = &mut self.p;
        // Until the coefficients are computed: c5 = theta, c4 = p'(1), c3 = p''(1).
        group.difference(&first.q, &last.q, c5);
        branches(group, &self.so3, h, &first.v, &last.v, c5).map_err(|rotation| Error::Interpolation {
            from: first.t,
            to: last.t,
            rotation,
        })?;
        group.tangent_inverse_times(c5, &last.v, c4);
        c4.iter_mut().for_each(|x| *x *= h);
        group.tangent_times_derivative(c5, c4, &mut self.blocks);
        self.x.copy_from_slice(c4);
        group.compact_times(&self.blocks, &mut self.x);
        for (i, factor) in group.factors().iter().enumerate() {
            let linear = match factor {
                Factor::Rn(_) => 0,
                Factor::R3xSO3 => 3,
                Factor::SO3 | Factor::SE3 => factor.dim(),
            };
            self.x[group.v_range(i)][linear..].fill(0.0);
        }
        for (x, a) in self.x.iter_mut().zip(a_1) {
            *x = h * h * a - *x;
        }
        group.tangent_inverse_times(c5, &self.x, c3);
        for i in 0..c1.len() {
            let (theta, d_1, s_1) = (c5[i], c4[i], c3[i]);
            let (d_0, s_0) = (h * first.v[i], h * h * a_0[i]);
            let (a, b, c) = (theta - d_0 - 0.5 * s_0, d_1 - d_0 - s_0, s_1 - s_0);
            c1[i] = d_0;
            c2[i] = 0.5 * s_0;
            c3[i] = 10.0 * a - 4.0 * b + 0.5 * c;
            c4[i] = -15.0 * a + 7.0 * b - c;
            c5[i] = 6.0 * a - 3.0 * b + 0.5 * c;
            let (jump, d_0, d_1) = (last.v[i] - first.v[i], h * a_0[i], h * a_1[i]);
            self.v[0][i] = d_0;
            self.v[1][i] = 3.0 * jump - 2.0 * d_0 - d_1;
            self.v[2][i] = d_0 + d_1 - 2.0 * jump;
        }
        Ok(())
    }

    /// Beginning and end of the interval.
    pub fn interval(&self) -> (f64, f64) {
        (self.first.t, self.last.t)
    }

    /// q and v at a time of the interval. v', lambda and s are linear between the ends.
    pub fn motion(&mut self, system: &dyn System, t: f64) -> &State {
        let (first, last, state) = (&self.first, &self.last, &mut self.state);
        if t == first.t || t == last.t {
            state.copy_from(if t == last.t { last } else { first });
            return state;
        }
        let x = (t - first.t) / (last.t - first.t);
        let [c1, c2, c3, c4, c5] = &self.p;
        for (i, p) in self.x.iter_mut().enumerate() {
            *p = x * (c1[i] + x * (c2[i] + x * (c3[i] + x * (c4[i] + x * c5[i]))));
        }
        system.group().retract(&first.q, &self.x, &mut state.q);
        for (i, v) in state.v.iter_mut().enumerate() {
            *v = first.v[i] + x * (self.v[0][i] + x * (self.v[1][i] + x * self.v[2][i]));
        }
        for (out, a, b) in [
            (&mut state.vdot, &first.vdot, &last.vdot),
            (&mut state.lambda, &first.lambda, &last.lambda),
            (&mut state.s, &first.s, &last.s),
        ] {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = a + x * (b - a);
            }
        }
        state.t = t;
        state.memory.copy_from_slice(&first.memory);
        state
    }

    /// The whole state at a time of the interval, its ends included, with v', lambda and s from (19).
    pub fn consistent(&mut self, system: &dyn System, t: f64) -> Result<&State, Error> {
        self.motion(system, t);
        self.accelerations.solve(system, &mut self.state)?;
        Ok(&self.state)
    }

    /// At an end, the given state; between the ends, the whole state with v', lambda and s from (19).
    pub fn state(&mut self, system: &dyn System, t: f64) -> Result<&State, Error> {
        if t == self.first.t || t == self.last.t {
            return Ok(self.motion(system, t));
        }
        self.consistent(system, t)
    }
}

/// Adds full turns to the rotations in theta, so that they are next to the mean of the end velocities.
/// Returns the angle if it is too large.
fn branches(
    group: &Product,
    so3: &Product,
    h: f64,
    v_0: &[f64],
    v_1: &[f64],
    theta: &mut [f64],
) -> Result<(), f64> {
    let norm = |w: &[f64; 3]| w.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (i, factor) in group.factors().iter().enumerate() {
        if matches!(factor, Factor::Rn(_)) {
            continue;
        }
        let at = group.v_range(i).start;
        let w: [f64; 3] = std::array::from_fn(|j| theta[at + j]);
        let mean: [f64; 3] = std::array::from_fn(|j| 0.5 * h * (v_0[at + j] + v_1[at + j]));
        let angle = norm(&w);
        // Near half a turn, the mean rate selects the branch.
        let mut turned = w;
        if angle > 0.0 && norm(&mean) > 0.5 * PI {
            let along = w.iter().zip(&mean).map(|(a, b)| a * b).sum::<f64>() / angle;
            let turns = ((along - angle) / (2.0 * PI)).round();
            turned = w.map(|x| x * (1.0 + 2.0 * PI * turns / angle));
        }
        let size = norm(&turned).max(norm(&mean));
        if !(size <= MAX_ROTATION) {
            return Err(size);
        }
        if turned != w {
            theta[at..at + 3].copy_from_slice(&turned);
            if matches!(factor, Factor::SE3) {
                // The translation of exp(w, u) is T(w)^T u = T(-w) u.
                let u: [f64; 3] = std::array::from_fn(|j| theta[at + 3 + j]);
                let mut x = [0.0; 3];
                so3.tangent_times(&w.map(|x| -x), &u, &mut x);
                so3.tangent_inverse_times(&turned.map(|x| -x), &x, &mut theta[at + 3..at + 6]);
            }
        }
    }
    Ok(())
}
