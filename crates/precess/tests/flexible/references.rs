//! Modal bodies in models against independent solutions: beams, the slider-crank of the Test Set for IVP Solvers, one-way
//! stiffening (flex.md 3.6 to 3.8).

use crate::modal::in_folder;
use precess::Simulation;
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Value and slope over x/L of the bending modes of a clamped beam.
fn clamped(k: usize, x: f64) -> [f64; 2] {
    let beta = BETAS[k];
    let sigma = (beta.cosh() + beta.cos()) / (beta.sinh() + beta.sin());
    let s = beta * x;
    let value = s.cosh() - s.cos() - sigma * (s.sinh() - s.sin());
    [value, beta * (s.sinh() + s.sin() - sigma * (s.cosh() - s.cos()))]
}

const BETAS: [f64; 4] =
    [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467];

/// Kane's beam as a modal body: four bending modes, masses along the line and a node without mass at its tip.
fn kane() -> Value {
    let (n, length, per_length, ei) = (400, 10.0, 1.2, 1.4e4);
    let mut places: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5) / n as f64).collect();
    let mut masses = vec![per_length * length / n as f64; n];
    places.push(1.0);
    masses.push(0.0);
    let modes: Vec<Vec<[f64; 3]>> =
        (0..4).map(|k| places.iter().map(|s| [0.0, clamped(k, *s)[0], 0.0]).collect()).collect();
    let stiffness = BETAS.map(|b| per_length * length * (b / length).powi(4) * ei / per_length);
    json!({
        "nodes": places.iter().map(|s| [length * s, 0.0, 0.0]).collect::<Vec<_>>(),
        "masses": masses, "modes": modes, "stiffness": stiffness, "names": { "tip": n },
    })
}

/// Deflection of the tip at t = 5, 7.5, 10, and the largest one.
fn spun_up(speed: f64, stiffening: bool) -> [f64; 4] {
    let model = format!(
        r#"
[parameters]
ws = {speed}
T = 15
[[body]]
name = "rod"
type = "modal"
modal = {{ file = "rod.json", stiffening = {stiffening} }}
[[joint]]
name = "hub"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0, 0]
axis = "z"
drive = "ws/T*(t^2/2 + (T/(2*pi))^2*(cos(2*pi*t/T) - 1))"
[integrator]
method = "gen-alpha"
rho = 0.9
form = "index3"
[run]
until = 10
step = 0.005
"#
    );
    let loaded = in_folder(&kane().to_string(), &model).unwrap_or_else(|e| panic!("{e}"));
    let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    let mut found = [0.0; 4];
    let tip = |s: &Simulation| -> f64 {
        let q = &s.state().q;
        (0..4).map(|k| q[q.len() - 4 + k] * clamped(k, 1.0)[0]).sum()
    };
    for (i, t) in [5.0, 7.5, 10.0].into_iter().enumerate() {
        while s.t() < t - 1e-9 {
            s.step().unwrap_or_else(|e| panic!("{e}"));
            let y = tip(&s);
            if !(y >= found[3]) {
                found[3] = y;
            }
        }
        found[i] = tip(&s);
    }
    found
}

/// With the stiffening that the program computes: within 0.2 % of the geometrically exact beam. Without: the values of that model.
#[test]
fn spin_up_beside_the_beam() {
    let beam = [(0.5, [-0.0397668, -0.0523435, -0.0396706]), (2.0, [-0.158757, -0.206603, -0.153336])];
    for (speed, expected) in beam {
        let found = spun_up(speed, true);
        for (x, e) in found.iter().zip(expected) {
            assert!((x / e - 1.0).abs() < 2e-3, "{speed} rad/s: {found:?}, beam {expected:?}");
        }
    }
    let fast = spun_up(6.0, true);
    assert!((fast[3] / -0.57384 - 1.0).abs() < 2e-3, "{fast:?}");
    assert!((fast[0] / -0.46844 - 1.0).abs() < 2e-3 && (fast[2] / -0.36276 - 1.0).abs() < 2e-3, "{fast:?}");
    let linear = [(0.5, [-0.0397922, -0.0526159, -0.0402197]), (2.0, [-0.160627, -0.225122, -0.194270])];
    for (speed, expected) in linear {
        let found = spun_up(speed, false);
        for (x, e) in found.iter().zip(expected) {
            assert!((x / e - 1.0).abs() < 1e-3, "{speed} rad/s, linear: {found:?}, expected {expected:?}");
        }
    }
}

