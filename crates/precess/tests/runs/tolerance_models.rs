//! Error control on mechanisms: error against tolerance, where the only references are a finer run and fixed
//! steps.

use precess::integrate::adaptive::{Adaptive, Horizon, Norm, TurningPoints, VariableBliedf};
use precess::integrate::{Form, InitialValues, Tolerance};
use precess::mechanics::{State, System};
use precess::methods::{MethodOptions, method};
use precess::model::{Built, build};
use precess::study::larger;

const TIMES: usize = 4;

fn model(name: &str, set: &[&str]) -> (Built, State) {
    let loaded = crate::model_util::load_model(name, set);
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let fix = loaded.settings.fix_initial;
    let given = InitialValues { fix, ..InitialValues::new(&built.q, &built.v) };
    let first = given.consistent(&*built.system).unwrap();
    (built, first)
}

/// States at a few times, and the number of steps.
fn run(system: &dyn System, first: &State, tol: Tolerance, t_end: f64) -> (Vec<State>, usize) {
    let (mut state, mut states, mut steps) = (first.clone(), Vec::new(), 0);
    let mut method = VariableBliedf::new(tol);
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

/// The same states with n fixed steps from one to the next.
fn fixed(
    system: &dyn System,
    first: &State,
    name: &str,
    options: &MethodOptions,
    n: usize,
    t_end: f64,
) -> Vec<State> {
    let mut integrator = method(name, options).unwrap();
    let h = t_end / (n * TIMES) as f64;
    let (mut state, mut states) = (first.clone(), Vec::new());
    integrator.start(system, &mut state, h).unwrap();
    for i in 1..=n * TIMES {
        integrator.step(system, &mut state, h).unwrap();
        if i % n == 0 {
            states.push(state.clone());
        }
    }
    states
}

/// Largest difference in the units of a tolerance.
fn difference(system: &dyn System, first: &State, a: &[State], b: &[State]) -> f64 {
    let mut norm = Norm::relative(system, first);
    let mut dq = vec![0.0; first.v.len()];
    let mut worst: f64 = 0.0;
    for (a, b) in a.iter().zip(b) {
        norm.weigh(system, b);
        system.group().difference(&a.q, &b.q, &mut dq);
        let dv: Vec<f64> = a.v.iter().zip(&b.v).map(|(x, y)| x - y).collect();
        worst = precess::study::larger(worst, norm.of(&dq, &dv));
    }
    worst
}

/// The error is at most 200 times the tolerance, and falls with it.
fn check(name: &str, set: &[&str], t_end: f64, reference: impl Fn(&dyn System, &State) -> Vec<State>) {
    let (built, first) = model(name, set);
    let system = &*built.system;
    let reference = reference(system, &first);
    let mut before = (f64::INFINITY, 0);
    for tol in [1e-3, 1e-5, 1e-7, 1e-9] {
        let (states, steps) = run(system, &first, Tolerance::new(tol), t_end);
        let error = difference(system, &first, &states, &reference);
        let what = format!("{name}, tol {tol:.0e}: error {error:.2e} in {steps} steps");
        assert!(error < 200.0 * tol, "{what}");
        // A hundredth of the tolerance reduces the error to a tenth or less, down to rounding errors.
        assert!(error < (0.1 * before.0).max(1e-10) && steps >= before.1, "{what}, before {before:?}");
        before = (error, steps);
    }
}

#[test]
fn errors_follow_the_tolerance() {
    let finest = |t_end| {
        move |system: &dyn System, first: &State| run(system, first, Tolerance::absolute(1e-12), t_end).0
    };
    check("heavy_top", &[], 1.0, finest(1.0));
    check("slider_crank", &[], 1.0, finest(1.0));
    check("four_bar", &[], 2.0, finest(2.0));
    check("robot_arm", &[], 2.0, finest(2.0));
    check("double_pendulum", &[], 1.0, finest(1.0));
    for n in ["parameters.N=10", "parameters.N=20"] {
        check("chain", &[n], 1.0, |system, first| run(system, first, Tolerance::absolute(1e-11), 1.0).0);
    }
}

/// The rotor turns by 2094 rad in a tenth of a second, and even its angle follows the tolerance. The
/// reference is an explicit Runge-Kutta method with fixed steps.
#[test]
fn errors_of_a_rotor_follow_the_tolerance() {
    check("rotor", &[], 0.1, |system, first| {
        fixed(system, first, "rkmk4", &MethodOptions::default(), 100_000, 0.1)
    });
}

/// The driven four-bar against the intersection of two circles: B on the crank, C at the distances of coupler
/// and rocker.
#[test]
fn a_driven_four_bar_has_the_positions_of_its_closed_form() {
    let (built, first) = model("four_bar", &[]);
    let (coupler2, rocker2) = (0.8_f64.powi(2) + 0.3_f64.powi(2), 0.2_f64.powi(2) + 0.6_f64.powi(2));
    for tol in [1e-5, 1e-9] {
        let (states, _) = run(&*built.system, &first, Tolerance::new(tol), 0.7);
        for state in states {
            let (sin, cos) = (std::f64::consts::TAU * state.t).sin_cos();
            let (b, d) = ([0.3 * sin, 0.3 * cos], [1.0, 0.0]);
            let (x, z) = (d[0] - b[0], d[1] - b[1]);
            let r2 = x * x + z * z;
            // C = B + u (x, z) + w (-z, x), on the upper side.
            let u = 0.5 * (1.0 + (coupler2 - rocker2) / r2);
            let w = (coupler2 / r2 - u * u).sqrt();
            let c = [b[0] + u * x - w * z, b[1] + u * z + w * x];
            let rocker = built.system.bodies(&state.at())[2].position;
            let off = (rocker.x - 0.5 * (c[0] + d[0])).hypot(rocker.z - 0.5 * (c[1] + d[1]));
            assert!(off < tol, "tol {tol:.0e}, t = {}: {off:.1e}", state.t);
        }
    }
}

/// Redundant rows, and an algebraic constraint that is violated by 1e-9: the door of the models.
#[test]
fn redundant_rows_work() {
    for (name, t_end) in [("door", 1.0), ("gimbal_gyroscope", 0.3)] {
        let (built, first) = model(name, &[]);
        let system = &*built.system;
        let (reference, _) = run(system, &first, Tolerance::new(1e-9), t_end);
        for tol in [1e-4, 1e-6] {
            let (states, steps) = run(system, &first, Tolerance::new(tol), t_end);
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
    let (reference, _) = run(system, &first, Tolerance::absolute(1e-12), 1.0);
    let options = MethodOptions { form: Form::StabilizedIndex2, k: 5, ..MethodOptions::default() };
    let states = fixed(system, &first, "bliedf", &options, 1024, 1.0);
    let error = difference(system, &first, &states, &reference);
    assert!(error < 1e-7, "{error:.2e}");
}

/// A chain of 1000 rods: as many steps as a short one, and sparse matrices.
#[test]
fn a_long_chain_works() {
    let (built, first) = model("chain", &["parameters.N=1000"]);
    let system = &*built.system;
    let (reference, _) = run(system, &first, Tolerance::new(1e-8), 0.05);
    let (states, steps) = run(system, &first, Tolerance::new(1e-5), 0.05);
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
        // The squeezer goes on to spin up; its run is 0.03 s.
        let t_end = if name == "squeezer" { 0.03 } else { 0.3 };
        let (reference, _) = run(system, &first, Tolerance::new(1e-8), t_end);
        let (states, steps) = run(system, &first, Tolerance::new(1e-5), t_end);
        let error = difference(system, &first, &states, &reference);
        let mut phi = vec![0.0; system.n_lambda()];
        system.constraint(&states[TIMES - 1].at(), &mut phi);
        let violated = phi.iter().fold(0.0_f64, |m, x| larger(m, x.abs()));
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
    let loaded = crate::model_util::load_model("heavy_top_slow", &[]);
    let mut positions = Vec::new();
    for formulation in [R3SO3, SE3, SO3, EulerParameters, TaitBryan, Directors] {
        let built = build(&loaded.model, formulation).unwrap();
        let system = &*built.system;
        let first = InitialValues::new(&built.q, &built.v).fixed().consistent(system).unwrap();
        let (states, _) = run(system, &first, Tolerance::new(1e-7), 1.0);
        positions.push(system.bodies(&states[TIMES - 1].at())[0].position);
    }
    for x in &positions {
        assert!((x - positions[0]).norm() < 1e-5, "{positions:?}");
    }
}
