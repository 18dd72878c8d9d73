//! The iteration matrix J of a [`Condensed`] step: assembly, and multiplication with a vector. Its terms are
//! listed in [`jacobian`](crate::mechanics::jacobian).

use super::levels::VelocityRows;
use super::{Condensed, Form, Kinematics, add_scaled};
use crate::integrate::one_body;
use crate::mechanics::jacobian::{
    By, CONTRIBUTIONS, Contribution, Corners, Of, Rows, StepWeights, TERMS, Times,
};
use crate::mechanics::{At, System, Tangents, Want};
use crate::solve::{Kkt, Mat};

/// Selects the contributions.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    want: Want,
    friction: bool,
    algebraic: bool,
}

impl Wanted {
    fn has(&self, c: &Contribution) -> bool {
        match c.of {
            Of::K => self.want.stiffness,
            Of::Y => self.want.curvature,
            Of::G => self.friction,
            Of::Rs | Of::Hq | Of::Hs => self.algebraic,
            Of::S | Of::B | Of::Bt => true,
        }
    }
}

impl Condensed {
    /// Overwrites the iteration matrix, see `condensed`; `simplified` drops D, K and T.
    pub fn iteration_matrix(&mut self, system: &dyn System, simplified: bool, kkt: &mut Kkt) {
        if let Some(direction) = self.renews_direction {
            let at = std::mem::take(&mut self.trial);
            self.stabilisation_direction(system, &at.at(), direction);
            self.trial = at;
        }
        let mut kinematics = self.kinematics.take();
        // The published algorithms measure the increment in the frame of q_np1: no T.
        let local = !simplified && !kinematics.as_ref().is_some_and(|k| k.is_published());
        let mut want = self.want();
        if simplified {
            want = Want { c_d: 0.0, stiffness: false, curvature: false, ..want };
        }
        if local {
            self.chart.tangent(system.group(), &self.theta, &mut self.blocks);
        }
        self.tangents.evaluate(system, &self.trial.at(), want);
        let is_plain = !simplified && kinematics.is_none() && !self.velocity_rows.matter(self.form);
        if is_plain && self.write_one_body(system, kkt) {
            return;
        }
        kkt.clear();
        let mut curved = kinematics.as_mut().filter(|kin| !simplified && !kin.is_tangent_free());
        if let Some(kin) = &mut curved {
            let n = (self.form == Form::StabilizedIndex2).then_some(&self.n);
            kin.operators(system.group(), &self.theta, n, &self.eta_h, &self.delta);
        }
        let wanted =
            Wanted { want, friction: self.tangents.has_friction(), algebraic: !self.trial.s.is_empty() };
        self.add(system, wanted, (local, curved.map(|kin| &mut **kin)), kkt);
        if self.form == Form::Index1 && !simplified {
            // d/dv of Z(v,v) is 2 Y + B v^ (17); its derivative in q comes from differences.
            acceleration_rows(system, self, kinematics.as_deref(), kkt);
        }
        self.kinematics = kinematics;
        self.regularise(system, kkt);
    }

    /// The derivatives in the equations of a step.
    fn want(&self) -> Want {
        let velocity = !matches!(self.form, Form::Index3 | Form::Index1);
        Want {
            c_m: self.c_m(),
            c_d: self.h * self.h * self.dv,
            stiffness: true,
            constraint: !self.trial.lambda.is_empty(),
            curvature: velocity || self.velocity_rows.matter(self.form),
        }
    }

    /// The coefficients of this step in J.
    fn weights(&self) -> StepWeights {
        StepWeights { h2: self.h * self.h, per_dv: 1.0 / self.dv }
    }

    /// First rows of equations and unknowns.
    fn corners(&self) -> Corners {
        let (lambda, s) = (self.theta.len(), self.theta.len() + self.trial.lambda.len());
        let eta = (self.form == Form::StabilizedIndex2).then_some(s + self.trial.s.len());
        let (position, velocity) = match self.form {
            Form::Index3 => (Some(lambda), None),
            Form::StabilizedIndex2 => (Some(lambda), eta),
            Form::Index2 | Form::Index1 => (None, Some(lambda)),
        };
        Corners { lambda, s, position, velocity, eta }
    }

