//! Small helpers for dense matrices, which may be empty.

pub(crate) use crate::solve::decompositions::pseudo_solve;
use crate::solve::decompositions::symmetric_eigen;
use crate::solve::products::product;
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

/// Eigenvalues and eigenvectors of a symmetric matrix, which may be empty.
pub(crate) fn symmetric(a: DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    if a.is_empty() {
        return SymmetricEigen { eigenvectors: DMatrix::zeros(0, 0), eigenvalues: DVector::zeros(0) };
    }
    symmetric_eigen(a)
}

/// The order of ascending values.
pub(crate) fn ascending(values: &DVector<f64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    order
}

/// The exponential of a rotation or twist, exact to rounding: the series of the matrix divided by a power of
/// two, then squares of it. nalgebra has the function only with features that take long to compile.
pub(crate) fn exponential(mut a: DMatrix<f64>) -> DMatrix<f64> {
    /// 0.5^18 / 18! is below the rounding errors of one.
    const TERMS: u32 = 18;
    let one = DMatrix::identity(a.nrows(), a.ncols());
    let mut squarings = 0;
    // The bound on the number ends the loop if an entry is not finite.
    while !(a.norm() <= 0.5) && squarings < 1100 {
        a *= 0.5;
        squarings += 1;
    }
    let mut sum = one.clone();
    for k in (1..=TERMS).rev() {
        sum = &one + product(&a, &sum) / f64::from(k);
    }
    for _ in 0..squarings {
        sum = product(&sum, &sum);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lie::rotation::{rotation_matrix, skew};
    use crate::lie::{LieGroup, SO3};
    use nalgebra::{Matrix3, Vector3};

    /// The exponential of a skew matrix is the rotation of the Lie group, also for many turns.
    #[test]
    fn exponentials_are_rotations() {
        for angle in [0.0, 1e-9, 0.4, 3.0, 70.0] {
            let x = Vector3::new(0.36, -0.48, 0.8) * angle;
            let expected: Matrix3<f64> = rotation_matrix(SO3::exp(&x).as_slice());
            let found = exponential(DMatrix::from_column_slice(3, 3, skew(&x).as_slice()));
            let error = (found - DMatrix::from_column_slice(3, 3, expected.as_slice())).norm();
            assert!(error < 1e-15 + 1e-15 * angle, "{error:e} for {angle}");
        }
        assert!(exponential(DMatrix::from_element(2, 2, f64::NAN)).iter().all(|x| x.is_nan()));
    }
}