/// The published solution at t = 0.1 from the model file with the integrals of the test set.
#[test]
fn slider_crank_of_the_test_set() {
    let loaded = crate::model_util::load_model("flexible/test_set_crank", &[]);
    let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    s.advance_to(0.1).unwrap_or_else(|e| panic!("{e}"));
    let rod = s.body("rod").unwrap();
    let angle = 2.0 * rod.rotation[3].atan2(rod.rotation[0]);
    let angle = (angle + PI).rem_euclid(2.0 * PI) - PI;
    let published = [
        -0.331173498825626,
        0.0001893192899613509,
        2.375751249879174e-05,
        -5.323896770569702e-06,
        -8.363313279112129e-06,
    ];
    let q = &s.state().q;
    let found = [angle, q[q.len() - 4], q[q.len() - 3], q[q.len() - 2], q[q.len() - 1]];
    for (i, (x, e)) in found.iter().zip(published).enumerate() {
        assert!((x / e - 1.0).abs() < 1e-6, "coordinate {i}: {x} instead of {e}, {:e}", x / e - 1.0);
    }
}

/// The rod of the physical slider-crank: four sine modes and two axial ones in the chord frame.
fn physical_rod(one_way: bool) -> Value {
    let (n, length, side, young, density) = (400, 0.3, 0.008_f64, 2e11, 7870.0);
    let (area, second) = (side * side, side.powi(4) / 12.0);
    let mut places: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5) / n as f64).collect();
    let mut masses = vec![density * area * length / n as f64; n];
    places.push(1.0);
    masses.push(0.0);
    let bend = |k: usize, s: f64| [0.0, (k as f64 * PI * s).sin(), 0.0];
    let stretch =
        |k: usize, s: f64| [if k == 0 { 4.0 * s * (1.0 - s) } else { s * (2.0 * s - 1.0) }, 0.0, 0.0];
    let mut modes: Vec<Vec<[f64; 3]>> =
        (1..=4).map(|k| places.iter().map(|s| bend(k, *s)).collect()).collect();
    modes.extend((0..2).map(|k| places.iter().map(|s| stretch(k, *s)).collect::<Vec<_>>()));
    let mut stiffness = vec![vec![0.0; 6]; 6];
    for k in 0..4 {
        stiffness[k][k] = young * second * ((k + 1) as f64 * PI / length).powi(4) * length / 2.0;
    }
    let axial = young * area / length / 3.0;
    (stiffness[4][4], stiffness[4][5], stiffness[5][4], stiffness[5][5]) =
        (16.0 * axial, -8.0 * axial, -8.0 * axial, 7.0 * axial);
    // C = EA int N_a' phi_b' phi_c' dx, by the midpoint rule.
    let tension: Vec<Value> = (0..2)
        .map(|a| {
            let slope = |s: f64| (if a == 0 { 4.0 - 8.0 * s } else { 4.0 * s - 1.0 }) / length;
            let turn = |k: usize, s: f64| k as f64 * PI / length * (k as f64 * PI * s).cos();
            let entry = |b: usize, c: usize| -> f64 {
                let sum = places[..n].iter().map(|s| slope(*s) * turn(b, *s) * turn(c, *s)).sum::<f64>();
                young * area * sum * length / n as f64
            };
            let row =
                |b: usize| (0..6).map(|c| if b < 4 && c < 4 { entry(b + 1, c + 1) } else { 0.0 }).collect();
            json!({ "mode": 4 + a, "matrix": (0..6).map(row).collect::<Vec<Vec<f64>>>() })
        })
        .collect();
    let mut rod = json!({
        "nodes": places.iter().map(|s| [length * s, 0.0, 0.0]).collect::<Vec<_>>(),
        "masses": masses, "modes": modes, "stiffness": stiffness, "names": { "end": n },
    });
    if one_way {
        rod["tension"] = json!(tension);
    }
    rod
}

