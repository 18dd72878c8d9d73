//! Sensors of efforts, totals, angular accelerations and formulas, against Newton's and Euler's equations.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::mechanics::sensors::read;
use precess::model::load;

use crate::model_util::{Start, load_text, start};

fn vector(s: &Start, name: &str) -> Vector3<f64> {
    Vector3::from_vec(read(&*s.system, name, &s.state.at()).unwrap_or_else(|| panic!("no sensor {name}")))
}

fn number(s: &Start, name: &str) -> f64 {
    read(&*s.system, name, &s.state.at()).unwrap_or_else(|| panic!("no sensor {name}"))[0]
}

/// Two arms on the ground with a gear between them, a rod on the first one, a slider, springs and an actuator.
const MACHINE: &str = r#"
[model]
gravity = [1, -2, -9.81]
[[body]]
name = "left"
mass = 2
inertia = [0.02, 0.05, 0.04]
position = [0.3, 0, 0.1]
velocity = [0, 0, -0.9]
angular_velocity = [0, 3, 0]
[[body]]
name = "right"
mass = 1.5
inertia = [0.01, 0.03, 0.02]
position = [1.2, 0, 0]
velocity = [0, 0, 0.3]
angular_velocity = [0, -1.5, 0]
[[body]]
name = "rod"
mass = 0.7
inertia = [0.01, 0.02, 0.03]
position = [0.6, 0.2, 0.3]
velocity = [0.6, 0, -1.8]
angular_velocity = [0, 3, 0]
[[body]]
name = "slider"
mass = 0.4
inertia = [0.001, 0.002, 0.003]
position = [0, 0, 1]
velocity = [0.5, 0, 0]
[[joint]]
name = "A"
type = "revolute"
bodies = ["ground", "left"]
point = [0, 0, 0.1]
axis = "y"
[[joint]]
name = "B"
type = "revolute"
bodies = ["ground", "right"]
point = [1, 0, 0]
axis = "y"
[[joint]]
name = "C"
type = "universal"
bodies = ["left", "rod"]
point = [0.6, 0, 0.1]
axis = "x"
axis2 = "z"
[[joint]]
name = "S"
type = "prismatic"
bodies = ["ground", "slider"]
point = [0.1, 0.05, 1]
axis = "x"
drive = "0.5*t + 0.3*t^2"
[[gear]]
name = "teeth"
joints = ["A", "B"]
ratio = 2
[[force]]
name = "coil"
type = "joint-spring"
joint = "A"
stiffness = 20
damping = 0.3
rest = 0.4
[[force]]
name = "motor"
type = "actuator"
joint = "B"
value = "3*cos(t) - 0.1*v"
[[force]]
name = "rope"
type = "spring"
bodies = ["ground", "rod"]
point = [0, 1, 2]
point2 = [0.6, 0.2, 0.4]
stiffness = 40
free_length = 1
[[force]]
name = "rubber"
type = "bushing"
bodies = ["ground", "right"]
point = [1.3, 0, 0]
stiffness = [100, 200, 300, 1, 2, 3]
[[force]]
name = "wind"
type = "force"
body = "left"
force = [3, 1, 2]
[[sensor]]
name = "ground force"
type = "total-force"
body = "ground"
[[sensor]]
name = "ground torque"
type = "total-torque"
body = "ground"
point = [0.3, -0.4, 0.5]
[[sensor]]
name = "on the rod"
type = "total-force"
body = "rod"
[[sensor]]
name = "on the rod about it"
type = "total-torque"
body = "rod"
point = [0.6, 0.2, 0.3]
[[sensor]]
name = "two"
type = "total-force"
joints = ["A", "C"]
[[sensor]]
name = "A force"
type = "reaction-force"
joint = "A"
[[sensor]]
name = "C force"
type = "reaction-force"
joint = "C"
[[sensor]]
name = "coil effort"
type = "effort"
force = "coil"
[[sensor]]
name = "motor effort"
type = "effort"
force = "motor"
[[sensor]]
name = "A angle"
type = "coordinate"
joint = "A"
[[sensor]]
name = "S force"
type = "reaction-force"
joint = "S"
[[sensor]]
name = "S guide"
type = "guide-force"
joint = "S"
[[sensor]]
name = "S torque"
type = "reaction-torque"
joint = "S"
[[sensor]]
name = "S guide torque"
type = "guide-torque"
joint = "S"
[[sensor]]
name = "S effort"
type = "drive-effort"
joint = "S"
"#;

/// Every body's acceleration and angular acceleration.
fn with_accelerations() -> String {
    let mut text = MACHINE.to_string();
    for body in ["left", "right", "rod", "slider"] {
        for kind in ["acceleration", "angular-acceleration"] {
            text.push_str(&format!(
                "[[sensor]]\nname = \"{body} {kind}\"\ntype = \"{kind}\"\nbody = \"{body}\"\n"
            ));
        }
    }
    text
}

