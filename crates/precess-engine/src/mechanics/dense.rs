//! Sorting and decompositions of dense matrices. The functions are concrete, so that other crates do not
//! compile them again.

use std::cmp::Ordering;

use nalgebra::{DMatrix, Dyn, SVD, SymmetricEigen};

/// The order of n items, from their comparison. Equal items keep their order.
pub fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| compare(*i, *j));
    order
}

/// Sorts a list. Equal items keep their order.
pub fn sort_by<T: Clone>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(list.len(), &|i, j| compare(&list[i], &list[j]));
    *list = order.iter().map(|i| list[*i].clone()).collect();
}

/// Eigenvalues and eigenvectors of a symmetric matrix, which is not empty.
///
/// # Panics
/// If the matrix is empty or not square.
pub fn symmetric_eigen(a: DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    a.symmetric_eigen()
}

/// The singular value decomposition of a matrix, which is not empty.
///
/// # Panics
/// If the matrix is empty.
pub fn svd(a: DMatrix<f64>) -> SVD<f64, Dyn, Dyn> {
    a.svd(true, true)
}
