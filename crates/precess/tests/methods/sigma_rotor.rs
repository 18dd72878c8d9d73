//! The sigma-modification on the high-speed rotor, and Newton's work there.
//!
//! Reference at t = 1 by Taylor series of order 26 in extended precision; levels and ratios from an
//! independent implementation of the scheme and of the printed algorithms.

use crate::common::*;
use nalgebra::Vector3;
use precess::integrate::{Form, InitialValues, Modification, Sigma, Strategy};
use precess::mechanics::State;
use precess::methods::MethodOptions;
use precess::problems::Rotor;
use precess::study::{Run, Summary};

const ONE: Sigma = Sigma::Value(1.0);
/// R p_2 + x and the body's x axis at t = 1 for d = 5.12289.
const RIGHT: [f64; 3] = [0.089999201604227, 0.000267238567964133, 9.15981115808533e-05];
const LEFT: [f64; 3] = [-0.110000000413402, -0.000267216089053742, -9.15699290095088e-05];
const OMEGA: [f64; 3] = [20944.0348711294, 0.000371911134411171, -0.00366882547191367];

fn rotor() -> Rotor {
    Rotor::paper(Rotor::damping_by_formula())
}

fn run(modification: Modification, strategy: Strategy, h: f64) -> (State, Summary) {
    let rotor = rotor();
    let mut options = MethodOptions { modification, form: Form::Index3, ..MethodOptions::default() };
    options.newton.strategy = strategy;
    let mut state = InitialValues::new(&rotor.q_0(), &rotor.v_0()).consistent(&rotor).unwrap();
    let mut method = options.generalized_alpha().unwrap();
    let summary = Run::new(h, 1.0).run(&rotor, &mut method, &mut state, &mut ()).unwrap();
    (state, summary)
}

fn error(state: &State) -> f64 {
    distance(rotor().point(&state.q, &Vector3::new(0.09, 0.0, 0.0)).as_slice(), &RIGHT)
}

fn iterations(summary: &Summary) -> f64 {
    summary.iterations as f64 / summary.steps as f64
}

/// The parameters, and the reference: classical Runge-Kutta-Munthe-Kaas with a step far below the period.
#[test]
fn reference_is_the_solution() {
    assert!((Rotor::damping_by_formula() - 5.12289).abs() < 1e-5);
    let rotor = rotor();
    let mut state = InitialValues::new(&rotor.q_0(), &rotor.v_0()).consistent(&rotor).unwrap();
    let mut method = precess::integrate::Explicit::new(&precess::integrate::RKMK4);
    Run::new(2e-6, 1.0).run(&rotor, &mut method, &mut state, &mut ()).unwrap();
    assert!(error(&state) < 1e-9, "{:.1e}", error(&state));
    let left = rotor.point(&state.q, &Vector3::new(-0.11, 0.0, 0.0));
    assert!(distance(left.as_slice(), &LEFT) < 1e-9);
    assert!(distance(&state.v[..3], &OMEGA) < 1e-4, "{:?}", state.v);
}

#[test]
fn iteration_matrix_is_the_derivative() {
    let rotor = rotor();
    let q = [0.9, 0.3, -0.2, (1.0f64 - 0.81 - 0.09 - 0.04).sqrt(), 1e-3, -2e-3, 3e-3];
    let v = [2e4, 30.0, -50.0, 0.1, -0.2, 0.3];
    let state = InitialValues::new(&q, &v).consistent(&rotor).unwrap();
    let offset = [1e-6, -2e-6, 3e-6, 1e-6, 2e-6, -1e-6];
    let direction = [0.3, -0.4, 0.9, -0.5, 0.2, 0.7];
    for modification in [
        Modification::exact(Sigma::Value(0.0)),
        Modification::exact(ONE),
        Modification::exact(Sigma::Optimal),
        Modification::published(ONE),
    ] {
        let options = MethodOptions { modification, ..MethodOptions::default() };
        let e = iteration_matrix_error(&rotor, &options, &state, 1e-5, &offset, &direction);
        assert!(e < 1e-6, "{modification:?}: {e:.1e}");
    }
}

#[test]
fn levels_ratios_and_order() {
    for (modification, fine, coarse) in [
        (Modification::default(), 3.420e-6, 1.357e-5),
        (Modification::exact(ONE), 1.403e-6, 5.614e-6),
        (Modification::exact(Sigma::Optimal), 2.078e-6, 8.272e-6),
        (Modification::published(ONE), 6.280e-7, 2.494e-6),
        (Modification::published(Sigma::Optimal), 7.329e-7, 2.962e-6),
    ] {
        for (h, expected) in [(2e-5, coarse), (1e-5, fine)] {
            let (state, summary) = run(modification, Strategy::Full, h);
            assert_level(&format!("{modification:?}, h = {h}"), error(&state), expected);
            assert!(
                (1.0..=1.3).contains(&iterations(&summary)),
                "{modification:?} {h}: {}",
                iterations(&summary)
            );
        }
    }
}

/// The gain of the modification at h = 2e-5: errors of sigma = 0 divided by those of sigma = 1.
#[test]
fn gain() {
    let error = |m| error(&run(m, Strategy::Full, 2e-5).0);
    let without = error(Modification::default());
    for (modification, expected) in [(Modification::exact(ONE), 2.42), (Modification::published(ONE), 5.44)] {
        let gain = without / error(modification);
        assert!((gain / expected - 1.0).abs() < 0.1, "{modification:?}: {gain:.3}");
    }
}

/// The matrix is kept for the whole run, and the solution is the same.
#[test]
fn modified_newton_keeps_its_matrix() {
    for modification in [
        Modification::default(),
        Modification::exact(ONE),
        Modification::exact(Sigma::Optimal),
        Modification::published(ONE),
    ] {
        let (state, summary) = run(modification, Strategy::Modified, 1e-5);
        let (full, _) = run(modification, Strategy::Full, 1e-5);
        assert_eq!(summary.steps, 100_000);
        assert!(summary.jacobians <= 5, "{modification:?}: {}", summary.jacobians);
        assert!(distance(&state.q, &full.q) < 1e-2 * error(&full), "{modification:?}");
    }
}
