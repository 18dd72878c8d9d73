//! SO(3): one rigid body about a fixed point, without constraints.
//!
//! The equations of the body in R^3xSO(3) are restricted to the motions that the spherical joint allows: with
//! the centre of mass at X (body frame, from the fixed point) the velocity is u = R (O x X), and the residual
//! is r_rot + X x R^T r_trans. The joint force then follows from the balance of the translation.
//!
//! The derivatives follow by the chain rule. With (O, u) = A O, A = (I, -R X~), those of the body in
//! R^3xSO(3) become
//!
//! ```text
//! M   = A^T M A        D = A^T (D A + M H)        K = A^T (K A + D W + M V) + X~ (R^T r_trans)~
//! H   = (0, -R ((O x X)~ + O~ X~))     W = (0, -R (O x X)~)     V = (0, -R (O' x X + O x (O x X))~)
//! ```

use nalgebra::{Matrix3, Matrix6, Matrix6x3, Vector3};
use precess_lie::matrix::SmallMatrix;
use precess_lie::rotation::{rotate, rotate_inverse, rotation_matrix, skew};
use precess_lie::{Factor, Product};

use super::scratch::Pool;
use crate::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use crate::mechanics::{At, Energy, Event, Function, Momenta, Multibody, System, Tangents, Want};
use crate::solve::Mat;

/// One body of a [`Multibody`] system in R^3xSO(3) that turns about a point of the ground.
#[derive(Debug)]
pub struct FixedPoint {
    inner: Multibody,
    joint: String,
    /// Fixed point, inertial frame.
    point: Vector3<f64>,
    /// Centre of mass in the body frame, from the fixed point.
    x_body: Vector3<f64>,
    group: Product,
    /// M, and D with K, of the body in R^3xSO(3).
    pool: Pool<[Tangents; 2]>,
}

/// Two blocks of three rows.
fn stacked(above: &Matrix3<f64>, below: &Matrix3<f64>) -> Matrix6x3<f64> {
    Matrix6x3::from_fn(|i, j| if i < 3 { above[(i, j)] } else { below[(i - 3, j)] })
}

fn six(a: &Mat) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| a.get(i, j))
}

struct BodyMotion {
    q: [f64; 7],
    v: [f64; 6],
    vdot: [f64; 6],
}

impl FixedPoint {
    /// `inner` has one rigid body and no joints.
    pub fn new(inner: Multibody, joint: String, point: Vector3<f64>, x_body: Vector3<f64>) -> Self {
        let group = Product::new([Factor::SO3]);
        FixedPoint { inner, joint, point, x_body, group, pool: Pool::default() }
    }

    /// The coordinates of R^3xSO(3) for given ones of SO(3).
    fn expand(&self, at: &At) -> BodyMotion {
        let three = |x: &[f64]| Vector3::new(x[0], x[1], x[2]);
        let (omega, omega_dot) = (three(at.v), three(at.vdot));
        let x = self.point + rotate(at.q, &self.x_body);
        let u_body = omega.cross(&self.x_body);
        let u = rotate(at.q, &u_body);
        let u_dot = rotate(at.q, &(omega_dot.cross(&self.x_body) + omega.cross(&u_body)));
        let six = |a: Vector3<f64>, b: Vector3<f64>| [a.x, a.y, a.z, b.x, b.y, b.z];
        BodyMotion {
            q: [at.q[0], at.q[1], at.q[2], at.q[3], x.x, x.y, x.z],
            v: six(omega, u),
            vdot: six(omega_dot, u_dot),
        }
    }

    fn with_full<T>(&self, at: &At, f: impl FnOnce(&At) -> T) -> T {
        let full = self.expand(at);
        f(&At { q: &full.q, v: &full.v, vdot: &full.vdot, lambda: &[], ..*at })
    }
}

