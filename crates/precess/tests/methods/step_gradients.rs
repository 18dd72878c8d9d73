//! Derivatives of steps for a parameter: by the same step with dual numbers, by the transposed step, and by
//! differences of runs.

use crate::model_util::load_model;
use precess::formulation::Formulation::R3SO3;
use precess::integrate::step::adjoint::{Seeds, back};
use precess::integrate::step::lifted::derive;
use precess::integrate::step::{KktFactors, Method, Step};
use precess::integrate::{
    Alpha, Eta, Form, GeneralizedAlpha, Implicit, InitialValues, Integrator, Newton, OneByOne, Strategy,
};
use precess::lie::{Dual, Number};
use precess::mechanics::batch::{Batch, LanePlan};
use precess::mechanics::{Block, Multibody, State, System};
use precess::model::{Built, build};
use precess::solve::Solver;

const H: f64 = 1e-3;
const STEPS: usize = 50;

/// A model and one of its parameters.
#[derive(Clone, Copy)]
struct Case {
    model: &'static str,
    key: &'static str,
    value: f64,
    form: Form,
    eta: Eta,
}

impl Case {
    fn at(&self, value: f64) -> Built {
        build(&load_model(self.model, &[&format!("{}={value:?}", self.key)]).model, R3SO3).unwrap()
    }

    fn alpha() -> Alpha {
        Alpha::from_rho(0.9).unwrap()
    }

    /// Plain steps, with the exact matrix down to rounding errors.
    fn method(&self) -> Implicit<GeneralizedAlpha> {
        let scheme = GeneralizedAlpha::with_alpha(Case::alpha(), self.form).with_eta(self.eta);
        let newton = Newton { strategy: Strategy::Full, tolerance: 1e-15, ..Newton::default() };
        Implicit::new(scheme).with_newton(newton)
    }

    /// The end of a run.
    fn end(&self, value: f64) -> State {
        let built = self.at(value);
        let (mut state, mut method) = (begin(&built), self.method());
        method.start(&*built.system, &mut state, H).unwrap();
        for _ in 0..STEPS {
            method.step(&*built.system, &mut state, H).unwrap();
        }
        state
    }
}

fn begin(built: &Built) -> State {
    InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap()
}

/// Derivatives by differences of fourth order.
fn differences(value: f64, end: impl Fn(f64) -> State) -> State {
    let small = 2e-4 * value;
    let [a, b, c, d] = [1.0, -1.0, 2.0, -2.0].map(|k| end(value + k * small));
    let list = |of: fn(&State) -> &Vec<f64>| -> Vec<f64> {
        let quotient = |i: usize| 8.0 * (of(&a)[i] - of(&b)[i]) - (of(&c)[i] - of(&d)[i]);
        (0..of(&a).len()).map(|i| quotient(i) / (12.0 * small)).collect()
    };
    State {
        q: list(|s| &s.q),
        v: list(|s| &s.v),
        vdot: list(|s| &s.vdot),
        lambda: list(|s| &s.lambda),
        ..State::default()
    }
}

/// A run with plain numbers and its derivative.
struct Derived {
    built: [Built; 2],
    models: Batch<Dual>,
    method: OneByOne<Alpha, 3>,
    alone: Implicit<GeneralizedAlpha>,
    linear: KktFactors,
    state: State,
    step: Step<Dual>,
}

impl Derived {
    fn new(case: &Case) -> Self {
        let change = 1e-5 * case.value;
        let built = [case.at(case.value), case.at(case.value + change)];
        let list = built.each_ref().map(|b| Multibody::of(&*b.system).unwrap());
        let dual = |x: &dyn Fn(usize) -> f64| Dual::new(x(0), (x(1) - x(0)) / change);
        let models = Batch::new(&list, &dual).unwrap();
        let mut state = begin(&built[0]);
        // The derivative of the starting values.
        let slope = differences(case.value, |x| begin(&case.at(x)));
        let with = |x: &[f64], dx: &[f64]| -> Vec<Dual> {
            x.iter().zip(dx).map(|(x, dx)| Dual::new(*x, *dx)).collect()
        };
        let now = State {
            t: Dual::of(0.0),
            q: with(&state.q, &slope.q),
            v: with(&state.v, &slope.v),
            vdot: with(&state.vdot, &slope.vdot),
            lambda: with(&state.lambda, &slope.lambda),
            s: Vec::new(),
            memory: state.memory.iter().map(|x| Dual::of(*x)).collect(),
        };
        let plan = LanePlan::<Dual>::new(&list, case.form == Form::StabilizedIndex2).unwrap();
        let derivatives = (plan.tangents(), Block::of(list[0].group()));
        let mut step = Step::new(case.form, now, 3, &models, derivatives);
        let mut method = OneByOne::new("alpha", 2, Case::alpha(), case.form);
        method.eta = case.eta;
        Method::begin(&mut method, &mut step, H);
        let mut alone = case.method();
        alone.start(&*built[0].system, &mut state, H).unwrap();
        let linear = KktFactors::of(case.form, &*built[0].system, Solver::Auto);
        Derived { built, models, method, alone, linear, state, step }
    }

