//! The iteration matrix J of a [`Condensed`] step, see there: assembled, and multiplied with a vector.

use super::levels::Levels;
use super::{Condensed, Form, Kinematics, add_scaled};
use crate::integrate::{many_bodies, one_body};
use crate::mechanics::{At, System, Want};
use crate::solve::{Kkt, Mat};

impl Condensed {
    /// Overwrites the iteration matrix, see [`condensed`](super); `simplified` drops D, K and T.
    pub fn iteration_matrix(&mut self, system: &dyn System, simplified: bool, kkt: &mut Kkt) {
        if let Some(direction) = self.renews_direction {
            let at = std::mem::take(&mut self.trial);
            self.stabilisation_direction(system, &at.at(), direction);
            self.trial = at;
        }
        let (dv, c_m, h, form) = (self.dv, self.c_m(), self.h, self.form);
        let w = self;
        let group = system.group();
        let (k, m, n_s) = (group.dim(), system.n_lambda(), system.n_s());
        let (lambda, s, eta) = (k, k + m, k + m + n_s);
        let exact = !simplified;
        let mut kinematics = w.kinematics.take();
        // The published algorithms measure the increment in the frame of q_np1: no T.
        let local = exact && !kinematics.as_ref().is_some_and(|k| k.is_published());
        let mixed = w.velocity_rows.matter(form);
        let hidden = mixed || matches!(form, Form::StabilizedIndex2 | Form::Index2 | Form::Index1);
        let levels = Levels { form, lambda, eta };
        let want = Want {
            c_m,
            c_d: if exact { h * h * dv } else { 0.0 },
            stiffness: exact,
            constraint: m > 0,
            curvature: exact && hidden,
        };
        if exact
            && kinematics.is_none()
            && !mixed
            && matches!(form, Form::Index3 | Form::StabilizedIndex2)
            && let Some((lu, scale)) = kkt.blocks()
        {
            if w.layout.is_none() {
                w.layout = many_bodies::Layout::new(lu, group, &w.tangents, form, system.parts());
            }
            if let Some(layout) = &mut w.layout {
                w.chart.tangent(group, &w.theta, &mut w.blocks);
                let (starts, tangent) = (&w.block_starts[..], &w.blocks[..]);
                let weights = many_bodies::Weights { group, starts, tangent, h2: h * h, dv };
                let (at, t) = (w.trial.at(), &mut w.tangents);
                layout.assemble((system, &at, want), t, (lu, scale), &weights);
                let t = &w.tangents;
                if t.has_friction() {
                    kkt.add(0, lambda, 1.0, &t.g_lambda);
                }
                if form == Form::StabilizedIndex2 {
                    kkt.add_product(0, eta, 1.0, &t.s, &w.n);
                    kkt.add_product(eta, eta, 1.0, &t.b, &w.n);
                }
                return w.regularise(system, kkt);
            }
        }
        w.tangents.evaluate(system, &w.trial.at(), want);
        let plain = exact && kinematics.is_none() && !mixed && n_s == 0 && !w.tangents.has_friction();
        if plain
            && one_body::is_known(group.factors(), m, form)
            && system.row_weights().is_none()
            && let Some(out) = kkt.dense_columns()
        {
            w.chart.tangent(group, &w.theta, &mut w.blocks);
            let weights = one_body::Weights { h2: h * h, dv, tangent: &w.blocks, n: &w.n };
            return one_body::assemble(group.factors()[0], form, &w.tangents, &weights, out);
        }
        kkt.clear();
        let (t, own) = (&mut w.tangents, &mut w.velocity_rows);

        // What multiplies the variation of v (and eta) comes before K, B, Y are multiplied by T.
        if m > 0 {
            kkt.add_transpose(0, lambda, 1.0, &t.b);
            if t.has_friction() {
                kkt.add(0, lambda, 1.0, &t.g_lambda);
            }
        }
        let curved = kinematics.as_mut().filter(|kin| exact && !kin.is_tangent_free());
        if let Some(kin) = curved {
            let n = (form == Form::StabilizedIndex2).then_some(&w.n);
            kin.operators(group, &w.theta, n, &w.eta_h, &w.delta);
            if let Some(n) = n {
                let (s, b) = kin.times_p(group, &w.block_starts, t);
                kkt.add_product(0, eta, 1.0, s, n);
                levels.velocity(own, kkt, (eta, 1.0), b, Some(n));
            }
            let (s, b) = kin.times_w(group, &w.block_starts, t, m > 0 && hidden);
            kkt.add(0, 0, 1.0, s);
            if m > 0 && hidden {
                levels.velocity(own, kkt, (0, 1.0), b, None);
            }
        } else {
            kkt.add(0, 0, 1.0, &t.s);
            if form == Form::StabilizedIndex2 {
                kkt.add_product(0, eta, 1.0, &t.s, &w.n);
                levels.velocity(own, kkt, (eta, 1.0), &t.b, Some(&w.n));
            }
            if hidden {
                levels.velocity(own, kkt, (0, 1.0), &t.b, None);
            }
        }
        if form == Form::Index1 && exact {
            // d/dv of Z(v,v) is 2 Y + B v^ (17); its derivative in q comes from differences.
            acceleration_rows(system, w, kinematics.as_deref(), kkt, lambda);
        }
        w.kinematics = kinematics;
        let t = &mut w.tangents;
        if exact && !local {
            kkt.add(0, 0, h * h, &t.k);
        }
        if local {
            w.chart.tangent(group, &w.theta, &mut w.blocks);
            t.k.mul_tangent(group, &w.blocks, &w.block_starts);
            kkt.add(0, 0, h * h, &t.k);
            if m > 0 {
                t.b.mul_tangent(group, &w.blocks, &w.block_starts);
            }
            if hidden && form != Form::Index1 {
                t.y.mul_tangent(group, &w.blocks, &w.block_starts);
            }
        }
        let own = &mut w.velocity_rows;
        levels.position(own, kkt, &t.b);
        if exact && hidden && form != Form::Index1 {
            levels.velocity(own, kkt, (0, 1.0 / dv), &t.y, None);
        }
        levels.no_eta(own, kkt);
        if n_s > 0 {
            if local {
                t.h_q.mul_tangent(group, &w.blocks, &w.block_starts);
            }
            kkt.add(0, s, h * h, &t.r_s);
            kkt.add(s, 0, 1.0, &t.h_q);
            kkt.add(s, s, 1.0, &t.h_s);
        }
        w.regularise(system, kkt);
    }

