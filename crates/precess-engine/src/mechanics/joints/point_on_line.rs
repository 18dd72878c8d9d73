//! The point of b stays on the line through the point of a along a_3. Two rows.

use super::rows::{Frame, JointRows};

/// No displacement along a_1 and a_2.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.offsets(0, 1)]
}
