//! Dense output: its order on exact data in every formulation, its ends, long rotations, no allocation, and
//! samples at requested times.

use crate::common::*;
use crate::counting::count;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Accelerations, Dense, Events, Form, InitialValues, Integrator};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, State, System};
use precess::methods::{MethodOptions, method};
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::problems::{ExactSolution, HeavyTop, TopReference};
use precess::study::larger;
use precess::study::{AtTimes, Run, Sample, observed_order};

/// q, v, v', lambda of the reference.
fn exact(top: &HeavyTop, reference: &TopReference, t: f64) -> State {
    let mut state = top_state(top);
    state.t = t;
    let State { q, v, lambda, .. } = &mut state;
    reference.at(t, q, v, lambda);
    Accelerations::new(top).solve(top, &mut state).unwrap();
    state
}

/// Largest errors of q (in the group), v and lambda at five places in each of n intervals of [0, t_end].
fn interpolation_errors(system: &dyn System, at: impl Fn(f64) -> State, n: usize, t_end: f64) -> [f64; 3] {
    let h = t_end / n as f64;
    let mut first = at(0.0);
    let mut dense = Dense::new(system, &first);
    let mut errors = [0.0_f64; 3];
    let mut difference = vec![0.0; first.v.len()];
    for i in 0..n {
        let last = at((i + 1) as f64 * h);
        dense.between(system, &first, &last).unwrap();
        for x in [0.15, 0.35, 0.5, 0.65, 0.85] {
            let t = first.t + x * (last.t - first.t);
            let truth = at(t);
            let found = dense.state(system, t).unwrap();
            system.group().difference(&truth.q, &found.q, &mut difference);
            let lambda = |s: &State| {
                let mut f = vec![0.0; s.v.len()];
                let mut g = f.clone();
                let zero = vec![0.0; s.lambda.len()];
                system.residual(&s.at(), &mut f);
                system.residual(&At { lambda: &zero, ..s.at() }, &mut g);
                f.iter().zip(&g).map(|(f, g)| f - g).collect::<Vec<f64>>()
            };
            for (e, x) in errors.iter_mut().zip([
                norm(&difference),
                distance(&found.v, &truth.v),
                distance(&lambda(found), &lambda(&truth)),
            ]) {
                *e = precess::study::larger(*e, x);
            }
        }
        first = last;
    }
    errors
}

#[test]
fn orders_on_exact_data_of_the_fast_top() {
    // Largest errors of q with 500 intervals, measured independently (adaptive.md, section 4).
    for (formulation, level) in
        [(Formulation::R3SO3, 2.0372e-11), (Formulation::SE3, 2.8727e-11), (Formulation::SO3, 2.0372e-11)]
    {
        let top = HeavyTop::fast(formulation);
        let reference = TopReference::new(&top, 1.0);
        let errors =
            [125, 250, 500].map(|n| interpolation_errors(&top, |t| exact(&top, &reference, t), n, 1.0));
        let order = |i: usize, k: usize| observed_order(2.0, errors[k][i], 1.0, errors[k + 1][i]);
        println!("{formulation:?} {errors:?}");
        for k in 0..2 {
            assert!(order(0, k) > 5.8, "{formulation:?} q: {errors:?}");
            assert!(order(1, k) > 3.8, "{formulation:?} v: {errors:?}");
            assert!(
                formulation == Formulation::SO3 || order(2, k) > 3.8,
                "{formulation:?} lambda: {errors:?}"
            );
        }
        assert!(errors[2][0] < 1.5 * level, "{formulation:?}: {:.3e} instead of {level:.3e}", errors[2][0]);
    }
}

/// The slow top as a model whose positions at t = 0 are those of the solution at t.
fn top_model(top: &HeavyTop, reference: &TopReference, t: f64) -> Model {
    let (p, omega, _) = reference.rotation(t);
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(p.w, p.i, p.j, p.k));
    let position = rotation * Vector3::y();
    let velocity = rotation * omega.cross(&Vector3::y());
    let body = BodySpec::rigid("top", top.m, top.j.into())
        .at(position.into())
        .rotated(rotation)
        .moving(velocity.into(), omega.into());
    Model::new("top").gravity(top.gamma.into()).body(body).joint(JointSpec::spherical(
        "tip",
        ["ground", "top"],
        [0.0; 3],
    ))
}

