//! Euler parameters: four coordinates p = (e_0, e) of each rotation, with p.p = 1 as a constraint.
//!
//! ```text
//! R(p)   = R(p/|p|)                   the rotation of the normalised quaternion
//! Omega  = 2 G(p) p' / (p.p),         G(p) = ( -e  e_0 I - e~ ),   G(p) p = 0,   G(p) p' = -G(p') p
//! Phi_p  = (p.p - 1)/2 = 0            one row per body, after those of the model
//! ```
//!
//! On p.p = 1 this is the usual Omega = 2 G p' (Géradin and Cardona 2001). Newton iterates and the reduced
//! forms leave the unit sphere. R(p/|p|) is defined there too, and the division by p.p makes Omega *exactly*
//! its angular velocity. So B = D_q Phi, hidden constraints and tangents stay exact derivatives off the
//! sphere. The homogeneous polynomial R(p) would not be a rotation there, and the joints of the model assume
//! one.
//!
//! **Mass matrix.** A^T M A with A = 2 G/(p.p) has rank 3 in the four directions of p: A p = 0. Stretching p
//! gets an inertia J_0, after Betsch and Siebert (2009, "Rigid body dynamics in terms of quaternions"), with
//! the stretch s = ln(p.p) as its coordinate,
//!
//! ```text
//! f_0 = J_0 s'' ds/dp,    ds/dp = 2 p/(p.p),   s' = 2 p.p'/(p.p),   s'' = 2 (p.p'' + p'.p')/(p.p) - s'^2
//! ```
//!
//! f_0 is parallel to the force p lambda_p of the normalisation and vanishes with p.p = 1. So the motion does
//! not depend on J_0 (nor in index-3 form, where J_0 only changes lambda_p), but the mass matrix becomes
//! regular, with a condition number of the order of that of J. With J_0 = 0 it has rank 6 of 7 and is
//! positive definite only on ker B.
//!
//! **The multiplier** lambda_p is not a physical force: p.(A^T r) = 0 for every r, so lambda_p = -2 J_0
//! s''/(p.p), which is zero for exact solutions and for J_0 = 0.
//!
//! **Measured** (heavy top, rho 0.9, error of x at t = 1, R^3xSO(3) in brackets): index-3 h = 1e-3 2.03e-3
//! (7.27e-3), 5e-4 5.09e-4 (1.81e-3); stabilized index-2 h = 1e-3 3.83e-4 (1.23e-3), 4e-3 5.9e-3 (2.0e-2). In
//! index-3 form with rho = 0.9 errors of p.p' change sign from step to step and grow: by 1.5 in 100 steps at
//! h |Omega| = 0.15 (h = 1e-3), by 100 in 50 steps at 0.3, where Newton's method fails after 120 steps. So
//! does the homogeneous choice. rho = 0.6 or stabilized index-2 are stable up to h |Omega| = 0.6 at least.

use nalgebra::{Matrix3x4, Matrix4, RowVector4, Vector3, Vector4};
use precess_lie::rotation::skew;

use super::parameters::{OwnTangents, ParameterMotion, Parameters, Variations};

/// Euler parameters (e_0, e_1, e_2, e_3), e_0 the scalar part.
#[derive(Clone, Copy, Debug, Default)]
pub struct EulerParameters;

/// G(p), 3 x 4.
#[inline]
fn g(p: &Vector4<f64>) -> Matrix3x4<f64> {
    let (e0, e1, e2, e3) = (p[0], p[1], p[2], p[3]);
    Matrix3x4::new(-e1, e0, e3, -e2, -e2, -e3, e0, e1, -e3, e2, -e1, e0)
}

/// s' and ds'/dp of the stretch s = ln(p.p).
#[inline]
fn stretch_rate(p: &Vector4<f64>, rate: &Vector4<f64>) -> (f64, RowVector4<f64>) {
    let c = p.norm_squared();
    let s1 = 2.0 * p.dot(rate) / c;
    (s1, (rate - s1 * p).transpose() * (2.0 / c))
}

/// s'' of the stretch.
#[inline]
fn stretch_acceleration(x: &ParameterMotion) -> f64 {
    let c = x.p.norm_squared();
    let s1 = 2.0 * x.p.dot(&x.rate) / c;
    2.0 * (x.p.dot(&x.acceleration) + x.rate.norm_squared()) / c - s1 * s1
}

