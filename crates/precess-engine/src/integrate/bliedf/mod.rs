//! BLieDF2nd: k-step BDF methods on Lie groups, k = 2..6 (Wieloch, Arnold, "BLieDF2nd - a k-step BDF
//! integrator for constrained mechanical systems on Lie groups").
//!
//! ```text
//! q_np1 = q_n o exp(h Dq_n)                                                            (20a), (23a)
//! sum_{i=1..k} gamma_i Dq_np1mi = v_np1 + h^2 L_k  [ - N_np1 eta_np1 ]                 (20b), (23b)
//! M(q_np1) (1/h) sum_{i=0..k} alpha_i v_np1mi = -g - B^T(q_np1) lambda_np1             (20c), (23c)
//! index-3:           Phi(q_np1) = 0                                                    (23d)
//! stabilized-index2: Phi(q_np1) = 0 and B(q_np1) v_np1 = 0
//! ```
//!
//! with N = B^T ([`Eta::Paper`]) or M^-1 B^T ([`Eta::Mass`]) at q_np1. The stabilized form is not in the
//! paper, which announces it as future work. Index-2 and index-1 forms work as for generalized-alpha.
//!
//! **The correction.** Over one step h Dq = int v dt + c, where c are the commutators of the Magnus series
//! (29), and BDF formulas apply to int v only. [`Correction::Magnus`] subtracts c from every increment: with
//! psi = h Dq - c
//!
//! ```text
//! sum_{i=1..k} gamma_i psi_np1mi / h = v_np1,      that is   h^2 L = sum_i gamma_i c_np1mi / h,
//! ```
//!
//! where c_n is taken from the polynomial of degree k through v_n, ..., v_nmk, extrapolated over the step,
//! and from the Magnus expansion of order 6. It is computed once per step, explicitly, works for all k, and
//! does not need equal steps ([`coefficients`]). In index-3 form all c are computed again in every step from
//! v_n, ..., v_nmk+1: stored ones are unstable there. [`Correction::Paper`] is the table (22), L_2 = 0, L_3 =
//! v_n^ v'_n / 12, L_4 = v_n^ v'_np1 / 12 with difference quotients for v': at most one commutator per step,
//! equal steps only.
//!
//! **The step** ([`Step`](super::Step)): v_np1 and v'_np1 are affine in
//! theta = h Dq_n with dv = alpha_0/h, da = (alpha_0/h)^2, and the predictor is the polynomial through the
//! known values, so the first Newton correction is O(h^kp1).
//!
//! **Starting values.** The first k steps come from an extrapolated implicit one-step method (order k + 1, k
//! (k+1) (k+2)/2 small implicit steps), so the first step of the method is from t_k to t_kp1. The paper has
//! one value less (21); [`Bliedf::with_history`] takes k values as in the paper, or k + 1. In index-3 form
//! v_0, ..., v_k are shifted by (56), Dv = M^-1 B^T (B M^-1 B^T)^-1 B l^q / h with the local error l^q of
//! (24a) evaluated from the starting values; otherwise the multipliers lose an order in the first steps.
//!
//! **Order** k in q, v and lambda, over the whole interval. Without correction 2 (for k = 3 on the heavy top
//! the term in h^2 is so small that it appears only below h = 1e-4). The angle alpha of A(alpha)-stability is
//! 90, 86.0, 73.4, 51.8, 17.8 degrees for k = 2, ..., 6: k = 5 and 6 are for problems without weakly damped
//! high frequencies.
//!
//! **Preserved**: Phi = 0 in both forms, also B v = 0 in the stabilized one.
//!
//! **Measured** (heavy top with 150 rad/s, R^3xSO(3), Magnus correction; stabilized with N = B^T; errors of
//! q, absolute, and lambda, relative, over [0, 1], and error of q at t = 2, index-3 with (22) for k <= 4):
//!
//! | k | stabilized, h = 1e-3: q | lambda | h = 2.5e-4: q | lambda | index-3, h = 1.25e-4, t = 2: q |
//! |---|---|---|---|---|---|
//! | 2 | 1.8e-2 | 9.0e-3 | 1.0e-3 | 4.9e-4 | 1.3e-3 |
//! | 3 | 2.4e-3 | 2.1e-3 | 4.2e-5 | 3.4e-5 | 1.0e-4 |
//! | 4 | 2.6e-4 | 1.4e-4 | 8.5e-7 | 4.1e-7 | 3.7e-7 |
//! | 5 | 2.8e-5 | 2.7e-5 | 3.5e-8 | 2.9e-8 | 1.8e-8 |
//! | 6 | 4.4e-6 | 2.5e-6 | 8.3e-10 | 4.2e-10 | 4.8e-11 |
//!
//! An error of 1e-6 in q over [0, 1] costs 21, 38 and 54 times less time with k = 4, 5, 6 than with
//! generalized-alpha (`examples/work_precision.rs`). Rounding errors of lambda are about 1e-16/h^2 in index-3
//! form.
//!
//! **Choice of k.** k = 2 for stiff problems and low accuracy (with N = B^T its error is about twice that of
//! generalized-alpha); k = 3 with stiff forces; k = 4 as the rule for errors below 1e-4; k = 5, 6 in
//! stabilized form for smooth motion and errors below 1e-7. Index-3 with k = 5, 6 is unstable for some steps
//! at which the stabilized form is stable (heavy top with 150 rad/s: k = 5 at h = 2e-3, k = 6 at h = 1e-3).

