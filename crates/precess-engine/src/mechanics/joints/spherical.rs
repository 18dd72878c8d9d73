//! Spherical joint: two points coincide. Three rows, lambda / L is the force on body b.

use super::rows::{Frame, Rows};

/// Coincidence.
pub fn rows(f: &Frame) -> Vec<Rows> {
    vec![f.coincidence()]
}
