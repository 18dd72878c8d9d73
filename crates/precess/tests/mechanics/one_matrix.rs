//! One J: the assembled matrix, the product J xi and differences of the residual agree.

use precess::formulation::Formulation;
use precess::integrate::step::{KktFactors, Linear, Method, Step};
use precess::integrate::{Form, GeneralizedAlpha, InitialValues, Scheme};
use precess::mechanics::System;
use precess::model::{build, load};
use precess::solve::Solver;
use precess::study::larger;

const H: f64 = 1e-2;

/// Largest entry, NaN if there is one.
fn size(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |m, x| larger(m, x.abs()))
}

/// The first iterate of a step, away from the predictor.
fn iterate(system: &dyn System, (q, v): (&[f64], &[f64]), form: Form) -> (Step, KktFactors, Vec<f64>) {
    let mut state = InitialValues::new(q, v).consistent(system).unwrap();
    let mut scheme = GeneralizedAlpha::new(0.8, form).unwrap();
    let mut step = Step::of(form, system, &state, scheme.histories());
    let mut linear = KktFactors::of(form, system, Solver::Auto);
    scheme.start(system, &mut step, &mut state, H).unwrap();
    step.begin_at(&state, H);
    scheme.predict(&mut step, system, &mut linear);
    let n = step.layout.len();
    let xi: Vec<f64> = (0..n).map(|i| (1.3 * i as f64 + 0.4).sin()).collect();
    step.xi = (0..n).map(|i| 1e-3 * (0.7 * i as f64 + 0.2).cos()).collect();
    step.correct(1.0, system.group());
    (step, linear, xi)
}

fn check(name: &str, formulation: Formulation, form: Form) {
    let path = format!("../../models/{name}.toml");
    let what = format!("{name}, {formulation:?}, {form:?}");
    let loaded = load(&path, &std::fs::read_to_string(&path).unwrap(), &[]).unwrap();
    let built = build(&loaded.model, formulation).unwrap();
    let system: &dyn System = &*built.system;
    let (begun, mut linear, xi) = iterate(system, (&built.q, &built.v), form);
    let n = xi.len();
    let mut product = vec![0.0; n];

    let mut step = begun.clone();
    step.linearise(system);
    step.apply(system, &xi, &mut product);
    let small = 1e-5;
    let [up, down] = [small, -small].map(|weight| {
        let mut step = begun.clone();
        step.xi.copy_from_slice(&xi);
        step.correct(weight, system.group());
        step.residual(system);
        step.psi
    });
    let differences = up.iter().zip(&down).map(|(u, d)| (u - d) / (2.0 * small));
    let error = size(differences.zip(&product).map(|(d, p)| d - p));
    assert!(
        error < 1e-6 * size(product.iter().copied()),
        "{what}: J xi differs from differences by {error:e}"
    );

    let mut step = begun.clone();
    linear.form(&mut step, system).unwrap();
    // Multipliers of redundant rows are determined badly, so J xi is compared, not xi.
    let (mut solution, mut again) = (product.clone(), vec![0.0; n]);
    linear.solve(&mut solution);
    let mut step = begun.clone();
    step.linearise(system);
    step.apply(system, &solution, &mut again);
    let error = size(again.iter().zip(&product).map(|(x, y)| x - y)) / size(product.iter().copied());
    assert!(error < 1e-9, "{what}: J J^-1 b differs from b by {error:e}");
}

/// One body, a few and many, dense and in sparse blocks; forces, controls, friction and velocity rows.
#[test]
fn all_ways_to_j_agree() {
    let names = [
        "heavy_top",
        "rotor",
        "slider_crank",
        "four_bar",
        "robot_arm",
        "chain",
        "squeezer",
        "suspension",
        "joint_screw",
        "joint_knife_edge",
        "joint_rolling",
    ];
    for name in names {
        for form in [Form::Index3, Form::StabilizedIndex2] {
            check(name, Formulation::R3SO3, form);
        }
        check(name, Formulation::SE3, Form::StabilizedIndex2);
    }
}