/// m (a - g), and the derivative of the angular momentum about the centre, of a body in motion.
fn inertia(
    s: &Start,
    body: usize,
    mass: f64,
    moments: [f64; 3],
) -> (Vector3<f64>, Vector3<f64>, Vector3<f64>) {
    let states = s.system.bodies(&s.state.at());
    let b = &states[body];
    let g = Vector3::new(1.0, -2.0, -9.81);
    let a = vector(s, &format!("{} acceleration", b.name));
    let alpha = vector(s, &format!("{} angular-acceleration", b.name));
    let [w, x, y, z] = b.rotation;
    let r = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    let j = Matrix3::from_diagonal(&Vector3::from(moments));
    let omega = b.angular_velocity;
    (b.position, mass * (a - g), r * (j * alpha + omega.cross(&(j * omega))))
}

const DATA: [(f64, [f64; 3]); 4] = [
    (2.0, [0.02, 0.05, 0.04]),
    (1.5, [0.01, 0.03, 0.02]),
    (0.7, [0.01, 0.02, 0.03]),
    (0.4, [0.001, 0.002, 0.003]),
];

/// What joints, the gear, springs and the bushing do to the ground carries the weight and the inertia of all
/// bodies, but for the wind, which no body of the model gives.
#[test]
fn the_ground_carries_weight_and_inertia() {
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let s = start(&load_text(&with_accelerations()), formulation);
        let point = Vector3::new(0.3, -0.4, 0.5);
        let wind = Vector3::new(3.0, 1.0, 2.0);
        let (mut force, mut moment) = (-wind, Vector3::zeros());
        for (i, (mass, moments)) in DATA.iter().enumerate() {
            let (x, f, change) = inertia(&s, i, *mass, *moments);
            force += f;
            moment += (x - point).cross(&f) + change;
            if i == 0 {
                moment -= (x - point).cross(&wind);
            }
        }
        let found = (vector(&s, "ground force"), vector(&s, "ground torque"));
        assert!((found.0 + force).norm() < 1e-9 * force.norm(), "{formulation:?}: {} {force}", found.0);
        assert!((found.1 + moment).norm() < 1e-9 * moment.norm(), "{formulation:?}: {} {moment}", found.1);
        // One body: everything that acts on it but its weight.
        let (_, f, change) = inertia(&s, 2, DATA[2].0, DATA[2].1);
        assert!((vector(&s, "on the rod") - f).norm() < 1e-10 * f.norm());
        assert!((vector(&s, "on the rod about it") - change).norm() < 1e-10 * change.norm().max(1.0));
        let two = vector(&s, "A force") + vector(&s, "C force");
        assert!((vector(&s, "two") - two).norm() < 1e-13 * two.norm());
    }
}

/// Efforts are those of the laws in the file; a drive of a slider carries m (a - g) along the axis, and the
/// guide nothing.
#[test]
fn efforts_are_those_of_the_laws() {
    let s = start(&load_text(&with_accelerations()), Formulation::R3SO3);
    let coil = -20.0 * (number(&s, "A angle") - 0.4) - 0.3 * 3.0;
    assert!((number(&s, "coil effort") - coil).abs() < 1e-12, "{}", number(&s, "coil effort"));
    let motor = 3.0 + 0.1 * 1.5;
    assert!((number(&s, "motor effort") - motor).abs() < 1e-12, "{}", number(&s, "motor effort"));
    let drive = 0.4 * (0.6 - 1.0);
    assert!((number(&s, "S effort") - drive).abs() < 1e-11, "{}", number(&s, "S effort"));
    let (whole, guide) = (vector(&s, "S force"), vector(&s, "S guide"));
    assert!(
        guide.x.abs() < 1e-11 && (whole - guide - Vector3::new(drive, 0.0, 0.0)).norm() < 1e-11,
        "{guide}"
    );
    // The drive acts at the joint point of the slider, so it has no torque about this point.
    assert!((vector(&s, "S torque") - vector(&s, "S guide torque")).norm() < 1e-11);
    assert!((whole - Vector3::new(0.6 - 1.0, 2.0, 9.81) * 0.4_f64).norm() < 1e-11, "{whole}");
}

/// A driven hinge: its torque is that of the equation of a pendulum, and the guide has none about the axis.
#[test]
fn a_driven_hinge() {
    let text = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = [0.02, 0.05, 0.04]
position = [0.3, 0.1, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "arm"]
point = [0, 0, 0]
axis = "y"
drive = "0.7*t + 0.4*t^2"
[[sensor]]
name = "effort"
type = "drive-effort"
joint = "hinge"
[[sensor]]
name = "guide"
type = "guide-torque"
joint = "hinge"
[[sensor]]
name = "whole"
type = "reaction-torque"
joint = "hinge"
"#;
    let s = start(&load_text(text), Formulation::R3SO3);
    // Turning about y by phi lowers the arm: M = J phi'' - m g l cos(phi).
    let expected = (0.05 + 2.0 * 0.09) * 0.8 - 2.0 * 9.81 * 0.3;
    assert!((number(&s, "effort") - expected).abs() < 1e-10, "{} {expected}", number(&s, "effort"));
    assert!(vector(&s, "guide").y.abs() < 1e-10 && vector(&s, "guide").norm() > 0.1);
    assert!((vector(&s, "whole").y - expected).abs() < 1e-10);
}

