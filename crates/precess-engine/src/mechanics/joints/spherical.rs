//! Spherical joint: two points coincide. Three rows, lambda / L is the force on body b.

use super::rows::{Frame, JointRows};

/// Coincidence.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.coincidence()]
}
