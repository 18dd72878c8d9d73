//! Runs in the lanes of the vector unit are the same as single runs, whatever runs beside them.

use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::side_by_side::{LANES, SideBySide};
use precess::integrate::{Eta, Form, InitialValues, Integrator, Newton, Start, Strategy};
use precess::mechanics::Multibody;
use precess::mechanics::batch::LanePlan;
use precess::mechanics::joints::JointKind;
use precess::mechanics::joints::generic::Locks;
use precess::mechanics::{State, System};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, Built, JointSpec, Model, build, load};
use precess::study::larger;

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
fn alone(built: &Built, state: &State, options: &MethodOptions, h: f64, steps: usize) -> (State, usize) {
    let newton = Newton { strategy: Strategy::Full, ..options.newton };
    let mut integrator = MethodOptions { newton, ..*options }.generalized_alpha().unwrap();
    let mut state = state.clone();
    integrator.start(&*built.system, &mut state, h).unwrap();
    let mut iterations = 0;
    for _ in 0..steps {
        iterations += integrator.step(&*built.system, &mut state, h).unwrap().iterations;
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
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
}

/// Runs all lanes and compares each with a run of its own.
fn compare(name: &str, built: &[Built; LANES], options: &MethodOptions, steps: usize) {
    compare_at((H, 1.0), name, built, options, steps);
}

/// The same with another step and with this many times the differences.
fn compare_at(
    (h, slack): (f64, f64),
    name: &str,
    built: &[Built; LANES],
    options: &MethodOptions,
    steps: usize,
) {
    let mut begin = states(built, true);
    let ends: Vec<(State, usize)> =
        built.iter().zip(&begin).map(|(b, s)| alone(b, s, options, h, steps)).collect();
    let mut runs = options.side_by_side(systems(built)).unwrap_or_else(|| panic!("{name} is not for lanes"));
    runs.start(&mut begin, h).unwrap();
    (0..steps).for_each(|_| runs.step());
    for lane in 0..LANES {
        let (end, iterations) = &ends[lane];
        let mut state = begin[lane].clone();
        assert!(runs.state(lane, &mut state), "{name}: run {lane} failed");
        let moved = largest_difference(&end.q, &begin[lane].q);
        assert!(moved > if slack > 1.0 { 1e-3 } else { 0.01 }, "{name}: nothing happens, {moved:e}");
        // Newton's method leaves less than 1e-7 of the first correction, which is of order h^3.
        let q = largest_difference(&state.q, &end.q) / slack;
        let v = largest_difference(&state.v, &end.v) / slack;
        let scale = end.lambda.iter().fold(1.0, |m: f64, x| larger(m, x.abs()));
        let lambda = largest_difference(&state.lambda, &end.lambda) / scale;
        assert!(q < 1e-11 && v < 1e-9 && lambda < 1e-6, "{name}, lane {lane}: {q:e} {v:e} {lambda:e}");
        assert!((state.t - end.t).abs() < 1e-12);
        let memory = largest_difference(&state.memory, &end.memory) / slack;
        assert!(memory < 1e-9 && state.memory.len() == end.memory.len(), "{name}: memory {memory:e}");
        let mine = runs.counts()[lane].iterations;
        // One matrix per step in place of one per iteration; a wrong one would take an iteration more in
        // every step. Without constraints a run of its own looks at the rest of the first iteration, which
        // does not count. A tight tolerance takes an iteration more with one matrix, and so does a small
        // model, which iterates down to rounding errors. With a matrix that is kept over steps, there are
        // more iterations. They must cost less than the matrices that are saved, each as much as four
        // iterations.
        let small = state.v.len() + state.lambda.len() <= 12;
        let looks = if state.lambda.is_empty() || small || slack > 1.0 { steps } else { 0 };
        let saved = steps - runs.counts()[lane].jacobians.min(steps);
        let kept = if options.form == Form::Index3 && !small { 4 * saved } else { 0 };
        let most = iterations + looks + steps / 4 + kept;
        assert!(mine <= most, "{name}: {mine} and {iterations} iterations, {saved} matrices saved");
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
        for group in [Formulation::R3SO3, Formulation::SE3] {
            let built = [0, 1, 2, 3].map(|lane| build(&arm(of_kind(kind), lane), group).unwrap());
            for options in all_options() {
                compare(&format!("{kind:?}, {group:?}, {:?}", options.form), &built, &options, 200);
            }
        }
    }
}

fn four(model: impl Fn(usize) -> Model) -> [Built; LANES] {
    [0, 1, 2, 3].map(|lane| build(&model(lane), Formulation::R3SO3).unwrap())
}

fn systems(built: &[Built; LANES]) -> [&dyn System; LANES] {
    [0, 1, 2, 3].map(|i| &*built[i].system as &dyn System)
}

/// States at the end of runs side by side, and whether they converged.
fn ends(
    built: &[Built; LANES],
    begin: &[State],
    options: &MethodOptions,
    steps: usize,
) -> Vec<(State, bool)> {
    ends_of(options.side_by_side(systems(built)).unwrap(), begin, steps)
}

/// The same for these runs.
fn ends_of(mut runs: SideBySide, begin: &[State], steps: usize) -> Vec<(State, bool)> {
    let mut states = begin.to_vec();
    runs.start(&mut states, H).unwrap();
    (0..steps).for_each(|_| runs.step());
    let end = |lane: usize| {
        let mut state = begin[lane].clone();
        let converged = runs.state(lane, &mut state);
        (state, converged)
    };
    (0..LANES).map(end).collect()
}

/// Point masses have no rotation, a point may slide on the ground body, and loops close.
#[test]
fn point_masses_and_loops_move_as_they_do_alone() {
    let net = |lane: usize| {
        let x = 0.05 * lane as f64;
        let plane =
            |name, body, point| JointSpec::new(name, JointKind::PointOnPlane, ["ground", body], point);
        Model::new("loop")
            .gravity([0.2, 0.0, -9.81])
            .body(BodySpec::rigid("a", 1.0 + x, [0.1, 0.12, 0.14]).at([0.5, 0.1, 0.0]))
            .body(BodySpec::rigid("b", 2.0, [0.2, 0.12 + x, 0.1]).at([1.0, 0.6, 0.2]))
            .body(BodySpec::rigid("c", 0.7, [0.1, 0.1, 0.1]).at([0.4, 1.1, -0.1]))
            .body(BodySpec::point("p", 0.5 + x).at([0.0, 0.5, 1.0]))
            .joint(JointSpec::spherical("j1", ["ground", "a"], [0.0, 0.0, 0.0]))
            .joint(JointSpec::spherical("j2", ["a", "b"], [1.0, 0.1, 0.1]))
            .joint(JointSpec::spherical("j3", ["b", "c"], [0.9, 1.0, x]))
            .joint(JointSpec::spherical("j4", ["c", "ground"], [0.0, 1.0, 0.0]))
            .joint(plane("j5", "p", [0.0, 0.5, 1.0]).along([0.1, 0.2, 1.0]))
    };
    let built = four(net);
    for options in all_options() {
        compare(&format!("loop, {:?}", options.form), &built, &options, 200);
    }
}

/// Model files that come with the program, the same one in every lane with other velocities.
#[test]
fn model_files_move_as_they_do_alone() {
    for name in ["heavy_top", "slider_crank", "double_pendulum", "chain", "joint_rigid_distance"] {
        let text = std::fs::read_to_string(format!("../../models/{name}.toml")).unwrap();
        let model = load(name, &text, &[]).unwrap().model;
        let built = four(|_| model.clone());
        for options in [all_options()[0], all_options()[2]] {
            if let Some(runs) = options.side_by_side(systems(&built)) {
                drop(runs);
                compare(&format!("{name}, {:?}", options.form), &built, &options, 100);
            } else {
                let slower = name == "joint_rigid_distance" && options.form == Form::Index3;
                assert!(name == "chain" || slower, "only the chain of many bodies is too large");
            }
        }
    }
}

/// Forces, bushings, drives, gears, controls and friction, with other numbers in every lane; with `se3` on
/// SE(3), too.
#[test]
fn forces_drives_and_controls_move_as_they_do_alone() {
    for (name, set, se3) in [
        // Without redundant rows: those run one by one.
        ("four_bar", &["joint.B.type=spherical", "joint.C.type=cylindrical", "parameters.w=2*pi"][..], true),
        ("robot_arm", &[], true),
        ("joint_gear", &[], true),
        ("joint_generic", &[], true),
        ("joint_cylindrical", &[], true),
    ] {
        let text = std::fs::read_to_string(format!("../../models/{name}.toml")).unwrap();
        let formulations = [Formulation::R3SO3, Formulation::SE3];
        for formulation in &formulations[..if se3 { 2 } else { 1 }] {
            let loaded = |lane: usize| {
                let mut changes = vec![format!("model.gravity=[0.{lane}, 0, -9.8{lane}]")];
                if let Some((varied, fixed)) = set.split_last() {
                    changes.extend(fixed.iter().map(|x| x.to_string()));
                    changes.push(format!("{varied}*1.0{lane}"));
                }
                load(name, &text, &changes).unwrap().model
            };
            let built = [0, 1, 2, 3].map(|lane| build(&loaded(lane), *formulation).unwrap());
            let h = load(name, &text, &[]).unwrap().settings.step;
            for mut options in [all_options()[2], all_options()[3]] {
                // Stiff controls and long steps would leave more of the first correction.
                options.newton.tolerance = 1e-11;
                compare_at(
                    (h, 20.0),
                    &format!("{name}, {formulation:?}, {:?}", options.form),
                    &built,
                    &options,
                    100,
                );
            }
        }
    }
}

/// A rotor in bushings: each run keeps its own matrix over steps, to the last bit the same whatever is beside
/// it.
#[test]
fn without_constraints_matrices_are_kept() {
    let text = std::fs::read_to_string("../../models/rotor.toml").unwrap();
    let loaded =
        |lane: usize| load("rotor", &text, &[format!("model.gravity=[0.{lane}, 0, -9.8{lane}]")]).unwrap();
    let (options, steps, h) = (MethodOptions::default(), 3000, loaded(0).settings.step);
    let built = [0, 1, 2, 3].map(|lane| build(&loaded(lane).model, Formulation::R3SO3).unwrap());
    let others = [3, 1, 0, 2].map(|lane| build(&loaded(lane).model, Formulation::R3SO3).unwrap());
    let begin = states(&built, true);
    let end = |built: &[Built; LANES], begin: &[State]| {
        let mut runs = options.side_by_side(systems(built)).unwrap();
        let mut all = begin.to_vec();
        runs.start(&mut all, h).unwrap();
        (0..steps).for_each(|_| runs.step());
        for (lane, state) in all.iter_mut().enumerate() {
            assert!(runs.state(lane, state), "run {lane} failed");
            assert!(runs.counts()[lane].jacobians < steps / 2, "{:?}", runs.counts()[lane]);
        }
        all
    };
    let all = end(&built, &begin);
    for lane in 0..LANES {
        let (own, _) = alone(&built[lane], &begin[lane], &options, h, steps);
        let speed = own.v.iter().fold(1.0, |m: f64, v| larger(m, v.abs()));
        let (q, v) = (largest_difference(&all[lane].q, &own.q), largest_difference(&all[lane].v, &own.v));
        assert!(q < 1e-11 && v < 1e-9 * speed, "lane {lane}: {q:e} {v:e}");
        assert!(largest_difference(&own.q, &begin[lane].q) > 1e-3);
    }
    let mut changed = states(&others, false);
    changed[1] = begin[1].clone();
    assert_eq!(end(&others, &changed)[1], all[1]);
}

/// The results agree to the last bit.
#[test]
fn a_run_does_not_depend_on_its_neighbours() {
    let built = four(|lane| arm(of_kind(JointKind::Revolute), lane));
    let others = four(|lane| arm(of_kind(JointKind::Revolute), if lane == 1 { 1 } else { 3 - lane }));
    for options in all_options() {
        let (begin, mut changed) = (states(&built, true), states(&others, false));
        changed[1] = begin[1].clone();
        let first = ends(&built, &begin, &options, 100);
        let second = ends(&others, &changed, &options, 100);
        assert!(first[1].1 && second[1].1);
        assert_eq!(first[1].0, second[1].0);
        assert_ne!(first[0].0.q, second[0].0.q);
    }
}

/// Runs use a plan only for the structure that it was made for, and then it changes no bit.
#[test]
fn plans_are_for_one_structure() {
    let revolute = |lane: usize| arm(of_kind(JointKind::Revolute), lane);
    // Without offsets, with offsets, with others, with another joint, and without offsets again.
    let groups = [
        four(|_| revolute(0)),
        four(revolute),
        four(|lane| revolute(5 - lane)),
        four(|lane| arm(of_kind(JointKind::Spherical), lane)),
        four(|_| revolute(0)),
    ];
    for options in all_options() {
        let stabilized = options.form == Form::StabilizedIndex2;
        let mut plan: Option<LanePlan> = None;
        for (i, built) in groups.iter().enumerate() {
            let models = [0, 1, 2, 3].map(|lane| Multibody::of(&*built[lane].system).unwrap());
            let suits = |form| plan.as_ref().is_some_and(|plan| plan.suits(&models, form));
            assert_eq!([suits(stabilized), suits(!stabilized)], [i == 2, false], "{i}");
            let begin = states(built, true);
            let planned = options.planned_side_by_side(systems(built), &mut plan).unwrap();
            assert_eq!(ends_of(planned, &begin, 20), ends(built, &begin, &options, 20), "{i}");
        }
    }
}

/// A run with an absurd velocity fails. The runs beside it do not change.
#[test]
fn a_run_that_fails_leaves_the_others_alone() {
    let built = four(|lane| arm(of_kind(JointKind::Spherical), lane));
    for options in all_options() {
        let begin = states(&built, true);
        let mut wild = begin.clone();
        wild[2].v.iter_mut().for_each(|v| *v *= 1e5);
        wild[2].vdot.iter_mut().for_each(|v| *v *= 1e10);
        let (calm, stormy) = (ends(&built, &begin, &options, 50), ends(&built, &wild, &options, 50));
        for lane in [0, 1, 3] {
            assert!(stormy[lane].1);
            assert_eq!(calm[lane].0, stormy[lane].0);
        }
        assert!(!stormy[2].1, "{:?}", stormy[2].0);
    }
}

/// Turns of joints are counted as in a single run.
#[test]
fn turns_are_counted() {
    let text = "
        [model]\ngravity = [0, 0, -9.81]
        [[body]]\nname = 'wheel'\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\nangular_velocity = \
        [0, 40, 0]
        [[joint]]\nname = 'axle'\ntype = 'revolute'\nbodies = ['ground', 'wheel']\npoint = [0, 0, 0]\naxis \
        = [0, 1, 0]
        [[sensor]]\nname = 'angle'\ntype = 'coordinate'\njoint = 'axle'
        [run]\nstep = 1e-3\nuntil = 1";
    let model = load("wheel", text, &[]).unwrap().model;
    let built = four(|_| model.clone());
    let begin = states(&built, false);
    assert!(!begin[0].memory.is_empty());
    let end = ends(&built, &begin, &MethodOptions::default(), 1000);
    for (state, converged) in &end {
        let angle = &built[0].system.sensors(&state.at())[0].1;
        assert!(*converged && (angle[0] - 40.0).abs() < 1e-9, "{angle:?}");
    }
}

/// What cannot be done in lanes is refused, not done wrongly.
#[test]
fn other_models_and_methods_are_refused() {
    let spherical = four(|lane| arm(of_kind(JointKind::Spherical), lane));
    let usual = MethodOptions::default();
    assert!(usual.side_by_side(systems(&spherical)).is_some());
    // Other forms and strategies.
    let newton = Newton { strategy: Strategy::Modified, ..usual.newton };
    for options in [
        MethodOptions { form: Form::Index2, ..usual },
        MethodOptions { form: Form::Index1, ..usual },
        MethodOptions { newton, ..usual },
        MethodOptions { rho: 1.0, ..usual },
        MethodOptions { rho: 1.5, ..usual },
    ] {
        assert!(options.side_by_side(systems(&spherical)).is_none(), "{options:?}");
    }
    // Another kind of joint in one lane, and another number of bodies.
    let mixed = four(|lane| arm(of_kind([JointKind::Spherical, JointKind::Revolute][lane / 3]), lane));
    assert!(usual.side_by_side(systems(&mixed)).is_none());
    let one_more = four(|lane| match lane {
        2 => arm(of_kind(JointKind::Spherical), lane).body(BodySpec::point("p", 1.0)),
        _ => arm(of_kind(JointKind::Spherical), lane),
    });
    assert!(usual.side_by_side(systems(&one_more)).is_none());
    // Events, and redundant rows.
    for name in ["gate", "door"] {
        let text = std::fs::read_to_string(format!("../../models/{name}.toml")).unwrap();
        let model = load(name, &text, &[]).unwrap().model;
        assert!(usual.side_by_side(systems(&four(|_| model.clone()))).is_none(), "{name}");
    }
    // A large model is refused before anything is done with its unknowns in pairs, of which there are 3e10.
    let mut large = Model::new("points");
    for i in 0..60_000 {
        large = large.body(BodySpec::point(&format!("p{i}"), 1.0));
    }
    let large = build(&large, Formulation::R3SO3).unwrap();
    assert!(usual.side_by_side([&*large.system; LANES]).is_none());
}

/// Positions and velocities off the constraints are refused with the name of the joint, and so are states of
/// another model.
#[test]
fn inconsistent_states_are_refused() {
    let built = four(|lane| arm(of_kind(JointKind::Spherical), lane));
    let begin = states(&built, true);
    let mut runs = MethodOptions::default().side_by_side(systems(&built)).unwrap();
    let mut changed = begin.clone();
    changed[2].q[4] += 1e-3;
    let Err(Error::InconsistentPosition { constraint, residual, .. }) = runs.start(&mut changed, H) else {
        panic!("a position off the constraints")
    };
    // Rows are dimensionless.
    let distance = residual * built[2].system.length_scale();
    assert!(constraint.contains("j0") && (distance - 1e-3).abs() < 1e-6, "{constraint} {distance:e}");
    let mut changed = begin.clone();
    changed[1].v[6 + 4] += 1e-3;
    assert!(matches!(runs.start(&mut changed, H), Err(Error::InconsistentVelocity { .. })));
    let mut changed = begin.clone();
    changed[3].q[5] = f64::NAN;
    assert!(runs.start(&mut changed, H).is_err());
    let mut short = begin[..3].to_vec();
    assert!(matches!(runs.start(&mut short, H), Err(Error::Length { found: 3, expected: LANES, .. })));
    assert!(matches!(runs.start(&mut begin.clone(), 0.0), Err(Error::Parameter { .. })));
    // Without accelerations and multipliers, which are found at the start.
    let mut bare = begin.clone();
    for state in &mut bare {
        state.vdot.fill(0.0);
        state.lambda.fill(0.0);
    }
    runs.start(&mut bare, H).unwrap();
    for (found, given) in bare.iter().zip(&begin) {
        assert!(largest_difference(&found.vdot, &given.vdot) < 1e-9);
        assert!(largest_difference(&found.lambda, &given.lambda) < 1e-9);
    }
}
