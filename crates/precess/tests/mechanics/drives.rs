//! Drives, gears and controls: they follow the prescribed motion, over many turns, and agree with analytic
//! solutions.

use crate::model_util::hidden::{Numbers, assert_derivatives, disturbed};
use crate::model_util::*;
use nalgebra::{Rotation3, Vector3};
use precess::formulation::Formulation;
use precess::integrate::Form;

const FORMULATIONS: [Formulation; 2] = [Formulation::R3SO3, Formulation::SE3];

/// An arm on a driven hinge carries a slider on a driven rail.
const DRIVEN: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    a = 0.3
    w = 4
    [[body]]
    name = "arm"
    mass = 1
    inertia = [0.02, 0.1, 0.1]
    position = [0.5, 0, 0]
    velocity = [0, "0.5*a*w", 0]
    angular_velocity = [0, 0, "a*w"]
    [[body]]
    name = "slider"
    mass = 0.4
    inertia = [0.01, 0.02, 0.03]
    position = [0.8, 0, 0.1]
    velocity = [0.6, "0.8*a*w", 0]
    angular_velocity = [0, 0, "a*w"]
    [[joint]]
    name = "hinge"
    type = "revolute"
    bodies = ["ground", "arm"]
    point = [0, 0, 0]
    axis = [0, 0, 1]
    drive = "a*sin(w*t) + t^2"
    [[joint]]
    name = "rail"
    type = "prismatic"
    bodies = ["arm", "slider"]
    point = [0.8, 0, 0.1]
    axis = [1, 0, 0]
    coordinate = 0.1
    drive = "0.1 + 0.2*sin(3*t)"
    [[sensor]]
    name = "angle"
    type = "coordinate"
    joint = "hinge"
    [[sensor]]
    name = "angle rate"
    type = "rate"
    joint = "hinge"
    [[sensor]]
    name = "slide"
    type = "coordinate"
    joint = "rail"
    [[sensor]]
    name = "torque"
    type = "reaction-torque"
    joint = "hinge"
    [[sensor]]
    name = "acceleration"
    type = "acceleration"
    body = "slider"
"#;

#[test]
fn driven_joints_follow_their_functions_on_all_levels() {
    for formulation in FORMULATIONS {
        let mut s = start(&load_text(DRIVEN), formulation);
        let mut phi = vec![0.0; s.state.lambda.len()];
        s.system.acceleration_constraint(&s.state.at(), &mut phi);
        assert!(phi.iter().all(|x| x.abs() < 1e-11), "start: {phi:?}");
        s.run(&options(Form::StabilizedIndex2), 1e-2, 6.0, |system, sample| {
            let at = sample.state.at();
            system.constraint(&at, &mut phi);
            assert!(phi.iter().all(|x| x.abs() < 1e-9), "t = {}: {phi:?}", at.t);
            system.velocity_constraint(&at, &mut phi);
            assert!(phi.iter().all(|x| x.abs() < 1e-8), "t = {}: {phi:?}", at.t);
            let values = system.sensors(&at);
            let of = |name: &str| values.iter().find(|(n, _)| n == name).unwrap().1[0];
            // More than five turns in the end.
            assert!((of("angle") - (0.3 * (4.0 * at.t).sin() + at.t * at.t)).abs() < 1e-8, "t = {}", at.t);
            assert!((of("angle rate") - (1.2 * (4.0 * at.t).cos() + 2.0 * at.t)).abs() < 1e-7);
            assert!((of("slide") - (0.1 + 0.2 * (3.0 * at.t).sin())).abs() < 1e-8);
        });
        assert!(s.sensor("angle")[0] > 35.0);
    }
}