pub mod coefficients;
pub(crate) mod correction;
mod starting;
mod step;

pub use correction::Correction;

use self::coefficients::{check_k, gamma, lagrange};
use self::step::{History, MultiStep};
use super::chart::Chart;
use super::form::{Eta, Form};
use super::implicit::{Implicit, Newton};
use super::integrator::{Integrator, StepReport, check_step};
use super::project::project_velocity;
use super::recovery::{PARTS, Rescue};
use super::start::{add, explain};
use crate::Error;
use crate::integrate::saddle::Saddle;
use crate::mechanics::{State, System, Tangents, Want};
use crate::persist::{Archive, Damage, Persist, ensure};

/// BLieDF with k steps.
#[derive(Clone, Debug)]
pub struct Bliedf {
    /// Shift the starting velocities by (56) in index-3 form.
    pub modified_start: bool,
    multistep: Implicit<MultiStep>,
    /// Starting values given by the user.
    given: Vec<State>,
    /// Starting values; those from `next` on have not been returned yet.
    states: Vec<State>,
    next: usize,
    h: f64,
    no_eta: Vec<f64>,
}

impl Bliedf {
    /// BLieDF with k = 2..6 in this form, with the Magnus correction.
    pub fn new(k: usize, form: Form) -> Result<Self, Error> {
        check_k(k)?;
        Ok(Bliedf {
            modified_start: true,
            multistep: Implicit::new(MultiStep::new(k, form)),
            given: Vec::new(),
            states: Vec::new(),
            next: 0,
            h: 0.0,
            no_eta: Vec::new(),
        })
    }

    /// With this correction.
    pub fn with_correction(mut self, correction: Correction) -> Result<Self, Error> {
        if correction == Correction::Paper && self.k() > 4 {
            return Err(Error::Parameter {
                name: "k",
                value: self.k() as f64,
                expected: "the paper's correction is tabulated for k = 2, 3, 4; use correction = magnus",
            });
        }
        self.multistep.scheme.correction = correction;
        Ok(self)
    }

    /// With these local coordinates of the group. Increments of the Cayley map differ from those of exp in
    /// third order, like the corrections: only k = 2 keeps its order.
    pub fn with_chart(mut self, chart: Chart) -> Result<Self, Error> {
        if chart != Chart::Exponential && self.k() > 2 {
            return Err(Error::Parameter {
                name: "k",
                value: self.k() as f64,
                expected: "k = 2 with the Cayley map: corrections of higher order are those of the \
                           exponential map",
            });
        }
        self.multistep.scheme.chart = chart;
        Ok(self)
    }

    /// With this direction of stabilisation.
    pub fn with_eta(mut self, eta: Eta) -> Self {
        self.multistep.scheme.eta_direction = eta;
        self
    }

    /// With these Newton settings.
    pub fn with_newton(mut self, newton: Newton) -> Self {
        self.multistep.newton = newton;
        self
    }

    /// With or without (56) in index-3 form.
    pub fn with_modified_start(mut self, modified: bool) -> Self {
        self.modified_start = modified;
        self
    }

    /// With known values at t_0, t_0 + h, ..., instead of computed ones: k states as in (21), or k + 1.
    /// Every start from a state with the time of the first one uses them.
    pub fn with_history(mut self, states: Vec<State>) -> Result<Self, Error> {
        if ![self.k(), self.k() + 1].contains(&states.len()) {
            return Err(Error::Length {
                what: "the history of a k-step method (k + 1 states, or k)",
                found: states.len(),
                expected: self.k() + 1,
            });
        }
        self.given = states;
        Ok(self)
    }

    /// Number of steps.
    pub fn k(&self) -> usize {
        self.multistep.scheme.k
    }

    /// Lie brackets evaluated in steps so far, without those of the start.
    pub fn commutators(&self) -> usize {
        self.multistep.scheme.commutators.count
    }

