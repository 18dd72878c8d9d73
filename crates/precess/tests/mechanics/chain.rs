//! Chains of rods with spherical joints: reference positions, sparse against dense matrices, linear cost.

use crate::model_util::hidden::dense;
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Integrator};
use precess::lie::Largest;
use precess::mechanics::System;
use precess::methods::MethodOptions;
use precess::model::{BodySpec, Built, JointSpec, Model, build};
use precess::study::Run;
use precess::study::larger;

/// N rods of length 1 and mass 1 along x, hung at the origin, at rest.
fn chain(n: usize, revolute: bool) -> Model {
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize| if i == 0 { "ground".to_string() } else { format!("rod{i}") };
    for i in 0..n {
        let x = i as f64;
        model = model
            .body(BodySpec::rigid(&name(i + 1), 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]).at([x + 0.5, 0.0, 0.0]))
            .joint(if revolute {
                JointSpec::revolute(
                    &format!("j{i}"),
                    [&name(i), &name(i + 1)],
                    [x, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                )
            } else {
                JointSpec::spherical(&format!("j{i}"), [&name(i), &name(i + 1)], [x, 0.0, 0.0])
            });
    }
    model
}

/// Tip of the last rod after integrating to `t`.
fn tip(system: &dyn System, built: &Built, form: Form, h: f64, t: f64) -> [f64; 3] {
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = MethodOptions { form, ..Default::default() }.generalized_alpha().unwrap();
    let summary = Run::new(h, t).run(system, &mut method, &mut state, &mut ()).unwrap();
    if form != Form::Index2 {
        assert!(summary.position_max < 1e-11, "{}", summary.position_max);
    }
    assert!(summary.iterations as f64 <= 3.0 * summary.steps as f64);
    let q = &state.q[state.q.len() - 7..];
    let r = precess::lie::rotation::rotate(q, &nalgebra::Vector3::new(0.5, 0.0, 0.0));
    [q[4] + r.x, q[5] + r.y, q[6] + r.z]
}

#[test]
fn ten_rods_reach_the_reference() {
    // Independent high-precision values.
    let reference = [7.5272290155604, 0.0, -4.9062623197150];
    for (formulation, revolute) in
        [(Formulation::R3SO3, false), (Formulation::SE3, false), (Formulation::R3SO3, true)]
    {
        let built = build(&chain(10, revolute), formulation).unwrap();
        let error = |h: f64| {
            let x = tip(&*built.system, &built, Form::StabilizedIndex2, h, 1.0);
            (0..3).map(|i| (x[i] - reference[i]).abs()).fold(0.0, larger)
        };
        let (coarse, fine) = (error(2e-3), error(1e-3));
        let order = (coarse / fine).log2();
        assert!((1.9..2.1).contains(&order), "{formulation:?} order {order}");
        let finest = error(1e-4);
        assert!(finest < 1e-6, "{formulation:?} {finest:e}");
    }
}

#[test]
fn sparse_and_dense_matrices_give_the_same_motion() {
    for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
        for revolute in [false, true] {
            let built = build(&chain(12, revolute), Formulation::R3SO3).unwrap();
            let sparse = tip(&*built.system, &built, form, 1e-3, 0.2);
            let dense = tip(&dense(&*built.system), &built, form, 1e-3, 0.2);
            for i in 0..3 {
                assert!((sparse[i] - dense[i]).abs() < 1e-11, "{form:?} {sparse:?} {dense:?}");
            }
        }
    }
}

#[test]
fn a_thousand_rods_run() {
    let built = build(&chain(1000, false), Formulation::R3SO3).unwrap();
    let x = tip(&*built.system, &built, Form::StabilizedIndex2, 1e-3, 0.02);
    // The far end falls freely until the wave of the support arrives.
    assert!((x[2] + 0.5 * 9.81 * 0.02 * 0.02).abs() < 1e-6, "{x:?}");
    assert!((x[0] - 1000.0).abs() < 1e-4);
}

#[test]
fn reactions_of_a_hanging_chain_are_the_weight_below() {
    let n = 20;
    let mut model = Model::new("hanging").gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let z = -(i as f64);
        model = model
            .body(BodySpec::rigid(&b, 2.0, [0.1, 0.1, 0.01]).at([0.0, 0.0, z - 0.5]))
            .joint(JointSpec::spherical(&format!("j{i}"), [&a, &b], [0.0, 0.0, z]));
    }
    for formulation in [Formulation::R3SO3, Formulation::SE3] {
        let built = build(&model, formulation).unwrap();
        let system = &*built.system;
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
        let mut method = MethodOptions::default().generalized_alpha().unwrap();
        method.start(system, &mut state, 1e-3).unwrap();
        for _ in 0..10 {
            method.step(system, &mut state, 1e-3).unwrap();
        }
        for (i, r) in system.reactions(&state.at()).iter().enumerate() {
            let weight = 2.0 * 9.81 * (n - i) as f64;
            assert!((r.force.z - weight).abs() < 1e-8 * weight, "{formulation:?} {i} {}", r.force.z);
            assert!(r.force.x.abs() + r.force.y.abs() + r.torque.largest() < 1e-8 * weight);
        }
    }
}
