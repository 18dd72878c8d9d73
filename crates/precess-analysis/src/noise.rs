//! Rounding errors of the accelerations on release: a search for a position of rest cannot get below them.
//!
//! Stiff and light parts (a cable of many elements) accelerate measurably because their positions have
//! sixteen digits. How much, a motion by many rounding errors tells.

use nalgebra::DVector;

/// Size of the motion, in rad and in units of the lengths.
const SIZE: f64 = 1e-10;

/// Times the rounding errors, below which they decide.
pub(crate) const DECIDES: f64 = 30.0;

/// Accelerations below this part of the largest ones are compared with their rounding errors.
pub(crate) const SMALL: f64 = 1e-3;

/// A small motion whose signs follow no pattern, so that no part of it is a motion of the whole.
pub(crate) fn jitter(units: &DVector<f64>) -> DVector<f64> {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    units.map(|unit| {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        if bits & 1 == 0 { SIZE * unit } else { -SIZE * unit }
    })
}

/// The rounding errors, from how much a [`jitter`] changes the accelerations.
pub(crate) fn rounding(change: f64) -> f64 {
    change * f64::EPSILON / SIZE
}
