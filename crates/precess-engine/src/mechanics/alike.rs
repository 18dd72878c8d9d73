//! Plain models side by side: bodies on R^3xSO(3) and point masses under gravity, with joints that always
//! hold.
//!
//! The same matrix as that of a [`Batch`](super::batch::Batch), written directly into its places: 1.6 to 4
//! times faster on tops, chains and slider-cranks in index-3 form, 1.1 to 3 times in the stabilized form,
//! which are what large sweeps are made of. Everything else is a batch.

/// Applies a function that is generic in the number of rows.
macro_rules! each {
    ($rows:expr, $measure:ident => $body:expr) => {
        match $rows {
            AlikeRows::Point($measure) => $body,
            AlikeRows::Directions1($measure) => $body,
            AlikeRows::Directions2($measure) => $body,
            AlikeRows::Offset1($measure) => $body,
            AlikeRows::Offset2($measure) => $body,
            AlikeRows::Offset3($measure) => $body,
        }
    };
}

mod accelerations;
mod gather;
mod stabilized;

use nalgebra::{Matrix3, SVector, Vector3};
use num_traits::Zero;
use precess_lie::rotation::{retract, rotation_matrix, tangent};
use precess_lie::{Lanes, Number};

use super::batch::{MatrixWeights, three};
use super::kernels::applied::{gyro, gyro_d_of_rotation};
use super::kernels::pose::{hat_hat, times_hat};
use super::kernels::{
    Block, Directions, Group, Measure, Motion, Offset, Pair, PairBlocks, Point, Pose, Row, Wrench,
};
use super::links::Link;
use crate::solve::pattern_lu::Entries;

/// Where the equations are evaluated: one entry per coordinate, one lane per model.
#[derive(Clone, Copy, Debug)]
pub struct AlikeState<'a, T> {
    /// Configuration.
    pub q: &'a [T],
    /// Velocity.
    pub v: &'a [T],
    /// Acceleration.
    pub vdot: &'a [T],
    /// Multipliers.
    pub lambda: &'a [T],
    /// Increment of the step: its tangent operator is part of the matrix.
    pub theta: &'a [T],
}

/// A body of all models.
#[derive(Clone, Debug)]
struct AlikeBody<T> {
    mass: T,
    /// None for a point mass.
    inertia: Option<Matrix3<T>>,
    /// Of its inertia.
    inverse: Matrix3<T>,
    q: usize,
    v: usize,
    /// First coordinate of the translation.
    trans: usize,
    /// Rows of the matrix in which derivatives with respect to its rotation stand.
    turned: Vec<usize>,
}

/// Constraint rows of all models.
#[derive(Clone, Debug)]
enum AlikeRows<T> {
    Point(Point<T>),
    Directions1(Directions<1, T>),
    Directions2(Directions<2, T>),
    Offset1(Offset<1, T>),
    Offset2(Offset<2, T>),
    Offset3(Offset<3, T>),
}

/// A joint of all models.
#[derive(Clone, Debug)]
struct Connection<T> {
    link: Link,
    /// Its rows.
    first: usize,
    end: usize,
    rows: Vec<AlikeRows<T>>,
    /// D_q(B^T lambda) has blocks between its bodies.
    coupled: bool,
    /// Axes of the two bodies that must not point in opposite directions.
    upright: Vec<[Vector3<T>; 2]>,
}

/// Bodies and joints of several models.
#[derive(Clone, Debug)]
pub struct Alike<T> {
    gravity: Vector3<T>,
    bodies: Vec<AlikeBody<T>>,
    joints: Vec<Connection<T>>,
    /// Typical lengths.
    length: T,
    n_q: usize,
    n_v: usize,
    n_lambda: usize,
    poses: Vec<Pose<T>>,
    /// T(theta) of each body.
    tangents: Vec<Matrix3<T>>,
    /// The sum of mass and gyroscopic terms of its rotation in the matrix.
    weighted: Vec<Matrix3<T>>,
    /// B, in the stabilized form.
    rows: Vec<Row<T>>,
    /// Rows of constraints on each body, and whether it is the second of their joint.
    touching: Vec<Vec<(usize, bool)>>,
}

impl<T: Number> Alike<T> {
    /// Numbers of coordinates, velocities and constraints.
    pub fn sizes(&self) -> [usize; 3] {
        [self.n_q, self.n_v, self.n_lambda]
    }

