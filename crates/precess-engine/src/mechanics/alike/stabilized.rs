//! What the stabilized form adds: constraints at velocity level with their multipliers eta, and the direction
//! N in which they correct positions.

use nalgebra::Vector3;
use precess_lie::Number;

use super::{Alike, AlikeBody, AlikeRows, AlikeState, Connection, MatrixWeights, three};
use crate::mechanics::kernels::pose::times_hat;
use crate::mechanics::kernels::{Measure, Motion, PairMotion, Point, Row, Wrench};
use crate::solve::pattern_lu::Entries;

/// The part of a row that belongs to one of its bodies.
#[inline(always)]
fn side<T>(row: &Row<T>, second: bool) -> &Wrench<T> {
    if second { &row.b } else { &row.a }
}

impl<T: Number> Alike<T> {
    /// Calls `f(body, second or first of the joint)` for the moving bodies of a joint.
    #[inline(always)]
    fn sides(&self, joint: &Connection<T>, mut f: impl FnMut(usize, bool)) {
        for (i, second) in [(joint.link.a, false), (joint.link.b, true)] {
            if let Some(i) = i {
                f(i, second);
            }
        }
    }

    /// N at q, one row per constraint: the rows of B, by the masses where `mass`.
    #[inline(always)]
    pub fn direction(&mut self, q: &[T], mass: bool, n: &mut [Row<T>]) {
        self.place(q);
        for joint in &self.joints {
            let pair = self.pair(joint);
            let mut first = joint.first;
            for rows in &joint.rows {
                each!(rows, m => m.rows(&pair).iter().for_each(|row| {
                    n[first] = *row;
                    first += 1;
                }));
            }
            if mass {
                self.sides(joint, |i, second| {
                    for row in &mut n[joint.first..first] {
                        let part = if second { &mut row.b } else { &mut row.a };
                        *part = self.bodies[i].per_mass(part);
                    }
                });
            }
        }
    }

    /// out += N eta.
    #[inline(always)]
    pub fn add_along(&self, n: &[Row<T>], eta: impl Fn(usize) -> T, out: &mut [T]) {
        for joint in &self.joints {
            self.sides(joint, |i, second| {
                for row in joint.first..joint.end {
                    self.bodies[i].add(&(*side(&n[row], second) * eta(row)), out);
                }
            });
        }
    }

    /// The velocity constraints B v / dv in the residual, after [`evaluate`](Self::evaluate) at the same
    /// place.
    #[inline(always)]
    pub fn velocity_level(&self, at: &AlikeState<T>, w: &MatrixWeights, psi: &mut [T]) {
        let per_dv = T::of(w.force / w.damping);
        let hidden = &mut psi[self.n_v + self.n_lambda..];
        for joint in &self.joints {
            let mut row = joint.first;
            if let [AlikeRows::Point(m)] = &joint.rows[..] {
                let rate = self.point_velocity(joint, m, at.v) * per_dv;
                hidden[row..row + 3].copy_from_slice(rate.as_slice());
                continue;
            }
            let (pair, v) = (self.pair(joint), self.motion(joint, at.v));
            for rows in &joint.rows {
                each!(rows, m => m.bv(&pair, &v).iter().for_each(|rate| {
                    hidden[row] = *rate * per_dv;
                    row += 1;
                }));
            }
        }
    }

    /// Adds the rows and columns of eta to the matrix, after [`evaluate`](Self::evaluate) at the same place:
    /// B + Y T / dv, S N and B N.
    #[inline(always)]
    pub fn velocity_matrix(
        &mut self,
        at: &AlikeState<T>,
        w: &MatrixWeights,
        n: &[Row<T>],
        matrix: &mut Entries<T>,
    ) {
        let eta = self.n_v + self.n_lambda;
        let per_dv = T::of(w.force / w.damping);
        let mut b = std::mem::take(&mut self.rows);
        for joint in &self.joints {
            self.add_s_n(joint, w, n, matrix);
            let mut row = joint.first;
            if let [AlikeRows::Point(m)] = &joint.rows[..] {
                self.point_rows(joint, m, at.v, per_dv, &mut b, matrix);
                continue;
            }
            let (pair, v) = (self.pair(joint), self.motion(joint, at.v));
            for rows in &joint.rows {
                each!(rows, m => for (columns, turns) in m.rows(&pair).iter().zip(m.y_rows(&pair, &v)) {
                    b[row] = *columns;
                    self.sides(joint, |i, second| {
                        let (part, turn) = (side(columns, second), side(&turns, second));
                        let turned = self.tangents[i].tr_mul(&turn.rot);
                        let sum = Wrench {
                            rot: part.rot + turned * per_dv,
                            trans: part.trans + turn.trans * per_dv,
                        };
                        self.bodies[i].add_row(&sum, eta + row, matrix);
                    });
                    row += 1;
                });
            }
        }
        for (body, touching) in self.bodies.iter().zip(&self.touching) {
            for &(row, second) in touching {
                let part = side(&b[row], second);
                for &(column, its_second) in touching {
                    let along = side(&n[column], its_second);
                    let rot = if body.inertia.is_some() { part.rot.dot(&along.rot) } else { T::zero() };
                    matrix.add(eta + row, eta + column, rot + part.trans.dot(&along.trans));
                }
            }
        }
        self.rows = b;
    }

