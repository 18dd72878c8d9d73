//! The point of b stays in the plane through the point of a normal to a_3. One row.

use super::rows::{Frame, JointRows};

/// No displacement along a_3.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.offset(2)]
}