const PHYSICAL: &str = r#"
[[body]]
name = "crank"
mass = 0.1
inertia = [1e-5, 2e-4, 2e-4]
position = [0.075, 0, 0]
velocity = [0, 11.25, 0]
angular_velocity = [0, 0, 150]
[[body]]
name = "rod"
type = "modal"
modal = { file = "rod.json" }
position = [0.15, 0, 0]
velocity = [0, 22.5, 0]
angular_velocity = [0, 0, -75]
[[body]]
name = "slider"
type = "point"
mass = 0.075552
position = [0.45, 0, 0]
[[joint]]
name = "motor"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = "z"
drive = "150*t"
[[joint]]
name = "crank_pin"
type = "revolute"
bodies = ["crank", "rod"]
point = [0.15, 0, 0]
axis = "z"
[[joint]]
name = "slider_pin"
type = "spherical"
bodies = ["rod.end", "slider"]
point = [0.45, 0, 0]
[[joint]]
name = "rail"
type = "point-on-plane"
bodies = ["ground", "slider"]
point = [0.45, 0, 0]
axis = "y"
[integrator]
method = "gen-alpha"
rho = 0.8
form = "index3"
[run]
until = 0.02
step = 1e-5
"#;

/// Deflection of the middle of the rod at 5, 10 and 20 ms.
fn deflections(one_way: bool) -> [f64; 3] {
    let loaded = in_folder(&physical_rod(one_way).to_string(), PHYSICAL).unwrap_or_else(|e| panic!("{e}"));
    let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    [0.005, 0.01, 0.02].map(|t| {
        s.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
        let q = &s.state().q;
        let z = &q[q.len() - 6..];
        z[0] - z[2]
    })
}

/// With one-way stiffening by the axial force within 1 % of the beam; without it the values of the linear model.
#[test]
fn physical_slider_crank() {
    let (beam, linear) = ([1.4027e-3, 7.035e-4, -7.81e-5], [1.5768e-3, 7.624e-4, -8.65e-5]);
    for (one_way, expected, part) in [(true, beam, 0.01), (false, linear, 0.002)] {
        let found = deflections(one_way);
        for (x, e) in found.iter().zip(expected) {
            assert!((x / e - 1.0).abs() < part, "{one_way}: {found:?}, expected {expected:?}");
        }
    }
}

/// The finite-element rod of `models/flexible/imported_rod.toml`, slow and with strong damping: forces of its pins are those of a
/// rigid rod with its mass and inertia.
#[test]
fn an_imported_rod_in_the_rigid_limit() {
    let overrides = ["parameters.speed=10", "run.step=2e-4"];
    let mut loaded = crate::model_util::load_model("flexible/imported_rod", &overrides);
    let mut data = (*loaded.model.modal[0].data).clone();
    let critical = data.stiffness.diagonal().map(f64::sqrt);
    data.damping = nalgebra::DMatrix::from_diagonal(&critical);
    let (mass, centre) = (data.mass, data.s0 / data.mass);
    let inertia = data.i0
        - (nalgebra::Matrix3::from_diagonal_element(centre.norm_squared()) - centre * centre.transpose())
            * mass;
    loaded.model.modal[0].data = std::sync::Arc::new(data);
    let mut rigid = crate::model_util::load_model("flexible/imported_rod", &overrides);
    rigid.model.modal.clear();
    for body in rigid.model.bodies.iter_mut().filter(|b| b.name == "rod") {
        body.position += body.rotation * centre;
        body.velocity += nalgebra::Vector3::new(0.0, 0.0, -10.0 / 3.0).cross(&centre);
        body.kind = precess::mechanics::BodyKind::Rigid { inertia };
    }
    for name in rigid.model.joints.iter_mut().flat_map(|j| j.bodies.iter_mut()) {
        if name.starts_with("rod.") {
            *name = "rod".to_string();
        }
    }
    let forces = |loaded| {
        let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
        s.advance_to(0.05).unwrap_or_else(|e| panic!("{e}"));
        ["crank_pin", "piston_pin"].map(|name| s.joint(name).unwrap().force)
    };
    let (flexible, rigid) = (forces(loaded), forces(rigid));
    for (a, b) in flexible.iter().zip(&rigid) {
        assert!((a - b).norm() < 1e-4 * b.norm(), "{a} {b}");
    }
}
