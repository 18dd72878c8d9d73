//! Knife edge: the point of b does not move along b_3, like a blade on ice or a wheel seen from above. One
//! velocity row.

use super::rows::{Frame, JointRows};
use crate::mechanics::kernels::knife_edge::KnifeEdge;

/// No velocity of the point along b_3, seen from a.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![JointRows::KnifeEdge(Box::new(KnifeEdge::new(&f.a, &f.b, f.length)))]
}
