//! Gradients, stiffness blocks, and the trait of all measures between two bodies.

use precess_lie::matrix::{SmallMatrix, zeros};
use std::array::from_fn;
use std::ops::{Add, AddAssign, Mul};

use nalgebra::{ArrayStorage, Dim, Matrix, Matrix3, Matrix6, SMatrix, SVector, StorageMut, Vector3};

use precess_lie::Number;

use super::pose::{Group, Motion, Pair, PairMotion, Pose};

/// Six entries that are dual to a [`Motion`]: the part of a gradient for one body, or a generalised force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T = f64> {
    /// Dual to the angular velocity: a moment about the centre of mass, in the body frame.
    pub rot: Vector3<T>,
    /// Dual to the linear velocity: a force, in the frame of that velocity.
    pub trans: Vector3<T>,
}

impl<T: Number> Wrench<T> {
    const ZERO: Self = {
        let zero = Vector3::from_array_storage(ArrayStorage([[T::ZERO; 3]]));
        Self { rot: zero, trans: zero }
    };

    /// The zero wrench.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::ZERO
    }

    /// The pairing with a velocity.
    #[inline(always)]
    pub fn dot(&self, v: &Motion<T>) -> T {
        self.rot.inner(&v.omega) + self.trans.inner(&v.u)
    }

    /// Force and moment about the centre of mass, both in the inertial frame.
    pub fn inertial(&self, group: Group, pose: &Pose<T>) -> (Vector3<T>, Vector3<T>) {
        let force = match group {
            Group::R3xSO3 => self.trans,
            Group::SE3 => pose.r * self.trans,
        };
        (force, pose.r * self.rot)
    }

    /// The entries in column order.
    #[inline(always)]
    pub fn to_array(&self) -> [T; 6] {
        let (r, t) = (&self.rot, &self.trans);
        [r.x, r.y, r.z, t.x, t.y, t.z]
    }
}

impl<T: Number> Add for Wrench<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { rot: self.rot + o.rot, trans: self.trans + o.trans }
    }
}

impl<T: Number> Mul<T> for Wrench<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self { rot: self.rot * s, trans: self.trans * s }
    }
}

/// Twelve entries that are dual to a [`PairMotion`]: one row of `B`, or the force on a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<T = f64> {
    /// Columns of body a.
    pub a: Wrench<T>,
    /// Columns of body b.
    pub b: Wrench<T>,
}

impl<T: Number> Row<T> {
    /// The zero row.
    #[inline(always)]
    pub fn zero() -> Self {
        const { Self { a: Wrench::ZERO, b: Wrench::ZERO } }
    }

    /// Copies another row part by part. For lanes, a copy of the whole row would be a call of `memcpy`.
    #[inline(always)]
    fn set(&mut self, row: &Row<T>) {
        self.a.rot = row.a.rot;
        self.a.trans = row.a.trans;
        self.b.rot = row.b.rot;
        self.b.trans = row.b.trans;
    }

    /// The product with the velocities of the pair.
    #[inline(always)]
    pub fn dot(&self, v: &PairMotion<T>) -> T {
        self.a.dot(&v.a) + self.b.dot(&v.b)
    }

    /// The sum `sum_i weights_i rows_i`, that is `B^T weights`.
    #[inline(always)]
    pub fn combine<const N: usize>(rows: &[Row<T>; N], weights: &SVector<T, N>) -> Self {
        PairBlocks::combine(rows, |i| weights[i])
    }

    /// The entries in column order: body a, then body b.
    pub fn to_array(&self) -> [T; 12] {
        let (a, b) = (self.a.to_array(), self.b.to_array());
        from_fn(|i| if i < 6 { a[i] } else { b[i - 6] })
    }
}

impl<T: Number> Add for Row<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { a: self.a + o.a, b: self.b + o.b }
    }
}

impl<T: Number> AddAssign for Row<T> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        self.a.rot += o.a.rot;
        self.a.trans += o.a.trans;
        self.b.rot += o.b.rot;
        self.b.trans += o.b.trans;
    }
}

impl<T: Number> Mul<T> for Row<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self { a: self.a * s, b: self.b * s }
    }
}

/// The rows `f(0)`, `f(1)` and so on. Unlike `std::array::from_fn`, this function is always inlined.
#[inline(always)]
pub(crate) fn each_row<const N: usize, T: Number>(f: impl Fn(usize) -> Row<T>) -> [Row<T>; N] {
    let mut rows = [Row::zero(); N];
    for i in 0..N {
        rows[i].set(&f(i));
    }
    rows
}

/// A 6x6 block in four 3x3 parts. The first letter is the row: `r` is rotation, `x` is translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block<T = f64> {
    /// Rotation rows, rotation columns.
    pub rr: Matrix3<T>,
    /// Rotation rows, translation columns.
    pub rx: Matrix3<T>,
    /// Translation rows, rotation columns.
    pub xr: Matrix3<T>,
    /// Translation rows, translation columns.
    pub xx: Matrix3<T>,
}

