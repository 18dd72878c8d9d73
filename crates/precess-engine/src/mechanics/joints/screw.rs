//! Screw joint: rotation about a_3 moves the second body along it by `pitch` per turn. Five rows.

use super::rows::{Frame, Rows};
use crate::mechanics::kernels::thread::Thread;

/// The rows of a cylindrical joint, then the thread.
pub fn rows(f: &Frame, pitch: f64) -> Vec<Rows> {
    let thread = Thread::new(&f.a, &f.b, pitch, f.length);
    vec![f.offsets(0, 1), f.parallel(0, 1, 2), Rows::Thread(Box::new(thread))]
}