/// A free body: J omega' = -omega x J omega along its axes, and the same vectors along those of space.
#[test]
fn angular_accelerations_and_frames() {
    let text = r#"
[[body]]
name = "stone"
mass = 1
inertia = [1, 2, 3]
position = [0, 0, 0]
rotation = { axis = [1, 2, 3], angle = 0.8 }
angular_velocity = [0.5, -0.7, 0.9]
[[sensor]]
name = "own"
type = "angular-acceleration"
body = "stone"
[[sensor]]
name = "space"
type = "angular-acceleration"
body = "stone"
frame = "inertial"
[[sensor]]
name = "spin"
type = "angular-velocity"
body = "stone"
frame = "inertial"
"#;
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let s = start(&load_text(text), formulation);
        let omega = Vector3::new(0.5, -0.7, 0.9);
        let j = Vector3::new(1.0, 2.0, 3.0);
        let expected = -omega.cross(&j.component_mul(&omega)).component_div(&j);
        let axis = nalgebra::Unit::new_normalize(Vector3::new(1.0, 2.0, 3.0));
        let r = UnitQuaternion::from_axis_angle(&axis, 0.8);
        assert!((vector(&s, "own") - expected).norm() < 1e-14, "{}", vector(&s, "own"));
        assert!((vector(&s, "space") - r * expected).norm() < 1e-14);
        assert!((vector(&s, "spin") - r * omega).norm() < 1e-14);
        assert_eq!(s.system.sensor_units(), ["rad/s^2", "rad/s^2", "rad/s"]);
    }
}

const FORMULA: &str = r#"
[parameters]
base = "1.2 m"
[[body]]
name = "left"
type = "point"
mass = 1
position = [0.3, 0.4, 0.5]
velocity = [1, 2, 2]
[[body]]
name = "right"
type = "point"
mass = 1
position = [-0.9, 0, 0.1]
[[sensor]]
name = "left wheel"
type = "position"
body = "left"
[[sensor]]
name = "right"
type = "position"
body = "right"
[[sensor]]
name = "fast"
type = "velocity"
body = "left"
[[sensor]]
name = "camber"
type = "formula"
value = "atan2({left wheel}.z - right.z, base)*1 rad"
[[sensor]]
name = "speed"
type = "formula"
value = "2*fast + t*1 m/s^2"
"#;

/// A formula reads components, lengths, parameters and time, with its unit, and survives being written.
#[test]
fn formulas_read_other_sensors() {
    let loaded = load_text(FORMULA);
    let again = load("again.toml", &loaded.model.to_toml().unwrap(), &[]).unwrap_or_else(|e| panic!("{e}"));
    // A written formula has plain numbers, so its unit is lost.
    for (loaded, unit) in [(loaded, "rad"), (again, "")] {
        let s = start(&loaded, Formulation::R3SO3);
        assert_eq!(number(&s, "camber"), f64::atan2(0.4, 1.2));
        assert_eq!(number(&s, "speed"), 6.0);
        assert_eq!(s.system.sensor_units()[3], unit);
    }
    let wrong = |value: &str| {
        let text = FORMULA.replace("atan2({left wheel}.z - right.z, base)*1 rad", value);
        load("wrong.toml", &text, &[]).unwrap_err().to_string()
    };
    assert!(wrong("right.z + 3 N").contains("right.z"), "{}", wrong("right.z + 3 N"));
    assert!(wrong("rigth.z").contains("did you mean 'right'"), "{}", wrong("rigth.z"));
    // Only what is known so far: the value of a formula never depends on itself.
    assert!(wrong("camber + 1").contains("unknown sensor 'camber'"), "{}", wrong("camber + 1"));
}

#[test]
fn mistakes_are_named() {
    for (old, new, part) in [
        ("force = \"coil\"", "force = \"rope\"", "acts on no joint coordinate"),
        ("joints = [\"A\", \"C\"]", "joints = [\"A\", \"D\"]", "unknown joint 'D'"),
        ("joints = [\"A\", \"C\"]", "", "needs either a body or a list of joints"),
        ("type = \"drive-effort\"\njoint = \"S\"", "type = \"drive-effort\"\njoint = \"A\"", "has no drive"),
        (
            "type = \"total-force\"\nbody = \"rod\"",
            "type = \"total-force\"\nbody = \"rot\"",
            "unknown body 'rot'",
        ),
    ] {
        let text = MACHINE.replace(old, new);
        assert_ne!(text, MACHINE);
        let e = load("wrong.toml", &text, &[]).unwrap_err().to_string();
        assert!(e.contains(part), "{part}: {e}");
    }
}
