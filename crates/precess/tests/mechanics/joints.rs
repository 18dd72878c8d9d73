//! Every joint type: exact rows, momentum and energy of a free-flying pair, agreement of the formulations.

use crate::model_util::hidden::{Numbers, assert_derivatives, disturbed};
use crate::model_util::*;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::lie::Largest;
use precess::mechanics::{Equations, State, System};
use precess::model::{Loaded, build};
use precess::study::Run;

const FORMULATIONS: [Formulation; 2] = [Formulation::R3SO3, Formulation::SE3];

const JOINTS: [(&str, &str); 15] = [
    ("spherical", "type = 'spherical'"),
    ("revolute", "type = 'revolute'\naxis = [1, 2, 0.5]"),
    ("prismatic", "type = 'prismatic'\naxis = [1, 2, 0.5]"),
    ("universal", "type = 'universal'\naxis = [1, 0, 0]\naxis2 = [0, 1, 1]"),
    ("cylindrical", "type = 'cylindrical'\naxis = [1, 2, 0.5]"),
    ("planar", "type = 'planar'\naxis = [1, 2, 0.5]"),
    ("fixed", "type = 'fixed'"),
    ("point on plane", "type = 'point-on-plane'\naxis = [0, 1, 0.5]"),
    ("point on line", "type = 'point-on-line'\naxis = [0, 1, 0.5]"),
    ("rigid distance", "type = 'rigid-distance'\npoint2 = [0.7, 0.9, 0]"),
    ("screw", "type = 'screw'\naxis = [1, 2, 0.5]\npitch = 4"),
    ("generic tx rz", "type = 'generic'\naxis = [0, 0.3, 1]\nlock = ['tx', 'rz']"),
    ("generic ty tz rx", "type = 'generic'\naxis = [0, 0.3, 1]\nlock = ['ty', 'tz', 'rx']"),
    ("generic rx rz", "type = 'generic'\naxis2 = [1, 1, 0]\naxis = [0, 0, 1]\nlock = ['rx', 'rz']"),
    ("generic all but ry", "type = 'generic'\nlock = ['tx', 'ty', 'tz', 'rx', 'rz']"),
];

fn text(joint: &str) -> String {
    format!(
        r#"
        [[body]]
        name = "a"
        mass = 1.3
        inertia = [0.2, 0.3, 0.25]
        position = [0.4, 0.1, -0.2]
        velocity = [0.3, 0.2, -0.4]
        rotation = {{ axis = [1, 2, 3], angle = 0.7 }}
        angular_velocity = [1, -2, 0.5]
        [[body]]
        name = "b"
        mass = 0.7
        inertia = [[0.1, 0.01, 0], [0.01, 0.12, 0.02], [0, 0.02, 0.15]]
        position = [1.1, 0.3, 0.2]
        velocity = [-0.5, 0.1, 0.7]
        rotation = {{ axis = [0, 1, -1], angle = -1.1 }}
        angular_velocity = [-0.4, 1.5, 2]
        [[joint]]
        name = "joint"
        bodies = ["a", "b"]
        point = [0.7, 0.2, 0]
        {joint}
        [[sensor]]
        name = "p"
        type = "linear-momentum"
        [[sensor]]
        name = "l"
        type = "angular-momentum"
        "#
    )
}

/// The pair with velocities projected onto the joint.
fn flying(loaded: &Loaded, formulation: Formulation) -> Start {
    let built = build(&loaded.model, formulation).unwrap();
    let state = InitialValues::new(&built.q, &built.v).fixed().consistent(built.system.as_ref()).unwrap();
    Start { system: built.system, state }
}

#[test]
fn rows_are_exact() {
    let mut numbers = Numbers(4);
    let driven = [
        ("driven revolute", "type = 'revolute'\naxis = [1, 2, 0.5]\ndrive = '0.4*sin(3*t) + t'"),
        (
            "driven prismatic",
            "type = 'prismatic'\naxis = [1, 2, 0.5]\ncoordinate = 0.2\ndrive = '0.2*cos(4*t)'",
        ),
    ];
    for (name, joint) in JOINTS.into_iter().chain(driven) {
        for bodies in ["'a', 'b'", "'ground', 'b'", "'a', 'ground'"] {
            let pair = text(joint).replace(r#"bodies = ["a", "b"]"#, &format!("bodies = [{bodies}]"));
            let loaded = load_text(&pair);
            for formulation in FORMULATIONS {
                let built = build(&loaded.model, formulation).unwrap();
                let system = built.system.as_ref();
                let s = InitialValues::new(&built.q, &built.v).fixed().consistent(system).unwrap();
                for _ in 0..5 {
                    let state = disturbed(system, &s, &mut numbers, 0.2);
                    assert_derivatives(&format!("{name} of {bodies}, {formulation:?}"), system, &state);
                    assert_one_pass(system, &state);
                }
            }
        }
    }
}

/// Values that are evaluated together have the same bits as values evaluated alone, whatever the output
/// contained before.
fn assert_one_pass(system: &dyn System, state: &State) {
    let (k, m, at) = (system.group().dim(), system.n_lambda(), state.at());
    let mut together = [vec![7.0; k], vec![7.0; m], vec![7.0; m]];
    let [r, phi, velocity] = &mut together;
    system.equations(&at, Equations { r: Some(r), phi: Some(phi), velocity: Some(velocity) });
    let mut alone = [vec![-3.0; k], vec![-3.0; m], vec![-3.0; m]];
    let [r, phi, velocity] = &mut alone;
    system.residual(&at, r);
    system.constraint(&at, phi);
    system.velocity_constraint(&at, velocity);
    let bits = |x: &[Vec<f64>; 3]| x.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&together), bits(&alone));
}

