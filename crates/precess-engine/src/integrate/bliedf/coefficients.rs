//! Coefficients of BDF methods: the constant-step tables of the paper and the weights of any grid.
//!
//! On a grid t_n > t_nm1 > ... > t_nmk let Y_pred be the polynomial of degree k through the k+1 known values.
//! With the fixed leading coefficient cj = (1 + 1/2 + ... + 1/k)/h the corrector reads
//!
//! ```text
//! Y'_np1 = Y'_pred(t_np1) + cj (Y_np1 - Y_pred(t_np1)),
//! ```
//!
//! which is the k-step BDF method (2) when all steps are equal, and of order k on any grid.

use crate::Error;

/// Largest number of steps of a zero-stable BDF method.
pub const MAX_K: usize = 6;
/// Number of values through which a predictor of degree k goes.
const POINTS: usize = MAX_K + 1;
/// Nodes of Gauss quadrature with three points on [0, 1].
pub(crate) const GAUSS: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_7];

/// Refuses k without a method.
pub fn check_k(k: usize) -> Result<(), Error> {
    if (2..=MAX_K).contains(&k) {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "k",
        value: k as f64,
        expected: "BLieDF has 2 to 6 steps (with more it is not zero-stable)",
    })
}

/// alpha_0 ... alpha_k of (4), from sum_j nabla^j / j; the rest is zero.
pub fn alpha(k: usize) -> [f64; POINTS] {
    let mut alpha = [0.0; POINTS];
    for j in 1..=k.min(MAX_K) {
        let mut binomial = 1.0;
        for (i, a) in alpha.iter_mut().enumerate().take(j + 1) {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            *a += sign * binomial / j as f64;
            binomial *= (j - i) as f64 / (i + 1) as f64;
        }
    }
    alpha
}

/// gamma_1 ... gamma_k of (5); the rest is zero.
pub fn gamma(k: usize) -> [f64; MAX_K] {
    let alpha = alpha(k);
    let mut sum = 0.0;
    std::array::from_fn(|i| {
        sum += alpha[i];
        if i < k { sum } else { 0.0 }
    })
}

/// Values at x of the Lagrange polynomials of these points.
pub(crate) fn lagrange(points: &[f64], x: f64, out: &mut [f64]) {
    for (j, w) in out.iter_mut().enumerate().take(points.len()) {
        let others = points.iter().enumerate().filter(|(m, _)| *m != j);
        *w = others.map(|(_, p)| (x - p) / (points[j] - p)).product();
    }
}

/// Derivatives at x of the Lagrange polynomials of these points.
fn lagrange_slopes(points: &[f64], x: f64, out: &mut [f64]) {
    for (j, w) in out.iter_mut().enumerate().take(points.len()) {
        *w = 0.0;
        for i in (0..points.len()).filter(|&i| i != j) {
            let others = points.iter().enumerate().filter(|(m, _)| *m != j && *m != i);
            let product: f64 = others.map(|(_, p)| (x - p) / (points[j] - p)).product();
            *w += product / (points[j] - points[i]);
        }
    }
}

/// All weights of a step that depend on the grid.
#[derive(Clone, Debug, Default)]
pub(super) struct GridWeights {
    h: f64,
    /// t_nmi+1 - t_nmi, i = 1..k.
    spacing: [f64; MAX_K],
    /// dv/dtheta.
    pub cj: f64,
    /// Weights of the increments Y_n - Y_nm1, ..., Y_nmk+1 - Y_nmk in Y_pred - Y_n.
    pub value: [f64; MAX_K],
    /// Weights of the same in Y'_pred.
    pub slope: [f64; MAX_K],
    /// Weights of v_n, ..., v_nmk at the Gauss points of the step.
    pub gauss: [[f64; POINTS]; 3],
    /// Weights of v_n, ..., v_nmk+1 at the Gauss points of the step (0) and of the intervals 1..k before it.
    pub gauss_all: [[[f64; POINTS]; 3]; POINTS],
}

impl GridWeights {
    /// Computes the weights of a step h after k steps of these sizes, newest first.
    pub fn update(&mut self, k: usize, h: f64, spacing: &[f64]) {
        if self.h == h && self.spacing[..k] == spacing[..k] {
            return;
        }
        *self = GridWeights { h, ..GridWeights::default() };
        self.spacing[..k].copy_from_slice(&spacing[..k]);
        // In units of h, so that equal steps give exact integers.
        let mut points = [0.0; POINTS];
        for i in 0..k {
            points[i + 1] = points[i] - spacing[i] / h;
        }
        let points = &points[..=k];
        self.cj = (1..=k).map(|i| 1.0 / i as f64).sum::<f64>() / h;
        let (mut value, mut slope) = ([0.0; POINTS], [0.0; POINTS]);
        lagrange(points, 1.0, &mut value);
        lagrange_slopes(points, 1.0, &mut slope);
        // Y_nmj = Y_n - (increments 1..j): increment i has the weight -(w_i + ... + w_k).
        let mut sums = (0.0, 0.0);
        for i in (0..k).rev() {
            sums = (sums.0 - value[i + 1], sums.1 - slope[i + 1] / h);
            (self.value[i], self.slope[i]) = sums;
        }
        for (weights, x) in self.gauss.iter_mut().zip(GAUSS) {
            lagrange(points, x, weights);
        }
        for i in 0..=k {
            // Past interval i ends at points[i - 1]; interval 0 is the step itself.
            let (from, length) = (points[i], if i == 0 { 1.0 } else { points[i - 1] - points[i] });
            for (weights, x) in self.gauss_all[i].iter_mut().zip(GAUSS) {
                lagrange(&points[..k], from + x * length, weights);
            }
        }
    }

