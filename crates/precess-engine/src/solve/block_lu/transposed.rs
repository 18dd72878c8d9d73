//! Solution of the transposed equations with the same factors, for adjoint gradients. The loops are plain,
//! because this code is not in the step loop.
//!
//! A pivot D with L below and U beside it is eliminated as
//!
//! ```text
//! [ D  U ]   [ G   0 ] [ F  H ]        inverted:     G = 1,     F = D,  H = U
//! [ L  . ] = [ L/F 1 ] [ 0  . ]        factorised:   D = G F,   G = P^T l,  F = u,  H = G^-1 U
//! ```
//!
//! The transposed equations therefore begin with F^T and H^T and end with L/F and G^T.

use super::{BlockLu, MAX_INVERTED};

impl BlockLu {
    /// Solves with the transposed matrix in place, after [`factor`](Self::factor).
    pub fn solve_transposed(&self, b: &mut [f64], work: &mut Vec<f64>) {
        work.clear();
        work.extend(self.order.iter().map(|&u| b[u as usize]));
        let x = &mut work[..];
        let (lower, upper) = self.values.split_at(self.upper);
        for pair in self.pivots.windows(2) {
            let (pivot, runs) = (&pair[0], &self.rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r, at) = (pivot.dim as usize, pivot.rest as usize, pivot.at as usize);
            let (d, c) = upper[pivot.values as usize..].split_at(n * n);
            let (own, later) = x[at..].split_at_mut(n);
            if n <= self.inverted {
                times_transposed(d, own);
            } else {
                for k in 0..n {
                    let above: f64 = (0..k).map(|i| d[k * n + i] * own[i]).sum();
                    own[k] = (own[k] - above) * d[k * n + k];
                }
            }
            for run in runs {
                for i in 0..run.len as usize {
                    let row = run.from as usize + i;
                    later[run.to as usize + i - at - n] -=
                        own.iter().enumerate().map(|(k, y)| c[k * r + row] * y).sum::<f64>();
                }
            }
        }
        for pair in self.pivots.windows(2).rev() {
            let (pivot, runs) = (&pair[0], &self.rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r, at) = (pivot.dim as usize, pivot.rest as usize, pivot.at as usize);
            let (d, l) = (&upper[pivot.values as usize..], &lower[pivot.below as usize..]);
            let (own, later) = x[at..].split_at_mut(n);
            for run in runs {
                let (from, len) = (run.from as usize, run.len as usize);
                let theirs = &later[run.to as usize - at - n..][..len];
                for (k, y) in own.iter_mut().enumerate() {
                    *y -= l[k * r + from..].iter().zip(theirs).map(|(l, x)| l * x).sum::<f64>();
                }
            }
            if n > self.inverted {
                for k in (0..n).rev() {
                    own[k] -= (k + 1..n).map(|i| d[k * n + i] * own[i]).sum::<f64>();
                }
                for k in (0..n).rev() {
                    own.swap(k, self.row_pivots[at + k] as usize);
                }
            }
        }
        for (x, &u) in work.iter().zip(&self.order) {
            b[u as usize] = *x;
        }
    }
}

/// x <- D^T x.
fn times_transposed(d: &[f64], x: &mut [f64]) {
    let mut y = [0.0; MAX_INVERTED];
    let n = x.len();
    y[..n].copy_from_slice(x);
    for (k, x) in x.iter_mut().enumerate() {
        *x = d[k * n..(k + 1) * n].iter().zip(&y).map(|(d, y)| d * y).sum();
    }
}
