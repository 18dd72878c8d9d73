//! Convergence against solutions in minimal coordinates.

use precess::integrate::{Form, InitialValues, Start};
use precess::mechanics::System;
use precess::methods::MethodOptions;
use precess::study::{Run, Sample};

use super::{TABLE_1, TABLE_2, assert_order_2, distance, norm, runge_kutta};

/// Gravity.
pub const G: f64 = 9.81;

/// Solution at some times: q, v, lambda, s.
pub type Exact = Vec<(f64, [Vec<f64>; 4])>;

/// Samples an ordinary differential equation in minimal coordinates at 8 times up to t_end.
pub fn sample<const N: usize>(
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
    y_0: [f64; N],
    t_end: f64,
    lift: impl Fn(f64, &[f64; N]) -> [Vec<f64>; 4],
) -> Exact {
    let mut y = y_0;
    (1..=8)
        .map(|i| {
            let (a, b) = (t_end * (i - 1) as f64 / 8.0, t_end * i as f64 / 8.0);
            y = runge_kutta(&f, y, (a, b), 1000);
            (b, lift(b, &y))
        })
        .collect()
}

/// Start values that give order 2 in lambda from the first step on.
pub fn start(form: Form) -> Start {
    match form {
        Form::Index3 => TABLE_2,
        _ => TABLE_1,
    }
}

/// max |error| of q, v, lambda, s at the times of `exact`, and Newton iterations per step.
pub fn errors(
    system: &dyn System,
    initial: InitialValues,
    options: &MethodOptions,
    h: f64,
    exact: &Exact,
) -> ([f64; 4], f64) {
    let mut state = initial.consistent(system).unwrap();
    let mut method = options.generalized_alpha().unwrap();
    let mut found = [0.0_f64; 4];
    let mut seen = 0;
    let mut see = |s: &Sample| {
        for (t, x) in exact {
            if (s.state.t - t).abs() < 0.25 * h {
                seen += 1;
                let mut d = vec![0.0; s.state.v.len()];
                system.group().difference(&s.state.q, &x[0], &mut d);
                let parts = [
                    norm(&d),
                    distance(&s.state.v, &x[1]),
                    distance(&s.state.lambda, &x[2]),
                    distance(&s.state.s, &x[3]),
                ];
                for (f, p) in found.iter_mut().zip(parts) {
                    *f = precess::study::larger(*f, p);
                }
            }
        }
    };
    let t_end = exact.last().unwrap().0;
    let run = Run::new(h, t_end).run(system, &mut method, &mut state, &mut see).unwrap();
    assert_eq!(seen, exact.len());
    (found, run.iterations as f64 / run.steps as f64)
}

/// Order 2 in all parts that are not solved exactly, for this form; the errors of the finest of three
/// runs, the first with this number of steps. Steps should not be smaller than needed:
/// index-3 amplifies the round-off of positions by 1/h^2 in lambda.
#[track_caller]
pub fn assert_all_order_2(
    name: &str,
    system: &dyn System,
    initial: InitialValues,
    options: &MethodOptions,
    exact: &Exact,
    steps: f64,
) -> [f64; 4] {
    let t_end = exact[7].0;
    let runs = [1.0, 2.0, 4.0].map(|n| errors(system, initial, options, t_end / (n * steps), exact).0);
    for (i, part) in ["q", "v", "lambda", "s"].iter().enumerate() {
        let column = runs.map(|r| r[i]);
        // Below: prescribed by a constraint, only the noise of difference quotients is left.
        if column[0] > 1e-7 {
            assert_order_2(&format!("{name}, {:?}, {part}", options.form), &column);
        }
    }
    runs[2]
}

/// Two ways to compute the same solution: errors agree up to Newton's tolerance and the noise of difference
/// quotients.
#[track_caller]
pub fn assert_same_errors(what: &str, a: &[f64; 4], b: &[f64; 4]) {
    for ((x, y), noise) in a.iter().zip(b).zip([1e-9, 1e-8, 1e-6, 1e-8]) {
        assert!((x - y).abs() <= 1e-3 * y + noise, "{what}: {a:?} {b:?}");
    }
}
