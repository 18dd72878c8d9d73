//! Forces in directors. Springs are potentials of the squared distance of their points; gravity and dead
//! forces are linear potentials. Dampers, drag, follower forces, torques and forces that depend on time are
//! loads without potential.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use crate::{Affine, Law, Load, Potential, Quadratic, Term};
use precess_engine::mechanics::Function;
use precess_engine::mechanics::forces::table::Tables;

/// V~(pi) = integral of the tension over the length sqrt(pi).
#[derive(Debug)]
pub struct TableSpring(pub Tables);

impl Potential for TableSpring {
    fn value(&self, pi: &[f64]) -> f64 {
        self.0.energy(pi[0].max(0.0).sqrt())
    }
    fn gradient(&self, pi: &[f64], out: &mut [f64]) {
        let l = pi[0].max(0.0).sqrt();
        out[0] = 0.5 * self.0.at(l)[0] / l;
    }
    fn hessian(&self, pi: &[f64], out: &mut [f64]) {
        let l = pi[0].max(0.0).sqrt();
        let [s, slope] = self.0.at(l);
        out[0] = 0.25 * (slope - s / l) / (l * l);
    }
}

/// V~(pi) = V(sqrt(pi)) of a potential of the length.
#[derive(Debug)]
pub struct LengthPotential(pub Function);

impl Potential for LengthPotential {
    fn value(&self, pi: &[f64]) -> f64 {
        self.0.motion(pi[0].max(0.0).sqrt())[0]
    }
    fn gradient(&self, pi: &[f64], out: &mut [f64]) {
        let l = pi[0].max(0.0).sqrt();
        out[0] = 0.5 * self.0.motion(l)[1] / l;
    }
    fn hessian(&self, pi: &[f64], out: &mut [f64]) {
        let l = pi[0].max(0.0).sqrt();
        let [_, s, slope] = self.0.motion(l);
        out[0] = 0.25 * (slope - s / l) / (l * l);
    }
}

/// A spring between two points.
pub fn spring(arm: &Affine, law: Law) -> Term {
    Term::new(Quadratic::dot(arm, arm, 0.0, 1.0), law)
}

/// A constant force at a point: V = -F . r.
pub fn dead_force(point: &Affine, force: &Vector3<f64>) -> Term {
    Term::new(Quadratic::dot(&Affine::fixed(-force), point, 0.0, 1.0), Law::Linear)
}

/// Adds a force at an affine point to the generalised forces.
fn push(point: &Affine, f: &Vector3<f64>, weight: f64, out: &mut [f64]) {
    for &(i, c) in &point.terms {
        for k in 0..3 {
            out[i + k] += weight * c * f[k];
        }
    }
}

/// Calls `entry` for the entries of (d point/dq)^T m (d other/dq).
fn outer(point: &Affine, m: &Matrix3<f64>, other: &Affine, entry: &mut dyn FnMut(usize, usize, f64)) {
    for &(i, c) in &point.terms {
        for &(j, e) in &other.terms {
            for a in 0..3 {
                for b in 0..3 {
                    entry(i + a, j + b, c * e * m[(a, b)]);
                }
            }
        }
    }
}

fn touched(list: &[&Affine]) -> Vec<u32> {
    let terms = list.iter().flat_map(|x| x.terms.iter());
    terms.flat_map(|t| (t.0..t.0 + 3).map(|i| i as u32)).collect()
}

/// The damper of a spring without free length that is attached to the ground: f = -c r', in any direction.
#[derive(Debug)]
pub struct VectorDamper {
    /// r_b - r_a.
    pub arm: Affine,
    /// Coefficient.
    pub c: f64,
}

impl Load for VectorDamper {
    fn add(&self, _t: f64, _q: &[f64], v: &[f64], weight: f64, out: &mut [f64]) {
        push(&self.arm, &(-self.c * self.arm.rate(v)), weight, out);
    }

    fn tangents(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _q_entry: &mut dyn FnMut(usize, usize, f64),
        v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        outer(&self.arm, &(Matrix3::identity() * -self.c), &self.arm, v_entry);
    }

    fn touched(&self) -> Vec<u32> {
        touched(&[&self.arm])
    }
}

/// A damper between two points, f = -c l' along the line between them.
#[derive(Debug)]
pub struct Damper {
    /// r_b - r_a.
    pub arm: Affine,
    /// Coefficient.
    pub c: f64,
}

impl Load for Damper {
    fn add(&self, _t: f64, q: &[f64], v: &[f64], weight: f64, out: &mut [f64]) {
        let (r, rate) = (self.arm.value(q), self.arm.rate(v));
        let f = r * (-self.c * r.dot(&rate) / r.norm_squared());
        push(&self.arm, &f, weight, out);
    }

