//! Helpers shared by the integration tests.
#![allow(dead_code)] // Every test binary uses its own part of them.

pub mod bad;
pub mod exact;

use precess::formulation::Formulation;
use precess::integrate::step::{KktFactors, Linear, Method, Step};
use precess::integrate::{Eta, Form, InitialValues, Integrator, Scheme, Start};
use precess::mechanics::{At, Energy, State, System, Tangents};
use precess::methods::MethodOptions;
use precess::problems::{HeavyTop, TopReference};
use precess::solve::Solver;
use precess::study::{ErrorRecorder, Errors, Projection, Run, Sample, Summary, observed_order};

/// The paper's s of Tables 1 and 2.
pub const TABLE_1: Start = Start::Table1 { s: 0.1 };
/// The paper's s of Tables 1 and 2.
pub const TABLE_2: Start = Start::Table2 { s: 0.1 };
/// All forms.
pub const FORMS: [Form; 4] = [Form::Index3, Form::StabilizedIndex2, Form::Index2, Form::Index1];

/// rho 0.9, the paper's eta, this form and start.
pub fn options(form: Form, start: Start) -> MethodOptions {
    MethodOptions { rho: 0.9, form, start, eta: Eta::Paper, ..MethodOptions::default() }
}

/// The consistent initial state of a top.
pub fn top_state(top: &HeavyTop) -> State {
    InitialValues::new(&top.q_0(), &top.v_0()).consistent(top).unwrap()
}

/// Measurements of a run of the fast heavy top.
pub struct Measured {
    /// One per window.
    pub errors: Vec<Errors>,
    /// The run.
    pub summary: Summary,
    /// lambda_n with its time, n >= 1.
    pub lambda: Vec<(f64, Vec<f64>)>,
    /// max |eta|_2 over the steps.
    pub eta: f64,
    /// The end.
    pub state: State,
}

impl Measured {
    /// Newton iterations per step.
    pub fn mean_iterations(&self) -> f64 {
        self.summary.iterations as f64 / self.summary.steps as f64
    }
}

/// Fast heavy tops of one formulation with their reference on [0, t_end].
pub struct Bench {
    /// The system.
    pub top: HeavyTop,
    /// Its solution.
    pub reference: TopReference,
    /// Windows in which errors are measured.
    pub windows: Vec<(f64, f64)>,
    /// End of the runs.
    pub t_end: f64,
    /// Projections during the runs.
    pub projection: Projection,
}

impl Bench {
    /// Errors on [0, 1] and on [0.5, 1].
    pub fn new(formulation: Formulation) -> Self {
        let top = HeavyTop::fast(formulation);
        let reference = TopReference::new(&top, 1.0);
        Bench {
            top,
            reference,
            windows: vec![(0.0, 1.0), (0.5, 1.0)],
            t_end: 1.0,
            projection: Projection::default(),
        }
    }

    /// Runs generalized-alpha.
    pub fn run(&self, options: &MethodOptions, h: f64) -> Measured {
        self.run_method(&mut options.generalized_alpha().unwrap(), h)
    }

    /// Runs any method.
    pub fn run_method(&self, method: &mut dyn Integrator, h: f64) -> Measured {
        let mut state = top_state(&self.top);
        let mut lambda = Vec::new();
        let mut eta = 0.0_f64;
        let keep = |s: &Sample| {
            if s.step > 0 {
                lambda.push((s.state.t, s.state.lambda.clone()));
            }
            eta = s.eta.map_or(eta, |e| precess::study::larger(eta, norm(e)));
        };
        let mut recorder = (ErrorRecorder::new(&self.reference, &self.windows), keep);
        let summary = Run::new(h, self.t_end)
            .with_projection(self.projection.clone())
            .run(&self.top, method, &mut state, &mut recorder)
            .unwrap();
        Measured { errors: recorder.0.errors, summary, lambda, eta, state }
    }
}

/// A place given by time, position and velocity.
pub fn place<'a>(t: f64, q: &'a [f64], v: &'a [f64]) -> At<'a> {
    At { t, q, v, vdot: &[], lambda: &[], s: &[], memory: &[] }
}

/// Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// |a - b|_2.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// |a - b|_2 / |b|_2.
#[track_caller]
pub fn assert_close(what: &str, a: &[f64], b: &[f64], relative: f64) {
    let e = distance(a, b) / norm(b).max(f64::MIN_POSITIVE);
    assert!(e <= relative, "{what}: {a:?} and {b:?} differ by {e:.2e} > {relative:.0e}");
}

/// The measured value is within 3 % of the independently computed one.
#[track_caller]
pub fn assert_level(what: &str, found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() <= 0.03, "{what}: {found:.4e} instead of {expected:.4e}");
}

