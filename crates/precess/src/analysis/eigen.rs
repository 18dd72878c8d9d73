//! Eigenvalues and eigenvectors of the linear equations.
//!
//! nalgebra provides the QR algorithm and is already a dependency; faer (not tried) would also provide
//! eigenvectors of any matrix, but takes longer to build than the rest of this crate. Eigenvectors come from
//! inverse iteration instead, which also improves the eigenvalues. Without damping and gyroscopic forces the
//! problem is symmetric and both come from the symmetric solver.

use crate::solve::decompositions::{self, complex_lu, complex_solve, rank, svd};
use crate::solve::products::{
    asymmetry, complex_add, complex_dot, complex_matrix, largest, product, symmetric_part, transposed_product,
};
use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::noise;
use crate::analysis::frame::Linear;
use crate::analysis::matrix::symmetric;

/// An eigenvalue with non-negative imaginary part.
#[derive(Clone, Debug)]
pub struct Pair {
    /// s.
    pub s: Complex<f64>,
    /// p, the vector of free motions and first-order states.
    pub p: DVector<Complex<f64>>,
}

/// All eigenvalues, and the number of zeros of free motions.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Eigenvalues with non-negative imaginary parts: first those that grow without vibrating, then by size,
    /// from slow to fast. Zeros of free motions are left out.
    pub values: Vec<Complex<f64>>,
    /// Directions without stiffness, as columns of p.
    pub free: DMatrix<f64>,
    symmetric: Option<(DVector<f64>, DMatrix<f64>)>,
    a: DMatrix<f64>,
    bodies: usize,
}

/// Relative size below which damping, gyroscopic forces and asymmetry are rounding errors.
const RELATIVE_ROUNDING: f64 = 1e-11;

impl Spectrum {
    /// Eigenvalues of linear equations; stiffness below `floor` counts as zero.
    pub fn new(linear: &Linear, floor: f64) -> Result<Self, AnalysisError> {
        let n = linear.n.ncols();
        let bodies = n - linear.first_order;
        let k: DMatrix<f64> = linear.k.columns(0, bodies).into();
        let size = largest(k.as_slice());
        let floor = floor + RELATIVE_ROUNDING * size;
        let rate = size.max(floor).sqrt();
        let symmetric = linear.first_order == 0
            && asymmetry(&k) <= 1e-9 * size.max(floor)
            && largest(linear.g.as_slice()) <= RELATIVE_ROUNDING * rate.max(f64::MIN_POSITIVE);
        if symmetric {
            return Ok(Self::symmetric(&k, floor, bodies));
        }
        let mut a = DMatrix::zeros(bodies + n, bodies + n);
        a.view_mut((0, bodies), (bodies, bodies)).fill_with_identity();
        a.view_mut((bodies, 0), (n, bodies)).copy_from(&-&k);
        a.view_mut((bodies, bodies), (n, n)).copy_from(&-&linear.g);
        let all = eigenvalues(&a)?;
        let (free, zeros) = zeros(&k, &linear.g, floor);
        let mut order: Vec<Complex<f64>> = all;
        order.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        let mut values: Vec<Complex<f64>> = order.split_off(zeros.min(order.len()));
        values.retain(|s| s.im >= 0.0);
        sort(&mut values);
        Ok(Spectrum { values, free, symmetric: None, a, bodies })
    }

    fn symmetric(k: &DMatrix<f64>, floor: f64, bodies: usize) -> Self {
        let eigen = symmetric(symmetric_part(k));
        let free: Vec<usize> = (0..bodies).filter(|&i| eigen.eigenvalues[i].abs() <= floor).collect();
        let free = eigen.eigenvectors.select_columns(&free);
        let mut values: Vec<Complex<f64>> = Vec::new();
        for &kappa in eigen.eigenvalues.iter().filter(|k| k.abs() > floor) {
            if kappa > 0.0 {
                values.push(Complex::new(0.0, kappa.sqrt()));
            } else {
                values.extend([1.0, -1.0].map(|sign| Complex::new(sign * (-kappa).sqrt(), 0.0)));
            }
        }
        sort(&mut values);
        let symmetric = Some((eigen.eigenvalues, eigen.eigenvectors));
        Spectrum { values, free, symmetric, a: DMatrix::zeros(0, 0), bodies }
    }

