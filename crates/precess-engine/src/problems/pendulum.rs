//! The mathematical pendulum in Cartesian coordinates (LA, Example 3.2): the smallest problem with order
//! reduction.

use nalgebra::{Matrix1x2, Matrix2, Vector2};
use precess_lie::{Factor, Product};

use super::ExactSolution;
use crate::mechanics::{At, Energy, System, Tangents};

/// m q'' = -(0, m g) - q lambda with (x^2 + y^2 - l^2)/2 = 0.
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// Mass.
    pub m: f64,
    /// Length.
    pub l: f64,
    /// Gravitational acceleration.
    pub g: f64,
    /// Initial deviation.
    pub x_0: f64,
    group: Product,
}

impl Pendulum {
    /// The paper's pendulum, m = l = 1, total energy m/2 - m g l, starting at x_0 below the pivot and moving
    /// to the right.
    pub fn paper(x_0: f64) -> Self {
        Pendulum { m: 1.0, l: 1.0, g: 9.81, x_0, group: Product::new([Factor::Rn(2)]) }
    }

    /// Initial position.
    pub fn q_0(&self) -> Vec<f64> {
        vec![self.x_0, -(self.l * self.l - self.x_0 * self.x_0).sqrt()]
    }

    /// Initial velocity from the energy.
    pub fn v_0(&self) -> Vec<f64> {
        let q = self.q_0();
        let speed = self.speed(q[1]);
        vec![-q[1] / self.l * speed, q[0] / self.l * speed]
    }

    /// |v| at height y.
    fn speed(&self, y: f64) -> f64 {
        (1.0 - 2.0 * self.g * (self.l + y)).max(0.0).sqrt()
    }
}

impl System for Pendulum {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        1
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        for i in 0..2 {
            r[i] = self.m * at.vdot[i] + at.q[i] * at.lambda[0];
        }
        r[1] += self.m * self.g;
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - self.l * self.l);
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        out[0] = q[0] * v[0] + q[1] * v[1];
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v, vdot) = (at.q, at.v, at.vdot);
        out[0] = q[0] * vdot[0] + q[1] * vdot[1] + v[0] * v[0] + v[1] * v[1];
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        out.mass_diagonal(0, 2, self.m);
        out.stiffness(0, 0, &(Matrix2::identity() * at.lambda[0]));
        out.constraint(0, 0, &Matrix1x2::new(at.q[0], at.q[1]));
        out.curvature(0, 0, &Matrix1x2::new(at.v[0], at.v[1]));
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let (q, v) = (at.q, at.v);
        Some(Energy {
            kinetic: 0.5 * self.m * (v[0] * v[0] + v[1] * v[1]),
            potential: self.m * self.g * q[1],
        })
    }

    fn constraint_name(&self, _row: usize) -> String {
        "length of the pendulum".to_string()
    }
}

/// Angle phi'' = -(g/l) sin phi by the classical Runge-Kutta method with steps of 1e-4 (error below 1e-13 on
/// [0, 10]).
impl ExactSolution for Pendulum {
    fn at(&self, t: f64, q: &mut [f64], v: &mut [f64], lambda: &mut [f64]) {
        let (q_0, v_0) = (self.q_0(), self.v_0());
        let rate = v_0[0] / -q_0[1];
        let mut z = Vector2::new(q_0[0].atan2(-q_0[1]), rate);
        let n = (t / 1e-4).ceil().max(1.0) as usize;
        let h = t / n as f64;
        let f = |z: Vector2<f64>| Vector2::new(z[1], -self.g / self.l * z[0].sin());
        for _ in 0..n {
            let k1 = f(z);
            let k2 = f(z + k1 * (0.5 * h));
            let k3 = f(z + k2 * (0.5 * h));
            let k4 = f(z + k3 * h);
            z += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        }
        let (sin, cos) = z[0].sin_cos();
        q.copy_from_slice(&[self.l * sin, -self.l * cos]);
        v.copy_from_slice(&[self.l * cos * z[1], self.l * sin * z[1]]);
        // Multiply the equations of motion by q and use q.q'' = -v^2.
        let speed_2 = v[0] * v[0] + v[1] * v[1];
        lambda[0] = self.m * (speed_2 - self.g * q[1]) / (self.l * self.l);
    }
}
