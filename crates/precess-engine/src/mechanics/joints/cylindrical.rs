//! Cylindrical joint: rotation about and translation along a_3. Four rows.

use super::rows::{Frame, JointRows};

/// Two offsets, then b_3 parallel to a_3.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.offsets(0, 1), f.parallel(0, 1, 2)]
}