/// Errors for step sizes h, h/2, h/4, ... show an order in this range at every halving.
#[track_caller]
pub fn assert_order(what: &str, errors: &[f64], range: std::ops::RangeInclusive<f64>) {
    for pair in errors.windows(2) {
        let p = observed_order(2.0, pair[0], 1.0, pair[1]);
        assert!(range.contains(&p), "{what}: order {p:.3} not in {range:?}, errors {errors:?}");
    }
}

/// The order 2 that is claimed.
#[track_caller]
pub fn assert_order_2(what: &str, errors: &[f64]) {
    assert_order(what, errors, 1.9..=2.1);
}

/// Classical Runge-Kutta method of order 4 with n steps: solutions in minimal coordinates to compare with.
pub fn runge_kutta<const N: usize>(
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
    y_0: [f64; N],
    (t_0, t_end): (f64, f64),
    n: usize,
) -> [f64; N] {
    let h = (t_end - t_0) / n as f64;
    let plus = |y: &[f64; N], w: f64, k: &[f64; N]| std::array::from_fn(|i| y[i] + w * k[i]);
    let mut y = y_0;
    for step in 0..n {
        let t = t_0 + step as f64 * h;
        let k1 = f(t, &y);
        let k2 = f(t + 0.5 * h, &plus(&y, 0.5 * h, &k1));
        let k3 = f(t + 0.5 * h, &plus(&y, 0.5 * h, &k2));
        let k4 = f(t + h, &plus(&y, h, &k3));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

/// How much of a system is hidden behind difference quotients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hide {
    /// Only the tangents.
    Tangents,
    /// Tangents and hidden constraints. The rest is the minimum that a user has to write.
    AllDerivatives,
}

/// A system without (some of) its analytic derivatives.
pub struct Hidden<'a>(pub &'a dyn System, pub Hide);

impl System for Hidden<'_> {
    fn group(&self) -> &precess::lie::Product {
        self.0.group()
    }
    fn n_lambda(&self) -> usize {
        self.0.n_lambda()
    }
    fn n_s(&self) -> usize {
        self.0.n_s()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.0.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.0.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        match self.1 {
            Hide::Tangents => self.0.velocity_constraint(at, out),
            Hide::AllDerivatives => {
                precess::mechanics::difference::velocity_constraint(self, at, out);
            }
        }
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        match self.1 {
            Hide::Tangents => self.0.acceleration_constraint(at, out),
            Hide::AllDerivatives => {
                precess::mechanics::difference::acceleration_constraint(self, at, out);
            }
        }
    }
    fn algebraic(&self, at: &At, out: &mut [f64]) {
        self.0.algebraic(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        precess::mechanics::difference::tangents(self, at, out);
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        self.0.energy(at)
    }
    fn length_scale(&self) -> f64 {
        self.0.length_scale()
    }
}

/// J^-1 (dPsi/dxi . d) = d for a direction d of the scaled unknowns, with J the iteration matrix of the
/// scheme at a generic iterate and the derivative by central differences of its residual. Returns |J^-1 ... -
/// d| / |d|.
pub fn iteration_matrix_error(
    system: &dyn System,
    options: &MethodOptions,
    state: &State,
    h: f64,
    offset: &[f64],
    direction: &[f64],
) -> f64 {
    let mut scheme = options.generalized_alpha().unwrap().scheme;
    scheme.accept_undamped = true;
    scheme.check(system).unwrap();
    let mut step = Step::of(scheme.form, system, state, scheme.histories());
    let mut linear = KktFactors::of(scheme.form, system, Solver::Auto);
    let n = step.layout.len();
    let (offset, direction) = (&offset[..n], &direction[..n]);
    let mut first = state.clone();
    scheme.start(system, &mut step, &mut first, h).unwrap();
    step.begin_at(state, h);
    scheme.predict(&mut step, system, &mut linear);
    let correct = |step: &mut Step, weight: f64, xi: &[f64]| {
        step.xi.copy_from_slice(xi);
        step.correct(weight, system.group());
    };
    correct(&mut step, 1.0, offset);
    linear.form(&mut step, system).unwrap();
    // Five-point quotient: the truncation error is below the round-off.
    let small = 1e-4;
    let mut quotient = vec![0.0; n];
    for (side, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        correct(&mut step, side * small, direction);
        step.residual(system);
        let psi = step.psi.clone();
        correct(&mut step, -side * small, direction);
        for (q, p) in quotient.iter_mut().zip(&psi) {
            *q += weight * p / (12.0 * small);
        }
    }
    // An ill-conditioned matrix amplifies the errors of the quotient.
    let mut disturbed: Vec<f64> =
        quotient.iter().enumerate().map(|(i, x)| x * (1.0 + [1e-7, -1e-7, 0.0][i % 3])).collect();
    linear.solve(&mut quotient);
    linear.solve(&mut disturbed);
    let size = norm(direction).max(0.1);
    let amplified = distance(&quotient, &disturbed) / (1e-7 * size);
    distance(&quotient, direction) / (size * (1.0 + 1e-2 * amplified))
}