/// Turns cost memory and time only where something reads them, and then once.
#[test]
fn turns_are_counted_where_they_are_read() {
    let revolute = text("type = 'revolute'\naxis = [1, 2, 0.5]");
    let sensor =
        |name: &str, kind: &str| format!("[[sensor]]\nname = '{name}'\ntype = '{kind}'\njoint = 'joint'\n");
    let both = sensor("angle", "coordinate") + &sensor("again", "coordinate");
    for (text, expected) in [(revolute.clone(), 0), (revolute + &both, 3)] {
        for formulation in FORMULATIONS {
            let built = build(&load_text(&text).model, formulation).unwrap();
            assert_eq!(built.system.n_memory(), expected);
        }
    }
}

/// Without external forces linear and angular momentum stay, and the energy does so at second order.
#[test]
fn free_flying_pairs_keep_momentum_and_energy() {
    for (name, joint) in JOINTS {
        let loaded = load_text(&text(joint));
        for formulation in FORMULATIONS {
            let mut drifts = Vec::new();
            for h in [4e-3, 2e-3] {
                let mut s = flying(&loaded, formulation);
                let (p, l) = (s.sensor("p"), s.sensor("l"));
                let summary = s.run(&options(Form::StabilizedIndex2), h, 0.4, |_, _| {});
                let change = [distance(&s.sensor("p"), &p), distance(&s.sensor("l"), &l)];
                drifts.push((summary.energy_drift.unwrap(), change));
            }
            let (fine, coarse) = (&drifts[1], &drifts[0]);
            println!(
                "{name}, {formulation:?}: p {:.1e}, L {:.1e} and {:.1e}, E {:.1e} and {:.1e}",
                fine.1[0], coarse.1[1], fine.1[1], coarse.0, fine.0
            );
            // Linear momentum is a linear invariant of the method where u is inertial; angular momentum and
            // energy are kept at second order.
            if formulation == Formulation::R3SO3 {
                assert!(fine.1[0] < 1e-10, "{name}: p {:.2e}", fine.1[0]);
            }
            assert!(fine.1[1] < 1e-4 && fine.0 < 1e-4, "{name}, {formulation:?}: {drifts:?}");
            for (a, b) in [(coarse.0, fine.0), (coarse.1[1], fine.1[1])] {
                assert!(b < 1e-9 || a / b > 3.3, "{name}, {formulation:?}: {a} {b}");
            }
        }
    }
}

/// The reactions of a joint are internal forces: the rates of linear and angular momentum that follow from
/// the accelerations vanish to the tolerance of Newton's method in every step.
#[test]
fn reactions_balance_in_every_step() {
    let sensors = "\n[[sensor]]\nname = 'acc a'\ntype = 'acceleration'\nbody = 'a'\n[[sensor]]\nname = 'acc \
                   b'\ntype = 'acceleration'\nbody = 'b'\n";
    for (name, joint) in JOINTS {
        let loaded = load_text(&(text(joint) + sensors));
        for formulation in FORMULATIONS {
            let mut s = flying(&loaded, formulation);
            let mut worst = 0.0_f64;
            s.run(&options(Form::StabilizedIndex2), 1e-3, 0.05, |system, sample| {
                let at = sample.state.at();
                let (values, bodies) = (system.sensors(&at), system.bodies(&at));
                let (mut force, mut moment) = (nalgebra::Vector3::zeros(), nalgebra::Vector3::zeros());
                for (i, (spec, body)) in loaded.model.bodies.iter().zip(&bodies).enumerate() {
                    let a = &values.iter().find(|(n, _)| *n == format!("acc {}", spec.name)).unwrap().1;
                    let a = nalgebra::Vector3::from_column_slice(a) * spec.mass;
                    let precess::mechanics::BodyKind::Rigid { inertia } = spec.kind else { panic!() };
                    let q = body.rotation;
                    let r = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
                        q[0], q[1], q[2], q[3],
                    ));
                    let omega_dot = nalgebra::Vector3::from_column_slice(&at.vdot[6 * i..6 * i + 3]);
                    let omega = body.angular_velocity;
                    force += a;
                    moment +=
                        body.position.cross(&a) + r * (inertia * omega_dot + omega.cross(&(inertia * omega)));
                }
                worst =
                    precess::study::larger(worst, precess::study::larger(force.largest(), moment.largest()));
            });
            assert!(worst < 1e-8, "{name}, {formulation:?}: {worst:.2e}");
        }
    }
}

