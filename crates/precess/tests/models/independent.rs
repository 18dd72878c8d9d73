//! Mechanisms that others have computed: published solutions, and motions by another program. A wrong sign,
//! frame or inertia would change the first digit.

use std::collections::BTreeMap;

use precess::integrate::{InitialValues, Tolerance};
use precess::mechanics::State;
use precess::methods::adaptive_method;
use precess::model::urdf::{ImportOptions, import};
use precess::model::{Built, Loaded, build, load};
use precess::study::AdaptiveRun;
use serde::Deserialize;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/independent");

fn model(path: &str) -> Loaded {
    load(path, &std::fs::read_to_string(path).unwrap(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs to these times with a tolerance, and shows every state.
fn run(loaded: &Loaded, tol: f64, times: &[f64], mut see: impl FnMut(&Built, &State, usize)) {
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    for (k, t) in times.iter().enumerate() {
        let options = &loaded.settings.options;
        let tol = Tolerance::new(tol);
        let mut method = adaptive_method("bliedf", options, tol).unwrap();
        AdaptiveRun::new(tol, *t).run(&*built.system, &mut *method, &mut state, &mut ()).unwrap();
        see(&built, &state, k);
    }
}

/// Angles of the squeezer mechanism at t = 0.03 s: Test Set for Initial Value Problem Solvers (Mazzia and
/// Magherini, release 2.4), problem Andrews' squeezing mechanism; seven bodies, ten hinges with nine
/// redundant rows, two and a half turns of the crank.
#[test]
fn squeezer_of_andrews() {
    let published = [
        ("beta", 15.81077119629904, -0.06171389001427645),
        ("theta", -15.75637105984298, 0.0),
        ("gamma", 0.04082224013073101, 0.4552798191630704),
        ("phi", -0.5347301163226948, 0.2226683901658859),
        ("delta", 0.5244099658805304, 0.48736497954384255),
        ("omega", 0.5347301163226948, -0.2226683901658859),
        ("epsilon", 1.048080741042263, 1.2305474445498212),
    ];
    let loaded = model(&format!("{MODELS}/squeezer.toml"));
    run(&loaded, 1e-9, &[0.03], |built, state, _| {
        let sensors: BTreeMap<_, _> = built.system.sensors(&state.at()).into_iter().collect();
        for (name, end, start) in published {
            let angle = sensors[name][0] + start;
            assert!((angle - end).abs() < 1e-6, "{name}: {angle} instead of {end}");
        }
    });
}

#[derive(Deserialize)]
struct Case {
    bodies: Vec<String>,
    /// Difference of two step sizes.
    error: f64,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    t: f64,
    positions: Vec<[f64; 3]>,
}

/// Compares centres of mass with those of MuJoCo (bench/crosscheck.py), in m.
fn like_mujoco(name: &str, loaded: &Loaded, tolerance: f64) {
    let text = include_str!("../independent/mujoco.json");
    let all: BTreeMap<String, serde_json::Value> = serde_json::from_str(text).unwrap();
    let case: Case = serde_json::from_value(all[name].clone()).unwrap();
    assert!(case.error < 1e-3 * tolerance);
    let times: Vec<f64> = case.rows.iter().map(|r| r.t).collect();
    assert_eq!(times.len(), 4);
    run(loaded, 1e-10, &times, |built, state, k| {
        let bodies = built.system.bodies(&state.at());
        for (body, theirs) in case.bodies.iter().zip(&case.rows[k].positions) {
            let ours = bodies.iter().find(|b| b.name == *body).unwrap().position;
            for i in 0..3 {
                let difference = (ours[i] - theirs[i]).abs();
                assert!(difference < tolerance, "{name}, {body}, t = {}: {ours} {theirs:?}", times[k]);
            }
        }
    });
}

/// Prismatic, universal and cylindrical joint, spring and damper.
#[test]
fn crane() {
    like_mujoco("crane", &model(&format!("{HERE}/crane.toml")), 1e-7);
}

/// Spherical joints, rotations about all axes.
#[test]
fn tumbling_chain() {
    like_mujoco("tumbling_chain", &model(&format!("{HERE}/tumbling_chain.toml")), 1e-7);
}

/// Hinges in a row, a fast rotor, a point mass.
#[test]
fn gimbal_gyroscope() {
    like_mujoco("gimbal_gyroscope", &model(&format!("{MODELS}/gimbal_gyroscope.toml")), 1e-7);
}

/// The same URDF in both programs: rotated joints and inertias, skew axes, damping.
#[test]
fn robot_arm_from_urdf() {
    let text = include_str!("../urdf/arm.urdf").replace(" friction=\"0.02\"", "");
    let robot = import("arm.urdf", &text, &ImportOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut loaded = load("arm.toml", &robot.to_toml(), &[]).unwrap();
    // The other program ran without stops.
    loaded.model.forces.retain(|f| !matches!(f.kind, precess::model::elements::ForceKind::Limit(_)));
    like_mujoco("arm", &loaded, 1e-7);
}