    /// One step; returns the accepted plain one.
    fn advance(&mut self) -> Step {
        let Derived { built, models, method, alone, linear, state, step } = self;
        let system: &dyn System = &*built[0].system;
        alone.step(system, state, H).unwrap();
        let mut solved = alone.step_data().clone();
        derive(method, (system, models), (linear, &mut solved), step).unwrap();
        solved
    }

    /// The derivative of the residual at an accepted step for the parameter alone.
    fn by_parameter(&self, solved: &Step) -> Vec<f64> {
        let mut own = self.step.clone();
        let set = |x: &[f64]| x.iter().map(|x| Dual::of(*x)).collect::<Vec<_>>();
        let at = &solved.trial;
        own.trial = State {
            t: Dual::of(at.t),
            q: set(&at.q),
            v: set(&at.v),
            vdot: set(&at.vdot),
            lambda: set(&at.lambda),
            s: Vec::new(),
            memory: set(&at.memory),
        };
        own.residual(&self.models);
        own.psi.iter().map(|x| x.dx).collect()
    }
}

fn cases() -> Vec<Case> {
    let mut list = Vec::new();
    for (form, eta) in
        [(Form::Index3, Eta::Mass), (Form::StabilizedIndex2, Eta::Mass), (Form::StabilizedIndex2, Eta::Paper)]
    {
        list.push(Case { model: "heavy_top", key: "body.top.mass", value: 15.0, form, eta });
        list.push(Case { model: "slider_crank", key: "body.rod.mass", value: 0.5, form, eta });
    }
    list
}

/// The largest difference in units of the largest number.
fn far(a: &[f64], b: &[f64]) -> f64 {
    let size = |x: f64, y: f64| precess::study::larger(x, y.abs());
    let largest = a.iter().fold(0.0, |m, x| size(m, *x));
    a.iter().zip(b).fold(0.0, |m, (a, b)| size(m, (a - b) / largest))
}

#[test]
fn the_step_with_dual_numbers_is_the_derivative_of_a_run() {
    for case in cases() {
        let mut derived = Derived::new(&case);
        for _ in 0..STEPS {
            derived.advance();
        }
        let quotient = differences(case.value, |x| case.end(x));
        let slopes = |x: &[Dual]| x.iter().map(|x| x.dx).collect::<Vec<_>>();
        let State { q, v, lambda, .. } = &derived.step.trial;
        let what = format!("{} {:?} {:?}", case.model, case.form, case.eta);
        // Values stay those of the plain steps.
        let values: Vec<f64> = q.iter().map(|x| x.x).collect();
        assert!(far(&derived.state.q, &values) < 1e-11, "{what}: values");
        let [of_q, of_v, of_lambda] = [
            far(&quotient.q, &slopes(q)),
            far(&quotient.v, &slopes(v)),
            far(&quotient.lambda, &slopes(lambda)),
        ];
        // The quotient amplifies rounding errors of the multipliers in index-3 form.
        let noise = if case.form == Form::Index3 { 1e-3 } else { 1e-6 };
        assert!(of_q < 1e-7 && of_v < 1e-6 && of_lambda < noise, "{what}: {of_q:e} {of_v:e} {of_lambda:e}");
    }
}

/// The derivative of one coordinate of the end, by transposed steps from the end to the beginning.
#[test]
fn the_transposed_step_gives_the_same_derivative() {
    for (case, q, v) in cases().into_iter().filter(|c| c.form == Form::Index3).map(|case| match case.model {
        "heavy_top" => (case, 4, 3),
        _ => (case, 11, 9),
    }) {
        let mut derived = Derived::new(&case);
        let first: Vec<Vec<f64>> =
            derived.step.past.iter().map(|list| list.iter().map(|x| x.dx).collect()).collect();
        let mut accepted: Vec<Step> = (0..STEPS).map(|_| derived.advance()).collect();
        let system: &dyn System = &*derived.built[0].system;
        let zeros = |n: usize| vec![0.0; n];
        let (k, m) = (system.group().dim(), system.n_lambda());
        let mut seeds = Seeds { q: zeros(k), past: vec![zeros(k); 3], lambda: zeros(m) };
        seeds.q[v] = 1.0;
        let mut linear = KktFactors::of(case.form, system, Solver::Auto);
        let mut sum = 0.0;
        for solved in accepted.iter_mut().rev() {
            let by_parameter = derived.by_parameter(solved);
            let z = back(&Case::alpha(), system, (&mut linear, solved), &mut seeds).unwrap();
            sum -= z.iter().zip(&by_parameter).map(|(z, x)| z * x).sum::<f64>();
        }
        for (seed, x) in seeds.past.iter().zip(&first) {
            sum += seed.iter().zip(x).map(|(s, x)| s * x).sum::<f64>();
        }
        let direct = derived.step.trial.q[q].dx;
        assert!(direct != 0.0 && (sum / direct - 1.0).abs() < 1e-10, "{}: {sum:e} {direct:e}", case.model);
    }
}
