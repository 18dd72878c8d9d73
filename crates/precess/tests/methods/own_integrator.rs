//! The integrator of the book is right: it has order 2, keeps the constraints, and agrees with a method of
//! precess to its order. It also runs in lanes and has derivatives.

#[allow(dead_code)]
#[path = "../../examples/own_integrator.rs"]
mod example;

use crate::common::*;
use crate::model_util::load_model;
use example::{Bdf2, bdf2};
use precess::formulation::Formulation::{self, R3SO3};
use precess::integrate::side_by_side::SideBySide;
use precess::integrate::step::lifted::derive;
use precess::integrate::step::{KktFactors, Method, Step};
use precess::integrate::{Form, InitialValues, Integrator, Newton, OneByOne, Strategy};
use precess::lie::{Dual, Number};
use precess::mechanics::batch::{Batch, LanePlan};
use precess::mechanics::{Block, Multibody, State, System};
use precess::model::{Built, build};
use precess::solve::Solver;

#[test]
fn bdf2_has_order_2_on_the_groups() {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let bench = Bench::new(formulation);
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let runs = [5e-4, 2.5e-4, 1.25e-4].map(|h| bench.run_method(&mut bdf2(form), h));
            let late = runs.each_ref().map(|r| r.errors[1]);
            assert_order_2("q", &late.map(|e| e.q));
            assert_order("v", &late.map(|e| e.v), 1.8..=2.2);
            assert_order("lambda", &late.map(|e| e.lambda), 1.7..=2.3);
            assert!(runs.iter().all(|r| r.errors[0].phi < 1e-13));
            assert!(form == Form::Index3 || runs.iter().all(|r| r.errors[0].bv < 1e-10));
        }
    }
}

/// The first steps, where the history is made up, cost the multipliers an order and q and v nothing.
#[test]
fn multipliers_start_with_order_1() {
    let bench = Bench::new(Formulation::R3SO3);
    let errors =
        [5e-4, 2.5e-4, 1.25e-4].map(|h| bench.run_method(&mut bdf2(Form::StabilizedIndex2), h).errors[0]);
    assert_order_2("q", &errors.map(|e| e.q));
    assert_order("lambda", &errors.map(|e| e.lambda), 0.95..=1.05);
}

/// The top with this mass, and its state with accelerations.
fn top(mass: f64) -> (Built, State) {
    let built = build(&load_model("heavy_top", &[&format!("body.top.mass={mass:?}")]).model, R3SO3).unwrap();
    let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    (built, state)
}

/// Steps of the method, down to rounding errors.
fn steps(form: Form, built: &Built, state: &State, n: usize) -> (State, Step) {
    let newton = Newton { strategy: Strategy::Full, tolerance: 1e-15, ..Newton::default() };
    let (mut method, mut state) = (bdf2(form).with_newton(newton), state.clone());
    method.start(&*built.system, &mut state, 1e-3).unwrap();
    for _ in 0..n {
        method.step(&*built.system, &mut state, 1e-3).unwrap();
    }
    (state, method.step_data().clone())
}

/// The same formulas take four runs in lanes.
#[test]
fn bdf2_runs_in_lanes() {
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let tops = [15.0, 14.0, 16.0, 15.5].map(top);
        let systems = tops.each_ref().map(|(built, _)| &*built.system as &dyn System);
        let method = OneByOne::new("bdf2", 2, Bdf2, form);
        let mut runs = SideBySide::of(systems, method, (form, 2, 4), Newton::default(), &mut None).unwrap();
        let mut states: Vec<State> = tops.iter().map(|(_, state)| state.clone()).collect();
        runs.start(&mut states, 1e-3).unwrap();
        (0..50).for_each(|_| runs.step());
        for (lane, (built, state)) in tops.iter().enumerate() {
            let (alone, _) = steps(form, built, state, 50);
            let mut found = state.clone();
            assert!(runs.state(lane, &mut found));
            let [q, v] = [distance(&alone.q, &found.q), distance(&alone.v, &found.v)];
            assert!(distance(&alone.q, &state.q) > 0.1, "nothing moves");
            assert!(q < 1e-11 && v < 1e-9, "{form:?}, lane {lane}: {q:e} {v:e}");
        }
    }
}

/// And their derivative for a mass is that of a run.
#[test]
fn bdf2_has_derivatives() {
    let (mass, small, n) = (15.0, 3e-3, 50);
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let tops = [mass, mass + small].map(|mass| top(mass).0);
        let list = tops.each_ref().map(|built| Multibody::of(&*built.system).unwrap());
        let dual = |x: &dyn Fn(usize) -> f64| Dual::new(x(0), (x(1) - x(0)) / small);
        let models = Batch::new(&list, &dual).unwrap();
        let ends = [2.0, 1.0, -1.0, -2.0].map(|k| top(mass + k * small));
        let quotient = |list: [&[f64]; 4], i: usize| {
            let [a, b, c, d] = list.map(|x| x[i]);
            (8.0 * (b - c) - (a - d)) / (12.0 * small)
        };
        let begins = |of: fn(&State) -> &Vec<f64>| -> Vec<Dual> {
            let list = ends.each_ref().map(|(_, state)| &of(state)[..]);
            let (_, now) = top(mass);
            (0..list[0].len()).map(|i| Dual::new(of(&now)[i], quotient(list, i))).collect()
        };
        let now = State {
            t: Dual::of(0.0),
            q: begins(|s| &s.q),
            v: begins(|s| &s.v),
            vdot: begins(|s| &s.vdot),
            lambda: begins(|s| &s.lambda),
            s: Vec::new(),
            memory: Vec::new(),
        };
        let plan = LanePlan::<Dual>::new(&list, form == Form::StabilizedIndex2).unwrap();
        let derivatives = (plan.tangents(), Block::of(list[0].group()));
        let mut step = Step::new(form, now, 4, &models, derivatives);
        let mut method = OneByOne::new("bdf2", 2, Bdf2, form);
        Method::begin(&mut method, &mut step, 1e-3);
        let (built, state) = top(mass);
        let system: &dyn System = &*built.system;
        let mut linear = KktFactors::of(form, system, Solver::Auto);
        for i in 1..=n {
            let (_, mut solved) = steps(form, &built, &state, i);
            derive(&mut method, (system, &models), (&mut linear, &mut solved), &mut step).unwrap();
        }
        let runs = ends.each_ref().map(|(built, state)| steps(form, built, state, n).0);
        let list = runs.each_ref().map(|state| &state.q[..]);
        let expected: Vec<f64> = (0..7).map(|i| quotient(list, i)).collect();
        let found: Vec<f64> = step.trial.q.iter().map(|x| x.dx).collect();
        let size = norm(&expected);
        assert!(size > 1e-4 && distance(&expected, &found) < 1e-7 * size, "{found:?} {expected:?}");
    }
}
