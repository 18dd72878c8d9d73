//! Modal bodies: a floating frame and modal coordinates, with the inertia of `crate::flex::Modal`.
//!
//! The frame is a body without mass; all inertia is here. Geometric stiffening (`crate::flex::Geometric`) is
//! a part of this inertia: M stays symmetric, and energy and momenta are conserved. Derivatives come from
//! dual numbers, one direction at a time: a body with n modes has 6 + n of them.

use std::sync::Arc;

use crate::flex::{Dual, Modal, Real};
use nalgebra::{DMatrix, Matrix1, Matrix3, Matrix6, Vector3, Vector6};
use precess_lie::Number;
use precess_lie::rotation::{rotation_matrix, skew};

use super::kernels::Group;
use super::links::Bodies;
pub use super::modal_limits::frequencies;
use super::modal_limits::{Neglected, inverse_root, see_deformation};
use super::part::Part;
use super::system::At;
use super::tangents::Tangents;

/// A modal body in the assembled system.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalBody {
    /// Name of the body.
    pub name: String,
    /// The body that is its frame.
    pub frame: usize,
    /// First entries of the frame in q and v.
    pub at: [usize; 2],
    /// First entries of the modal coordinates in q and v.
    pub modal: [usize; 2],
    /// Its inertia, stiffness and damping.
    pub data: Arc<Modal>,
    /// The sums of I2, and of the derivatives of G, from modes and geometric stiffening.
    i2: Vec<Matrix3<f64>>,
    spins: Vec<Vector3<f64>>,
    /// With geometric stiffening, the inverse of the Cholesky factor of the mass matrix of the modes.
    pub(super) root: Option<DMatrix<f64>>,
    /// Loads whose stiffness its data lack.
    neglected: Option<Neglected>,
}

/// One state of the body; borrows the numbers, so that nothing is copied.
struct ModalReading<'a, T> {
    group: Group,
    r: Matrix3<T>,
    z: &'a dyn Fn(usize) -> T,
    v: &'a dyn Fn(usize) -> T,
    vdot: &'a dyn Fn(usize) -> T,
}

fn constant<T: Real>(m: &Matrix3<f64>) -> Matrix3<T> {
    m.map(T::of)
}

fn three<T: Real>(f: &dyn Fn(usize) -> T, first: usize) -> Vector3<T> {
    Vector3::new(f(first), f(first + 1), f(first + 2))
}

