//! Runs in the lanes of the vector unit: the same as single runs, whatever is beside them.

use precess::formulation::Formulation;
use precess::integrate::side_by_side::{LANES, SideBySide};
use precess::integrate::{Eta, Form, InitialValues, Integrator, MethodOptions, Newton, Start, Strategy};
use precess::mechanics::State;
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::model::{BodySpec, Built, JointSpec, Model, build};

const H: f64 = 1e-3;

/// Three bars of different shapes and one after the other, with this joint between two of them.
fn arm(joint: impl Fn(&str, [&str; 2], [f64; 3]) -> JointSpec, lane: usize) -> Model {
    let x = lane as f64;
    let mut model = Model::new("arm").gravity([0.3, 0.1 * x, -9.81]);
    for i in 0..3 {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("b{}", i - 1) }, format!("b{i}"));
        let at = i as f64;
        let bar = BodySpec::rigid(&b, 1.0 + 0.1 * x + 0.3 * at, [0.02, 0.11 + 0.01 * x, 0.13]);
        model = model.body(bar.at([at + 0.5, 0.1 * at, 0.05 * x])).joint(joint(
            &format!("j{i}"),
            [&a, &b],
            [at, 0.1, 0.02 * x],
        ));
    }
    model
}

/// The state and the counts at the end of a run of its own, with a matrix in every iteration.
fn alone(built: &Built, state: &State, options: &MethodOptions, steps: usize) -> (State, usize) {
    let newton = Newton { strategy: Strategy::Full, ..options.newton };
    let mut integrator = MethodOptions { newton, ..*options }.generalized_alpha().unwrap();
    let mut state = state.clone();
    integrator.start(&*built.system, &mut state, H).unwrap();
    let mut iterations = 0;
    for _ in 0..steps {
        iterations += integrator.step(&*built.system, &mut state, H).unwrap().iterations;
    }
    (state, iterations)
}

/// Consistent initial states, with other velocities in each lane where `moves`.
fn states(built: &[Built; LANES], moves: bool) -> Vec<State> {
    let state = |(lane, b): (usize, &Built)| {
        let mut v = b.v.clone();
        if moves {
            v.iter_mut().enumerate().for_each(|(i, v)| *v += 0.3 * (1.0 + (i * 7 + lane * 3) as f64).sin());
        }
        let mut initial = InitialValues::new(&b.q, &v);
        initial.fix = true;
        initial.consistent(&*b.system).unwrap()
    };
    built.iter().enumerate().map(state).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Runs all lanes and compares each with a run of its own.
fn compare(name: &str, built: &[Built; LANES], options: &MethodOptions, steps: usize) {
    let mut begin = states(built, true);
    let ends: Vec<(State, usize)> =
        built.iter().zip(&begin).map(|(b, s)| alone(b, s, options, steps)).collect();
    let systems = [0, 1, 2, 3].map(|i| &*built[i].system as &dyn precess::mechanics::System);
    let mut runs = SideBySide::new(systems, options).unwrap_or_else(|| panic!("{name} is not for lanes"));
    runs.start(&mut begin, H).unwrap();
    (0..steps).for_each(|_| runs.step());
    for lane in 0..LANES {
        let (end, iterations) = &ends[lane];
        let mut state = begin[lane].clone();
        assert!(runs.state(lane, &mut state), "{name}: run {lane} failed");
        let moved = largest_difference(&end.q, &begin[lane].q);
        assert!(moved > 0.01, "{name}: nothing happens, {moved:e}");
        // Newton's method leaves less than 1e-7 of the first correction, which is of order h^3.
        let q = largest_difference(&state.q, &end.q);
        let v = largest_difference(&state.v, &end.v);
        let scale = end.lambda.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let lambda = largest_difference(&state.lambda, &end.lambda) / scale;
        assert!(q < 1e-11 && v < 1e-9 && lambda < 1e-6, "{name}, lane {lane}: {q:e} {v:e} {lambda:e}");
        assert!((state.t - end.t).abs() < 1e-12);
        assert_eq!(state.memory, end.memory, "{name}");
        let mine = runs.counts()[lane].iterations;
        assert!(mine <= iterations + steps / 20, "{name}: {mine} and {iterations} iterations");
    }
}

fn all_options() -> Vec<MethodOptions> {
    let stabilized = |eta| MethodOptions { form: Form::StabilizedIndex2, eta, ..MethodOptions::default() };
    let start = Start::Table2 { s: 0.1 };
    vec![
        MethodOptions::default(),
        MethodOptions { rho: 0.6, start, ..MethodOptions::default() },
        stabilized(Eta::Mass),
        stabilized(Eta::Paper),
    ]
}

fn of_kind(kind: JointKind) -> impl Fn(&str, [&str; 2], [f64; 3]) -> JointSpec {
    move |name, bodies, point| JointSpec::new(name, kind, bodies, point).along([0.2, 1.0, 0.1])
}

#[test]
fn every_joint_moves_as_it_does_alone() {
    let locks = Locks { translation: [true, false, true], rotation: [false, true, false] };
    let kinds = [
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Prismatic,
        JointKind::Universal,
        JointKind::Cylindrical,
        JointKind::Planar,
        JointKind::PointOnPlane,
        JointKind::PointOnLine,
        JointKind::Generic(locks),
    ];
    for kind in kinds {
        let built = [0, 1, 2, 3].map(|lane| build(&arm(of_kind(kind), lane), Formulation::R3SO3).unwrap());
        for options in all_options() {
            compare(&format!("{kind:?}, {:?}", options.form), &built, &options, 200);
        }
    }
}
