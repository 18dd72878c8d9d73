//! The static interface of a Lie group.

use std::fmt::Debug;
use std::ops::{Add, Index, IndexMut, Mul, Neg, Sub};

/// A Lie group whose elements, tangent vectors and operators live on the stack.
///
/// Tangent vectors are left trivialised, see (5) and (6): the vector `v` at the element `q` represents the
/// derivative `q v~`, where `v~` is the element of the Lie algebra with coordinates `v`. Equation numbers
/// refer to the reference named in the crate documentation.
pub trait LieGroup {
    /// Name of the group.
    const NAME: &'static str;
    /// Dimension of the Lie algebra.
    const DIM: usize;
    /// Number of `f64` that store an element.
    const REPR: usize;
    /// An element of the group: a column of [`Self::REPR`] numbers.
    type Element: Copy + Debug + PartialEq + Index<usize, Output = f64> + IndexMut<usize>;
    /// Coordinates of an element of the Lie algebra: a column of [`Self::DIM`] numbers.
    type Vector: Copy
        + Debug
        + PartialEq
        + Index<usize, Output = f64>
        + IndexMut<usize>
        + Add<Output = Self::Vector>
        + Sub<Output = Self::Vector>
        + Neg<Output = Self::Vector>
        + Mul<f64, Output = Self::Vector>;
    /// A linear map of the Lie algebra: a square matrix of [`Self::DIM`] rows.
    type Matrix: Copy
        + Debug
        + PartialEq
        + Index<(usize, usize), Output = f64>
        + IndexMut<(usize, usize)>
        + Add<Output = Self::Matrix>
        + Sub<Output = Self::Matrix>
        + Mul<f64, Output = Self::Matrix>
        + Mul<Self::Vector, Output = Self::Vector>
        + Mul<Output = Self::Matrix>;

    /// The neutral element.
    fn identity() -> Self::Element;

    /// The group operation `a ∘ b`.
    fn compose(a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// The inverse element.
    fn inverse(a: &Self::Element) -> Self::Element;

    /// Exponential map (8).
    fn exp(x: &Self::Vector) -> Self::Element;

    /// Inverse of the exponential map, with a rotation angle of at most `pi`.
    fn log(q: &Self::Element) -> Self::Vector;

    /// Matrix of the Lie bracket (29): `hat(x) y = [x, y]`.
    fn hat(x: &Self::Vector) -> Self::Matrix;

    /// Adjoint representation: `q exp(x) q^-1 = exp(adjoint(q) x)`.
    fn adjoint(q: &Self::Element) -> Self::Matrix;

    /// Tangent operator (30): the derivative of `exp(x)` in the direction `dx` is
    /// `exp(x) (T(x) dx)~`.
    fn tangent(x: &Self::Vector) -> Self::Matrix;

    /// Inverse of the tangent operator; singular for a rotation by a full turn.
    fn tangent_inverse(x: &Self::Vector) -> Self::Matrix;

    /// Derivative of the matrix `T(x)` in the direction `dx`.
    fn tangent_derivative(x: &Self::Vector, dx: &Self::Vector) -> Self::Matrix;

    /// Jacobian of `T(x) w` with respect to `x`: column `j` is the derivative of `T` in the
    /// direction of the unit vector `j`, times `w`.
    fn tangent_times_derivative(x: &Self::Vector, w: &Self::Vector) -> Self::Matrix;

    /// Cayley map `cay(x~/2) = (I - x~/2)^-1 (I + x~/2)` in the matrix representation (4).
    fn cayley(x: &Self::Vector) -> Self::Element;

    /// Inverse of the Cayley map; not finite for a rotation by a half turn, which the map does not
    /// reach.
    fn cayley_inverse(q: &Self::Element) -> Self::Vector;

    /// Tangent operator of the Cayley map: its derivative in the direction `dx` is
    /// `cay(x~/2) (cayley_tangent(x) dx)~`.
    fn cayley_tangent(x: &Self::Vector) -> Self::Matrix;

    /// Inverse of the tangent operator of the Cayley map.
    fn cayley_tangent_inverse(x: &Self::Vector) -> Self::Matrix;

    /// The local parametrisation (9): `q ∘ exp(x)`.
    #[inline]
    fn retract(q: &Self::Element, x: &Self::Vector) -> Self::Element {
        Self::compose(q, &Self::exp(x))
    }

    /// The vector from `a` to `b`: `log(a^-1 ∘ b)`.
    #[inline]
    fn difference(a: &Self::Element, b: &Self::Element) -> Self::Vector {
        Self::log(&Self::compose(&Self::inverse(a), b))
    }

    /// The path of Remark 2.2 from `a` (`theta = 0`) to `b` (`theta = 1`).
    #[inline]
    fn interpolate(a: &Self::Element, b: &Self::Element, theta: f64) -> Self::Element {
        Self::retract(a, &(Self::difference(a, b) * theta))
    }
}
