//! Gradients, stiffness blocks and the trait of everything measured between two bodies.

use std::array::from_fn;
use std::ops::{Add, AddAssign, Mul};

use nalgebra::{Dim, Matrix, Matrix3, Matrix6, SMatrix, SVector, StorageMut, Vector3};

use super::pose::{Group, Motion, Pair, PairMotion, Pose};

/// Six entries dual to a [`Motion`]: the part of a gradient that belongs to one body, or a
/// generalised force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench {
    /// Dual to the angular velocity: a moment about the centre of mass, in the body frame.
    pub rot: Vector3<f64>,
    /// Dual to the linear velocity: a force, in the frame of that velocity.
    pub trans: Vector3<f64>,
}

impl Wrench {
    /// The zero wrench.
    #[inline]
    pub fn zero() -> Self {
        Self { rot: Vector3::zeros(), trans: Vector3::zeros() }
    }

    /// Pairing with a velocity.
    #[inline]
    pub fn dot(&self, v: &Motion) -> f64 {
        self.rot.dot(&v.omega) + self.trans.dot(&v.u)
    }

    /// Force and moment about the centre of mass, both in the inertial frame.
    pub fn inertial(&self, group: Group, pose: &Pose) -> (Vector3<f64>, Vector3<f64>) {
        let force = match group {
            Group::R3xSO3 => self.trans,
            Group::SE3 => pose.r * self.trans,
        };
        (force, pose.r * self.rot)
    }

    /// The entries in column order.
    #[inline]
    pub fn to_array(&self) -> [f64; 6] {
        let (r, t) = (&self.rot, &self.trans);
        [r.x, r.y, r.z, t.x, t.y, t.z]
    }
}

impl Add for Wrench {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { rot: self.rot + o.rot, trans: self.trans + o.trans }
    }
}

impl Mul<f64> for Wrench {
    type Output = Self;
    #[inline]
    fn mul(self, s: f64) -> Self {
        Self { rot: self.rot * s, trans: self.trans * s }
    }
}

/// Twelve entries dual to a [`PairMotion`]: one row of `B`, or the force on a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Columns of body a.
    pub a: Wrench,
    /// Columns of body b.
    pub b: Wrench,
}

impl Row {
    /// The zero row.
    #[inline]
    pub fn zero() -> Self {
        Self { a: Wrench::zero(), b: Wrench::zero() }
    }

    /// Product with the velocities of the pair.
    #[inline]
    pub fn dot(&self, v: &PairMotion) -> f64 {
        self.a.dot(&v.a) + self.b.dot(&v.b)
    }

    /// `sum_i weights_i rows_i`, that is `B^T weights`.
    #[inline]
    pub fn combine<const N: usize>(rows: &[Row; N], weights: &SVector<f64, N>) -> Self {
        PairBlocks::combine(rows, |i| weights[i])
    }

    /// The entries in column order: body a, then body b.
    pub fn to_array(&self) -> [f64; 12] {
        let (a, b) = (self.a.to_array(), self.b.to_array());
        from_fn(|i| if i < 6 { a[i] } else { b[i - 6] })
    }
}

impl Add for Row {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { a: self.a + o.a, b: self.b + o.b }
    }
}

impl AddAssign for Row {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Mul<f64> for Row {
    type Output = Self;
    #[inline]
    fn mul(self, s: f64) -> Self {
        Self { a: self.a * s, b: self.b * s }
    }
}

/// A 6x6 block in four 3x3 parts; the first letter is the row, `r` rotation and `x` translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Rotation rows, rotation columns.
    pub rr: Matrix3<f64>,
    /// Rotation rows, translation columns.
    pub rx: Matrix3<f64>,
    /// Translation rows, rotation columns.
    pub xr: Matrix3<f64>,
    /// Translation rows, translation columns.
    pub xx: Matrix3<f64>,
}

