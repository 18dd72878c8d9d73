//! Modal bodies in models against independent solutions: the geometrically exact beam (flex.md 3.6) and a
//! rigid rod.

use crate::modal_files::in_folder;
use precess::Simulation;
use serde_json::{Value, json};

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
        "masses": masses, "inertias": vec![[1.2e-3 * 10.0 / n as f64, 0.0, 0.0]; n + 1], "modes": modes, "stiffness": stiffness, "names": { "tip": n },
    })
}

/// Kane's beam as a modal body, spun up within 15 s.
fn spinning(speed: f64, stiffening: bool) -> Simulation {
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
until = 15
step = 0.005
"#
    );
    let loaded = in_folder(&kane().to_string(), &model).unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"))
}

/// Deflection of its tip.
fn tip(s: &Simulation) -> f64 {
    let q = &s.state().q;
    (0..4).map(|k| q[q.len() - 4 + k] * clamped(k, 1.0)[0]).sum()
}

/// Deflection of the tip at t = 5, 7.5, 10, and the largest one.
fn spun_up(speed: f64, stiffening: bool) -> [f64; 4] {
    let (mut s, mut found) = (spinning(speed, stiffening), [0.0; 4]);
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

/// With the stiffening that the program computes: within 0.2 % of the geometrically exact beam. Without: the
/// values of that model.
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
    // Faster than its first frequency, the linear model has no equilibrium: the beam of 10 m bends by
    // kilometres, or the run ends with an error.
    let mut s = spinning(6.0, false);
    assert!(s.advance_to(15.0).is_err() || tip(&s).abs() > 1e3, "{}", tip(&s));
}

/// Problem "crank" of the Test Set for IVP Solvers from its model file: angle of the rod and four modes at t
/// = 0.1 as published.
#[test]
fn published_slider_crank() {
    // The axial modes are a few micrometres, and the tolerance is relative to the length of the crank.
    let loaded = crate::model_util::load_model("flexible/crank", &["integrator.tol=1e-11"]);
    let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    s.advance_to(0.1).unwrap_or_else(|e| panic!("{e}"));
    let [w, _, _, z] = s.body("rod").unwrap().rotation;
    let modes: Vec<f64> = s.state().q[s.state().q.len() - 4..].to_vec();
    let found = [2.0 * z.atan2(w), modes[0], modes[1], modes[2], modes[3]];
    let published = [
        -0.331173498825626,
        0.0001893192899613509,
        2.375751249879174e-05,
        -5.323896770569702e-06,
        -8.363313279112129e-06,
    ];
    for (x, e) in found.iter().zip(published) {
        assert!((x / e - 1.0).abs() < 1e-6, "{found:?}, published {published:?}");
    }
}

/// The physical slider-crank of flex.md 3.8 with a modal rod: with the tension of its axial modes within 1 %
/// of the beam, and without it the values of that model. With geometric stiffening instead (accelerations,
/// and the forces of its pins), within 0.5 % of the largest deflection: the axial vibrations accelerate as
/// much as the frame, and accelerations of modes are no loads in this model. The beam itself is in `beams`.
#[test]
fn physical_slider_crank_beside_the_beam() {
    let (beam, linear) = ([1.4027e-3, 7.035e-4, -7.81e-5], [1.5768e-3, 7.624e-4, -8.65e-5]);
    let cases = [
        (["tension=true", "stiffening=false"], beam, [1e-2, 0.0]),
        (["tension=false", "stiffening=true"], beam, [0.0, 5e-3]),
        (["tension=false", "stiffening=false"], linear, [5e-3, 0.0]),
    ];
    for (keys, expected, [relative, of_largest]) in cases {
        let keys = keys.map(|key| format!("body.rod.modal.{key}"));
        let loaded = crate::model_util::load_model("flexible/modal_slider_crank", &[&keys[0], &keys[1]]);
        let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
        for (t, e) in [0.005, 0.01, 0.02].into_iter().zip(expected) {
            s.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
            let start = s.body("rod").unwrap().position;
            let mut from_start =
                |name: &str| nalgebra::Vector3::from_column_slice(&s.sensor(name).unwrap()) - start;
            // Distance of the middle from the chord, to the left.
            let w = from_start("slider").normalize().cross(&from_start("middle")).z;
            let tolerance = relative * f64::abs(e) + of_largest * 1.8708e-3;
            assert!((w - e).abs() < tolerance, "{keys:?}, t = {t}: {w}, expected {e}");
        }
    }
}

/// The finite-element rod of `models/flexible/imported_rod.toml`, slow and with strong damping: forces of its
/// pins are those of a rigid rod with its mass and inertia.
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
