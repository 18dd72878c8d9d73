//! J times a vector, and what a step makes of truncation errors; forms index-3 and stabilized index-2.

use super::data::Step;
use super::rows::Held;
use crate::mechanics::jacobian::{By, Columns, Corners, Of, Rows, StepWeights, TERMS};
use crate::mechanics::{At, System, Tangents};

impl Step {
    /// out = J xi with the iteration matrix J of a step, after [`linearise`](Self::linearise).
    pub fn apply(&mut self, system: &dyn System, xi: &[f64], out: &mut [f64]) {
        let (corners, weights, c_m, k) = (self.layout.corners, self.weights(), self.c_m(), self.delta.len());
        let [lambda, s, eta] = [Columns::Lambda, Columns::S, Columns::Eta].map(|of| &xi[self.layout.of(of)]);
        let (moved, turned) = self.scratch[..2 * k].split_at_mut(k);
        moved.copy_from_slice(&xi[..k]);
        if !eta.is_empty() {
            self.n.gemv(1.0, eta, moved);
        }
        system.group().tangent_times(&self.theta, &xi[..k], turned);
        let changes = Changes { v: moved, q: Some(turned), lambda, s, eta };
        changes.through(&self.tangents, (&corners, &weights), self.held.as_mut(), out);
        for (i, of_lambda, of_eta) in self.redundant.iter().flat_map(|redundant| redundant.diagonals(c_m)) {
            out[corners.lambda + i] += of_lambda * lambda[i];
            if let Some(first) = corners.eta {
                out[first + i] += of_eta * eta[i];
            }
        }
    }

    /// (S p + (c_m/dv) M l_v, 0, 0, B p), with B p of velocity rows in the second place: the effect of the
    /// truncation errors p = l_q - l_v/dv and l_v on the equations of the step.
    pub(crate) fn transfer(&mut self, system: &dyn System, p: &[f64], l_v: &[f64], out: &mut [f64]) {
        let (corners, weights) = (self.layout.corners, self.weights());
        let per_velocity = self.c_m() / self.dv;
        let k = self.theta.len();
        let changes = Changes { v: p, q: None, lambda: &[], s: &[], eta: &[] };
        changes.through(&self.tangents, (&corners, &weights), self.held.as_mut(), out);
        // The residual is affine in v', so M l_v is a difference of residuals.
        let (with, rest) = self.scratch.split_at_mut(k);
        let (without, zero) = rest.split_at_mut(k);
        zero.fill(0.0);
        system.residual(&At { vdot: l_v, ..self.trial.at() }, with);
        system.residual(&At { vdot: zero, ..self.trial.at() }, without);
        for i in 0..k {
            out[i] += per_velocity * (with[i] - without[i]);
        }
    }

    /// Change of v_np1 by a change of the unknowns: dv (theta + N h eta), if velocities are affine in theta.
    pub(crate) fn velocity_change(&self, xi: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&xi[..out.len()]);
        let eta = self.layout.of(Columns::Eta);
        if !eta.is_empty() {
            self.n.gemv(1.0, &xi[eta], out);
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
}

/// Changes of v (in units of dv), q, h^2 lambda, s and h eta; without a change of q, lambda and s do not
/// change either.
struct Changes<'a> {
    v: &'a [f64],
    q: Option<&'a [f64]>,
    lambda: &'a [f64],
    s: &'a [f64],
    eta: &'a [f64],
}

impl Changes<'_> {
    /// Writes their effect on the equations of a step to `out`.
    fn through(
        &self,
        t: &Tangents,
        (corners, weights): (&Corners, &StepWeights),
        mut held: Option<&mut Held<f64>>,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        if let Some(held) = &mut held {
            held.rates.fill(0.0);
        }
        for term in TERMS {
            let x = match (term.by, self.q) {
                (By::Velocity, _) => self.v,
                (By::Configuration, Some(q)) => q,
                (By::Multipliers, Some(_)) => self.lambda,
                (By::Algebraic, Some(_)) => self.s,
                (_, None) => continue,
            };
            let (a, weight) = (t.of_term(term.of), weights.of(term.weight));
            if term.of == Of::G && !t.has_friction() {
                continue;
            }
            if let (Rows::Velocity, Some(held)) = (term.rows, &mut held) {
                a.gemv(weight, x, &mut held.rates);
            }
            let Some(row) = corners.row(term.rows) else { continue };
            match term.of {
                Of::Bt => a.gemv_transpose(weight, x, &mut out[row..]),
                _ => a.gemv(weight, x, &mut out[row..]),
            }
        }
        let Some(held) = held else { return };
        let (before, hidden) = out.split_at_mut(corners.eta.unwrap_or(out.len()));
        let rows = &mut before[corners.lambda..corners.s];
        let of = |x: &[f64], i: usize| x.get(i).copied().unwrap_or(0.0);
        for (i, row) in rows.iter_mut().enumerate() {
            let (p, rate) = (held.position[i], held.rates[i]);
            *row = p * *row + held.velocity[i] * rate + held.off(i) * of(self.lambda, i);
            if let Some(hidden) = hidden.get_mut(i) {
                *hidden = p * rate + (1.0 - p) * of(self.eta, i);
            }
        }
    }
}