impl Block {
    /// The zero block.
    #[inline]
    pub fn zero() -> Self {
        Self { rr: Matrix3::zeros(), rx: Matrix3::zeros(), xr: Matrix3::zeros(), xx: Matrix3::zeros() }
    }

    /// Adds `y z^T`.
    #[inline]
    pub fn add_outer(&mut self, y: &Wrench, z: &Wrench) {
        self.rr += y.rot * z.rot.transpose();
        self.rx += y.rot * z.trans.transpose();
        self.xr += y.trans * z.rot.transpose();
        self.xx += y.trans * z.trans.transpose();
    }

    /// Adds `scale` times the block to a matrix, its corner at (`row`, `col`).
    ///
    /// # Panics
    /// If the block does not fit into the matrix.
    pub fn add_to<R: Dim, C: Dim, S: StorageMut<f64, R, C>>(
        &self,
        scale: f64,
        matrix: &mut Matrix<f64, R, C, S>,
        row: usize,
        col: usize,
    ) {
        for (m, i, j) in [(&self.rr, 0, 0), (&self.rx, 0, 3), (&self.xr, 3, 0), (&self.xx, 3, 3)] {
            let mut view = matrix.fixed_view_mut::<3, 3>(row + i, col + j);
            view += m * scale;
        }
    }

    /// The block as one matrix.
    pub fn to_matrix(&self) -> Matrix6<f64> {
        let mut m = Matrix6::zeros();
        self.add_to(1.0, &mut m, 0, 0);
        m
    }
}

/// The four blocks of a pair of bodies; the first letter is the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairBlocks {
    /// Rows of body a, columns of body a.
    pub aa: Block,
    /// Rows of body a, columns of body b.
    pub ab: Block,
    /// Rows of body b, columns of body a.
    pub ba: Block,
    /// Rows of body b, columns of body b.
    pub bb: Block,
}

impl PairBlocks {
    /// Four zero blocks.
    #[inline]
    pub fn zero() -> Self {
        Self { aa: Block::zero(), ab: Block::zero(), ba: Block::zero(), bb: Block::zero() }
    }

    /// The blocks as one matrix.
    pub fn to_matrix(&self) -> SMatrix<f64, 12, 12> {
        let mut m = SMatrix::zeros();
        self.aa.add_to(1.0, &mut m, 0, 0);
        self.ab.add_to(1.0, &mut m, 0, 6);
        self.ba.add_to(1.0, &mut m, 6, 0);
        self.bb.add_to(1.0, &mut m, 6, 6);
        m
    }
}

/// The blocks of both bodies of a pair ([`PairBlocks`]), or those of the second alone where the first is the ground
/// ([`Block`]): a quarter of the work.
pub trait Blocks: Sized {
    /// The columns of a row that are looked at.
    type Row: Copy + Add<Output = Self::Row> + Mul<f64, Output = Self::Row>;

    /// Whether the first body is looked at.
    const FIRST: bool;

    /// These columns of a row.
    fn part(row: &Row) -> Self::Row;

    /// All blocks zero.
    fn none() -> Self;

    /// All four blocks, where the first body moves.
    fn pair(&self) -> Option<&PairBlocks>;

    /// All four blocks, where the first body moves.
    fn pair_mut(&mut self) -> Option<&mut PairBlocks>;

    /// Rows and columns of the second body.
    fn second(&self) -> &Block;

    /// Rows and columns of the second body.
    fn second_mut(&mut self) -> &mut Block;

    /// Adds `y z^T`.
    fn add_product(&mut self, y: &Self::Row, z: &Self::Row);

    /// `sum_i weights_i rows_i`. Laws are often diagonal, so zeros are left out.
    #[inline]
    fn combine<const N: usize>(rows: &[Self::Row; N], weights: impl Fn(usize) -> f64) -> Self::Row {
        let mut sum = Self::part(&Row::zero());
        for (i, row) in rows.iter().enumerate() {
            let w = weights(i);
            if w != 0.0 {
                sum = sum + *row * w;
            }
        }
        sum
    }

