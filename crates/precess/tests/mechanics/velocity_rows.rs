//! Velocity rows against closed solutions: a knife edge on a slope, balls on a slope and on a turntable, a
//! wheel in a circle. Every form, every formulation that has them, fixed steps and tolerances, dense and
//! sparse; rows that an event turns off.

use std::f64::consts::PI;

use crate::model_util::*;
use nalgebra::Vector3;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Tolerance};
use precess::mechanics::RowKind;
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::{Built, build};
use precess::study::{AdaptiveRun, Run, larger};

const FORMULATIONS: [Formulation; 4] =
    [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters, Formulation::TaitBryan];
const FORMS: [Form; 4] = [Form::Index3, Form::StabilizedIndex2, Form::Index2, Form::Index1];

/// Acceleration down the slope, spin, mass of the blade.
const SLOPE: f64 = 3.0;
const SPIN: f64 = 2.0;
const MASS: f64 = 1.5;

fn blade() -> String {
    format!(
        r#"
        [model]
        gravity = [{SLOPE}, 0, -9]
        [[body]]
        name = "blade"
        mass = {MASS}
        inertia = [0.2, 0.3, 0.25]
        angular_velocity = [0, 0, {SPIN}]
        [[joint]]
        name = "ice"
        type = "planar"
        bodies = ["ground", "blade"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        [[joint]]
        name = "edge"
        type = "knife-edge"
        bodies = ["ground", "blade"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        "#
    )
}

/// Place and velocity of the blade: its heading turns with the spin, the speed along it follows the slope. A
/// cycloid.
fn cycloid(t: f64) -> (Vector3<f64>, Vector3<f64>) {
    let (w, phi) = (SPIN, SPIN * t);
    let x = SLOPE / (4.0 * w * w) * (1.0 - (2.0 * phi).cos());
    let y = SLOPE / (2.0 * w) * (t - (2.0 * phi).sin() / (2.0 * w));
    let u = SLOPE / w * phi.sin();
    (Vector3::new(x, y, 0.0), Vector3::new(u * phi.cos(), u * phi.sin(), 0.0))
}

fn run(
    built: &Built,
    (name, options): (&str, &MethodOptions),
    h: f64,
    t_end: f64,
) -> precess::mechanics::State {
    let system = built.system.as_ref();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut integrator = method(name, options).unwrap();
    Run::new(h, t_end)
        .run(system, &mut *integrator, &mut state, &mut ())
        .unwrap_or_else(|e| panic!("{}", e.error));
    state
}

/// Largest error of place, velocity and the force of the edge across the blade.
fn blade_error(built: &Built, state: &precess::mechanics::State) -> [f64; 3] {
    let system = built.system.as_ref();
    let (x, v) = cycloid(state.t);
    let body = &system.bodies(&state.at())[0];
    let force = system.reactions(&state.at())[1].force;
    let phi = SPIN * state.t;
    let across = Vector3::new(-phi.sin(), phi.cos(), 0.0);
    let wanted = across * (2.0 * MASS * SLOPE * phi.sin());
    [(body.position - x).norm(), (body.velocity - v).norm(), (force - wanted).norm()]
}

#[test]
fn a_knife_edge_on_a_slope_runs_along_a_cycloid() {
    let loaded = load_text(&blade());
    for formulation in FORMULATIONS {
        let built = build(&loaded.model, formulation).unwrap();
        for form in FORMS {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let [coarse, fine] =
                [0.02, 0.01].map(|h| blade_error(&built, &run(&built, ("gen-alpha", &options), h, 3.0)));
            println!("{formulation:?} {form:?}: {coarse:?} {fine:?}");
            for i in 0..3 {
                let order = (coarse[i] / fine[i]).log2();
                assert!(fine[i] < [1e-3, 2e-3, 2e-2][i], "{formulation:?} {form:?} {i}: {fine:?}");
                assert!((1.8..3.1).contains(&order), "{formulation:?} {form:?} {i}: order {order}");
            }
        }
    }
}

/// Where a form enforces the row, it holds to the tolerance of Newton's method, whatever the step.
#[test]
fn velocities_obey_the_row_in_every_step() {
    let loaded = load_text(&blade());
    for formulation in FORMULATIONS {
        for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
            let mut start = start(&loaded, formulation);
            let mut worst = 0.0;
            let options = MethodOptions { form, ..MethodOptions::default() };
            let m = start.state.lambda.len();
            let rows = start.system.velocity_rows().to_vec();
            assert_eq!(rows, [3], "{formulation:?}");
            start.run(&options, 0.05, 2.0, |system, sample| {
                let mut rates = vec![0.0; m];
                system.velocity_constraint(&sample.state.at(), &mut rates);
                worst = larger(worst, rates[3].abs());
            });
            assert!(worst < 1e-9, "{formulation:?} {form:?}: {worst}");
        }
    }
}

#[test]
fn multistep_methods_and_tolerances_follow_the_cycloid() {
    let loaded = load_text(&blade());
    for formulation in FORMULATIONS {
        let built = build(&loaded.model, formulation).unwrap();
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let options = MethodOptions { form, k: 3, ..MethodOptions::default() };
            let [coarse, fine] =
                [0.02, 0.01].map(|h| blade_error(&built, &run(&built, ("bliedf", &options), h, 3.0)));
            println!("{formulation:?} bliedf {form:?}: {coarse:?} {fine:?}");
            for i in 0..2 {
                let order = (coarse[i] / fine[i]).log2();
                assert!(
                    fine[i] < 1e-4 && order > 2.7,
                    "{formulation:?} {form:?} {i}: {fine:?}, order {order}"
                );
            }
        }
        for name in ["auto", "bliedf", "gen-alpha"] {
            let tol = Tolerance::new(1e-6);
            let options = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
            let mut integrator = adaptive_method(name, &options, tol).unwrap();
            let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
            AdaptiveRun::new(tol, 3.0).run(&*built.system, &mut *integrator, &mut state, &mut ()).unwrap();
            let error = blade_error(&built, &state);
            println!("{formulation:?} {name}: {error:?}");
            assert!(
                error[0] < 1e-4 && error[1] < 1e-4 && error[2] < 1e-3,
                "{formulation:?} {name}: {error:?}"
            );
        }
    }
}

