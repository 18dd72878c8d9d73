//! Joints and drives that events turn on and off, against closed forms. A released body continues freely. A
//! drive continues from the present coordinate. A caught body keeps the momentum that the impulse cannot
//! change.

use nalgebra::Vector3;
use precess::Error;
use precess::formulation::Formulation::{self, EulerParameters, R3SO3, SE3, TaitBryan};
use precess::integrate::{Form, InitialValues, Jump, Tolerance};
use precess::mechanics::State;
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::{Built, build, load};
use precess::study::{AdaptiveRun, Failure, Run, Summary};

/// How a test runs.
#[derive(Clone, Copy, Debug)]
enum How {
    Fixed(&'static str, Form, f64),
    Tol(&'static str, f64),
}

const ALL: [How; 5] = [
    How::Fixed("gen-alpha", Form::StabilizedIndex2, 1e-3),
    How::Fixed("gen-alpha", Form::Index3, 1e-3),
    How::Fixed("bliedf", Form::StabilizedIndex2, 1e-3),
    How::Tol("bliedf", 1e-8),
    How::Tol("gen-alpha", 3e-8),
];

struct Outcome {
    built: Built,
    state: State,
    summary: Summary,
}

fn attempt(text: &str, formulation: Formulation, how: How, t_end: f64) -> Result<Outcome, Box<Failure>> {
    let loaded = load("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let built = build(&loaded.model, formulation).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let summary = match how {
        How::Fixed(name, form, h) => {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let mut integrator = method(name, &options).unwrap();
            Run::new(h, t_end).run(system, &mut *integrator, &mut state, &mut ())
        }
        How::Tol(name, tol) => {
            let tol = Tolerance::new(tol);
            let options = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
            let mut integrator = adaptive_method(name, &options, tol).unwrap();
            AdaptiveRun::new(tol, t_end).run(system, &mut *integrator, &mut state, &mut ())
        }
    }?;
    Ok(Outcome { built, state, summary })
}

fn run(text: &str, formulation: Formulation, how: How, t_end: f64) -> Outcome {
    attempt(text, formulation, how, t_end).unwrap_or_else(|e| panic!("{formulation:?} {how:?}: {}", e.error))
}

const SLING: &str = r#"
    model = { name = "sling", gravity = [0, 0, -9.81] }
    body = [{ name = "stone", mass = 2, inertia = [0.1, 0.1, 0.1], position = [1, 0, 0],
        angular_velocity = [0, -3, 0],
              velocity = [0, 0, 3] }]
    joint = [{ name = "hand", type = "revolute", bodies = ["ground", "stone"], point = [0, 0, 0],
        axis = [0, 1, 0] }]
    sensor = [{ name = "place", type = "position", body = "stone" }]
    event = [{ name = "release", when = "place.x < 0.9", action = "switch", disable = ["hand"] }]
"#;

/// From the release on a parabola with the velocity of the release and a constant spin, without any reaction.
#[test]
fn what_is_released_flies_on() {
    let g = Vector3::new(0.0, 0.0, -9.81);
    for formulation in [R3SO3, SE3, EulerParameters, TaitBryan] {
        for how in ALL {
            let t_end = 0.8;
            let o = run(SLING, formulation, how, t_end);
            let [release] = &o.summary.events[..] else { panic!("{:?}", o.summary.events) };
            assert!(release.jump.is_none(), "{how:?}: {:?}", release.jump);
            let before = o.built.system.bodies(&release.state.at()).remove(0);
            // Energy: where it is released, its speed is known.
            let speed = (9.0 - 2.0 * 9.81 * before.position.z / (1.0 + 0.1 / 2.0)).sqrt();
            let t = t_end - release.t;
            let after = o.built.system.bodies(&o.state.at()).remove(0);
            let x = before.position + before.velocity * t + g * (0.5 * t * t);
            let v = before.velocity + g * t;
            // Fixed steps integrate a constant acceleration exactly.
            let tolerance = match (formulation, how) {
                (R3SO3, How::Fixed(..)) => 1e-10,
                (R3SO3, How::Tol(..)) => 1e-7,
                _ => 2e-5,
            };
            let what = format!("{formulation:?} {how:?}");
            assert!((after.position - x).norm() < tolerance, "{what}: {:e}", (after.position - x).norm());
            assert!((after.velocity - v).norm() < tolerance, "{what}: {:e}", (after.velocity - v).norm());
            assert!((after.angular_velocity - before.angular_velocity).norm() < tolerance, "{what}");
            assert!((before.velocity.norm() - speed).abs() < 1e-4, "{what}: {}", before.velocity.norm());
            let reaction = o.built.system.reactions(&o.state.at()).remove(0);
            assert!(reaction.force.norm() < 1e-8 && reaction.torque.norm() < 1e-8, "{what}: {reaction:?}");
        }
    }
}

const MOTOR: &str = r#"
    model = { name = "motor", length_scale = 1 }
    body = [{ name = "wheel", mass = 1, inertia = [0.2, 0.3, 0.5], position = [0, 0, 0],
        angular_velocity = [0, 0, 2] }]
    joint = [{ name = "axle", type = "revolute", bodies = ["ground", "wheel"], point = [0, 0, 0],
        axis = [0, 0, 1],
               drive = "7 + 2*t + 1.5*(t - 0.5)^2", drive_enabled = false }]
    sensor = [{ name = "angle", type = "coordinate", joint = "axle" }]
    event = [
        { name = "on", when = "t > 0.5", action = "switch", enable = ["axle.drive"] },
        { name = "off", when = "angle > 2.04", action = "switch", disable = ["axle.drive"] },
    ]
"#;

/// The drive takes over at 1 rad with 2 rad/s and goes on from there, whatever its function says at that
/// time; it is released at 1 + 2 tau + 1.5 tau^2 = 2.04, tau = 0.4, with 3.2 rad/s.
#[test]
fn a_motor_takes_over_smoothly() {
    for formulation in [R3SO3, SE3, EulerParameters] {
        for how in ALL {
            let o = run(MOTOR, formulation, how, 1.2);
            let what = format!("{formulation:?} {how:?}: {:?}", o.summary.events);
            let [on, off] = &o.summary.events[..] else { panic!("{what}") };
            assert!(on.jump.is_none() && off.jump.is_none(), "{what}");
            assert!((on.t - 0.5).abs() < 1e-12 && (off.t - 0.9).abs() < 2e-6, "{what}");
            let sensor = o.built.system.sensors(&o.state.at()).remove(0).1[0];
            let exact = 2.04 + 3.2 * 0.3;
            assert!((sensor - exact).abs() < 5e-6, "{what}: {}", sensor - exact);
            let rate = o.built.system.bodies(&o.state.at())[0].angular_velocity.z;
            assert!((rate - 3.2).abs() < 1e-5, "{what}: {rate}");
            // The work of the drive is the kinetic energy.
            let work = 0.5 * 0.5 * (3.2_f64.powi(2) - 4.0);
            let found = o.summary.work.unwrap();
            let share = if matches!(how, How::Tol(..)) { 2e-2 } else { 2e-3 };
            assert!((found - work).abs() < share * work, "{what}: work {found} instead of {work}");
        }
    }
}

/// While it acts the drive exerts I times its acceleration.
#[test]
fn a_motor_exerts_its_torque() {
    let o = run(MOTOR, R3SO3, ALL[0], 0.8);
    let torque = o.built.system.reactions(&o.state.at()).remove(0).torque.z;
    assert!((torque - 0.5 * 3.0).abs() < 1e-6, "{torque}");
}

const CLUTCH: &str = r#"
    model = { name = "clutch", length_scale = 1 }
    body = [
        { name = "engine", mass = 1, inertia = [0.2, 0.3, 0.5], position = [0, 0, 0],
            angular_velocity = [0, 0, 6] },
        { name = "load", mass = 1, inertia = [0.2, 0.3, 0.25], position = [0, 0, 0.4] },
    ]
    joint = [
        { name = "bearing", type = "revolute", bodies = ["ground", "engine"], point = [0, 0, 0],
            axis = [0, 0, 1] },
        { name = "clutch", type = "revolute", bodies = ["engine", "load"], point = [0, 0, 0.2],
            axis = [0, 0, 1],
          drive = "0", drive_enabled = false },
    ]
    event = [{ name = "close", when = "t > 0.3", action = "switch", enable = ["clutch.drive"] }]
"#;

/// Two discs on one axis: afterwards both turn with I_1 omega/(I_1 + I_2), and I_1 I_2/(I_1 + I_2) omega^2/2
/// is lost.
#[test]
fn a_clutch_keeps_the_angular_momentum() {
    let (a, b, omega) = (0.5, 0.25, 6.0);
    let common = a * omega / (a + b);
    let lost = 0.5 * a * b / (a + b) * omega * omega;
    for formulation in [R3SO3, SE3, EulerParameters] {
        for how in ALL {
            let o = run(CLUTCH, formulation, how, 1.0);
            let what = format!("{formulation:?} {how:?}");
            let Some(Jump { velocity, energy, .. }) = o.summary.events[0].jump else {
                panic!("{what}: no jump")
            };
            assert!((energy.unwrap() + lost).abs() < 1e-6, "{what}: {energy:?} instead of -{lost}");
            assert!(velocity > 1.0, "{what}: {velocity}");
            for body in o.built.system.bodies(&o.state.at()) {
                assert!((body.angular_velocity.z - common).abs() < 1e-6, "{what}: {body:?}");
            }
            // The energy balance includes the impulse.
            assert!(o.summary.balance.unwrap() < 1e-6, "{what}: {:?}", o.summary.balance);
        }
    }
}

const CATCH: &str = r#"
    model = { name = "catch", length_scale = 1 }
    body = [{ name = "rod", mass = 2, inertia = [0.5, 0.01, 0.5], position = [-1, 0.5, 0],
        velocity = [2, 0, 0] }]
    joint = [{ name = "hook", type = "spherical", bodies = ["ground", "rod"], point = [0, 0, 0],
        point2 = [-1, 0, 0],
               enabled = false }]
    sensor = [{ name = "place", type = "position", body = "rod" }]
    event = [{ name = "caught", when = "place.x > 0", action = "switch", enable = ["hook"] }]
"#;

/// A rod that flies across its length is caught at its end: m v a = (I + m a^2) omega about the hook.
#[test]
fn what_is_caught_keeps_the_moment_about_the_hook() {
    let (m, i, a, v) = (2.0, 0.5, 0.5, 2.0);
    let omega = m * v * a / (i + m * a * a);
    for formulation in [R3SO3, SE3, EulerParameters] {
        for how in ALL {
            let o = run(CATCH, formulation, how, 1.0);
            let what = format!("{formulation:?} {how:?}");
            let caught = &o.summary.events[0];
            assert!((caught.t - 0.5).abs() < 1e-9, "{what}: {}", caught.t);
            let lost = 0.5 * m * v * v - 0.5 * (i + m * a * a) * omega * omega;
            assert!((caught.jump.unwrap().energy.unwrap() + lost).abs() < 1e-6, "{what}: {:?}", caught.jump);
            let body = o.built.system.bodies(&o.state.at()).remove(0);
            // v = omega x r about the hook, turning from +y towards +x: about -z.
            assert!((body.angular_velocity.z + omega).abs() < 1e-6, "{what}: {body:?}");
            let phi = omega * 0.5;
            let x = Vector3::new(a * phi.sin(), a * phi.cos(), 0.0);
            let off = (body.position - x).norm();
            assert!(off < 2e-6, "{what}: off by {off:e}");
        }
    }
}

/// A hook in another place than the rod cannot catch it, and the error says so.
#[test]
fn a_joint_closes_only_where_it_fits() {
    let wrong = CATCH.replace("place.x > 0", "place.x > 0.1");
    let failure = attempt(&wrong, R3SO3, ALL[0], 1.0).err().expect("the joint does not fit");
    let Error::NotClosed { event, residual, .. } = &failure.error else { panic!("{}", failure.error) };
    assert!(event == "caught" && (residual - 0.1).abs() < 1e-9, "{}", failure.error);
}

#[test]
fn wrong_names_are_told() {
    for (text, part) in [
        (SLING.replace("[\"hand\"]", "[\"hand.drive\"]"), "unknown"),
        (SLING.replace("[\"hand\"]", "[\"stone\"]"), "is a body, which cannot be switched"),
        (SLING.replace("axis = [0, 1, 0]", "axis = [0, 1, 0], drive_enabled = false"), "drive_enabled"),
    ] {
        let error = load("test.toml", &text, &[]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
