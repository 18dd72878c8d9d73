//! Frames about an axis.

use nalgebra::{Matrix3, Vector3};

/// Right-handed frame with the third axis along `axis`; an axis along z gives the identity.
pub fn frame_along(axis: &Vector3<f64>) -> Matrix3<f64> {
    let a3 = axis.normalize();
    // The first of the coordinate axes x, y that is not nearly parallel to a3.
    let smallest = if a3.x.abs() <= 0.9 { Vector3::x() } else { Vector3::y() };
    let a1 = (smallest - a3 * a3.dot(&smallest)).normalize();
    Matrix3::from_columns(&[a1, a3.cross(&a1), a3])
}
