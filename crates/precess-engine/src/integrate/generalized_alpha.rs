//! Generalized-alpha on Lie groups (Arnold, Cardona, Brüls 2015, "LA").
//!
//! ```text
//! q_np1 = q_n o exp(h Dq_n)                                                  (37a)
//! Dq_n  = v_n + (1/2 - beta) h a_n + beta h a_np1   [ - N_n eta_n ]          (37b), (56b)
//! v_np1 = v_n + (1 - gamma) h a_n + gamma h a_np1                            (37c)
//! (1 - alpha_m) a_np1 + alpha_m a_n = (1 - alpha_f) v'_np1 + alpha_f v'_n    (37d)
//! M v'_np1 + g + B^T lambda_np1 = 0                                          (37e)
//! index-3:           Phi(q_np1) = 0                                          (37f)
//! stabilized-index2: Phi(q_np1) = 0 and B(q_np1) v_np1 = 0                   (56f, 56g)
//! index-2:           B(q_np1) v_np1 = 0
//! index-1:           B v'_np1 + Z(v_np1, v_np1) = 0
//! ```
//!
//! with N_n = B^T(q_n) as printed ([`Eta::Paper`]) or M^-1 B^T ([`Eta::Mass`], independent of the units).
//!
//! The [step](super::step) is solved with delta = h^2 beta (a_np1 - a_n):
//!
//! ```text
//! theta_0 = h v_n + h^2 a_n / 2,   a_np1 = a_n + delta / (beta h^2)
//! v_np1   = v_n + h a_n + gamma/(beta h) delta                                              (58b)
//! v'_np1  = (a_n - alpha_f v'_n)/(1 - alpha_f) + (1 - alpha_m)/(beta (1 - alpha_f) h^2) delta    (58c)
//! ```
//!
//! The sigma-modification of the increment, off by default, is in [`Sigma`](super::Sigma).
//!
//! **Order** 2 in q and v in all forms. Multipliers: index-3 with the classical start a_0 = v'_0 has a
//! transient of order 1; Table 2 removes it. Stabilized index-2 has order 2 with Table 1; its classical
//! transient is small.
//!
//! **Preserved**: index-3 keeps Phi = 0, stabilized index-2 also B v = 0, index-2 only B v = 0 (Phi drifts by
//! O(h^2)), index-1 neither.
//!
//! **Measured** (heavy top, rho 0.9, h = 1e-3, [0, 1], SO(3)xR^3, norms of `precess::study::errors`): index-3
//! q 1.28e-2, v 8.1e-4, lambda 0.306 (Table 2: 1.09e-2); stabilized index-2 (paper's eta) q 8.2e-3, lambda
//! 3.0e-3.

use precess_lie::Number;

use super::alpha::Alpha;
use super::chart::Chart;
use super::form::{Eta, Form};
use super::implicit::{Guess, Implicit, Scheme};
use super::project::project_velocity;
use super::sigma::{Kinematics, Modification};
use super::start::Accelerations;
use super::step::guess::Past;
use super::step::{Formulas, KktFactors, Linear, Method, Runs, Step};
use crate::Error;
use crate::integrate::saddle::Saddle;
use crate::mechanics::{Dynamics, State, System, Want};
use crate::persist::{Archive, Damage, Persist};

/// Starting values of a_n and v_n (LA, section 4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// a_0 = v'_0.
    #[default]
    Classical,
    /// Table 1: a_0 = v'(t_0 + Delta_alpha h) + O(h^2) by differences over +-s h.
    Table1 {
        /// Parameter s in (0, 1].
        s: f64,
    },
    /// Table 2: Table 1 and, in index-3 form, the velocity perturbation (142).
    Table2 {
        /// Parameter s in (0, 1].
        s: f64,
    },
}

impl Start {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["classical", "table1", "table2"];
}

impl std::str::FromStr for Start {
    type Err = Error;

