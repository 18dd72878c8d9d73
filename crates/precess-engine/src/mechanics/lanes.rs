//! Four models in lanes, in the faster of two ways: plain models directly ([`Alike`]), all others as a
//! [`Batch`].

use precess_lie::{LANES, Lanes};

use super::Multibody;
use super::alike::{self, Alike};
use super::batch::{self, Batch, BatchState, MatrixWeights};
use super::kernels::Row;
use crate::solve::pattern_lu::PatternLu;

/// Models that are alike, one per lane.
pub enum InLanes {
    /// Only bodies and joints, with N, one row per constraint.
    Plain(Box<Alike<Lanes>>, Vec<Row<Lanes>>),
    /// Anything else.
    Batch(Box<Batch<Lanes>>),
}

/// Converts a [`BatchState`] for plain models.
fn plain<'a>(at: &BatchState<'a, Lanes>, theta: &'a [Lanes]) -> alike::AlikeState<'a, Lanes> {
    alike::AlikeState { q: at.q, v: at.v, vdot: at.vdot, lambda: at.lambda, theta }
}

impl InLanes {
    /// One model per lane, with the factors for their matrix; none if they are not alike, cannot run in
    /// lanes, or would not be faster.
    pub fn new(models: [&Multibody; LANES], stabilized: bool) -> Option<(Self, PatternLu<Lanes>)> {
        if let Some((alike, factors)) = Alike::in_lanes(models, stabilized) {
            let rows = vec![Row::zero(); alike.sizes()[2]];
            return Some((InLanes::Plain(Box::new(alike), rows), factors));
        }
        if !batch::is_worthwhile(models[0], stabilized) {
            return None;
        }
        let (batch, factors) = Batch::in_lanes(models, stabilized)?;
        Some((InLanes::Batch(Box::new(batch)), factors))
    }

    /// Numbers of coordinates, velocities and constraints.
    pub fn sizes(&self) -> [usize; 3] {
        match self {
            InLanes::Plain(x, _) => x.sizes(),
            InLanes::Batch(x) => x.sizes(),
        }
    }

    /// q_n o exp(theta).
    #[inline(always)]
    pub fn retract(&self, q_n: &[Lanes], theta: &[Lanes], q: &mut [Lanes]) {
        match self {
            InLanes::Plain(x, _) => x.retract(q_n, theta, q),
            InLanes::Batch(x) => x.retract(q_n, theta, q),
        }
    }

    /// The residual of a step and, if requested, its matrix; see [`Batch::residual`] and [`Batch::matrix`].
    #[inline(always)]
    pub fn evaluate(
        &mut self,
        (at, theta): (&BatchState<Lanes>, &[Lanes]),
        w: &MatrixWeights,
        psi: &mut [Lanes],
        (with_matrix, factors): (bool, &mut PatternLu<Lanes>),
    ) {
        let stabilized = psi.len() > at.v.len() + at.lambda.len();
        match self {
            InLanes::Plain(x, rows) => {
                let at = plain(at, theta);
                if with_matrix {
                    x.evaluate::<true>(&at, w, psi, &mut factors.matrix);
                    if stabilized {
                        x.velocity_matrix(&at, w, rows, &mut factors.matrix);
                    }
                } else {
                    x.evaluate::<false>(&at, w, psi, &mut factors.matrix);
                }
                if stabilized {
                    x.velocity_level(&at, w, psi);
                }
            }
            InLanes::Batch(x) => {
                x.residual(at, w, psi);
                if with_matrix {
                    x.matrix(at, theta, w, &mut factors.matrix);
                }
            }
        }
    }

    /// N at q: B^T, or M^-1 B^T if `mass`.
    #[inline(always)]
    pub fn set_direction(&mut self, at: &BatchState<Lanes>, mass: bool) {
        match self {
            InLanes::Plain(x, rows) => x.direction(at.q, mass, rows),
            InLanes::Batch(x) => x.set_direction(at, mass),
        }
    }

    /// out += N eta.
    #[inline(always)]
    pub fn add_along(&self, eta: impl Fn(usize) -> Lanes, out: &mut [Lanes]) {
        match self {
            InLanes::Plain(x, rows) => x.add_along(rows, eta, out),
            InLanes::Batch(x) => x.add_along(eta, out),
        }
    }

    /// v' and lambda for given q and v, see [`Batch::accelerations`].
    pub fn accelerations(
        &mut self,
        (t, q, v): (Lanes, &[Lanes], &[Lanes]),
        out: [&mut [Lanes]; 2],
        psi: &mut [Lanes],
        factors: &mut PatternLu<Lanes>,
    ) {
        match self {
            InLanes::Plain(x, _) => {
                let theta = vec![Lanes::new([0.0; LANES]); v.len()];
                x.accelerations([q, v, &theta], out, psi, factors);
            }
            InLanes::Batch(x) => x.accelerations((t, q, v), out, psi, factors),
        }
    }

    /// Phi, followed by B v + Phi_t.
    pub fn constraints(&mut self, t: Lanes, q: &[Lanes], v: &[Lanes], out: &mut [Lanes]) {
        match self {
            InLanes::Plain(x, _) => x.constraints(q, v, out),
            InLanes::Batch(x) => x.constraints(t, q, v, out),
        }
    }

    /// The largest of these entries of a vector in units of round-off, see [`Batch::size`].
    #[inline(always)]
    pub fn size(&self, q: &[Lanes], x: &[Lanes], round_off: f64) -> Lanes {
        match self {
            InLanes::Plain(own, _) => own.size(q, x, round_off),
            InLanes::Batch(own) => own.size(q, x, round_off),
        }
    }

    /// The memory with the counted turns; plain models do not use it.
    pub fn memory_mut(&mut self) -> &mut [Lanes] {
        match self {
            InLanes::Plain(..) => &mut [],
            InLanes::Batch(x) => &mut x.memory,
        }
    }
}
