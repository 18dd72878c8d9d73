//! Linear results against the full equations: time simulations, all models of the catalogue, transfer
//! functions.

use crate::analyses_util::{built, built_se3, four_bar, model, relative, text};
use precess::analysis::driven_input::{DriveInput, with_drive};
use precess::analysis::eigen::Spectrum;
use precess::analysis::equilibrium::find;
use precess::analysis::inputs::increased;
use precess::analysis::modes::{asymmetry, modes};
use precess::analysis::state_space::{Input, StateSpace};
use precess::analysis::steady::resting_at;
use precess::analysis::{AnalysisError, EquilibriumOptions, Frame, Kind, Selection, Stability};
use precess::formulation::Formulation;
use precess::integrate::{Form, GeneralizedAlpha, Implicit, InitialValues, Integrator};
use precess::model::{Built, Loaded};

/// All models of the catalogue, those of folders as `folder/name`.
fn names_of_all_models() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(open) = folders.pop() {
        for entry in std::fs::read_dir(open).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") && is_model(&path) {
                let name = path.strip_prefix(folder).unwrap().with_extension("");
                found.push(name.to_str().unwrap().to_string());
            }
        }
    }
    found.sort();
    found
}

/// Files that other files include as parts are not models of their own.
fn is_model(path: &std::path::Path) -> bool {
    std::fs::read_to_string(path).unwrap().contains("[model]")
}

/// Models with rolling or knife-edge joints: the search for an equilibrium refuses them and names the joint.
fn rows_of_velocity(loaded: &Loaded) -> bool {
    let built = built(loaded);
    let rows = !built.system.velocity_rows().is_empty();
    if rows {
        let refused =
            find(&*built.system, &built.q, &EquilibriumOptions::default()).err().map(|e| e.to_string());
        assert!(refused.is_some_and(|e| e.contains("constrains velocities")), "{}", loaded.model.name);
    }
    rows
}

