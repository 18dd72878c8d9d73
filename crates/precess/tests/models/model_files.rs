//! Model files: all shipped models run, nothing is lost in a round trip, mistakes are reported at their
//! place.

use crate::model_util::*;
use nalgebra::{Matrix3, Vector3};
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::lie::Largest;
use precess::mechanics::BodyKind;
use precess::mechanics::joints::JointKind;
use precess::model::elements::*;
use precess::model::formula::{Need, formula};
use precess::model::{BodySpec, File, JointSpec, Model, build, load};

fn all_models() -> Vec<String> {
    let folder = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().to_str()?.strip_suffix(".toml").map(str::to_string))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    names
}

/// Every model starts consistently and runs a hundred steps with small residuals; without friction, drives
/// and dampers it keeps its energy.
#[test]
fn all_models_run_in_both_formulations() {
    for name in all_models() {
        let text = model_text(&name);
        let head: Vec<&str> = text.lines().take(2).collect();
        assert!(
            head[0].starts_with("# ") && head[1].starts_with("# Data: "),
            "{name} does not say what it is"
        );
        let loaded = load_model(&name, &[]);
        for formulation in [Formulation::R3SO3, Formulation::SE3] {
            let mut s = start(&loaded, formulation);
            let h = loaded.settings.step.min(loaded.settings.until / 300.0);
            let summary = s.run(&loaded.settings.options, h, 100.0 * h, |system, sample| {
                let troubles = system.troubles(&sample.state.at());
                assert!(troubles.is_empty(), "{name}: {troubles:?}");
            });
            assert!(summary.position_max < 1e-8 && summary.velocity_max < 1e-6, "{name}: {summary:?}");
            let conservative = loaded.model.controls.is_empty()
                && loaded.model.forces.is_empty()
                && loaded.model.joints.iter().all(|j| j.drive.is_none());
            if conservative {
                let (drift, e) = (summary.energy_drift.unwrap(), summary.energy_initial.unwrap());
                let scale = 1.0 + e.abs();
                // The spinning bodies of SE(3) have larger errors.
                assert!(drift < 2e-3 * scale, "{name}, {formulation:?}: energy {e} drifts by {drift}");
            }
            for (sensor, values) in s.system.sensors(&s.state.at()) {
                assert!(values.iter().all(|x| x.is_finite()), "{name}, {sensor}: {values:?}");
            }
        }
    }
}