#[test]
fn orders_in_every_formulation() {
    let top = HeavyTop::spinning(Formulation::SO3, Vector3::new(1.0, 10.0, -2.0));
    let reference = TopReference::new(&top, 0.3);
    for formulation in [
        Formulation::R3SO3,
        Formulation::SE3,
        Formulation::SO3,
        Formulation::EulerParameters,
        Formulation::TaitBryan,
        Formulation::Directors,
    ] {
        let built = build(&top_model(&top, &reference, 0.0), formulation).unwrap();
        let system = built.system.as_ref();
        let at = |t: f64| {
            let there = build(&top_model(&top, &reference, t), formulation).unwrap();
            InitialValues { t, ..InitialValues::new(&there.q, &there.v) }.consistent(system).unwrap()
        };
        // The angles of Tait and Bryan move faster on the way to their singularity.
        let finer = if formulation == Formulation::TaitBryan { 2 } else { 1 };
        let errors = [2, 4, 8].map(|n| interpolation_errors(system, at, finer * n, 0.08));
        println!("{formulation:?} {errors:?}");
        for k in 0..2 {
            let order = |i: usize| observed_order(2.0, errors[k][i], 1.0, errors[k + 1][i]);
            assert!(order(0) > 5.5, "{formulation:?} q: {errors:?}");
            assert!(order(1) > 3.6, "{formulation:?} v: {errors:?}");
            assert!(system.n_lambda() == 0 || order(2) > 3.6, "{formulation:?} lambda: {errors:?}");
        }
    }
}

#[test]
fn the_ends_come_back_as_they_are() {
    let top = HeavyTop::fast(Formulation::SE3);
    let reference = TopReference::new(&top, 1.0);
    let (first, mut last) = (exact(&top, &reference, 0.2), exact(&top, &reference, 0.201));
    // This holds for inconsistent values, too.
    last.lambda[0] += 0.1;
    let mut dense = Dense::new(&top, &first);
    dense.between(&top, &first, &last).unwrap();
    assert_eq!(dense.interval(), (0.2, 0.201));
    assert_eq!(dense.state(&top, 0.2).unwrap(), &first);
    assert_eq!(dense.state(&top, 0.201).unwrap(), &last);
    assert_eq!(dense.motion(&top, 0.201), &last);
}

/// A body that spins about a fixed axis and moves along it, without forces.
struct Free(Product);

impl System for Free {
    fn group(&self) -> &Product {
        &self.0
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        r.copy_from_slice(at.vdot);
    }
}

#[test]
fn long_rotations_are_followed_up_to_three_quarters_of_a_turn() {
    let axis = Vector3::new(1.0, -2.0, 2.0) / 3.0;
    for factor in [Factor::SO3, Factor::R3xSO3, Factor::SE3] {
        let system = Free(Product::new([Factor::Rn(1), factor]));
        for turns in [0.2, 0.45, 0.55, 0.6, 0.7, 0.74, 0.78, 1.1] {
            let angle = 2.0 * std::f64::consts::PI * turns;
            // The body and its path are carried around the axis: q = exp(v t).
            let mut v = vec![0.3];
            v.extend((axis * angle).iter());
            v.extend([0.4, 0.1, -0.7].iter().take(factor.dim() - 3));
            let at = |t: f64| {
                let mut q = vec![0.0; system.0.repr()];
                let x: Vec<f64> = v.iter().map(|v| v * t).collect();
                system.0.exp(&x, &mut q);
                State { t, q, v: v.clone(), vdot: vec![0.0; v.len()], ..State::default() }
            };
            let mut dense = Dense::new(&system, &at(0.0));
            let result = dense.between(&system, &at(0.0), &at(1.0));
            if turns > 0.75 {
                assert!(matches!(result, Err(Error::Interpolation { .. })), "{factor:?} {turns}");
                continue;
            }
            result.unwrap();
            let mut difference = vec![0.0; v.len()];
            for t in [0.1, 0.5, 0.77] {
                system.0.difference(&at(t).q, &dense.motion(&system, t).q, &mut difference);
                assert!(norm(&difference) < 1e-12, "{factor:?} {turns} turns: {difference:?}");
            }
        }
    }
}

#[test]
fn interpolation_costs_nothing_of_the_accuracy_of_a_run() {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 1.0);
    let bliedf = MethodOptions { k: 4, form: Form::StabilizedIndex2, ..MethodOptions::default() };
    let alpha = options(Form::StabilizedIndex2, TABLE_1);
    for (name, options) in [("gen-alpha", alpha), ("bliedf", bliedf)] {
        let mut at_nodes = [0.0_f64; 3];
        let mut between = [0.0_f64; 3];
        let measure = |worst: &mut [f64; 3], s: &Sample| {
            let (mut q, mut v, mut lambda) = (vec![0.0; 7], vec![0.0; 6], vec![0.0; 3]);
            reference.at(s.state.t, &mut q, &mut v, &mut lambda);
            let mut difference = vec![0.0; 6];
            top.group().difference(&s.state.q, &q, &mut difference);
            let found = [norm(&difference), distance(&s.state.v, &v), distance(&s.state.lambda, &lambda)];
            worst.iter_mut().zip(found).for_each(|(w, x)| *w = precess::study::larger(*w, x));
        };
        let times = (0..=1997).map(|i| i as f64 / 1997.0).collect();
        let mut recorder = (
            |s: &Sample| measure(&mut at_nodes, s),
            AtTimes::new(times, |s: &Sample| measure(&mut between, s)),
        );
        let mut state = top_state(&top);
        let mut integrator = method(name, &options).unwrap();
        Run::new(1e-3, 1.0).run(&top, &mut *integrator, &mut state, &mut recorder).unwrap();
        assert!(recorder.1.finish().is_ok());
        println!("{name}: nodes {at_nodes:?}, between {between:?}");
        for i in 0..2 {
            assert!(between[i] <= 1.1 * at_nodes[i], "{name}: {at_nodes:?} {between:?}");
        }
        assert!(between[2] <= 1.5 * at_nodes[2], "{name}: {at_nodes:?} {between:?}");
    }
}

