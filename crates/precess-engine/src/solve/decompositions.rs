//! Decompositions of dense matrices. The functions are concrete, so that other crates do not compile them
//! again.

use nalgebra::{DMatrix, Dyn, SVD, SymmetricEigen};

/// Eigenvalues and eigenvectors of a symmetric matrix, which is not empty.
///
/// # Panics
///
/// If the matrix is empty or not square.
pub fn symmetric_eigen(a: DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    a.symmetric_eigen()
}

/// The singular value decomposition of a matrix, which is not empty.
///
/// # Panics
///
/// If the matrix is empty.
pub fn svd(a: DMatrix<f64>) -> SVD<f64, Dyn, Dyn> {
    a.svd(true, true)
}