/// Drive torque and accelerations converge at second order to those of the prescribed motion.
#[test]
fn drive_torque_is_of_second_order() {
    // Both bodies turn about z: torque = d/dt (J(t) w), J = J_arm + m_arm/4 + J_slider + m (0.8 + s)^2, s =
    // 0.2 sin 3t.
    let t: f64 = 1.0;
    let s = 0.2 * (3.0 * t).sin();
    let s_t = 0.6 * (3.0 * t).cos();
    let r = 0.8 + s;
    let inertia = 0.1 + 0.25 + 0.03 + 0.4 * r * r;
    let rate = 1.2 * (4.0 * t).cos() + 2.0 * t;
    let acceleration = -4.8 * (4.0 * t).sin() + 2.0;
    let torque = inertia * acceleration + 0.8 * r * s_t * rate;
    for formulation in FORMULATIONS {
        let errors: Vec<f64> = [4e-3, 2e-3]
            .iter()
            .map(|&h| {
                let mut run = start(&load_text(DRIVEN), formulation);
                run.run(&options(Form::StabilizedIndex2), h, t, |_, _| {});
                (run.sensor("torque")[2] - torque).abs()
            })
            .collect();
        let order = (errors[0] / errors[1]).log2();
        println!("drive torque {formulation:?}: {errors:?}, order {order:.2}");
        assert!((1.8..2.2).contains(&order) && errors[1] < 1e-3, "{errors:?}");
    }
}

/// A base with a prescribed motion carries a seat.
const MOVED: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [[body]]
    name = "base"
    mass = 2
    inertia = [0.1, 0.2, 0.3]
    motion = { position = ["0.2*sin(3*t)", "0.1*t", "t^2"], roll_pitch_yaw = ["0.4*sin(2*t)", "0.3*t", "-0.7*t^2"] }
    [[body]]
    name = "seat"
    mass = 3
    inertia = [0.3, 0.2, 0.1]
    position = [0.5, 0.2, -0.4]
    [[joint]]
    name = "weld"
    type = "fixed"
    bodies = ["base", "seat"]
    point = [0, 0, 0]
    [[sensor]]
    name = "x"
    type = "position"
    body = "base"
    point = [1, 0, 0]
    [[sensor]]
    name = "y"
    type = "position"
    body = "base"
    point = [0, 1, 0]
    [[sensor]]
    name = "z"
    type = "position"
    body = "base"
    point = [0, 0, 1]
    [[sensor]]
    name = "push"
    type = "reaction-force"
    joint = "weld"
    frame = "inertial"
"#;

/// Points of a moved body are where roll, pitch and yaw put them: first about x, then y, then z. The joint
/// carries the weight and the acceleration of the seat.
#[test]
fn a_motion_turns_by_roll_pitch_yaw() {
    let at = |t: f64, r: Vector3<f64>| {
        let p = Vector3::new(0.2 * (3.0 * t).sin(), 0.1 * t, t * t);
        p + Rotation3::from_euler_angles(0.4 * (2.0 * t).sin(), 0.3 * t, -0.7 * t * t) * r
    };
    let (t, seat) = (1.3, Vector3::new(0.5, 0.2, -0.4));
    let d = 1e-4;
    let acceleration = (at(t + d, seat) - at(t, seat) * 2.0 + at(t - d, seat)) / (d * d);
    let push = (acceleration + Vector3::new(0.0, 0.0, 9.81)) * 3.0;
    for formulation in FORMULATIONS {
        let mut s = start(&load_text(MOVED), formulation);
        s.run(&options(Form::StabilizedIndex2), 1e-3, t, |_, _| {});
        for (name, e) in [("x", Vector3::x()), ("y", Vector3::y()), ("z", Vector3::z())] {
            let error = (Vector3::from_column_slice(&s.sensor(name)) - at(t, e)).norm();
            assert!(error < 1e-9, "{formulation:?} {name}: {error:e}");
        }
        let error = (Vector3::from_column_slice(&s.sensor("push")) - push).norm();
        assert!(error < 1e-4 * push.norm(), "{formulation:?}: {error:e} of {}", push.norm());
    }
}

