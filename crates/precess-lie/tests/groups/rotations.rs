//! Quaternions: conversions, fast rotation and the length after many compositions.

use crate::common::*;
use nalgebra::{Matrix3, Vector3, Vector4};
use precess_lie::Largest;
use precess_lie::rotation::{quaternion_from_matrix, rotate, rotate_inverse, rotation_matrix, skew};
use precess_lie::{LieGroup, R3xSO3, SE3, SO3};
use proptest::prelude::*;

fn any_angle() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![coordinates(), near_half_turn()]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rotation_of_vectors(x in any_angle()) {
        let q = element::<SO3>(&x);
        let v = Vector3::new(x[3], x[4], x[5]);
        let r = rotation_matrix(q.as_slice());
        prop_assert!((r * r.transpose() - Matrix3::identity()).largest() < 4e-15);
        prop_assert!((r.determinant() - 1.0).abs() < 4e-15);
        prop_assert!((rotate(q.as_slice(), &v) - r * v).largest() < 4e-15);
        prop_assert!((rotate_inverse(q.as_slice(), &v) - r.transpose() * v).largest() < 4e-15);
        let w = Vector3::new(x[0], x[1], x[2]);
        prop_assert!((skew(&w) * v - w.cross(&v)).largest() < 4e-15);
    }

    #[test]
    fn quaternion_of_a_matrix(x in any_angle()) {
        let q = element::<SO3>(&x);
        let back = quaternion_from_matrix(&rotation_matrix(q.as_slice()));
        prop_assert!(back[0] >= 0.0);
        prop_assert!((back.norm() - 1.0).abs() < 4e-16);
        let error = (back - q).largest().min((back + q).largest());
        prop_assert!(error < 1e-15, "{error:e}");
    }
}

#[test]
fn quarter_turn() {
    let q = SO3::exp(&Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let image = rotate(q.as_slice(), &Vector3::x());
    assert!((image - Vector3::y()).largest() < 1e-15);
}

#[test]
fn matrices_of_half_turns() {
    for axis in [
        Vector3::x(),
        Vector3::y(),
        Vector3::z(),
        Vector3::new(-0.6, 0.0, 0.8),
        Vector3::new(0.48, -0.6, 0.64),
    ] {
        let r = axis * axis.transpose() * 2.0 - Matrix3::identity();
        let q = quaternion_from_matrix(&r);
        assert!((rotation_matrix(q.as_slice()) - r).largest() < 1e-15);
        let angle = SO3::log(&q).norm();
        assert!((angle - std::f64::consts::PI).abs() < 1e-15);
    }
}

#[test]
fn small_rotations_keep_their_digits() {
    for e in 1..=300 {
        let x = Vector3::new(3.0, -2.0, 1.0) * 10f64.powi(-e);
        let back = SO3::log(&SO3::exp(&x));
        assert!((back - x).largest() <= 1e-15 * x.largest(), "{e}");
        let opposite: Vector4<f64> = -SO3::exp(&x);
        assert!((SO3::log(&opposite) - x).largest() <= 1e-15 * x.largest(), "{e}");
    }
}

/// Two million steps; without the correction in `compose` the length drifts to `1e-12`.
#[test]
fn length_after_many_compositions() {
    let mut a = SO3::identity();
    let mut b = SE3::identity();
    let mut c = R3xSO3::identity();
    let mut worst = 0.0f64;
    let norm = |q: &[f64]| q[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
    for i in 0..2_000_000 {
        let t = f64::from(i) * 1e-3;
        let w = Vector3::new(0.1 + 1e-2 * t.sin(), 0.2, -0.05);
        let x = nalgebra::Vector6::new(w.x, w.y, w.z, 1e-3, 0.0, 0.0);
        a = SO3::retract(&a, &w);
        b = SE3::retract(&b, &x);
        c = R3xSO3::retract(&c, &x);
        for q in [a.as_slice(), b.as_slice(), c.as_slice()] {
            let error = (norm(q) - 1.0).abs();
            worst = if error <= worst { worst } else { error };
        }
    }
    assert!(worst < 5e-16, "{worst:e}");
    assert!((a - b.fixed_rows::<4>(0)).largest() < 1e-13);
    assert!((a - c.fixed_rows::<4>(0)).largest() < 1e-13);
}

/// `compose` brings a quaternion that was given with few digits closer to unit length.
#[test]
fn compose_repairs_the_length() {
    let mut q = SO3::exp(&Vector3::new(0.3, -0.4, 1.2)) * (1.0 + 1e-5);
    for _ in 0..3 {
        q = SO3::compose(&q, &SO3::identity());
    }
    assert!((q.norm() - 1.0).abs() < 4e-16);
}
