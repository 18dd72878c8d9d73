//! A model in directors converted to positions and rotations, R^3 x SO(3), for sensors and joint angles.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

use super::bodies::{DirectorBody, three};
use precess_engine::formulation::Pool;
use precess_engine::mechanics::{At, BodyKind, Multibody, System};

/// The same model in absolute coordinates, with space for its state.
#[derive(Debug)]
pub struct View {
    /// Bodies, joints, forces and sensors.
    pub system: Multibody,
    pool: Pool<MechanismMotion>,
}

impl Clone for View {
    fn clone(&self) -> Self {
        View { system: self.system.clone(), pool: Pool::default() }
    }
}

#[derive(Debug)]
struct MechanismMotion {
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    lambda: Vec<f64>,
}

impl DirectorBody {
    /// Rotation from the body frame to space; the nearest one if directors are not quite orthonormal.
    pub fn quaternion(&self, q: &[f64]) -> UnitQuaternion<f64> {
        let turn = if self.is_point { self.axes } else { self.rotation(q) * self.axes.transpose() };
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(nearest_rotation(turn)))
    }
}

/// The orthogonal factor of the polar decomposition by Newton's iteration, X <- (X + X^-T)/2. It converges
/// quadratically; two iterations are enough for nearly orthonormal directors. `Rotation3::from_matrix` of
/// nalgebra may not terminate for other matrices.
fn nearest_rotation(mut x: Matrix3<f64>) -> Matrix3<f64> {
    for _ in 0..20 {
        let Some(inverse) = x.try_inverse() else { break };
        let next = (x + inverse.transpose()) * 0.5;
        let change = (next - x).norm();
        x = next;
        // The next change would have the size of its square.
        if !(change > 1e-8) {
            break;
        }
    }
    x
}

impl View {
    /// A view of an assembled model.
    pub fn new(system: Multibody) -> Self {
        View { system, pool: Pool::default() }
    }

    fn full(&self) -> MechanismMotion {
        let (group, m) = (self.system.group(), self.system.n_lambda());
        let v = vec![0.0; group.dim()];
        MechanismMotion { q: vec![0.0; group.repr()], v: v.clone(), vdot: v, lambda: vec![0.0; m] }
    }

    /// Calls `f` with the state in absolute coordinates. Its multipliers are zero.
    pub fn with<R>(&self, bodies: &[DirectorBody], at: &At, f: impl FnOnce(&At) -> R) -> R {
        self.pool.with(
            || self.full(),
            |full| {
                for (place, b) in self.system.body_list().iter().zip(bodies) {
                    let mut at_q = place.q;
                    let mut at_v = place.v;
                    if let BodyKind::Rigid { .. } = place.kind {
                        let r = b.quaternion(at.q);
                        full.q[at_q..at_q + 4].copy_from_slice(&[r.w, r.i, r.j, r.k]);
                        let spin = r.inverse() * b.angular_velocity(at.q, at.v);
                        full.v[at_v..at_v + 3].copy_from_slice(spin.as_slice());
                        let turn = r.inverse() * b.angular_acceleration(at.q, at.v, at.vdot);
                        full.vdot[at_v..at_v + 3].copy_from_slice(turn.as_slice());
                        (at_q, at_v) = (at_q + 4, at_v + 3);
                    }
                    full.q[at_q..at_q + 3].copy_from_slice(three(at.q, b.phi).as_slice());
                    full.v[at_v..at_v + 3].copy_from_slice(three(at.v, b.phi).as_slice());
                    full.vdot[at_v..at_v + 3].copy_from_slice(three(at.vdot, b.phi).as_slice());
                }
                f(&At { q: &full.q, v: &full.v, vdot: &full.vdot, lambda: &full.lambda, ..*at })
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    /// R^T M is symmetric and positive for M = R S; the iteration also ends for matrices far from rotations.
    #[test]
    fn polar_factor() {
        let turn = *Rotation3::new(Vector3::new(0.3, -1.2, 2.0)).matrix();
        for size in [0.0, 1e-9, 1e-3, 0.3] {
            let stretch = Matrix3::new(
                1.0 + size,
                0.2 * size,
                0.0,
                0.2 * size,
                1.0 - size,
                0.1 * size,
                0.0,
                0.1 * size,
                1.0,
            );
            let found = nearest_rotation(turn * stretch);
            assert!((found - turn).norm() < 1e-14, "{size}: {:e}", (found - turn).norm());
        }
        for strange in [Matrix3::zeros(), Matrix3::from_element(1e300), turn * 1e200, -turn, turn * f64::NAN]
        {
            let _ = nearest_rotation(strange);
        }
    }
}
