//! Bodies in pairs: what joints and forces need of the two bodies they act on.

use nalgebra::{Matrix3, Vector3};
use precess_lie::Number;

use super::body::Body;
use super::joints::MAX_ROWS;
use super::kernels::{Blocks, Group, Motion, Pair, PairMotion, Pose, Row};
use crate::mechanics::beside::beside;

/// Two bodies by index; `None` is the ground, whose columns and forces are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// First body.
    pub a: Option<usize>,
    /// Second body.
    pub b: Option<usize>,
}

impl Link {
    /// The bodies that are not the ground.
    pub fn moving(self) -> impl Iterator<Item = usize> {
        self.a.into_iter().chain(self.b)
    }
}

/// The moving bodies with the group they live in.
#[derive(Clone, Debug)]
pub struct Bodies<T = f64> {
    /// Group of every rigid body.
    pub group: Group,
    /// The bodies.
    pub list: Vec<Body<T>>,
}

impl<T: Number> Bodies<T> {
    /// A body, `None` for the ground.
    #[inline]
    pub fn get(&self, i: Option<usize>) -> Option<&Body<T>> {
        i.map(|i| &self.list[i])
    }

    /// Position and orientation.
    #[inline]
    pub fn pose(&self, i: Option<usize>, q: &[T]) -> Pose<T> {
        self.get(i).map_or_else(Pose::ground, |b| b.pose(q))
    }

    /// Poses of two bodies.
    #[inline]
    pub fn pair(&self, link: Link, q: &[T]) -> Pair<T> {
        let b = self.pose(link.b, q);
        match self.get(link.a) {
            Some(a) => Pair::new(self.group, &a.pose(q), &b),
            None => Pair { group: self.group, a: Pose::ground(), b, r_ab: b.r, x_ab: b.x },
        }
    }

    /// Poses of two bodies without the relative one, see [`Pair::in_space`].
    #[inline]
    pub fn pair_in_space(&self, link: Link, q: &[T]) -> Pair<T> {
        Pair::in_space(self.group, &self.pose(link.a, q), &self.pose(link.b, q))
    }

    /// Velocities (or accelerations) of two bodies.
    #[inline]
    pub fn motion(&self, link: Link, v: &[T]) -> PairMotion<T> {
        let of = |i| self.get(i).map_or_else(Motion::rest, |b| b.motion(v));
        PairMotion { a: of(link.a), b: of(link.b) }
    }

    /// Adds a generalised force on two bodies to the residual.
    #[inline]
    pub fn add_force(&self, link: Link, force: &Row<T>, r: &mut [T]) {
        self.add_force_from(link, force, 0, r);
    }

    /// Adds a generalised force on those of two bodies that belong to a residual that begins with coordinate `first`.
    #[inline]
    pub fn add_force_from(&self, link: Link, force: &Row<T>, first: usize, r: &mut [T]) {
        for (i, part) in [(link.a, &force.a), (link.b, &force.b)] {
            if let Some(body) = self.get(i) {
                body.add_wrench_from(part, first, r);
            }
        }
    }

    /// Calls `put(first coordinate, three entries)` for the parts of a row.
    #[inline]
    pub fn put_row(&self, link: Link, row: &Row<T>, mut put: impl FnMut(usize, &Vector3<T>)) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            if let Some(body) = self.get(i) {
                body.row_parts(part, &mut put);
            }
        }
    }

    /// Calls `put(first coordinate, columns)` for the two bodies of a joint.
    #[inline]
    pub fn put_columns(&self, link: Link, columns: &Columns<T>, mut put: impl FnMut(usize, &[T])) {
        let n = columns.n;
        for (i, columns) in [(link.a, &columns.a), (link.b, &columns.b)] {
            if let Some(body) = self.get(i) {
                // Point masses have translations only.
                put(body.v, &columns[(6 - body.dim()) * n..6 * n]);
            }
        }
    }

    /// Calls `put(row, column, 3x3 part)` for the parts of the blocks of one or two bodies that can differ from zero.
    #[inline]
    pub fn put_blocks(
        &self,
        link: Link,
        parts: Parts,
        k: &impl Blocks<T>,
        mut put: impl FnMut(usize, usize, &Matrix3<T>),
    ) {
        let b = self.get(link.b);
        let Parts { coupled, translations } = parts;
        if let (Some(k), Some(a)) = (k.pair(), self.get(link.a)) {
            a.block_parts(a, &k.aa, translations, &mut put);
            if let (Some(b), true) = (b, coupled) {
                a.block_parts(b, &k.ab, translations, &mut put);
                b.block_parts(a, &k.ba, translations, &mut put);
            }
        }
        if let Some(b) = b {
            b.block_parts(b, k.second(), translations, &mut put);
        }
    }
}

/// Which parts of the blocks of a pair can differ from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Blocks between the two bodies.
    pub coupled: bool,
    /// Rows and columns of translations.
    pub translations: bool,
}

impl Parts {
    /// Any of them.
    pub const ALL: Parts = Parts { coupled: true, translations: true };
}

/// Rows of a joint as its columns for both bodies, one after the other.
#[derive(Clone, Debug)]
pub struct Columns<T = f64> {
    n: usize,
    a: [T; 6 * MAX_ROWS],
    b: [T; 6 * MAX_ROWS],
}

impl<T: Number> Default for Columns<T> {
    /// Room for the rows of any joint.
    fn default() -> Self {
        Columns { n: 0, a: [T::zero(); 6 * MAX_ROWS], b: [T::zero(); 6 * MAX_ROWS] }
    }
}

impl<T: Number> Columns<T> {
    /// Begins a joint with n rows. All of them will be set, unless it is `switched`.
    #[inline]
    pub fn begin(&mut self, n: usize, switched: bool) {
        self.n = n.min(MAX_ROWS);
        if switched {
            self.a.fill(T::zero());
            self.b.fill(T::zero());
        }
    }

    /// Sets row i, the columns that `B` looks at.
    #[inline]
    pub fn set<B: Blocks<T>>(&mut self, i: usize, row: &Row<T>) {
        // With these bounds every place is known to exist.
        let (n, i) = (self.n.min(MAX_ROWS), i.min(MAX_ROWS - 1));
        for j in 0..3 {
            if B::FIRST {
                self.a[j * n + i] = row.a.rot[j];
                self.a[(j + 3) * n + i] = row.a.trans[j];
            }
            self.b[j * n + i] = row.b.rot[j];
            self.b[(j + 3) * n + i] = row.b.trans[j];
        }
    }
}

beside!(struct Bodies { group, list });
