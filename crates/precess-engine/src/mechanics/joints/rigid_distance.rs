//! Massless rod: two points keep their distance. One row; lambda / L is its tension.

use super::rows::{Frame, JointRows};
use crate::mechanics::kernels::Distance;

/// The distance of the assembled model.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![JointRows::Distance(Distance::new(f.a.p, f.b.p, f.distance, f.length))]
}
