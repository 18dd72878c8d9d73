//! One step of BLieDF as a [`Scheme`]: history, predictor, coefficients. [`Step`] does everything else.

use super::coefficients::GridWeights;
use super::correction::{Commutators, Correction, combine};
use crate::Error;
use crate::integrate::chart::Chart;
use crate::integrate::form::{Eta, Form};
use crate::integrate::implicit::Scheme;
use crate::integrate::step::{Linear, Method, Step};
use crate::mechanics::{Dynamics, State, System};
use crate::persist::{Archive, Damage, Persist};
use precess_lie::Product;

/// Linear increments and velocities of the last steps, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// psi_i = theta_i - c_i over [t_nmi, t_nmi+1], i = 1..k; theta_i if the commutators are not stored.
    pub psi: Vec<Vec<f64>>,
    /// v_n, ..., v_nmk.
    pub v: Vec<Vec<f64>>,
    /// t_nmi+1 - t_nmi.
    pub spacing: Vec<f64>,
}

/// The k-step method once its history is filled; k = 1 is the backward Euler method and needs no history.
#[derive(Clone, Debug)]
pub(super) struct MultiStep {
    pub k: usize,
    pub form: Form,
    pub correction: Correction,
    pub eta_direction: Eta,
    pub chart: Chart,
    pub history: History,
    pub weights: GridWeights,
    pub commutators: Commutators,
    /// c of the current step if psi is stored, otherwise h^2 L.
    pub c: Vec<f64>,
    /// c of one interval.
    part: Vec<f64>,
    v_pred: Vec<f64>,
}

crate::persist!(History { psi, v, spacing } where |x| {
    x.spacing.iter().all(|h| *h > 0.0) => "the times of the history do not increase",
});
crate::persist!(MultiStep { history, commutators } given {
    k, form, correction, eta_direction, chart, weights, c, part, v_pred
});

impl MultiStep {
    pub fn new(k: usize, form: Form) -> Self {
        MultiStep {
            k,
            form,
            correction: Correction::default(),
            eta_direction: Eta::default(),
            chart: Chart::default(),
            history: History::default(),
            weights: GridWeights::default(),
            commutators: Commutators::default(),
            c: Vec::new(),
            part: Vec::new(),
            v_pred: Vec::new(),
        }
    }

    /// Predictor of the backward Euler method: delta = 0 is v_np1 = v_n. The known acceleration improves the
    /// first guess, but only after N was computed. Otherwise N would depend on the previous step, and the
    /// error would have no expansion in powers of h.
    fn predict_euler(step: &mut Step) {
        let h = step.h;
        (step.dv, step.da) = (1.0 / h, 1.0 / (h * h));
        for i in 0..step.theta_0.len() {
            let v = step.past[0][i];
            step.theta_0[i] = h * v;
            step.v_0[i] = v;
            step.vdot_0[i] = 0.0;
        }
    }

    /// True if c is subtracted from the increments permanently. In index-3 form only (23b) controls the part
    /// of v normal to the constraints. There c of earlier steps, from velocities with errors, would feed
    /// these errors back (measured: k = 4 unstable at h = 1e-3), so h^2 L is computed again from the latest
    /// polynomial in every step.
    pub fn stores_psi(&self, step: &Step) -> bool {
        let constrained = !step.trial.lambda.is_empty();
        self.correction == Correction::Magnus && (self.form != Form::Index3 || !constrained)
    }

    /// Writes h^2 L of (23b) from v_n, v_nm1, ... to `c`.
    pub fn explicit_term(&mut self, group: &Product, h: f64, newest: usize) {
        let MultiStep { k, history, weights, commutators, c, part, .. } = self;
        let v = &history.v[newest..];
        match self.correction {
            Correction::None => c.fill(0.0),
            Correction::Paper => commutators.table(group, h, *k, v, c),
            Correction::Magnus => {
                c.fill(0.0);
                for i in 0..=*k {
                    let (length, weight) = match i.checked_sub(1) {
                        None => (h, weights.cj),
                        Some(j) => (history.spacing[j], weights.slope[j] - weights.cj * weights.value[j]),
                    };
                    // Zero for the oldest interval of equal steps, up to rounding errors.
                    if weight.abs() > 1e-9 * weights.cj {
                        commutators.magnus(group, length, &weights.gauss_all[i], v, part);
                        for (c, p) in c.iter_mut().zip(part.iter()) {
                            *c += weight * p;
                        }
                    }
                }
            }
        }
    }

