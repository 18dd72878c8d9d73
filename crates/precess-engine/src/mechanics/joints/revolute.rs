//! Revolute joint about a_3: points coincide and b_3 stays parallel to a_3. Five rows; torque -lambda_4 a_2 +
//! lambda_5 a_1 on b.

use super::rows::{Frame, JointRows};

/// Coincidence, then a_1 . b_3 = a_2 . b_3 = 0.
pub fn rows(f: &Frame) -> Vec<JointRows> {
    vec![f.coincidence(), f.parallel(0, 1, 2)]
}
