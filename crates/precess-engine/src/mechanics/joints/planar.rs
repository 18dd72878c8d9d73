//! Planar joint with normal a_3: translation along a_1, a_2 and rotation about a_3. Three rows.

use super::rows::{Frame, JointRows};

/// No displacement along a_3, b_3 parallel to a_3.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.offset(2), f.parallel(0, 1, 2)]
}