impl Parameters for EulerParameters {
    const NAME: &'static str = "euler-parameters";
    const N: usize = 4;
    const ROWS: usize = 1;

    fn quaternion(&self, p: &Vector4<f64>) -> Vector4<f64> {
        p / p.norm()
    }

    fn map(&self, p: &Vector4<f64>) -> Matrix3x4<f64> {
        g(p) * (2.0 / p.norm_squared())
    }

    /// Omega' = A p'' - s' Omega, because G(p') p' = 0.
    fn bias(&self, p: &Vector4<f64>, rate: &Vector4<f64>) -> Vector3<f64> {
        let (s1, _) = stretch_rate(p, rate);
        self.map(p) * rate * -s1
    }

    fn variations(&self, x: &ParameterMotion) -> Variations {
        let ParameterMotion { p, rate, acceleration } = x;
        let c = p.norm_squared();
        let a = self.map(p);
        let direction = p.transpose() * (2.0 / c);
        let omega = a * rate;
        let (s1, ds1) = stretch_rate(p, rate);
        let d_omega = g(rate) * (-2.0 / c) - omega * direction;
        let d_first = g(acceleration) * (-2.0 / c) - a * acceleration * direction;
        Variations {
            omega: d_omega,
            omega_dot: d_first - d_omega * s1 - omega * ds1,
            omega_dot_rate: -(omega * direction) - a * s1,
        }
    }

    /// G(p)^T r = (-e.r, e_0 r + e x r) is linear in p.
    fn force_variation(&self, p: &Vector4<f64>, r: &Vector3<f64>) -> Matrix4<f64> {
        let c = p.norm_squared();
        let mut n = Matrix4::zeros();
        n.fixed_view_mut::<1, 3>(0, 1).copy_from(&-r.transpose());
        n.fixed_view_mut::<3, 1>(1, 0).copy_from(r);
        n.fixed_view_mut::<3, 3>(1, 1).copy_from(&-skew(r));
        (n - self.map(p).transpose() * r * p.transpose()) * (2.0 / c)
    }

    /// p' = G^T Omega / 2, the rates that keep p.p = 1.
    fn start(
        &self,
        quaternion: &Vector4<f64>,
        omega: &Vector3<f64>,
        _: &str,
    ) -> Result<(Vector4<f64>, Vector4<f64>), String> {
        Ok((*quaternion, g(quaternion).transpose() * omega * 0.5))
    }

    fn own_row(&self, x: &ParameterMotion) -> [f64; 3] {
        let ParameterMotion { p, rate, acceleration } = x;
        [0.5 * (p.norm_squared() - 1.0), p.dot(rate), p.dot(acceleration) + rate.norm_squared()]
    }

    fn own_force(&self, j_0: f64, x: &ParameterMotion, lambda: f64) -> Vector4<f64> {
        let c = x.p.norm_squared();
        x.p * (lambda + 2.0 * j_0 * stretch_acceleration(x) / c)
    }

    fn own_tangents(&self, j_0: f64, x: &ParameterMotion, lambda: f64) -> OwnTangents {
        let ParameterMotion { p, rate, acceleration } = x;
        let c = p.norm_squared();
        let gradient = p * (2.0 / c);
        let (s1, ds1) = stretch_rate(p, rate);
        let s2 = stretch_acceleration(x);
        // s'' = u - s'^2 with u = 2 (p.p'' + p'.p')/(p.p).
        let u = s2 + s1 * s1;
        let ds2 = acceleration.transpose() * (2.0 / c) - gradient.transpose() * u - ds1 * (2.0 * s1);
        let ds2_rate = rate.transpose() * (4.0 / c) - gradient.transpose() * (2.0 * s1);
        let curvature = Matrix4::identity() * (2.0 / c) - gradient * gradient.transpose();
        OwnTangents {
            mass: gradient * gradient.transpose() * j_0,
            damping: gradient * ds2_rate * j_0,
            stiffness: (gradient * ds2 + curvature * s2) * j_0 + Matrix4::identity() * lambda,
        }
    }

    fn own_gradients(&self, x: &ParameterMotion) -> (Vector4<f64>, Vector4<f64>) {
        (x.p, x.rate)
    }

    fn own_row_name(&self, body: &str) -> String {
        format!("normalisation of the Euler parameters of body {body}")
    }

    fn name(&self, i: usize, body: &str) -> String {
        format!("Euler parameter e_{i} of body {body}")
    }
}