/// The same motion in both formulations, within the order.
#[test]
fn formulations_agree() {
    for (name, joint) in JOINTS {
        let loaded = load_text(&text(joint));
        let mut differences = Vec::new();
        for h in [2e-3, 1e-3] {
            let ends: Vec<Vec<f64>> = FORMULATIONS
                .iter()
                .map(|f| {
                    let mut s = flying(&loaded, *f);
                    s.run(&options(Form::StabilizedIndex2), h, 0.4, |_, _| {});
                    let bodies = s.system.bodies(&s.state.at());
                    bodies
                        .iter()
                        .flat_map(|b| b.position.iter().copied().chain(b.rotation).collect::<Vec<_>>())
                        .collect()
                })
                .collect();
            differences.push(distance(&ends[0], &ends[1]));
        }
        println!("{name}: {differences:?}");
        assert!(differences[1] < 1e-5, "{name}: {differences:?}");
        assert!(differences[0] / differences[1] > 3.3, "{name}: {differences:?}");
    }
}

/// Rows that would also hold in the flipped position are not finite there, and the joint is named.
#[test]
fn flipped_assembly_is_seen() {
    for (name, joint) in JOINTS {
        let flips = [
            "revolute",
            "prismatic",
            "cylindrical",
            "screw",
            "planar",
            "fixed",
            "generic rx rz",
            "generic all but ry",
        ];
        let loaded = load_text(&text(joint));
        let built = build(&loaded.model, Formulation::R3SO3).unwrap();
        let s = InitialValues::new(&built.q, &built.v).fixed().consistent(built.system.as_ref()).unwrap();
        let mut phi = vec![0.0; s.lambda.len()];
        built.system.constraint(&s.at(), &mut phi);
        assert!(phi.iter().all(|x| x.abs() < 1e-9), "{name}");
        assert!(built.system.troubles(&s.at()).is_empty());
        // Half a turn of the second body about the x axis of the joint frame, which is perpendicular to the
        // axis that counts, or about z for the generic joints.
        let mut flipped = s.clone();
        let axis = match name {
            "generic rx rz" => nalgebra::Vector3::new(1.0, 1.0, 0.0),
            "fixed" | "generic all but ry" => nalgebra::Vector3::x(),
            _ => precess::model::spec::frame_along(&nalgebra::Vector3::new(1.0, 2.0, 0.5))
                .column(0)
                .into_owned(),
        };
        let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
            s.q[7], s.q[8], s.q[9], s.q[10],
        ));
        let turned = nalgebra::UnitQuaternion::from_scaled_axis(axis.normalize() * std::f64::consts::PI) * q;
        flipped.q[7..11].copy_from_slice(&[turned.w, turned.i, turned.j, turned.k]);
        built.system.constraint(&flipped.at(), &mut phi);
        if flips.contains(&name) {
            assert!(phi.iter().all(|x| x.is_nan()), "{name}: {phi:?}");
            assert!(built.system.troubles(&flipped.at())[0].contains("'joint'"));
        } else {
            assert!(phi.iter().all(|x| x.is_finite()), "{name}");
        }
    }
}

/// A nut on a spindle falls with a = g / (1 + J (2 pi/p)^2 / m): motion, axial force m (g - a) and torque J
/// alpha, over many turns.
#[test]
fn a_nut_runs_down_its_spindle() {
    let loaded = load_model("joint_screw", &[]);
    let (mass, turn) = (7800.0 * std::f64::consts::PI * 0.05f64.powi(2) * 0.04, std::f64::consts::TAU / 0.06);
    let inertia = 0.5 * mass * 0.05f64.powi(2);
    let a = 9.81 / (1.0 + inertia * turn * turn / mass);
    for formulation in FORMULATIONS {
        let built = build(&loaded.model, formulation).unwrap();
        let system = &*built.system;
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let mut method = precess::methods::method("gen-alpha", &loaded.settings.options).unwrap();
        Run::new(1e-3, 1.0).run(system, &mut *method, &mut state, &mut ()).unwrap();
        let nut = &system.bodies(&state.at())[0];
        assert!((nut.position.z - (0.5 - 0.5 * a)).abs() < 1e-9, "{formulation:?}: {}", nut.position.z);
        let angle = system.sensors(&state.at())[0].1[0];
        assert!((angle + 0.5 * a * turn).abs() < 1e-7 && angle.abs() > 12.0, "{formulation:?}: {angle}");
        let reaction = &system.reactions(&state.at())[0];
        assert!((reaction.force.z - mass * (9.81 - a)).abs() < 1e-7, "{:?}", reaction.force);
        assert!((reaction.torque.z + inertia * a * turn).abs() < 1e-8, "{:?}", reaction.torque);
    }
}
