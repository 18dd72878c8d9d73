//! Inertia tensors: principal moments, whether a distribution of mass can have them, and sums of bodies.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

pub use precess_engine::flex::principal_moments;

/// Why no body has these principal moments (ascending), if so.
pub fn impossible(p: &[f64; 3]) -> Option<String> {
    if p[0] < -1e-12 * p[2] {
        return Some(format!("the principal moment {:.4e} is negative", p[0]));
    }
    if p[2] > (p[0] + p[1]) * (1.0 + 1e-9) {
        return Some(format!(
            "no body has principal moments {:.4e}, {:.4e}, {:.4e}: the largest exceeds the sum of the others",
            p[0], p[1], p[2]
        ));
    }
    None
}

/// Mass, centre of mass and inertia about it, all in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Centre of mass.
    pub centre: Vector3<f64>,
    /// Inertia about the centre of mass.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    /// The same body seen from a frame in which its own frame has this pose.
    pub fn moved(&self, pose: &Isometry3<f64>) -> MassProperties {
        // A pose without rotation keeps every digit of the tensor.
        let r = pose.rotation.to_rotation_matrix();
        MassProperties {
            mass: self.mass,
            centre: (pose * Point3::from(self.centre)).coords,
            inertia: r.matrix() * self.inertia * r.matrix().transpose(),
        }
    }

    /// Both bodies combined.
    pub fn with(&self, other: &MassProperties) -> MassProperties {
        let mass = self.mass + other.mass;
        if mass <= 0.0 {
            return *self;
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |p: &MassProperties| {
            let d = p.centre - centre;
            p.inertia + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * p.mass
        };
        MassProperties { mass, centre, inertia: about(self) + about(other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::Largest;

    #[test]
    fn two_half_rods_are_a_rod() {
        // A thin rod of length l and mass m has m l^2 / 12 across.
        let rod = |m: f64, l: f64, x: f64| MassProperties {
            mass: m,
            centre: Vector3::new(x, 0.0, 0.0),
            inertia: Matrix3::from_diagonal(&(Vector3::new(0.0, 1.0, 1.0) * m * l * l / 12.0)),
        };
        let sum = rod(1.0, 0.5, 0.25).with(&rod(1.0, 0.5, 0.75));
        let whole = rod(2.0, 1.0, 0.5);
        assert!(
            (sum.inertia - whole.inertia).largest() < 1e-15 && (sum.centre - whole.centre).largest() < 1e-15
        );
        assert_eq!(sum.mass, 2.0);
    }

    #[test]
    fn impossible_moments() {
        assert_eq!(impossible(&[1.0, 1.0, 2.0]), None);
        assert!(impossible(&[1.0, 1.0, 2.1]).unwrap().contains("exceeds"));
        assert!(impossible(&[-0.1, 1.0, 1.0]).unwrap().contains("negative"));
    }
}