const GEARED: &str = r#"
    [[body]]
    name = "small"
    mass = 1
    inertia = [0.01, 0.01, 0.02]
    angular_velocity = [0, 0, 30]
    [[body]]
    name = "large"
    mass = 3
    inertia = [0.1, 0.1, 0.2]
    position = [0.5, 0, 0]
    angular_velocity = [0, 0, -10]
    [[body]]
    name = "rack"
    mass = 2
    inertia = [0.1, 0.1, 0.1]
    position = [0.9, 0, 0]
    velocity = [0, "10*0.2", 0]
    [[joint]]
    name = "shaft 1"
    type = "revolute"
    bodies = ["ground", "small"]
    point = [0, 0, 0]
    axis = [0, 0, 1]
    [[joint]]
    name = "shaft 2"
    type = "revolute"
    bodies = ["ground", "large"]
    point = [0.5, 0, 0]
    axis = [0, 0, 1]
    [[joint]]
    name = "guide"
    type = "prismatic"
    bodies = ["ground", "rack"]
    point = [0.9, 0, 0]
    axis = [0, 1, 0]
    [[gear]]
    name = "teeth"
    joints = ["shaft 1", "shaft 2"]
    ratio = 3
    [[gear]]
    name = "rack and pinion"
    joints = ["guide", "shaft 2"]
    ratio = 0.2
    [[force]]
    name = "motor"
    type = "actuator"
    joint = "shaft 1"
    value = "0.5*cos(0.3*t)"
    [[sensor]]
    name = "1"
    type = "coordinate"
    joint = "shaft 1"
    [[sensor]]
    name = "2"
    type = "coordinate"
    joint = "shaft 2"
    [[sensor]]
    name = "3"
    type = "coordinate"
    joint = "guide"
"#;

#[test]
fn gears_keep_their_ratio_over_many_turns() {
    for formulation in FORMULATIONS {
        let loaded = load_text(GEARED);
        let mut s = start(&loaded, formulation);
        let mut numbers = Numbers(5);
        let state = disturbed(s.system.as_ref(), &s.state, &mut numbers, 0.1);
        assert_derivatives(&format!("gear, {formulation:?}"), s.system.as_ref(), &state);
        s.run(&options(Form::StabilizedIndex2), 1e-2, 20.0, |system, sample| {
            let values = system.sensors(&sample.state.at());
            let of = |name: &str| values.iter().find(|(n, _)| n == name).unwrap().1[0];
            assert!((of("1") + 3.0 * of("2")).abs() < 1e-8, "t = {}", sample.state.t);
            assert!((of("3") + 0.2 * of("2")).abs() < 1e-8);
        });
        // J = 0.02 + 0.2/9 + 2*(0.2/3)^2 reduced to shaft 1; angle by two quadratures of the motor torque.
        let j = 0.02 + 0.2 / 9.0 + 2.0 * (0.2_f64 / 3.0).powi(2);
        let angle = 30.0 * 20.0 + 0.5 / j * (1.0 - (0.3_f64 * 20.0).cos()) / 0.09;
        println!(
            "gear {formulation:?}: {} turns, error {:.2e}",
            angle / std::f64::consts::TAU,
            s.sensor("1")[0] - angle
        );
        assert!(angle > 90.0 * std::f64::consts::TAU && (s.sensor("1")[0] - angle).abs() < 1e-4);
    }
}