    /// By name, with the paper's s = 1/10.
    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "classical" => Ok(Start::Classical),
            "table1" => Ok(Start::Table1 { s: 0.1 }),
            "table2" => Ok(Start::Table2 { s: 0.1 }),
            _ => Err(Error::unknown_name("start", name, Self::NAMES)),
        }
    }
}

impl std::fmt::Display for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Start::Classical => "classical",
            Start::Table1 { .. } => "table1",
            Start::Table2 { .. } => "table2",
        })
    }
}

/// The first guess of Newton's method. The result does not depend on it, except for the published variant of
/// [`Sigma`](super::Sigma), which has its own guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predictor {
    /// `Extrapolate` if Newton's method keeps its matrix over steps, else `Constant`.
    #[default]
    Auto,
    /// a_np1 = a_n, lambda_np1 = lambda_n.
    Constant,
    /// v'_np1 = 0, lambda_np1 = 0 as in the papers.
    Paper,
    /// a and lambda from a polynomial through their last values. Its degree, up to 3, is the one that was
    /// closest in the last step.
    Extrapolate,
}

crate::error::named! {
    Predictor, "predictor":
    Auto = "auto",
    Constant = "constant",
    Paper = "paper",
    Extrapolate = "extrapolate",
}

/// The scheme; [`Implicit`](super::Implicit) makes its steps.
#[derive(Clone, Debug)]
pub struct GeneralizedAlpha<T = f64> {
    /// Algorithmic parameters.
    pub alpha: Alpha,
    /// Constraints enforced.
    pub form: Form,
    /// Starting values.
    pub start: Start,
    /// Direction of the stabilisation.
    pub eta_direction: Eta,
    /// Integrate constrained systems even if multiplier errors are not damped (rho = 1).
    pub accept_undamped: bool,
    /// The sigma-modification; none by default.
    pub modification: Modification,
    /// First guess of Newton's method.
    pub predictor: Predictor,
    /// Local coordinates of the group.
    pub chart: Chart,
    past: Past<T>,
}

crate::persist!(GeneralizedAlpha { past } given {
    alpha, form, start, eta_direction, accept_undamped, modification, predictor, chart
});

/// The history is (v_n, v'_n, a_n).
impl Formulas<3> for Alpha {
    #[inline(always)]
    fn start<T: Number>(&self, _: f64, v: T, vdot: T) -> [T; 3] {
        [v, vdot, vdot]
    }

    #[inline(always)]
    fn slopes(&self, h: f64) -> [f64; 2] {
        let Alpha { alpha_m, alpha_f, beta, gamma } = *self;
        [gamma / (beta * h), (1.0 - alpha_m) / (beta * (1.0 - alpha_f) * h * h)]
    }

    #[inline(always)]
    fn predict<T: Number>(&self, h: f64, [v, vdot, a]: [T; 3]) -> [T; 3] {
        let [h, half, alpha_f, rest] = [h, 0.5 * h * h, self.alpha_f, 1.0 - self.alpha_f].map(T::of);
        [h * v + half * a, v + h * a, (a - alpha_f * vdot) / rest]
    }

    #[inline(always)]
    fn accept<T: Number>(&self, h: f64, [_, _, a]: [T; 3], [v, vdot]: [T; 2], [_, delta]: [T; 2]) -> [T; 3] {
        [v, vdot, a + T::of(1.0 / (self.beta * h * h)) * delta]
    }
}

impl GeneralizedAlpha {
    /// Generalized-alpha with Chung and Hulbert's parameters for this damping, in this form, with the
    /// classical start.
    pub fn new(rho_inf: f64, form: Form) -> Result<Self, Error> {
        Ok(Self::with_alpha(Alpha::from_rho(rho_inf)?, form))
    }

    /// Generalized-alpha with any parameters.
    pub fn with_alpha(alpha: Alpha, form: Form) -> Self {
        GeneralizedAlpha {
            alpha,
            form,
            start: Start::Classical,
            eta_direction: Eta::default(),
            accept_undamped: false,
            modification: Modification::default(),
            predictor: Predictor::Auto,
            chart: Chart::default(),
            past: Past::new(0, 0),
        }
    }

