//! The equations of motion at the current state, as dense matrices in the coordinates of the formulation.

use nalgebra::{DMatrix, DVector, Vector3};

use super::Simulation;
use crate::Error;
use crate::analysis::local::Local;

/// M v' + bias + B^T lambda = 0 and B v' + drift = 0 at one state.
///
/// For each rigid body, v has its angular velocity in the axes of the body, then the velocity of its centre of
/// mass: in space (r3so3), or in the axes of the body (se3).
#[derive(Clone, Debug, PartialEq)]
pub struct EquationsOfMotion {
    /// M, the mass matrix.
    pub m: DMatrix<f64>,
    /// Gyroscopic and applied forces, with the sign of the left-hand side.
    pub bias: DVector<f64>,
    /// B, the derivative of the constraints.
    pub b: DMatrix<f64>,
    /// The part of the acceleration of the constraints that does not depend on v'.
    pub drift: DVector<f64>,
    /// Names of the entries of v.
    pub velocities: Vec<String>,
    /// Names of the constraints.
    pub constraints: Vec<String>,
}

/// Matrices of the equations of motion.
impl Simulation {
    /// The equations at the current state.
    pub fn dynamics(&self) -> EquationsOfMotion {
        let system = &*self.system;
        let mut state = self.state.clone();
        state.vdot.fill(0.0);
        state.lambda.fill(0.0);
        let mut bias = DVector::zeros(system.group().dim());
        system.residual(&state.at(), bias.as_mut_slice());
        let mut drift = DVector::zeros(system.n_lambda());
        system.acceleration_constraint(&state.at(), drift.as_mut_slice());
        EquationsOfMotion {
            m: Local::mass(system, &state),
            b: Local::constraint(system, &state),
            velocities: (0..bias.len()).map(|i| system.velocity_name(i)).collect(),
            constraints: (0..drift.len()).map(|i| system.constraint_name(i)).collect(),
            bias,
            drift,
        }
    }

    /// The Jacobian of a point of a body: three rows for its velocity, three for the angular velocity of the
    /// body, all in space. The point is given from the centre of mass in the axes of the body.
    pub fn jacobian(&self, body: &str, point: [f64; 3]) -> Result<DMatrix<f64>, Error> {
        let multibody = self.multibody()?;
        let list = multibody.body_list();
        let names = list.iter().map(|b| b.name.as_str());
        let found = list.iter().find(|b| b.name == body);
        let found = found.ok_or_else(|| Error::unknown_name("body", body, names))?;
        let (state, group, point) = (&self.state, multibody.kind(), Vector3::from(point));
        let turn = found.pose(&state.q).r;
        let mut jacobian = DMatrix::zeros(6, state.v.len());
        let mut unit = vec![0.0; state.v.len()];
        for j in found.v..found.v + found.dim() {
            unit[j] = 1.0;
            let at = crate::mechanics::At { v: &unit, ..state.at() };
            let [velocity, omega] =
                [found.point_velocity(group, &at, &point), turn * found.motion(&unit).omega];
            jacobian.view_mut((0, j), (3, 1)).copy_from(&velocity);
            jacobian.view_mut((3, j), (3, 1)).copy_from(&omega);
            unit[j] = 0.0;
        }
        Ok(jacobian)
    }
}
