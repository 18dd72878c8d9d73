//! Frames about an axis.

use nalgebra::{Matrix3, Vector3};

/// Right-handed frame with the third axis along `axis`; an axis along z gives the identity.
pub fn frame_along(axis: &Vector3<f64>) -> Matrix3<f64> {
    let a3 = axis.normalize();
    // The coordinate axis least aligned with a3, in the order x, y, z, keeps the frame free of surprises.
    let smallest = if a3.x.abs() <= 0.9 { Vector3::x() } else { Vector3::y() };
    let a1 = (smallest - a3 * a3.dot(&smallest)).normalize();
    Matrix3::from_columns(&[a1, a3.cross(&a1), a3])
}