/// A disc on a hinge with inertia J under PID control: a linear equation with known solution.
fn disc(control: &str) -> String {
    format!(
        r#"
        [[body]]
        name = "disc"
        mass = 1
        inertia = [0.3, 0.3, 0.5]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["ground", "disc"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        [[control]]
        name = "c"
        joint = "hinge"
        {control}
        [[sensor]]
        name = "x"
        type = "coordinate"
        joint = "hinge"
        [[sensor]]
        name = "u"
        type = "control"
        control = "c"
        "#
    )
}

/// Classical Runge-Kutta with tiny steps.
fn reference<const N: usize>(f: impl Fn(f64, [f64; N]) -> [f64; N], mut y: [f64; N], t_end: f64) -> [f64; N] {
    let n = 20_000;
    let h = t_end / n as f64;
    let add = |y: [f64; N], k: [f64; N], w: f64| std::array::from_fn(|i| y[i] + w * k[i]);
    for step in 0..n {
        let t = step as f64 * h;
        let k1 = f(t, y);
        let k2 = f(t + h / 2.0, add(y, k1, h / 2.0));
        let k3 = f(t + h / 2.0, add(y, k2, h / 2.0));
        let k4 = f(t + h, add(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

fn control_converges(name: &str, control: &str, x: f64, u: f64) {
    for formulation in FORMULATIONS {
        let errors: Vec<[f64; 2]> = [4e-3, 2e-3]
            .iter()
            .map(|&h| {
                let mut s = start(&load_text(&disc(control)), formulation);
                s.run(&options(Form::StabilizedIndex2), h, 1.5, |_, _| {});
                [(s.sensor("x")[0] - x).abs(), (s.sensor("u")[0] - u).abs()]
            })
            .collect();
        for i in 0..2 {
            let order = (errors[0][i] / errors[1][i]).log2();
            println!("{name} {formulation:?}: {:.2e} {:.2e}, order {order:.2}", errors[0][i], errors[1][i]);
            assert!((1.8..2.2).contains(&order), "{name}: {errors:?}");
        }
        // Exact tangents, with turned poses and other joints' forces.
        let s = start(&load_text(&disc(control)), formulation);
        let mut numbers = Numbers(6);
        let state = disturbed(s.system.as_ref(), &s.state, &mut numbers, 0.2);
        assert_derivatives(name, s.system.as_ref(), &state);
    }
}

#[test]
fn pid_control_is_of_second_order() {
    let w = |t: f64| (0.5 * (2.0 * t).sin(), (2.0 * t).cos());
    let u = |t: f64, y: [f64; 3]| 20.0 * (w(t).0 - y[0]) + 30.0 * y[2] + 3.0 * (w(t).1 - y[1]);
    let end = reference(|t, y: [f64; 3]| [y[1], u(t, y) / 0.5, w(t).0 - y[0]], [0.0; 3], 1.5);
    control_converges(
        "pid",
        "type = 'pid'\nset_point = '0.5*sin(2*t)'\nproportional = 20\nintegral = 30\nderivative = 3",
        end[0],
        u(1.5, end),
    );
}

#[test]
fn filtered_pid_control_is_of_second_order() {
    let w = |t: f64| (0.5 * (2.0 * t).sin(), (2.0 * t).cos());
    let u = |t: f64, y: [f64; 4]| 20.0 * (w(t).0 - y[0]) + 30.0 * y[2] + 3.0 * y[3];
    let f = |t: f64, y: [f64; 4]| [y[1], u(t, y) / 0.5, w(t).0 - y[0], (w(t).1 - y[1] - y[3]) / 0.05];
    let end = reference(f, [0.0; 4], 1.5);
    control_converges(
        "filtered pid",
        "type = 'pid'\nset_point = '0.5*sin(2*t)'\nproportional = 20\nintegral = 30\nderivative = 3\nfilter \
         = 0.05",
        end[0],
        u(1.5, end),
    );
}

#[test]
fn lag_is_of_second_order() {
    let f =
        |t: f64, y: [f64; 3]| [y[1], y[2] / 0.5, ((3.0 * t).sin() - 4.0 * y[0] - 0.5 * y[1] - y[2]) / 0.2];
    let end = reference(f, [0.0, 0.0, 0.1], 1.5);
    control_converges(
        "lag",
        "type = 'lag'\ninput = 'sin(3*t) - 4*x - 0.5*v'\ntime = 0.2\ninitial = 0.1",
        end[0],
        end[2],
    );
}
