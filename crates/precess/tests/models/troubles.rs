//! Numbers that are none while a model runs: the part of the expression and its parameters are named, wherever the expression stands.

use precess::formulation::Formulation;
use precess::integrate::Accelerations;
use precess::model::load;

/// A disc on a shaft that turns with 1 rad/s, and a bead on a wire that runs with 2 m/s along x from x = 0.5.
const MODEL: &str = r#"
    [parameters]
    T = 0.2
    a = 0.3
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

/// What is said of the model with this element at a time; positions move on with constant velocities.
fn said(element: &str, t: f64) -> String {
    let loaded =
        load("t.toml", &format!("{MODEL}{element}"), &[]).unwrap_or_else(|e| panic!("{element}: {e}"));
    let mut s = crate::model_util::start(&loaded, Formulation::R3SO3);
    let theta: Vec<f64> = s.state.v.iter().map(|v| t * v).collect();
    let q = s.state.q.clone();
    s.system.group().retract(&q, &theta, &mut s.state.q);
    s.state.t = t;
    // Something is wrong with it, or nothing is.
    let fails = Accelerations::new(s.system.as_ref()).solve(s.system.as_ref(), &mut s.state).is_err();
    let list = s.system.troubles(&s.state.at());
    assert!(!fails || !list.is_empty(), "{element}: no reason is given");
    list.join("; ")
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
            force("force", "body = \"bead\"\nforce = [\"log(a - place.x)\", 0, 0]"),
            "'log(a - place.x)' is NaN with place.x = 1.3, a = 0.3, in force 'motor'",
        ),
        (shaft("actuator", "1 + sqrt(a - x)"), "'sqrt(a - x)' is NaN with x = 0.4, a = 0.3, in force 'motor'"),
        (shaft("actuator", "acos(v/a)"), "'acos(v/a)' is NaN with v = 1, a = 0.3, in force 'motor'"),
        (shaft("actuator", "sqrt(v - 1)"), "'sqrt(v - 1)' has no derivative with v = 1, in force 'motor'"),
        (
            shaft("actuator", "input('pull')*sqrt(T - shaft.x)*place.x"),
            "'sqrt(T - shaft.x)' is NaN with shaft.x = 0.4, T = 0.2, in force 'motor'",
        ),
        (
            force("potential", "potential = \"log(a - bead.x)\""),
            "'log(a - bead.x)' is NaN with bead.x = 1.3, a = 0.3, in force 'motor'",
        ),
        (
            force("spring", "bodies = [\"ground\", \"bead\"]\npoint = [0, 0, 0]\npoint2 = [0.5, 0, 0]\npotential = \"sqrt(a - l)\""),
            "'sqrt(a - l)' is NaN with l = 1.3, a = 0.3, in force 'motor'",
        ),
        (
            "[[control]]\nname = \"c\"\ntype = \"lag\"\njoint = \"shaft\"\ninput = \"sqrt(T - x)\"\ntime = 0.1\n".to_string(),
            "'sqrt(T - x)' is NaN with x = 0.4, T = 0.2, in control 'c' at t = 0.4 s",
        ),
        (
            "[[control]]\nname = \"c\"\ntype = \"pid\"\njoint = \"shaft\"\nset_point = \"sqrt(T - t)\"\nproportional = 3\n".to_string(),
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
        let found = said(&element, 0.4);
        // Rounding of the moved positions.
        let found = found.replace("0.39999999999999997", "0.4").replace("1.2999999999999998", "1.3");
        assert!(found.contains(wanted), "{element}\n{found}\n{wanted}");
        // Where all is well nothing is said, apart from the root whose slope is infinite from the start.
        if !wanted.contains("derivative")
            && !wanted.contains("acos")
            && !wanted.contains("log(a")
            && !wanted.contains("a - l")
        {
            assert_eq!(said(&element, 0.1), "", "{element}");
        }
    }
}

/// A drive has two derivatives; one that has none is named, and a part that is not used is no mistake.
#[test]
fn drives_need_two_derivatives() {
    let drive = |function: &str| {
        let text = MODEL.replace("axis = \"y\"\n", &format!("axis = \"y\"\n    drive = \"{function}\"\n"));
        let text = text.replace("angular_velocity = [0, 1, 0]", "");
        let loaded = load("t.toml", &text, &[]).unwrap_or_else(|e| panic!("{function}: {e}"));
        let mut s = crate::model_util::start(&loaded, Formulation::R3SO3);
        s.state.t = 0.4;
        s.system.troubles(&s.state.at()).join("; ")
    };
    let found = drive("0.1*(sqrt(1 + T - t) - sqrt(1.2)) + log(1 + T - t*a*10)*0");
    assert!(
        found.contains("'log(1 + T - t*a*10)' has no derivative")
            || found.contains("is NaN")
            || found.contains("is -inf"),
        "{found}"
    );
    let found = drive("a*(t - 0.4)^2*0 + a*(if(t < T, 0, (t - T)^3))");
    assert_eq!(found, "", "{found}");
}
