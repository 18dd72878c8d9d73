//! A model in directors seen as bodies with positions and rotations, R^3 x SO(3): what sensors and joint angles read.

use nalgebra::{Rotation3, UnitQuaternion};

use super::bodies::{DirectorBody, three};
use crate::formulation::scratch::Pool;
use crate::mechanics::{At, BodyKind, Multibody, System};

/// The same model in absolute coordinates, and room for its state.
#[derive(Debug)]
pub struct View {
    /// Bodies, joints, forces and sensors.
    pub system: Multibody,
    pool: Pool<Full>,
}

impl Clone for View {
    fn clone(&self) -> Self {
        View { system: self.system.clone(), pool: Pool::default() }
    }
}

#[derive(Debug)]
struct Full {
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    lambda: Vec<f64>,
}

impl DirectorBody {
    /// Rotation from the body frame to space; the nearest one where directors are not quite orthonormal.
    pub fn quaternion(&self, q: &[f64]) -> UnitQuaternion<f64> {
        let turn = if self.is_point { self.axes } else { self.rotation(q) * self.axes.transpose() };
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix(&turn))
    }
}

impl View {
    /// Of an assembled model.
    pub fn new(system: Multibody) -> Self {
        View { system, pool: Pool::default() }
    }

    fn full(&self) -> Full {
        let (group, m) = (self.system.group(), self.system.n_lambda());
        let v = vec![0.0; group.dim()];
        Full { q: vec![0.0; group.repr()], v: v.clone(), vdot: v, lambda: vec![0.0; m] }
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