/// A homogeneous ball rolls down with 5/7 of the acceleration along the slope. Friction is 2/7 of the weight
/// along the slope.
#[test]
fn a_ball_rolls_down_a_slope() {
    let text = r#"
        [model]
        gravity = [3, 0, -9]
        [[body]]
        name = "ball"
        mass = 2
        inertia = [0.072, 0.072, 0.072]
        position = [0, 0, 0.3]
        [[joint]]
        name = "floor"
        type = "rolling"
        bodies = ["ground", "ball"]
        point = [0, 0, 0]
        point2 = [0, 0, 0.3]
        axis = [0, 0, 1]
    "#;
    let loaded = load_text(text);
    for formulation in FORMULATIONS {
        let built = build(&loaded.model, formulation).unwrap();
        let system = built.system.as_ref();
        for form in FORMS {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let a = 5.0 / 7.0 * 3.0;
            // Errors of place, velocity and force. Tait-Bryan angles of a ball that rolls far enough would
            // lock.
            let errors = [0.01, 0.005].map(|h| {
                let state = run(&built, ("gen-alpha", &options), h, 0.5);
                let ball = &system.bodies(&state.at())[0];
                let force = system.reactions(&state.at())[0].force;
                [
                    (ball.position - Vector3::new(a * 0.125, 0.0, 0.3)).norm(),
                    (ball.velocity - Vector3::new(a * 0.5, 0.0, 0.0)).norm(),
                    (force - Vector3::new(-2.0 / 7.0 * 6.0, 0.0, 18.0)).norm(),
                ]
            });
            println!("{formulation:?} {form:?}: {errors:?}");
            for (i, (coarse, fine)) in errors[0].into_iter().zip(errors[1]).enumerate() {
                // Constant accelerations are exact on R^3xSO(3), where nothing couples them to the rotation.
                // Elsewhere the order is 2.
                let exact = coarse < [1e-10, 1e-10, 1e-8][i];
                let second = coarse < [5e-4, 1e-3, 5e-2][i] && (fine < 1e-8 || (coarse / fine).log2() > 1.8);
                let good = exact || (second && formulation != Formulation::R3SO3);
                assert!(good, "{formulation:?} {form:?}: {errors:?}");
            }
        }
    }
}