    /// q_n o exp(theta).
    #[inline(always)]
    pub fn retract(&self, q_n: &[T], theta: &[T], q: &mut [T]) {
        for body in &self.bodies {
            let mut at = body.q;
            if body.inertia.is_some() {
                let turn = Vector3::new(theta[body.v], theta[body.v + 1], theta[body.v + 2]);
                let turned = retract(&q_n[at..at + 4], &turn);
                q[at..at + 4].copy_from_slice(&turned);
                at += 4;
            }
            for i in 0..3 {
                q[at + i] = q_n[at + i] + theta[body.trans + i];
            }
        }
    }

    /// The residual (h^2 (M v' + g + B^T lambda), Phi) and, with `MATRIX`, its derivatives: the matrix of
    /// [`condensed`](crate::integrate::condensed) in the form index-3.
    #[inline(always)]
    pub fn evaluate<const MATRIX: bool>(
        &mut self,
        at: &AlikeState<T>,
        w: &MatrixWeights,
        psi: &mut [T],
        matrix: &mut Entries<T>,
    ) {
        let force = T::of(w.force);
        let (dynamics, phi) = psi.split_at_mut(self.n_v);
        let phi = &mut phi[..self.n_lambda];
        if MATRIX {
            matrix.clear();
        }
        for (body, pose) in self.bodies.iter().zip(&mut self.poses) {
            *pose = body.pose(at.q);
            let wrench = body.residual(&self.gravity, at);
            body.put(&wrench, dynamics);
        }
        let mut sums = Sums { dynamics, phi, matrix };
        for joint in &self.joints {
            self.joint::<MATRIX>(joint, at.lambda, force, &mut sums);
        }
        if MATRIX {
            for (i, body) in self.bodies.iter().enumerate() {
                if body.inertia.is_some() {
                    self.tangents[i] = tangent(&three(at.theta, body.v));
                }
                self.weighted[i] = body.matrix(at, w, &self.tangents[i], sums.matrix);
            }
        }
        sums.dynamics.iter_mut().for_each(|r| *r *= force);
    }

    /// Poses of all bodies.
    #[inline(always)]
    fn place(&mut self, q: &[T]) {
        for (body, pose) in self.bodies.iter().zip(&mut self.poses) {
            *pose = body.pose(q);
        }
    }

    /// Poses of the bodies of a joint; the relative one only if it is read.
    #[inline(always)]
    fn pair(&self, joint: &Connection<T>) -> Pair<T> {
        let group = Group::R3xSO3;
        let pose = |i: Option<usize>| i.map_or_else(Pose::ground, |i| self.poses[i]);
        let (a, b) = (pose(joint.link.a), pose(joint.link.b));
        match (joint.coupled, joint.link.a) {
            (false, _) => Pair::in_space(group, &a, &b),
            (true, None) => Pair { group, a, b, r_ab: b.r, x_ab: b.x },
            (true, Some(_)) => Pair::new(group, &a, &b),
        }
    }

    /// What a joint adds to the equations and to their matrix.
    #[inline(always)]
    fn joint<const MATRIX: bool>(&self, joint: &Connection<T>, lambda: &[T], weight: T, out: &mut Sums<T>) {
        let sides = [joint.link.a, joint.link.b].map(|i| i.map(|i| (&self.bodies[i], &self.poses[i])));
        let mut first = joint.first;
        // Points alone do not read the relative pose.
        let pair = if joint.coupled { Some(self.pair(joint)) } else { None };
        for rows in &joint.rows {
            first += match (rows, &pair) {
                (AlikeRows::Point(m), _) => out.point::<MATRIX>(m, sides, first, lambda, weight),
                (_, None) => 0,
                (rows, Some(pair)) => {
                    let at = JointAt { pair, bodies: sides.map(|s| s.map(|s| s.0)), first, lambda, weight };
                    match rows {
                        AlikeRows::Point(_) => 0,
                        AlikeRows::Directions1(m) => out.rows::<1, false, MATRIX>(m, &at),
                        AlikeRows::Directions2(m) => out.rows::<2, false, MATRIX>(m, &at),
                        AlikeRows::Offset1(m) => out.rows::<1, true, MATRIX>(m, &at),
                        AlikeRows::Offset2(m) => out.rows::<2, true, MATRIX>(m, &at),
                        AlikeRows::Offset3(m) => out.rows::<3, true, MATRIX>(m, &at),
                    }
                }
            };
        }
        if let Some(pair) = &pair {
            for [e, h] in &joint.upright {
                // Rows of a joint on the wrong side are no solution.
                let cosine = e.dot(&(pair.r_ab * h));
                out.phi[joint.first] += cosine.zero_if_positive();
            }
        }
    }
}

