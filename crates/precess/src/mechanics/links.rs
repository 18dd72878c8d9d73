//! Bodies in pairs: what joints and forces need of the two bodies they act on.

use nalgebra::{Matrix3, Vector3};

use super::body::Body;
use super::joints::MAX_ROWS;
use super::kernels::{Group, Motion, Pair, PairBlocks, PairMotion, Pose, Row};

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
pub struct Bodies {
    /// Group of every rigid body.
    pub group: Group,
    /// The bodies.
    pub list: Vec<Body>,
}

impl Bodies {
    /// A body, `None` for the ground.
    #[inline]
    pub fn get(&self, i: Option<usize>) -> Option<&Body> {
        i.map(|i| &self.list[i])
    }

    /// Position and orientation.
    #[inline]
    pub fn pose(&self, i: Option<usize>, q: &[f64]) -> Pose {
        self.get(i).map_or_else(Pose::ground, |b| b.pose(q))
    }

    /// Poses of two bodies.
    #[inline]
    pub fn pair(&self, link: Link, q: &[f64]) -> Pair {
        let b = self.pose(link.b, q);
        match self.get(link.a) {
            Some(a) => Pair::new(self.group, &a.pose(q), &b),
            None => Pair { group: self.group, a: Pose::ground(), b, r_ab: b.r, x_ab: b.x },
        }
    }

    /// Velocities (or accelerations) of two bodies.
    #[inline]
    pub fn motion(&self, link: Link, v: &[f64]) -> PairMotion {
        let of = |i| self.get(i).map_or_else(Motion::rest, |b| b.motion(v));
        PairMotion { a: of(link.a), b: of(link.b) }
    }

    /// Adds a generalised force on two bodies to the residual.
    #[inline]
    pub fn add_force(&self, link: Link, force: &Row, r: &mut [f64]) {
        for (i, part) in [(link.a, &force.a), (link.b, &force.b)] {
            if let Some(body) = self.get(i) {
                body.add_wrench(part, r);
            }
        }
    }

    /// Calls `put(first coordinate, three entries)` for the parts of a row.
    #[inline]
    pub fn put_row(&self, link: Link, row: &Row, mut put: impl FnMut(usize, &Vector3<f64>)) {
        for (i, part) in [(link.a, &row.a), (link.b, &row.b)] {
            if let Some(body) = self.get(i) {
                body.row_parts(part, &mut put);
            }
        }
    }

    /// Calls `put(first coordinate, columns)` for the two bodies of a joint, columns of all its rows one after the other.
    #[inline]
    pub fn put_rows(&self, link: Link, rows: &[Row], mut put: impl FnMut(usize, &[f64])) {
        let mut columns = [0.0; 6 * MAX_ROWS];
        let n = rows.len();
        for (i, first) in [(link.a, true), (link.b, false)] {
            let Some(body) = self.get(i) else { continue };
            for (i, row) in rows.iter().enumerate() {
                let w = if first { &row.a } else { &row.b };
                for j in 0..3 {
                    columns[j * n + i] = w.rot[j];
                    columns[(j + 3) * n + i] = w.trans[j];
                }
            }
            // Point masses have translations only.
            put(body.v, &columns[(6 - body.dim()) * n..6 * n]);
        }
    }

    /// Calls `put(row, column, 3x3 part)` for the parts of the blocks of two bodies.
    #[inline]
    pub fn put_blocks(&self, link: Link, k: &PairBlocks, mut put: impl FnMut(usize, usize, &Matrix3<f64>)) {
        let (a, b) = (self.get(link.a), self.get(link.b));
        for (row, col, block) in [(a, a, &k.aa), (a, b, &k.ab), (b, a, &k.ba), (b, b, &k.bb)] {
            if let (Some(row), Some(col)) = (row, col) {
                row.block_parts(col, block, &mut put);
            }
        }
    }
}
