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
    // Balancing never ends if the norm of a column is infinite.
    if !a.norm().is_finite() {
        return None;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_shortest_solutions() {
        // The third column is the sum of the others.
        let a = DMatrix::from_row_slice(4, 3, &[1.0, 0.0, 1.0, 0.0, 2.0, 2.0, 1.0, 1.0, 2.0, 0.0, 0.0, 0.0]);
        assert_eq!(
            [rank(&a, 1e-9), rank(&a.transpose(), 1e-9), rank(&DMatrix::zeros(2, 3), 1e-9)],
            [2, 2, 0]
        );
        assert_eq!(rank(&DMatrix::zeros(0, 3), 1e-9), 0);
        // x is orthogonal to the null space (1, 1, -1).
        let x = pseudo_solve(&a, &(&a * DVector::from_vec(vec![3.0, -1.0, 0.5])), 1e-12);
        assert!((&a * &x - DVector::from_vec(vec![3.5, -1.0, 3.0, 0.0])).norm() < 1e-13, "{x}");
        assert!((x[0] + x[1] - x[2]).abs() < 1e-13, "{x}");
        assert_eq!(pseudo_solve(&DMatrix::zeros(0, 2), &DVector::zeros(0), 1e-12), DVector::zeros(2));
    }

    #[test]
    fn eigenvalues_or_none() {
        let turn = |f: f64| DMatrix::from_row_slice(2, 2, &[0.0, f, -f, 0.0]);
        let found = eigenvalues(turn(3.0)).unwrap();
        assert!(found.iter().all(|z| z.re.abs() < 1e-14 && (z.im.abs() - 3.0).abs() < 1e-14), "{found:?}");
        assert!(found[0].im * found[1].im < 0.0, "{found:?}");
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            assert_eq!(eigenvalues(turn(bad)), None, "{bad}");
        }
        assert_eq!(eigenvalues(DMatrix::zeros(0, 0)), Some(Vec::new()));
    }

    #[test]
    fn triangles_of_singular_matrices_have_no_solution() {
        let l = DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 1.0, 4.0]);
        let b = DVector::from_vec(vec![2.0, 9.0]);
        assert_eq!(lower_solve(&l, &DMatrix::from_column_slice(2, 1, b.as_slice())).unwrap()[(1, 0)], 2.0);
        let x = cholesky_solve(&l, &(&l * l.transpose() * &b));
        assert!((x - &b).norm() < 1e-13);
        let singular = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 1.0, 4.0]);
        assert!(lower_inverse(&singular).is_none() && upper_solve(&singular.transpose(), &b).is_none());
        assert!(cholesky(singular).is_none());
    }
}
