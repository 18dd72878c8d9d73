//! Random numbers, directions and rotations.

use fastrand::Rng;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::data::{Body, ForceKind};

/// A number between two others, uniformly distributed.
pub fn uniform(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// A random power of ten.
pub fn decades(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10f64.powf(uniform(rng, low, high))
}

/// A direction, uniformly distributed.
pub fn direction(rng: &mut Rng) -> Vector3<f64> {
    loop {
        let x = Vector3::from_fn(|_, _| uniform(rng, -1.0, 1.0));
        if (0.1..1.0).contains(&x.norm()) {
            return x.normalize();
        }
    }
}

/// A rotation, uniformly distributed.
pub fn turn(rng: &mut Rng) -> UnitQuaternion<f64> {
    loop {
        let [w, i, j, k] = [0; 4].map(|_| uniform(rng, -1.0, 1.0));
        let q = Quaternion::new(w, i, j, k);
        if (0.1..1.0).contains(&q.norm()) {
            return UnitQuaternion::from_quaternion(q);
        }
    }
}

/// The part of x that is perpendicular to a, of unit length.
pub fn perpendicular(a: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let y = x - a * a.dot(x);
    if y.norm() > 0.1 { y.normalize() } else { perpendicular(a, &Vector3::new(x.y, -x.z, x.x + 0.5)) }
}

/// The drag of a body for a number between 0 and 1. In the upper half it is the pressure on a plate, if the
/// body has an orientation.
pub fn drag(body: &Body, length: f64, x: f64) -> ForceKind {
    let normal = (x > 0.5 && body.inertia.is_some()).then(|| Vector3::new(x, 1.0 - x, 0.3).normalize());
    ForceKind::Drag { body: body.name.clone(), coefficient: body.mass / length * x, normal }
}