/// In every model with an equilibrium, K is symmetric there if forces have a potential, in both groups.
#[test]
fn stiffness_is_symmetric_at_the_equilibria_of_all_models() {
    let mut seen = 0;
    for name in names_of_all_models() {
        // A torque that is fixed in space has no potential.
        let overrides: &[&str] = if name == "rotor" { &["parameters.Mz=0"] } else { &[] };
        let loaded = model(&name, overrides);
        // Controls and states of first order have none either, and the motor of the pump never rests.
        if !loaded.model.controls.is_empty() || !loaded.model.states.is_empty() || name == "piston_pump" {
            continue;
        }
        // Velocity rows are refused, and the message names the joint.
        if rows_of_velocity(&loaded) {
            continue;
        }
        for built in [built(&loaded), built_se3(&loaded)] {
            let system = &*built.system;
            let e = match find(system, &built.q, &EquilibriumOptions::default()) {
                Ok(e) => e,
                // Models in free fall, and models in the singular position they are made for.
                Err(AnalysisError::NothingHolds { .. } | AnalysisError::Singular { .. }) => continue,
                Err(e) => panic!("{name}: {e}"),
            };
            let found = resting_at(system, &e.state).unwrap_or_else(|e| panic!("{name}: {e}"));
            let size = asymmetry(system, &found).unwrap();
            assert!(size < 1e-12, "{name}: {size:e}");
            assert!(e.asymmetry < 1e-11, "{name}: {:e}", e.asymmetry);
            assert!(e.stability != Stability::Unstable, "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 30, "{seen}");
}

/// Frequency of a small vibration from a run: zero crossings of the coordinate along the mode, interpolated.
fn simulated(built: &Built, state: &precess::mechanics::State, shape: &[f64], omega: f64) -> f64 {
    let system = &*built.system;
    let amplitude = 1e-4;
    let v: Vec<f64> = shape.iter().map(|x| amplitude * omega * x).collect();
    let initial = InitialValues { fix: true, ..InitialValues::new(&state.q, &v) };
    let mut now = initial.consistent(system).unwrap();
    let mut method = Implicit::new(GeneralizedAlpha::new(1.0, Form::StabilizedIndex2).unwrap());
    let h = std::f64::consts::TAU / omega / 400.0;
    method.start(system, &mut now, h).unwrap();
    let along = |s: &precess::mechanics::State| s.v.iter().zip(shape).map(|(a, b)| a * b).sum::<f64>();
    let (mut crossings, mut before) = (Vec::new(), (now.t, along(&now)));
    for _ in 0..2000 {
        method.step(system, &mut now, h).unwrap();
        let at = (now.t, along(&now));
        if before.1 * at.1 < 0.0 {
            crossings.push(before.0 - before.1 * (at.0 - before.0) / (at.1 - before.1));
        }
        before = at;
    }
    let n = crossings.len();
    std::f64::consts::PI * (n - 1) as f64 / (crossings[n - 1] - crossings[0])
}

#[test]
fn time_simulations_vibrate_as_the_modes_say() {
    let models = [
        ("double pendulum", model("double_pendulum", &[])),
        ("four-bar", four_bar(17)),
        ("slider-crank", model("slider_crank_a", &[])),
        ("pendulum", model("pendulum", &[])),
        ("rotor", model("rotor", &["parameters.d=0", "parameters.Mz=0", "parameters.spin=0"])),
    ];
    let mut compared = 0;
    for (name, loaded) in &models {
        let built = built(loaded);
        let system = &*built.system;
        let e =
            find(system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = resting_at(system, &e.state).unwrap();
        let m = modes(system, &found, Selection { n: 2, near: None }).unwrap();
        for mode in &m.modes {
            let shape: Vec<f64> = mode.shape.iter().map(|x| x.re).collect();
            let omega = simulated(&built, &e.state, &shape, mode.s.im);
            assert!(relative(omega, mode.s.im) < 1e-4, "{name}: {omega} {}", mode.s.im);
            compared += 1;
        }
    }
    assert!(compared >= 7);
}

/// Thin rods of 1 and 0.8 m, 1.2 kg/m; torque at the hinge to x of the tip at 0, 1, 5, 10 rad/s.
#[test]
fn transfer_function_of_the_double_pendulum() {
    let file =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/double_pendulum.toml"))
            .unwrap();
    // Rods without thickness: J = m l^2 / 12 about y and z, next to nothing about x.
    let thin = file.replace("radius = 0.02", "radius = 1e-7");
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let loaded = text(&thin);
        let built = precess::model::build(&loaded.model, formulation).unwrap();
        let system = &*built.system;
        let e = find(system, &built.q, &EquilibriumOptions::default()).unwrap();
        let found = resting_at(system, &e.state).unwrap();
        let m = modes(system, &found, Selection::default()).unwrap();
        let more = increased(&loaded.model, formulation, "hinge").unwrap();
        let input =
            Input { name: more.name, unit: more.unit, size: 1.0, system: &*more.built.system, before: None };
        let space =
            StateSpace::new(system, &found, m.linear.as_ref().unwrap(), &[input], &["tip.x".into()]).unwrap();
        let expected =
            [(0.0, -0.0653441020), (1.0, -0.0781342103), (5.0, 0.0946247745), (10.0, -0.0258130476)];
        for (omega, value) in expected {
            let g = space.transfer(omega).unwrap()[(0, 0)];
            assert!((g.re - value).abs() < 1e-9 && g.im.abs() < 1e-9, "{omega}: {g}");
        }
    }
}

/// Names of inputs and outputs that do not exist.
#[test]
fn unknown_inputs_are_named() {
    let loaded = model("double_pendulum", &[]);
    let Err(e) = increased(&loaded.model, Formulation::R3SO3, "hing") else { panic!("accepted") };
    assert!(e.to_string().contains("hinge"), "{e}");
}

/// n rods of total length and mass 1 from spherical joints, each turned against the last one by `bend` about
/// y; more for every joint.
fn chain(n: usize, bend: f64, more: &dyn Fn(usize, &str) -> String) -> precess::model::Loaded {
    let (l, m) = (1.0 / n as f64, 1.0 / n as f64);
    let mut file = String::from("[model]\ngravity = [0, 0, -9.81]\n");
    let (mut x, mut z) = (0.0, 0.0);
    for i in 0..n {
        let j = m * l * l / 12.0;
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        let angle = bend * (i + 1) as f64;
        let (dx, dz) = (-l * angle.sin(), -l * angle.cos());
        file += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = {m}\ninertia = [{j}, {j}, {}]\nposition = [{}, 0, {}]\n\
             rotation = {{ axis = [0, 1, 0], angle = {angle} }}\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"spherical\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             [{x}, 0, {z}]\n{}",
            0.1 * j,
            x + 0.5 * dx,
            z + 0.5 * dz,
            more(i, &before)
        );
        (x, z) = (x + dx, z + dz);
    }
    text(&file)
}

/// Dense matrices and shift-invert agree on a chain of 100 rods.
#[test]
fn shift_invert_agrees_with_dense() {
    let built = built(&chain(100, 0.0, &|_, _| String::new()));
    let system = &*built.system;
    let state = precess::analysis::local::at_rest(system, &built.q, 0.0);
    let found = resting_at(system, &state).unwrap();
    let dense = modes(system, &found, Selection::default()).unwrap();
    let sparse = precess::analysis::large::lowest(system, &found.state, 12).unwrap();
    assert_eq!((dense.modes.len(), sparse.len()), (12, 12));
    for (a, b) in dense.modes.iter().zip(&sparse) {
        assert!(relative(b.s.im, a.s.im) < 1e-8, "{} {}", a.s.im, b.s.im);
    }
    for (i, expected) in [3.766078942123535, 8.64558734837874, 13.558182125466336].into_iter().enumerate() {
        for k in 0..2 {
            assert!(
                relative(sparse[2 * i + k].s.im, expected) < 1e-7,
                "{} {expected}",
                sparse[2 * i + k].s.im
            );
        }
    }
    // A rope has 3.7660673884; rods come near with the square of their length: 10 rods are 1.1411e-3 above
    // it.
    let above = sparse[0].s.im - 3.7660673884;
    assert!((above / 1.1411e-5 - 1.0).abs() < 0.03, "{above:e}");
}

/// The same as above, with dampers between the rods.
#[test]
fn damped_shift_invert_agrees_with_dense() {
    let damper = |i: usize, before: &str| {
        format!(
            "[[force]]\nname = \"d{i}\"\ntype = \"torsion-spring\"\nbodies = [\"{before}\", \"r{i}\"]\naxis \
             = [0, 1, 0]\n\
             stiffness = 0\ndamping = {}\n",
            2e-3 * (1.0 + i as f64 / 24.0)
        )
    };
    let built = built(&chain(24, 0.0, &damper));
    let system = &*built.system;
    let found = resting_at(system, &precess::analysis::local::at_rest(system, &built.q, 0.0)).unwrap();
    let dense = modes(system, &found, Selection { n: 1, near: None }).unwrap();
    let dense = Spectrum::new(dense.linear.as_ref().unwrap(), 1e-6).unwrap().values;
    let sparse = precess::analysis::large::lowest(system, &found.state, 8).unwrap();
    assert_eq!(sparse.len(), 8);
    let mut damped = 0;
    for b in &sparse {
        let off = dense.iter().map(|s| (s - b.s).norm()).fold(f64::INFINITY, f64::min);
        assert!(off < 1e-7 * b.s.norm(), "{} is {off:e} away", b.s);
        damped += usize::from(b.s.re < -1e-4);
    }
    assert!(damped >= 3, "{:?}", sparse.iter().map(|m| m.s).collect::<Vec<_>>());
}

/// The sparse search and the dense search find the same equilibrium, from a bent chain and from a chain that
/// stands on its end.
#[test]
fn large_models_find_their_rest() {
    for (n, bend) in [(12, 0.12), (5, 0.0)] {
        let built = built(&chain(n, bend, &|_, _| String::new()));
        let system = &*built.system;
        let layout = precess::analysis::local::Layout::new(system).unwrap();
        let mut q = built.q.clone();
        if bend == 0.0 {
            // Turned by pi about y: it stands.
            for i in 0..n {
                q[7 * i..7 * i + 4].copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
                q[7 * i + 6] *= -1.0;
            }
        }
        let state = precess::analysis::local::at_rest(system, &q, 0.0);
        let e = precess::analysis::large::rest::find(system, &layout, &state, &EquilibriumOptions::default())
            .unwrap();
        assert_eq!(e.stability, Stability::Stable);
        assert_eq!(e.escapes > 0, bend == 0.0);
        let lowest = system.bodies(&e.state.at())[n - 1].position.z;
        assert!((lowest + 1.0 - 0.5 / n as f64).abs() < 1e-9, "{n}: {lowest}");
        // The force of the first joint carries the whole chain.
        let force = system.reactions(&e.state.at())[0].force;
        assert!((force.z - 9.81).abs() < 1e-8 && force.xy().norm() < 1e-8, "{force}");
    }
}

/// With any stability allowed, the nearest equilibrium has a residual of the size of rounding errors.
#[test]
fn any_equilibrium_of_an_inverted_double_pendulum() {
    let built = built(&model("double_pendulum", &[]));
    let mut q = built.q.clone();
    // Both rods straight up: turned by -pi/2 about y.
    let (s, c) = (-std::f64::consts::FRAC_PI_4).sin_cos();
    q[..7].copy_from_slice(&[c, 0.0, s, 0.0, 0.0, 0.0, 0.5]);
    q[7..14].copy_from_slice(&[c, 0.0, s, 0.0, 0.0, 0.0, 1.4]);
    let e =
        find(&*built.system, &q, &EquilibriumOptions { kind: Kind::Any, ..EquilibriumOptions::default() })
            .unwrap();
    assert_eq!(e.unstable.len(), 2);
    for (kappa, omega) in e.kappa.iter().rev().zip([2.827670232097518_f64, 7.412356769815004]) {
        assert!(relative(-kappa, omega * omega) < 1e-9, "{:?}", e.kappa);
    }
}

/// No model prints modes in a frame that is not proved: each frame is proved, or the model is refused.
#[test]
fn frames_of_all_models_are_proved_or_refused() {
    let (mut proved, mut refused) = (0, 0);
    for name in names_of_all_models() {
        let loaded = model(&name, &[]);
        for built in [built(&loaded), built_se3(&loaded)] {
            let system = &*built.system;
            let state = precess::analysis::steady::moving(system, &built.q, &built.v, 0.0);
            match precess::analysis::steady::find(system, &state, Frame::Auto, false) {
                Ok(found) => {
                    assert!(found.proof <= 1e-8, "{name}: {}", found.proof);
                    proved += 1;
                }
                Err(AnalysisError::Unsteady { .. } | AnalysisError::NoFrame { .. }) => refused += 1,
                Err(e) => panic!("{name}: {e}"),
            }
        }
    }
    assert!(proved > 0 && refused > 10, "{proved} {refused}");
}

/// A pendulum under a cart whose motion is prescribed: m l u'' + (J + m l^2) phi'' + m g l phi = 0, and the
/// tip is at u + a phi.
#[test]
fn a_drive_as_input() {
    let (m, l, j, a) = (2.0, 0.4, 0.05, 0.9);
    let file = format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "cart"
        mass = 3
        inertia = [0.1, 0.1, 0.1]
        [[body]]
        name = "rod"
        mass = {m}
        inertia = [{j}, {j}, 0.01]
        position = [0, 0, -{l}]
        [[joint]]
        name = "rail"
        type = "prismatic"
        bodies = ["ground", "cart"]
        point = [0, 0, 0]
        axis = [1, 0, 0]
        drive = "0.3*t"
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["cart", "rod"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[sensor]]
        name = "tip"
        type = "position"
        body = "rod"
        point = [0, 0, -{a}]
        [[sensor]]
        name = "shock"
        type = "acceleration"
        body = "rod"
        point = [0, 0, -{a}]
        "#
    );
    let loaded = text(&file);
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let built = precess::model::build(&loaded.model, formulation).unwrap();
        let system = &*built.system;
        let e = find(system, &built.q, &EquilibriumOptions::default()).unwrap();
        let found = resting_at(system, &e.state).unwrap();
        let modes = modes(system, &found, Selection::default()).unwrap();
        let linear = modes.linear.as_ref().unwrap();
        let outputs = ["tip.x".to_string(), "shock.x".to_string()];
        let space = StateSpace::new(system, &found, linear, &[], &outputs).unwrap();
        let drive = DriveInput::new(&loaded.model, formulation, "rail.drive").unwrap();
        let space = with_drive(space, system, (&found, linear), &drive, &outputs).unwrap();
        assert_eq!(space.inputs, [("rail.drive''".to_string(), "m/s^2".to_string())]);
        let whole = j + m * l * l;
        let square = m * 9.81 * l / whole;
        assert!((space.d[(1, 0)] - (1.0 - a * m * l / whole)).abs() < 1e-9, "{}", space.d);
        for omega in [0.5_f64, 2.0, 11.0] {
            let g = space.transfer(omega).unwrap();
            let phi = -m * l / whole / (square - omega * omega);
            let tip = -1.0 / (omega * omega) + a * phi;
            assert!(
                (g[(0, 0)].re - tip).abs() < 1e-8 * tip.abs() && g[(0, 0)].im.abs() < 1e-9,
                "{omega}: {g} {tip}"
            );
            let shock = -omega * omega * tip;
            assert!((g[(1, 0)].re - shock).abs() < 1e-7 * shock.abs().max(1.0), "{omega}: {g} {shock}");
        }
    }
    assert!(DriveInput::new(&loaded.model, Formulation::R3SO3, "hinge.drive").is_none());
}

