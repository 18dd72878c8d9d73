//! Rounding errors of the accelerations on release, which limit the search for an equilibrium.
//!
//! Stiff and light parts (a cable of many elements) accelerate measurably because their positions have only
//! sixteen digits. A motion by many rounding errors measures this effect.

use nalgebra::DVector;

/// Size of the motion, in rad and in units of the lengths.
const SIZE: f64 = 1e-10;

/// Accelerations below this factor times the rounding errors are limited by them.
pub(crate) const ROUNDING_FACTOR: f64 = 30.0;

/// Accelerations below this part of the largest ones are compared with their rounding errors.
pub(crate) const SMALL: f64 = 1e-3;

/// A small motion with irregular signs, so that no part of it moves the whole mechanism.
pub(crate) fn jitter(units: &DVector<f64>) -> DVector<f64> {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    units.map(|unit| {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        if bits & 1 == 0 { SIZE * unit } else { -SIZE * unit }
    })
}

/// The rounding errors, from the change of the accelerations by a [`jitter`].
pub(crate) fn rounding(change: f64) -> f64 {
    change * f64::EPSILON / SIZE
}
