//! The heavy top, benchmark of all four Lie-group papers: a rigid body turns about a fixed point under
//! gravity.
//!
//! ```text
//! r3so3 (21):  J O' + O x J O + y x lambda = 0,   m u' - R lambda = m gamma
//! se3   (22):  J O' + O x J O + y x lambda = 0,   m U' + m O x U - lambda = R^T m gamma
//! both:        Phi = X - y = 0,  y = R^T x
//! so3:         J_O O' + O x J_O O = X x R^T m gamma
//! ```
//!
//! The velocity projection paper (appendix A.1d) writes the constraint in the frame of the ground,
//! Phi = R X - x, with B = (-R X~, -I) in r3so3 ([`ConstraintFrame::Ground`]). Methods of index 3 give the same motion
//! with both; lambda is in another frame, and the drift of the forms of lower index differs.
//!
//! B is (-y~, -R^T) and (-y~, -I). The papers write X for y, which is the same only on the constraint
//! manifold; Newton iterates and the reduced-index forms leave it. lambda is the constraint force in the body
//! frame.

use nalgebra::{Matrix3, Vector3};
use precess_lie::rotation::{
    cross_columns, rotate, rotate_inverse, rotation_matrix, scaled_columns, skew, skew_skew,
};
use precess_lie::{Factor, Product};

use crate::formulation::Formulation;
use crate::mechanics::{At, Energy, Momenta, System, Tangents};

/// Frame of the constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConstraintFrame {
    /// Phi = X - R^T x.
    #[default]
    Body,
    /// Phi = R X - x; in r3so3 only.
    Ground,
}

/// A body turning about the origin.
#[derive(Clone, Debug)]
pub struct HeavyTop {
    /// Coordinates.
    pub formulation: Formulation,
    /// Mass.
    pub m: f64,
    /// Principal moments of inertia about the centre of mass.
    pub j: Vector3<f64>,
    /// Centre of mass in the body frame, seen from the fixed point.
    pub x_body: Vector3<f64>,
    /// Gravitational acceleration.
    pub gamma: Vector3<f64>,
    /// Initial angular velocity in the body frame; the initial orientation is the identity.
    pub omega_0: Vector3<f64>,
    /// Frame of the constraint.
    pub rows: ConstraintFrame,
    group: Product,
}

impl HeavyTop {
    /// The papers' data: 150 rad/s about the axis of symmetry.
    pub fn fast(formulation: Formulation) -> Self {
        Self::spinning(formulation, Vector3::new(0.0, 150.0, -4.61538))
    }

    /// A hundred times slower.
    pub fn slow(formulation: Formulation) -> Self {
        Self::spinning(formulation, Vector3::new(0.0, 150.0, -4.61538) / 100.0)
    }

    /// The papers' body with any initial angular velocity.
    ///
    /// # Panics
    /// In formulations other than `r3so3`, `se3` and `so3`. Only a mistake in a program causes this, not a
    /// file.
    #[expect(clippy::panic)]
    pub fn spinning(formulation: Formulation, omega_0: Vector3<f64>) -> Self {
        let factor = match formulation {
            Formulation::R3SO3 => Factor::R3xSO3,
            Formulation::SE3 => Factor::SE3,
            Formulation::SO3 => Factor::SO3,
            other => {
                panic!("the heavy top by hand is in r3so3, se3 or so3; build a model for {}", other.name())
            }
        };
        HeavyTop {
            formulation,
            m: 15.0,
            j: Vector3::new(0.234375, 0.46875, 0.234375),
            x_body: Vector3::y(),
            gamma: Vector3::new(0.0, 0.0, -9.81),
            omega_0,
            rows: ConstraintFrame::Body,
            group: Product::new([factor]),
        }
    }

    /// The papers' data in r3so3, with the constraint in the frame of the ground.
    pub fn grounded() -> Self {
        HeavyTop { rows: ConstraintFrame::Ground, ..Self::fast(Formulation::R3SO3) }
    }

    fn is_grounded(&self) -> bool {
        self.rows == ConstraintFrame::Ground && self.formulation == Formulation::R3SO3
    }

    /// Inertia about the fixed point.
    pub fn inertia_about_tip(&self) -> Matrix3<f64> {
        let x = skew(&self.x_body);
        Matrix3::from_diagonal(&self.j) - self.m * x * x
    }