impl System for FixedPoint {
    fn group(&self) -> &Product {
        &self.group
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        let mut full = [0.0; 6];
        self.with_full(at, |at| self.inner.residual(at, &mut full));
        let force = rotate_inverse(at.q, &Vector3::new(full[3], full[4], full[5]));
        let moment = self.x_body.cross(&force);
        for i in 0..3 {
            r[i] = full[i] + moment[i];
        }
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let three = |x: &[f64]| Vector3::new(x[0], x[1], x[2]);
        let (r, x, omega) = (rotation_matrix(at.q), self.x_body, three(at.v));
        let velocity = omega.cross(&x);
        let acceleration = three(at.vdot).cross(&x) + omega.cross(&velocity);
        let below = |m: Matrix3<f64>| stacked(&Matrix3::zeros(), &-(r * m));
        let a = stacked(&Matrix3::identity(), &-(r * skew(&x)));
        let rates = below(skew(&velocity) + skew(&omega) * skew(&x));
        let (turned, turned_rates) = (below(skew(&velocity)), below(skew(&acceleration)));
        let new = || [Tangents::dense(6, 0, 0), Tangents::dense(6, 0, 0)];
        self.pool.with(new, |[mass, rest]| {
            self.with_full(at, |at| {
                mass.evaluate(&self.inner, at, Want::MASS);
                rest.evaluate(&self.inner, at, Want { c_d: 1.0, stiffness: true, ..Want::CONSTRAINT });
            });
            let (m, d, k) = (six(&mass.s), six(&rest.s), six(&rest.k));
            out.mass(0, 0, &a.transposed_times(&(m * a)));
            out.damping(0, 0, &a.transposed_times(&(d * a + m * rates)));
            if out.want().stiffness {
                let mut full = [0.0; 6];
                self.with_full(at, |at| self.inner.residual(at, &mut full));
                let force = rotate_inverse(at.q, &three(&full[3..]));
                let moved = a.transposed_times(&(k * a + d * turned + m * turned_rates));
                out.stiffness(0, 0, &(moved + skew(&x) * skew(&force)));
            }
        });
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        self.with_full(at, |at| self.inner.energy(at))
    }

    fn n_memory(&self) -> usize {
        self.inner.n_memory()
    }

    fn events(&self) -> &[Event] {
        self.inner.events()
    }

    fn event_moments(
        &self,
        event: usize,
        from: f64,
        to: f64,
    ) -> Result<Option<Vec<(f64, bool)>>, crate::Error> {
        self.inner.event_moments(event, from, to)
    }

    fn event_values(&self, at: &At, out: &mut [f64]) {
        self.with_full(at, |at| self.inner.event_values(at, out));
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        self.with_full(at, |at| self.inner.momenta(at))
    }

    fn power(&self, at: &At) -> Option<f64> {
        self.with_full(at, |at| self.inner.power(at))
    }

    fn see_limits(&self, at: &At, seen: &mut Vec<f64>) {
        self.with_full(at, |at| self.inner.see_limits(at, seen));
    }

    fn neglected(&self, seen: &[f64]) -> Vec<String> {
        self.inner.neglected(seen)
    }

    fn exceeded(&self, seen: &[f64]) -> Option<String> {
        self.inner.exceeded(seen)
    }

    fn power_reads_forces(&self) -> bool {
        self.inner.power_reads_forces()
    }

    fn velocity_name(&self, index: usize) -> String {
        self.inner.velocity_name(index)
    }

    fn length_scale(&self) -> f64 {
        self.inner.length_scale()
    }

    fn acceleration_scale(&self) -> Option<f64> {
        self.inner.acceleration_scale()
    }

    fn drives(&self) -> Vec<&Function> {
        self.inner.drives()
    }
}

impl Mechanism for FixedPoint {
    fn bodies(&self, at: &At) -> Vec<BodyState> {
        self.with_full(at, |at| self.inner.bodies(at))
    }

    fn sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        self.with_full(at, |at| self.inner.sensors(at))
    }

    fn sensor_units(&self) -> Vec<&'static str> {
        self.inner.sensor_units()
    }

    fn reactions(&self, at: &At) -> Vec<Reaction> {
        let mut full = [0.0; 6];
        self.with_full(at, |at| self.inner.residual(at, &mut full));
        let force = Vector3::new(full[3], full[4], full[5]);
        vec![Reaction {
            name: self.joint.clone(),
            force,
            torque: Vector3::zeros(),
            multipliers: Vec::new(),
            unique: true,
        }]
    }
}