/// The constraints of a joint and where they are evaluated.
struct JointAt<'a, T> {
    pair: &'a Pair<T>,
    bodies: [Option<&'a AlikeBody<T>>; 2],
    first: usize,
    lambda: &'a [T],
    /// Of derivatives of forces.
    weight: T,
}

/// Where the parts of the equations are summed up.
struct Sums<'a, T> {
    dynamics: &'a mut [T],
    phi: &'a mut [T],
    matrix: &'a mut Entries<T>,
}

/// A moving body and its pose; none for the ground.
type MovingBody<'a, T> = Option<(&'a AlikeBody<T>, &'a Pose<T>)>;

impl<T: Number> Sums<'_, T> {
    /// A point of both bodies, see [`Point`]: on R^3xSO(3) translations have constant columns with one entry
    /// each.
    #[inline(always)]
    fn point<const MATRIX: bool>(
        &mut self,
        m: &Point<T>,
        [a, b]: [MovingBody<T>; 2],
        first: usize,
        lambda: &[T],
        weight: T,
    ) -> usize {
        let row = self.dynamics.len() + first;
        let force = three(lambda, first) * m.scale;
        let mut value = Vector3::zeros();
        for (side, p, scale, force) in [(a, &m.p_a, m.scale, force), (b, &m.p_b, -m.scale, -force)] {
            let Some((body, pose)) = side else {
                value += p * scale;
                continue;
            };
            value += pose.point(p) * scale;
            let f_body = pose.r.tr_mul(&force);
            body.add(&Wrench { rot: p.cross(&f_body), trans: force }, self.dynamics);
            if !MATRIX {
                continue;
            }
            if body.inertia.is_some() {
                let columns = times_hat(&pose.r, p) * -scale;
                self.matrix.add_block(row, body.v, &columns);
                self.matrix.add_block(body.v, row, &columns.transpose());
                self.matrix.add_block(body.v, body.v, &(hat_hat(p, &f_body) * weight));
            }
            for i in 0..3 {
                self.matrix.add(row + i, body.trans + i, scale);
                self.matrix.add(body.trans + i, row + i, scale);
            }
        }
        self.phi[first..first + 3].copy_from_slice(value.as_slice());
        3
    }

    /// Any measure, with columns of translations or without.
    #[inline(always)]
    fn rows<const N: usize, const TRANSLATIONS: bool, const MATRIX: bool>(
        &mut self,
        m: &impl Measure<N, T>,
        at: &JointAt<T>,
    ) -> usize {
        let row = self.dynamics.len() + at.first;
        let lambda: SVector<T, N> = SVector::from_column_slice(&at.lambda[at.first..at.first + N]);
        self.phi[at.first..at.first + N].copy_from_slice(m.value(at.pair).as_slice());
        let [a, b] = at.bodies;
        let force = m.bt_lambda(at.pair, &lambda);
        for (body, part) in [(a, &force.a), (b, &force.b)] {
            if let Some(body) = body {
                body.add(part, self.dynamics);
            }
        }
        if !MATRIX {
            return N;
        }
        for (i, columns) in m.rows(at.pair).iter().enumerate() {
            for (body, part) in [(a, &columns.a), (b, &columns.b)] {
                let Some(body) = body else { continue };
                for j in 0..3 {
                    if body.inertia.is_some() {
                        self.matrix.add(row + i, body.v + j, part.rot[j]);
                        self.matrix.add(body.v + j, row + i, part.rot[j]);
                    }
                    if TRANSLATIONS {
                        self.matrix.add(row + i, body.trans + j, part.trans[j]);
                        self.matrix.add(body.trans + j, row + i, part.trans[j]);
                    }
                }
            }
        }
        match (a, b) {
            (Some(a), Some(b)) => {
                let mut k = PairBlocks::zero();
                m.add_k(at.pair, &lambda, &mut k);
                for (rows, columns, k) in [(a, a, &k.aa), (a, b, &k.ab), (b, a, &k.ba), (b, b, &k.bb)] {
                    self.block::<TRANSLATIONS>(rows, columns, k, at.weight);
                }
            }
            (None, Some(b)) => {
                let mut k = Block::zero();
                m.add_k(at.pair, &lambda, &mut k);
                self.block::<TRANSLATIONS>(b, b, &k, at.weight);
            }
            (Some(a), None) => {
                let mut k = PairBlocks::zero();
                m.add_k(at.pair, &lambda, &mut k);
                self.block::<TRANSLATIONS>(a, a, &k.aa, at.weight);
            }
            (None, None) => {}
        }
        N
    }

    #[inline(always)]
    fn block<const TRANSLATIONS: bool>(
        &mut self,
        rows: &AlikeBody<T>,
        columns: &AlikeBody<T>,
        k: &Block<T>,
        weight: T,
    ) {
        let turns = |body: &AlikeBody<T>| body.inertia.is_some();
        if turns(rows) && turns(columns) {
            self.matrix.add_block(rows.v, columns.v, &(k.rr * weight));
        }
        if TRANSLATIONS {
            if turns(rows) {
                self.matrix.add_block(rows.v, columns.trans, &(k.rx * weight));
            }
            if turns(columns) {
                self.matrix.add_block(rows.trans, columns.v, &(k.xr * weight));
            }
            self.matrix.add_block(rows.trans, columns.trans, &(k.xx * weight));
        }
    }
}