impl<T: Number> Block<T> {
    const ZERO: Self = {
        let zero = Matrix3::from_array_storage(ArrayStorage([[T::ZERO; 3]; 3]));
        Self { rr: zero, rx: zero, xr: zero, xx: zero }
    };

    /// The zero block.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::ZERO
    }

    /// Adds `y z^T`.
    #[inline(always)]
    pub fn add_outer(&mut self, y: &Wrench<T>, z: &Wrench<T>) {
        self.rr += y.rot * z.rot.transpose();
        self.rx += y.rot * z.trans.transpose();
        self.xr += y.trans * z.rot.transpose();
        self.xx += y.trans * z.trans.transpose();
    }

    /// Adds `scale` times the block to a matrix. The corner of the block is at (`row`, `col`).
    ///
    /// # Panics
    /// If the block does not fit into the matrix.
    pub fn add_to<R: Dim, C: Dim, S: StorageMut<T, R, C>>(
        &self,
        scale: T,
        matrix: &mut Matrix<T, R, C, S>,
        row: usize,
        col: usize,
    ) {
        for (m, i, j) in [(&self.rr, 0, 0), (&self.rx, 0, 3), (&self.xr, 3, 0), (&self.xx, 3, 3)] {
            let mut view = matrix.fixed_view_mut::<3, 3>(row + i, col + j);
            view += m * scale;
        }
    }

    /// The block as one matrix.
    pub fn to_matrix(&self) -> Matrix6<T> {
        let mut m = zeros();
        self.add_to(T::one(), &mut m, 0, 0);
        m
    }
}

/// The four blocks of a pair of bodies; the first letter is the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairBlocks<T = f64> {
    /// Rows of body a, columns of body a.
    pub aa: Block<T>,
    /// Rows of body a, columns of body b.
    pub ab: Block<T>,
    /// Rows of body b, columns of body a.
    pub ba: Block<T>,
    /// Rows of body b, columns of body b.
    pub bb: Block<T>,
}

impl<T: Number> PairBlocks<T> {
    /// Four zero blocks.
    #[inline(always)]
    pub fn zero() -> Self {
        const { Self { aa: Block::ZERO, ab: Block::ZERO, ba: Block::ZERO, bb: Block::ZERO } }
    }

    /// The blocks as one matrix.
    pub fn to_matrix(&self) -> SMatrix<T, 12, 12> {
        let mut m = zeros();
        self.aa.add_to(T::one(), &mut m, 0, 0);
        self.ab.add_to(T::one(), &mut m, 0, 6);
        self.ba.add_to(T::one(), &mut m, 6, 0);
        self.bb.add_to(T::one(), &mut m, 6, 6);
        m
    }
}

/// The blocks of both bodies of a pair ([`PairBlocks`]). If the first body is the ground, only those of the
/// second ([`Block`]), which takes a quarter of the work.
pub trait Blocks<T: Number = f64>: Sized {
    /// The used columns of a row.
    type Row: Copy + Add<Output = Self::Row> + Mul<T, Output = Self::Row>;

    /// True if the first body is used.
    const FIRST: bool;

    /// These columns of a row.
    fn part(row: &Row<T>) -> Self::Row;

    /// Blocks that are all zero.
    fn none() -> Self;

    /// All four blocks, if the first body moves.
    fn pair(&self) -> Option<&PairBlocks<T>>;

    /// All four blocks, if the first body moves.
    fn pair_mut(&mut self) -> Option<&mut PairBlocks<T>>;

    /// Rows and columns of the second body.
    fn second(&self) -> &Block<T>;

    /// Rows and columns of the second body.
    fn second_mut(&mut self) -> &mut Block<T>;

    /// Adds `y z^T`.
    fn add_product(&mut self, y: &Self::Row, z: &Self::Row);

    /// The sum `sum_i weights_i rows_i`. Laws are often diagonal, so zeros are skipped.
    #[inline(always)]
    fn combine<const N: usize>(rows: &[Self::Row; N], weights: impl Fn(usize) -> T) -> Self::Row {
        let mut sum = Self::part(&Row::zero());
        for (i, row) in rows.iter().enumerate() {
            let w = weights(i);
            if !w.is_zero() {
                sum = sum + *row * w;
            }
        }
        sum
    }

    /// Adds `B^T W B` with the rows of `B`.
    #[inline(always)]
    fn add_congruence<const N: usize>(&mut self, rows: &[Self::Row; N], w: &SMatrix<T, N, N>) {
        for (i, row) in rows.iter().enumerate() {
            self.add_product(row, &Self::combine(rows, |j| w[(i, j)]));
        }
    }

    /// [`add_congruence`](Self::add_congruence) with all columns of the rows.
    #[inline(always)]
    fn add_congruence_of<const N: usize>(&mut self, rows: &[Row<T>; N], w: &SMatrix<T, N, N>) {
        self.add_congruence(
            &from_fn(
                #[inline(always)]
                |i| Self::part(&rows[i]),
            ),
            w,
        );
    }
}

impl<T: Number> Blocks<T> for PairBlocks<T> {
    type Row = Row<T>;
    const FIRST: bool = true;

