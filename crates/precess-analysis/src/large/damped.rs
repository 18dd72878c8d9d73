//! Modes of large models with damping: shift and invert of the quadratic problem in real numbers.
//!
//! ```text
//! (s^2 M + s D + K) z + B^T mu = 0,  B z = 0,  w = s z
//! [ sigma^2 M + sigma D + K   B^T ] [ z+ ]     [ M w + (D + sigma M) z ]
//! [ B                          0  ] [ mu ] = - [ 0                     ] ,   w+ = z + sigma z+,   theta = 1/(s - sigma)
//! ```
//!
//! with a real shift sigma > 0 of about half of the lowest frequency. Arnoldi's method keeps all vectors orthogonal in the measure of the energy.

use nalgebra::{Complex, DMatrix, DVector};

use super::{MOST, Shifted};
use crate::AnalysisError;
use crate::assembly::noise;
use crate::eigen::eigenvalues;

/// Part of a pair that is not yet one.
const CONVERGED: f64 = 1e-9;

/// Eigenvalues with their shapes.
type Pairs = Vec<(Complex<f64>, DVector<Complex<f64>>)>;

/// Positions and velocities, and M times them.
struct Vector {
    z: DVector<f64>,
    w: DVector<f64>,
    mz: DVector<f64>,
    mw: DVector<f64>,
}

struct Arnoldi<'a, 'b> {
    shifted: &'a mut Shifted<'b>,
    sigma: f64,
    /// Weight of positions in the measure, 1/s^2.
    weight: f64,
    basis: Vec<Vector>,
    h: DMatrix<f64>,
}

/// Eigenvalues with non-negative imaginary part nearest to zero, by frequency, with their shapes; `kappa` is about the lowest stiffness.
pub(super) fn lowest(
    shifted: &mut Shifted,
    n: usize,
    kappa: f64,
    floor: f64,
) -> Result<Pairs, AnalysisError> {
    let sigma = 0.5 * kappa.max(floor).sqrt();
    shifted.factor_both(sigma * sigma, sigma)?;
    let size = shifted.system.group().dim();
    let mut run =
        Arnoldi { shifted, sigma, weight: kappa.max(floor), basis: Vec::new(), h: DMatrix::zeros(0, 0) };
    run.begin();
    let mut wanted = 4 * n + 40;
    loop {
        wanted = wanted.min(MOST);
        let more = run.grow(wanted);
        let (list, converged) = run.pairs(n, floor)?;
        if converged || !more {
            return Ok(list);
        }
        if wanted >= MOST {
            return Err(AnalysisError::Eigenvalues { size });
        }
        wanted += 60;
    }
}

impl Arnoldi<'_, '_> {
    fn vector(&self, z: DVector<f64>, w: DVector<f64>) -> Vector {
        let mass = &self.shifted.t.s;
        let (mz, mw) = (Shifted::times(mass, &z), Shifted::times(mass, &w));
        Vector { z, w, mz, mw }
    }

    fn product(&self, a: &Vector, b: &Vector) -> f64 {
        self.weight * a.z.dot(&b.mz) + a.w.dot(&b.mw)
    }

    /// A vector without motions that have no stiffness.
    fn begin(&mut self) {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let k = self.shifted.system.group().dim();
        let y = DVector::from_fn(k, |_, _| noise(&mut seed));
        let y = self.shifted.solve(&Shifted::times(&self.shifted.t.s, &y));
        let z = self.shifted.solve(&Shifted::times(&self.shifted.t.k, &y));
        let first = self.vector(z, DVector::zeros(k));
        // Twice: then positions and velocities are those that joints allow.
        let first = self.apply(&first);
        let mut first = self.apply(&first);
        let size = self.product(&first, &first).sqrt();
        first = self.vector(first.z / size, first.w / size);
        self.basis.push(first);
    }

    fn apply(&mut self, v: &Vector) -> Vector {
        let mut right = &v.mw + &v.mz * self.sigma;
        if let Some(damping) = &self.shifted.damping {
            damping.s.gemv(1.0, v.z.as_slice(), right.as_mut_slice());
        }
        let z = self.shifted.solve(&-right);
        let w = &v.z + &z * self.sigma;
        self.vector(z, w)
    }

    /// Lengthens the basis; false if nothing new comes.
    fn grow(&mut self, size: usize) -> bool {
        let before = self.h.ncols();
        self.h = std::mem::take(&mut self.h).resize(size + 1, size, 0.0);
        for j in before..size {
            let Some(last) = self.basis.get(j) else { return false };
            let last =
                Vector { z: last.z.clone(), w: last.w.clone(), mz: last.mz.clone(), mw: last.mw.clone() };
            let Vector { mut z, mut w, .. } = self.apply(&last);
            for _ in 0..2 {
                for (i, v) in self.basis.iter().enumerate() {
                    let part = self.weight * v.mz.dot(&z) + v.mw.dot(&w);
                    self.h[(i, j)] += part;
                    z.axpy(-part, &v.z, 1.0);
                    w.axpy(-part, &v.w, 1.0);
                }
            }
            let rest = self.vector(z, w);
            let norm = self.product(&rest, &rest).sqrt();
            self.h[(j + 1, j)] = norm;
            if !(norm > 1e-13 * self.h.column(j).norm()) {
                self.h = self.h.view((0, 0), (j + 2, j + 1)).into();
                return false;
            }
            let next = self.vector(rest.z / norm, rest.w / norm);
            self.basis.push(next);
        }
        true
    }

    /// The first n pairs, and whether all of them have converged.
    fn pairs(&self, n: usize, floor: f64) -> Result<(Pairs, bool), AnalysisError> {
        let m = self.h.ncols();
        let square: DMatrix<f64> = self.h.view((0, 0), (m, m)).into();
        let value = |theta: &Complex<f64>| Complex::new(self.sigma, 0.0) + theta.inv();
        let mut thetas: Vec<Complex<f64>> = eigenvalues(&square)?
            .into_iter()
            .filter(|t| {
                t.norm() > 0.0 && value(t).im >= 0.0 && value(t).norm_sqr() > floor.max(1e-8 * self.weight)
            })
            .collect();
        // By frequency, then by decay, as everywhere; those far away come last.
        let rank = |t: &Complex<f64>| (value(t).im, value(t).re.abs());
        thetas.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
        thetas.truncate(n);
        thetas.sort_by(|a, b| rank(a).0.total_cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
        let mut converged = thetas.len() == n;
        let edge = self.h[(m, m - 1)];
        let complex = square.map(|x| Complex::new(x, 0.0));
        let mut list = Vec::with_capacity(n);
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        for theta in thetas {
            let shift = theta * Complex::new(1.0 + 1e-13, 1e-13);
            let lu = (&complex - DMatrix::identity(m, m) * shift).lu();
            let mut y = DVector::from_fn(m, |_, _| Complex::new(noise(&mut seed), noise(&mut seed)));
            for _ in 0..3 {
                y = lu.solve(&y).unwrap_or(y);
                y /= Complex::new(y.norm(), 0.0);
            }
            converged &= edge * y[m - 1].norm() <= CONVERGED * theta.norm();
            let mut z = DVector::zeros(self.basis.first().map_or(0, |v| v.z.len()));
            for (v, y) in self.basis.iter().zip(y.iter()) {
                z += v.z.map(|x| y * x);
            }
            list.push((value(&theta), z));
        }
        Ok((list, converged))
    }
}
