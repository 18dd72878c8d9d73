//! Screw joint: rotation about a_3 moves the second body along it by `pitch` per turn. Five rows.

use super::rows::{Frame, JointRows};
use crate::mechanics::kernels::thread::Thread;

/// The rows of a cylindrical joint, then the thread.
pub fn rows(f: &Frame, pitch: f64) -> Vec<JointRows> {
    let thread = Thread::new(&f.a, &f.b, pitch, f.length);
    vec![f.offsets(0, 1), f.parallel(0, 1, 2), JointRows::Thread(Box::new(thread))]
}