    /// With these starting values.
    pub fn with_start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// With this direction of stabilisation.
    pub fn with_eta(mut self, eta: Eta) -> Self {
        self.eta_direction = eta;
        self
    }

    /// With this sigma-modification.
    pub fn with_modification(mut self, modification: Modification) -> Self {
        self.modification = modification;
        self
    }

    /// With this predictor.
    pub fn with_predictor(mut self, predictor: Predictor) -> Self {
        self.predictor = predictor;
        self
    }

    /// With these local coordinates of the group.
    pub fn with_chart(mut self, chart: Chart) -> Self {
        self.chart = chart;
        self
    }

    /// The same method for another kind of number, in this form and with this many velocities and multipliers,
    /// at a start.
    pub(super) fn with_numbers<T: Runs>(&self, form: Form, [k, m]: [usize; 2]) -> GeneralizedAlpha<T> {
        GeneralizedAlpha {
            alpha: self.alpha,
            form,
            start: self.start,
            eta_direction: self.eta_direction,
            accept_undamped: self.accept_undamped,
            modification: self.modification,
            predictor: self.predictor,
            chart: self.chart,
            past: Past::new(k, m),
        }
    }

    /// Clears the history of the predictor.
    pub(super) fn forget(&mut self) {
        self.past.forget();
    }

    /// v'(t_0 + s h) - v'(t_0 - s h) over 2 s h: steps 3 and 4 of Tables 1 and 2.
    fn jerk(
        &self,
        system: &dyn System,
        state: &State,
        h: f64,
        s: f64,
        solver: &mut Accelerations,
    ) -> Result<Vec<f64>, Error> {
        let mut jerk = vec![0.0; state.v.len()];
        let mut probe = state.clone();
        for side in [1.0, -1.0] {
            solver.probe(system, state, side * s * h, &mut probe)?;
            for (j, a) in jerk.iter_mut().zip(&probe.vdot) {
                *j += side * a / (2.0 * s * h);
            }
        }
        Ok(jerk)
    }

    /// Delta_0^v of (142): the part of l_q/h normal to the constraints. Velocities that have this part
    /// already, as those of a run that starts again at a jump of the forces, need no other.
    fn velocity_perturbation(
        &self,
        system: &dyn System,
        step: &mut Step,
        state: &State,
        h: f64,
        jerk: &[f64],
    ) -> Result<Vec<f64>, Error> {
        let mut bracket = vec![0.0; state.v.len()];
        system.group().bracket(&state.v, &state.vdot, &mut bracket);
        let c_q = self.alpha.c_q();
        let c_b = 1.0 / 12.0 - self.modification.bracket_coefficient(&self.alpha);
        let mut wanted: Vec<f64> =
            jerk.iter().zip(&bracket).map(|(j, b)| h * h * (c_q * j + c_b * b)).collect();
        self.chart.add_cubic(system.group(), h * h, &state.v, &mut wanted);
        let tangents = &mut step.tangents;
        tangents.evaluate(system, &state.at(), Want::SADDLE);
        let mut right = nalgebra::DVector::zeros(state.lambda.len());
        system.velocity_constraint(&state.at(), right.as_mut_slice());
        right.neg_mut();
        tangents.b.gemv(1.0, &wanted, right.as_mut_slice());
        system.velocity_rows().iter().for_each(|&i| right[i] = 0.0);
        let zero = nalgebra::DVector::zeros(state.v.len());
        let (dv, _) = Saddle::new(system)
            .solve(system, tangents, &zero, &right)
            .map_err(|e| super::start::explain(system, state.t, e))?;
        Ok(dv.as_slice().to_vec())
    }
}

impl<T: Runs> GeneralizedAlpha<T> {
    /// The predictor in use: the published variant of sigma has its own and depends on it.
    #[inline(always)]
    fn predictor(&self, step: &Step<T>) -> Predictor {
        if step.relation.as_ref().is_some_and(|k| k.is_published()) {
            return Predictor::Paper;
        }
        match self.predictor {
            Predictor::Auto if step.keeps_matrix => Predictor::Extrapolate,
            Predictor::Auto => Predictor::Constant,
            named => named,
        }
    }
}

