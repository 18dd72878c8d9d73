//! Initial velocities that are not given follow from rates of joints and from given velocities.

use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::model::load;

use crate::model_util::{load_text, start};

/// A crank of 0.2 m that turns about y, a rod of 0.5 m, and a slider on the axis x. At the start the crank points
/// upwards.
const CRANK: &str = r#"
[parameters]
h = "sqrt(0.5^2 - 0.2^2)"
[[body]]
name = "crank"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.1]
[[body]]
name = "rod"
mass = 1
inertia = [0.02, 0.02, 0.02]
position = ["h/2", 0, 0.1]
[[body]]
name = "slider"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = ["h", 0, 0]
[[joint]]
name = "bearing"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = "y"
#RATE
[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
point = [0, 0, 0.2]
axis = "y"
[[joint]]
name = "cross"
type = "revolute"
bodies = ["rod", "slider"]
point = ["h", 0, 0]
axis = "y"
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "slider"]
point = ["h", 0, 0]
axis = "x"
"#;

/// The crank at 3 rad/s moves its end by 0.6 m/s along x. The rod then only translates, and so does the slider.
fn check(text: &str) {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let s = start(&load_text(text), formulation);
        let bodies = s.system.bodies(&s.state.at());
        let expected = [(3.0, 0.3), (0.0, 0.6), (0.0, 0.6)];
        for (b, (turn, along)) in bodies.iter().zip(expected) {
            assert!(
                (b.angular_velocity - Vector3::new(0.0, turn, 0.0)).norm() < 1e-9,
                "{formulation:?} {b:?}"
            );
            assert!((b.velocity - Vector3::new(along, 0.0, 0.0)).norm() < 1e-9, "{formulation:?} {b:?}");
        }
    }
}

#[test]
fn everything_follows_from_a_rate() {
    check(&CRANK.replace("#RATE", "rate = 3"));
    check(&CRANK.replace("#RATE", "rate = \"(3*60/(2*pi)) rpm\""));
    // From the velocity of the slider, and from the angular velocity of the crank alone.
    let slider = "position = [\"h\", 0, 0]\n[[joint]]";
    assert!(CRANK.contains(slider));
    check(&CRANK.replace(slider, "position = [\"h\", 0, 0]\nvelocity = [0.6, 0, 0]\n[[joint]]"));
    let crank = "position = [0, 0, 0.1]\n";
    check(&CRANK.replace(crank, &format!("{crank}angular_velocity = [0, 3, 0]\n")));
}

/// In a chain, joints without a rate stay as they are; a body with an angular velocity and no velocity is
/// carried by its hinge.
#[test]
fn other_joints_keep_still() {
    let text = r#"
[[body]]
name = "upper"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 0]
[[body]]
name = "lower"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1.5, 0, 0]
[[joint]]
name = "A"
type = "revolute"
bodies = ["ground", "upper"]
point = [0, 0, 0]
axis = "y"
rate = 2
[[joint]]
name = "B"
type = "revolute"
bodies = ["upper", "lower"]
point = [1, 0, 0]
axis = "y"
"#;
    let read = |text: &str| {
        let s = start(&load_text(text), Formulation::R3SO3);
        let bodies = s.system.bodies(&s.state.at());
        bodies.iter().map(|b| (b.angular_velocity.y, b.velocity.z)).collect::<Vec<_>>()
    };
    let near = |found: Vec<(f64, f64)>, expected: [(f64, f64); 2]| {
        for (f, e) in found.iter().zip(expected) {
            assert!((f.0 - e.0).abs() < 1e-9 && (f.1 - e.1).abs() < 1e-9, "{found:?} {expected:?}");
        }
    };
    near(read(text), [(2.0, -1.0), (2.0, -3.0)]);
    near(
        read(&text.replace("[1, 0, 0]\naxis = \"y\"", "[1, 0, 0]\naxis = \"y\"\nrate = -2")),
        [(2.0, -1.0), (0.0, -2.0)],
    );
    let alone = text
        .replace("rate = 2\n", "")
        .replace("position = [1.5, 0, 0]", "position = [1.5, 0, 0]\nangular_velocity = [0, 3, 0]");
    near(read(&alone), [(0.0, 0.0), (3.0, -1.5)]);
    // Written and read again, it is the same model.
    let again = load_text(text).model.to_toml().unwrap();
    near(read(&again), [(2.0, -1.0), (2.0, -3.0)]);
}

#[test]
fn contradictions_are_named() {
    let with = |rate: &str, more: &str| {
        let text = CRANK
            .replace("#RATE", rate)
            .replace("position = [0, 0, 0.1]\n", &format!("position = [0, 0, 0.1]\n{more}"));
        match load("wrong.toml", &text, &[]) {
            Err(e) => e.to_string(),
            Ok(loaded) => precess::model::build(&loaded.model, Formulation::R3SO3).err().unwrap().to_string(),
        }
    };
    let e = with("rate = 3", "velocity = [0, 0, 0]\nangular_velocity = [0, 1, 0]\n");
    assert!(e.contains("no velocities fit the rates"), "{e}");
    assert!(with("rate = 3\ndrive = \"t\"", "").contains("has a rate and a drive"));
    let spherical = CRANK.replace("#RATE", "rate = 3").replacen("revolute", "spherical", 1);
    let e = load("wrong.toml", &spherical, &[]).unwrap_err().to_string();
    assert!(e.contains("'bearing' has no coordinate"), "{e}");
}
