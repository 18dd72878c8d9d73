//! Models that have every joint and force. They are not useful mechanisms; only their equations matter.
//!
//! The tests of derivatives use them: with dual numbers in tests/mechanics/dual_numbers.rs, with differences
//! in tests/mechanics/derivatives.rs.
#![allow(dead_code)]

mod conserving;
mod laws;

pub use conserving::*;
pub use laws::*;

/// Two rigid bodies and a point mass.
pub const BODIES: &str = r#"
[model]
gravity = [0.3, -0.2, -9.81]
length_scale = 0.7
[[body]]
name = "a"
mass = 1.3
inertia = [0.1, 0.12, 0.14]
position = [0.5, 0.1, 0]
rotation = { axis = [1, 2, 3], angle = 0.4 }
markers = { tip = [0.4, 0.1, 0.1] }
[[body]]
name = "b"
mass = 2.0
inertia = [0.2, 0.12, 0.3]
position = [1.0, 0.6, 0.2]
markers = { corner = [0.2, -0.1, 0.2] }
[[body]]
name = "p"
type = "point"
mass = 0.5
position = [0.0, 0.5, 1.0]
"#;

/// Every force that needs no joint.
pub const FORCES: &str = r#"
[[force]]
name = "spring"
type = "spring"
bodies = ["a", "b"]
point = [0.4, 0.2, 0.1]
point2 = [1.1, 0.5, 0.3]
stiffness = 70
damping = 3
free_length = 0.5
preload = 2
[[force]]
name = "rubber"
type = "spring"
bodies = ["ground", "b"]
point = [0.1, 0.2, 0.3]
point2 = [1.0, 0.6, 0.1]
stiffness = 11
damping = 2
free_length = 0
[[force]]
name = "table"
type = "spring"
bodies = ["a", "p"]
point = [0.5, 0.2, 0.1]
point2 = [0.0, 0.5, 1.0]
table = [[0.2, -20], [0.9, -5], [1.1, 0], [1.5, 5], [1.9, 30]]
damping = 1
[[force]]
name = "potential"
type = "spring"
bodies = ["b", "p"]
point = [1.0, 0.5, 0.2]
point2 = [0.0, 0.5, 1.0]
potential = "3*(l^2 - 1)^2"
[[force]]
name = "bushing"
type = "bushing"
bodies = ["a", "b"]
point = [0.7, 0.3, 0.1]
rotation = { axis = [1, 0, 1], angle = 0.3 }
stiffness = [10, 20, 30, 4, 5, 6]
damping = [1, 2, 3, 0.4, 0.5, 0.6]
[[force]]
name = "pad"
type = "bushing"
bodies = ["ground", "a"]
point = [0.6, 0.1, 0]
stiffness = [10, 20, 30]
damping = [1, 2, 3]
[[force]]
name = "shaft"
type = "torsion-spring"
bodies = ["a", "b"]
axis = [0.3, 0.2, 1]
stiffness = 6
damping = 0.4
rest = 0.3
preload = 0.5
[[force]]
name = "wind"
type = "drag"
body = "b"
point = [1.2, 0.6, 0.3]
coefficient = 0.8
wind = [1, 2, -1]
[[force]]
name = "sail"
type = "plate"
body = "a"
point = [0.7, 0.1, 0.4]
axis = [0.3, -0.2, 1]
coefficient = 0.9
wind = [1, 2, -1]
[[force]]
name = "push"
type = "force"
body = "a"
point = [0.3, 0.3, 0.3]
force = ["3*sin(2*t)", 1, "t"]
[[force]]
name = "thrust"
type = "force"
body = "b"
point = [1.3, 0.3, 0.3]
frame = "body"
force = ["3*cos(2*t)", 1, 2]
[[force]]
name = "twist"
type = "torque"
body = "a"
torque = ["sin(t)", 2, 3]
[[force]]
name = "motor"
type = "torque"
body = "b"
frame = "body"
torque = [1, "t^2", 3]
"#;

/// Two joints of a kind: to the ground, and between two bodies.
pub fn joint(kind: &str) -> String {
    let more = match kind {
        "universal" => "axis2 = [1, -0.2, 0]\n",
        "screw" => "pitch = 5\n",
        "rigid-distance" => "point2 = [1.3, 0.2, 0.6]\n",
        "rolling" => "point2 = [1.2, 0.9, 0.4]\naxis2 = [1, 0.3, -0.2]\n",
        "ball" => "point2 = [1.2, 0.9, 0.4]\n",
        "generic" => "lock = [\"tx\", \"tz\", \"ry\"]\naxis2 = [1, -0.2, 0]\n",
        _ => "",
    };
    let kind = if kind == "ball" { "rolling" } else { kind };
    let axis = match kind {
        "spherical" | "rigid-distance" | "fixed" => "",
        _ => "axis = [0.2, 1, 0.1]\n",
    };
    format!(
        "[[joint]]\nname = \"j1\"\ntype = \"{kind}\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, \
         0]\n{axis}{more}\
         [[joint]]\nname = \"j2\"\ntype = \"{kind}\"\nbodies = [\"a\", \"b\"]\npoint = [1, 0.1, \
         0.1]\n{axis}{more}"
    )
}

