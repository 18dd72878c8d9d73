//! Bodies: rigid bodies and point masses, with their inertia forces in R^3xSO(3) and SE(3).

use nalgebra::{Matrix3, Vector3};
use precess_lie::matrix::{SmallMatrix, identity, zeros};
use precess_lie::rotation::rotation_matrix;
use precess_lie::{Factor, Number};

use super::kernels::applied::{add_gravity_k, add_gyro_d, gravity, gyro};
use super::kernels::{Block, Group, Motion, Pose, Wrench};
use super::system::At;
use super::tangents::{Tangents, Want};
use crate::mechanics::combine::combine;

/// Rigid body or point mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyKind<T = f64> {
    /// Inertia tensor about the centre of mass in the body frame.
    Rigid {
        /// The tensor.
        inertia: Matrix3<T>,
    },
    /// No orientation.
    PointMass,
}

/// A moving body and its position in the flat state.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<T = f64> {
    /// Name, unique in its model.
    pub name: String,
    /// Mass.
    pub mass: T,
    /// Rigid body or point mass.
    pub kind: BodyKind<T>,
    /// First entry in q.
    pub q: usize,
    /// First entry in v.
    pub v: usize,
}

impl<T: Number> Body<T> {
    /// The factor of the configuration space.
    pub fn factor(&self, group: Group) -> Factor {
        match (self.kind, group) {
            (BodyKind::PointMass, _) => Factor::Rn(3),
            (BodyKind::Rigid { .. }, Group::R3xSO3) => Factor::R3xSO3,
            (BodyKind::Rigid { .. }, Group::SE3) => Factor::SE3,
        }
    }

    /// Number of velocity coordinates.
    pub fn dim(&self) -> usize {
        match self.kind {
            BodyKind::Rigid { .. } => 6,
            BodyKind::PointMass => 3,
        }
    }

    /// Position and orientation.
    #[inline(always)]
    pub fn pose(&self, q: &[T]) -> Pose<T> {
        match self.kind {
            BodyKind::Rigid { .. } => {
                let q = &q[self.q..self.q + 7];
                Pose { r: rotation_matrix(&q[..4]), x: Vector3::new(q[4], q[5], q[6]) }
            }
            BodyKind::PointMass => {
                let q = &q[self.q..self.q + 3];
                Pose { r: identity(), x: Vector3::new(q[0], q[1], q[2]) }
            }
        }
    }

    /// Velocity (or acceleration, or variation) coordinates of this body.
    #[inline(always)]
    pub fn motion(&self, v: &[T]) -> Motion<T> {
        match self.kind {
            BodyKind::Rigid { .. } => {
                let v = &v[self.v..self.v + 6];
                Motion { omega: Vector3::new(v[0], v[1], v[2]), u: Vector3::new(v[3], v[4], v[5]) }
            }
            BodyKind::PointMass => {
                let v = &v[self.v..self.v + 3];
                Motion { omega: zeros(), u: Vector3::new(v[0], v[1], v[2]) }
            }
        }
    }

    /// Velocity of the centre of mass in the inertial frame.
    pub fn velocity(&self, group: Group, at: &At<T>) -> Vector3<T> {
        let u = self.motion(at.v).u;
        match (self.kind, group) {
            (BodyKind::Rigid { .. }, Group::SE3) => rotation_matrix(&at.q[self.q..self.q + 4]) * u,
            _ => u,
        }
    }

    /// Velocity of a body-fixed point (from the centre of mass, body frame) in the inertial frame.
    pub fn point_velocity(&self, group: Group, at: &At<T>, p: &Vector3<T>) -> Vector3<T> {
        self.velocity(group, at) + self.pose(at.q).r * self.motion(at.v).omega.cross(p)
    }

    /// Acceleration of a body-fixed point in the inertial frame.
    pub fn point_acceleration(&self, group: Group, at: &At<T>, p: &Vector3<T>) -> Vector3<T> {
        let (v, a) = (self.motion(at.v), self.motion(at.vdot));
        let turning = a.omega.cross(p) + v.omega.cross(&v.omega.cross(p));
        let r = self.pose(at.q).r;
        match (self.kind, group) {
            (BodyKind::Rigid { .. }, Group::SE3) => r * (a.u + v.omega.cross(&v.u) + turning),
            _ => a.u + r * turning,
        }
    }

    /// Angular momentum about the origin in the inertial frame.
    pub fn angular_momentum(&self, group: Group, at: &At<T>) -> Vector3<T> {
        let pose = self.pose(at.q);
        let spin = match self.kind {
            BodyKind::Rigid { inertia } => pose.r * (inertia * self.motion(at.v).omega),
            BodyKind::PointMass => zeros(),
        };
        pose.x.cross(&(self.velocity(group, at) * self.mass)) + spin
    }

    /// First column of the translation; rotation comes before it.
    #[inline]
    fn trans(&self) -> usize {
        match self.kind {
            BodyKind::Rigid { .. } => self.v + 3,
            BodyKind::PointMass => self.v,
        }
    }

    /// Adds a generalised force to the residual.
    #[inline]
    pub fn add_wrench(&self, w: &Wrench<T>, r: &mut [T]) {
        self.add_wrench_from(w, 0, r);
    }