/// On a turntable with the rate W a homogeneous ball runs in circles with 2/7 W, wherever it starts.
#[test]
fn a_ball_on_a_turntable_runs_in_circles() {
    let rate = 7.0;
    let text = format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "table"
        mass = 10
        inertia = [1, 1, 2]
        angular_velocity = [0, 0, {rate}]
        [[body]]
        name = "ball"
        mass = 2
        inertia = [0.008, 0.008, 0.008]
        position = [0.5, 0.2, 0.1]
        velocity = [0.4, -0.3, 0]
        angular_velocity = [{wx}, {wy}, 0]
        [[joint]]
        name = "axis"
        type = "revolute"
        bodies = ["ground", "table"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        drive = "{rate}*t"
        [[joint]]
        name = "contact"
        type = "rolling"
        bodies = ["table", "ball"]
        point = [0, 0, 0]
        point2 = [0.5, 0.2, 0.1]
        axis = [0, 0, 1]
        "#,
        // The contact moves with the table: v + w x (0, 0, -0.1) = W x r.
        wx = (rate * 0.5 + 0.3) / 0.1,
        wy = (0.4 + rate * 0.2) / 0.1,
    );
    let loaded = load_text(&text);
    let turn = 2.0 / 7.0 * rate;
    let (r, v) = (Vector3::new(0.5, 0.2, 0.1), Vector3::new(0.4, -0.3, 0.0));
    // Centre of the circle: v = turn z x (r - c).
    let c = Vector3::new(r.x - v.y / turn, r.y + v.x / turn, 0.1);
    for formulation in [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters] {
        let built = build(&loaded.model, formulation).unwrap();
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let errors = [1e-3, 5e-4].map(|h| {
                let state = run(&built, ("gen-alpha", &options), h, 2.0);
                let (sin, cos) = (turn * state.t).sin_cos();
                let d = r - c;
                let wanted = c + Vector3::new(cos * d.x - sin * d.y, sin * d.x + cos * d.y, 0.0);
                (built.system.bodies(&state.at())[1].position - wanted).norm()
            });
            println!("{formulation:?} {form:?}: {errors:?}");
            let order = (errors[0] / errors[1]).log2();
            assert!(errors[1] < 2e-4 && order > 1.8, "{formulation:?} {form:?}: {errors:?}");
        }
    }
}

/// A thin wheel that leans by a constant angle: with R the radius, A and C the moments across and along its
/// axis, theta the angle of the axis to the vertical and W the rate about it, moments about the centre
/// balance for the spin w_3 = cos(theta) (A W^2 sin(theta) - m g R) / ((C + m R^2) W sin(theta)).
#[test]
fn a_leaning_wheel_runs_in_a_circle() {
    let (m, g, radius, a, c) = (2.0_f64, 9.81_f64, 0.3_f64, 0.05_f64, 0.09_f64);
    let (theta, rate) = (1.2_f64, -1.5_f64);
    let (sin, cos) = theta.sin_cos();
    let spin = cos * (a * rate * rate * sin - m * g * radius) / ((c + m * radius * radius) * rate * sin);
    let text = format!(
        r#"
        [model]
        gravity = [0, 0, {gravity}]
        [[body]]
        name = "wheel"
        mass = {m}
        inertia = [{a}, {a}, {c}]
        position = [0, {y}, {z}]
        rotation = {{ axis = [1, 0, 0], angle = {theta} }}
        velocity = [{v}, 0, 0]
        angular_velocity = [0, {w2}, {spin}]
        [[joint]]
        name = "road"
        type = "rolling"
        bodies = ["ground", "wheel"]
        point = [0, 0, 0]
        axis = [0, 0, 1]
        point2 = [0, {y}, {z}]
        axis2 = [0, {a2}, {a3}]
        "#,
        gravity = -g,
        y = radius * cos,
        z = radius * sin,
        v = -radius * spin,
        w2 = rate * sin,
        a2 = -sin,
        a3 = cos,
    );
    let loaded = load_text(&text);
    for formulation in [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters] {
        let built = build(&loaded.model, formulation).unwrap();
        let system = built.system.as_ref();
        for form in FORMS {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let t_end = 1.0;
            let errors = [4e-3, 2e-3].map(|h| {
                let state = run(&built, ("gen-alpha", &options), h, t_end);
                let body = &system.bodies(&state.at())[0];
                // The centre circles with the rate about the vertical, on a radius R w_3 / W.
                let start = Vector3::new(0.0, radius * cos, radius * sin);
                let d = Vector3::new(0.0, radius * spin / rate, 0.0);
                let turned = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), rate * t_end) * d;
                (body.position - (start + turned - d)).norm()
            });
            println!("{formulation:?} {form:?}: {errors:?}");
            let order = (errors[0] / errors[1]).log2();
            assert!(errors[1] < 1e-3 && order > 1.8, "{formulation:?} {form:?}: {errors:?}");
        }
    }
}

