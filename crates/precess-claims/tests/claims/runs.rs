//! Runs that claims share, and what these runs record.

use std::sync::Arc;

use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues, Start};
use precess::problems::{HeavyTop, TopReference};
use precess::study::{ErrorRecorder, Run};
use precess_claims::{Lab, Problem, Setup, Trace};

const TOP: Problem = Problem::FastTop(Formulation::R3SO3);

#[test]
fn equal_setups_share_a_run() {
    let mut lab = Lab::new();
    let setup = Setup::new(TOP, Form::Index3, Start::Classical).until(0.02);
    let first = lab.run(&setup).unwrap();
    assert!(Arc::ptr_eq(&first, &lab.run(&setup).unwrap()));
    let other = lab.run(&setup.h(5e-4)).unwrap();
    assert_eq!((first.last(), other.last(), lab.runs()), (20, 40, 2));
    assert!(lab.run(&setup.rho(2.0)).is_err());
}

#[test]
fn traces_agree_with_the_error_recorder() {
    let mut lab = Lab::new();
    let setup = Setup::new(TOP, Form::Index3, Start::Classical).until(0.1);
    let windows = [(0.0, 0.1), (0.05, 0.08)];
    let top = HeavyTop::fast(Formulation::R3SO3);
    let reference = TopReference::new(&top, 0.1);
    let mut recorder = ErrorRecorder::new(&reference, &windows);
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top).unwrap();
    let mut integrator = setup.options.generalized_alpha().unwrap();
    Run::new(1e-3, 0.1).run(&top, &mut integrator, &mut state, &mut recorder).unwrap();
    for (window, errors) in windows.into_iter().zip(recorder.errors) {
        assert_eq!(lab.errors(&setup, window).unwrap(), errors);
    }
}

#[test]
fn transients_are_counted_and_nan_is_not_hidden() {
    let trace = Trace::of_multiplier;
    let rough = trace(&[0.0, 8.0, -4.0, 2.0, -1.0, 0.5, -0.25]);
    let smooth = trace(&[0.0; 7]);
    assert_eq!(rough.steps_to(&smooth, 0, 0.2), 4);
    assert_eq!(rough.steps_to(&smooth, 3, 0.2), 3);
    assert_eq!(rough.max((0.0, 9.0), |n| rough.lambda(n)[0]), 8.0);
    assert_eq!(rough.max((2.0, 4.0), |n| rough.lambda(n)[0]), 2.0);
    let broken = trace(&[0.0, 1.0, f64::NAN, 2.0]);
    assert!(broken.max((0.0, 9.0), |n| broken.lambda(n)[0]).is_nan());
    assert!(rough.max((7.0, 9.0), |n| rough.lambda(n)[0]).is_nan(), "no steps there");
}