/// The inner product, in the order of `dot` of nalgebra, which takes longer to compile.
#[inline]
fn inner<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> T {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// The sum of the entries of mode `k`, in a list by pairs of `n` modes, times the numbers of the other modes.
fn sum_row<T: Real>(pairs: &[Vector3<f64>], k: usize, n: usize, x: &dyn Fn(usize) -> T) -> Vector3<T> {
    (0..n).fold(Vector3::zeros(), |sum, l| sum + pairs[k * n + l].map(T::of) * x(l))
}

impl ModalBody {
    /// A body with a frame. The system assigns the places in the state.
    pub fn new(name: &str, frame: usize, data: Arc<Modal>) -> Self {
        let root = data.geometric.as_ref().and_then(|_| inverse_root(&data));
        let neglected = Neglected::new(&data);
        let (mut i2, mut spins) = (data.i2.clone(), data.g1.clone());
        if let Some(more) = &data.geometric {
            i2.iter_mut().zip(&more.i2).for_each(|(x, y)| *x += y);
            spins.iter_mut().zip(&more.g2).for_each(|(x, y)| *x += y);
        }
        let (at, modal) = ([0; 2], [0; 2]);
        ModalBody { name: name.to_string(), frame, at, modal, data, i2, spins, root, neglected }
    }

    /// True if it has geometric stiffening, or lacks that of a load.
    pub fn has_limits(&self) -> bool {
        self.neglected.is_some() || self.root.is_some()
    }

    /// Updates how near it has come to its limits; `SEEN` numbers. `whole` says
    /// whether the mechanism can move without inertia or against it; this takes longer to find out.
    pub fn see_limits(
        &self,
        group: Group,
        gravity: &Vector3<f64>,
        at: &At,
        seen: &mut [f64],
        whole: &dyn Fn() -> bool,
    ) {
        see_deformation(self.has_mass(&|k| at.q[self.modal[0] + k]), seen, whole);
        let Some(neglected) = self.neglected.as_ref().filter(|_| !at.v.is_empty() && !at.vdot.is_empty())
        else {
            return;
        };
        let read = |list: &[f64], i: usize| three(&|j| list[self.index(j)], i);
        let (omega, alpha, r) = (read(at.v, 0), read(at.vdot, 0), self.rotation(at.q));
        let w = match group {
            Group::R3xSO3 => r.tr_mul(&read(at.vdot, 3)),
            Group::SE3 => read(at.vdot, 3) + omega.cross(&read(at.v, 3)),
        };
        neglected.observe(&[w - r.tr_mul(gravity), alpha, omega], seen);
    }

    /// True if the mass matrix is positive definite for the modal coordinates `z`. Without geometric
    /// stiffening it is, for every deformation.
    pub fn has_mass(&self, z: &dyn Fn(usize) -> f64) -> bool {
        let (Some(root), Some(more)) = (&self.root, &self.data.geometric) else { return true };
        let (n, m) = (self.n(), &*self.data);
        let row = |pairs: &[Vector3<f64>], k: usize| {
            (0..n).fold(Vector3::zeros(), |sum: Vector3<f64>, l| sum + pairs[k * n + l] * z(l))
        };
        let (mut moment, mut inertia) = (m.s0, m.i0);
        let mut left = Matrix6::zeros();
        for k in 0..n {
            let mut coupled = Vector6::zeros();
            for l in 0..=k {
                let spin = (0..n).fold(m.g0[l], |sum, i| sum + m.g1[i * n + l] * z(i)) + row(&more.g2, l);
                let drift = m.s1[l] + row(&more.s2, l);
                let both = [spin.x, spin.y, spin.z, drift.x, drift.y, drift.z];
                coupled += Vector6::from(both) * root[(k, l)];
            }
            left -= coupled * coupled.transpose();
            moment += (m.s1[k] + row(&more.s2, k) * 0.5) * z(k);
            inertia += m.i1[k] * z(k);
            for l in 0..n {
                inertia += (m.i2[k * n + l] + more.i2[k * n + l]) * (z(k) * z(l));
            }
        }
        let mut top = left.fixed_view_mut::<3, 3>(0, 0);
        top += inertia;
        let mut corner = left.fixed_view_mut::<3, 3>(0, 3);
        corner += skew(&moment);
        let mut other = left.fixed_view_mut::<3, 3>(3, 0);
        other -= skew(&moment);
        for i in 3..6 {
            left[(i, i)] += m.mass;
        }
        left.cholesky().is_some()
    }

    /// Number of modes.
    pub fn n(&self) -> usize {
        self.data.modes()
    }

    /// Index of coordinate `j` (frame, then modes) in v.
    fn index(&self, j: usize) -> usize {
        if j < 6 { self.at[1] + j } else { self.modal[1] + j - 6 }
    }

    /// Calls `put(j, force)` with M v' + g of each coordinate.
    ///
    /// The equations are those of SO(3) x R^3 with inertial u. On SE(3) they are evaluated with u = R U and
    /// u' = R (U' + Omega x U), and the force is rotated back.
    fn forces<T: Real>(&self, s: &ModalReading<T>, gravity: &Vector3<T>, put: &mut dyn FnMut(usize, T)) {
        let (n, m) = (self.n(), &*self.data);
        let (omega, alpha) = (three(s.v, 0), three(s.vdot, 0));
        // All translational quantities in the axes of the frame: W = R^T u' and the weight.
        let w = match s.group {
            Group::R3xSO3 => s.r.tr_mul(&three(s.vdot, 3)),
            Group::SE3 => three(s.vdot, 3) + omega.cross(&three(s.v, 3)),
        };
        let push = w - s.r.tr_mul(gravity);
        let vector = |x: &Vector3<f64>| x.map(T::of);
        let (mut moment, mut drift, mut swing) = (vector(&m.s0), Vector3::zeros(), Vector3::zeros());
        let mut inertia: Matrix3<T> = constant(&m.i0);
        let (mut spin, mut spin_rate) = (Vector3::zeros(), Vector3::zeros());
        let mut inertia_rate = Matrix3::zeros();
        for k in 0..n {
            let (z, rate, acceleration) = ((s.z)(k), (s.v)(6 + k), (s.vdot)(6 + k));
            let mut s1 = vector(&m.s1[k]);
            moment += s1 * z;
            if let Some(more) = &m.geometric {
                let s2 = sum_row(&more.s2, k, n, s.z);
                moment += s2 * (z * T::of(0.5));
                s1 += s2;
            }
            drift += s1 * rate;
            swing += s1 * acceleration;
            let (slope, g) = (self.slope(k, s), self.spin(k, s));
            inertia += (constant::<T>(&m.i1[k]) + slope) * (z * T::of(0.5));
            inertia_rate += slope * rate;
            spin += g * rate;
            spin_rate += g * acceleration;
            let mut elastic = T::zero();
            for l in 0..n {
                elastic += (s.vdot)(6 + l) * T::of(m.mff[(k, l)])
                    + (s.z)(l) * T::of(m.stiffness[(k, l)])
                    + (s.v)(6 + l) * T::of(m.damping[(k, l)]);
                for stiffening in &m.stiffening {
                    let speed = inner(&vector(&stiffening.axis), &omega);
                    elastic += speed * speed * T::of(stiffening.matrix[(k, l)]) * (s.z)(l);
                }
                for stiffening in &m.by_modes {
                    elastic += (s.z)(stiffening.mode) * T::of(stiffening.matrix[(k, l)]) * (s.z)(l);
                }
            }
            let coriolis =
                (0..n).fold(Vector3::zeros(), |sum, l| sum + vector(&m.g1[l * n + k]) * (s.v)(6 + l));
            let turning = inner(&g, &alpha) - inner(&omega, &(slope * omega)) * T::of(0.5)
                + inner(&omega, &coriolis) * T::of(2.0);
            put(6 + k, elastic + turning + inner(&s1, &push));
        }
        let mut rotation = inertia * alpha
            + moment.cross(&push)
            + spin_rate
            + omega.cross(&(inertia * omega))
            + inertia_rate * omega
            + omega.cross(&spin);
        let mut forward = push * T::of(m.mass)
            + alpha.cross(&moment)
            + swing
            + omega.cross(&drift) * T::of(2.0)
            + omega.cross(&omega.cross(&moment));
        if let Some(more) = &m.geometric {
            // The second-order displacement adds z'_k z'_l times S2 and G2.
            for k in 0..n {
                let rates = |l: usize| (s.v)(6 + l);
                forward += sum_row(&more.s2, k, n, &rates) * rates(k);
                rotation += sum_row(&more.g2, k, n, &rates) * rates(k);
            }
        }
        let forward = match s.group {
            Group::R3xSO3 => s.r * forward,
            Group::SE3 => forward,
        };
        for i in 0..3 {
            put(i, rotation[i]);
            put(3 + i, forward[i]);
        }
    }

    /// Derivative of the inertia with respect to mode k.
    fn slope<T: Real>(&self, k: usize, s: &ModalReading<T>) -> Matrix3<T> {
        let n = self.n();
        let first = constant(&self.data.i1[k]);
        (0..n).fold(first, |sum, l| sum + constant::<T>(&self.i2[k * n + l]) * ((s.z)(l) * T::of(2.0)))
    }

    /// Angular momentum of mode k.
    fn spin<T: Real>(&self, k: usize, s: &ModalReading<T>) -> Vector3<T> {
        let n = self.n();
        let first = self.data.g0[k].map(T::of);
        (0..n).fold(first, |sum, l| sum + self.spins[l * n + k].map(T::of) * (s.z)(l))
    }

    fn rotation<T: Number>(&self, q: &[T]) -> Matrix3<T> {
        rotation_matrix(&q[self.at[0]..self.at[0] + 4])
    }

    /// Kinetic energy, and M v of the frame: the momenta about its origin, rotational in its axes.
    fn inertial<T: Number>(&self, group: Group, at: &At<T>) -> (T, [T; 6]) {
        let none = |_: usize| T::zero();
        let (z, v) = (|k: usize| at.q[self.modal[0] + k], |j: usize| at.v[self.index(j)]);
        let r = self.rotation(at.q);
        let (mut twice, mut frame) = (T::zero(), [T::zero(); 6]);
        // M v is the change of the force when v replaces v'.
        for (vdot, sign) in [(&v as &dyn Fn(usize) -> T, T::one()), (&none, -T::one())] {
            let reading = ModalReading { group, r, z: &z, v: &none, vdot };
            self.forces(&reading, &Vector3::zeros(), &mut |j, x| {
                twice += v(j) * x * sign;
                if let Some(entry) = frame.get_mut(j) {
                    *entry += x * sign;
                }
            });
        }
        (twice * T::of(0.5), frame)
    }
}

impl<T: Number> Part<T> for ModalBody {
    /// Adds M v' + g to the residual.
    fn residual(&self, bodies: &Bodies<T>, at: &At<T>, r: &mut [T]) {
        let reading = ModalReading {
            group: bodies.group,
            r: self.rotation(at.q),
            z: &|k| at.q[self.modal[0] + k],
            v: &|j| at.v[self.index(j)],
            vdot: &|j| at.vdot[self.index(j)],
        };
        self.forces(&reading, &bodies.gravity, &mut |j, x| r[self.index(j)] += x);
    }

    /// Adds c_m M + c_d D and K, column by column.
    fn tangents(&self, bodies: &Bodies<T>, at: &At<T>, out: &mut Tangents<T>) {
        let (want, group) = (out.want(), bodies.group);
        let gravity = bodies.gravity.map(|x| Dual::new(x, T::zero()));
        let r = self.rotation(at.q);
        let still = r.map(|x| Dual::new(x, T::zero()));
        let along = |x: T, slope: f64| Dual::new(x, T::of(slope));
        for j in 0..6 + self.n() {
            let column = self.index(j);
            let unit = |i: usize, size: f64| if i == j { size } else { 0.0 };
            let (z, v) = (|k: usize| at.q[self.modal[0] + k], |i: usize| at.v[self.index(i)]);
            let vdot = |i: usize| at.vdot[self.index(i)];
            if want.c_m != 0.0 || want.c_d != 0.0 {
                let reading = ModalReading {
                    group,
                    r: still,
                    z: &|k| along(z(k), 0.0),
                    v: &|i| along(v(i), unit(i, want.c_d)),
                    vdot: &|i| along(vdot(i), unit(i, want.c_m)),
                };
                self.forces(&reading, &gravity, &mut |i, x| {
                    out.weighted(self.index(i), column, &Matrix1::new(x.slope[0]))
                });
            }
            if want.stiffness && !(3..6).contains(&j) {
                let turn = if j < 3 { r * skew(&Vector3::ith(j, T::one())) } else { Matrix3::zeros() };
                let reading = ModalReading {
                    group,
                    r: r.zip_map(&turn, Dual::new),
                    z: &|k| along(z(k), unit(6 + k, 1.0)),
                    v: &|i| along(v(i), 0.0),
                    vdot: &|i| along(vdot(i), 0.0),
                };
                self.forces(&reading, &gravity, &mut |i, x| {
                    out.stiffness(self.index(i), column, &Matrix1::new(x.slope[0]))
                });
            }
        }
    }

    /// Kinetic energy, and elastic energy plus that of the weight.
    fn energy(&self, bodies: &Bodies<T>, at: &At<T>) -> [T; 2] {
        let (n, m) = (self.n(), &*self.data);
        let z = |k: usize| at.q[self.modal[0] + k];
        let x = Vector3::from_fn(|i, _| at.q[self.at[0] + 4 + i]);
        let first = (0..n).fold(m.s0.map(T::of), |sum, k| sum + m.s1[k].map(T::of) * z(k));
        let moment = m.geometric.as_ref().map_or(first, |more| {
            (0..n).fold(first, |sum, k| sum + sum_row(&more.s2, k, n, &z) * (z(k) * T::of(0.5)))
        });
        let mut potential = -inner(&bodies.gravity, &(x * T::of(m.mass) + self.rotation(at.q) * moment));
        for k in 0..n {
            for l in 0..n {
                potential += z(k) * z(l) * T::of(0.5 * m.stiffness[(k, l)]);
            }
        }
        [self.inertial(bodies.group, at).0, potential]
    }

    /// Linear momentum, and angular momentum about the origin, inertial frame.
    fn momenta(&self, bodies: &Bodies<T>, at: &At<T>) -> [Vector3<T>; 2] {
        let (_, mv) = self.inertial(bodies.group, at);
        let r = self.rotation(at.q);
        let x = Vector3::from_fn(|i, _| at.q[self.at[0] + 4 + i]);
        let spin = r * Vector3::new(mv[0], mv[1], mv[2]);
        let p = Vector3::new(mv[3], mv[4], mv[5]);
        let p = if bodies.group == Group::SE3 { r * p } else { p };
        [p, x.cross(&p) + spin]
    }

    /// Power of damping and of the stiffening by rotation and tension, which have no potential; none if there
    /// are none.
    fn power(&self, _: &Bodies<T>, at: &At<T>) -> Option<T> {
        let (n, m) = (self.n(), &*self.data);
        if m.stiffening.is_empty() && m.by_modes.is_empty() && m.damping.iter().all(|d| *d == 0.0) {
            return None;
        }
        let (z, v) = (|k: usize| at.q[self.modal[0] + k], |j: usize| at.v[self.index(j)]);
        let omega = Vector3::new(v(0), v(1), v(2));
        let mut sum = T::zero();
        for k in 0..n {
            for l in 0..n {
                let mut force = v(6 + l) * T::of(m.damping[(k, l)]);
                for stiffening in &m.stiffening {
                    let speed = inner(&stiffening.axis.map(T::of), &omega);
                    force += speed * speed * T::of(stiffening.matrix[(k, l)]) * z(l);
                }
                for stiffening in &m.by_modes {
                    force += z(stiffening.mode) * T::of(stiffening.matrix[(k, l)]) * z(l);
                }
                sum -= v(6 + k) * force;
            }
        }
        Some(sum)
    }
}

crate::mechanics::combine::same!(ModalBody);
