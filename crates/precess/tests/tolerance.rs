//! Error control on single bodies: orders on uneven grids, the error estimates, error and work against tolerance.

mod common;

use common::*;
use precess::formulation::Formulation;
use precess::integrate::adaptive::{VariableAlpha, VariableBliedf};
use precess::integrate::{Adaptive, Eta, Form, GeneralizedAlpha, Horizon, StepReport, Tolerance};
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
fn run(
    system: &dyn System,
    reference: &dyn Reference,
    state: &mut State,
    method: &mut dyn Adaptive,
    t_end: f64,
) -> Outcome {
    let mut recorder = ErrorRecorder::new(reference, &[(0.0, t_end)]);
    method.start(system, state, t_end).unwrap();
    let mut o = Outcome {
        errors: Errors::default(),
        steps: 0,
        rejected: 0,
        failed: 0,
        iterations: 0,
        jacobians: 0,
        orders: [0; 7],
        h: (f64::INFINITY, 0.0),
    };
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
        for (what, a, b) in
            [("q", coarse.q, fine.q), ("v", coarse.v, fine.v), ("lambda", coarse.lambda, fine.lambda)]
        {
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
        println!(
            "tol 1e-{exponent:02} steps {} rej {} fail {} it {} jac {} h {:.2e} {:.2e} q {:.4e} v {:.4e} lam {:.4e} orders {:?}",
            o.steps,
            o.rejected,
            o.failed,
            o.iterations,
            o.jacobians,
            o.h.0,
            o.h.1,
            o.errors.q,
            o.errors.v,
            o.errors.lambda,
            o.orders
        );
    }
}

/// Errors of generalized-alpha on [0, 1] with N steps h, 2h, h, 2h, ...
fn alternating(form: Form, rho: f64, update: bool, n: usize) -> Errors {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let scheme = GeneralizedAlpha::new(rho, form).unwrap().with_eta(Eta::Paper);
    let mut method = VariableAlpha::with(scheme, Tolerance::absolute(1e-11)).unwrap();
    method.update = update;
    let h = |i: usize| (if i % 2 == 1 { 2.0 } else { 1.0 }) * 2.0 / (3 * n) as f64;
    let mut state = top_state(&top);
    method.start_with(&top, &mut state, h(0)).unwrap();
    let mut recorder = ErrorRecorder::new(&reference, &[(0.0, 1.0)]);
    for i in 0..n {
        let report = method.step(&top, &mut state, h(i)).unwrap();
        recorder.record(&Sample { system: &top, step: i + 1, state: &state, eta: None, report });
    }
    recorder.errors[0]
}

#[test]
fn generalized_alpha_keeps_its_order_on_uneven_grids() {
    let e: Vec<Errors> =
        [1000, 2000, 4000].iter().map(|n| alternating(Form::StabilizedIndex2, 0.6, true, *n)).collect();
    println!("{e:?}");
    assert_level("q", e[0].q, 1.308e-2);
    assert_level("q", e[2].q, 7.492e-4);
    assert_level("lambda", e[0].lambda, 9.493e-3);
    assert_level("lambda", e[2].lambda, 5.484e-4);
    assert_order("q", &[e[1].q, e[2].q], 1.9..=2.15);
    assert_order("v", &[e[1].v, e[2].v], 1.9..=2.15);
    assert_order("lambda", &[e[1].lambda, e[2].lambda], 1.9..=2.15);
    let e: Vec<Errors> =
        [2000, 4000].iter().map(|n| alternating(Form::StabilizedIndex2, 0.6, false, *n)).collect();
    assert_order("q without the update", &[e[0].q, e[1].q], 1.0..=1.5);
}

