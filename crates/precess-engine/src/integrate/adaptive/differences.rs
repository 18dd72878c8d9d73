//! Modified divided differences: the history of a BDF method on any grid, for every order at once.
//!
//! With psi_i = t_n - t_nmi and the divided differences Y[t_n, t_nm1, ...] the rows are
//!
//! ```text
//! phi_1 = Y_n,   phi_i = psi_1 ... psi_im1 Y[t_n, ..., t_nmip1],   i = 1..k+1,
//! ```
//!
//! so that phi_i is of size h^(i-1). Before a step h of order k they are scaled with beta_i to the new grid,
//! and then the polynomial of degree k through the known values is at t_np1
//!
//! ```text
//! Y_pred = sum phi_i,    Y'_pred = sum gamma_i phi_i,    i = 1..k+1.
//! ```
//!
//! (The formulas are those of DASSL: Brenan, Campbell and Petzold, *Numerical solution of initial-value
//! problems in differential-algebraic equations*, section 5.2.) Y consists of the linear increments psi, of
//! which only differences count, the velocities and the multipliers.

use super::super::bliedf::coefficients::MAX_K;

/// Rows are numbered from 1 to MAX_K + 2 as in the formulas; row 0 is not used.
const ROWS: usize = MAX_K + 3;

/// One row of every part of Y.
#[derive(Clone, Debug, Default)]
pub(super) struct DifferenceRow {
    /// Differences of the linear increments.
    pub psi: Vec<Vec<f64>>,
    /// Differences of the velocities.
    pub v: Vec<Vec<f64>>,
    /// Differences of the multipliers.
    pub lambda: Vec<Vec<f64>>,
}

impl DifferenceRow {
    fn each(&mut self) -> [&mut Vec<Vec<f64>>; 3] {
        [&mut self.psi, &mut self.v, &mut self.lambda]
    }
}

/// The history, and the coefficients of the current attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    /// phi.
    pub phi: DifferenceRow,
    /// Distances t_n - t_nmi.
    grid: [f64; ROWS],
    alpha: [f64; ROWS],
    beta: [f64; ROWS],
    /// Derivative of the predictor.
    pub gamma: [f64; ROWS],
    /// Error constants of the orders on this grid: that of order k is sigma_kp1.
    pub sigma: [f64; ROWS],
    /// Number of steps of equal size and order, including the current one.
    pub equal: usize,
    h_old: f64,
    k_old: usize,
}

crate::persist!(DifferenceRow { psi, v, lambda });
crate::persist!(Differences { phi, grid, alpha, beta, gamma, sigma, equal, h_old, k_old } where |x| {
    x.k_old <= MAX_K && x.equal <= MAX_K + 2 => "the order of the last step is not an order of this method",
    x.grid[1] > 0.0 && x.grid.iter().all(|d| *d >= 0.0) => "the times of the history do not increase",
});

fn add(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x;
    }
}

fn scale(factor: f64, x: &mut [f64]) {
    x.iter_mut().for_each(|x| *x *= factor);
}

impl Differences {
    /// Allocates space for dim velocities and m multipliers.
    pub fn resize(&mut self, dim: usize, m: usize) {
        let rows = |n: usize| vec![vec![0.0; n]; ROWS];
        *self = Differences {
            phi: DifferenceRow { psi: rows(dim), v: rows(dim), lambda: rows(m) },
            ..Self::default()
        };
    }

    /// A history of one point and its derivatives, for order 1 and a first step of about h.
    pub fn begin(&mut self, h: f64, v: &[f64], vdot: &[f64], lambda: &[f64], lambda_dot: &[f64]) {
        for rows in self.phi.each() {
            rows.iter_mut().for_each(|row| row.fill(0.0));
        }
        for (rows, y, dy) in [
            (&mut self.phi.psi, None, v),
            (&mut self.phi.v, Some(v), vdot),
            (&mut self.phi.lambda, Some(lambda), lambda_dot),
        ] {
            if let Some(y) = y {
                rows[1].copy_from_slice(y);
            }
            for (x, d) in rows[2].iter_mut().zip(dy) {
                *x = h * d;
            }
        }
        self.grid = [0.0; ROWS];
        self.grid[1] = h;
        (self.equal, self.h_old, self.k_old) = (0, 0.0, 0);
    }

