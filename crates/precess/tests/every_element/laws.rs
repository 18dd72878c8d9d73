//! Laws that read everything they can: times, coordinates, sensors, tables.

/// Laws that read everything they can, stops, tables and dry friction at joints, a moving base, two drives at
/// one joint.
pub const LAWS: &str = r#"
[[body]]
name = "base"
motion = { position = ["0.1*sin(2*t)", "0.2*t^2", "0.3*(cos(t) - 1)"], roll_pitch_yaw = ["0.3*sin(t)", "0.2*t", "t - 0.1*t^3"] }
position = [0.1, 0.2, 0.3]
rotation = { axis = [1, 1, 0], angle = 0.2 }
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["base", "a"]
point = [0, 0, 0]
axis = [0.2, 1, 0.1]
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["a", "b"]
point = [1, 0.1, 0.1]
axis = [1, 0.3, 0.1]
[[joint]]
name = "tube"
type = "cylindrical"
bodies = ["b", "ground"]
point = [1, 0.5, 0.4]
axis = [0.1, 0.3, 1]
drive = "0.4*sin(2*t)"
drive_displacement = "0.1*t^2"
[[joint]]
name = "turn"
type = "planar"
bodies = ["ground", "a"]
point = [1, 0.5, 0.4]
axis = [0.1, 0.3, 1]
drive = "0.2*t"
[[force]]
name = "strut"
type = "spring"
bodies = ["a", "p"]
point = [0.4, 0.2, 0.1]
point2 = [0.0, 0.5, 1.0]
stiffness = 70
damping = 3
free_length = 0.5
[[force]]
name = "law"
type = "force"
body = "b"
point = [1.1, 0.5, 0.3]
force = ["-3*tip.x*speed.y + t", 2, "hinge.x*hinge.v + length^2"]
[[force]]
name = "follower"
type = "force"
body = "a"
point = [0.3, 0.3, 0.1]
frame = "body"
force = ["spin.z*spin.x", "tension/10 + sin(t)", "0.5*tip.z"]
[[force]]
name = "twist"
type = "torque"
body = "a"
torque = ["tip.y", "slide.v^2", "speed.z"]
[[force]]
name = "screwdriver"
type = "torque"
body = "b"
frame = "body"
torque = ["tip.y", "slide.x^2", 1]
[[force]]
name = "motor"
type = "actuator"
joint = "hinge"
value = "-4*x - v*slide.x + 2*tip.x + tanh(tension)"
[[force]]
name = "stops"
type = "limit"
joint = "hinge"
lower = -0.02
upper = 0.03
stiffness = 200
damping = 3
width = 0.1
[[force]]
name = "curve"
type = "joint-spring"
joint = "slide"
table = [[-1, -20], [-0.2, -5], [0, 0], [0.5, 5], [1, 30]]
damping = 1
[[force]]
name = "seal"
type = "friction"
joint = "slide"
viscous = 0.2
constant = 3
speed = 0.5
[[sensor]]
name = "tip"
type = "position"
body = "b"
point = [1.2, 0.3, 0.4]
[[sensor]]
name = "speed"
type = "velocity"
body = "a"
point = [0.2, 0.3, 0.4]
[[sensor]]
name = "spin"
type = "angular-velocity"
body = "b"
[[sensor]]
name = "length"
type = "spring-length"
force = "strut"
[[sensor]]
name = "tension"
type = "spring-force"
force = "strut"
"#;

/// Expressions of positions as constraints, potentials, loads, states and algebraic variables.
pub const EXPRESSIONS: &str = r#"
[points]
A = [0.3, -0.2, 0.8]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["a", "b"]
point = [1, 0.1, 0.1]
axis = [0.2, 1, 0.1]
[[constraint]]
name = "path"
equation = "p.z - 0.7*sin(p.x*b.corner.y)*exp(-a.tip.z) + t^2*p.y"
[[constraint]]
name = "reach"
equation = "distance(a.tip, b.corner)*cos(hinge) + angle(p, a.tip, A)*distance(A, p) - 1"
[[force]]
name = "field"
type = "potential"
potential = "3*distance(p, b)^2*cos(a.tip.x) + angle(A, a, b.corner)^2 + hinge^3*p.x"
[[force]]
name = "pull"
type = "actuator"
along = "distance(a.tip, p)"
value = "c*rate(b.corner.x)*x - s*v + hinge*t"
[[force]]
name = "motor"
type = "actuator"
joint = "hinge"
value = "2*c - s*p.y*rate(distance(p, A))"
[[state]]
name = "c"
rate = "-3*c*d + s*rate(hinge) + p.x*t"
initial = 0.3
[[state]]
name = "d"
rate = "sin(c) - d + distance(a, p)*rate(p.z)"
[[algebraic]]
name = "s"
equation = "s + s^3 - p.x*b.y - s2*t"
[[algebraic]]
name = "s2"
equation = "2*s2 + sin(s2*s) - distance(a.tip, A)"
"#;