#[test]
fn a_round_trip_loses_nothing() {
    for name in all_models() {
        let loaded = load_model(&name, &[]);
        let written = toml::to_string(&loaded.document.file).unwrap();
        let read: File = toml::from_str(&written).unwrap();
        assert_eq!(read, loaded.document.file, "{name}");
        let again = load(&format!("{name}.toml"), &written, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(again.model, loaded.model, "{name}");
        assert_eq!(again.settings, loaded.settings, "{name}");
    }
}

/// The same robot joint in a file and in Rust.
#[test]
fn builder_and_file_give_the_same_model() {
    let text = r#"
        [model]
        name = "arm"
        gravity = [0, 0, -9.81]
        [[body]]
        name = "arm"
        mass = 2
        inertia = [0.1, 0.2, 0.2]
        position = [0.5, 0, 0]
        markers = { tip = [0.5, 0, 0] }
        [[body]]
        name = "motor"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        position = [0, 0, 1]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "arm"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[joint]]
        name = "shaft"
        type = "revolute"
        bodies = ["ground", "motor"]
        point = [0, 0, 1]
        axis = [0, 1, 0]
        drive = "sin(t)^2"
        [[force]]
        name = "spring"
        type = "spring"
        bodies = ["ground", "arm"]
        point = [1, 0, 1]
        point2 = "arm.tip"
        stiffness = 50
        damping = 1
        free_length = 0.8
        [[force]]
        name = "motor"
        type = "actuator"
        joint = "hinge"
        value = "2*sin(t) - v"
        [[control]]
        name = "hold"
        type = "pid"
        joint = "hinge"
        set_point = "0.1*t"
        proportional = 5
        [[sensor]]
        name = "tip"
        type = "position"
        body = "arm"
        point = "arm.tip"
    "#;
    let pid = Pid {
        set_point: formula("0.1*t", Need::Motion).unwrap(),
        proportional: 5.0,
        integral: 0.0,
        derivative: 0.0,
        filter: None,
    };
    let model = Model::new("arm")
        .gravity([0.0, 0.0, -9.81])
        .body(BodySpec::rigid("arm", 2.0, [0.1, 0.2, 0.2]).at([0.5, 0.0, 0.0]).marker("tip", [0.5, 0.0, 0.0]))
        .body(BodySpec::rigid("motor", 1.0, [0.1; 3]).at([0.0, 0.0, 1.0]))
        .joint(JointSpec::revolute("hinge", ["ground", "arm"], [0.0; 3], [0.0, 1.0, 0.0]))
        .joint(
            JointSpec::revolute("shaft", ["ground", "motor"], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
                .driven(formula("sin(t)^2", Need::Motion).unwrap()),
        )
        .force(ForceSpec::spring(
            "spring",
            ["ground", "arm"],
            [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            50.0,
            1.0,
            0.8,
        ))
        .force(ForceSpec::actuator("motor", "hinge", formula("2*sin(t) - v", Need::State).unwrap()))
        .control(ControlSpec {
            name: "hold".into(),
            at: "hinge".into(),
            on: None,
            controller: Controller::Pid(pid),
        })
        .sensor(SensorSpec::new("tip", SensorKind::Position("arm".into(), Vector3::new(1.0, 0.0, 0.0))));
    // A file does not say that its bodies are at rest; the builder does.
    let mut read = load_text(text).model;
    read.partial.clear();
    assert_eq!(read, model);
    // A control that drives another joint than it measures.
    let other = text.replace("proportional = 5", "proportional = 5\ndrives = \"shaft\"");
    let s = start(&load_text(&other), Formulation::SE3);
    let state = hidden::disturbed(s.system.as_ref(), &s.state, &mut hidden::Numbers(9), 0.2);
    hidden::assert_derivatives("control of another joint", s.system.as_ref(), &state);
}

/// A name that does not exist is an error of the builder as well.
#[test]
fn dangling_names_in_code_are_errors() {
    let body = || Model::new("m").body(BodySpec::rigid("a", 1.0, [1.0; 3]));
    let joint = JointSpec::new("j", JointKind::Spherical, ["ground", "b"], [0.0; 3]);
    let force = ForceSpec::actuator("f", "hinge", 1.0.into());
    for model in [body().joint(joint), body().force(force)] {
        let error = build(&model, Formulation::R3SO3).err().expect("an error").to_string();
        assert!(error.contains("unknown"), "{error}");
    }
}

fn inertia_of(block: &str) -> (f64, Matrix3<f64>) {
    let loaded = load_text(&format!("[[body]]\nname = 'b'\n{block}\n"));
    let body = &loaded.model.bodies[0];
    let BodyKind::Rigid { inertia } = body.kind else { panic!("{block}") };
    (body.mass, inertia)
}

#[test]
fn shapes_and_inertia_frames() {
    let pi = std::f64::consts::PI;
    for (block, mass, principal) in [
        ("shape = { type = 'box', size = [1, 2, 3] }\ndensity = 2", 12.0, [13.0, 10.0, 5.0]),
        ("shape = { type = 'box', size = [1, 2, 3] }\nmass = 6", 6.0, [6.5, 5.0, 2.5]),
        ("shape = { type = 'sphere', radius = 0.5 }\nmass = 2", 2.0, [0.2, 0.2, 0.2]),
        (
            "shape = { type = 'cylinder', radius = 0.5, length = 2, axis = 'y' }\ndensity = 3",
            1.5 * pi,
            [1.5 * pi * (1.0 / 16.0 + 1.0 / 3.0), 1.5 * pi / 8.0, 1.5 * pi * (1.0 / 16.0 + 1.0 / 3.0)],
        ),
        ("shape = { type = 'rod', length = 2, axis = 'x' }\ndensity = 3", 6.0, [0.0, 2.0, 2.0]),
    ] {
        let (m, j) = inertia_of(block);
        assert!((m - mass).abs() < 1e-12, "{block}: mass {m}");
        let expected = Matrix3::from_diagonal(&Vector3::from(principal));
        assert!((j - expected).largest() < 1e-12, "{block}: {j}");
    }
    // A quarter turn about z exchanges x and y.
    let (_, j) =
        inertia_of("mass = 1\ninertia = [1, 2, 2.5]\ninertia_frame = { axis = [0, 0, 1], angle = '90 deg' }");
    assert!((j - Matrix3::from_diagonal(&Vector3::new(2.0, 1.0, 2.5))).largest() < 1e-14, "{j}");
}

/// `count` gives the same chain as writing out every rod.
#[test]
fn repeated_elements_are_counted() {
    let loaded = load_model("chain", &["parameters.N=3"]);
    let names: Vec<&str> = loaded.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["rod0", "rod1", "rod2"]);
    let joints: Vec<[&str; 2]> =
        loaded.model.joints.iter().map(|j| [j.bodies[0].as_str(), j.bodies[1].as_str()]).collect();
    assert_eq!(joints, [["ground", "rod0"], ["rod0", "rod1"], ["rod1", "rod2"]]);
    assert_eq!(loaded.model.joints[2].point, Vector3::new(2.0, 0.0, 0.0));
    assert_eq!(load_model("chain", &["parameters.N=1"]).model.joints.len(), 1);
}

fn problems(text: &str) -> String {
    load("bad.toml", text, &[]).err().unwrap_or_else(|| panic!("accepted:\n{text}")).to_string()
}

/// All mistakes of a file, each at its place.
#[test]
fn mistakes_are_reported_at_their_place_all_at_once() {
    let text = r#"
[parameters]
a = 2
[[body]]
name = "b"
shape = { type = "box", size = [1, 0, 1], radius = 2 }
mass = 1
markers = { tip = [1, 0, 0] }
[[body]]
name = "rod{i}"
count = 2.5
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "j"
type = "revolute"
bodies = ["ground", "b"]
point = "b.top"
point2 = [0, 0, 1]
axis = [0, 0, 1]
drive = "1 + sin(t)"
[[joint]]
name = "s"
type = "spherical"
bodies = ["ground", "b"]
point = [0, 0, 0]
point2 = [0, 0, 1]
drive = "t"
[[gear]]
name = "g"
joints = ["j", "s"]
ratio = 2
[[force]]
name = "f"
type = "spring"
bodies = ["ground", "c"]
point = [0, 0, 0]
point2 = [0, 0, 0]
stiffness = 1
free_length = 1
viscous = 3
[[force]]
name = "f"
type = "actuator"
joint = "j"
value = "abs(x) + y"
[[force]]
name = "h"
type = "torque"
body = "b"
[[control]]
name = "c"
type = "lag"
joint = "j"
set_point = 1
[[sensor]]
name = "x"
type = "spring-length"
force = "k"
[[sensor]]
name = "x"
type = "position"
body = "b"
joint = "j"
"#;
    let message = problems(text);
    println!("{message}");
    for expected in [
        "the edges of a box are positive",
        "'radius' does not apply to this shape",
        "2.5 is not a whole number",
        "unknown marker 'b.top', did you mean 'b.tip'?",
        "are 1.000e0 m apart at t = 0",
        "the drive starts at 1, the coordinate at t = 0 is 0",
        "has no coordinate that can be driven",
        "joint 's' has no such coordinate",
        "unknown body 'c'",
        "'viscous' is not a key of",
        "the name 'f' is taken",
        "unknown name 'y'",
        "force 'h' has no torque",
        "control 'c' has no input",
        "control 'c' has no time",
        "'set_point' does not apply to control 'c'",
        "unknown spring 'k'; known: f",
        "'joint' does not apply to sensor 'x'",
        "the name 'x' is taken",
    ] {
        assert!(message.contains(expected), "missing: {expected}\n{message}");
    }
    assert!(message.contains("--> bad.toml:18:9"), "{message}");
    for (bad, expected) in [
        ("[[force]]\nname = 'f'\ntype = 'sprnig'", "did you mean 'spring'"),
        ("[[force]]\nname = 'f'\ntype = 'drag'\nwindy = 1", "windy"),
        ("[[sensors]]\nname = 'f'", "unknown section 'sensors', did you mean 'sensor'"),
    ] {
        let message = problems(&format!("[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\n{bad}\n"));
        assert!(message.contains(expected), "{message}");
    }
    let long = problems(&format!("[[body]]\nname = '{}'\nmass = 1\ninertia = [1, 1, 1]\n", "b".repeat(201)));
    assert!(long.contains("a name of 201 bytes, more than 200"), "{long}");
}

/// A spring pulled by a known force: sensors in numbers.
#[test]
fn sensors_measure_what_they_say() {
    let text = r#"
        [model]
        gravity = [0, 0, -10]
        [[body]]
        name = "ball"
        type = "point"
        mass = 2
        position = [0, 0, -1]
        velocity = [3, 0, 0]
        [[joint]]
        name = "rod"
        type = "rigid-distance"
        bodies = ["ground", "ball"]
        point = [0, 0, 0]
        point2 = [0, 0, -1]
        [[force]]
        name = "k"
        type = "spring"
        bodies = ["ground", "ball"]
        point = [0, 0, -3]
        point2 = [0, 0, -1]
        stiffness = 5
        free_length = 0.5
        preload = 1
        [[sensor]]
        name = "length"
        type = "spring-length"
        force = "k"
        [[sensor]]
        name = "tension"
        type = "spring-force"
        force = "k"
        [[sensor]]
        name = "acceleration"
        type = "acceleration"
        body = "ball"
        [[sensor]]
        name = "rod"
        type = "reaction-force"
        joint = "rod"
        [[sensor]]
        name = "energy"
        type = "energy"
        [[sensor]]
        name = "L"
        type = "angular-momentum"
    "#;
    let s = start(&load_text(text), Formulation::R3SO3);
    assert_eq!(s.sensor("length"), [2.0]);
    assert_eq!(s.sensor("tension"), [8.5]);
    assert!(distance(&s.sensor("acceleration"), &[0.0, 0.0, 9.0]) < 1e-12);
    // m v^2 / l + m g + spring tension.
    assert!(distance(&s.sensor("rod"), &[0.0, 0.0, 18.0 + 20.0 + 8.5]) < 1e-10);
    assert!((s.sensor("energy")[0] - (9.0 - 20.0 + 0.5 * 5.0 * 2.25 + 1.5)).abs() < 1e-9);
    assert!(distance(&s.sensor("L"), &[0.0, -6.0, 0.0]) < 1e-12);
}

/// A bushing twisted beyond its range ends the run and is named.
#[test]
fn a_twisted_bushing_is_named() {
    let text = r#"
        [[body]]
        name = "b"
        mass = 1
        inertia = [1, 1, 1]
        angular_velocity = [0, 0, 10]
        [[force]]
        name = "mount"
        type = "bushing"
        bodies = ["ground", "b"]
        point = [0, 0, 0]
        stiffness = [1, 1, 1, 1e-3, 1e-3, 1e-3]
    "#;
    let loaded = load_text(text);
    let built = build(&loaded.model, Formulation::R3SO3).unwrap();
    let system = built.system.as_ref();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = options(Form::Index3).generalized_alpha().unwrap();
    let failure = precess::study::Run::new(1e-2, 1.0)
        .run(system, &mut method, &mut state, &mut |_: &precess::study::Sample| {})
        .unwrap_err();
    assert!(failure.to_string().contains("not finite"), "{failure}");
    // The last accepted state is just inside; one more step of free motion is outside.
    let mut q = state.q.clone();
    let step: Vec<f64> = state.v.iter().map(|v| 1e-2 * v).collect();
    system.group().retract(&state.q, &step, &mut q);
    let troubles = system.troubles(&precess::mechanics::At { q: &q, ..state.at() });
    assert!(troubles[0].contains("bushing 'mount'"), "{troubles:?}");
}
