//! Large models are evaluated in parts, and very large ones in two halves. Neither changes the results.

use crate::model_util::hidden::whole;
use nalgebra::{UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Integrator};
use precess::mechanics::{At, Equations, State, System};
use precess::methods::MethodOptions;
use precess::model::forces::{Friction, FrictionSpec};
use precess::model::{BodySpec, Built, ForceSpec, JointSpec, Model, build};
use precess::study::larger;

/// Rods of length and mass 1 in some arms, hung at the origin and coiled up, with a few springs between rods,
/// and friction in every 90th joint if they are revolute. Rods of an arm follow each other, or are `mixed`.
fn arms(arms: usize, n: usize, revolute: bool, mixed: bool) -> Model {
    let mut model = Model::new("arms").gravity([0.0, 0.0, -9.81]);
    let number = |arm: usize, i: usize| if mixed { arms * i + arm } else { arm * (n / arms) + i };
    let name = |arm: usize, i: usize| format!("r{}", number(arm, i));
    let mut bodies = vec![None; n];
    for arm in 0..arms {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 2.0 * arm as f64);
        let mut x = Vector3::zeros();
        for i in 0..n / arms {
            let rotation = turn * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.1 * i as f64);
            let half = rotation * Vector3::x() * 0.5;
            let before = if i == 0 { "ground".into() } else { name(arm, i - 1) };
            let (ends, axis) = ([before.as_str(), &name(arm, i)], turn * Vector3::y());
            let body = BodySpec::rigid(ends[1], 1.0, [1e-2, 1.0 / 12.0, 0.11])
                .at((x + half).into())
                .rotated(rotation)
                .moving([0.0; 3], [0.0; 3]);
            let joint_name = format!("j{}", number(arm, i));
            let joint = match revolute {
                true => JointSpec::revolute(&joint_name, ends, x.into(), axis.into()),
                false => JointSpec::spherical(&joint_name, ends, x.into()),
            };
            bodies[number(arm, i)] = Some((body, joint));
            x += 2.0 * half;
        }
    }
    let place = |body: &BodySpec| body.position.into();
    for (body, joint) in bodies.iter().flatten() {
        model = model.body(body.clone()).joint(joint.clone());
    }
    for i in (0..n - 6).step_by(50) {
        if let (Some((a, _)), Some((b, _))) = (&bodies[i], &bodies[i + 6]) {
            let points: [[f64; 3]; 2] = [place(a), place(b)];
            model =
                model.force(ForceSpec::spring(&format!("s{i}"), [&a.name, &b.name], points, 9.0, 0.3, 1.0));
        }
    }
    if revolute {
        let data = FrictionSpec {
            viscous: 0.1,
            coefficient: 0.2,
            radius: 0.05,
            bearing_length: 0.2,
            speed: 0.1,
            constant: 0.0,
        };
        for i in (0..n - 3).step_by(90) {
            let kind = Friction { at: format!("j{i}").as_str().into(), data };
            model = model.force(ForceSpec::new(&format!("f{i}"), kind));
        }
    }
    model
}

fn difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |m, (x, y)| larger(m, (x - y).abs()))
}

/// Three steps, and Newton iterations.
fn steps(system: &dyn System, built: &Built) -> (State, usize) {
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let options = MethodOptions { form: Form::Index3, ..MethodOptions::default() };
    let mut method = options.generalized_alpha().unwrap();
    method.start(system, &mut state, 1e-3).unwrap();
    let iterations = (0..3).map(|_| method.step(system, &mut state, 1e-3).unwrap().iterations).sum();
    (state, iterations)
}

#[test]
fn parts_and_halves_change_nothing() {
    let cases = [
        (3, 99, false, false),
        (3, 99, true, true),
        (1, 10_200, false, false),
        (2, 10_200, false, true),
        (40, 10_200, true, false),
        (40, 10_200, true, true),
    ];
    for (n_arms, n, revolute, mixed) in cases {
        let built = build(&arms(n_arms, n, revolute, mixed), Formulation::R3SO3).unwrap();
        let ((a, a_iterations), (b, b_iterations)) =
            (steps(&*built.system, &built), steps(&whole(&*built.system), &built));
        assert_eq!(a_iterations, b_iterations, "{n} bodies");
        let size = b.lambda.iter().fold(1.0_f64, |m, x| larger(m, x.abs()));
        let errors =
            [difference(&a.q, &b.q), difference(&a.v, &b.v), difference(&a.lambda, &b.lambda) / size];
        assert!(errors[0] < 1e-12 && errors[1] < 1e-9 && errors[2] < 1e-9, "{n} bodies: {errors:?}");
    }
}

/// The equations of a very large system are those of its elements in another order, which has no halves.
#[test]
fn halves_have_the_same_equations() {
    let model = arms(40, 10_200, true, false);
    let mut other = model.clone();
    other.joints.reverse();
    let [built, other] = [model, other].map(|m| build(&m, Formulation::R3SO3).unwrap());
    let (k, m) = (built.system.group().dim(), built.system.n_lambda());
    let wave = |n: usize, by: f64| (0..n).map(|i| (by * i as f64).sin()).collect::<Vec<f64>>();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    (state.v, state.vdot, state.lambda) = (wave(k, 0.3), wave(k, 0.7), wave(m, 1.1));
    let evaluate = |system: &dyn System, lambda: &[f64]| {
        let (mut r, mut phi, mut velocity) = (vec![f64::NAN; k], vec![f64::NAN; m], vec![f64::NAN; m]);
        let out = Equations { r: Some(&mut r), phi: Some(&mut phi), velocity: Some(&mut velocity) };
        system.equations(&At { lambda, ..state.at() }, out);
        (r, phi, velocity)
    };
    // Five rows of each joint, the joints from the last to the first.
    let turned = |x: &[f64]| x.chunks(5).rev().flatten().copied().collect::<Vec<f64>>();
    let (r, phi, velocity) = evaluate(&*built.system, &state.lambda);
    let (other_r, other_phi, other_velocity) = evaluate(&*other.system, &turned(&state.lambda));
    let size = r.iter().fold(1.0_f64, |m, x| larger(m, x.abs()));
    assert!(difference(&r, &other_r) < 1e-13 * size, "{}", difference(&r, &other_r) / size);
    assert_eq!(phi, turned(&other_phi));
    assert_eq!(velocity, turned(&other_velocity));
}

/// The number of threads changes no bit of a motion.
#[test]
#[cfg(feature = "parallel")]
fn threads_change_nothing() {
    let built = build(&arms(1, 10_200, true, false), Formulation::R3SO3).unwrap();
    let with = |threads: usize| {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| steps(&*built.system, &built))
    };
    assert_eq!(with(1), with(2));
}