    /// The given states, or computed ones. If these cannot be computed, they are computed with shorter steps.
    fn starting_values(&self, system: &dyn System, state: &State, h: f64) -> Result<Vec<State>, Error> {
        let suits = |given: &[State]| {
            given.iter().enumerate().all(|(j, x)| (x.t - state.t - j as f64 * h).abs() <= 1e-6 * h.abs())
        };
        if !self.given.is_empty() && suits(&self.given) {
            return Ok(self.given.clone());
        }
        // A run that starts again at a jump of the forces has the velocities of (56); values are computed
        // from consistent ones.
        let mut consistent;
        let mut state = state;
        if self.multistep.scheme.form == Form::Index3 && system.n_lambda() > 0 {
            consistent = state.clone();
            project_velocity(system, &mut consistent)?;
            state = &consistent;
        }
        let first = self.computed(system, state, h, 1);
        if first.is_ok() || !self.multistep.newton.recovery {
            return first;
        }
        let shorter = PARTS.into_iter().find_map(|parts| self.computed(system, state, h, parts).ok());
        shorter.map_or(first, Ok)
    }

    /// Starting values from the extrapolated one-step method, with this number of its steps in each step.
    fn computed(
        &self,
        system: &dyn System,
        state: &State,
        h: f64,
        parts: usize,
    ) -> Result<Vec<State>, Error> {
        let (k, newton, eta) = (self.k(), self.multistep.newton, self.multistep.scheme.eta_direction);
        let all = starting::states(system, state, h / parts as f64, k * parts, k + 1, newton, eta)?;
        Ok(all.into_iter().step_by(parts).collect())
    }

    /// Starts again from the state, with shorter steps if necessary. The order is that of the starting
    /// values, k + 1. Returns the number of parts of a step, if that succeeded.
    fn start_again(&mut self, system: &dyn System, state: &mut State, h: f64) -> Option<usize> {
        let mut from = state.clone();
        project_velocity(system, &mut from).ok()?;
        for parts in [1].into_iter().chain(PARTS) {
            if let Ok(states) = self.computed(system, &from, h, parts)
                && self.begin(system, &mut from.clone(), h, states).is_ok()
            {
                state.copy_from(&self.states[1]);
                self.next = 2;
                return Some(parts);
            }
        }
        None
    }

    /// psi, v and spacing from k + 1 states with equal distances. If there are only k, polynomials through
    /// them give the oldest values, on which only the first guess and the commutators of the Magnus
    /// expansion depend.
    fn fill_history(&mut self, system: &dyn System) {
        let stores_psi = self.multistep.scheme.stores_psi(&self.multistep.step);
        let scheme = &mut self.multistep.scheme;
        let (k, h, group) = (scheme.k, self.h, system.group());
        let History { psi, v, spacing } = &mut scheme.history;
        spacing.fill(h);
        let last = self.states.len() - 1;
        for (v, state) in v.iter_mut().zip(self.states.iter().rev()) {
            v.copy_from_slice(&state.v);
        }
        if last < k {
            extrapolate(v);
        }
        let points: Vec<f64> = (0..=k).map(|j| -(j as f64)).collect();
        for (i, psi) in psi.iter_mut().enumerate().take(last) {
            scheme.chart.difference(group, &self.states[last - 1 - i].q, &self.states[last - i].q, psi);
            if stores_psi {
                let weights = coefficients::GAUSS.map(|x| {
                    let mut w = vec![0.0; k + 1];
                    lagrange(&points, x - (i + 1) as f64, &mut w);
                    w
                });
                scheme.commutators.magnus(group, h, &weights, &*v, &mut scheme.c);
                for (p, c) in psi.iter_mut().zip(&scheme.c) {
                    *p -= c;
                }
            }
        }
        if last < k {
            extrapolate(psi);
        }
    }