/// The animation of a mode keeps the joints closed, repeats after a period and moves visibly.
#[test]
fn modes_swing_on_their_joints() {
    for loaded in [four_bar(20), model("double_pendulum", &[])] {
        for built in [built(&loaded), built_se3(&loaded)] {
            let system = &*built.system;
            let e = find(system, &built.q, &EquilibriumOptions::default()).unwrap();
            let found = resting_at(system, &e.state).unwrap();
            let m = modes(system, &found, Selection::default()).unwrap();
            let layout = precess::analysis::local::Layout::new(system).unwrap();
            for mode in &m.modes {
                let states = precess::analysis::animate::swing(system, &found, mode).unwrap();
                let apart = |a: &precess::mechanics::State, b: &precess::mechanics::State| {
                    let mut x = nalgebra::DVector::zeros(layout.controls.end);
                    system.group().difference(&a.q, &b.q, x.as_mut_slice());
                    layout.size(&x)
                };
                let (first, last) = (&states[0], &states[states.len() - 1]);
                assert!(apart(first, last) < 1e-9);
                assert!(relative(last.t - first.t, 2.0 * std::f64::consts::TAU / mode.s.im) < 1e-12);
                let far = states.iter().map(|s| apart(s, &found.state)).fold(0.0, precess::study::larger);
                assert!(far > 0.1 && far < 0.5, "{far}");
                for state in &states {
                    let open = precess::analysis::local::constraint(system, state).norm();
                    assert!(open < 1e-10, "{open}");
                }
            }
        }
    }
}
