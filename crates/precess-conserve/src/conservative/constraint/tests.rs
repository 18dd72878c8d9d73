//! Derivatives of constraints against differences.

use super::super::potential::tests::Test;
use super::*;

fn functions() -> Vec<Holonomic> {
    let length = Quadratic::new(0.3, &[(0, 0.2)], &[(0, 0, 1.0), (1, 1, 1.0), (0, 2, 0.5)]);
    let other = Quadratic::new(-0.1, &[(2, 1.0)], &[(1, 2, 1.0)]);
    let general = Composed::new(vec![length.clone(), other], Arc::new(Test)).unwrap();
    vec![length.into(), general.into(), Composed::euclidean(&[2, 0], Arc::new(Test)).unwrap().into()]
}

const Q_0: [f64; 3] = [0.9, -0.4, 0.6];
const W_0: [f64; 3] = [0.2, 0.7, -0.5];

/// Collects the entries in a vector or a matrix.
fn vector(f: impl FnOnce(&mut dyn FnMut(usize, f64))) -> [f64; 3] {
    let mut out = [0.0; 3];
    f(&mut |i, x| out[i] += x);
    out
}
fn matrix(f: impl FnOnce(&mut dyn FnMut(usize, usize, f64))) -> [[f64; 3]; 3] {
    let mut out = [[0.0; 3]; 3];
    f(&mut |i, j, x| out[i][j] += x);
    out
}
/// Compares a matrix with the central difference of a vector function.
fn check(at: &[f64; 3], m: [[f64; 3]; 3], f: impl Fn(&[f64; 3]) -> [f64; 3], tolerance: f64) {
    for j in 0..3 {
        let moved = |e: f64| f(&std::array::from_fn(|i| at[i] + if i == j { e } else { 0.0 }));
        let (up, down) = (moved(1e-5), moved(-1e-5));
        for i in 0..3 {
            let slope = (up[i] - down[i]) / 2e-5;
            assert!((slope - m[i][j]).abs() < tolerance, "({i}, {j}): {slope} {}", m[i][j]);
        }
    }
}

#[test]
fn derivatives() {
    for g in functions() {
        let gradient = |q: &[f64; 3]| vector(|f| g.each_gradient(q, f));
        check(&Q_0, matrix(|f| g.each_hessian(&Q_0, f)), gradient, 1e-8);
        let curved = |q: &[f64; 3]| vector(|f| g.each_hessian_times(q, &W_0, f));
        check(&Q_0, matrix(|f| g.each_third(&Q_0, &W_0, f)), curved, 1e-7);
        let rate = |q: &[f64; 3]| [g.rate(q, &W_0), 0.0, 0.0];
        check(&Q_0, [curved(&Q_0), [0.0; 3], [0.0; 3]], rate, 1e-8);
        check(&Q_0, [gradient(&Q_0), [0.0; 3], [0.0; 3]], |q| [g.value(q), 0.0, 0.0], 1e-8);
        let bend: f64 = curved(&Q_0).iter().zip(&W_0).map(|(x, y)| x * y).sum();
        assert!((bend - g.curvature(&Q_0, &W_0)).abs() < 1e-14);
    }
}

#[test]
fn discrete_derivatives_are_exact_and_their_tangents_consistent() {
    for g in functions() {
        for size in [1.0, 1e-2, 1e-3, 1e-9, 0.0] {
            let q_1 = [Q_0[0] + 0.3 * size, Q_0[1] + 0.5 * size, Q_0[2] - 0.2 * size];
            let w_1 = [W_0[0] - 0.4 * size, W_0[1] + 0.1 * size, W_0[2] + 0.6 * size];
            let at = |q_1: &[f64; 3], w_1: &[f64; 3], see: &mut dyn FnMut(&StepEnds)| {
                let half =
                    |a: &[f64; 3], b: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|i| 0.5 * (a[i] + b[i])) };
                let (q_m, w_m) = (half(&Q_0, q_1), half(&W_0, w_1));
                see(&StepEnds { q: [&Q_0, q_1], w: [&W_0, w_1], middle: (&q_m, &w_m) });
            };
            let vectors = |q_1: &[f64; 3], w_1: &[f64; 3]| {
                let mut out = [[0.0; 3]; 3];
                at(q_1, w_1, &mut |b| {
                    out = [
                        vector(|f| g.each_discrete(b, f)),
                        vector(|f| g.each_by_q(b, f)),
                        vector(|f| g.each_by_w(b, f)),
                    ];
                });
                out
            };
            let [d_g, d_q, d_w] = vectors(&q_1, &w_1);
            let along =
                |d: [f64; 3], a: [f64; 3], b: [f64; 3]| -> f64 { (0..3).map(|i| d[i] * (b[i] - a[i])).sum() };
            assert!((along(d_g, Q_0, q_1) - (g.value(&q_1) - g.value(&Q_0))).abs() < 4e-15);
            let gain = g.rate(&q_1, &w_1) - g.rate(&Q_0, &W_0);
            assert!((along(d_q, Q_0, q_1) + along(d_w, W_0, w_1) - gain).abs() < 8e-15, "{size}");
            // Quotients of small steps contain round-off divided by their size.
            let tolerance = if size == 1e-3 { 1e-4 } else { 3e-5 };
            at(&q_1, &w_1, &mut |b| {
                let (mut of_q, mut of_w) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
                g.each_by_q_tangents(b, |i, j, x| of_q[i][j] += x, |i, j, x| of_w[i][j] += x);
                check(&q_1, of_q, |q| vectors(q, &w_1)[1], tolerance);
                check(&w_1, of_w, |w| vectors(&q_1, w)[1], tolerance);
                check(&q_1, matrix(|f| g.each_discrete_tangent(b, f)), |q| vectors(q, &w_1)[0], tolerance);
                check(&q_1, matrix(|f| g.each_by_w_tangent(b, f)), |q| vectors(q, &w_1)[2], tolerance);
            });
        }
    }
}
