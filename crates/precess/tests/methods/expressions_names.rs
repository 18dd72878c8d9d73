//! Names in expressions: sensors and joints, names with two meanings, mistakes.

use super::expressions::{file, load, run};
use precess::formulation::Formulation;
use precess::model::{self, Files};

/// An arm with a state; what the actuator and the state read is given.
fn arm(value: &str, rate: &str) -> String {
    format!(
        r#"
        model = {{ gravity = [0, 0, -9.81] }}
        [[body]]
        name = "arm"
        mass = 2
        inertia = [0.1, 0.2, 0.2]
        position = [0.5, 0, 0]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "arm"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[sensor]]
        name = "turn"
        type = "coordinate"
        joint = "hinge"
        [[sensor]]
        name = "centre"
        type = "position"
        body = "arm"
        [[sensor]]
        name = "speed"
        type = "velocity"
        body = "arm"
        [[state]]
        name = "c"
        rate = "{rate}"
        initial = 1
        [[force]]
        name = "motor"
        type = "actuator"
        joint = "hinge"
        value = "{value}"
        [integrator]
        method = "gen-alpha"
        [run]
        step = 0.01
        until = 1
        "#
    )
}

/// Sensors, joints with `.x` and `.v`, and coordinates are the same things under several names, also beside
/// states.
#[test]
fn sensors_and_joints_have_one_vocabulary() {
    let end = |value: &str, rate: &str| run(&load(&arm(value, rate), &[]), |_| {}).0;
    let first = end("c - 2*x - 0.1*v + arm.z", "-c + hinge + rate(arm.x)");
    for (value, rate) in [
        ("c - 2*hinge - 0.1*rate(hinge) + centre.z", "-c + turn + speed.x"),
        ("c - 2*hinge.x - 0.1*hinge.v + arm.z", "-c + hinge.x + rate(arm.x)"),
        ("c - 2*turn - 0.1*{hinge}.v + {centre}.z", "-c + {turn} + {speed}.x"),
    ] {
        let other = end(value, rate);
        let same = |a: &[f64], b: &[f64]| {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * (1.0 + x.abs()))
        };
        assert!(same(&first.q, &other.q) && same(&first.v, &other.v), "{value}: {:?} {:?}", first.v, other.v);
    }
    // A law that needs no state is one of the other kind, with the same motion.
    let law = end("-2*turn - 0.1*hinge.v + centre.z", "-c");
    let load = end("-2*x - 0.1*v + arm.z + 0*c", "-c");
    assert!(law.q.iter().zip(&load.q).all(|(x, y)| (x - y).abs() <= 1e-12), "{:?} {:?}", law.q, load.q);
}

/// A name with two meanings is an error, and so is an unknown name beside a state.
#[test]
fn names_with_two_meanings() {
    let error = |text: &str| {
        let loaded = model::load_with("test.toml", text, &[], Files::memory([]));
        loaded.err().unwrap_or_else(|| panic!("{text}")).to_string()
    };
    let twice = arm("c - hinge.x", "-c").replace("\"arm\"", "\"hinge\"");
    assert!(error(&twice).contains("'hinge.x' may be a joint or a body"), "{}", error(&twice));
    let unknown = error(&arm("c - curent", "-c"));
    assert!(unknown.contains("unknown name 'curent'"), "{unknown}");
    let energy = arm("c - e", "-c") + "[[sensor]]\nname = \"e\"\ntype = \"energy\"\n";
    assert!(error(&energy).contains("cannot read sensor 'e'"), "{}", error(&energy));
}

/// A mistake is reported at its place, with the known names.
#[test]
fn mistakes_are_named() {
    let bead = |rest: &str| {
        format!("[[body]]\nname = \"bead\"\ntype = \"point\"\nmass = 1\nposition = [1, 0, 0]\n{rest}")
    };
    let constraint = |e: &str| bead(&format!("[[constraint]]\nname = \"c\"\nequation = \"{e}\""));
    let potential =
        |e: &str| bead(&format!("[[force]]\nname = \"f\"\ntype = \"potential\"\npotential = \"{e}\""));
    for (text, part) in [
        (constraint("baed.x - 1"), "bead"),
        (constraint("distance(bead, B)"), "B"),
        (constraint("distance(bead)"), "two points"),
        (constraint("abs(bead.x) - 1"), "2 continuous derivatives"),
        (constraint("rate(bead.x)"), "cannot read rates"),
        (constraint("1 - 2"), "reads no position"),
        (constraint("bead.x*"), "cannot read"),
        (constraint("bead.q"), "bead"),
        (potential("bead.x*t"), "cannot read the time"),
        (
            bead("[[algebraic]]\nname = \"p\"\nequation = \"p - c\"\n[[state]]\nname = \"c\"\nrate = \"p\""),
            "cannot read the state",
        ),
        (
            bead("[[force]]\nname = \"f\"\ntype = \"actuator\"\nalong = \"2*bead.x\"\nvalue = 1"),
            "is not a coordinate",
        ),
    ] {
        let error = model::load_with("test.toml", &text, &[], Files::memory([]))
            .err()
            .unwrap_or_else(|| panic!("{text}"));
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    // Conserving methods name what they do not support.
    let motor = file("motor_and_gas_spring", &[]);
    let refused = model::build(&motor.model, Formulation::Directors).err().unwrap().to_string();
    assert!(refused.contains("current"), "{refused}");
    let moving = load(&constraint("bead.x - 1 - 0*t"), &[]);
    let refused = model::build(&moving.model, Formulation::Directors).err().unwrap().to_string();
    assert!(refused.contains("depends on time"), "{refused}");
}
