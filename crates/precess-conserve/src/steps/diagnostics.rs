//! Invariants of a system with constant mass: momenta, energies, constraint residuals, and the symplectic
//! form.

use nalgebra::Vector3;

use super::step::{StepRule, Stepper};
use crate::conservative::system::Conservative;
use precess_engine::Error;
use precess_engine::integrate::{Integrator, project_position, project_velocity};
use precess_engine::mechanics::{At, Momenta, State, System};

/// Invariants at one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Invariants {
    /// H(q, p) = p.M^-1 p/2 + V(q).
    pub energy: f64,
    /// Linear momentum.
    pub linear: Vector3<f64>,
    /// Angular momentum about the origin.
    pub angular: Vector3<f64>,
    /// Component of the angular momentum along gravity; the momentum map of systems hung from the origin.
    /// Zero without gravity.
    pub about_gravity: f64,
    /// max |g|.
    pub primary: f64,
    /// max |G M^-1 p|.
    pub secondary: f64,
}

impl Conservative {
    /// Invariants at positions q and w = M^-1 p (for energy-momentum schemes the velocity).
    pub fn invariants(&self, q: &[f64], w: &[f64]) -> Invariants {
        let at = At { t: 0.0, q, v: w, vdot: &[], lambda: &[], s: &[], memory: &[] };
        let Momenta { linear, angular, about_gravity } = self.momenta(&at).unwrap_or_default();
        let mut rows = vec![0.0; self.rows()];
        let largest = |rows: &[f64]| rows.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        self.g(q, &mut rows);
        let primary = largest(&rows);
        self.gv(q, w, &mut rows);
        Invariants {
            energy: 0.5 * self.mass_product(w, w) + self.potential(q),
            linear,
            angular,
            about_gravity: about_gravity.unwrap_or(0.0),
            primary,
            secondary: largest(&rows),
        }
    }
}

/// Largest change of the symplectic form of a step, |Omega(dF a, dF b) - Omega(a, b)| over pairs of tangent
/// vectors.
///
/// Tangent vectors are those of curves on the constraint manifold: positions and velocities are moved along
/// `directions` (dq, dv) and projected. All derivatives are fourth-order differences over multiples of `eps`,
/// so about 1e-11 counts as zero. Costs 4 steps and projections per direction.
pub fn symplectic_defect<R: StepRule + Clone>(
    system: &Conservative,
    stepper: &Stepper<R>,
    state: &State,
    h: f64,
    directions: &[(Vec<f64>, Vec<f64>)],
    eps: f64,
) -> Result<f64, Error> {
    let d = system.dim();
    let moved = |direction: &(Vec<f64>, Vec<f64>), size: f64| -> Result<[Vec<f64>; 2], Error> {
        let mut at = state.clone();
        for i in 0..d {
            at.q[i] += size * direction.0[i];
            at.v[i] += size * direction.1[i];
        }
        project_position(system, &mut at)?;
        project_velocity(system, &mut at)?;
        let before = [&at.q[..], &at.v].concat();
        let mut stepper = stepper.clone();
        stepper.start(system, &mut at, h)?;
        stepper.step(system, &mut at, h)?;
        Ok([before, [&at.q[..], stepper.w()].concat()])
    };
    let mut tangents: Vec<[Vec<f64>; 2]> = Vec::new();
    for direction in directions {
        let mut sum = [vec![0.0; 2 * d], vec![0.0; 2 * d]];
        for (size, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            for (sum, x) in sum.iter_mut().zip(moved(direction, size * eps)?) {
                sum.iter_mut().zip(x).for_each(|(s, x)| *s += weight * x / (12.0 * eps));
            }
        }
        tangents.push(sum);
    }
    let form =
        |a: &[f64], b: &[f64]| system.mass_product(&a[..d], &b[d..]) - system.mass_product(&b[..d], &a[d..]);
    let mut worst = 0.0_f64;
    for (i, a) in tangents.iter().enumerate() {
        for b in &tangents[..i] {
            worst = worst.max((form(&a[1], &b[1]) - form(&a[0], &b[0])).abs());
        }
    }
    Ok(worst)
}