    /// Regularises redundant rows in the iteration matrix.
    fn regularise(&self, system: &dyn System, kkt: &mut Kkt) {
        let (k, c_m) = (self.theta.len(), self.c_m());
        let eta = k + self.trial.lambda.len() + self.trial.s.len();
        for (i, d) in system.row_weights().unwrap_or(&[]).iter().enumerate() {
            kkt.add_diagonal(k + i, -self.eps * d / c_m);
            if self.form == Form::StabilizedIndex2 {
                kkt.add_diagonal(eta + i, self.eps * d);
            }
        }
    }

    /// The derivatives of the equations of the step at the iterate, for [`apply`](Self::apply) and [`transfer`](Self::transfer).
    pub(crate) fn linearise(&mut self, system: &dyn System) {
        let want = Want {
            c_m: self.c_m(),
            c_d: self.h * self.h * self.dv,
            stiffness: true,
            constraint: !self.trial.lambda.is_empty(),
            curvature: self.form == Form::StabilizedIndex2 || !self.velocity_rows.rows.is_empty(),
        };
        self.tangents.evaluate(system, &self.trial.at(), want);
    }

    /// out = J xi with the iteration matrix J of [`Condensed`], after [`linearise`](Self::linearise); forms index-3
    /// and stabilized index-2.
    pub(crate) fn apply(&mut self, system: &dyn System, xi: &[f64], out: &mut [f64]) {
        let (h2, dv, c_m) = (self.h * self.h, self.dv, self.c_m());
        let stabilized = self.form == Form::StabilizedIndex2;
        let w = self;
        let t = &w.tangents;
        let (k, m, n_s) = (w.theta.len(), w.trial.lambda.len(), w.trial.s.len());
        let (theta, lambda, s, eta) = (&xi[..k], &xi[k..k + m], &xi[k + m..k + m + n_s], &xi[k + m + n_s..]);
        out.fill(0.0);
        let (dynamics, rest) = out.split_at_mut(k);
        let (rows, rest) = rest.split_at_mut(m);
        let (algebraic, hidden) = rest.split_at_mut(n_s);
        // Variation of v in units of dv, and variation of q.
        let (moved, turned) = w.scratch[..2 * k].split_at_mut(k);
        moved.copy_from_slice(theta);
        if stabilized {
            w.n.gemv(1.0, eta, moved);
        }
        system.group().tangent_times(&w.theta, theta, turned);
        t.s.gemv(1.0, moved, dynamics);
        t.k.gemv(h2, turned, dynamics);
        if m > 0 {
            t.b.gemv_transpose(1.0, lambda, dynamics);
            if t.has_friction() {
                t.g_lambda.gemv(1.0, lambda, dynamics);
            }
            t.b.gemv(1.0, turned, rows);
        }
        if stabilized && m > 0 {
            t.b.gemv(1.0, moved, hidden);
            t.y.gemv(1.0 / dv, turned, hidden);
        }
        let own = &mut w.velocity_rows;
        if !own.rows.is_empty() {
            own.rates.fill(0.0);
            t.b.gemv(1.0, moved, &mut own.rates);
            t.y.gemv(1.0 / dv, turned, &mut own.rates);
            for &i in &own.rows {
                rows[i] = own.rates[i];
                if stabilized {
                    hidden[i] = eta[i];
                }
            }
        }
        for (i, d) in system.row_weights().unwrap_or(&[]).iter().enumerate() {
            rows[i] -= w.eps * d / c_m * lambda[i];
            if stabilized {
                hidden[i] += w.eps * d * eta[i];
            }
        }
        if n_s > 0 {
            t.r_s.gemv(h2, s, dynamics);
            t.h_q.gemv(1.0, turned, algebraic);
            t.h_s.gemv(1.0, s, algebraic);
        }
    }

