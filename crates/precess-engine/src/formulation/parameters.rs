//! The interface of classical descriptions of rotations.
//!
//! The rotation of a body is a function R(p) of N parameters p in R^N. Its angular velocity in the body frame
//! and the derivative of that are
//!
//! ```text
//! Omega  = A(p) p'                 A: 3 x N
//! Omega' = A(p) p'' + A'(p, p') p'
//! ```
//!
//! where A is exact for *all* p that the parameters may take, not only for those that satisfy their
//! constraints. A variation dp then turns the body by A dp (body frame), and all derivatives in SO(3) carry
//! over by the chain rule (see [`Coordinates`](super::coordinates::Coordinates)).
//!
//! Vectors and matrices are stored for N = 4; entries beyond N are zero.

use nalgebra::{Matrix3x4, Matrix4, Vector3, Vector4};

/// Derivatives of the angular velocity and acceleration.
#[derive(Clone, Debug)]
pub struct Variations {
    /// dOmega/dp at constant p'.
    pub omega: Matrix3x4<f64>,
    /// dOmega'/dp at constant p' and p''.
    pub omega_dot: Matrix3x4<f64>,
    /// dOmega'/dp' at constant p and p''.
    pub omega_dot_rate: Matrix3x4<f64>,
}

/// Derivatives of the forces of [`Parameters::own_force`].
#[derive(Clone, Debug)]
pub struct OwnTangents {
    /// With respect to p''.
    pub mass: Matrix4<f64>,
    /// With respect to p'.
    pub damping: Matrix4<f64>,
    /// With respect to p.
    pub stiffness: Matrix4<f64>,
}

/// p, p' and p'' of one body.
#[derive(Clone, Copy, Debug)]
pub struct ParameterMotion {
    /// Parameters.
    pub p: Vector4<f64>,
    /// Their rates.
    pub rate: Vector4<f64>,
    /// Their second derivatives.
    pub acceleration: Vector4<f64>,
}

/// N parameters of a rotation.
pub trait Parameters: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Name of the formulation as typed by users.
    const NAME: &'static str;
    /// Number of parameters.
    const N: usize;
    /// Number of constraints between the parameters, 0 or 1.
    const ROWS: usize;

    /// The unit quaternion (w, x, y, z) of R(p).
    fn quaternion(&self, p: &Vector4<f64>) -> Vector4<f64>;

    /// A(p).
    fn map(&self, p: &Vector4<f64>) -> Matrix3x4<f64>;

    /// A'(p, p') p', the part of Omega' without p''.
    fn bias(&self, p: &Vector4<f64>, rate: &Vector4<f64>) -> Vector3<f64>;

    /// Derivatives of Omega and Omega'.
    fn variations(&self, x: &ParameterMotion) -> Variations;

    /// d(A^T r)/dp for a constant r.
    fn force_variation(&self, p: &Vector4<f64>, r: &Vector3<f64>) -> Matrix4<f64>;

    /// p and p' of a rotation (unit quaternion) and an angular velocity; an explanation if there are none.
    fn start(
        &self,
        quaternion: &Vector4<f64>,
        omega: &Vector3<f64>,
        body: &str,
    ) -> Result<(Vector4<f64>, Vector4<f64>), String>;

    /// The parameter at which A(p) is singular here, if there is one.
    fn singular(&self, p: &Vector4<f64>) -> Option<usize> {
        let _ = p;
        None
    }

    /// Distance of the rotation from a singularity of the parameters, its rate, and the speed of the
    /// direction that determines it, in rad and rad/s. None if the parameters have no singularity.
    fn approach(&self, p: &Vector4<f64>, rate: &Vector4<f64>) -> Option<[f64; 3]> {
        let _ = (p, rate);
        None
    }

    /// The constraint of the parameters at position, velocity and acceleration level.
    fn own_row(&self, x: &ParameterMotion) -> [f64; 3] {
        let _ = x;
        [0.0; 3]
    }

    /// Forces of the parameters themselves: that of the multiplier of [`own_row`](Self::own_row), and the
    /// inertia `j_0` in directions that do not turn the body.
    fn own_force(&self, j_0: f64, x: &ParameterMotion, lambda: f64) -> Vector4<f64> {
        let _ = (j_0, x, lambda);
        Vector4::zeros()
    }

    /// Derivatives of [`own_force`](Self::own_force).
    fn own_tangents(&self, j_0: f64, x: &ParameterMotion, lambda: f64) -> OwnTangents {
        let _ = (j_0, x, lambda);
        OwnTangents { mass: Matrix4::zeros(), damping: Matrix4::zeros(), stiffness: Matrix4::zeros() }
    }

    /// Derivative of the constraint with respect to p, and that of its velocity level.
    fn own_gradients(&self, x: &ParameterMotion) -> (Vector4<f64>, Vector4<f64>) {
        let _ = x;
        (Vector4::zeros(), Vector4::zeros())
    }

    /// Name of the constraint of a body's parameters, for messages.
    fn own_row_name(&self, body: &str) -> String {
        format!("constraint of the rotation parameters of body {body}")
    }

    /// Name of parameter i of a body, for messages.
    fn name(&self, i: usize, body: &str) -> String;
}