    /// Adds `B^T W B` with the rows of `B`.
    #[inline]
    fn add_congruence<const N: usize>(&mut self, rows: &[Self::Row; N], w: &SMatrix<f64, N, N>) {
        for (i, row) in rows.iter().enumerate() {
            self.add_product(row, &Self::combine(rows, |j| w[(i, j)]));
        }
    }

    /// [`add_congruence`](Self::add_congruence) with all columns of the rows.
    #[inline]
    fn add_congruence_of<const N: usize>(&mut self, rows: &[Row; N], w: &SMatrix<f64, N, N>) {
        self.add_congruence(&from_fn(|i| Self::part(&rows[i])), w);
    }
}

impl Blocks for PairBlocks {
    type Row = Row;
    const FIRST: bool = true;

    #[inline]
    fn part(row: &Row) -> Row {
        *row
    }

    #[inline]
    fn none() -> Self {
        PairBlocks::zero()
    }

    #[inline]
    fn pair(&self) -> Option<&PairBlocks> {
        Some(self)
    }

    #[inline]
    fn pair_mut(&mut self) -> Option<&mut PairBlocks> {
        Some(self)
    }

    #[inline]
    fn second(&self) -> &Block {
        &self.bb
    }

    #[inline]
    fn second_mut(&mut self) -> &mut Block {
        &mut self.bb
    }

    #[inline]
    fn add_product(&mut self, y: &Row, z: &Row) {
        self.aa.add_outer(&y.a, &z.a);
        self.ab.add_outer(&y.a, &z.b);
        self.ba.add_outer(&y.b, &z.a);
        self.bb.add_outer(&y.b, &z.b);
    }
}

impl Blocks for Block {
    type Row = Wrench;
    const FIRST: bool = false;

    #[inline]
    fn part(row: &Row) -> Wrench {
        row.b
    }

    #[inline]
    fn none() -> Self {
        Block::zero()
    }

    #[inline]
    fn pair(&self) -> Option<&PairBlocks> {
        None
    }

    #[inline]
    fn pair_mut(&mut self) -> Option<&mut PairBlocks> {
        None
    }

    #[inline]
    fn second(&self) -> &Block {
        self
    }

    #[inline]
    fn second_mut(&mut self) -> &mut Block {
        self
    }

    #[inline]
    fn add_product(&mut self, y: &Wrench, z: &Wrench) {
        self.add_outer(y, z);
    }
}

/// `N` scalar functions `y(q)` of the poses of two bodies, used as constraints or to measure
/// deformation.
///
/// Derivatives are left trivialised, in the columns of the group of the pair.
pub trait Measure<const N: usize> {
    /// The values `y(q)`.
    fn value(&self, pair: &Pair) -> SVector<f64, N>;

    /// The rows of the gradient `B`: `Dy(q)[w] = B w`.
    fn rows(&self, pair: &Pair) -> [Row; N];

    /// The curvature `Z(v, v)`: `y'' = B v' + Z(v, v)`.
    fn z(&self, pair: &Pair, v: &PairMotion) -> SVector<f64, N>;

    /// The rows of `Y = D_q(B v)` at constant `v`, that is `v^T K[i]`.
    fn y_rows(&self, pair: &Pair, v: &PairMotion) -> [Row; N];

    /// Adds `K_lambda = D_q(B^T lambda)` at constant `lambda`.
    fn add_k(&self, pair: &Pair, lambda: &SVector<f64, N>, k: &mut impl Blocks);

    /// The product `B^T lambda`; primitive kernels do it without building `B`.
    #[inline]
    fn bt_lambda(&self, pair: &Pair, lambda: &SVector<f64, N>) -> Row {
        Row::combine(&self.rows(pair), lambda)
    }

    /// The product `B v`; primitive kernels do it without building `B`.
    #[inline]
    fn bv(&self, pair: &Pair, v: &PairMotion) -> SVector<f64, N> {
        let rows = self.rows(pair);
        SVector::from_fn(|i, _| rows[i].dot(v))
    }
}