    /// True if all steps, including the new one, are equal up to rounding errors.
    pub fn uniform(&self, k: usize) -> bool {
        self.spacing[..k].iter().all(|s| (s - self.h).abs() <= 1e-9 * self.h.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_paper() {
        let close = |found: &[f64], expected: &[f64]| {
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-15, "{found:?} {expected:?}");
            }
        };
        close(&alpha(2), &[1.5, -2.0, 0.5, 0.0]);
        close(&alpha(3), &[11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0, 0.0]);
        close(&alpha(4), &[25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25, 0.0]);
        close(&gamma(2), &[1.5, -0.5, 0.0]);
        close(&gamma(3), &[11.0 / 6.0, -7.0 / 6.0, 1.0 / 3.0, 0.0]);
        close(&gamma(4), &[25.0 / 12.0, -23.0 / 12.0, 13.0 / 12.0, -0.25, 0.0]);
    }

    #[test]
    fn order_conditions_of_the_paper() {
        for k in 2..=MAX_K {
            let (alpha, gamma) = (alpha(k), gamma(k));
            assert!(alpha.iter().sum::<f64>().abs() < 1e-13);
            let n = k as f64;
            for l in 1..=k as i32 {
                let power = |i: usize| (n - i as f64).powi(l) / n.powi(l - 1);
                let left: f64 = (0..=k).map(|i| alpha[i] * power(i)).sum();
                assert!((left - l as f64).abs() < 1e-12, "(3), k = {k}, l = {l}: {left}");
                let left: f64 = (1..=k).map(|i| gamma[i - 1] * (power(i - 1) - power(i))).sum();
                assert!((left - l as f64).abs() < 1e-12, "(7), k = {k}, l = {l}: {left}");
            }
        }
    }

    #[test]
    fn equal_steps_give_the_constant_step_method() {
        let h = 0.01;
        for k in 2..=MAX_K {
            let mut w = GridWeights::default();
            w.update(k, h, &[h; MAX_K]);
            assert!(w.uniform(k));
            // Coefficient of each old increment in Y'_np1.
            for (i, g) in gamma(k)[1..k].iter().enumerate() {
                assert!(
                    (w.slope[i] - w.cj * w.value[i] - g / h).abs() < 1e-11 / h,
                    "k = {k}, gamma_{}",
                    i + 2
                );
            }
            assert!((w.slope[k - 1] - w.cj * w.value[k - 1]).abs() < 1e-11 / h);
            assert!((w.cj * h - alpha(k)[0]).abs() < 1e-15);
        }
    }

    #[test]
    fn polynomials_are_exact_on_any_grid() {
        let h = 0.3;
        for k in 1..=MAX_K {
            let spacing: Vec<f64> = (0..k).map(|i| h * (1.0 + 0.3 * (i as f64).sin())).collect();
            let mut w = GridWeights::default();
            w.update(k, h, &spacing);
            assert!(k == 1 || !w.uniform(k));
            let y = |t: f64| (1.0 + t).powi(k as i32);
            let dy = |t: f64| k as f64 * (1.0 + t).powi(k as i32 - 1);
            let mut t = vec![0.0];
            for s in &spacing {
                t.push(t.last().unwrap() - s);
            }
            let sum = |w: &[f64]| t.iter().zip(w).map(|(t, w)| w * y(*t)).sum::<f64>();
            let increments = |w: &[f64]| (0..k).map(|i| w[i] * (y(t[i]) - y(t[i + 1]))).sum::<f64>();
            assert!((increments(&w.value) - (y(h) - y(0.0))).abs() < 1e-11);
            assert!((increments(&w.slope) - dy(h)).abs() < 1e-10);
            for (weights, x) in w.gauss.iter().zip(GAUSS) {
                assert!((sum(weights) - y(x * h)).abs() < 1e-11);
            }
            // The intervals, the new one first, with one degree less.
            let sum = |w: &[f64]| t.iter().zip(w).map(|(t, w)| w * dy(*t)).sum::<f64>();
            for i in 0..=k {
                let (from, length) = (t[i], if i == 0 { h } else { spacing[i - 1] });
                for (weights, x) in w.gauss_all[i].iter().zip(GAUSS) {
                    assert!((sum(weights) - dy(from + x * length)).abs() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn other_k_are_refused() {
        assert!(check_k(1).is_err() && check_k(7).is_err());
        assert!((2..=6).all(|k| check_k(k).is_ok()));
    }
}
