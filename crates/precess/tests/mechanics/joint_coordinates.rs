//! Joint coordinates: the same motion, forces and sensors as in absolute coordinates, exact derivatives, and explicit
//! methods of their orders.

use nalgebra::{UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::explicit::{DOP853, DOPRI5, RKMK4, Tableau};
use precess::integrate::{Explicit, Form, InitialValues, Tolerance};
use precess::lie::Largest;
use precess::mechanics::State;
use precess::mechanics::mechanism::{BodyState, Mechanism};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::{BodySpec, Built, JointSpec, Loaded, Model, build};
use precess::study::{Run, larger};

use crate::model_util::{extrapolated, load_model};

/// Every model that lies directly in the folder of models.
fn models() -> Vec<String> {
    let folder = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let names = std::fs::read_dir(folder).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".toml").map(str::to_string)
    });
    let mut list: Vec<String> = names.collect();
    list.sort();
    assert!(list.len() > 30, "{list:?}");
    list
}

fn consistent(loaded: &Loaded, formulation: Formulation) -> Option<(Box<dyn Mechanism>, State)> {
    let Built { system, q, v } = build(&loaded.model, formulation).unwrap();
    match InitialValues::new(&q, &v).consistent(&*system) {
        Ok(state) => Some((system, state)),
        Err(error) => {
            println!("{formulation:?}: {error}");
            None
        }
    }
}

fn apart(a: &[BodyState], b: &[BodyState]) -> f64 {
    let mut largest = 0.0;
    for (a, b) in a.iter().zip(b) {
        let dot: f64 = a.rotation.iter().zip(&b.rotation).map(|(x, y)| x * y).sum();
        let turned = a.rotation.iter().zip(&b.rotation).map(|(x, y)| (x - dot.signum() * y).abs());
        let moved =
            [a.position - b.position, a.velocity - b.velocity, a.angular_velocity - b.angular_velocity];
        largest = moved.iter().map(Largest::largest).chain(turned).fold(largest, larger);
    }
    largest
}

fn close(what: &str, a: f64, b: f64, scale: f64) {
    assert!((a - b).abs() <= 1e-8 * scale, "{what}: {a} and {b}");
}

/// At the start: bodies, energy, power, the forces of all joints, and all sensors (accelerations among them).
#[test]
fn forces_and_accelerations_are_those_of_absolute_coordinates() {
    let mut trees = 0;
    for name in models() {
        let loaded = load_model(&name, &[]);
        let Some((absolute, first)) = consistent(&loaded, Formulation::R3SO3) else { continue };
        let Some((joint, second)) = consistent(&loaded, Formulation::Joint) else {
            panic!("{name}: no consistent start in joint coordinates");
        };
        assert!(joint.n_lambda() <= absolute.n_lambda(), "{name}");
        trees += usize::from(joint.n_lambda() == 0);
        let (a, b) = (absolute.bodies(&first.at()), joint.bodies(&second.at()));
        assert!(apart(&a, &b) < 1e-9, "{name}: {:e}", apart(&a, &b));
        let (a, b) = (absolute.energy(&first.at()), joint.energy(&second.at()));
        if let (Some(a), Some(b)) = (a, b) {
            let scale = 1.0 + a.kinetic.abs() + a.potential.abs();
            close(&format!("{name}: energy"), a.total(), b.total(), scale);
        }
        let (a, b) = (absolute.reactions(&first.at()), joint.reactions(&second.at()));
        assert_eq!(a.len(), b.len(), "{name}");
        let scale = a.iter().map(|r| r.force.norm() + r.torque.norm()).fold(1e-3, f64::max);
        for (a, b) in a.iter().zip(&b).filter(|(a, _)| a.unique) {
            assert_eq!(a.name, b.name);
            let error = (a.force - b.force).norm() + (a.torque - b.torque).norm();
            assert!(error <= 1e-7 * scale, "{name}, joint {}: {a:?} and {b:?}", a.name);
        }
        for ((sensor, a), (_, b)) in absolute.sensors(&first.at()).iter().zip(&joint.sensors(&second.at())) {
            let scale = a.iter().fold(1.0, |m: f64, x| m.max(x.abs())).max(scale);
            a.iter().zip(b).for_each(|(a, b)| close(&format!("{name}: sensor {sensor}"), *a, *b, scale));
        }
    }
    assert!(trees >= 8, "{trees} trees");
}

/// M, D, K, B, Y and the hidden constraints, off the solution.
#[test]
fn derivatives_are_exact() {
    for name in [
        "heavy_top",
        "slider_crank",
        "gimbal_gyroscope",
        "joint_planar",
        "joint_generic",
        "joint_universal",
        "joint_point_on_line",
        "joint_gear",
        "joint_rigid_distance",
        "four_particles",
    ] {
        let loaded = load_model(name, &[]);
        let (system, mut state) = consistent(&loaded, Formulation::Joint).unwrap();
        // Away from the start and from the solution.
        let wave =
            |n: usize, size: f64| (0..n).map(|i| size * (1.3 * i as f64 + 0.4).sin()).collect::<Vec<_>>();
        let step = wave(state.v.len(), 0.2);
        let start = state.q.clone();
        system.group().retract(&start, &step, &mut state.q);
        state.v = wave(state.v.len(), 0.7);
        state.vdot = wave(state.v.len(), 1.1);
        state.lambda = wave(state.lambda.len(), 2.0);
        state.t = 0.3;
        state.remember(&*system);
        extrapolated::check(&format!("{name} in joint coordinates"), &*system, &state);
    }
}