impl<T: Number> AlikeBody<T> {
    #[inline(always)]
    fn pose(&self, q: &[T]) -> Pose<T> {
        match self.inertia {
            Some(_) => Pose { r: rotation_matrix(&q[self.q..self.q + 4]), x: three(q, self.q + 4) },
            None => Pose { r: Matrix3::identity(), x: three(q, self.q) },
        }
    }

    /// Inertia forces and the weight.
    #[inline(always)]
    fn residual(&self, gravity: &Vector3<T>, at: &AlikeState<T>) -> Wrench<T> {
        let trans = (three(at.vdot, self.trans) - gravity) * self.mass;
        let rot = match &self.inertia {
            Some(inertia) => {
                let v = Motion { omega: three(at.v, self.v), u: Vector3::zeros() };
                inertia * three(at.vdot, self.v) + gyro(Group::R3xSO3, self.mass, inertia, &v).rot
            }
            None => Vector3::zeros(),
        };
        Wrench { rot, trans }
    }

    /// Sets its part of a residual.
    #[inline(always)]
    fn put(&self, w: &Wrench<T>, r: &mut [T]) {
        for i in 0..3 {
            if self.inertia.is_some() {
                r[self.v + i] = w.rot[i];
            }
            r[self.trans + i] = w.trans[i];
        }
    }

    /// Adds to its part of a residual.
    #[inline(always)]
    fn add(&self, w: &Wrench<T>, r: &mut [T]) {
        for i in 0..3 {
            if self.inertia.is_some() {
                r[self.v + i] += w.rot[i];
            }
            r[self.trans + i] += w.trans[i];
        }
    }

    /// Derivatives with respect to its rotation times T, then mass and gyroscopic terms; returns those of the
    /// rotation.
    #[inline(always)]
    fn matrix(
        &self,
        at: &AlikeState<T>,
        w: &MatrixWeights,
        t: &Matrix3<T>,
        matrix: &mut Entries<T>,
    ) -> Matrix3<T> {
        let (mass, damping) = (T::of(w.mass), T::of(w.damping));
        let mut weighted = Matrix3::zeros();
        if let Some(inertia) = &self.inertia {
            matrix.turn(&self.turned, self.v, t);
            weighted = inertia * mass + gyro_d_of_rotation(inertia, &three(at.v, self.v)) * damping;
            matrix.add_block(self.v, self.v, &weighted);
        }
        (0..3).for_each(|i| matrix.add(self.trans + i, self.trans + i, self.mass * mass));
        weighted
    }
}

impl Alike<Lanes> {
    /// The largest of these entries of a vector, in units of round-off: of one for rotations, of its position
    /// for a translation. NaN wins.
    #[inline(always)]
    pub fn size(&self, q: &[Lanes], x: &[Lanes], round_off: f64) -> Lanes {
        let amax = |x: &[Lanes]| x[0].abs().larger(x[1].abs()).larger(x[2].abs());
        let mut largest = Lanes::zero();
        for body in &self.bodies {
            let mut at = body.q;
            if body.inertia.is_some() {
                largest = largest.larger(amax(&x[body.v..body.v + 3]));
                at += 4;
            }
            let scale = self.length + amax(&q[at..at + 3]);
            largest = largest.larger(amax(&x[body.trans..body.trans + 3]) / scale);
        }
        largest * Lanes::of(1.0 / round_off)
    }
}
