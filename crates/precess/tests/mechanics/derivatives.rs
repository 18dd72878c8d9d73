//! Every derivative of every joint, force, expression and sensor in every formulation, to 1e-11.

use crate::every_element::*;
use crate::model_util::extrapolated::{Direction, agree, check};
use crate::model_util::hidden::{Numbers, disturbed};
use crate::model_util::load_text;
use precess::formulation::Formulation;
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::{At, State};
use precess::model::{Built, build};

/// All formulations that take every element.
const ALL: [Formulation; 4] =
    [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan];

/// States off the constraints, in motion.
fn states(built: &Built, n: usize) -> Vec<State> {
    let system = built.system.as_ref();
    let mut numbers = Numbers(11);
    let start = State {
        q: built.q.clone(),
        v: built.v.clone(),
        vdot: vec![0.0; built.v.len()],
        lambda: vec![0.0; system.n_lambda()],
        s: numbers.vector(system.n_s(), 1.0),
        memory: vec![0.0; system.n_memory()],
        ..State::default()
    };
    (0..n).map(|_| disturbed(system, &start, &mut numbers, 0.2)).collect()
}

fn built(text: &str, formulation: Formulation) -> Built {
    build(&load_text(text).model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn with_bodies(text: &str) -> String {
    format!("{BODIES}{text}")
}

fn check_all(name: &str, text: &str, formulations: &[Formulation]) {
    for &formulation in formulations {
        let built = built(text, formulation);
        for state in states(&built, 3) {
            let what = format!("{name}, {formulation}");
            check(&what, built.system.as_ref(), &state);
            check_sensors(&what, built.system.as_ref(), &state, formulation);
        }
    }
}

/// Sensors and bodies: velocities are the rates of positions, accelerations those of velocities.
fn check_sensors(what: &str, system: &dyn Mechanism, state: &State, formulation: Formulation) {
    let motion = Direction { t: 1.0, q: &state.v, v: &state.vdot, ..Direction::default() };
    let read = |at: &At| -> Vec<(String, Vec<f64>)> { system.sensors(at) };
    let here = read(&state.at());
    let value = |name: &str| here.iter().position(|(n, _)| n == name);
    for (of, rate) in [("r_", "v_"), ("v_", "a_")] {
        for (i, (name, _)) in here.iter().enumerate() {
            let Some(number) = name.strip_prefix(of) else { continue };
            let Some(j) = value(&format!("{rate}{number}")) else { continue };
            // Directors read velocities from the rotation next to them, which differs off the constraints.
            if formulation == Formulation::Directors && number != "2" {
                continue;
            }
            let expected = motion.of(system, state, |at| read(at)[i].1.clone());
            agree(&format!("{what}, sensor {}", here[j].0), &here[j].1, &expected);
        }
    }
    for (i, body) in system.bodies(&state.at()).iter().enumerate() {
        let moved = motion.of(system, state, |at| {
            let body = &system.bodies(at)[i];
            body.position.iter().chain(&body.rotation).copied().collect()
        });
        agree(&format!("{what}, velocity of {}", body.name), body.velocity.as_slice(), &moved[..3]);
        if formulation != Formulation::Directors {
            let q = nalgebra::Quaternion::from(nalgebra::Vector4::from_column_slice(&rotated(body.rotation)));
            let omega = nalgebra::Quaternion::from_imag(body.angular_velocity);
            let rate = q * omega * 0.5;
            agree(
                &format!("{what}, rotation of {}", body.name),
                &[rate.w, rate.i, rate.j, rate.k],
                &moved[3..],
            );
        }
    }
}

/// (w, x, y, z) as (x, y, z, w).
fn rotated([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [x, y, z, w]
}

#[test]
fn of_joints_and_forces() {
    for (name, text) in models() {
        check_all(&name, &format!("{text}{SENSORS}"), &ALL);
    }
}

#[test]
fn of_joint_coordinates() {
    check_all("coordinates", &with_bodies(&format!("{COORDINATES}{SENSORS}{JOINT_SENSORS}")), &ALL);
    check_all("laws", &with_bodies(&format!("{LAWS}{JOINT_SENSORS}")), &ALL);
}

#[test]
fn of_expressions() {
    check_all("expressions", &with_bodies(&format!("{EXPRESSIONS}{SENSORS}")), &ALL);
}

/// Joints and forces that directors refuse are named in the error.
#[test]
fn of_directors() {
    let mut taken = Vec::new();
    for (name, text) in models() {
        let text = format!("{text}{SENSORS}");
        match build(&load_text(&text).model, Formulation::Directors) {
            Ok(_) => {
                check_all(&name, &text, &[Formulation::Directors]);
                taken.push(name);
            }
            Err(e) => assert!(e.to_string().contains("directors"), "{name}: {e}"),
        }
    }
    let expected = [
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
        "generic",
    ];
    assert_eq!(taken, expected);
    let conserving = with_bodies(&format!("{CONSERVING}{SENSORS}"));
    check_all("conserving", &conserving, &[Formulation::Directors]);
    // All forces but the torsion spring and the plate.
    let known = |f: &&str| !f.contains("torsion-spring") && !f.contains("plate");
    let blocks = FORCES.split("[[force]]\n").skip(1).filter(known);
    let forces: String = blocks.map(|f| format!("[[force]]\n{f}")).collect();
    check_all("forces", &with_bodies(&format!("{forces}{SENSORS}")), &[Formulation::Directors]);
}

/// Drives of angles and displacements, and a body with a given motion: rows that depend on time.
#[test]
fn of_drives_in_directors() {
    let joints = r#"
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "a"]
        point = [0, 0, 0]
        axis = [0.2, 1, 0.1]
        drive = "0.3*t + 0.1*t^2"
        [[joint]]
        name = "tube"
        type = "cylindrical"
        bodies = ["a", "b"]
        point = [1, 0.5, 0.4]
        axis = [0.1, 0.3, 1]
        drive = "0.4*sin(2*t)"
        drive_displacement = "0.1*t^2"
        [[body]]
        name = "table"
        mass = 0.6
        inertia = [0.02, 0.03, 0.04]
        position = [0, 2, 0]
        motion = { position = ["0.1*sin(3*t)", "0.2*t^2", "0.3*t"], roll_pitch_yaw = ["0.2*t", "0.1*sin(t)", "t^2"] }
    "#;
    check_all("drives", &with_bodies(&format!("{joints}{SENSORS}")), &[Formulation::Directors]);
}

/// One body about a fixed point, with forces.
#[test]
fn about_a_fixed_point() {
    let text = r#"
        [model]
        gravity = [0.3, -0.2, -9.81]
        [[body]]
        name = "b"
        mass = 1.3
        inertia = [0.1, 0.12, 0.14]
        position = [0.5, 0.1, 0]
        rotation = { axis = [1, 2, 3], angle = 0.4 }
        [[joint]]
        name = "pin"
        type = "spherical"
        bodies = ["ground", "b"]
        point = [0.1, 0, 0.2]
        [[force]]
        name = "spring"
        type = "spring"
        bodies = ["ground", "b"]
        point = [0.1, 1, 0.3]
        point2 = [0.6, 0.2, 0.1]
        stiffness = 40
        damping = 2
        free_length = 0.3
        [[force]]
        name = "wind"
        type = "drag"
        body = "b"
        point = [1.2, 0.6, 0.3]
        coefficient = 0.8
        wind = [1, 2, -1]
        [[force]]
        name = "twist"
        type = "torque"
        body = "b"
        torque = ["sin(t)", 2, 3]
        [[force]]
        name = "push"
        type = "force"
        body = "b"
        frame = "body"
        point = [0.3, 0.3, 0.3]
        force = ["3*sin(2*t)", 1, "t"]
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
    "#;
    check_all("fixed point", text, &[Formulation::SO3]);
}
