//! The recorded data of a run.

use precess::problems::ExactSolution;
use precess::study::{Errors, Sample, Summary, larger};

/// The recorded data of a run, including step 0.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Steps, iterations and step size.
    pub summary: Summary,
    /// Times.
    pub t: Vec<f64>,
    /// |log(q_n^-1 o q(t_n))|.
    pub q: Vec<f64>,
    /// |v_n - v(t_n)| / |v_n|.
    pub v: Vec<f64>,
    pub(super) rows: usize,
    pub(super) lambda: Vec<f64>,
    pub(super) lambda_error: Vec<f64>,
    pub(super) phi: Vec<f64>,
    pub(super) bv: Vec<f64>,
    pub(super) eta: Vec<f64>,
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Trace {
    /// One multiplier, a step per unit of time.
    pub fn of_multiplier(lambda: &[f64]) -> Self {
        let t = (0..lambda.len()).map(|n| n as f64).collect();
        Self { rows: 1, t, lambda: lambda.to_vec(), ..Self::default() }
    }

    fn at<'a>(&self, x: &'a [f64], n: usize) -> &'a [f64] {
        &x[n * self.rows..(n + 1) * self.rows]
    }

    /// Last step.
    pub fn last(&self) -> usize {
        self.t.len() - 1
    }

    /// lambda_n.
    pub fn lambda(&self, n: usize) -> &[f64] {
        self.at(&self.lambda, n)
    }

    /// lambda(t_n) - lambda_n.
    pub fn lambda_error(&self, n: usize) -> &[f64] {
        self.at(&self.lambda_error, n)
    }

    /// |lambda_n|.
    pub fn lambda_size(&self, n: usize) -> f64 {
        norm(self.lambda(n))
    }

    /// |lambda(t_n) - lambda_n| / |lambda_n|.
    pub fn lambda_relative(&self, n: usize) -> f64 {
        norm(self.lambda_error(n)) / self.lambda_size(n)
    }

    /// First component of the error of lambda, relative to |lambda_n|.
    pub fn lambda_1_relative(&self, n: usize) -> f64 {
        self.lambda_error(n)[0] / self.lambda_size(n)
    }

    /// |Phi(q_n)|.
    pub fn phi(&self, n: usize) -> f64 {
        norm(self.phi_vector(n))
    }

    /// B(q_n) v_n.
    pub fn bv_vector(&self, n: usize) -> &[f64] {
        self.at(&self.bv, n)
    }

    /// |B(q_n) v_n|.
    pub fn bv(&self, n: usize) -> f64 {
        norm(self.bv_vector(n))
    }

    /// Largest component of Phi(q_n).
    pub fn phi_max(&self, n: usize) -> f64 {
        self.phi_vector(n).iter().fold(0.0, |m, x| larger(m, x.abs()))
    }

    /// Phi(q_n).
    pub fn phi_vector(&self, n: usize) -> &[f64] {
        self.at(&self.phi, n)
    }

    /// eta_n; zero for methods without it.
    pub fn eta_vector(&self, n: usize) -> &[f64] {
        self.at(&self.eta, n)
    }

    /// |eta_n|; zero for methods without it.
    pub fn eta(&self, n: usize) -> f64 {
        norm(self.eta_vector(n))
    }

    /// Largest |f(n)| over the steps n >= 1 with from < t_n <= to; NaN if there are none.
    pub fn max(&self, window: (f64, f64), f: impl Fn(usize) -> f64) -> f64 {
        let (from, to) = window;
        let slack = 1e-9 * self.summary.h;
        let inside = |n: &usize| self.t[*n] > from + slack && self.t[*n] <= to + slack;
        (1..self.t.len()).filter(inside).map(|n| f(n).abs()).reduce(larger).unwrap_or(f64::NAN)
    }

    /// Maxima of the errors over a window.
    pub fn errors(&self, window: (f64, f64)) -> Errors {
        Errors {
            q: self.max(window, |n| self.q[n]),
            v: self.max(window, |n| self.v[n]),
            lambda: self.max(window, |n| self.lambda_relative(n)),
            phi: self.max(window, |n| self.phi(n)),
            bv: self.max(window, |n| self.bv(n)),
        }
    }

    /// Number of steps after n_0 until |lambda_n - other lambda_n| stays below a fraction of its largest
    /// value: the length of a transient that only one of two runs with the same steps has.
    pub fn steps_to(&self, other: &Trace, n_0: usize, fraction: f64) -> usize {
        let steps = n_0..self.t.len();
        let distances: Vec<f64> = steps.map(|n| self.distance(other, n)).collect();
        let peak = distances.iter().fold(0.0, |m, x| larger(m, *x));
        let above = |x: &f64| *x >= fraction * peak;
        distances.iter().rposition(above).map_or(0, |n| n + 1)
    }

    /// |lambda_n - other lambda_n|.
    pub fn distance(&self, other: &Trace, n: usize) -> f64 {
        let difference: Vec<f64> = self.lambda(n).iter().zip(other.lambda(n)).map(|(a, b)| a - b).collect();
        norm(&difference)
    }
}

impl Trace {
    pub(super) fn record(&mut self, sample: &Sample, reference: &dyn ExactSolution) {
        let (s, system) = (sample.state, sample.system);
        let (mut q, mut v) = (vec![0.0; s.q.len()], vec![0.0; s.v.len()]);
        let mut rows = vec![0.0; self.rows];
        reference.at(s.t, &mut q, &mut v, &mut rows);
        self.t.push(s.t);
        self.lambda.extend_from_slice(&s.lambda);
        self.lambda_error.extend(rows.iter().zip(&s.lambda).map(|(exact, x)| exact - x));
        for (exact, x) in v.iter_mut().zip(&s.v) {
            *exact -= x;
        }
        self.v.push(norm(&v) / norm(&s.v));
        system.group().difference(&s.q, &q, &mut v);
        self.q.push(norm(&v));
        system.constraint(&s.at(), &mut rows);
        self.phi.extend_from_slice(&rows);
        system.velocity_constraint(&s.at(), &mut rows);
        self.bv.extend_from_slice(&rows);
        match sample.eta {
            Some(eta) => self.eta.extend_from_slice(eta),
            None => self.eta.resize(self.eta.len() + self.rows, 0.0),
        }
    }
}