impl<T: Runs> Method<T> for GeneralizedAlpha<T> {
    /// The classical start.
    fn begin(&mut self, step: &mut Step<T>, _: f64) {
        self.past = Past::new(step.trial.v.len(), step.trial.lambda.len());
        step.past[2].copy_from_slice(&step.trial.vdot);
    }

    #[inline(always)]
    fn predict(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) {
        if self.form == Form::StabilizedIndex2 {
            linear.direction(self.eta_direction, step, dynamics);
        }
        step.predict(&self.alpha);
        let predictor = self.predictor(step);
        step.extrapolates = predictor == Predictor::Extrapolate;
        // delta = 0 is a_np1 = a_n.
        match predictor {
            Predictor::Paper => {
                let da = T::of(step.da);
                step.delta.iter_mut().zip(&step.vdot_0).for_each(|(d, a)| *d = -*a / da);
                step.trial.lambda.fill(T::zero());
            }
            Predictor::Extrapolate => self.past.guess(step, self.alpha.beta * step.h * step.h),
            _ => {}
        }
        step.guess(dynamics.group());
    }

    /// a_np1 = a_n + delta / (beta h^2).
    #[inline(always)]
    fn accept(&mut self, step: &mut Step<T>) {
        if self.predictor(step) == Predictor::Extrapolate {
            self.past.append(step, 1.0 / (self.alpha.beta * step.h * step.h));
        }
        step.accept(&self.alpha);
    }
}

impl Implicit<GeneralizedAlpha> {
    /// a_n.
    pub fn a(&self) -> &[f64] {
        &self.step.past[2]
    }
}

