//! Prismatic joint along a_3. Five rows: no displacement along a_1, a_2 and no rotation.

use super::rows::{Frame, JointRows};

/// Two offsets, then a_1 . b_2 = 0 and a_1 . b_3 = a_2 . b_3 = 0.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.offsets(0, 1), f.perpendicular(0, 1), f.parallel(0, 1, 2)]
}
