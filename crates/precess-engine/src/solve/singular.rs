//! The error of a factorisation.

/// A pivot vanished: the matrix is singular to working precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// The column of the pivot.
    pub column: usize,
    /// The pivot.
    pub pivot: f64,
    /// The largest entry of the column before the factorisation.
    pub size: f64,
}
