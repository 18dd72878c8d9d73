//! Massless rod: two points keep their distance. One row; lambda / L is its tension.

use super::rows::{Frame, Rows};
use crate::mechanics::kernels::Distance;

/// The distance of the assembled model.
pub fn rows(f: &Frame) -> Vec<Rows> {
    vec![Rows::Distance(Distance::new(f.a.p, f.b.p, f.distance, f.length))]
}
