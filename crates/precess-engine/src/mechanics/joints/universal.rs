//! Universal joint: points coincide and a_1 (fixed in a) stays perpendicular to b_2 (fixed in b). Four rows.

use super::rows::{Frame, JointRows};

/// Coincidence, then a_1 . b_2 = 0.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.coincidence(), f.perpendicular(0, 1)]
}