#[test]
fn requested_times_do_not_depend_on_the_steps() {
    let top = HeavyTop::slow(Formulation::SE3);
    let run = |h: f64| {
        let mut kept = Vec::new();
        let mut state = top_state(&top);
        let mut integrator = options(Form::StabilizedIndex2, TABLE_1).generalized_alpha().unwrap();
        let times = vec![0.5, 0.031, -1.0, 0.0, 0.2, 0.2, 7.0];
        let mut recorder = AtTimes::new(times, |s: &Sample| kept.push(s.state.clone()));
        Run::new(h, 0.5).run(&top, &mut integrator, &mut state, &mut recorder).unwrap();
        assert!(recorder.finish().is_ok());
        kept
    };
    let fine = run(1e-3);
    let errors = [0.07, 0.035, 0.0175].map(|h| {
        let coarse = run(h);
        assert_eq!(coarse.iter().map(|s| s.t).collect::<Vec<_>>(), [0.0, 0.031, 0.2, 0.5]);
        coarse.iter().zip(&fine).map(|(a, b)| distance(&a.q, &b.q)).fold(0.0, larger)
    });
    assert_order("steps of 0.07, 0.035, 0.0175 s", &errors, 1.8..=2.2);
    // The same run twice, once with output between the steps: the steps are the same.
    let end = |recorder: &mut dyn precess::study::Recorder| {
        let mut state = top_state(&top);
        let mut integrator = options(Form::StabilizedIndex2, TABLE_1).generalized_alpha().unwrap();
        Run::new(0.01, 0.5).run(&top, &mut integrator, &mut state, recorder).unwrap();
        state
    };
    assert_eq!(end(&mut ()), end(&mut AtTimes::every(0.003, 0.0, 0.5, ())));
}

/// Energy-momentum schemes report difference quotients as v': dense output solves for it.
#[test]
fn conserving_methods_are_interpolated_as_well() {
    let top = HeavyTop::spinning(Formulation::SO3, Vector3::new(1.0, 10.0, -2.0));
    let reference = TopReference::new(&top, 0.5);
    let built = build(&top_model(&top, &reference, 0.0), Formulation::Directors).unwrap();
    let system = built.system.as_ref();
    for name in ["em", "vi-a"] {
        let mut errors = Vec::new();
        for h in [4e-3, 2e-3, 1e-3] {
            let mut worst = 0.0_f64;
            let record = |s: &Sample| {
                let found = system.bodies(&s.state.at());
                let (p, _, _) = reference.rotation(s.state.t);
                let r = UnitQuaternion::from_quaternion(Quaternion::new(p.w, p.i, p.j, p.k));
                worst = precess::study::larger(worst, (found[0].position - r * Vector3::y()).norm());
            };
            let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
            let mut integrator = method(name, &MethodOptions::default()).unwrap();
            let mut recorder = AtTimes::every(0.37e-3, 0.0, 0.4, record);
            Run::new(h, 0.4).run(system, &mut *integrator, &mut state, &mut recorder).unwrap();
            assert!(recorder.finish().is_ok());
            errors.push(worst);
        }
        println!("{name} {errors:?}");
        assert_order(name, &errors, 1.85..=2.15);
    }
}

#[test]
fn evaluation_does_not_allocate() {
    for name in ["heavy_top", "robot_arm", "four_bar", "chain", "drop_test", "gate"] {
        let loaded = crate::model_util::load_model(name, &[]);
        for formulation in [Formulation::R3SO3, Formulation::SE3] {
            let built = build(&loaded.model, formulation).unwrap();
            let system = built.system.as_ref();
            let first = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
            let mut last = first.clone();
            let h = loaded.settings.step;
            let mut integrator = loaded.settings.options.generalized_alpha().unwrap();
            integrator.start(system, &mut last, h).unwrap();
            integrator.step(system, &mut last, h).unwrap();
            let mut dense = Dense::new(system, &first);
            dense.between(system, &first, &last).unwrap();
            dense.state(system, 0.5 * h).unwrap();
            let before = count();
            dense.between(system, &first, &last).unwrap();
            for x in [0.1, 0.3, 0.9] {
                dense.state(system, x * h).unwrap();
            }
            assert_eq!(count() - before, 0, "{name} {formulation:?}");
            let mut events = Events::new(system, &first, last.t).unwrap();
            events.look(system, &first, &last).unwrap();
            assert_eq!(events.next(system).unwrap(), None);
            let before = count();
            events.look(system, &first, &last).unwrap();
            assert_eq!(events.next(system).unwrap(), None);
            assert_eq!(count() - before, 0, "events of {name} {formulation:?}");
        }
    }
}