    /// Dv of (56) from l^q of (24a) for the step that ends at t_k.
    fn velocity_shift(&mut self, system: &dyn System) -> Result<Vec<f64>, Error> {
        let scheme = &mut self.multistep.scheme;
        let (k, h) = (scheme.k, self.h);
        let last = &self.states[k];
        // l^q / h.
        let mut wanted: Vec<f64> = last.v.iter().map(|v| -v).collect();
        for (gamma, psi) in gamma(k).iter().zip(&scheme.history.psi) {
            for (w, p) in wanted.iter_mut().zip(psi) {
                *w += gamma / h * p;
            }
        }
        scheme.weights.update(k, h, &scheme.history.spacing);
        scheme.explicit_term(system.group(), h, 1);
        for (w, l) in wanted.iter_mut().zip(&scheme.c) {
            *w -= l;
        }
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &last.at(), Want::SADDLE);
        let mut right = nalgebra::DVector::zeros(last.lambda.len());
        tangents.b.gemv(1.0, &wanted, right.as_mut_slice());
        system.velocity_rows().iter().for_each(|&i| right[i] = 0.0);
        let zero = nalgebra::DVector::zeros(last.v.len());
        let (dv, _) = Saddle::new(system)
            .solve(system, &tangents, &zero, &right)
            .map_err(|e| explain(system, last.t, e))?;
        Ok(dv.as_slice().to_vec())
    }

    /// Starts with these states.
    fn begin(
        &mut self,
        system: &dyn System,
        state: &mut State,
        h: f64,
        states: Vec<State>,
    ) -> Result<(), Error> {
        self.states = states;
        self.h = h;
        self.multistep.start(system, state, h)?;
        let k = self.k();
        let shifts =
            self.modified_start && self.multistep.scheme.form == Form::Index3 && system.n_lambda() > 0;
        // (56) needs the value at t_k as well; with a history of k values it is computed and used for
        // nothing else.
        let given = self.states.len();
        if shifts && given == k {
            let (newton, eta) = (self.multistep.newton, self.multistep.scheme.eta_direction);
            let next = starting::states(system, &self.states[k - 1], h, 1, k + 1, newton, eta)?.pop();
            self.states.extend(next);
        }
        self.fill_history(system);
        if shifts {
            let dv = self.velocity_shift(system)?;
            if given == k {
                self.states.pop();
                self.fill_history(system);
            }
            for s in &mut self.states {
                add(&mut s.v, &dv);
            }
            for v in &mut self.multistep.scheme.history.v {
                add(v, &dv);
            }
        }
        self.multistep.scheme.commutators.count = 0;
        self.no_eta = vec![0.0; system.n_lambda()];
        self.next = 1;
        state.copy_from(&self.states[0]);
        Ok(())
    }
}

/// Sets the last of these vectors, newest first, so that their difference of the highest order is zero.
fn extrapolate(vectors: &mut [Vec<f64>]) {
    let n = vectors.len();
    let Some((last, others)) = vectors.split_last_mut() else { return };
    last.fill(0.0);
    // (1 - x)^(n - 1): 1, -(n - 1), ...; the last coefficient is +-1.
    let mut binomial = 1.0;
    for (j, x) in others.iter().enumerate() {
        let weight = if (n - j).is_multiple_of(2) { binomial } else { -binomial };
        for (l, x) in last.iter_mut().zip(x) {
            *l += weight * x;
        }
        binomial *= (n - 1 - j) as f64 / (j + 1) as f64;
    }
}

impl Integrator for Bliedf {
    fn name(&self) -> &'static str {
        "bliedf"
    }

    fn order(&self) -> usize {
        self.k()
    }

    /// Computes the first k steps; [`step`](Integrator::step) returns them one by one.
    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        let states = self.starting_values(system, state, h)?;
        self.begin(system, state, h, states)
    }

    /// Without the shift (56).
    fn restart(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        let usual = std::mem::replace(&mut self.modified_start, false);
        let started = self.start(system, state, h);
        self.modified_start = usual;
        started
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        if self.next < self.states.len() {
            if h != self.h {
                self.start(system, state, h)?;
            }
            state.copy_from(&self.states[self.next]);
            self.next += 1;
            return Ok(StepReport::default());
        }
        let scheme = &mut self.multistep.scheme;
        if scheme.correction == Correction::Paper {
            scheme.weights.update(scheme.k, h, &scheme.history.spacing);
            if !scheme.weights.uniform(scheme.k) {
                return Err(Error::Unsupported {
                    method: "bliedf".to_string(),
                    reason: "the step size has changed, and the paper's correction is for equal steps; \
                             use correction = magnus, or start again"
                        .to_string(),
                });
            }
        }
        let error = match self.multistep.step(system, state, h) {
            Err(error) if self.multistep.newton.recovery => error,
            other => return other,
        };
        let parts = self.start_again(system, state, h).ok_or(error)?;
        Ok(StepReport { rescue: Some(Rescue::Split(parts)), ..StepReport::default() })
    }

    fn eta(&self) -> Option<&[f64]> {
        let eta = self.multistep.eta()?;
        // Values from the start needed no eta.
        Some(if self.next < self.states.len() { &self.no_eta } else { eta })
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Bliedf { modified_start: _, multistep, given: _, states, next, h, no_eta: _ } = self;
        multistep.persist(archive)?;
        (&mut *states, (&mut *next, &mut *h)).persist(archive)?;
        ensure(*next <= states.len(), || "more starting values were used than there are".to_string())?;
        ensure(*h > 0.0, || "the step of the start is not positive".to_string())
    }
}