/// A chain of rods with spherical joints in space.
fn chain(n: usize) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let (name, before) =
            (format!("rod{i}"), if i == 0 { "ground".to_string() } else { format!("rod{}", i - 1) });
        let rod = BodySpec::rigid(&name, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]).at([i as f64 + 0.5, 0.0, 0.0]);
        let joint = JointSpec::spherical(&format!("j{i}"), [&before, &name], [i as f64, 0.0, 0.0]);
        model = model.body(rod).joint(joint);
    }
    model
}

/// The end of the chain of ten rods after a second, from another program with other recursions and steps; it starts with
/// the relative velocities 0.5 sin(1 + i).
#[test]
fn a_chain_in_space_ends_where_another_program_says() {
    let Built { system, q, .. } = build(&chain(10), Formulation::Joint).unwrap();
    let v: Vec<f64> = (0..30).map(|i| 0.5 * (1.0 + i as f64).sin()).collect();
    let options = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
    for name in ["dop853", "dopri5", "auto"] {
        let mut state = InitialValues::new(&q, &v).consistent(&*system).unwrap();
        let mut method = adaptive_method(name, &options, Tolerance::new(1e-9)).unwrap();
        method.start(&*system, &mut state, 1.0).unwrap();
        while state.t < 1.0 {
            method.advance(&*system, &mut state, precess::integrate::Horizon::until(1.0)).unwrap();
        }
        let expected = Vector3::new(5.832222867411967, 0.15484326689586453, -6.705263838291314);
        let error = (system.bodies(&state.at())[9].position - expected).norm();
        assert!(error < 3e-8, "{name}: {error:e}");
    }
}

/// Two spherical joints and a free body, so that all charts take part.
fn tumbling() -> Model {
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.2, 0.7));
    chain(2)
        .body(
            BodySpec::rigid("free", 0.8, [0.2, 0.35, 0.45])
                .at([0.0, 3.0, 0.0])
                .rotated(turned)
                .moving([0.3, -0.2, 0.9], [2.0, -1.0, 3.0]),
        )
        .body(BodySpec::point("ball", 0.3).at([0.0, -2.0, 0.0]).moving([1.0, 0.0, 2.0], [0.0; 3]))
}

#[test]
fn explicit_methods_have_their_orders() {
    let Built { system, q, v } = build(&tumbling(), Formulation::Joint).unwrap();
    let mut v = v;
    (0..6).for_each(|i| v[i] = 1.5 * (1.0 + i as f64).sin());
    let end = |table: &'static Tableau, h: f64| {
        let mut state = InitialValues::new(&q, &v).consistent(&*system).unwrap();
        Run::new(h, 0.5).run(&*system, &mut Explicit::new(table), &mut state, &mut ()).unwrap();
        system.bodies(&state.at())
    };
    let exact = end(&DOP853, 1.0 / 512.0);
    for (table, h) in [(&RKMK4, 1.0 / 64.0), (&DOPRI5, 1.0 / 64.0), (&DOP853, 1.0 / 16.0)] {
        let errors = [h, 0.5 * h].map(|h| apart(&end(table, h), &exact));
        let order = (errors[0] / errors[1]).log2();
        let expected = table.order as f64;
        assert!(
            (-0.4..1.2).contains(&(order - expected)),
            "{}: order {order}, errors {errors:?}",
            table.name
        );
    }
}

/// Loops: generalized-alpha with the rows of the cut joints only.
#[test]
fn loops_move_as_in_absolute_coordinates() {
    for name in ["slider_crank", "four_bar", "squeezer"] {
        let loaded = load_model(name, &[]);
        let end = |formulation: Formulation, h: f64| {
            let (system, mut state) = consistent(&loaded, formulation).unwrap();
            let mut integrator = method("gen-alpha", &loaded.settings.options).unwrap();
            Run::new(h, 0.02).run(&*system, &mut *integrator, &mut state, &mut ()).unwrap();
            system.bodies(&state.at())
        };
        let reference = end(Formulation::R3SO3, 1.25e-5);
        let errors = [2e-4, 1e-4].map(|h| apart(&end(Formulation::Joint, h), &reference));
        let scale =
            reference.iter().map(|b| b.velocity.norm() + b.angular_velocity.norm()).fold(1.0, f64::max);
        let order = (errors[0] / errors[1]).log2();
        assert!(errors[1] < 1e-2 * scale, "{name}: {errors:?}, speeds {scale}");
        assert!(order > 1.8 || errors[1] < 1e-8 * scale, "{name}: order {order}, {errors:?}");
    }
}

#[test]
fn explicit_methods_refuse_loops_and_name_the_remedy() {
    let loaded = load_model("four_bar", &[]);
    let (system, mut state) = consistent(&loaded, Formulation::Joint).unwrap();
    let mut method = method("dop853", &MethodOptions::default()).unwrap();
    let error = method.start(&*system, &mut state, 1e-3).unwrap_err().to_string();
    assert!(error.contains("constraints") && error.contains("gen-alpha"), "{error}");
}

#[test]
fn velocities_that_do_not_fit_are_named() {
    let model = Model::new("door")
        .body(
            BodySpec::rigid("leaf", 1.0, [0.1, 0.1, 0.1])
                .at([0.5, 0.0, 0.0])
                .moving([1.0, 0.0, 0.0], [0.0; 3]),
        )
        .joint(JointSpec::spherical("hinge", ["ground", "leaf"], [0.0; 3]));
    let Err(error) = build(&model, Formulation::Joint) else { panic!("a leaf that moves off its hinge") };
    assert!(error.to_string().contains("hinge"), "{error}");
}