    /// Predictor of BDF: delta = 0 is the polynomial through the known values.
    fn predict_bdf(&mut self, step: &mut Step, group: &Product) {
        let (k, h) = (self.k, step.h);
        self.weights.update(k, h, &self.history.spacing);
        let stores_psi = self.stores_psi(step);
        if stores_psi {
            let MultiStep { history, weights, commutators, c, .. } = self;
            commutators.magnus(group, h, &weights.gauss, &history.v, c);
        } else {
            self.explicit_term(group, h, 0);
        }
        let MultiStep { history, weights, c, v_pred, .. } = self;
        let cj = weights.cj;
        (step.dv, step.da) = (cj, cj * cj);
        combine(&weights.value[..k], &history.psi, &mut step.theta_0);
        combine(&weights.slope[..k], &history.psi, &mut step.v_0);
        let shifted = if stores_psi { (&mut step.theta_0, 1.0) } else { (&mut step.v_0, -1.0) };
        for (x, c) in shifted.0.iter_mut().zip(c) {
            *x += shifted.1 * *c;
        }
        // Computed from differences: rounding errors of the weights must not act on a constant velocity.
        v_pred.copy_from_slice(&history.v[0]);
        step.vdot_0.fill(0.0);
        for (i, pair) in history.v.windows(2).enumerate() {
            for j in 0..v_pred.len() {
                let difference = pair[0][j] - pair[1][j];
                v_pred[j] += weights.value[i] * difference;
                step.vdot_0[j] += weights.slope[i] * difference;
            }
        }
        for i in 0..v_pred.len() {
            step.vdot_0[i] += cj * (step.v_0[i] - v_pred[i]);
        }
    }
}

impl Method<f64> for MultiStep {
    fn predict(
        &mut self,
        step: &mut Step,
        dynamics: &(impl Dynamics<f64> + ?Sized),
        linear: &mut impl Linear<f64>,
    ) {
        let (group, h) = (dynamics.group(), step.h);
        // A projection may have changed v.
        self.history.v[0].copy_from_slice(&step.past[0]);
        if self.k == 1 {
            Self::predict_euler(step);
        } else {
            self.predict_bdf(step, group);
        }
        // eta in the scaling of the paper.
        step.eta_unit = step.dv * h;
        step.end_time();
        step.follow(group);
        if self.form == Form::StabilizedIndex2 {
            // At the predicted q_np1, which differs from the final one by O(h^kp1), while eta is O(h^k).
            linear.direction(self.eta_direction, step, dynamics);
        }
        if self.k == 1 {
            for (d, a) in step.delta.iter_mut().zip(&step.past[1]) {
                *d = h * h * a;
            }
            step.follow(group);
        }
    }

    fn accept(&mut self, step: &mut Step) {
        let stores_psi = self.stores_psi(step);
        let History { psi, v, spacing } = &mut self.history;
        spacing.rotate_right(1);
        spacing[0] = step.h;
        psi.rotate_right(1);
        psi[0].copy_from_slice(step.theta());
        if stores_psi {
            for (p, c) in psi[0].iter_mut().zip(&self.c) {
                *p -= c;
            }
        }
        v.rotate_right(1);
        v[0].copy_from_slice(&step.trial.v);
    }
}

impl Scheme for MultiStep {
    fn name(&self) -> &'static str {
        "bliedf"
    }

    fn order(&self) -> usize {
        self.k
    }

    fn form(&self) -> Form {
        self.form
    }

    /// Allocates only; [`Bliedf`](super::Bliedf) fills the history.
    fn start(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        _h: f64,
    ) -> Result<(), Error> {
        self.chart.check(system)?;
        step.maps = self.chart.maps();
        let dim = state.v.len();
        let rows = |n: usize| vec![vec![0.0; dim]; n];
        self.history = History { psi: rows(self.k), v: rows(self.k + 1), spacing: vec![0.0; self.k] };
        self.weights = GridWeights::default();
        self.commutators.resize(dim);
        self.c = vec![0.0; dim];
        self.part = vec![0.0; dim];
        self.v_pred = vec![0.0; dim];
        Ok(())
    }

    fn remedies(&self, system: &dyn System) -> Vec<&'static str> {
        let mut list = vec!["a smaller step"];
        if self.k > 4 {
            list.push("k = 4");
        }
        if self.form != Form::StabilizedIndex2 && system.n_lambda() > 0 {
            list.push("the form stabilized-index2");
        }
        list.push("a tolerance instead of a step");
        list
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        Persist::persist(self, archive)
    }
}
