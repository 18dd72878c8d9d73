//! A model with every key that is a number, each marked with its path, its value and its SI unit.

use serde_json::Value;

/// `@path|number|unit@` stands for a number.
pub const MARKED: &str = r#"
[model]
gravity = [0, 0, @model.gravity|-8|m/s^2@]
length_scale = @model.length_scale|2|m@
[[body]]
name = "a"
mass = @body.mass|2|kg@
inertia = [@body.inertia|4|kg m^2@, 4, 4]
inertia_frame = { axis = [0, 0, 1], angle = @body.inertia_frame.angle|0.5|rad@ }
position = [@body.position|1|m@, 0, 0]
rotation = { axis = [0, 0, 1], angle = @body.rotation.angle|0.25|rad@ }
velocity = [0, @body.velocity|3|m/s@, 0]
angular_velocity = [0, 0, @body.angular_velocity|2|rad/s@]
markers = { tip = [0, @body.markers.tip|0.5|m@, 0], end = { point = [@body.markers.end.point|0.5|m@, 0, 0], rotation = [1, 0, 0, 0] } }
[[body.look]]
type = "box"
size = [@body.look.size|1|m@, 1, 1]
at = [0, 0, @body.look.at|0.5|m@]
[[body.look]]
type = "cylinder"
radius = @body.look.radius|0.5|m@
length = @body.look.length|2|m@
[[body.look]]
type = "mesh"
file = "a.stl"
scale = @body.look.scale|0.5|1@
[[beam]]
name = "arc"
count = @beam.count|1|1@
from = [0, @beam.from|1|m@, 0]
through = [1, @beam.through|2|m@, 0]
to = [2, @beam.to|1|m@, 0]
twist = @beam.twist|0.5|rad@
elements = @beam.elements|4|1@
stations = { eye = @beam.stations.eye|0.5|1@ }
section = { type = "rectangle", width = @beam.section.width|0.5|m@, height = @beam.section.height|0.25|m@ }
young = @beam.young|1000|Pa@
shear = @beam.shear|400|Pa@
density = @beam.density|3|kg/m^3@
shear_factors = [@beam.shear_factors|0.5|1@, 0.5]
damping = @beam.damping|0.25|s@
load = [@beam.load|2|N/m@, 0, 0]
velocity = [@beam.velocity|2|m/s@, 0, 0]
angular_velocity = [@beam.angular_velocity|2|rad/s@, 0, 0]
[[beam]]
name = "line"
points = [[0, 0, @beam.points|1|m@], [1, 0, 0]]
section = { type = "tube", radius = @beam.section.radius|0.5|m@, inner_radius = @beam.section.inner_radius|0.25|m@ }
young = 1000
poisson = @beam.poisson|0.25|1@
density = 3
[[beam]]
name = "frames"
frames = [{ position = [0, @beam.frames.position|1|m@, 0], rotation = [1, 0, 0, 0] }, { position = [1, 1, 0], rotation = [1, 0, 0, 0] }]
stiffness = [1, 1, 1, 1, 1, 1]
mass_per_length = @beam.mass_per_length|2|kg/m@
inertia_per_length = [@beam.inertia_per_length|2|kg m@, 1, 1]
[[body]]
name = "base"
motion = { position = [@body.motion.position|0|m@, 0, 0], roll_pitch_yaw = [@body.motion.roll_pitch_yaw|0|rad@, 0, 0] }
[[body]]
name = "b"
count = @body.count|1|1@
density = @body.density|500|kg/m^3@
shape = { type = "box", size = [@body.shape.size|0.5|m@, 1, 1] }
angular_velocity_global = [@body.angular_velocity_global|2|rad/s@, 0, 0]
[[body]]
name = "c"
mass = 1
shape = { type = "cylinder", radius = @body.shape.radius|0.5|m@, length = @body.shape.length|2|m@ }
[[body]]
name = "d"
density = @body.density|3|kg/m@
shape = { type = "rod", length = 2 }
[[body]]
name = "d with a radius"
density = @body.density|3|kg/m^3@
shape = { type = "rod", length = 2, radius = 0.5 }
[[body]]
name = "e"
position = [@body.position|1|m@, 0, 0]
rotation = { roll_pitch_yaw = [@body.rotation.roll_pitch_yaw|0.5|rad@, 0, 0] }
[body.shape]
type = "composite"
[[body.shape.parts]]
type = "tube"
density = 1000
at = [0, @body.shape.parts.at|1|m@, 0]
radius = @body.shape.parts.radius|0.5|m@
inner_radius = @body.shape.parts.inner_radius|0.25|m@
length = @body.shape.parts.length|0.5|m@
[[body.shape.parts]]
type = "box"
mass = @body.shape.parts.mass|2|kg@
size = [@body.shape.parts.size|0.5|m@, 1, 1]
[[body]]
name = "f"
density = 100
shape = { type = "tube", radius = 1, inner_radius = @body.shape.inner_radius|0.5|m@, from = [@body.shape.from|0.5|m@, 0, 0], to = [0, 0, @body.shape.to|2|m@] }
[[joint]]
name = "turn"
type = "revolute"
bodies = ["ground", "a"]
point = [@joint.point|0.5|m@, 0, 0]
axis = [0, 0, 1]
drive = @joint.drive|0.5|rad@
coordinate = 0.5
[[joint]]
name = "slide"
type = "prismatic"
count = @joint.count|1|1@
bodies = ["a", "b"]
point = [0, 0, 0]
axis = [1, 0, 0]
coordinate = 0.25
drive = @joint.drive|0.25|m@
[[joint]]
name = "free slide"
type = "prismatic"
bodies = ["ground", "c"]
point = [0, 0, 0]
axis = [1, 0, 0]
coordinate = @joint.coordinate|0.25|m@
rate = @joint.rate|0.5|m/s@
[[joint]]
name = "free turn"
type = "revolute"
bodies = ["ground", "d"]
point = [0, 0, 0]
axis = [1, 0, 0]
coordinate = @joint.coordinate|0.25|rad@
rate = @joint.rate|0.25|rad/s@
[[joint]]
name = "tube"
type = "cylindrical"
bodies = ["ground", "f"]
point = [0, 0, 0]
axis = [1, 0, 0]
drive_displacement = @joint.drive_displacement|0|m@
[[joint]]
name = "thread"
type = "screw"
bodies = ["ground", "e"]
point = [0, 0, 0]
axis = [1, 0, 0]
pitch = @joint.pitch|0.5|m@
[[joint]]
name = "rod"
type = "rigid-distance"
bodies = ["a", "b"]
point = [0, 0, 0]
point2 = [0, 0, @joint.point2|2|m@]
[[force]]
name = "push"
type = "force"
count = @force.count|1|1@
body = "a"
point = [0, @force.point|2|m@, 0]
force = [@force.force|5|N@, 0, 0]
[[force]]
name = "twist"
type = "torque"
body = "a"
torque = [0, 0, @force.torque|5|N m@]
[[force]]
name = "spring"
type = "spring"
bodies = ["a", "b"]
point = [0, 0, 0]
point2 = [0, 0, @force.point2|2|m@]
stiffness = @force.stiffness|1000|N/m@
damping = @force.damping|10|N s/m@
free_length = @force.free_length|1|m@
preload = @force.preload|3|N@
[[force]]
name = "progressive"
type = "spring"
bodies = ["a", "b"]
point = [0, 0, 0]
point2 = [0, 0, 2]
table = [[@force.table|1|m@, 0], [2, @force.table|4|N@]]
[[force]]
name = "well"
type = "spring"
bodies = ["a", "b"]
point = [0, 0, 0]
point2 = [0, 0, 2]
potential = @force.potential|2|N m@
[[force]]
name = "bush"
type = "bushing"
bodies = ["a", "b"]
point = [0, 0, 0]
stiffness = [@force.stiffness|100|N/m@, 1, 1, @force.stiffness|10|N m/rad@, 1, 1]
damping = [1, 1, @force.damping|10|N s/m@, 1, 1, @force.damping|4|N m s/rad@]
[[force]]
name = "turn spring"
type = "joint-spring"
joint = "turn"
stiffness = @force.stiffness|10|N m/rad@
damping = @force.damping|2|N m s/rad@
rest = @force.rest|0.25|rad@
preload = @force.preload|3|N m@
[[force]]
name = "torsion"
type = "torsion-spring"
bodies = ["a", "b"]
axis = "x"
stiffness = @force.stiffness|10|N m/rad@
rest = @force.rest|0.25|rad@
[[force]]
name = "slide spring"
type = "joint-spring"
joint = "slide"
stiffness = @force.stiffness|10|N/m@
rest = @force.rest|0.25|m@
[[force]]
name = "turn friction"
type = "friction"
joint = "turn"
coefficient = @force.coefficient|0.25|1@
viscous = @force.viscous|2|N m s/rad@
radius = @force.radius|0.5|m@
bearing_length = @force.bearing_length|0.5|m@
speed = @force.speed|0.125|rad/s@
[[force]]
name = "seal"
type = "friction"
joint = "turn"
constant = @force.constant|2|N m@
speed = 0.1
[[force]]
name = "slide seal"
type = "friction"
joint = "slide"
constant = @force.constant|2|N@
speed = 0.1
[[force]]
name = "stops"
type = "limit"
joint = "turn"
lower = @force.lower|-0.5|rad@
upper = @force.upper|1.5|rad@
width = @force.width|0.125|rad@
stiffness = @force.stiffness|100|N m/rad@
damping = @force.damping|2|N m s/rad@
[[force]]
name = "slide stops"
type = "limit"
joint = "slide"
lower = @force.lower|-0.5|m@
upper = @force.upper|1.5|m@
width = @force.width|0.125|m@
stiffness = @force.stiffness|100|N/m@
damping = @force.damping|2|N s/m@
[[force]]
name = "slide friction"
type = "friction"
joint = "slide"
viscous = @force.viscous|2|N s/m@
coefficient = @force.coefficient|0.25|1@
bearing_length = 0.5
speed = @force.speed|0.125|m/s@
[[force]]
name = "air"
type = "drag"
body = "a"
coefficient = @force.coefficient|2|kg/m@
wind = [@force.wind|4|m/s@, 0, 0]
[[force]]
name = "motor"
type = "actuator"
joint = "turn"
value = @force.value|3|N m@
[[force]]
name = "piston"
type = "actuator"
joint = "slide"
value = @force.value|3|N@
[[gear]]
name = "gear"
count = @gear.count|1|1@
joints = ["free turn", "turn"]
ratio = 2
[[event]]
name = "late"
count = @event.count|1|1@
when = "t > 1"
action = "record"
[[control]]
name = "pid"
count = @control.count|1|1@
type = "pid"
joint = "turn"
set_point = @control.set_point|0.5|rad@
filter = @control.filter|0.125|s@
proportional = @control.proportional|2|N m/rad@
integral = @control.integral|2|N m/rad/s@
derivative = @control.derivative|2|N m s/rad@
[[control]]
name = "wire"
type = "pid"
joint = "slide"
drives = "turn"
set_point = 0
proportional = @control.proportional|3|N@
integral = @control.integral|3|N/s@
derivative = @control.derivative|3|N s@
[[control]]
name = "lag"
type = "lag"
joint = "slide"
input = @control.input|3|N@
initial = @control.initial|2|N@
time = @control.time|0.125|s@
[[sensor]]
name = "tip"
type = "position"
count = @sensor.count|1|1@
body = "a"
point = [@sensor.point|1|m@, 0, 0]
[[constraint]]
name = "wire{i}"
count = @constraint.count|0|1@
equation = "a.x"
[[state]]
name = "charge"
count = @state.count|1|1@
rate = 1
[[algebraic]]
name = "level"
count = @algebraic.count|1|1@
equation = "level - 2*t"
[integrator]
method = "gen-alpha"
rho = @integrator.rho|0.5|1@
start_s = @integrator.start_s|0.5|1@
newton_tolerance = @integrator.newton_tolerance|0.125|1@
theta = @integrator.theta|0.5|1@
vartheta = @integrator.vartheta|0.25|1@
tol = @integrator.tol|0.125|1@
atol_rotation = @integrator.atol_rotation|0.125|rad@
atol_position = @integrator.atol_position|0.125|m@
atol_angular_velocity = @integrator.atol_angular_velocity|0.125|rad/s@
atol_velocity = @integrator.atol_velocity|0.125|m/s@
[run]
max_step = @run.max_step|0.125|s@
until = @run.until|4|s@
project_velocity_at = [@run.project_velocity_at|0.5|s@]
"#;

