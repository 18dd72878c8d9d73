//! Inertia of an element: lumped at its nodes, or consistent with the path between them.
//!
//! Lumped: each node is a rigid body with half of the mass and of the rotary inertia of its elements.
//! Consistent: the velocity at the point `xi` is that of `q_A exp(xi d)`, which is linear in the velocities
//! of the nodes,
//!
//! ```text
//! w = v_A + Q(xi, d) (v_B - v_A)
//! f_B = L int Q^T (M_s w' + gyr(w)) dxi,    f_A + f_B = L int (M_s w' + gyr(w)) dxi
//! ```
//!
//! with the section inertia `M_s` and its gyroscopic terms. The mass matrix depends only on `d`.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::flex::coefficients::GAUSS;
use crate::flex::element::Tangent;
use crate::flex::jet::{Dual, Jet, Real};
use crate::flex::operator::{Operator, dual, dual_force, force, of_vectors, vector};
use crate::flex::section::Section;

/// Principal moments of an inertia tensor in ascending order.
pub fn principal_moments(j: &Matrix3<f64>) -> [f64; 3] {
    let mut p: [f64; 3] = j.symmetric_eigenvalues().into();
    p.sort_by(f64::total_cmp);
    p
}

/// Mass and rotary inertia of a piece of a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass.
    pub mass: f64,
    /// Moments of inertia about the axes of the section.
    pub rotary: Vector3<f64>,
}

impl Inertia {
    /// Inertia of a length of a beam, with the rotary inertia of the sections alone.
    pub fn of(section: &Section, length: f64) -> Self {
        Inertia { mass: section.mass * length, rotary: section.inertia * length }
    }

    /// Diagonal of the mass matrix.
    pub fn diagonal(&self) -> Vector6<f64> {
        let (j, m) = (&self.rotary, self.mass);
        Vector6::new(j.x, j.y, j.z, m, m, m)
    }

    /// Gyroscopic terms `(Omega x J Omega, m Omega x U)`.
    #[inline]
    fn gyroscopic<T: Real>(&self, w: &Vector6<T>) -> Vector6<T> {
        let omega = Vector3::new(w[0], w[1], w[2]);
        let spin = Vector3::new(
            omega.x * T::of(self.rotary.x),
            omega.y * T::of(self.rotary.y),
            omega.z * T::of(self.rotary.z),
        );
        let (a, b) = (omega.cross(&spin), omega.cross(&Vector3::new(w[3], w[4], w[5])) * T::of(self.mass));
        Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
    }

    /// Derivative of the gyroscopic terms with respect to the velocity.
    pub fn gyroscopic_derivative(&self, w: &Vector6<f64>) -> Matrix6<f64> {
        let (o, u, m) = (w.fixed_rows::<3>(0).into_owned(), w.fixed_rows::<3>(3).into_owned(), self.mass);
        let j = &self.rotary;
        let skew = precess_lie::rotation::skew::<f64>;
        let spin = skew(&o) * nalgebra::Matrix3::from_diagonal(j) - skew(&o.component_mul(j));
        let mut d = Matrix6::zeros();
        d.fixed_view_mut::<3, 3>(0, 0).copy_from(&spin);
        d.fixed_view_mut::<3, 3>(3, 0).copy_from(&(skew(&u) * -m));
        d.fixed_view_mut::<3, 3>(3, 3).copy_from(&(skew(&o) * m));
        d
    }

    /// The inertia force `M v' + gyr(v)` of a rigid piece.
    #[inline]
    pub fn force<T: Real>(&self, v: &Vector6<T>, vdot: &Vector6<T>) -> Vector6<T> {
        let m = self.diagonal();
        self.gyroscopic(v) + Vector6::from_fn(|i, _| vdot[i] * T::of(m[i]))
    }

    /// Kinetic energy.
    pub fn energy(&self, v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(&self.diagonal().component_mul(v))
    }
}

/// Consistent inertia of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Consistent {
    /// Inertia of the whole element.
    pub inertia: Inertia,
}

/// Velocity or acceleration of both nodes.
type Nodes<T> = [Vector6<T>; 2];

impl Consistent {
    /// Inertia of an element of this length.
    pub fn new(section: &Section, length: f64) -> Self {
        Consistent { inertia: Inertia::of(section, length) }
    }

    /// The inertia force on both nodes.
    pub fn force(&self, d: &Vector6<f64>, v: &Nodes<f64>, vdot: &Nodes<f64>) -> Nodes<f64> {
        self.force_of(d, v, vdot)
    }