    /// A history of k + 1 points, the newest last: their times, increments from one to the next (one less),
    /// velocities and multipliers.
    pub fn fill(&mut self, times: &[f64], psi: &[Vec<f64>], v: &[&[f64]], lambda: &[&[f64]]) {
        let k = times.len() - 1;
        let newest = times[k];
        self.grid = [0.0; ROWS];
        for i in 1..=k {
            self.grid[i] = newest - times[k - i];
        }
        // Values relative to the newest point: psi_n = 0, psi_nm1 = -(increment), ...
        let mut y = vec![0.0; psi[0].len()];
        for i in 0..=k {
            if i > 0 {
                for (y, d) in y.iter_mut().zip(&psi[k - i]) {
                    *y -= d;
                }
            }
            self.phi.psi[i + 1].copy_from_slice(&y);
            self.phi.v[i + 1].copy_from_slice(v[k - i]);
            self.phi.lambda[i + 1].copy_from_slice(lambda[k - i]);
        }
        let grid = self.grid;
        for rows in self.phi.each() {
            // Computes divided differences in place, then multiplies them by the distances.
            for level in 1..=k {
                for i in (level..=k).rev() {
                    let (head, tail) = rows.split_at_mut(i + 1);
                    let distance = grid[i] - if i > level { grid[i - level] } else { 0.0 };
                    for (x, before) in tail[0].iter_mut().zip(&head[i]) {
                        *x = (before - *x) / distance;
                    }
                }
            }
            let mut product = 1.0;
            for i in 1..=k {
                product *= grid[i];
                scale(product, &mut rows[i + 1]);
            }
        }
        (self.equal, self.h_old, self.k_old) = (0, 0.0, k);
    }

    /// Weights of phi_1, ..., phi_kp1 in the polynomial of degree k at t_n + tau, before
    /// [`predict`](Self::predict).
    pub fn weights_at(&self, k: usize, tau: f64, weights: &mut [f64]) {
        weights[0] = 1.0;
        let mut before = 0.0;
        for j in 1..=k {
            weights[j] = weights[j - 1] * (tau + before) / self.grid[j];
            before = self.grid[j];
        }
    }

    /// Scales the differences to the grid with a step h of order k; returns cj and the constant ck of the
    /// error test.
    pub fn predict(&mut self, h: f64, k: usize) -> (f64, f64) {
        if h != self.h_old || k != self.k_old {
            self.equal = 0;
        }
        self.equal = (self.equal + 1).min(self.k_old + 2);
        if k + 1 >= self.equal {
            (self.alpha[1], self.beta[1], self.sigma[1], self.gamma[1]) = (1.0, 1.0, 1.0, 0.0);
            let mut x = h;
            for i in 2..=k + 1 {
                let y = self.grid[i - 1];
                self.grid[i - 1] = x;
                self.beta[i] = self.beta[i - 1] * x / y;
                x = y + h;
                self.alpha[i] = h / x;
                self.sigma[i] = (i - 1) as f64 * self.sigma[i - 1] * self.alpha[i];
                self.gamma[i] = self.gamma[i - 1] + self.alpha[i - 1] / h;
            }
            self.grid[k + 1] = x;
        }
        let beta = self.beta;
        for rows in self.phi.each() {
            for i in self.equal + 1..=k + 1 {
                scale(beta[i], &mut rows[i]);
            }
        }
        let fixed: f64 = -(1..=k).map(|i| 1.0 / i as f64).sum::<f64>();
        let variable: f64 = -self.alpha[1..=k].iter().sum::<f64>();
        let last = self.alpha[k + 1];
        (-fixed / h, last.max((last + fixed - variable).abs()))
    }

    /// Undoes [`predict`](Self::predict) after a rejected step.
    pub fn restore(&mut self, h: f64, k: usize) {
        for i in 2..=k + 1 {
            self.grid[i - 1] = self.grid[i] - h;
        }
        let beta = self.beta;
        for rows in self.phi.each() {
            for i in self.equal + 1..=k + 1 {
                scale(1.0 / beta[i], &mut rows[i]);
            }
        }
        // The next step cannot equal this one.
        self.h_old = f64::NAN;
    }

    /// Adds the difference E = Y - Y_pred of an accepted step of order k.
    pub fn accept(&mut self, h: f64, k: usize, error: [&[f64]; 3]) {
        for (rows, e) in self.phi.each().into_iter().zip(error) {
            if k < MAX_K {
                rows[k + 2].copy_from_slice(e);
            }
            add(e, &mut rows[k + 1]);
            for i in (1..=k).rev() {
                let (head, tail) = rows.split_at_mut(i + 1);
                add(&tail[0], &mut head[i]);
            }
        }
        self.phi.psi[1].fill(0.0);
        (self.h_old, self.k_old) = (h, k);
    }

    /// out = sum_{1..k+1} phi_i.
    pub fn value(rows: &[Vec<f64>], k: usize, out: &mut [f64]) {
        out.fill(0.0);
        for row in &rows[1..=k + 1] {
            add(row, out);
        }
    }

    /// out = sum_{1..k+1} gamma_i phi_i.
    pub fn slope(&self, rows: &[Vec<f64>], k: usize, out: &mut [f64]) {
        out.fill(0.0);
        for (row, gamma) in rows[1..=k + 1].iter().zip(&self.gamma[1..]) {
            for (o, x) in out.iter_mut().zip(row) {
                *o += gamma * x;
            }
        }
    }
}
