//! The high-speed rotor on flexible supports (SM, section 7.2): one rigid body, no constraints, 200 000
//! revolutions per minute.
//!
//! ```text
//! J Omega' + Omega x J Omega = sum_i p_i x R^T F_i + R^T tau,   m u' = sum_i F_i
//! F_i = -K_i (x + R p_i - p_i) - D_i (u + R (Omega x p_i))
//! ```
//!
//! The paper does not give the frame of its constant torque. Here it is the inertial frame: a torque fixed in
//! the body averages out, and the period of precession agrees with the paper's 2.5 s.

use nalgebra::{Matrix3, Vector3};
use precess_lie::rotation::{cross_columns, rotate, rotate_inverse, rotation_matrix, scaled_columns, skew};
use precess_lie::{Factor, Product};

use crate::mechanics::{At, System, Tangents};

/// The rotor on SO(3) x R^3.
#[derive(Clone, Debug)]
pub struct Rotor {
    /// Mass.
    pub m: f64,
    /// Principal moments of inertia; the rotor spins about the first axis.
    pub j: Vector3<f64>,
    /// Torque in the inertial frame.
    pub torque: Vector3<f64>,
    /// Supports.
    pub supports: [Support; 2],
    /// Initial angular velocity.
    pub omega_0: Vector3<f64>,
    group: Product,
}

/// Springs and dampers between a point of the body and its position at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Position in the body.
    pub p: Vector3<f64>,
    /// Stiffness along the axes of the inertial frame.
    pub k: Vector3<f64>,
    /// Damping along the axes of the inertial frame.
    pub d: Vector3<f64>,
}

impl Rotor {
    /// Table 1 of the paper with this damping: 5.165093 as printed; its formula 2 D omega m gives 5.12289.
    pub fn paper(damping: f64) -> Self {
        let (m, k) = (1.223, 4000.0);
        let all = Vector3::new(1.0, 1.0, 1.0);
        let across = Vector3::new(0.0, 1.0, 1.0);
        Rotor {
            m,
            j: Vector3::new(0.001541, 0.000812, 0.000812),
            // -(L/2 - L_L) m g with L = 0.2.
            torque: Vector3::new(0.0, 0.0, 0.01 * m * 9.81),
            supports: [
                Support { p: Vector3::new(-0.11, 0.0, 0.0), k: k * all, d: damping * all },
                Support { p: Vector3::new(0.09, 0.0, 0.0), k: k * across, d: damping * across },
            ],
            omega_0: Vector3::new(2.0 * std::f64::consts::PI * 200_000.0 / 60.0, 0.0, 0.0),
            group: Product::new([Factor::R3xSO3]),
        }
    }

    /// Damping 2 D omega m of Table 1, with its D, omega and m.
    pub fn damping_by_formula() -> f64 {
        2.0 * 1e-4 * (2.0 * std::f64::consts::PI * 200_000.0 / 60.0) * 1.223
    }

    /// Initial configuration.
    pub fn q_0(&self) -> Vec<f64> {
        vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// Initial velocity.
    pub fn v_0(&self) -> Vec<f64> {
        let o = self.omega_0;
        vec![o.x, o.y, o.z, 0.0, 0.0, 0.0]
    }

    /// Position of the point p of the body.
    pub fn point(&self, q: &[f64], p: &Vector3<f64>) -> Vector3<f64> {
        vec3(&q[4..]) + rotate(&q[..4], p)
    }

    /// Velocity of the point p of the body.
    pub fn velocity(&self, q: &[f64], v: &[f64], p: &Vector3<f64>) -> Vector3<f64> {
        vec3(&v[3..]) + rotate(&q[..4], &vec3(v).cross(p))
    }

    fn force(&self, s: &Support, q: &[f64], v: &[f64]) -> Vector3<f64> {
        let stretch = self.point(q, &s.p) - s.p;
        let rate = self.velocity(q, v, &s.p);
        -s.k.component_mul(&stretch) - s.d.component_mul(&rate)
    }
}

#[inline]
fn vec3(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}

impl System for Rotor {
    fn group(&self) -> &Product {
        &self.group
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        let (q, omega) = (at.q, vec3(at.v));
        let mut moment = self.j.component_mul(&vec3(at.vdot)) + omega.cross(&self.j.component_mul(&omega))
            - rotate_inverse(&q[..4], &self.torque);
        let mut force = self.m * vec3(&at.vdot[3..]);
        for s in &self.supports {
            let f = self.force(s, q, at.v);
            moment -= s.p.cross(&rotate_inverse(&q[..4], &f));
            force -= f;
        }
        r[..3].copy_from_slice(moment.as_slice());
        r[3..].copy_from_slice(force.as_slice());
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let omega = vec3(at.v);
        let turn = rotation_matrix(&at.q[..4]);
        let back = turn.transpose();
        out.mass(0, 0, &Matrix3::from_diagonal(&self.j));
        out.mass_diagonal(3, 3, self.m);
        let zero = Matrix3::zeros();
        let mut stiffness = [-skew(&(back * self.torque)), zero, zero, zero];
        let mut damping =
            [scaled_columns(&skew(&omega), &self.j) - skew(&self.j.component_mul(&omega)), zero, zero, zero];
        for s in &self.supports {
            let f = back * self.force(s, at.q, at.v);
            // The transposes of k R p^ and d R p^ are p^T (R^T k) and p^T (R^T d).
            let (k_back, d_back) = (scaled_columns(&back, &s.k), scaled_columns(&back, &s.d));
            let across = cross_columns(&s.p, &back);
            // Derivatives of F: by the rotation, by Omega.
            let f_omega = cross_columns(&-s.p, &d_back).transpose();
            let f_rotation = cross_columns(&-s.p, &k_back).transpose()
                + cross_columns(&s.p.cross(&omega), &d_back).transpose();
            stiffness[0] -= cross_columns(&s.p, &(skew(&f) + back * f_rotation));
            stiffness[1] += scaled_columns(&across, &s.k);
            stiffness[2] -= f_rotation;
            stiffness[3] += Matrix3::from_diagonal(&s.k);
            damping[0] -= across * f_omega;
            damping[1] += scaled_columns(&across, &s.d);
            damping[2] -= f_omega;
            damping[3] += Matrix3::from_diagonal(&s.d);
        }
        for (i, (row, col)) in [(0, 0), (0, 3), (3, 0), (3, 3)].into_iter().enumerate() {
            out.stiffness(row, col, &stiffness[i]);
            out.damping(row, col, &damping[i]);
        }
    }

    fn length_scale(&self) -> f64 {
        0.1
    }
}
