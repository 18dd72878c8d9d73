//! Largest entries that keep NaN.

use nalgebra::storage::RawStorage;
use nalgebra::{Dim, Matrix};

/// The larger of two numbers; NaN if one of them is NaN, while `f64::max` would hide it.
#[inline]
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The largest entry in absolute value, for tests: `amax` of nalgebra may ignore NaN, and a test with it may
/// not fail.
pub trait Largest {
    /// The largest absolute value; NaN if there is a NaN.
    fn largest(&self) -> f64;
}

impl<R: Dim, C: Dim, S: RawStorage<f64, R, C>> Largest for Matrix<f64, R, C, S> {
    fn largest(&self) -> f64 {
        self.iter().fold(0.0, |m, x| larger(m, x.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn nan_is_the_largest() {
        assert_eq!(Vector3::new(1.0, -3.0, 2.0).largest(), 3.0);
        for i in 0..3 {
            let mut x = Vector3::new(1.0, -3.0, 2.0);
            x[i] = f64::NAN;
            assert!(x.largest().is_nan(), "{i}");
        }
    }
}