    /// Initial configuration.
    pub fn q_0(&self) -> Vec<f64> {
        let mut q = vec![1.0, 0.0, 0.0, 0.0];
        if self.formulation != Formulation::SO3 {
            q.extend_from_slice(self.x_body.as_slice());
        }
        q
    }

    /// Initial velocity; R(0) = I, so u and U agree.
    pub fn v_0(&self) -> Vec<f64> {
        let mut v = self.omega_0.as_slice().to_vec();
        if self.formulation != Formulation::SO3 {
            v.extend_from_slice(self.omega_0.cross(&self.x_body).as_slice());
        }
        v
    }

    fn gyroscopic(&self, omega: &Vector3<f64>) -> Vector3<f64> {
        omega.cross(&self.j.component_mul(omega))
    }

    /// y = R^T x.
    fn y(q: &[f64]) -> Vector3<f64> {
        rotate_inverse(&q[..4], &vec3(&q[4..]))
    }
}

#[inline]
fn vec3(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}

#[inline]
fn put(out: &mut [f64], x: &Vector3<f64>) {
    out.copy_from_slice(x.as_slice());
}

impl System for HeavyTop {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        if self.formulation == Formulation::SO3 { 0 } else { 3 }
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        let (omega, omega_dot) = (vec3(at.v), vec3(at.vdot));
        if self.formulation == Formulation::SO3 {
            let j = self.inertia_about_tip();
            let weight = rotate_inverse(at.q, &(self.m * self.gamma));
            put(r, &(j * omega_dot + omega.cross(&(j * omega)) - self.x_body.cross(&weight)));
            return;
        }
        let lambda = vec3(at.lambda);
        if self.is_grounded() {
            let turned = rotate_inverse(&at.q[..4], &lambda);
            let moment =
                self.j.component_mul(&omega_dot) + self.gyroscopic(&omega) + self.x_body.cross(&turned);
            put(&mut r[..3], &moment);
            put(&mut r[3..], &(self.m * (vec3(&at.vdot[3..]) - self.gamma) - lambda));
            return;
        }
        let y = Self::y(at.q);
        let moment = self.j.component_mul(&omega_dot) + self.gyroscopic(&omega) + y.cross(&lambda);
        let (u, u_dot) = (vec3(&at.v[3..]), vec3(&at.vdot[3..]));
        let force = match self.formulation {
            Formulation::R3SO3 => self.m * (u_dot - self.gamma) - rotate(&at.q[..4], &lambda),
            _ => self.m * (u_dot + omega.cross(&u) - rotate_inverse(&at.q[..4], &self.gamma)) - lambda,
        };
        put(&mut r[..3], &moment);
        put(&mut r[3..], &force);
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        if self.is_grounded() {
            return put(phi, &(rotate(&at.q[..4], &self.x_body) - vec3(&at.q[4..])));
        }
        if self.formulation != Formulation::SO3 {
            put(phi, &(self.x_body - Self::y(at.q)));
        }
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        if self.is_grounded() {
            return put(out, &(rotate(&q[..4], &vec3(v).cross(&self.x_body)) - vec3(&v[3..])));
        }
        match self.formulation {
            Formulation::SO3 => {}
            Formulation::R3SO3 => {
                put(out, &(vec3(v).cross(&Self::y(q)) - rotate_inverse(&q[..4], &vec3(&v[3..]))))
            }
            _ => put(out, &(vec3(v).cross(&Self::y(q)) - vec3(&v[3..]))),
        }
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        let (q, v) = (at.q, at.v);
        if self.formulation == Formulation::SO3 {
            return;
        }
        self.velocity_constraint(&At { v: at.vdot, ..*at }, out);
        let (omega, y) = (vec3(v), Self::y(q));
        let z = match self.formulation {
            _ if self.is_grounded() => rotate(&q[..4], &omega.cross(&omega.cross(&self.x_body))),
            Formulation::R3SO3 => {
                let u = rotate_inverse(&q[..4], &vec3(&v[3..]));
                omega.cross(&(y.cross(&omega) + u)) - u.cross(&omega)
            }
            _ => omega.cross(&(y.cross(&omega) + vec3(&v[3..]))),
        };
        for (o, z) in out.iter_mut().zip(z.iter()) {
            *o += z;
        }
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let want = out.want();
        let omega = vec3(at.v);
        let spin = skew(&omega);
        if self.formulation == Formulation::SO3 {
            let j = self.inertia_about_tip();
            let weight = rotate_inverse(at.q, &(self.m * self.gamma));
            out.mass(0, 0, &j);
            out.damping(0, 0, &(spin * j - skew(&(j * omega))));
            out.stiffness(0, 0, &(-skew(&self.x_body) * skew(&weight)));
            return;
        }
        let y = Self::y(at.q);
        let gyro = scaled_columns(&spin, &self.j) - skew(&self.j.component_mul(&omega));
        out.weighted(0, 0, &(Matrix3::from_diagonal(&(self.j * want.c_m)) + gyro * want.c_d));
        out.mass_diagonal(3, 3, self.m);
        let lambda = vec3(at.lambda);
        if self.is_grounded() {
            let (r, x) = (rotation_matrix(&at.q[..4]), skew(&self.x_body));
            out.constraint(0, 0, &(-r * x));
            out.constraint(0, 3, &-Matrix3::identity());
            if want.stiffness {
                out.stiffness(0, 0, &(x * skew(&(r.transpose() * lambda))));
            }
            if want.curvature {
                out.curvature(0, 0, &(-r * skew(&omega.cross(&self.x_body))));
            }
            return;
        }
        out.constraint(0, 0, &skew(&-y));
        match self.formulation {
            Formulation::R3SO3 => {
                let r = rotation_matrix(&at.q[..4]);
                let rt = r.transpose();
                out.constraint(0, 3, &-rt);
                if want.stiffness {
                    // -lambda^ R^T and its transpose R lambda^.
                    let turned = cross_columns(&-lambda, &rt);
                    out.stiffness(0, 0, &skew_skew(&-lambda, &y));
                    out.stiffness(0, 3, &turned);
                    out.stiffness(3, 0, &turned.transpose());
                }
                if want.curvature {
                    out.curvature(0, 0, &(skew_skew(&omega, &y) - skew(&(rt * vec3(&at.v[3..])))));
                    out.curvature(0, 3, &cross_columns(&omega, &rt));
                }
            }
            _ => {
                out.constraint(0, 3, &-Matrix3::identity());
                if want.c_d != 0.0 {
                    out.damping(3, 0, &(-self.m * skew(&vec3(&at.v[3..]))));
                    out.damping(3, 3, &(self.m * spin));
                }
                if want.stiffness {
                    let weight = rotate_inverse(&at.q[..4], &(self.m * self.gamma));
                    out.stiffness(0, 0, &skew_skew(&-lambda, &y));
                    out.stiffness(0, 3, &skew(&-lambda));
                    out.stiffness(3, 0, &-skew(&weight));
                }
                if want.curvature {
                    out.curvature(0, 0, &skew_skew(&omega, &y));
                    out.curvature(0, 3, &spin);
                }
            }
        }
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let (q, v) = (at.q, at.v);
        let omega = vec3(v);
        Some(if self.formulation == Formulation::SO3 {
            let x = rotate(q, &self.x_body);
            Energy {
                kinetic: 0.5 * omega.dot(&(self.inertia_about_tip() * omega)),
                potential: -self.m * self.gamma.dot(&x),
            }
        } else {
            Energy {
                kinetic: 0.5 * omega.dot(&self.j.component_mul(&omega))
                    + 0.5 * self.m * vec3(&v[3..]).norm_squared(),
                potential: -self.m * self.gamma.dot(&vec3(&q[4..])),
            }
        })
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        let (r, omega) = (&at.q[..4], vec3(at.v));
        let (x, u) = match self.formulation {
            Formulation::SO3 => (rotate(r, &self.x_body), rotate(r, &omega.cross(&self.x_body))),
            Formulation::R3SO3 => (vec3(&at.q[4..]), vec3(&at.v[3..])),
            _ => (vec3(&at.q[4..]), rotate(r, &vec3(&at.v[3..]))),
        };
        let spin = rotate(r, &self.j.component_mul(&omega));
        Some(Momenta::new(self.m * u, x.cross(&(self.m * u)) + spin, &self.gamma))
    }

    fn constraint_name(&self, row: usize) -> String {
        let frame = if self.is_grounded() { "frame of the ground" } else { "body frame" };
        format!("fixed point, {} component in the {frame}", ["x", "y", "z"][row % 3])
    }

    fn velocity_name(&self, index: usize) -> String {
        let kind = if index < 3 { "rotation" } else { "translation" };
        format!("{kind} of the top, {} axis", ["x", "y", "z"][index % 3])
    }
}
