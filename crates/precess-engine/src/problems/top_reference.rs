//! Reference solution of the heavy top by Taylor series on SO(3).
//!
//! Orientation p (quaternion), body angular velocity O and gravity direction G = R^T gamma satisfy
//!
//! ```text
//! p' = p (0, O) / 2,   J_O O' = (J_O O) x O + m X x G,   G' = G x O
//! ```
//!
//! whose right-hand sides are quadratic, so the Taylor coefficients follow from Cauchy products. Order 26 on
//! intervals of 1/1000 s leaves only rounding errors (|O| h = 0.15). The method shares nothing with the
//! integrators under test.

use nalgebra::{Matrix3, Quaternion, Vector3};

use super::ExactSolution;
use super::heavy_top::{ConstraintFrame, HeavyTop};
use crate::formulation::Formulation;

const ORDER: usize = 26;
const INTERVAL: f64 = 1e-3;

#[derive(Clone, Copy, Debug)]
struct Coefficients {
    p: [Quaternion<f64>; ORDER + 1],
    omega: [Vector3<f64>; ORDER + 1],
    gravity: [Vector3<f64>; ORDER + 1],
}

/// Piecewise Taylor polynomials on [0, t_end].
#[derive(Clone, Debug)]
pub struct TopReference {
    top: HeavyTop,
    pieces: Vec<Coefficients>,
}

impl TopReference {
    /// Computes the solution of this top up to t_end.
    pub fn new(top: &HeavyTop, t_end: f64) -> Self {
        let n = (t_end / INTERVAL - 1e-9).ceil().max(1.0) as usize;
        let j = top.inertia_about_tip();
        let j_inverse = j.try_inverse().unwrap_or_else(Matrix3::identity);
        let (mut p, mut omega) = (Quaternion::identity(), top.omega_0);
        let mut pieces = Vec::with_capacity(n);
        for _ in 0..n {
            let piece = expand(top, &j, &j_inverse, p, omega);
            p = polynomial(&piece.p, INTERVAL).normalize();
            omega = polynomial(&piece.omega, INTERVAL);
            pieces.push(piece);
        }
        TopReference { top: top.clone(), pieces }
    }

    fn piece(&self, t: f64) -> (&Coefficients, f64) {
        let i = ((t / INTERVAL + 1e-9) as usize).min(self.pieces.len() - 1);
        (&self.pieces[i], t - i as f64 * INTERVAL)
    }

    /// Orientation, angular velocity and its derivative.
    pub fn rotation(&self, t: f64) -> (Quaternion<f64>, Vector3<f64>, Vector3<f64>) {
        let (piece, tau) = self.piece(t);
        let derivative = (1..=ORDER).rev().fold(Vector3::zeros(), |s, k| s * tau + piece.omega[k] * k as f64);
        (polynomial(&piece.p, tau).normalize(), polynomial(&piece.omega, tau), derivative)
    }
}

fn polynomial<T>(c: &[T; ORDER + 1], tau: f64) -> T
where
    T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    (0..ORDER).rev().fold(c[ORDER], |s, k| s * tau + c[k])
}

fn expand(
    top: &HeavyTop,
    j: &Matrix3<f64>,
    j_inverse: &Matrix3<f64>,
    p_0: Quaternion<f64>,
    omega_0: Vector3<f64>,
) -> Coefficients {
    let mut c = Coefficients {
        p: [Quaternion::new(0.0, 0.0, 0.0, 0.0); ORDER + 1],
        omega: [Vector3::zeros(); ORDER + 1],
        gravity: [Vector3::zeros(); ORDER + 1],
    };
    c.p[0] = p_0;
    c.omega[0] = omega_0;
    let gravity = Quaternion::from_imag(top.gamma);
    c.gravity[0] = (p_0.conjugate() * gravity * p_0).imag();
    for k in 0..ORDER {
        let mut dp = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        let mut moment = top.m * top.x_body.cross(&c.gravity[k]);
        let mut dg = Vector3::zeros();
        for i in 0..=k {
            let omega = c.omega[k - i];
            dp += c.p[i] * Quaternion::from_imag(omega);
            moment += (j * c.omega[i]).cross(&omega);
            dg += c.gravity[i].cross(&omega);
        }
        let next = 1.0 / (k + 1) as f64;
        c.p[k + 1] = dp * (0.5 * next);
        c.omega[k + 1] = j_inverse * moment * next;
        c.gravity[k + 1] = dg * next;
    }
    c
}

impl ExactSolution for TopReference {
    fn at(&self, t: f64, q: &mut [f64], v: &mut [f64], lambda: &mut [f64]) {
        let (p, omega, omega_dot) = self.rotation(t);
        let top = &self.top;
        q[..4].copy_from_slice(&[p.w, p.i, p.j, p.k]);
        v[..3].copy_from_slice(omega.as_slice());
        if top.formulation == Formulation::SO3 {
            return;
        }
        let turn = |x: Vector3<f64>| (p * Quaternion::from_imag(x) * p.conjugate()).imag();
        let back = |x: Vector3<f64>| (p.conjugate() * Quaternion::from_imag(x) * p).imag();
        let u_body = omega.cross(&top.x_body);
        q[4..].copy_from_slice(turn(top.x_body).as_slice());
        let u = if top.formulation == Formulation::SE3 { u_body } else { turn(u_body) };
        v[3..].copy_from_slice(u.as_slice());
        // m u' - R lambda = m gamma with u' = R (O' x X + O x (O x X)).
        let force = top.m * (omega_dot.cross(&top.x_body) + omega.cross(&u_body) - back(top.gamma));
        let force = if top.rows == ConstraintFrame::Ground { turn(force) } else { force };
        lambda.copy_from_slice(force.as_slice());
    }
}
