//! Dimensions of what expressions read while a model moves: time, coordinates, sensors, positions.

use precess::model::load;

/// A slider and a wheel with one formula each, a law, a constraint, an event and a control.
fn model(change: &[(&str, &str)]) -> String {
    let mut text = r#"
        [parameters]
        plain = 2
        speed = "2 m/s"
        [tables.rise]
        rows = [["0 m", "0 N"], ["1 m", "5 N"]]
        [[body]]
        name = "a"
        mass = 1
        inertia = [1, 1, 1]
        [[body]]
        name = "b"
        mass = 1
        inertia = [1, 1, 1]
        [[body]]
        name = "bead"
        type = "point"
        mass = 1
        [[joint]]
        name = "slide"
        type = "prismatic"
        bodies = ["ground", "a"]
        point = [0, 0, 0]
        axis = "x"
        [[joint]]
        name = "turn"
        type = "revolute"
        bodies = ["ground", "b"]
        point = [0, 0, 0]
        axis = "z"
        [[sensor]]
        name = "tip"
        type = "velocity"
        body = "a"
        [[sensor]]
        name = "angle"
        type = "coordinate"
        joint = "turn"
        [[force]]
        name = "push"
        type = "actuator"
        joint = "slide"
        value = "PUSH"
        [[force]]
        name = "motor"
        type = "actuator"
        joint = "turn"
        value = "MOTOR"
        [[force]]
        name = "law"
        type = "force"
        body = "a"
        force = ["LAW", 0, 0]
        [[constraint]]
        name = "wire"
        equation = "WIRE"
        [[event]]
        name = "end"
        when = "WHEN"
        action = "stop"
        [[control]]
        name = "lag"
        type = "lag"
        joint = "turn"
        input = "INPUT"
        time = 1
    "#
    .to_string();
    let defaults = [
        ("PUSH", "0"),
        ("MOTOR", "0"),
        ("LAW", "0"),
        ("WIRE", "bead.z"),
        ("WHEN", "angle > 1"),
        ("INPUT", "0"),
    ];
    for (word, formula) in change.iter().chain(&defaults) {
        text = text.replace(&format!("\"{word}\""), &format!("\"{formula}\""));
    }
    text
}

/// Quantities with units must have the dimension of what is measured, and the message names both dimensions.
#[test]
fn what_is_measured_has_a_dimension() {
    for (word, formula, message) in [
        ("PUSH", "-rise(v)", "'rise(v)' reads a table of a length (m), its argument is a velocity (m/s)"),
        ("PUSH", "5 N/m*v", "'5 N/m*v' is a quantity in m kg s^-3, but a force (N) is needed"),
        ("PUSH", "3 N*if(t < 1 m, 0, 1)", "'t < 1 m' mixes a time (s) with a length (m)"),
        ("PUSH", "1 N - v", "'1 N - v' mixes a force (N) with a velocity (m/s)"),
        ("PUSH", "2 N/m^2*x^3", "'2 N/m^2*x^3' is a torque or energy (N m), but a force (N) is needed"),
        ("PUSH", "1 N*tanh(x/1 s)", "'tanh(x/1 s)' needs a number, its argument is a velocity (m/s)"),
        ("MOTOR", "-rise(x)", "'rise(x)' reads a table of a length (m), its argument is an angle (rad)"),
        ("MOTOR", "3 N*x", "but a torque or energy (N m) is needed"),
        ("MOTOR", "1 N m*sin(x - 3 mm)", "'x - 3 mm' mixes an angle (rad) with a length (m)"),
        ("MOTOR", "speed*v", "but a torque or energy (N m) is needed"),
        ("LAW", "3 N s/m*turn.v", "but a force (N) is needed"),
        ("LAW", "3 N*max(0, tip.x - 1 mm)", "'tip.x - 1 mm' mixes a velocity (m/s) with a length (m)"),
        ("WIRE", "bead.x - 3 kg", "'bead.x - 3 kg' mixes a length (m) with a mass (kg)"),
        ("WIRE", "distance(a, bead) - speed", "mixes a length (m) with a velocity (m/s)"),
        ("WIRE", "slide - 2 s", "mixes a length (m) with a time (s)"),
        ("WHEN", "angle > 5 mm", "'angle > 5 mm' mixes an angle (rad) with a length (m)"),
        ("WHEN", "tip.x - 1 kg", "mixes a velocity (m/s) with a mass (kg)"),
        ("WHEN", "t > 1 m", "'t > 1 m' mixes a time (s) with a length (m)"),
        ("INPUT", "5 N*x", "but a torque or energy (N m) is needed"),
    ] {
        let e = load("test.toml", &model(&[(word, formula)]), &[]).err();
        let e = e.unwrap_or_else(|| panic!("{formula} is accepted"));
        assert_eq!(e.list.len(), 1, "{formula}: {e}");
        assert!(e.list[0].message.contains(message), "{formula}: {e}");
    }
}

/// A plain number beside a measured quantity may have any unit.
#[test]
fn plain_numbers_fit_everywhere() {
    for (word, formula) in [
        ("PUSH", "-3*x - v"),
        ("PUSH", "-x - v + plain"),
        ("PUSH", "5 N/m*x - 2 N s/m*v + 3*t"),
        ("PUSH", "1 N*sin(t) + 2 N*exp(-t/0.1)"),
        ("PUSH", "rise(x - 10 mm) + rise(speed*t) + rise(2*v) + rise(plain*v)"),
        ("PUSH", "1 N*sin(2*pi*5 Hz*t) + 1 N*step(t, 100 ms, 0.2)"),
        ("PUSH", "2 N/m^2*x^2 + 1 N*(x/1 mm)^3"),
        ("PUSH", "1 N*2^t + 3 N*sqrt(t/1 s)"),
        ("PUSH", "2*sqrt(1 - t/2 s) + 3*(x/1 mm)"),
        ("MOTOR", "2*(1 - t*speed/3 m) + 1 N m"),
        ("MOTOR", "-3 N m/rad*x - 2 N m*sin(x - 30 deg)"),
        ("MOTOR", "3 N m*(1 - v/3000 rpm)"),
        ("MOTOR", "3*(1 - v/60)"),
        ("LAW", "-3 N s/m*tip.x + 2 N*angle - 5 N/m*slide.x"),
        ("WIRE", "bead.z - plain*bead.x^2 - 3 mm"),
        ("WIRE", "turn - 20*slide"),
        ("WHEN", "angle - 0.5*t > 5 deg"),
        ("INPUT", "5 N m*x"),
    ] {
        load("test.toml", &model(&[(word, formula)]), &[]).unwrap_or_else(|e| panic!("{formula}: {e}"));
    }
}
