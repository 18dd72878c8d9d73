//! M (or another measure of motions), K, B of a large model, and the factors of K + c M with B.

use crate::mechanics::allocate_matrix;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::redundancy::EPS;
use crate::mechanics::{State, Tangents, Want};
use crate::solve::Kkt;
use crate::solve::products::{add, block_times, largest};
use nalgebra::DVector;

use crate::analysis::AnalysisError;
use crate::analysis::assembly::noise;

/// Refinement ends with relative changes below this.
pub(super) const REFINED: f64 = 1e-9;

/// The matrices at one state, and factors of `stiffness` K + `c` M with B.
pub(super) struct Shifted<'a> {
    pub(super) system: &'a dyn Mechanism,
    /// M in `s`, K in `k`, B in `b`.
    pub(super) t: Tangents,
    kkt: Kkt,
    pub(super) c: f64,
    stiffness: f64,
    rest: Vec<f64>,
    /// Number of solutions that were accurate without refinement.
    exact: usize,
}

/// Smaller relative corrections are not needed.
const SMALL_CORRECTION: f64 = 1e-11;
/// After this number of solutions with such corrections, none are computed any more.
const ACCURATE_SOLUTIONS: usize = 3;

impl<'a> Shifted<'a> {
    /// Workspace for a system.
    pub(super) fn allocate(system: &'a dyn Mechanism) -> Self {
        let (k, m) = (system.group().dim(), system.n_lambda());
        Shifted {
            system,
            t: Tangents::of(system),
            kkt: allocate_matrix(system, 0, false, system.row_weights().is_some()),
            c: 0.0,
            stiffness: 0.0,
            rest: vec![0.0; k + m],
            exact: 0,
        }
    }

    /// The matrices at a state, and the factors of K + c M.
    pub(super) fn new(system: &'a dyn Mechanism, state: &State, c: f64) -> Result<Self, AnalysisError> {
        let mut shifted = Shifted::allocate(system);
        shifted.evaluate(state);
        shifted.factor(c)?;
        Ok(shifted)
    }

    /// M, K, B at a state.
    pub(super) fn evaluate(&mut self, state: &State) {
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature: false };
        self.t.evaluate(self.system, &state.at(), want);
    }

    /// Largest entry of K - K^T, relative to K, in the units of the coordinates: K and its transpose do the
    /// same on test motions.
    pub(super) fn asymmetry(&self, units: &DVector<f64>) -> f64 {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut worst = 0.0_f64;
        for _ in 0..3 {
            let x = units.map(|u| u * noise(&mut seed));
            let y = block_times(&self.t.k, &x);
            let mut z = vec![0.0; x.len()];
            self.t.k.gemv_transpose(1.0, x.as_slice(), &mut z);
            let z = DVector::from_vec(z);
            let sizes = [(&y - &z), y].map(|v| v.component_mul(units).amax());
            if sizes[1] > 0.0 {
                worst = worst.max(sizes[0] / sizes[1]);
            }
        }
        worst
    }

    /// Uses a diagonal matrix instead of M.
    pub(super) fn measure(&mut self, weights: &DVector<f64>) {
        self.t.s.fill(0.0);
        weights.iter().enumerate().for_each(|(i, w)| self.t.s.add_entry(i, i, *w));
    }

    /// Factors of K + c M.
    pub(super) fn factor(&mut self, c: f64) -> Result<(), AnalysisError> {
        self.form(1.0, c)
    }

    /// Factors of stiffness K + c M.
    pub(super) fn form(&mut self, stiffness: f64, c: f64) -> Result<(), AnalysisError> {
        (self.stiffness, self.c, self.exact) = (stiffness, c, 0);
        let (k, t) = (self.system.group().dim(), &self.t);
        let weights = self.system.row_weights().unwrap_or(&[]);
        let done = self.kkt.form(|kkt| {
            kkt.clear();
            kkt.add(0, 0, c, &t.s);
            if stiffness != 0.0 {
                kkt.add(0, 0, stiffness, &t.k);
            }
            kkt.add_transpose(0, k, 1.0, &t.b);
            kkt.add(k, 0, 1.0, &t.b);
            weights.iter().enumerate().for_each(|(i, w)| kkt.add_diagonal(k + i, -EPS * w));
        });
        done.map_err(|_| AnalysisError::Eigenvalues { size: k })
    }

    /// x with (K + c M) x + B^T mu = f, B x = 0, refined while it changes, at most twice.
    pub(super) fn solve(&mut self, f: &DVector<f64>) -> DVector<f64> {
        let none = DVector::zeros(self.system.n_lambda());
        self.solve_both(f, &none).0
    }

    /// x and mu with (K + c M) x + B^T mu = f, B x = b.
    pub(super) fn solve_both(&mut self, f: &DVector<f64>, b: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let (k, m) = (f.len(), b.len());
        let (mut x, mut mu) = (DVector::zeros(k), DVector::zeros(m));
        let rest = &mut self.rest;
        let passes = if self.exact >= ACCURATE_SOLUTIONS { 1 } else { 3 };
        for pass in 0..passes {
            let (top, bottom) = rest.split_at_mut(k);
            top.copy_from_slice(f.as_slice());
            bottom.copy_from_slice(b.as_slice());
            if pass > 0 {
                self.t.s.gemv(-self.c, x.as_slice(), top);
                if self.stiffness != 0.0 {
                    self.t.k.gemv(-self.stiffness, x.as_slice(), top);
                }
                self.t.b.gemv_transpose(-1.0, mu.as_slice(), top);
                self.t.b.gemv(-1.0, x.as_slice(), bottom);
            }
            self.kkt.solve(rest);
            let change = largest(&rest[..k]);
            add(1.0, &rest[..k], x.as_mut_slice());
            add(1.0, &rest[k..], mu.as_mut_slice());
            if pass == 1 && change <= SMALL_CORRECTION * largest(x.as_slice()) {
                self.exact += 1;
            }
            if pass > 0 && change <= REFINED * largest(x.as_slice()) {
                break;
            }
        }
        (x, mu)
    }
}
