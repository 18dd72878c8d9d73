//! After the first step nothing allocates: a global allocator counts the allocations of every step.

use crate::common::*;
use crate::counting::count;
use precess::formulation::Formulation::{R3SO3, SE3, SO3};
use precess::integrate::side_by_side::LANES;
use precess::integrate::{
    Eta, EtaTerm, Explicit, Form, InitialValues, Integrator, Modification, Predictor, Sigma, Start, Strategy,
};
use precess::mechanics::System;
use precess::methods::MethodOptions;
use precess::model::{build, load};
use precess::problems::HeavyTop;

/// Allocations in 200 steps after the first.
fn allocations(system: &dyn System, method: &mut dyn Integrator, h: f64) -> usize {
    let top = |f| HeavyTop::fast(f);
    let mut state = match system.group().dim() {
        3 => top_state(&top(SO3)),
        _ => top_state(&top(R3SO3)), // R(0) = I: q and v of both groups agree.
    };
    method.start(system, &mut state, h).unwrap();
    method.step(system, &mut state, h).unwrap();
    let before = count();
    for _ in 0..200 {
        method.step(system, &mut state, h).unwrap();
    }
    count() - before
}

#[test]
fn the_counter_counts() {
    let before = count();
    let v = std::hint::black_box(vec![1.0_f64; 10]);
    assert_eq!(count() - before, 1);
    let mut v = v;
    v.reserve(1000);
    assert_eq!(count() - before, 2);
    // The difference quotients are documented to allocate.
    let top = HeavyTop::fast(R3SO3);
    let hidden = Hidden(&top, Hide::Tangents);
    let mut method = options(Form::Index3, Start::Classical).generalized_alpha().unwrap();
    assert!(allocations(&hidden, &mut method, 1e-3) > 200);
}

#[test]
fn generalized_alpha_does_not_allocate() {
    for formulation in [R3SO3, SE3, SO3] {
        let top = HeavyTop::fast(formulation);
        for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
            for eta in [Eta::Mass, Eta::Paper] {
                for strategy in [Strategy::Full, Strategy::Simplified, Strategy::Modified, Strategy::Kept] {
                    for h in [1e-3, 1e-4] {
                        let mut options = MethodOptions { eta, ..options(form, TABLE_2) };
                        options.newton.strategy = strategy;
                        let mut method = options.generalized_alpha().unwrap();
                        let n = allocations(&top, &mut method, h);
                        assert_eq!(n, 0, "{formulation:?} {form:?} {eta:?} {strategy:?} h {h}");
                    }
                }
            }
        }
    }
}

/// Nor do four runs side by side, of a body and of a mechanism with a closed loop whose crank counts its
/// turns.
#[test]
fn runs_side_by_side_do_not_allocate() {
    for name in ["heavy_top", "slider_crank"] {
        let text = std::fs::read_to_string(format!("../../models/{name}.toml")).unwrap();
        let built = build(&load(name, &text, &[]).unwrap().model, R3SO3).unwrap();
        let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        for form in [Form::Index3, Form::StabilizedIndex2] {
            let options = options(form, Start::Classical);
            let mut runs = options.side_by_side([&*built.system; LANES]).unwrap();
            runs.start(&mut vec![state.clone(); LANES], 1e-3).unwrap();
            runs.step();
            let before = count();
            (0..200).for_each(|_| runs.step());
            assert_eq!(count() - before, 0, "{name} {form:?}");
            assert!((0..LANES).all(|lane| runs.state(lane, &mut state.clone())));
        }
    }
}

#[test]
fn sigma_modification_does_not_allocate() {
    let modifications = [
        Modification::exact(Sigma::Value(1.0)),
        Modification::exact(Sigma::Optimal),
        Modification { eta_term: EtaTerm::Tangent, ..Modification::default() },
        Modification::published(Sigma::Value(1.0)),
        Modification::published(Sigma::Optimal),
    ];
    for formulation in [R3SO3, SE3, SO3] {
        let top = HeavyTop::fast(formulation);
        for form in [Form::Index3, Form::StabilizedIndex2, Form::Index2] {
            for modification in modifications {
                for predictor in [Predictor::Constant, Predictor::Extrapolate] {
                    let options =
                        MethodOptions { rho: 0.65, modification, predictor, ..options(form, TABLE_2) };
                    let mut method = options.generalized_alpha().unwrap();
                    let n = allocations(&top, &mut method, 5e-4);
                    assert_eq!(n, 0, "{formulation:?} {form:?} {modification:?}");
                }
            }
        }
    }
}

#[test]
fn rkmk4_does_not_allocate() {
    let top = HeavyTop::fast(SO3);
    assert_eq!(allocations(&top, &mut Explicit::new(&precess::integrate::RKMK4), 1e-3), 0);
}

/// Drives, friction, gears and controls with their expressions, dense and sparse.
#[test]
fn model_elements_do_not_allocate() {
    for name in ["robot_arm", "joint_gear", "joint_generic", "four_bar", "rotor", "chain"] {
        let loaded = crate::model_util::load_model(name, &[]);
        for formulation in [R3SO3, SE3] {
            let built = precess::model::build(&loaded.model, formulation).unwrap();
            let system = built.system.as_ref();
            let initial = precess::integrate::InitialValues::new(&built.q, &built.v);
            let mut state = initial.consistent(system).unwrap();
            let mut method = loaded.settings.options.generalized_alpha().unwrap();
            let h = loaded.settings.step;
            method.start(system, &mut state, h).unwrap();
            method.step(system, &mut state, h).unwrap();
            let before = count();
            for _ in 0..50 {
                method.step(system, &mut state, h).unwrap();
            }
            assert_eq!(count() - before, 0, "{name} {formulation:?}");
        }
    }
}
