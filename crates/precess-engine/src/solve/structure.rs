//! The structure of a system: which parts touch each other. It is known before the first step, so matrices
//! are sparse from the start.

use std::ops::Range;

/// Rows of the constraints that belong together, and the factors of the group they touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// The rows.
    pub rows: Range<usize>,
    /// Factors of the group, without repetition.
    pub factors: Vec<usize>,
}

/// The sparsity of a system in blocks: one block per factor of its group and one per group of constraint
/// rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Constraints in the order of their rows; together they cover all rows.
    pub constraints: Vec<RowGroup>,
    /// Pairs of different factors coupled by forces: off-diagonal blocks of D, K (and M). Repetitions are
    /// allowed.
    pub couplings: Vec<(usize, usize)>,
    /// Pairs of different factors coupled by D_q(B^T lambda): further off-diagonal blocks of K.
    pub curved: Vec<(usize, usize)>,
    /// Consecutive rows of one kind (points of a joint, directions of a joint) that are regularised with one
    /// weight.
    pub classes: Vec<Range<usize>>,
}