/// An event lifts the blade: its row is off, its multiplier zero, and the body flies on along a parabola.
#[test]
fn an_event_turns_a_row_of_velocity_off() {
    let t_e = PI / 4.0 / SPIN * 1.3;
    let text = format!(
        "{}[[sensor]]\nname = \"angle\"\ntype = \"coordinate\"\njoint = \"ice\"\n[[event]]\nname = \"lift\"\n\
         when = \"angle > {}\"\naction = \"switch\"\ndisable = [\"edge\"]\n",
        blade(),
        SPIN * t_e
    );
    let loaded = load_text(&text);
    let (x, v) = cycloid(t_e);
    for formulation in [Formulation::R3SO3, Formulation::SE3, Formulation::EulerParameters] {
        let built = build(&loaded.model, formulation).unwrap();
        let system = built.system.as_ref();
        let begin = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let kind = |row, memory: &[f64]| system.row_kind(row, memory);
        assert_eq!(kind(0, &begin.memory), RowKind::Position);
        assert_eq!(kind(3, &begin.memory), RowKind::Velocity);
        for form in FORMS {
            let options = MethodOptions { form, ..MethodOptions::default() };
            let errors = [0.01, 0.005].map(|h| {
                let state = run(&built, ("gen-alpha", &options), h, 1.5);
                assert_eq!(kind(3, &state.memory), RowKind::Off, "{formulation:?} {form:?}");
                assert!(state.lambda[3].abs() < 1e-9, "{formulation:?} {form:?}: {:?}", state.lambda);
                let dt = state.t - t_e;
                let wanted = x + v * dt + Vector3::new(0.5 * SLOPE * dt * dt, 0.0, 0.0);
                (system.bodies(&state.at())[0].position - wanted).norm()
            });
            println!("{formulation:?} {form:?}: {errors:?}");
            let order = (errors[0] / errors[1]).log2();
            assert!(errors[1] < 2e-4 && order > 1.6, "{formulation:?} {form:?}: {errors:?}");
        }
    }
}

/// Twenty balls in a row, tied by springs: the sparse matrix gives what the dense one does.
#[test]
fn sparse_and_dense_matrices_agree() {
    let n = 20;
    let mut text = "[model]\ngravity = [1, 0, -9]\n".to_string();
    for i in 0..n {
        let y = 0.5 * f64::from(i);
        text += &format!(
            "[[body]]\nname = \"b{i}\"\nmass = {}\ninertia = [0.02, 0.02, 0.02]\nposition = [0, {y}, 0.2]\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"rolling\"\nbodies = [\"ground\", \"b{i}\"]\npoint = [0, \
             0, 0]\n\
             point2 = [0, {y}, 0.2]\naxis = [0, 0, 1]\n",
            1.0 + 0.1 * f64::from(i)
        );
        if i > 0 {
            text += &format!(
                "[[joint]]\nname = \"rod{i}\"\ntype = \"rigid-distance\"\nbodies = [\"b{}\", \"b{i}\"]\n\
                 point = [0, {}, 0.25]\npoint2 = [0, {y}, 0.21]\n",
                i - 1,
                y - 0.5
            );
        }
    }
    let loaded = load_text(&text);
    let built = build(&loaded.model, Formulation::R3SO3).unwrap();
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let ends = [precess::solve::Solver::Auto, precess::solve::Solver::Dense].map(|solver| {
            let mut options = MethodOptions { form, ..MethodOptions::default() };
            options.newton.solver = solver;
            let state = run(&built, ("gen-alpha", &options), 0.01, 0.5);
            (state.q, state.lambda)
        });
        assert!(distance(&ends[0].0, &ends[1].0) < 1e-9, "{form:?}");
        let size = ends[0].1.iter().map(|x| x.abs()).fold(1.0, larger);
        assert!(distance(&ends[0].1, &ends[1].1) < 1e-6 * size, "{form:?}");
    }
}

/// A formulation without such rows refuses them and names the joint, and a wheel that lies flat is refused.
#[test]
fn refusals_name_the_joint() {
    let loaded = load_text(&blade());
    let refused = match build(&loaded.model, Formulation::Directors) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("directors have no rows of velocity"),
    };
    assert!(refused.contains("'edge' constrains velocities"), "{refused}");
    let flat =
        blade().replace("type = \"knife-edge\"", "type = \"rolling\"\npoint2 = [0, 0, 1]\naxis2 = [0, 1, 0]");
    let flat = precess::model::load("test.toml", &flat, &[]).unwrap_err().to_string();
    assert!(flat.contains("above its plane") || flat.contains("lies flat"), "{flat}");
}
