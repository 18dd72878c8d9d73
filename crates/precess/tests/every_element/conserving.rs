//! Elements that conserving methods know.

/// Joints, forces and a potential that directors know.
pub const CONSERVING: &str = r#"
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
[[force]]
name = "coil"
type = "joint-spring"
joint = "hinge"
stiffness = 3
damping = 0.2
rest = 0.3
preload = 0.5
[[force]]
name = "buffer"
type = "joint-spring"
joint = "slide"
stiffness = 30
damping = 0.7
rest = 0.1
[[force]]
name = "oil"
type = "friction"
joint = "slide"
viscous = 0.7
[[force]]
name = "act"
type = "actuator"
joint = "slide"
value = "3*x^2 - 2*v*x + sin(t)"
[[force]]
name = "motor"
type = "actuator"
joint = "hinge"
value = "cos(2*t) - v^3"
[[force]]
name = "field"
type = "potential"
potential = "3*distance(p, b)^2*cos(a.x) + p.z^3"
[[constraint]]
name = "path"
equation = "p.z - 0.7*sin(p.x)*exp(-p.y)"
"#;