    /// Writes J of one body. Returns false for other systems.
    fn write_one_body(&self, system: &dyn System, kkt: &mut Kkt) -> bool {
        let (factors, n_lambda) = (system.group().factors(), self.trial.lambda.len());
        let is_known = one_body::is_known(factors, n_lambda)
            && (n_lambda == 0 || matches!(self.form, Form::Index3 | Form::StabilizedIndex2))
            && self.trial.s.is_empty()
            && system.row_weights().is_none()
            && !self.tangents.has_friction();
        let Some(out) = kkt.dense_columns().filter(|_| is_known) else { return false };
        let operators = one_body::Operators { factor: factors[0], tangent: &self.blocks, n: &self.n };
        one_body::assemble(&self.corners(), &self.tangents, &self.weights(), &operators, out);
        true
    }

    /// Adds all selected contributions: with T if `local`, and with the relation between theta and v if it is
    /// curved.
    fn add(
        &mut self,
        system: &dyn System,
        wanted: Wanted,
        (local, mut curved): (bool, Option<&mut Kinematics>),
        kkt: &mut Kkt,
    ) {
        let (corners, weights) = (self.corners(), self.weights());
        let (t, own, n) = (&mut self.tangents, &mut self.velocity_rows, &self.n);
        let (group, starts, form) = (system.group(), &self.block_starts[..], self.form);
        let mut put = |c: &Contribution, a: &Mat, own: &mut VelocityRows| {
            let Some(column) = corners.column(c.columns) else { return };
            own.each(form, &corners, c.rows, a, |row, a| match (c.of, c.times) {
                (Of::Bt, _) => kkt.add_transpose(row, column, weights.of(c.weight), a),
                (_, Times::N) => kkt.add_product(row, column, weights.of(c.weight), a, n),
                _ => kkt.add(row, column, weights.of(c.weight), a),
            });
        };
        let wanted = |c: &&Contribution| wanted.has(c);
        for c in CONTRIBUTIONS.iter().filter(wanted).filter(|c| c.times != Times::T) {
            match (&mut curved, c.of) {
                (Some(kin), Of::S | Of::B) if corners.row(c.rows).is_some() || !own.rows.is_empty() => {
                    put(c, kin.times(group, starts, c, t.of_term(c.of)), own);
                }
                _ => put(c, t.of_term(c.of), own),
            }
        }
        // Products with T are formed in place, after everything else has used the matrices.
        for c in CONTRIBUTIONS.iter().filter(wanted).filter(|c| c.times == Times::T) {
            if corners.row(c.rows).is_some() || !own.rows.is_empty() {
                let a = t.of_term_mut(c.of);
                if local {
                    a.mul_tangent(group, &self.blocks, starts);
                }
                put(c, a, own);
            }
        }
        if let Some(eta) = corners.eta {
            own.rows.iter().for_each(|i| kkt.add_diagonal(eta + i, 1.0));
        }
    }

    /// Regularises redundant rows in the iteration matrix.
    fn regularise(&self, system: &dyn System, kkt: &mut Kkt) {
        let (corners, c_m) = (self.corners(), self.c_m());
        for (i, d) in system.row_weights().unwrap_or(&[]).iter().enumerate() {
            kkt.add_diagonal(corners.lambda + i, -self.eps * d / c_m);
            if let Some(eta) = corners.eta {
                kkt.add_diagonal(eta + i, self.eps * d);
            }
        }
    }

    /// The derivatives of the equations of the step at the iterate, for [`apply`](Self::apply) and
    /// `transfer`.
    pub fn linearise(&mut self, system: &dyn System) {
        self.tangents.evaluate(system, &self.trial.at(), self.want());
    }

    /// out = J xi with the iteration matrix J of [`Condensed`], after [`linearise`](Self::linearise); forms
    /// index-3 and stabilized index-2.
    pub fn apply(&mut self, system: &dyn System, xi: &[f64], out: &mut [f64]) {
        let (corners, weights, c_m) = (self.corners(), self.weights(), self.c_m());
        let w = self;
        let Corners { lambda: k, s, .. } = corners;
        let end = s + w.trial.s.len();
        let (theta, lambda, s, eta) = (&xi[..k], &xi[k..s], &xi[s..end], &xi[end..]);
        let (moved, turned) = w.scratch[..2 * k].split_at_mut(k);
        moved.copy_from_slice(theta);
        if corners.eta.is_some() {
            w.n.gemv(1.0, eta, moved);
        }
        system.group().tangent_times(&w.theta, theta, turned);
        let changes = Changes { v: moved, q: Some(turned), lambda, s, eta };
        changes.through(&w.tangents, (&corners, &weights), &mut w.velocity_rows, out);
        for (i, d) in system.row_weights().unwrap_or(&[]).iter().enumerate() {
            out[k + i] -= w.eps * d / c_m * lambda[i];
            if let Some(first) = corners.eta {
                out[first + i] += w.eps * d * eta[i];
            }
        }
    }