    /// (S p + (c_m/dv) M l_v, 0, 0, B p), with B p of rows of velocity in the second place: what the truncation errors p = l_q - l_v/dv and l_v do to the equations of the step.
    pub(crate) fn transfer(&mut self, system: &dyn System, p: &[f64], l_v: &[f64], out: &mut [f64]) {
        let per_velocity = self.c_m() / self.dv;
        let stabilized = self.form == Form::StabilizedIndex2;
        let w = self;
        let (k, m, n_s) = (w.theta.len(), w.trial.lambda.len(), w.trial.s.len());
        out.fill(0.0);
        w.tangents.s.gemv(1.0, p, &mut out[..k]);
        // The residual is affine in v': M l_v is a difference.
        let (with, rest) = w.scratch.split_at_mut(k);
        let (without, zero) = rest.split_at_mut(k);
        zero.fill(0.0);
        system.residual(&At { vdot: l_v, ..w.trial.at() }, with);
        system.residual(&At { vdot: zero, ..w.trial.at() }, without);
        for i in 0..k {
            out[i] += per_velocity * (with[i] - without[i]);
        }
        if stabilized && m > 0 {
            w.tangents.b.gemv(1.0, p, &mut out[k + m + n_s..]);
        }
        let own = &mut w.velocity_rows;
        if !own.rows.is_empty() {
            own.rates.fill(0.0);
            w.tangents.b.gemv(1.0, p, &mut own.rates);
            for &i in &own.rows {
                out[k + i] = own.rates[i];
                if stabilized {
                    out[k + m + n_s + i] = 0.0;
                }
            }
        }
    }
}

/// Rows of the index-1 form beyond B: (h^2/c_m) [ dv (2 Y + B v^) + D_q(...) T ].
fn acceleration_rows(
    system: &dyn System,
    w: &mut Condensed,
    kinematics: Option<&Kinematics>,
    kkt: &mut Kkt,
    row: usize,
) {
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
    kkt.add(row, 0, scale, &block);
}