/// Other parameters of the method exclude rho, and a step excludes a tolerance. So these keys are tested in
/// separate settings.
pub const SETTINGS: &str = r#"
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[integrator]
alpha_m = @integrator.alpha_m|0.25|1@
alpha_f = @integrator.alpha_f|0.375|1@
beta = @integrator.beta|0.25|1@
gamma = @integrator.gamma|0.625|1@
sigma = @integrator.sigma|0.5|1@
sigma_predictor = @integrator.sigma_predictor|0.5|1@
lagrangian_quadrature = [[@integrator.lagrangian_quadrature|1|1@, 0.5]]
velocity_quadrature = [[@integrator.velocity_quadrature|1|1@, 0.5]]
position_quadrature = [[@integrator.position_quadrature|1|1@, 0.5]]
[run]
step = @run.step|0.125|s@
"#;

/// And a parameter that excludes both.
pub const HHT: &str = r#"
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[integrator]
hht = @integrator.hht|0.25|1@
"#;

/// A number of a marked text.
pub struct Mark {
    pub path: String,
    pub number: f64,
    pub unit: String,
}

pub fn marks(text: &str) -> Vec<Mark> {
    let of = |part: &str| {
        let words: Vec<&str> = part.split('|').collect();
        Mark { path: words[0].to_string(), number: words[1].parse().unwrap(), unit: words[2].to_string() }
    };
    text.split('@').skip(1).step_by(2).map(of).collect()
}

