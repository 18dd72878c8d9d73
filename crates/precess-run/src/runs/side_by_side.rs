//! Several runs at the same time, in the lanes of the vector unit.

pub use precess_beside::side_by_side;