    /// S N of a joint, in the columns of its eta.
    #[inline(always)]
    fn add_s_n(&self, joint: &Connection<T>, w: &MatrixWeights, n: &[Row<T>], matrix: &mut Entries<T>) {
        let eta = self.n_v + self.n_lambda;
        self.sides(joint, |i, second| {
            let body = &self.bodies[i];
            for row in joint.first..joint.end {
                let part = side(&n[row], second);
                let rot = self.weighted[i] * part.rot;
                let trans = part.trans * (body.mass * T::of(w.mass));
                body.add_column(&Wrench { rot, trans }, eta + row, matrix);
            }
        });
    }

    /// B v of a joint that is a point of both bodies.
    #[inline(always)]
    fn point_velocity(&self, joint: &Connection<T>, m: &Point<T>, v: &[T]) -> Vector3<T> {
        let mut rate = Vector3::zeros();
        self.sides(joint, |i, second| {
            let (p, scale) = if second { (&m.p_b, -m.scale) } else { (&m.p_a, m.scale) };
            let motion = self.bodies[i].motion(v);
            rate += (motion.u + self.poses[i].r * motion.omega.cross(p)) * scale;
        });
        rate
    }

    /// The rows B + Y T / dv of a joint that is a point of both bodies: one block of each body and a
    /// diagonal.
    #[inline(always)]
    fn point_rows(
        &self,
        joint: &Connection<T>,
        m: &Point<T>,
        v: &[T],
        per_dv: T,
        b: &mut [Row<T>],
        matrix: &mut Entries<T>,
    ) {
        let row = self.n_v + self.n_lambda + joint.first;
        self.sides(joint, |i, second| {
            let (p, scale) = if second { (&m.p_b, -m.scale) } else { (&m.p_a, m.scale) };
            let (body, r) = (&self.bodies[i], &self.poses[i].r);
            let columns = times_hat(r, p) * -scale;
            for k in 0..3 {
                let own = &mut b[joint.first + k];
                let part = if second { &mut own.b } else { &mut own.a };
                part.rot = Vector3::new(columns[(k, 0)], columns[(k, 1)], columns[(k, 2)]);
                part.trans = Vector3::ith(k, scale);
                matrix.add(row + k, body.trans + k, scale);
            }
            if body.inertia.is_some() {
                let turn = times_hat(r, &three(v, body.v).cross(p)) * -scale;
                matrix.add_block(row, body.v, &(columns + turn * self.tangents[i] * per_dv));
            }
        });
    }

    /// Velocities of the bodies of a joint.
    #[inline(always)]
    pub(super) fn motion(&self, joint: &Connection<T>, v: &[T]) -> PairMotion<T> {
        let of = |i: Option<usize>| i.map_or_else(Motion::rest, |i| self.bodies[i].motion(v));
        PairMotion { a: of(joint.link.a), b: of(joint.link.b) }
    }
}

impl<T: Number> AlikeBody<T> {
    #[inline(always)]
    fn motion(&self, v: &[T]) -> Motion<T> {
        let omega = if self.inertia.is_some() { three(v, self.v) } else { Vector3::zeros() };
        Motion { omega, u: three(v, self.trans) }
    }

    /// M^-1 times a force.
    #[inline(always)]
    fn per_mass(&self, w: &Wrench<T>) -> Wrench<T> {
        let rot = if self.inertia.is_some() { self.inverse * w.rot } else { w.rot };
        Wrench { rot, trans: w.trans / self.mass }
    }

    /// Adds to a row of the matrix, in the columns of this body.
    #[inline(always)]
    fn add_row(&self, w: &Wrench<T>, row: usize, matrix: &mut Entries<T>) {
        for j in 0..3 {
            if self.inertia.is_some() {
                matrix.add(row, self.v + j, w.rot[j]);
            }
            matrix.add(row, self.trans + j, w.trans[j]);
        }
    }

    /// Adds to a column of the matrix, in the rows of this body.
    #[inline(always)]
    fn add_column(&self, w: &Wrench<T>, column: usize, matrix: &mut Entries<T>) {
        for i in 0..3 {
            if self.inertia.is_some() {
                matrix.add(self.v + i, column, w.rot[i]);
            }
            matrix.add(self.trans + i, column, w.trans[i]);
        }
    }
}
