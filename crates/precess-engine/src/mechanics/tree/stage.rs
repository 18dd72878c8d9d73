//! One stage of a tree: a motion with one, three or six coordinates.
//!
//! A joint is a list of stages with constant motion subspaces S in their outer frames, so a universal joint is
//! two turns, a planar joint two slides and a turn, and a free body in R^3xSO(3) three slides and a ball. Turns
//! and slides are about and along the third axis of their frames. Frames between two stages have no mass.

use nalgebra::{Matrix3, Vector3};
use precess_lie::matrix::identity;
use precess_lie::rotation::rotation_matrix;
use precess_lie::{Factor, Number};

use super::spatial::{Inertia, compose};
use crate::mechanics::kernels::{Motion, Pose, Wrench};

/// The coordinates of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageKind {
    /// An angle about e_3.
    Turn,
    /// A displacement along e_3.
    Slide,
    /// A rotation in SO(3).
    Ball,
    /// A pose in SE(3).
    Free,
}

impl StageKind {
    /// The factor of the configuration space.
    pub fn factor(self) -> Factor {
        match self {
            StageKind::Turn | StageKind::Slide => Factor::Rn(1),
            StageKind::Ball => Factor::SO3,
            StageKind::Free => Factor::SE3,
        }
    }

    /// Number of velocity coordinates.
    #[inline(always)]
    pub fn dim(self) -> usize {
        self.factor().dim()
    }

    /// Column i of S.
    #[inline(always)]
    pub fn column<T: Number>(self, i: usize) -> Motion<T> {
        let mut s = Motion::rest();
        match self {
            StageKind::Turn => s.omega.z = T::one(),
            StageKind::Slide => s.u.z = T::one(),
            StageKind::Ball => s.omega[i] = T::one(),
            StageKind::Free if i < 3 => s.omega[i] = T::one(),
            StageKind::Free => s.u[i - 3] = T::one(),
        }
        s
    }
}

/// A stage with its place in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage<T = f64> {
    /// The stage that carries it; none for the ground. It has a smaller number.
    pub parent: Option<usize>,
    /// Its inner frame, in the outer frame of the parent.
    pub placement: Pose<T>,
    /// Its coordinates.
    pub kind: StageKind,
    /// First entry in q.
    pub q: usize,
    /// First entry in v.
    pub v: usize,
    /// Inertia of all that is fixed in its outer frame, if there is any.
    pub inertia: Option<Inertia<T>>,
}

impl<T: Number> Stage<T> {
    /// Number of velocity coordinates.
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.kind.dim()
    }

    /// Its outer frame in the outer frame of the parent.
    #[inline(always)]
    pub fn pose(&self, q: &[T]) -> Pose<T> {
        let Pose { r, x } = &self.placement;
        match self.kind {
            StageKind::Turn => {
                let (sin, cos) = q[self.q].sin_cos();
                let [e_1, e_2] = [r.column(0), r.column(1)];
                let turned = [e_1 * cos + e_2 * sin, e_2 * cos - e_1 * sin];
                let mut r = *r;
                r.set_column(0, &turned[0]);
                r.set_column(1, &turned[1]);
                Pose { r, x: *x }
            }
            StageKind::Slide => Pose { r: *r, x: x + r.column(2) * q[self.q] },
            StageKind::Ball => Pose { r: r * rotation_matrix(&q[self.q..self.q + 4]), x: *x },
            StageKind::Free => {
                let q = &q[self.q..self.q + 7];
                let own = Pose { r: rotation_matrix(&q[..4]), x: Vector3::new(q[4], q[5], q[6]) };
                compose(&self.placement, &own)
            }
        }
    }

    /// S v in the outer frame, for its own coordinates in v.
    #[inline(always)]
    pub fn motion(&self, v: &[T]) -> Motion<T> {
        let mut m = Motion::rest();
        match self.kind {
            StageKind::Turn => m.omega.z = v[self.v],
            StageKind::Slide => m.u.z = v[self.v],
            StageKind::Ball => m.omega = Vector3::new(v[self.v], v[self.v + 1], v[self.v + 2]),
            StageKind::Free => {
                let v = &v[self.v..self.v + 6];
                (m.omega, m.u) = (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
            }
        }
        m
    }

    /// Writes S^T f to its own coordinates.
    #[inline(always)]
    pub fn project(&self, f: &Wrench<T>, out: &mut [T]) {
        match self.kind {
            StageKind::Turn => out[self.v] = f.rot.z,
            StageKind::Slide => out[self.v] = f.trans.z,
            StageKind::Ball => (0..3).for_each(|i| out[self.v + i] = f.rot[i]),
            StageKind::Free => (0..3).for_each(|i| {
                out[self.v + i] = f.rot[i];
                out[self.v + 3 + i] = f.trans[i];
            }),
        }
    }
}

/// A frame at a point whose third axis has a given direction.
pub fn along(direction: &Vector3<f64>, point: Vector3<f64>) -> Pose {
    let e_3 = direction.normalize();
    let smallest = (0..3).min_by(|&i, &j| e_3[i].abs().total_cmp(&e_3[j].abs())).unwrap_or(0);
    let mut other = Vector3::zeros();
    other[smallest] = 1.0;
    let e_1 = (other - e_3 * e_3[smallest]).normalize();
    Pose { r: Matrix3::from_columns(&[e_1, e_3.cross(&e_1), e_3]), x: point }
}

/// A pose without rotation.
pub fn shifted<T: Number>(x: Vector3<T>) -> Pose<T> {
    Pose { r: identity(), x }
}
