//! The derivatives of a system, collected block by block.
//!
//! A system writes the blocks it has. The scheme has requested the ones it needs, with the weights of mass
//! and damping in the iteration matrix, so the sum `c_m M + c_d D` is formed directly.

use std::sync::Arc;

use nalgebra::{Dim, Matrix, RawStorage};
use precess_lie::{Number, Product};

use super::links::JointColumns;
use super::system::{At, System};
use crate::solve::structure::Structure;
use crate::solve::{Mat, Partition, Pattern};

/// The derivatives that a scheme needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Want {
    /// Weight of M in the matrix `s`; zero if M is not wanted.
    pub c_m: f64,
    /// Weight of D = dr/dv in the matrix `s`; zero if D is not wanted.
    pub c_d: f64,
    /// K = D_q r, including D_q(M v') and D_q(B^T lambda).
    pub stiffness: bool,
    /// B = D_q Phi.
    pub constraint: bool,
    /// Y = D_q(B v + Phi_t).
    pub curvature: bool,
}

impl Want {
    /// Only the mass matrix.
    pub const MASS: Want = Want { c_m: 1.0, c_d: 0.0, stiffness: false, constraint: false, curvature: false };
    /// Only B.
    pub const CONSTRAINT: Want =
        Want { c_m: 0.0, c_d: 0.0, stiffness: false, constraint: true, curvature: false };
    /// M and B: the saddle-point matrix of (19) and (20).
    pub const SADDLE: Want =
        Want { c_m: 1.0, c_d: 0.0, stiffness: false, constraint: true, curvature: false };
}

/// Collected derivatives. Rows and columns are velocity coordinates (k), constraint rows (m) or
/// algebraic variables.
#[derive(Clone, Debug)]
pub struct Tangents<T = f64> {
    want: Want,
    /// c_m M + c_d D, k x k.
    pub s: Mat<T>,
    /// K, k x k: `K w = D_q(M v' + g + B^T lambda) . (DL_q(e) w~)`.
    pub k: Mat<T>,
    /// B, m x k (14).
    pub b: Mat<T>,
    /// Y, m x k: `Y w = D_q(B v + Phi_t) . (DL_q(e) w~)`, that is Z(v, w) of (17) for scleronomic
    /// constraints.
    pub y: Mat<T>,
    /// dr/dlambda - B^T, k x m: friction that depends on lambda.
    pub g_lambda: Mat<T>,
    has_friction: bool,
    /// Space for the rows of a joint: B, then Y.
    pub(super) columns: Option<Box<[JointColumns<T>; 2]>>,
    /// dr/ds, k x n_s.
    pub r_s: Mat<T>,
    /// dh_s/dq, n_s x k.
    pub h_q: Mat<T>,
    /// dh_s/ds, n_s x n_s.
    pub h_s: Mat<T>,
}

impl Tangents {
    /// Dense for small systems, sparse blocks for large ones with a known structure. Each of these gets its
    /// room when it is first [requested](Self::begin).
    pub fn of(system: &dyn System) -> Self {
        match sparse_structure(system) {
            Some(structure) => Tangents::in_blocks(system.group(), structure, Mat::without_room),
            None => Tangents::dense(system.group().dim(), system.n_lambda(), system.n_s()),
        }
    }

    /// Requests derivatives of a system at a state.
    pub fn evaluate(&mut self, system: &dyn System, at: &At, want: Want) {
        self.begin(want);
        system.tangents(at, self);
    }
}

/// The patterns of S, K and B.
fn patterns(group: &Product, structure: &Structure) -> [Arc<Pattern>; 3] {
    let n = group.factors().len();
    let factors = Partition::new((0..n).map(|i| group.v_range(i)));
    let rows = Partition::new(structure.constraints.iter().map(|c| c.rows.clone()));
    let mut pairs: Vec<(usize, usize)> = (0..n).map(|i| (i, i)).collect();
    let couple = |pairs: &mut Vec<(usize, usize)>, list: &[(usize, usize)]| {
        for &(i, j) in list {
            pairs.extend([(i, j), (j, i)]);
        }
    };
    couple(&mut pairs, &structure.couplings);
    let s = Pattern::new(factors.clone(), factors.clone(), pairs.clone());
    couple(&mut pairs, &structure.curved);
    let k = Pattern::new(factors.clone(), factors.clone(), pairs);
    let mut places = Vec::new();
    for (c, rows) in structure.constraints.iter().enumerate() {
        places.extend(rows.factors.iter().map(|&i| (c, i)));
    }
    let b = Pattern::new(rows, factors, places);
    [s, k, b]
}

impl<T: Number> Tangents<T> {
    /// Dense matrices for a system with k velocities, m constraints and n_s algebraic variables.
    pub fn dense(k: usize, m: usize, n_s: usize) -> Self {
        Tangents {
            want: Want::SADDLE,
            s: Mat::zeros(k, k),
            k: Mat::zeros(k, k),
            b: Mat::zeros(m, k),
            y: Mat::zeros(m, k),
            g_lambda: Mat::zeros(k, m),
            has_friction: false,
            columns: None,
            r_s: Mat::zeros(k, n_s),
            h_q: Mat::zeros(n_s, k),
            h_s: Mat::zeros(n_s, n_s),
        }
    }

