//! The linear space as a Lie group.

use nalgebra::{SMatrix, SVector};

use crate::LieGroup;

/// `R^N` with the addition, see (12), (13) and Remark 2.8c.
///
/// All operators are trivial: the exponential map is the identity and the bracket vanishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rn<const N: usize>;

impl<const N: usize> LieGroup for Rn<N> {
    const NAME: &'static str = "Rn";
    const DIM: usize = N;
    const REPR: usize = N;
    type Element = SVector<f64, N>;
    type Vector = SVector<f64, N>;
    type Matrix = SMatrix<f64, N, N>;

    #[inline]
    fn identity() -> Self::Element {
        SVector::zeros()
    }

    #[inline]
    fn compose(a: &Self::Element, b: &Self::Element) -> Self::Element {
        a + b
    }

    #[inline]
    fn inverse(a: &Self::Element) -> Self::Element {
        -a
    }

    #[inline]
    fn exp(x: &Self::Vector) -> Self::Element {
        *x
    }

    #[inline]
    fn log(q: &Self::Element) -> Self::Vector {
        *q
    }

    #[inline]
    fn hat(_: &Self::Vector) -> Self::Matrix {
        SMatrix::zeros()
    }

    #[inline]
    fn adjoint(_: &Self::Element) -> Self::Matrix {
        SMatrix::identity()
    }

    #[inline]
    fn tangent(_: &Self::Vector) -> Self::Matrix {
        SMatrix::identity()
    }

    #[inline]
    fn tangent_inverse(_: &Self::Vector) -> Self::Matrix {
        SMatrix::identity()
    }

    #[inline]
    fn tangent_derivative(_: &Self::Vector, _: &Self::Vector) -> Self::Matrix {
        SMatrix::zeros()
    }

    #[inline]
    fn tangent_times_derivative(_: &Self::Vector, _: &Self::Vector) -> Self::Matrix {
        SMatrix::zeros()
    }

    #[inline]
    fn cayley(x: &Self::Vector) -> Self::Element {
        *x
    }

    #[inline]
    fn cayley_inverse(q: &Self::Element) -> Self::Vector {
        *q
    }

    #[inline]
    fn cayley_tangent(_: &Self::Vector) -> Self::Matrix {
        SMatrix::identity()
    }

    #[inline]
    fn cayley_tangent_inverse(_: &Self::Vector) -> Self::Matrix {
        SMatrix::identity()
    }
}