    /// Eigenvectors of chosen eigenvalues, in their order; equal ones get independent vectors.
    pub fn pairs(&self, chosen: &[Complex<f64>]) -> Vec<Pair> {
        match &self.symmetric {
            Some((kappa, vectors)) => {
                let mut used = vec![false; kappa.len()];
                let mut pair = |s: &Complex<f64>| {
                    let square = if s.im > 0.0 { s.im * s.im } else { -s.re * s.re };
                    let distance = |i: usize| (kappa[i] - square).abs();
                    let real = s.im == 0.0;
                    let best = (0..kappa.len())
                        .filter(|&i| real || !used[i])
                        .min_by(|&i, &j| distance(i).total_cmp(&distance(j)))?;
                    used[best] = true;
                    Some(Pair { s: *s, p: vectors.column(best).map(|x| Complex::new(x, 0.0)) })
                };
                chosen.iter().filter_map(&mut pair).collect()
            }
            None => self.inverse_iteration(chosen),
        }
    }

    fn inverse_iteration(&self, chosen: &[Complex<f64>]) -> Vec<Pair> {
        let size = self.a.nrows();
        let a = complex_matrix(&self.a);
        let norm = self.a.amax();
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut found: Vec<(Complex<f64>, DVector<Complex<f64>>)> = Vec::new();
        for &s in chosen {
            let shift = s + Complex::new(1e-14, 1e-14) * (s.norm() + 1e-6 * norm);
            let mut shifted = a.clone();
            (0..size).for_each(|i| shifted[(i, i)] -= shift);
            let lu = complex_lu(shifted);
            let mut x = DVector::from_fn(size, |_, _| Complex::new(noise(&mut seed), noise(&mut seed)));
            let mut value = s;
            for _ in 0..3 {
                // Vectors of the same eigenvalue are kept independent.
                for (other, y) in &found {
                    if (other - s).norm() <= 1e-9 * s.norm() {
                        let part = complex_dot(y.as_slice(), x.as_slice());
                        complex_add(-part, y.as_slice(), x.as_mut_slice());
                    }
                }
                let length = x.norm();
                x /= Complex::new(length, 0.0);
                let Some(y) = complex_solve(&lu, &x) else { break };
                let growth = complex_dot(x.as_slice(), y.as_slice());
                if growth.norm() > 0.0 {
                    value = shift + Complex::new(1.0, 0.0) / growth;
                }
                x = y;
            }
            let length = x.norm();
            if !(length.is_finite() && length > 0.0) {
                continue;
            }
            x /= Complex::new(length, 0.0);
            let mut value = if (value - s).norm() <= 1e-6 * (s.norm() + 1e-9 * norm) { value } else { s };
            if s.im == 0.0 {
                value.im = 0.0;
            }
            found.push((value, x));
        }
        let p = |s: Complex<f64>, x: &DVector<Complex<f64>>| {
            // Positions of the bodies; for first-order states the values.
            let mut p = DVector::zeros(size - self.bodies);
            p.rows_mut(0, self.bodies).copy_from(&x.rows(0, self.bodies));
            for i in self.bodies..size - self.bodies {
                p[i] = x[self.bodies + i];
            }
            Pair { s, p }
        };
        found.iter().map(|(s, x)| p(*s, x)).collect()
    }
}

/// Sorts eigenvalues: growth without vibration first, then by size, then by frequency.
fn sort(values: &mut [Complex<f64>]) {
    let key = |s: &Complex<f64>| if s.im == 0.0 && s.re > 0.0 { 0.0 } else { s.norm() };
    values.sort_by(|x, y| key(x).total_cmp(&key(y)).then(x.im.total_cmp(&y.im)));
}

/// Eigenvalues by the QR algorithm, after balancing.
pub fn eigenvalues(a: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    decompositions::eigenvalues(a.clone()).ok_or(AnalysisError::Eigenvalues { size: a.nrows() })
}

/// Directions without stiffness, and the number of their zero eigenvalues: each has two, a position and a
/// velocity, unless damping or a gyroscopic force acts on the velocity.
fn zeros(k: &DMatrix<f64>, g: &DMatrix<f64>, floor: f64) -> (DMatrix<f64>, usize) {
    let bodies = k.ncols();
    if bodies == 0 {
        return (DMatrix::zeros(0, 0), 0);
    }
    // K^T K is not used: next to stiff parts its small eigenvalues would be rounding errors.
    let svd = svd(k.clone());
    let (Some(u), Some(v)) = (svd.u, svd.v_t) else { return (DMatrix::zeros(bodies, 0), 0) };
    let free: Vec<usize> = (0..bodies).filter(|&i| svd.singular_values[i] <= floor).collect();
    let z = v.transpose().select_columns(&free);
    if k.nrows() != bodies {
        return (z, 2 * free.len());
    }
    let y = u.select_columns(&free);
    let coupling = transposed_product(&y, &product(g, &z));
    let held = rank(&coupling, 1e-9 * g.amax().max(f64::MIN_POSITIVE));
    (z, 2 * free.len() - held.min(free.len()))
}
