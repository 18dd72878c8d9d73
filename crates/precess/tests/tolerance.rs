//! Error control on single bodies: orders on uneven grids, the error estimates, error and work against tolerance.

mod common;

use common::*;
use precess::formulation::Formulation;
use precess::integrate::adaptive::VariableBliedf;
use precess::integrate::{Adaptive, Eta, Horizon, StepReport, Tolerance};
use precess::mechanics::{State, System};
use precess::problems::{HeavyTop, Reference, TopReference};
use precess::study::{ErrorRecorder, Errors, Recorder, Sample};

/// The exact state of a top.
fn exact(top: &HeavyTop, reference: &TopReference, t: f64) -> State {
    let mut state = top_state(top);
    state.t = t;
    reference.at(t, &mut state.q, &mut state.v, &mut state.lambda);
    state
}

struct Outcome {
    errors: Errors,
    steps: usize,
    rejected: usize,
    failed: usize,
    iterations: usize,
    jacobians: usize,
    orders: [usize; 7],
    h: (f64, f64),
}

/// Runs to t_end and compares with the reference at every step.
fn run(system: &dyn System, reference: &dyn Reference, state: &mut State, method: &mut dyn Adaptive, t_end: f64) -> Outcome {
    let mut recorder = ErrorRecorder::new(reference, &[(0.0, t_end)]);
    method.start(system, state, t_end).unwrap();
    let mut o = Outcome { errors: Errors::default(), steps: 0, rejected: 0, failed: 0, iterations: 0, jacobians: 0, orders: [0; 7], h: (f64::INFINITY, 0.0) };
    while state.t < t_end {
        let r: StepReport = method.advance(system, state, Horizon::until(t_end)).unwrap();
        o.steps += 1;
        o.rejected += r.rejected;
        o.failed += r.failed;
        o.iterations += r.iterations;
        o.jacobians += r.jacobians;
        o.orders[r.order] += 1;
        o.h = (o.h.0.min(r.h), o.h.1.max(r.h));
        recorder.record(&Sample { system, step: o.steps, state, eta: None, report: r });
    }
    o.errors = recorder.errors[0];
    o
}

#[test]
fn bliedf_keeps_its_order_on_uneven_grids() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    for (k, level) in [(2, 2.10e-2), (3, 3.02e-3), (4, 4.56e-4), (5, 5.95e-5)] {
        let error = |n: usize| {
            let h = |i: usize| (if i % 2 == 1 { 1.5 } else { 1.0 }) * 2.0 / (2.5 * n as f64);
            let mut t = 0.0;
            let mut states = vec![exact(&top, &reference, 0.0)];
            for i in 0..k {
                t += h(i);
                states.push(exact(&top, &reference, t));
            }
            let mut method = VariableBliedf::new(Tolerance::absolute(1e-11)).with_eta(Eta::Paper);
            method.start_from(&top, &states).unwrap();
            let mut state = states.pop().unwrap();
            let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
            for i in k..n {
                let report = method.step(&top, &mut state, h(i)).unwrap();
                recorder.record(&Sample { system: &top, step: i, state: &state, eta: None, report });
            }
            recorder.errors[0]
        };
        let (coarse, fine) = (error(1000), error(2000));
        println!("k {k}: q {:.4e} {:.4e} lambda {:.3e} {:.3e}", coarse.q, fine.q, coarse.lambda, fine.lambda);
        assert!((coarse.q / level - 1.0).abs() < 0.05, "k = {k}: {:.3e}", coarse.q);
        for (what, a, b) in [("q", coarse.q, fine.q), ("v", coarse.v, fine.v), ("lambda", coarse.lambda, fine.lambda)] {
            let p = (a / b).log2();
            assert!((p - k as f64).abs() < 0.35, "k = {k}: order {p:.2} in {what}");
        }
    }
}

#[test]
fn bliedf_on_the_heavy_top() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    for exponent in 3..=10 {
        let tol = 10.0_f64.powi(-exponent);
        let mut method = VariableBliedf::new(Tolerance::absolute(tol)).with_eta(Eta::Paper);
        let o = run(&top, &reference, &mut top_state(&top), &mut method, 1.0);
        println!("tol 1e-{exponent:02} steps {} rej {} fail {} it {} jac {} h {:.2e} {:.2e} q {:.4e} v {:.4e} lam {:.4e} orders {:?}", o.steps, o.rejected, o.failed, o.iterations, o.jacobians, o.h.0, o.h.1, o.errors.q, o.errors.v, o.errors.lambda, o.orders);
    }
}
