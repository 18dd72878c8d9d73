//! Large models are evaluated in parts, by two threads.

use precess::formulation::Formulation;
use precess::mechanics::tangents::Tangents;
use precess::mechanics::{At, Want};
use precess::model::forces::{Friction, FrictionSpec};
use precess::model::{BodySpec, ForceSpec, JointSpec, Model, build};

/// Rods in a chain with friction in all joints.
fn chain(n: usize) -> Model {
    let data = FrictionSpec {
        viscous: 0.1,
        coefficient: 0.2,
        radius: 0.05,
        bearing_length: 0.2,
        speed: 0.1,
        constant: 0.0,
    };
    let mut model = Model::new("chain");
    for i in 0..n {
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let (x, joint) = (i as f64, format!("j{i}"));
        let kind = Friction { at: joint.as_str().into(), data };
        model = model
            .body(BodySpec::rigid(&b, 1.0, [0.1, 0.2, 0.2]).at([x + 0.5, 0.0, 0.0]))
            .joint(JointSpec::revolute(&joint, [&a, &b], [x, 0.0, 0.0], [0.0, 1.0, 0.0]))
            .force(ForceSpec::new(&format!("f{i}"), kind));
    }
    model
}

/// Parts that are evaluated by two threads have the derivatives of the whole, wherever the second one begins.
#[test]
fn parts_are_those_of_the_whole() {
    let built = build(&chain(150), Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let (k, m) = (system.group().dim(), system.n_lambda());
    let wave = |n: usize, by: f64| (0..n).map(|i| (by * i as f64).sin()).collect::<Vec<f64>>();
    let (v, vdot, lambda) = (wave(k, 0.3), wave(k, 0.7), wave(m, 1.1));
    let memory = vec![0.0; system.n_memory()];
    let at = At { t: 0.0, q: &built.q, v: &v, vdot: &vdot, lambda: &lambda, s: &[], memory: &memory };
    let want = Want { c_m: 1.2, c_d: 0.3, stiffness: true, constraint: true, curvature: false };
    let mut whole = Tangents::of(system);
    whole.evaluate(system, &at, want);
    assert!(whole.has_friction() && whole.g_lambda.data().iter().any(|x| *x != 0.0));
    let parts = system.parts();
    // Rows of factors that a part completes, and its rows of constraints.
    let check = |i: usize, t: &Tangents| {
        let complete = if i == 0 { 0 } else { parts[i - 1].complete };
        for (all, own, rows) in [
            (&whole.s, &t.s, complete..parts[i].complete),
            (&whole.k, &t.k, complete..parts[i].complete),
            (&whole.b, &t.b, parts[i].constraints.clone()),
        ] {
            let pattern = all.pattern().unwrap();
            let values = pattern.start(rows.start)..pattern.start(rows.end);
            let first = values.start - own.first_value();
            assert_eq!(all.data()[values.clone()], own.data()[first..first + values.len()], "part {i}");
        }
    };
    assert!(parts.len() > 3);
    for second in 1..parts.len() {
        let (mut a, mut b) = (whole.like(), whole.like());
        a.evaluate_in_parts(system, &at, want, 0..second, check);
        b.evaluate_in_parts(system, &at, want, second..parts.len(), check);
        a.add_friction_of(&b);
        assert!(a.has_friction());
        assert_eq!(a.g_lambda.data(), whole.g_lambda.data(), "from part {second}");
    }
}