/// The text with its numbers, or with what `replace` gives for the k-th of them.
pub fn with(text: &str, replace: impl Fn(usize) -> Option<String>) -> String {
    let list = marks(text);
    let piece = |(i, part): (usize, &str)| match i % 2 {
        0 => part.to_string(),
        _ => replace(i / 2).unwrap_or_else(|| list[i / 2].number.to_string()),
    };
    text.split('@').enumerate().map(piece).collect()
}

/// Texts that are the same except for rounding in their numbers.
pub fn same_numbers(a: &str, b: &str, what: &str) {
    let split = |text: &str| -> Vec<String> {
        let number = |c: char| c.is_ascii_digit() || ".-+e".contains(c);
        let mut list: Vec<String> = Vec::new();
        let mut last = None;
        for c in text.chars() {
            match list.last_mut().filter(|_| last == Some(number(c))) {
                Some(word) => word.push(c),
                None => list.push(c.to_string()),
            }
            last = Some(number(c));
        }
        list
    };
    for (x, y) in split(a).iter().zip(split(b).iter()) {
        let good = match (x.parse::<f64>(), y.parse::<f64>()) {
            (Ok(x), Ok(y)) => (x - y).abs() <= 1e-13 * x.abs().max(1e-300) + 1e-14,
            _ => x == y,
        };
        assert!(good, "{what}: {x} and {y}");
    }
}

/// Paths of all keys of a schema whose values are or contain numbers as expressions.
pub fn number_keys(root: &Value, schema: &Value, path: &str, out: &mut Vec<String>) {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        match name.rsplit('/').next() {
            Some("Number") => out.push(path.to_string()),
            _ => number_keys(root, root.pointer(name.strip_prefix('#').unwrap()).unwrap(), path, out),
        }
    }
    for list in ["anyOf", "oneOf"] {
        for part in schema.get(list).and_then(Value::as_array).into_iter().flatten() {
            number_keys(root, part, path, out);
        }
    }
    if let Some(items) = schema.get("items") {
        number_keys(root, items, path, out);
    }
    let join = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    if let Some(inner) = schema.get("additionalProperties").filter(|x| x.is_object()) {
        number_keys(root, inner, &join("any"), out);
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        number_keys(root, property, &join(name), out);
    }
    out.sort();
    out.dedup();
}
