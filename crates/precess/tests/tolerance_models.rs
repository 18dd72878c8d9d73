//! Error control on mechanisms: error against tolerance where nothing but a finer run and fixed steps are there to compare.

mod common;

use precess::integrate::adaptive::{Adaptive, Horizon, Norm, TurningPoints, VariableBliedf};
use precess::integrate::{Form, InitialValues, MethodOptions, Tolerance, method};
use precess::mechanics::{State, System};
use precess::model::{Built, build, load};

const TIMES: usize = 4;

fn model(name: &str, set: &[&str]) -> (Built, State) {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let loaded = load(name, &std::fs::read_to_string(path).unwrap(), &set).unwrap();
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let first = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    (built, first)
}

/// States at a few times, and the number of steps.
fn run(system: &dyn System, first: &State, tol: f64, t_end: f64) -> (Vec<State>, usize) {
    let (mut state, mut states, mut steps) = (first.clone(), Vec::new(), 0);
    let mut method = VariableBliedf::new(Tolerance::new(tol));
    let drives = TurningPoints::of(system, 0.0, t_end);
    method.start(system, &mut state, t_end).unwrap();
    for i in 1..=TIMES {
        let stop = t_end * i as f64 / TIMES as f64;
        while state.t < stop {
            let to = Horizon { stop, h_max: drives.longest_step(state.t) };
            method.advance(system, &mut state, to).unwrap();
            steps += 1;
        }
        states.push(state.clone());
    }
    (states, steps)
}

/// Largest difference in the units of a tolerance.
fn difference(system: &dyn System, first: &State, a: &[State], b: &[State]) -> f64 {
    let mut norm = Norm::new(system, first, &Tolerance::new(1.0)).unwrap();
    let mut dq = vec![0.0; first.v.len()];
    let mut worst: f64 = 0.0;
    for (a, b) in a.iter().zip(b) {
        norm.weigh(b);
        system.group().difference(&a.q, &b.q, &mut dq);
        let dv: Vec<f64> = a.v.iter().zip(&b.v).map(|(x, y)| x - y).collect();
        worst = worst.max(norm.of(&dq, &dv));
    }
    worst
}

/// Growth of a perturbation of the initial velocities: no error control can do better.
fn sensitivity(system: &dyn System, first: &State, t_end: f64) -> f64 {
    let mut other = first.clone();
    other.v.iter_mut().for_each(|v| *v *= 1.0 + 1e-6);
    let (a, b) = (run(system, first, 1e-10, t_end).0, run(system, &other, 1e-10, t_end).0);
    (difference(system, first, &a, &b) / 1e-6).max(1.0)
}

fn check(name: &str, set: &[&str], t_end: f64, tolerances: &[f64], sensitive: bool) {
    let (built, first) = model(name, set);
    let system = &*built.system;
    let (reference, _) = run(system, &first, 1e-11, t_end);
    let growth = if sensitive { sensitivity(system, &first, t_end) } else { 1.0 };
    let mut before = (f64::INFINITY, 0);
    for &tol in tolerances {
        let (states, steps) = run(system, &first, tol, t_end);
        let error = difference(system, &first, &states, &reference);
        let what = format!("{name}, tol {tol:.0e}: error {error:.2e} in {steps} steps, growth {growth:.0}");
        assert!(error < 200.0 * growth * tol, "{what}");
        assert!(error < 1.2 * before.0 && steps >= before.1, "{what}, before {before:?}");
        before = (error, steps);
    }
}

const TOLERANCES: [f64; 4] = [1e-3, 1e-5, 1e-7, 1e-9];

#[test]
fn errors_follow_the_tolerance() {
    check("robot_arm", &[], 2.0, &TOLERANCES, false);
    check("four_bar", &[], 2.0, &TOLERANCES, false);
    check("chain", &["parameters.N=20"], 1.0, &TOLERANCES, false);
    check("double_pendulum", &[], 1.0, &TOLERANCES, false);
    check("slider_crank", &[], 1.0, &TOLERANCES, true);
}

/// The rotor turns by 2000 rad in 0.1 s; a relative error of its speed is multiplied by that.
#[test]
fn errors_of_a_rotor_follow_the_tolerance() {
    check("rotor", &[], 0.1, &[1e-4, 1e-7, 1e-8, 1e-9], true);
}

