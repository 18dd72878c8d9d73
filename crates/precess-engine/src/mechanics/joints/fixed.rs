//! Fixed joint. Six rows; the three orientation rows are the upper set a_1.b_2, a_1.b_3, a_2.b_3, whose only
//! other solutions are half turns.

use super::rows::{Frame, JointRows};

/// Coincidence and three orientation rows.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.coincidence(), f.perpendicular(0, 1), f.parallel(0, 1, 2)]
}
