//! Volumes of simple homogeneous solids, and the integrals of x^2, y^2 and z^2 over them divided by the volume,
//! about their centres. Round solids lie along z.

use std::f64::consts::PI;

use nalgebra::Vector3;

/// Volume and second moments.
pub(super) type Volume = (f64, Vector3<f64>);

/// A cuboid with these edges.
pub(super) fn cuboid(s: &Vector3<f64>) -> Volume {
    (s.product(), s.component_mul(s) / 12.0)
}

/// An ellipsoid with these diameters.
pub(super) fn ellipsoid(s: &Vector3<f64>) -> Volume {
    (PI / 6.0 * s.product(), s.component_mul(s) / 20.0)
}

/// A ball.
pub(super) fn ball(r: f64) -> Volume {
    (4.0 / 3.0 * PI * r.powi(3), Vector3::repeat(0.2 * r * r))
}

/// A cylinder of length l.
pub(super) fn cylinder(r: f64, l: f64) -> Volume {
    (PI * r * r * l, Vector3::new(r * r / 4.0, r * r / 4.0, l * l / 12.0))
}

/// A cylinder of length l with hemispheres at its ends.
pub(super) fn capsule(r: f64, l: f64) -> Volume {
    let (cylinder, ball) = (PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
    // The centres of hemispheres are 3r/8 behind their planes.
    let d = 0.5 * l + 0.375 * r;
    let cap = r * r / 5.0 - (0.375 * r).powi(2) + d * d;
    let axial = (cylinder * l * l / 12.0 + ball * cap) / (cylinder + ball);
    let radial = (cylinder * r * r / 4.0 + ball * r * r / 5.0) / (cylinder + ball);
    (cylinder + ball, Vector3::new(radial, radial, axial))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums over many thin discs across z: each has the area pi r(z)^2 and the moment r^2/4 about a diameter.
    fn discs(radius: impl Fn(f64) -> f64, half: f64) -> Volume {
        const N: usize = 200_000;
        let dz = 2.0 * half / N as f64;
        let (mut volume, mut across, mut along) = (0.0, 0.0, 0.0);
        for i in 0..N {
            let z = -half + (i as f64 + 0.5) * dz;
            let area = PI * radius(z).powi(2) * dz;
            volume += area;
            across += area * radius(z).powi(2) / 4.0;
            along += area * z * z;
        }
        (volume, Vector3::new(across, across, along) / volume)
    }

    #[test]
    fn round_solids_are_sums_of_discs() {
        let (r, l) = (0.3_f64, 0.7_f64);
        let cap = |z: f64| (r * r - (z.abs() - 0.5 * l).max(0.0).powi(2)).max(0.0).sqrt();
        let cases = [
            (cylinder(r, l), discs(|_| r, 0.5 * l)),
            (ball(r), discs(|z| (r * r - z * z).max(0.0).sqrt(), r)),
            (capsule(r, l), discs(cap, 0.5 * l + r)),
            (
                ellipsoid(&Vector3::new(2.0 * r, 2.0 * r, l)),
                discs(|z| r * (1.0 - (2.0 * z / l).powi(2)).sqrt(), 0.5 * l),
            ),
        ];
        for ((volume, second), (expected, moments)) in cases {
            assert!((volume - expected).abs() <= 1e-8 * expected, "{volume} {expected}");
            assert!((second - moments).norm() <= 1e-8 * moments.norm(), "{second} {moments}");
        }
    }
}