/// Redundant rows, and an algebraic constraint that is violated by 1e-9: the door of the models.
#[test]
fn redundant_rows_work() {
    for (name, t_end) in [("door", 1.0), ("gimbal_gyroscope", 0.3)] {
        let (built, first) = model(name, &[]);
        let system = &*built.system;
        let (reference, _) = run(system, &first, 1e-9, t_end);
        for tol in [1e-4, 1e-6] {
            let (states, steps) = run(system, &first, tol, t_end);
            let error = difference(system, &first, &states, &reference);
            assert!(error < 200.0 * tol, "{name}, tol {tol:.0e}: {error:.2e} in {steps} steps");
        }
    }
}

/// The references agree with fixed steps, which share neither history nor error control with them.
#[test]
fn references_agree_with_fixed_steps() {
    let (built, first) = model("slider_crank", &[]);
    let system = &*built.system;
    let (reference, _) = run(system, &first, 1e-11, 1.0);
    let options = MethodOptions { form: Form::StabilizedIndex2, k: 5, ..MethodOptions::default() };
    let mut bliedf = method("bliedf", &options).unwrap();
    let n = 1024;
    let h = 1.0 / (n * TIMES) as f64;
    let (mut state, mut states) = (first.clone(), Vec::new());
    bliedf.start(system, &mut state, h).unwrap();
    for i in 1..=n * TIMES {
        bliedf.step(system, &mut state, h).unwrap();
        if i % n == 0 {
            states.push(state.clone());
        }
    }
    let error = difference(system, &first, &states, &reference);
    assert!(error < 1e-7, "{error:.2e}");
}

/// A chain of 1000 rods: as many steps as a short one, and sparse matrices.
#[test]
fn a_long_chain_works() {
    let (built, first) = model("chain", &["parameters.N=1000"]);
    let system = &*built.system;
    let (reference, _) = run(system, &first, 1e-8, 0.05);
    let (states, steps) = run(system, &first, 1e-5, 0.05);
    let error = difference(system, &first, &states, &reference);
    assert!(error < 200.0 * 1e-5 && steps < 100, "{error:.2e} in {steps} steps");
}

/// Every model of the repository: friction, drives, gears, controls, redundant rows, memory of turns.
#[test]
fn every_model_runs_to_a_tolerance() {
    let directory = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        // The rotor has a test of its own, and its error grows by 20 000 per second.
        if path.extension().is_none_or(|e| e != "toml") || name == "rotor" {
            continue;
        }
        let (built, first) = model(&name, &[]);
        let system = &*built.system;
        let (reference, _) = run(system, &first, 1e-8, 0.3);
        let (states, steps) = run(system, &first, 1e-5, 0.3);
        let error = difference(system, &first, &states, &reference);
        let mut phi = vec![0.0; system.n_lambda()];
        system.constraint(&states[TIMES - 1].at(), &mut phi);
        let violated = phi.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(
            error < 200.0 * 1e-5 && violated < 1e-6,
            "{name}: {error:.1e} in {steps} steps, Phi {violated:.1e}"
        );
        seen += 1;
    }
    assert!(seen > 15, "{seen} models");
}

/// The same accuracy in all coordinates.
#[test]
fn every_formulation_runs_to_a_tolerance() {
    use precess::formulation::Formulation::*;
    let path = format!("{}/../../models/heavy_top_slow.toml", env!("CARGO_MANIFEST_DIR"));
    let loaded = load("top", &std::fs::read_to_string(path).unwrap(), &[]).unwrap();
    let mut positions = Vec::new();
    for formulation in [R3SO3, SE3, SO3, EulerParameters, TaitBryan, Directors] {
        let built = build(&loaded.model, formulation).unwrap();
        let system = &*built.system;
        let first = InitialValues::new(&built.q, &built.v).fixed().consistent(system).unwrap();
        let (states, _) = run(system, &first, 1e-7, 1.0);
        positions.push(system.bodies(&states[TIMES - 1].at())[0].position);
    }
    for x in &positions {
        assert!((x - positions[0]).norm() < 1e-5, "{positions:?}");
    }
}
