//! Models that cannot be analysed, or only in part: each gets one sentence that says what was found and what
//! to try.

use crate::common::{directory, precess, text};

fn file(name: &str, content: &str) -> String {
    let path = directory(&format!("refusals_{name}")).join(name);
    std::fs::write(&path, content).unwrap();
    text(&path).to_string()
}

/// A parallelogram whose four pivots lie in one line: the coupler may move in two ways, one of them not far.
const FLAT: &str = r#"
[model]
name = "flat"
[[body]]
name = "left"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 0]
[[body]]
name = "coupler"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [2, 0, 0]
[[body]]
name = "right"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [2.5, 0, 0]
[[joint]]
name = "A"
type = "revolute"
bodies = ["ground", "left"]
point = [0, 0, 0]
axis = "y"
[[joint]]
name = "B"
type = "revolute"
bodies = ["left", "coupler"]
point = [1, 0, 0]
axis = "y"
[[joint]]
name = "C"
type = "revolute"
bodies = ["coupler", "right"]
point = [3, 0, 0]
axis = "y"
[[joint]]
name = "D"
type = "revolute"
bodies = ["ground", "right"]
point = [2, 0, 0]
axis = "y"
"#;

#[test]
fn a_singular_position() {
    let flat = file("flat.toml", FLAT);
    for command in [vec!["modes", &flat, "--at", "initial"], vec!["equilibrium", &flat]] {
        let run = precess(&command);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.contains("singular: the constraints have rank 16 here and 17 nearby"), "{}", run.err);
        assert!(run.err.contains("help: choose another position"), "{}", run.err);
    }
}

#[test]
fn several_equilibria() {
    let rod = file(
        "rod.toml",
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = [0.03, 0.05, \
         0.04]\nposition = [0, 0, 0.7]\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, \
         0]\naxis = [0, 1, 0]\n\
         [[force]]\nname = \"spring\"\ntype = \"joint-spring\"\njoint = \"hinge\"\nstiffness = 5\n",
    );
    let run = precess(&["equilibrium", &rod]).done();
    assert!(
        run.out.contains("another one: the other direction") && run.out.contains("'rod' at ("),
        "{}",
        run.out
    );
}

#[test]
fn events_and_friction_at_rest_are_named() {
    let gate = precess(&["modes", "models/gate.toml"]).done();
    assert!(gate.err.contains("note: events are ignored (button, light barrier, hand over)"), "{}", gate.err);
    let arm = precess(&["modes", "models/robot_arm.toml"]).done();
    assert!(
        arm.err.contains(
            "note: the friction of 'bearing' is linearised as a damper, which is right only below 0.02"
        ),
        "{}",
        arm.err
    );
    assert!(arm.err.contains("--set force.bearing.coefficient=0"), "{}", arm.err);
}

/// A wheel that is driven, in a bearing with dry friction.
const DRIVEN: &str = r#"
[model]
gravity = [0, -9.81, 0]
[[body]]
name = "wheel"
mass = 2
inertia = [0.1, 0.1, 0.2]
angular_velocity = [0, 0, 5]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]
point = [0, 0, 0]
axis = "z"
drive = "5*t"
[[force]]
name = "bearing"
type = "friction"
joint = "axle"
coefficient = 0.1
radius = 0.02
speed = 0.01
bearing_length = 0.05
"#;

#[test]
fn friction_in_motion() {
    let wheel = file("wheel.toml", DRIVEN);
    let run = precess(&["modes", &wheel, "--at", "steady"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("friction that depends on the forces of joints is not linearised in motion"),
        "{}",
        run.err
    );
    assert!(run.err.contains("help: ") && run.err.contains(".coefficient=0"), "{}", run.err);
}

#[test]
fn a_frame_that_does_not_exist() {
    for frame in ["rotating", "precessing"] {
        let run = precess(&["modes", "models/joint_revolute.toml", "--at", "steady", "--frame", frame]);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.contains(&format!("there is no {frame} frame: nothing moves")), "{}", run.err);
    }
}