impl Scheme for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        "gen-alpha"
    }

    fn copied(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn order(&self) -> usize {
        self.alpha.order()
    }

    fn form(&self) -> Form {
        self.form
    }

    fn histories(&self) -> usize {
        3
    }

    fn check(&self, system: &dyn System) -> Result<(), Error> {
        if system.n_lambda() > 0 && self.form == Form::Index3 && !self.accept_undamped {
            self.alpha.check_stability()?;
        }
        self.chart.check(system)?;
        let sigma = self.modification.sigma.value(&self.alpha);
        if !sigma.is_finite() {
            return Err(Error::Parameter {
                name: "sigma",
                value: sigma,
                expected: "sigma is a finite number",
            });
        }
        if self.form == Form::Index1 && self.modification.variant.is_published() && sigma != 0.0 {
            return Err(Error::Parameter {
                name: "sigma",
                value: sigma,
                expected: "there is no published algorithm for the form index1, use the exact variant",
            });
        }
        Ok(())
    }

    /// Tables 1 and 2 of LA; the classical start is their first two steps with a_0 = v'_0.
    fn start(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        let stabilized = self.form == Form::StabilizedIndex2 && system.n_lambda() > 0;
        let relation = Kinematics::new(&self.modification, &self.alpha, stabilized);
        step.relation = relation.map(|mut relation| {
            relation.resize(system.group(), &step.tangents);
            Box::new(relation) as Box<_>
        });
        step.maps = self.chart.maps();
        step.size_rows(system, state);
        self.past = Past::new(state.v.len(), state.lambda.len());
        let mut solver = Accelerations::new(system);
        solver.solve(system, state)?;
        step.past[2].copy_from_slice(&state.vdot);
        let s = match self.start {
            Start::Classical => return Ok(()),
            Start::Table1 { s } | Start::Table2 { s } => s,
        };
        if !(s > 0.0 && s <= 1.0) {
            return Err(Error::Parameter {
                name: "s",
                value: s,
                expected: "the parameter of Tables 1 and 2 lies in (0, 1]",
            });
        }
        let jerk = self.jerk(system, state, h, s, &mut solver)?;
        let offset = self.alpha.delta_alpha() * h;
        for (a, j) in step.past[2].iter_mut().zip(&jerk) {
            *a += offset * j;
        }
        if matches!(self.start, Start::Table2 { .. }) && self.form == Form::Index3 && system.n_lambda() > 0 {
            let dv = self.velocity_perturbation(system, step, state, h, &jerk)?;
            super::start::add(&mut state.v, &dv);
        }
        Ok(())
    }

    /// Table 1 in place of Table 2.
    fn restart(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        let usual = self.start;
        if let Start::Table2 { s } = usual {
            self.start = Start::Table1 { s };
        }
        let started = self.start(system, step, state, h);
        self.start = usual;
        started
    }

    fn keeps_matrices(&self, system: &dyn System) -> bool {
        self.form == Form::Index3 || system.n_lambda() == 0
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        Persist::persist(self, archive)
    }

    /// Sets another first guess: one of the other predictors, or a_np1 and lambda of the shorter step, since
    /// delta is proportional to h^2. The published variant of sigma has its own predictor and depends on it.
    fn predict_anew(
        &mut self,
        (step, linear): (&mut Step, &mut KktFactors),
        system: &dyn System,
        (state, h): (&State, f64),
        guess: Guess,
    ) -> bool {
        if step.relation.as_ref().is_some_and(|k| k.is_published()) {
            return false;
        }
        match guess {
            Guess::Other(which) => {
                let usual = self.predictor(step);
                let all = [Predictor::Constant, Predictor::Paper, Predictor::Extrapolate];
                let known = |p: &Predictor| *p != Predictor::Extrapolate || self.past.is_known();
                let Some(other) = all.into_iter().filter(|p| *p != usual && known(p)).nth(which) else {
                    return false;
                };
                let named = std::mem::replace(&mut self.predictor, other);
                step.begin_at(state, h);
                self.predict(step, system, linear);
                self.predictor = named;
            }
            Guess::Shorter => {
                let ratio = h / step.h;
                let (delta, lambda) = (step.delta.clone(), step.trial.lambda.clone());
                step.begin_at(state, h);
                self.predict(step, system, linear);
                for (d, before) in step.delta.iter_mut().zip(&delta) {
                    *d = ratio * ratio * before;
                }
                step.trial.lambda.copy_from_slice(&lambda);
                step.guess(system.group());
            }
        }
        true
    }

    /// Rescales a as with variable steps: a <- v' + (to/from) (a - v'). The index-3 form would lose order and
    /// stability; it restarts with Table 2 from projected velocities.
    fn change_step(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        (from, to): (f64, f64),
    ) -> Result<bool, Error> {
        if self.form == Form::Index3 && system.n_lambda() > 0 {
            project_velocity(system, state)?;
            let usual = std::mem::replace(&mut self.start, Start::Table2 { s: 0.1 });
            let started = self.start(system, step, state, to);
            self.start = usual;
            return started.map(|()| true);
        }
        let ratio = to / from;
        for (a, vdot) in step.past[2].iter_mut().zip(&state.vdot) {
            *a = vdot + ratio * (*a - vdot);
        }
        self.forget();
        Ok(true)
    }

    /// Sets a_0 = v'_0 as the classical start does.
    fn resume(&mut self, step: &mut Step, state: &State) -> bool {
        let known = step.past.get(2).is_some_and(|a| a.len() == state.vdot.len());
        let classical = matches!(self.start, Start::Classical) && known;
        if classical {
            step.past[2].copy_from_slice(&state.vdot);
            self.forget();
        }
        classical
    }

    fn remedies(&self, system: &dyn System) -> Vec<&'static str> {
        let mut list = vec!["a smaller step"];
        let constrained = system.n_lambda() > 0;
        // rho of the parameters by Chung and Hulbert.
        if self.alpha.alpha_f / (1.0 - self.alpha.alpha_f) > 0.7 && self.form == Form::Index3 && constrained {
            list.push("a smaller rho");
        }
        if self.form != Form::StabilizedIndex2 && constrained {
            list.push("the form stabilized-index2");
        }
        list.push("a tolerance instead of a step");
        list
    }
}
