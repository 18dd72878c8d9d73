//! Invariants of a system with constant mass: momenta, energies, constraint residuals.

use nalgebra::Vector3;

use super::system::Conservative;

fn vector(x: &[f64], i: usize) -> Vector3<f64> {
    Vector3::new(x[i], x[i + 1], x[i + 2])
}

/// Invariants at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Invariants {
    /// H(q, p) = p.M^-1 p/2 + V(q).
    pub energy: f64,
    /// Linear momentum.
    pub linear: Vector3<f64>,
    /// Angular momentum about the origin.
    pub angular: Vector3<f64>,
    /// Its component along gravity; the largest-known momentum map of hung systems. Zero without gravity.
    pub about_gravity: f64,
    /// max |g|.
    pub primary: f64,
    /// max |G M^-1 p|.
    pub secondary: f64,
}

impl Conservative {
    /// Invariants at positions q and w = M^-1 p (for energy-momentum schemes the velocity).
    pub fn invariants(&self, q: &[f64], w: &[f64]) -> Invariants {
        let mut p = vec![0.0; self.dim()];
        self.add_mass_times(w, 1.0, &mut p);
        let sum = |at: &[usize], f: &dyn Fn(usize) -> Vector3<f64>| {
            at.iter().fold(Vector3::zeros(), |s: Vector3<f64>, &i| s + f(i))
        };
        let moment = |i: usize| vector(q, i).cross(&vector(&p, i));
        let angular = sum(&self.points, &moment) + sum(&self.directions, &moment);
        let axis = self.gravity.try_normalize(0.0).unwrap_or_default();
        let mut rows = vec![0.0; self.rows()];
        let largest = |rows: &[f64]| rows.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        self.g(q, &mut rows);
        let primary = largest(&rows);
        self.gv(q, w, &mut rows);
        Invariants {
            energy: 0.5 * self.mass_product(w, w) + self.potential(q),
            linear: sum(&self.points, &|i| vector(&p, i)),
            angular,
            about_gravity: angular.dot(&axis),
            primary,
            secondary: largest(&rows),
        }
    }
}