    #[inline(always)]
    fn part(row: &Row<T>) -> Row<T> {
        *row
    }

    #[inline(always)]
    fn none() -> Self {
        PairBlocks::zero()
    }

    #[inline(always)]
    fn pair(&self) -> Option<&PairBlocks<T>> {
        Some(self)
    }

    #[inline(always)]
    fn pair_mut(&mut self) -> Option<&mut PairBlocks<T>> {
        Some(self)
    }

    #[inline(always)]
    fn second(&self) -> &Block<T> {
        &self.bb
    }

    #[inline(always)]
    fn second_mut(&mut self) -> &mut Block<T> {
        &mut self.bb
    }

    // A call costs little beside 144 products, and the code is long.
    #[inline(never)]
    fn add_product(&mut self, y: &Row<T>, z: &Row<T>) {
        T::vectorize(
            #[inline(always)]
            || {
                self.aa.add_outer(&y.a, &z.a);
                self.ab.add_outer(&y.a, &z.b);
                self.ba.add_outer(&y.b, &z.a);
                self.bb.add_outer(&y.b, &z.b);
            },
        )
    }
}

impl<T: Number> Blocks<T> for Block<T> {
    type Row = Wrench<T>;
    const FIRST: bool = false;

    #[inline(always)]
    fn part(row: &Row<T>) -> Wrench<T> {
        row.b
    }

    #[inline(always)]
    fn none() -> Self {
        Block::zero()
    }

    #[inline(always)]
    fn pair(&self) -> Option<&PairBlocks<T>> {
        None
    }

    #[inline(always)]
    fn pair_mut(&mut self) -> Option<&mut PairBlocks<T>> {
        None
    }

    #[inline(always)]
    fn second(&self) -> &Block<T> {
        self
    }

    #[inline(always)]
    fn second_mut(&mut self) -> &mut Block<T> {
        self
    }

    #[inline(always)]
    fn add_product(&mut self, y: &Wrench<T>, z: &Wrench<T>) {
        self.add_outer(y, z);
    }
}

/// `N` scalar functions `y(q)` of the poses of two bodies, used as constraints or to measure
/// deformation.
///
/// Derivatives are left trivialised, in the columns of the group of the pair.
pub trait Measure<const N: usize, T: Number = f64> {
    /// True if the values are angles or products of directions, and not lengths.
    const IS_ROTATION: bool = false;

    /// True for velocity rows, which are no derivatives of the values.
    const IS_VELOCITY: bool = false;

    /// True if B^T lambda on one body depends on the pose of the other.
    const IS_CURVED: bool = true;

    /// True if B^T lambda has translational parts that change with the poses, or changes with the positions.
    const READS_TRANSLATIONS: bool = true;

    /// The values `y(q)`.
    fn value(&self, pair: &Pair<T>) -> SVector<T, N>;

    /// The rows of the gradient `B`: `Dy(q)[w] = B w`.
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; N];

    /// The curvature `Z(v, v)`: `y'' = B v' + Z(v, v)`.
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N>;

    /// The rows of `Y = D_q(B v)` at constant `v`, that is `v^T K[i]`.
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; N];

    /// Adds `K_lambda = D_q(B^T lambda)` at constant `lambda`.
    fn add_k(&self, pair: &Pair<T>, lambda: &SVector<T, N>, k: &mut impl Blocks<T>);

    /// The product `B^T lambda`; primitive kernels compute it without forming `B`.
    #[inline(always)]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &SVector<T, N>) -> Row<T> {
        Row::combine(&self.rows(pair), lambda)
    }

    /// The product `B v`; primitive kernels compute it without forming `B`.
    #[inline(always)]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        let rows = self.rows(pair);
        SVector::from_fn(
            #[inline(always)]
            |i, _| rows[i].dot(v),
        )
    }
}

/// Large measures are boxed.
impl<const N: usize, T: Number, M: Measure<N, T>> Measure<N, T> for Box<M> {
    const IS_ROTATION: bool = M::IS_ROTATION;
    const IS_VELOCITY: bool = M::IS_VELOCITY;
    const IS_CURVED: bool = M::IS_CURVED;
    const READS_TRANSLATIONS: bool = M::READS_TRANSLATIONS;

    #[inline(always)]
    fn value(&self, pair: &Pair<T>) -> SVector<T, N> {
        (**self).value(pair)
    }

    #[inline(always)]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; N] {
        (**self).rows(pair)
    }

    #[inline(always)]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        (**self).z(pair, v)
    }

    #[inline(always)]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; N] {
        (**self).y_rows(pair, v)
    }

    #[inline(always)]
    fn add_k(&self, pair: &Pair<T>, lambda: &SVector<T, N>, k: &mut impl Blocks<T>) {
        (**self).add_k(pair, lambda, k);
    }

    #[inline(always)]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &SVector<T, N>) -> Row<T> {
        (**self).bt_lambda(pair, lambda)
    }

    #[inline(always)]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, N> {
        (**self).bv(pair, v)
    }
}