    fn tangents(
        &self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        q_entry: &mut dyn FnMut(usize, usize, f64),
        v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        let (r, rate) = (self.arm.value(q), self.arm.rate(v));
        let (square, along) = (r.norm_squared(), r.dot(&rate));
        let of_v = -self.c / square * r * r.transpose();
        let of_q = -self.c / square
            * (Matrix3::identity() * along + r * rate.transpose()
                - r * r.transpose() * (2.0 * along / square));
        outer(&self.arm, &of_q, &self.arm, q_entry);
        outer(&self.arm, &of_v, &self.arm, v_entry);
    }

    fn touched(&self) -> Vec<u32> {
        touched(&[&self.arm])
    }
}

/// Quadratic drag at a point, f = -c |u| u with u relative to the medium.
#[derive(Debug)]
pub struct DragLoad {
    /// Point of application.
    pub point: Affine,
    /// Coefficient.
    pub c: f64,
    /// Velocity of the medium.
    pub wind: Vector3<f64>,
}

impl Load for DragLoad {
    fn add(&self, _t: f64, _q: &[f64], v: &[f64], weight: f64, out: &mut [f64]) {
        let u = self.point.rate(v) - self.wind;
        push(&self.point, &(u * (-self.c * u.norm())), weight, out);
    }

    fn tangents(
        &self,
        _t: f64,
        _q: &[f64],
        v: &[f64],
        _q_entry: &mut dyn FnMut(usize, usize, f64),
        v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        let u = self.point.rate(v) - self.wind;
        let speed = u.norm();
        if speed > 0.0 {
            let m = (Matrix3::identity() * speed + u * u.transpose() / speed) * -self.c;
            outer(&self.point, &m, &self.point, v_entry);
        }
    }

    fn touched(&self) -> Vec<u32> {
        touched(&[&self.point])
    }
}

/// A force at a point with components in space or in a body.
#[derive(Debug)]
pub struct ForceLoad {
    /// Point of application.
    pub point: Affine,
    /// Components, functions of time.
    pub force: [Function; 3],
    /// Directions of the components.
    pub axes: [Affine; 3],
}

fn at_time(f: &[Function; 3], t: f64) -> [f64; 3] {
    std::array::from_fn(|k| f[k].motion(t)[0])
}

impl Load for ForceLoad {
    fn add(&self, t: f64, q: &[f64], _v: &[f64], weight: f64, out: &mut [f64]) {
        let c = at_time(&self.force, t);
        let f = (0..3).fold(Vector3::zeros(), |f, k| f + self.axes[k].value(q) * c[k]);
        push(&self.point, &f, weight, out);
    }

    fn tangents(
        &self,
        t: f64,
        _q: &[f64],
        _v: &[f64],
        q_entry: &mut dyn FnMut(usize, usize, f64),
        _v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        let c = at_time(&self.force, t);
        for k in 0..3 {
            outer(&self.point, &(Matrix3::identity() * c[k]), &self.axes[k], q_entry);
        }
    }

    fn touched(&self) -> Vec<u32> {
        touched(&[&self.point, &self.axes[0], &self.axes[1], &self.axes[2]])
    }
}

/// A torque tau on a body: f_i = tau x d_i / 2 on each of its three directors.
#[derive(Debug)]
pub struct TorqueLoad {
    /// Positions of the directors in q.
    pub directors: [usize; 3],
    /// Components, functions of time.
    pub torque: [Function; 3],
    /// Directions of the components.
    pub axes: [Affine; 3],
}

impl Load for TorqueLoad {
    fn add(&self, t: f64, q: &[f64], _v: &[f64], weight: f64, out: &mut [f64]) {
        let c = at_time(&self.torque, t);
        let tau = (0..3).fold(Vector3::zeros(), |f, k| f + self.axes[k].value(q) * c[k]);
        for &i in &self.directors {
            let d = Affine::at(i);
            push(&d, &(0.5 * tau.cross(&d.value(q))), weight, out);
        }
    }

    fn tangents(
        &self,
        t: f64,
        q: &[f64],
        _v: &[f64],
        q_entry: &mut dyn FnMut(usize, usize, f64),
        _v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        let c = at_time(&self.torque, t);
        let tau = (0..3).fold(Vector3::zeros(), |f, k| f + self.axes[k].value(q) * c[k]);
        for &i in &self.directors {
            let d = Affine::at(i);
            outer(&d, &(0.5 * tau.cross_matrix()), &d, q_entry);
            for k in 0..3 {
                outer(&d, &(-0.5 * c[k] * d.value(q).cross_matrix()), &self.axes[k], q_entry);
            }
        }
    }

    fn touched(&self) -> Vec<u32> {
        let mut list: Vec<u32> = self.directors.iter().flat_map(|&i| (i..i + 3).map(|k| k as u32)).collect();
        list.extend(touched(&[&self.axes[0], &self.axes[1], &self.axes[2]]));
        list
    }
}

/// A load in shared form.
pub fn shared(load: impl Load + 'static) -> Arc<dyn Load> {
    Arc::new(load)
}