#[test]
fn index_3_restarts_keep_the_order() {
    let e: Vec<Errors> = [1000, 2000].iter().map(|n| alternating(Form::Index3, 0.9, true, *n)).collect();
    println!("{e:?}");
    assert_level("q", e[0].q, 1.381e-2);
    assert_level("lambda", e[0].lambda, 1.401e-2);
    assert_order_2("q", &[e[0].q, e[1].q]);
    assert_order_2("lambda", &[e[0].lambda, e[1].lambda]);
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

#[test]
fn the_estimate_of_generalized_alpha_is_exact() {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        for rho in [0.6, 0.8, 0.9] {
            let top = HeavyTop::fast(formulation);
            let reference = TopReference::new(&top, 1.0);
            let scheme = GeneralizedAlpha::new(rho, Form::StabilizedIndex2).unwrap().with_eta(Eta::Paper);
            let mut method = VariableAlpha::with(scheme, Tolerance::absolute(1e-9)).unwrap();
            let h = 5e-4;
            let mut state = top_state(&top);
            method.start_with(&top, &mut state, h).unwrap();
            let (mut q, mut v) = (Vec::new(), Vec::new());
            for _ in 0..400 {
                // The exact flow from the present state: another top that starts here.
                let from = state.clone();
                method.step(&top, &mut state, h).unwrap();
                let omega = [from.v[0], from.v[1], from.v[2]];
                let (dq, dv) = flow_error(&top, &from, omega, &state, h);
                let (eq, ev) = method.last_estimate();
                q.push(norm(eq) / norm(&dq));
                v.push(norm(ev) / norm(&dv));
            }
            let (q, v) = (median(q), median(v));
            println!("{formulation:?} rho {rho}: {q:.4} {v:.4}");
            assert!(
                (0.97..1.03).contains(&q) && (0.97..1.03).contains(&v),
                "{formulation:?} rho {rho}: {q} {v}"
            );
        }
    }
    let _ = TopReference::new;
}

/// Difference of a step to the exact flow from its beginning.
fn flow_error(top: &HeavyTop, from: &State, omega: [f64; 3], to: &State, h: f64) -> (Vec<f64>, Vec<f64>) {
    use nalgebra::{Quaternion, Vector3};
    // In the body frame of `from` gravity has another direction.
    let p = Quaternion::new(from.q[0], from.q[1], from.q[2], from.q[3]);
    let mut turned = top.clone();
    turned.omega_0 = Vector3::from(omega);
    turned.gamma = (p.conjugate() * Quaternion::from_imag(top.gamma) * p).imag();
    let mut there = top_state(&turned);
    TopReference::new(&turned, h).at(h, &mut there.q, &mut there.v, &mut there.lambda);
    // Back to the inertial frame.
    let turn = |x: &[f64]| (p * Quaternion::from_imag(Vector3::new(x[0], x[1], x[2])) * p.conjugate()).imag();
    let r = p * Quaternion::new(there.q[0], there.q[1], there.q[2], there.q[3]);
    let x = turn(&there.q[4..]);
    let q = vec![r.w, r.i, r.j, r.k, x.x, x.y, x.z];
    let mut v = there.v.clone();
    if top.formulation == Formulation::R3SO3 {
        v[3..].copy_from_slice(turn(&there.v[3..]).as_slice());
    }
    let mut dq = vec![0.0; 6];
    top.group().difference(&to.q, &q, &mut dq);
    (dq, v.iter().zip(&to.v).map(|(a, b)| a - b).collect())
}

#[test]
fn generalized_alpha_on_the_heavy_top() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    for exponent in 3..=7 {
        let tol = 10.0_f64.powi(-exponent);
        let mut method = VariableAlpha::new(0.8, Tolerance::absolute(tol)).unwrap().with_eta(Eta::Paper);
        let o = run(&top, &reference, &mut top_state(&top), &mut method, 1.0);
        println!(
            "tol 1e-{exponent:02} steps {} rej {} fail {} it {} jac {} h {:.2e} {:.2e} q {:.4e} v {:.4e} lam {:.4e}",
            o.steps,
            o.rejected,
            o.failed,
            o.iterations,
            o.jacobians,
            o.h.0,
            o.h.1,
            o.errors.q,
            o.errors.v,
            o.errors.lambda
        );
    }
}
