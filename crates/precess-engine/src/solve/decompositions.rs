//! Decompositions of dense matrices. The functions are concrete, so that other crates do not compile them
//! again.

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, Dyn, LU, SVD, Schur, SymmetricEigen};

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

/// The shortest x with A x = b, without singular values below `cut` times the largest; zero for an empty
/// matrix.
pub fn pseudo_solve(a: &DMatrix<f64>, b: &DVector<f64>, cut: f64) -> DVector<f64> {
    if a.is_empty() {
        return DVector::zeros(a.ncols());
    }
    let svd = svd(a.clone());
    let smallest = cut * svd.singular_values.amax();
    svd.solve(b, smallest).unwrap_or_else(|_| DVector::zeros(a.ncols()))
}

/// Number of singular values above a limit.
pub fn rank(a: &DMatrix<f64>, limit: f64) -> usize {
    if a.is_empty() { 0 } else { svd(a.clone()).singular_values.iter().filter(|s| **s > limit).count() }
}

/// Eigenvalues by the QR algorithm, after balancing; none if it does not converge.
pub fn eigenvalues(mut a: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let size = a.nrows();
    if size == 0 {
        return Some(Vec::new());
    }
    let _ = balance_parlett_reinsch(&mut a);
    let schur = Schur::try_new(a, f64::EPSILON, 200 * size.max(10))?;
    Some(schur.complex_eigenvalues().iter().copied().collect())
}

/// Eigenvalues of a complex matrix by the QR algorithm; none if it does not converge.
pub fn complex_eigenvalues(a: DMatrix<Complex<f64>>) -> Option<Vec<Complex<f64>>> {
    let size = a.nrows();
    let (_, t) = Schur::try_new(a, f64::EPSILON, 200 * size.max(10))?.unpack();
    Some(t.diagonal().iter().copied().collect())
}

/// L with A = L L^T; none if the matrix is not positive.
pub fn cholesky(a: DMatrix<f64>) -> Option<DMatrix<f64>> {
    a.cholesky().map(|c| c.unpack())
}

/// (L L^T)^-1 b.
pub fn cholesky_solve(l: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let mut x = b.clone();
    l.solve_lower_triangular_unchecked_mut(&mut x);
    l.tr_solve_lower_triangular_unchecked_mut(&mut x);
    x
}

/// L^-1 B of a lower triangle; none if it is singular.
pub fn lower_solve(l: &DMatrix<f64>, b: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    l.solve_lower_triangular(b)
}

/// L^-1 of a lower triangle; none if it is singular.
pub fn lower_inverse(l: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    lower_solve(l, &DMatrix::identity(l.nrows(), l.nrows()))
}

/// R^-1 b of an upper triangle; none if it is singular.
pub fn upper_solve(r: &DMatrix<f64>, b: &DVector<f64>) -> Option<DVector<f64>> {
    r.solve_upper_triangular(b)
}

/// R^-T b of an upper triangle; none if it is singular.
pub fn transposed_upper_solve(r: &DMatrix<f64>, b: &DVector<f64>) -> Option<DVector<f64>> {
    r.tr_solve_upper_triangular(b)
}

/// A^-1 B; none if A is singular.
pub fn solve(a: DMatrix<f64>, b: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    a.lu().solve(b)
}

/// The factors of a complex matrix.
pub fn complex_lu(a: DMatrix<Complex<f64>>) -> LU<Complex<f64>, Dyn, Dyn> {
    a.lu()
}

/// A^-1 b; none if A is singular.
pub fn complex_solve(
    factors: &LU<Complex<f64>, Dyn, Dyn>,
    b: &DVector<Complex<f64>>,
) -> Option<DVector<Complex<f64>>> {
    factors.solve(b)
}
