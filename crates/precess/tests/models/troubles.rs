//! Values that become NaN while a model runs: the message names the part of the expression and its
//! parameters, wherever the expression is.

use precess::formulation::Formulation;
use precess::mechanics::State;
use precess::model::{Built, build, load};

/// A disc on a shaft that turns with 1 rad/s, and a bead on a wire that runs with 2 m/s along x from x = 0.5.
const MODEL: &str = r#"
    [parameters]
    T = 0.2
    a = 0.3
    b = 1
    [inputs]
    pull = 1
    [[body]]
    name = "disc"
    mass = 1
    inertia = [1, 1, 1]
    angular_velocity = [0, 1, 0]
    [[joint]]
    name = "shaft"
    type = "revolute"
    bodies = ["ground", "disc"]
    point = [0, 0, 0]
    axis = "y"
    [[body]]
    name = "bead"
    type = "point"
    mass = 1
    position = [0.5, 0, 0]
    velocity = [2, 0, 0]
    [[sensor]]
    name = "place"
    type = "position"
    body = "bead"
"#;

/// The message about a model at a time. Until then, positions move with constant velocities.
fn said(text: &str, t: f64) -> String {
    let loaded = load("t.toml", text, &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
    let Built { system, q, v, .. } =
        build(&loaded.model, Formulation::R3SO3).unwrap_or_else(|e| panic!("{e}"));
    let theta: Vec<f64> = v.iter().map(|v| t * v).collect();
    let mut state = State {
        t,
        q: q.clone(),
        vdot: vec![0.0; v.len()],
        lambda: vec![0.0; system.n_lambda()],
        s: vec![0.0; system.n_s()],
        memory: vec![0.0; system.n_memory()],
        v,
    };
    system.group().retract(&q, &theta, &mut state.q);
    system.troubles(&state.at()).join("; ")
}

fn force(kind: &str, keys: &str) -> String {
    format!("[[force]]\nname = \"motor\"\ntype = \"{kind}\"\n{keys}\n")
}

#[test]
fn the_part_and_the_parameter_are_named() {
    let shaft = |kind: &str, value: &str| force(kind, &format!("joint = \"shaft\"\nvalue = \"{value}\""));
    let cases = [
        (
            force("torque", "body = \"disc\"\ntorque = [0, \"2*sqrt(1 - t/T)\", 0]"),
            "'sqrt(1 - t/T)' is NaN with t = 0.4, T = 0.2, in force 'motor' at t = 0.4 s",
        ),
        (
            force("force", "body = \"bead\"\nforce = [\"log(b - place.x)\", 0, 0]"),
            "'log(b - place.x)' is NaN with place.x = 1.3, b = 1, in force 'motor'",
        ),
        (
            shaft("actuator", "1 + sqrt(a - x)"),
            "'sqrt(a - x)' is NaN with x = 0.4, a = 0.3, in force \
            'motor'",
        ),
        (shaft("actuator", "sqrt(v - 1)"), "'sqrt(v - 1)' has no derivative with v = 1, in force 'motor'"),
        (
            shaft("actuator", "input('pull')*sqrt(T - shaft.x)*place.x"),
            "'sqrt(T - shaft.x)' is NaN with shaft.x = 0.4, T = 0.2, in force 'motor'",
        ),
        (
            force("potential", "potential = \"log(b - bead.x)\""),
            "'log(b - bead.x)' is NaN with bead.x = 1.3, b = 1, in force 'motor'",
        ),
        (
            force(
                "spring",
                "bodies = [\"ground\", \"bead\"]\npoint = [0, 0, 0]\npoint2 = [0.5, 0, \
                             0]\npotential = \"sqrt(b - l)\"",
            ),
            "'sqrt(b - l)' is NaN with l = 1.3, b = 1, in force 'motor'",
        ),
        (
            "[[control]]\nname = \"c\"\ntype = \"lag\"\njoint = \"shaft\"\ninput = \"sqrt(T - x)\"\ntime = \
             0.1\n"
                .to_string(),
            "'sqrt(T - x)' is NaN with x = 0.4, T = 0.2, in control 'c' at t = 0.4 s",
        ),
        (
            "[[control]]\nname = \"c\"\ntype = \"pid\"\njoint = \"shaft\"\nset_point = \"sqrt(T - \
             t)\"\nproportional = 3\n"
                .to_string(),
            "'sqrt(T - t)' is NaN with t = 0.4, T = 0.2, in control 'c'",
        ),
        (
            "[[state]]\nname = \"s\"\nrate = \"log(T - shaft)\"\n".to_string(),
            "'log(T - shaft)' is NaN with shaft = 0.4, T = 0.2, in state 's'",
        ),
        (
            "[[algebraic]]\nname = \"z\"\nequation = \"z - log(T - shaft)\"\n".to_string(),
            "'log(T - shaft)' is NaN with shaft = 0.4, T = 0.2, in algebraic variable 'z'",
        ),
        (
            "[[constraint]]\nname = \"wire\"\nequation = \"bead.z - sqrt(a + 0.7 - bead.x)*0\"\n".to_string(),
            "'sqrt(a + 0.7 - bead.x)' is NaN with bead.x = 1.3, a = 0.3, in constraint 'wire'",
        ),
    ];
    for (element, wanted) in cases {
        let text = format!("{MODEL}{element}");
        // Rounding of the moved positions.
        let found =
            said(&text, 0.4).replace("0.39999999999999997", "0.4").replace("1.2999999999999998", "1.3");
        assert!(found.contains(wanted), "{element}\n{found}\n{wanted}");
        // Before that there is no problem, except for the root, which has no slope from the beginning.
        if !wanted.contains("no derivative") {
            assert_eq!(said(&text, 0.1), "", "{element}");
        }
    }
}

/// A drive needs two derivatives; a piece of an `if` that is not taken is no mistake.
#[test]
fn drives_need_two_derivatives() {
    for (function, wanted) in [
        (
            "0.1*log(1 - t*a*10)",
            "'log(1 - t*a*10)' is NaN with t = 0.4, a = 0.3, in the drive of joint 'shaft' at t = 0.4 s",
        ),
        (
            "a*((0.4 - t)^1.5 - 0.4^1.5)",
            "'(0.4 - t)^1.5' has no derivative with t = 0.4, in the drive of joint 'shaft'",
        ),
        ("a*if(t < T, 0, (t - T)^3)", ""),
        ("a*if(t < 1, 0, (t - 1)^3*sqrt(t - 1))", ""),
    ] {
        let text = MODEL.replace("axis = \"y\"\n", &format!("axis = \"y\"\n    drive = \"{function}\"\n"));
        let found = said(&text.replace("angular_velocity = [0, 1, 0]", ""), 0.4);
        assert!(found.contains(wanted) && found.is_empty() == wanted.is_empty(), "{function}: {found}");
    }
}

/// A prescribed motion without a value at t = 0 is refused, and the part of its expression is named.
#[test]
fn motions_have_a_start() {
    let refused = |text: &str, part: &str| {
        let e = load("t.toml", text, &[]).unwrap_err();
        assert_eq!(e.list.len(), 1, "{e}");
        assert!(e.to_string().contains(part), "{e}");
    };
    let drive = MODEL.replace("axis = \"y\"", "axis = \"y\"\ndrive = \"2*log(t - T)\"");
    refused(&drive, "'log(t - T)' is NaN with t = 0, T = 0.2");
    let moved = "[[body]]\nname = \"base\"\nmotion = { position = [0, 0, \"a*sqrt(t - T)\"] }\n";
    refused(&format!("{MODEL}{moved}"), "'sqrt(t - T)' is NaN with t = 0, T = 0.2");
}