    /// Adds a generalised force to a residual that begins with coordinate `first`; nothing if the body lies
    /// before it.
    #[inline(always)]
    pub fn add_wrench_from(&self, w: &Wrench<T>, first: usize, r: &mut [T]) {
        let Some(v) = self.v.checked_sub(first) else { return };
        match self.kind {
            BodyKind::Rigid { .. } => {
                let (rot, trans) = r[v..v + 6].split_at_mut(3);
                for i in 0..3 {
                    rot[i] += w.rot[i];
                    trans[i] += w.trans[i];
                }
            }
            BodyKind::PointMass => {
                let trans = &mut r[v..v + 3];
                for i in 0..3 {
                    trans[i] += w.trans[i];
                }
            }
        }
    }

    /// Calls `put(col, part)` for the rotational and translational part of a row.
    #[inline]
    pub fn row_parts(&self, w: &Wrench<T>, mut put: impl FnMut(usize, &Vector3<T>)) {
        if matches!(self.kind, BodyKind::Rigid { .. }) {
            put(self.v, &w.rot);
        }
        put(self.trans(), &w.trans);
    }

    /// Calls `put(row, col, part)` for the 3x3 parts of a block between this body (rows) and another
    /// (columns); parts of translations only if the bodies have them.
    #[inline]
    pub fn block_parts(
        &self,
        other: &Body<T>,
        b: &Block<T>,
        translations: bool,
        mut put: impl FnMut(usize, usize, &Matrix3<T>),
    ) {
        let rigid = |body: &Body<T>| matches!(body.kind, BodyKind::Rigid { .. });
        let (rows, cols) = (rigid(self), rigid(other));
        // On R^3xSO(3) most parts are zero.
        let is_zero = |part: &Matrix3<T>| T::all_zero(part.iter());
        let mut put = |wanted: bool, row, col, part: &Matrix3<T>| {
            if wanted && !is_zero(part) {
                put(row, col, part);
            }
        };
        put(rows && cols, self.v, other.v, &b.rr);
        if translations {
            put(rows, self.v, other.trans(), &b.rx);
            put(cols, self.trans(), other.v, &b.xr);
            put(true, self.trans(), other.trans(), &b.xx);
        }
    }

    /// Inertia forces M v' and gyroscopic terms, and the weight.
    #[inline(always)]
    pub fn residual(&self, group: Group, gamma: &Vector3<T>, at: &At<T>) -> Wrench<T> {
        match (self.kind, group) {
            (BodyKind::PointMass, _) => {
                Wrench { rot: zeros(), trans: (self.motion(at.vdot).u - gamma) * self.mass }
            }
            // The weight in inertial components needs no pose.
            (BodyKind::Rigid { inertia }, Group::R3xSO3) => {
                self.rigid(Group::R3xSO3, &inertia, &Pose::ground(), gamma, at)
            }
            (BodyKind::Rigid { inertia }, Group::SE3) => {
                self.rigid(Group::SE3, &inertia, &self.pose(at.q), gamma, at)
            }
        }
    }

    /// [`residual`](Self::residual) of a rigid body.
    #[inline(always)]
    fn rigid(
        &self,
        group: Group,
        j: &Matrix3<T>,
        pose: &Pose<T>,
        gamma: &Vector3<T>,
        at: &At<T>,
    ) -> Wrench<T> {
        let (v, a) = (self.motion(at.v), self.motion(at.vdot));
        let inertial = Wrench { rot: j * a.omega, trans: a.u * self.mass };
        inertial + (gyro(group, self.mass, j, &v) + gravity(group, pose, self.mass, gamma))
    }

    /// Derivatives of [`residual`](Self::residual).
    #[inline(always)]
    pub fn tangents(&self, group: Group, gamma: &Vector3<T>, at: &At<T>, out: &mut Tangents<T>) {
        let Want { c_m, c_d, .. } = out.want();
        let BodyKind::Rigid { inertia } = self.kind else {
            return out.mass_diagonal(self.v, 3, self.mass);
        };
        let mut d = Block::zero();
        if c_d != 0.0 {
            add_gyro_d(group, self.mass, &inertia, &self.motion(at.v), &mut d);
        }
        if c_m != 0.0 || c_d != 0.0 {
            out.weighted(self.v, self.v, &(inertia * T::of(c_m) + d.rr * T::of(c_d)));
            out.mass_diagonal(self.trans(), 3, self.mass);
            // On R^3xSO(3) only the rotation has gyroscopic terms.
            if group == Group::SE3 {
                out.weighted(self.trans(), self.v, &(d.xr * T::of(c_d)));
                out.weighted(self.trans(), self.trans(), &(d.xx * T::of(c_d)));
            }
        }
        if out.want().stiffness && group == Group::SE3 {
            let mut k = Block::zero();
            add_gravity_k(group, &self.pose(at.q), self.mass, gamma, &mut k);
            out.stiffness(self.v + 3, self.v, &k.xr);
        }
    }

    /// Kinetic energy.
    pub fn kinetic(&self, at: &At<T>) -> T {
        let v = self.motion(at.v);
        let spin = match self.kind {
            BodyKind::Rigid { inertia } => v.omega.inner(&(inertia * v.omega)),
            BodyKind::PointMass => T::zero(),
        };
        T::of(0.5) * (self.mass * v.u.inner(&v.u) + spin)
    }
}

combine!(enum BodyKind { Rigid { inertia }, PointMass });
combine!(struct Body { name, mass, kind, q, v });
