//! Small helpers for dense matrices, which may be empty.

use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};
use precess::solve::decompositions::{svd, symmetric_eigen};
use precess::sorting::order;

/// The shortest x with A x = b, without singular values below `cut` times the largest.
pub(crate) fn pseudo_solve(a: &DMatrix<f64>, b: &DVector<f64>, cut: f64) -> DVector<f64> {
    if a.is_empty() {
        return DVector::zeros(b.len());
    }
    let svd = svd(a.clone());
    let smallest = cut * svd.singular_values.amax();
    svd.solve(b, smallest).unwrap_or_else(|_| DVector::zeros(b.len()))
}

/// Eigenvalues and eigenvectors of a symmetric matrix, which may be empty.
pub(crate) fn symmetric(a: DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    if a.is_empty() {
        return SymmetricEigen { eigenvectors: DMatrix::zeros(0, 0), eigenvalues: DVector::zeros(0) };
    }
    symmetric_eigen(a)
}

/// The order of ascending values.
pub(crate) fn ascending(values: &DVector<f64>) -> Vec<usize> {
    order(values.len(), &|i, j| values[i].total_cmp(&values[j]))
}

/// Largest entry in modulus; zero for an empty matrix.
pub(crate) fn largest<R: nalgebra::Dim, C: nalgebra::Dim, S: nalgebra::RawStorage<f64, R, C>>(
    a: &nalgebra::Matrix<f64, R, C, S>,
) -> f64 {
    a.iter().fold(0.0, |b: f64, x| b.max(x.abs()))
}
