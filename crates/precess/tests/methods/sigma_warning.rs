//! Growing multipliers: their cause, and the warning of the run.

use crate::common::*;
use precess::formulation::Formulation::{R3SO3, SE3};
use precess::integrate::sigma_recursion::{SteadySpin, first_unstable};
use precess::integrate::{Alpha, Form, Modification, Sigma, Start};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::study::{Run, Summary};

const ONE: Sigma = Sigma::Value(1.0);

/// The run, complete or not, and the largest multiplier of it.
fn run(form: Form, modification: Modification, rho: f64, h: f64) -> (Summary, bool, f64) {
    let top = HeavyTop::fast(R3SO3);
    let options = MethodOptions { rho, modification, ..options(form, Start::Classical) };
    let mut method = options.generalized_alpha().unwrap();
    let mut largest = 0.0_f64;
    let mut see =
        |s: &precess::study::Sample| largest = precess::study::larger(largest, norm(&s.state.lambda));
    match Run::new(h, 1.0).run(&top, &mut method, &mut top_state(&top), &mut see) {
        Ok(summary) => (summary, true, largest),
        Err(failure) => (failure.summary, false, largest),
    }
}

/// Warnings about multipliers that grow, without notices about inaccurate forces of large steps.
fn of_growth(summary: &Summary) -> Vec<&String> {
    summary.warnings.iter().filter(|w| w.contains("alternate")).collect()
}

fn half(sigma: Sigma) -> Modification {
    Modification { predictor_factor: 0.5, ..Modification::published(sigma) }
}

/// lambda is below 800 N all the time; in the published algorithm with the predictor factor 1/2 it grows
/// without bound, for rho = 0.9 even at small steps. The run says so long before it fails.
#[test]
fn published_algorithm_grows_and_the_run_warns() {
    // At 2e-3 there are only 44 steps until positions are wrong as well.
    for h in [2e-3, 1e-3, 5e-4, 2.5e-4] {
        let (summary, complete, largest) = run(Form::Index3, half(ONE), 0.9, h);
        assert!(!complete || largest > 1e4, "{h}: {largest:.1e}");
        let growth = of_growth(&summary);
        assert!(growth.len() == 1 && growth[0].contains("stabilized-index2"), "{h}: {:?}", summary.warnings);
    }
}

/// Multipliers also grow without the modification, if steps are too large for the damping.
#[test]
fn large_steps_with_little_damping_warn() {
    for (modification, rho, h) in [
        (Modification::default(), 0.95, 2e-3),
        (Modification::default(), 0.85, 5.66e-3),
        (Modification::published(ONE), 0.95, 2e-3),
        (Modification::published(ONE), 0.9, 2.828e-3),
    ] {
        let (summary, complete, largest) = run(Form::Index3, modification, rho, h);
        // These runs finish, with meaningless multipliers.
        assert!(complete && largest > 4e3, "{modification:?}: {complete} {largest:.1e}");
        assert_eq!(of_growth(&summary).len(), 1, "{modification:?}, {rho}, {h}");
    }
}

/// The exact scheme with sigma = 1 is the one that stays stable.
#[test]
fn exact_scheme_does_not_grow() {
    for rho in [0.65, 0.9, 0.95] {
        for h in [4e-3, 1e-3, 2.5e-4] {
            let (summary, complete, largest) = run(Form::Index3, Modification::exact(ONE), rho, h);
            assert!(
                complete && largest < 1.2e3 && of_growth(&summary).is_empty(),
                "{rho}, {h}: {largest:.1e}"
            );
        }
    }
}

/// Transients that die out, other forms and other groups: no warning.
#[test]
fn healthy_runs_do_not_warn() {
    for h in [2e-3, 1e-3, 2.5e-4] {
        for form in FORMS {
            for modification in [Modification::default(), Modification::exact(Sigma::Optimal)] {
                let (summary, complete, _) = run(form, modification, 0.9, h);
                assert!(complete && of_growth(&summary).is_empty(), "{form:?}, {h}: {:?}", summary.warnings);
            }
        }
        // A transient of 30 % in lambda after a projection.
        let mut bench = Bench::new(R3SO3);
        bench.projection.velocity = precess::study::When::At(vec![0.7]);
        let measured = bench.run(&options(Form::Index3, TABLE_2), h);
        assert!(of_growth(&measured.summary).is_empty());
        let measured = Bench::new(SE3).run(&options(Form::Index3, Start::Classical), h);
        assert!(of_growth(&measured.summary).is_empty());
    }
}

/// The largest stable step of runs is the one at which an eigenvalue of the linear recursion leaves the unit
/// circle: a few per cent apart, because the top also precesses. For large steps a run of 1 s is too short to
/// show slow growth.
#[test]
fn limit_of_stable_steps_is_that_of_the_recursion() {
    let top = HeavyTop::fast(R3SO3);
    let spin = SteadySpin { m: top.m, j: top.j, x: top.x_body, omega: top.omega_0.y };
    for (modification, rho, tolerance) in [
        (half(ONE), 0.6, 0.05),
        (half(ONE), 0.7, 0.05),
        (half(ONE), 0.8, 0.05),
        (Modification::published(ONE), 0.9, 0.2),
    ] {
        let (mut stable, mut unstable) = (5e-5, 6e-3);
        while unstable / stable > 1.01 {
            let h: f64 = f64::sqrt(stable * unstable);
            let (_, complete, largest) = run(Form::Index3, modification, rho, h);
            if complete && largest < 1.5e3 { stable = h } else { unstable = h }
        }
        let steps = (0..600).map(|i| 5e-5 * 1.01_f64.powi(i));
        let predicted = first_unstable(&spin, &Alpha::from_rho(rho).unwrap(), &modification, steps).unwrap();
        let ratio = stable / predicted;
        assert!(
            (ratio - 1.0).abs() < tolerance,
            "{modification:?}, {rho}: {stable:.3e}, predicted {predicted:.3e}"
        );
    }
}

/// The recursion has no growth where runs have none.
#[test]
fn recursion_of_the_exact_scheme_is_stable() {
    let top = HeavyTop::fast(R3SO3);
    let spin = SteadySpin { m: top.m, j: top.j, x: top.x_body, omega: top.omega_0.y };
    for rho in [0.65, 0.9, 0.95] {
        let steps = (0..50).map(|i| 5e-5 * 1.1_f64.powi(i));
        let first = first_unstable(&spin, &Alpha::from_rho(rho).unwrap(), &Modification::exact(ONE), steps);
        assert_eq!(first, None, "{rho}");
    }
}