/// Joint coordinates with everything that can act on them.
pub const COORDINATES: &str = r#"
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "a"]
point = [0, 0, 0]
axis = [0.2, 1, 0.1]
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["a", "b"]
point = [1, 0.1, 0.1]
axis = [1, 0.3, 0.1]
drive = "0.2*sin(3*t)"
[[joint]]
name = "tube"
type = "cylindrical"
bodies = ["b", "ground"]
point = [1, 0.5, 0.4]
axis = [0.1, 0.3, 1]
[[joint]]
name = "turn"
type = "revolute"
bodies = ["ground", "b"]
point = [0.2, 0, 0]
axis = [0, 1, 0.4]
drive = "0.3*t + 0.1*t^2"
[[gear]]
name = "pair"
joints = ["hinge", "slide"]
ratio = 2.5
[[force]]
name = "coil"
type = "joint-spring"
joint = "hinge"
stiffness = 3
damping = 0.2
rest = 0.3
preload = 0.5
[[force]]
name = "bearing"
type = "friction"
joint = "hinge"
viscous = 0.5
coefficient = 0.1
radius = 0.03
bearing_length = 0.08
speed = 0.2
[[force]]
name = "rail"
type = "friction"
joint = "slide"
viscous = 0.5
coefficient = 0.2
bearing_length = 0.08
speed = 0.2
[[force]]
name = "sleeve"
type = "friction"
joint = "tube"
coefficient = 0.2
radius = 0.1
bearing_length = 0.08
speed = 0.2
[[force]]
name = "oil"
type = "friction"
joint = "slide"
viscous = 0.7
[[force]]
name = "act"
type = "actuator"
joint = "slide"
value = "3*x^2 - 2*v*x"
[[control]]
name = "pid"
type = "pid"
joint = "hinge"
set_point = "0.4*sin(t)"
proportional = 30
integral = 40
derivative = 2
filter = 0.1
[[control]]
name = "ideal"
type = "pid"
joint = "slide"
drives = "hinge"
set_point = "0.1*t"
proportional = 20
integral = 3
derivative = 1
[[control]]
name = "lag"
type = "lag"
joint = "hinge"
input = "2*x - v"
time = 0.2
"#;

/// Every joint, and all forces, by name.
pub fn models() -> Vec<(String, String)> {
    let kinds = [
        "spherical",
        "revolute",
        "prismatic",
        "universal",
        "cylindrical",
        "planar",
        "fixed",
        "point-on-plane",
        "point-on-line",
        "rigid-distance",
        "screw",
        "knife-edge",
        "rolling",
        "ball",
        "generic",
    ];
    let mut list: Vec<(String, String)> =
        kinds.iter().map(|kind| (kind.to_string(), format!("{BODIES}{}", joint(kind)))).collect();
    list.push(("forces".to_string(), format!("{BODIES}{FORCES}")));
    list.push(("laws".to_string(), format!("{BODIES}{LAWS}")));
    list.push(("coordinates".to_string(), format!("{BODIES}{COORDINATES}")));
    list
}

/// A sensor of every kind that is the rate of another: `v_N` is that of `r_N`, `a_N` that of `v_N`.
pub const SENSORS: &str = r#"
[[sensor]]
name = "r_1"
type = "position"
body = "b"
point = [1.2, 0.3, 0.4]
[[sensor]]
name = "v_1"
type = "velocity"
body = "b"
point = [1.2, 0.3, 0.4]
[[sensor]]
name = "a_1"
type = "acceleration"
body = "b"
point = [1.2, 0.3, 0.4]
[[sensor]]
name = "r_2"
type = "position"
body = "p"
[[sensor]]
name = "v_2"
type = "velocity"
body = "p"
[[sensor]]
name = "a_2"
type = "acceleration"
body = "p"
"#;

/// The same of joint coordinates.
pub const JOINT_SENSORS: &str = r#"
[[sensor]]
name = "r_3"
type = "coordinate"
joint = "hinge"
[[sensor]]
name = "v_3"
type = "rate"
joint = "hinge"
[[sensor]]
name = "r_4"
type = "coordinate"
joint = "slide"
[[sensor]]
name = "v_4"
type = "rate"
joint = "slide"
"#;