    /// Sparse blocks with room for all derivatives.
    pub(crate) fn sparse(group: &Product, structure: &Structure) -> Self {
        Tangents::in_blocks(group, structure, Mat::sparse)
    }

    /// Sparse blocks that are made in this way.
    fn in_blocks(group: &Product, structure: &Structure, make: fn(Arc<Pattern>) -> Mat<T>) -> Self {
        let [s, k, b] = patterns(group, structure);
        Tangents {
            want: Want::SADDLE,
            s: make(s),
            k: make(k),
            g_lambda: make(b.transposed()),
            b: make(b.clone()),
            y: make(b),
            has_friction: false,
            columns: None,
            r_s: Mat::zeros(group.dim(), 0),
            h_q: Mat::zeros(0, group.dim()),
            h_s: Mat::zeros(0, 0),
        }
    }

    /// Clears everything and requests `want`.
    #[inline]
    pub fn begin(&mut self, want: Want) {
        self.want = want;
        self.has_friction = false;
        self.s.clear();
        if want.stiffness {
            self.k.clear();
        }
        if want.constraint {
            self.b.clear();
        }
        if want.curvature {
            self.y.clear();
        }
        if self.h_s.rows() > 0 {
            self.r_s.fill(T::zero());
            self.h_q.fill(T::zero());
            self.h_s.fill(T::zero());
        }
    }

    /// The requested derivatives.
    pub fn want(&self) -> Want {
        self.want
    }

    /// True if forces depend on lambda.
    pub fn has_friction(&self) -> bool {
        self.has_friction
    }

    /// Adds a block of M.
    #[inline]
    pub fn mass<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if self.want.c_m != 0.0 {
            self.s.add_block(row, col, T::of(self.want.c_m), block);
        }
    }

    /// Adds `value` to n diagonal entries of M.
    #[inline(always)]
    pub fn mass_diagonal(&mut self, row: usize, n: usize, value: T) {
        self.s.add_diagonal(row, n, T::of(self.want.c_m) * value);
    }

    /// Adds a block of c_m M + c_d D that already includes the weights of [`want`](Self::want).
    #[inline(always)]
    pub fn weighted<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        self.s.add_block(row, col, T::one(), block);
    }

    /// Adds a block of D = dr/dv.
    #[inline]
    pub fn damping<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if self.want.c_d != 0.0 {
            self.s.add_block(row, col, T::of(self.want.c_d), block);
        }
    }

    /// Adds a block of K.
    #[inline]
    pub fn stiffness<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if self.want.stiffness {
            self.k.add_block(row, col, T::one(), block);
        }
    }

    /// Adds a block of B.
    #[inline]
    pub fn constraint<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if self.want.constraint {
            self.b.add_block(row, col, T::one(), block);
        }
    }

    /// Adds columns of n rows of B, one after the other.
    #[inline(always)]
    pub fn constraint_rows(&mut self, row: usize, col: usize, n: usize, columns: &[T]) {
        if self.want.constraint {
            self.b.add_columns(row, col, n, columns);
        }
    }

    /// Adds columns of n rows of Y, one after the other.
    #[inline(always)]
    pub fn curvature_rows(&mut self, row: usize, col: usize, n: usize, columns: &[T]) {
        if self.want.curvature {
            self.y.add_columns(row, col, n, columns);
        }
    }

    /// Adds a block of Y = D_q(B v + Phi_t).
    #[inline]
    pub fn curvature<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if self.want.curvature {
            self.y.add_block(row, col, T::one(), block);
        }
    }

    /// Adds a block of dr/dlambda beyond B^T: row is a velocity coordinate, column a multiplier.
    pub fn friction<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        if !self.has_friction {
            self.g_lambda.fill(T::zero());
            self.has_friction = true;
        }
        self.g_lambda.add_block(row, col, T::one(), block);
    }

    /// Adds a block of dr/ds.
    pub fn force_of_s<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        self.r_s.add_block(row, col, T::one(), block);
    }

    /// Adds a block of D_q h_s.
    pub fn algebraic_of_q<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        self.h_q.add_block(row, col, T::one(), block);
    }

    /// Adds a block of dh_s/ds.
    pub fn algebraic_of_s<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        block: &Matrix<T, R, C, S>,
    ) {
        self.h_s.add_block(row, col, T::one(), block);
    }
}

impl<T: Number> Default for Tangents<T> {
    /// No rows and no columns.
    fn default() -> Self {
        Tangents::dense(0, 0, 0)
    }
}

/// Systems with at least this number of velocities and constraints together use sparse blocks, if their
/// structure is known.
pub const SPARSE_FROM: usize = 10;

/// The structure of a system, if it is large enough to use it.
pub fn sparse_structure(system: &dyn System) -> Option<&Structure> {
    let size = system.group().dim() + system.n_lambda();
    if size < SPARSE_FROM || system.n_s() > 0 {
        return None;
    }
    system.structure()
}