    /// The inertia force for any kind of number.
    pub fn force_of<T: Real>(&self, d: &Vector6<T>, v: &Nodes<T>, vdot: &Nodes<T>) -> Nodes<T> {
        let x = dual(d);
        let inverse = Operator::tangent_inverse(&x);
        let (dv, da) = (dual(&(v[1] - v[0])), dual(&(vdot[1] - vdot[0])));
        let rate = inverse.times(&x, &dual(&v[1])) - inverse.transpose().times(&x, &dual(&v[0]));
        let (mut sum, mut second) = (Vector6::zeros(), Vector6::zeros());
        for (place, weight) in &GAUSS {
            let q = Operator::interpolation(place, &x);
            let w = v[0] + vector(&q.times(&x, &dv));
            let wdot = vdot[0] + vector(&(q.times(&x, &da) + q.derivative_times(&x, &rate, &dv)));
            let f = self.inertia.force(&w, &wdot) * T::of(*weight);
            sum += f;
            second += force(&q.transpose().times(&x, &dual_force(&f)));
        }
        [sum - second, second]
    }

    /// Velocities at the Gauss points, each as `(xi, weight, velocity)`.
    pub fn velocities(&self, d: &Vector6<f64>, v: &Nodes<f64>) -> [(f64, f64, Vector6<f64>); 3] {
        let (x, dv) = (dual(d), dual(&(v[1] - v[0])));
        std::array::from_fn(|i| {
            let (place, weight) = &GAUSS[i];
            let q = Operator::interpolation(place, &x);
            (place.xi, *weight, v[0] + vector(&q.times(&x, &dv)))
        })
    }

    /// Kinetic energy.
    pub fn energy(&self, d: &Vector6<f64>, v: &Nodes<f64>) -> f64 {
        self.velocities(d, v).iter().map(|(_, weight, w)| weight * self.inertia.energy(w)).sum()
    }

    /// The mass matrix, the derivative of the force with respect to the accelerations.
    pub fn mass(&self, d: &Vector6<f64>) -> Tangent {
        let x = dual(d);
        let m = Matrix6::from_diagonal(&self.inertia.diagonal());
        let mut sum = Tangent::zero();
        for (place, weight) in &GAUSS {
            let q = shares(&of_vectors(&Operator::interpolation(place, &x).matrix(&x)));
            sum.add(&Tangent::congruence(&q, &(m * *weight), &q));
        }
        sum
    }

    /// The derivative of the force with respect to the velocities.
    pub fn viscosity(&self, d: &Vector6<f64>, v: &Nodes<f64>) -> Tangent {
        let x = dual(d);
        let inverse = Operator::tangent_inverse(&x);
        let forward = inverse.matrix(&x);
        let p = [of_vectors(&-forward.transpose()), of_vectors(&forward)];
        let dv = dual(&(v[1] - v[0]));
        let rate = inverse.times(&x, &dual(&v[1])) - inverse.transpose().times(&x, &dual(&v[0]));
        let m = Matrix6::from_diagonal(&self.inertia.diagonal());
        let mut sum = Tangent::zero();
        for (place, weight) in &GAUSS {
            let q = Operator::interpolation(place, &x);
            let of_b = of_vectors(&q.matrix(&x));
            let gyroscopic = self.inertia.gyroscopic_derivative(&(v[0] + vector(&q.times(&x, &dv))));
            let turning = of_vectors(&q.derivative(&x, &rate));
            let bending = of_vectors(&q.jacobian(&x, &dv));
            let share = shares(&of_b);
            let columns = [
                m * (bending * p[0] - turning) + gyroscopic * share[0],
                m * (bending * p[1] + turning) + gyroscopic * share[1],
            ];
            sum.add(&Tangent::congruence(&share, &(Matrix6::identity() * *weight), &columns));
        }
        sum
    }

    /// The derivative of the force with respect to the nodes, left trivialised.
    pub fn stiffness(&self, d: &Vector6<f64>, v: &Nodes<f64>, vdot: &Nodes<f64>) -> Tangent {
        type Six = Jet<f64, 6>;
        let jets = Vector6::from_fn(|i, _| Six::variable(d[i], i));
        let constant = |v: &Nodes<f64>| v.map(|v| v.map(Six::of));
        let f = self.force_of(&jets, &constant(v), &constant(vdot));
        let by_d = f.map(|f| Matrix6::from_fn(|i, j| f[i].slope[j]));
        let x = dual(d);
        let forward = Operator::<Dual>::tangent_inverse(&x).matrix(&x);
        let p = [of_vectors(&-forward.transpose()), of_vectors(&forward)];
        Tangent { aa: by_d[0] * p[0], ab: by_d[0] * p[1], ba: by_d[1] * p[0], bb: by_d[1] * p[1] }
    }
}

/// The shares of both nodes in the velocity at a point: `I - Q` and `Q`.
#[inline]
fn shares(q: &Matrix6<f64>) -> [Matrix6<f64>; 2] {
    [Matrix6::identity() - q, *q]
}