/// No speed excites the first flapping mode of the blade once per turn. In the plane, such a speed exists: Im
/// s = spin.
#[test]
fn campbell_diagram_of_a_blade() {
    let path = directory("refusals_blade").join("blade.json");
    let blade = "models/flexible/rotating_blade.toml";
    let run = ["campbell", blade, "--set", "parameters.N=4", "--vary", "spin=0:10:6", "-o", text(&path)];
    precess(&run).done();
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let critical = json["critical"].as_array().unwrap();
    assert!(!critical.is_empty(), "{json}");
    let speed = critical[0]["spin"].as_f64().unwrap();
    let modes = [
        "modes",
        blade,
        "--set",
        "parameters.N=4",
        "--set",
        &format!("parameters.spin={speed}"),
        "--at",
        "steady",
        "--json",
    ];
    let modes = precess(&modes).done().json();
    let near = modes["modes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["im"].as_f64().unwrap() - speed).abs())
        .fold(f64::INFINITY, f64::min);
    assert!(near < 1e-6 * speed, "{speed}: {near}");
}

/// Every command that reads a model refuses its files outside its folder, and accepts them with the option.
#[test]
fn files_outside_the_folder_need_the_option() {
    let folder = directory("outside");
    std::fs::write(folder.join("spring.csv"), "-1,-500\n1,500\n").unwrap();
    std::fs::create_dir(folder.join("inner")).unwrap();
    let model = folder.join("inner/model.toml");
    let given = "[model]\nname = \"m\"\ngravity = [0, 0, -9.81]\n[tables]\nspring = { file = \"../spring.csv\" }\n\
        [[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"rail\"\ntype = \"prismatic\"\n\
        bodies = [\"ground\", \"b\"]\npoint = [0, 0, 0]\naxis = \"z\"\n[[force]]\nname = \"f\"\ntype = \"actuator\"\n\
        joint = \"rail\"\nvalue = \"-spring(x)\"\n[run]\nuntil = 0.01\nstep = 1e-3\n";
    std::fs::write(&model, given).unwrap();
    let model = text(&model);
    let commands: [&[&str]; 7] = [
        &["run", model],
        &["check", model],
        &["study", model, "--methods", "gen-alpha", "--steps", "2e-3,1e-3"],
        &["sweep", model, "--vary", "integrator.rho=0.7,0.9"],
        &["modes", model],
        &["equilibrium", model],
        &["assemble", model],
    ];
    for command in commands {
        precess(command).refused(&["spring.csv", "--allow-outside"]);
        precess(&[command, &["--allow-outside"]].concat()).done();
    }
    let cluster = ["--vary", "integrator.rho=0.7", "--dask", "tcp://127.0.0.1:1", "--allow-outside"];
    precess(&[&["sweep", model], &cluster[..]].concat()).refused(&["--allow-outside", "--dask"]);
}

/// Two drives that contradict each other: no projection can help, and no message asks for one.
#[test]
fn drives_that_contradict_each_other() {
    let folder = directory("contradict");
    let model = folder.join("rod.toml");
    let drive = |name: &str, body: &str, rate: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbodies = [\"ground\", \"{body}\"]\npoint = [0, 0, 0]\n\
             axis = \"z\"\ndrive = \"{rate}*t\"\n"
        )
    };
    let body = |name: &str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\n");
    let weld = "[[joint]]\nname = \"weld\"\ntype = \"fixed\"\nbodies = [\"a\", \"b\"]\npoint = [0, 0, 0]\n";
    let parts = [body("a"), body("b"), drive("one", "a", "2"), drive("two", "b", "3"), weld.to_string()];
    std::fs::write(&model, parts.concat() + "[run]\nuntil = 0.1\nstep = 1e-3\n").unwrap();
    let model = text(&model);
    for more in [&[][..], &["--fix-initial"]] {
        let e = precess(&[&["run", model], more].concat());
        assert_ne!(e.code, 0);
        assert!(e.err.contains("the drives contradict each other") && e.err.contains("joint"), "{}", e.err);
        assert!(!e.err.contains("--fix-initial"), "{}", e.err);
    }
}
