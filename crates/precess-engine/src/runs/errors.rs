//! Errors in the norms of the papers, compared with a reference solution.
//!
//! - `q_log` = max |log(q_n^-1 o q(t_n))|_2, absolute (radians and metres mixed, as in the papers);
//! - `v` = max |v_n - v(t_n)| / |v_n|; `lambda` = max |lambda_n - lambda(t_n)| / |lambda_n|, over the whole
//!   vectors.
//!
//! Maxima run over the steps n >= 1 with t_n in a window.

pub use precess_lie::larger;

use super::recorder::{Recorder, Sample};
use crate::problems::ExactSolution;

/// Maxima of the errors over a window of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Configuration.
    pub q: f64,
    /// Velocity, relative.
    pub v: f64,
    /// Multipliers, relative.
    pub lambda: f64,
    /// max |Phi|_2.
    pub phi: f64,
    /// max |B v + Phi_t|_2.
    pub bv: f64,
}

/// Measures errors during a run.
pub struct ErrorRecorder<'a> {
    reference: &'a dyn ExactSolution,
    windows: Vec<(f64, f64)>,
    /// One set of errors per window.
    pub errors: Vec<Errors>,
    q: Vec<f64>,
    v: Vec<f64>,
    lambda: Vec<f64>,
    difference: Vec<f64>,
    rows: Vec<f64>,
}

impl<'a> ErrorRecorder<'a> {
    /// Compares with this reference, over windows (from, to].
    pub fn new(reference: &'a dyn ExactSolution, windows: &[(f64, f64)]) -> Self {
        ErrorRecorder {
            reference,
            windows: windows.to_vec(),
            errors: vec![Errors::default(); windows.len()],
            q: Vec::new(),
            v: Vec::new(),
            lambda: Vec::new(),
            difference: Vec::new(),
            rows: Vec::new(),
        }
    }
}

fn norm(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn relative(x: &[f64], reference: &[f64]) -> f64 {
    norm(x.iter().zip(reference).map(|(a, b)| a - b)) / norm(x.iter().copied())
}

impl Recorder for ErrorRecorder<'_> {
    fn record(&mut self, sample: &Sample) {
        let s = sample.state;
        let inside = |w: &(f64, f64)| s.t > w.0 + 1e-12 && s.t <= w.1 * (1.0 + 1e-12);
        if sample.step == 0 || !self.windows.iter().any(inside) {
            return;
        }
        self.q.resize(s.q.len(), 0.0);
        self.v.resize(s.v.len(), 0.0);
        self.difference.resize(s.v.len(), 0.0);
        self.lambda.resize(s.lambda.len(), 0.0);
        self.rows.resize(s.lambda.len(), 0.0);
        self.reference.at(s.t, &mut self.q, &mut self.v, &mut self.lambda);
        sample.system.group().difference(&s.q, &self.q, &mut self.difference);
        let q = norm(self.difference.iter().copied());
        let v = relative(&s.v, &self.v);
        let lambda = if s.lambda.is_empty() { 0.0 } else { relative(&s.lambda, &self.lambda) };
        sample.system.constraint(&s.at(), &mut self.rows);
        let phi = norm(self.rows.iter().copied());
        let mut bv = 0.0;
        if !s.lambda.is_empty() {
            sample.system.velocity_constraint(&s.at(), &mut self.rows);
            bv = norm(self.rows.iter().copied());
        }
        for (window, e) in self.windows.iter().zip(&mut self.errors) {
            if inside(window) {
                for (max, x) in [
                    (&mut e.q, q),
                    (&mut e.v, v),
                    (&mut e.lambda, lambda),
                    (&mut e.phi, phi),
                    (&mut e.bv, bv),
                ] {
                    // NaN must be kept.
                    if x > *max || x.is_nan() {
                        *max = x;
                    }
                }
            }
        }
    }
}

/// Observed order from errors at two step sizes.
pub fn observed_order(h_coarse: f64, e_coarse: f64, h_fine: f64, e_fine: f64) -> f64 {
    (e_coarse / e_fine).ln() / (h_coarse / h_fine).ln()
}