    /// (S p + (c_m/dv) M l_v, 0, 0, B p), with B p of velocity rows in the second place: the effect of the
    /// truncation errors p = l_q - l_v/dv and l_v on the equations of the step.
    pub(crate) fn transfer(&mut self, system: &dyn System, p: &[f64], l_v: &[f64], out: &mut [f64]) {
        let (corners, weights) = (self.corners(), self.weights());
        let per_velocity = self.c_m() / self.dv;
        let w = self;
        let k = w.theta.len();
        let changes = Changes { v: p, q: None, lambda: &[], s: &[], eta: &[] };
        changes.through(&w.tangents, (&corners, &weights), &mut w.velocity_rows, out);
        // The residual is affine in v', so M l_v is a difference of residuals.
        let (with, rest) = w.scratch.split_at_mut(k);
        let (without, zero) = rest.split_at_mut(k);
        zero.fill(0.0);
        system.residual(&At { vdot: l_v, ..w.trial.at() }, with);
        system.residual(&At { vdot: zero, ..w.trial.at() }, without);
        for i in 0..k {
            out[i] += per_velocity * (with[i] - without[i]);
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
    fn through(&self, t: &Tangents, step: (&Corners, &StepWeights), own: &mut VelocityRows, out: &mut [f64]) {
        let (corners, weights) = step;
        out.fill(0.0);
        own.rates.fill(0.0);
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
            if term.rows == Rows::Velocity && !own.rows.is_empty() {
                a.gemv(weight, x, &mut own.rates);
            }
            let Some(row) = corners.row(term.rows) else { continue };
            match term.of {
                Of::Bt => a.gemv_transpose(weight, x, &mut out[row..]),
                _ => a.gemv(weight, x, &mut out[row..]),
            }
        }
        for &i in &own.rows {
            out[corners.lambda + i] = own.rates[i];
            if let Some(first) = corners.eta {
                out[first + i] = self.eta.get(i).copied().unwrap_or(0.0);
            }
        }
    }
}

/// Rows of the index-1 form beyond B: (h^2/c_m) [ dv (2 Y + B v^) + D_q(...) T ].
fn acceleration_rows(system: &dyn System, w: &mut Condensed, kinematics: Option<&Kinematics>, kkt: &mut Kkt) {
    let group = system.group();
    let (c_m, dv) = (w.c_m(), w.dv);
    let direction = kinematics.map(|kin| kin.dense_w(group));
    let (k, m) = (group.dim(), w.trial.lambda.len());
    let scale = w.h * w.h / c_m;
    let step = 1e-6;
    let mut up = vec![0.0; m];
    let mut down = vec![0.0; m];
    let mut x = w.theta.clone();
    let mut q = w.trial.q.clone();
    let mut v = w.trial.v.clone();
    let mut block = Mat::zeros(m, k);
    for j in 0..k {
        // theta and v move together along column j of the Newton direction.
        for (side, out) in [(1.0, &mut up), (-1.0, &mut down)] {
            x[j] = w.theta[j] + side * step;
            match &direction {
                None => v[j] = w.trial.v[j] + side * step * dv,
                Some(d) => add_scaled(side * step * dv, d.column(j), &mut v),
            }
            w.chart.retract(group, &w.q_n, &x, &mut q);
            system.acceleration_constraint(&At { q: &q, v: &v, ..w.trial.at() }, out);
            x[j] = w.theta[j];
            v.copy_from_slice(&w.trial.v);
        }
        for i in 0..m {
            block.column_mut(j)[i] = (up[i] - down[i]) / (2.0 * step);
        }
    }
    kkt.add(k, 0, scale, &block);
}
