//! Tangents in classical coordinates, computed from those of the mechanism.
//!
//! With v = A q_c', v' = A q_c'' + A' q_c' and a variation w of q_c that moves q along A w,
//!
//! ```text
//! M_c = A^T M A
//! D_c = A^T ( D A + M H )                      H = dv'/dq_c'
//! K_c = A^T ( K A + D W + M V ) + F            W = dv/dq_c,  V = dv'/dq_c,  F = d(A^T r)/dq_c for constant r
//! B_c = B A
//! Y_c = Y A + B W
//! ```
//!
//! A, H, W, V and F are block diagonal and known in closed form ([`Parameters`]). dr/dlambda - B^T is
//! multiplied by A^T from the left, and so is dr/ds; D_q h_s is multiplied by A from the right. M and D enter
//! in different combinations, so the mechanism is evaluated twice: for M alone, and for D with the rest.

use nalgebra::{Matrix3, Matrix3x4, Matrix4, MatrixView, RowVector3, RowVector4, Vector3};

use super::coordinates::{Coordinates, Rest};
use super::parameters::Parameters;
use crate::mechanics::{At, Tangents, Want};
use crate::solve::Mat;

/// Up to three velocity coordinates of the mechanism, with their blocks of A, W, V, H, F.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// First velocity coordinate of the mechanism, and their number.
    v: usize,
    n_v: usize,
    /// First of the new coordinates, and their number.
    c: usize,
    n_c: usize,
    a: Matrix3x4<f64>,
    omega: Matrix3x4<f64>,
    omega_dot: Matrix3x4<f64>,
    omega_dot_rate: Matrix3x4<f64>,
    force: Matrix4<f64>,
}

impl Piece {
    fn linear(c: usize, v: usize, n: usize) -> Self {
        Piece {
            v,
            n_v: n,
            c,
            n_c: n,
            a: Matrix3x4::identity(),
            omega: Matrix3x4::zeros(),
            omega_dot: Matrix3x4::zeros(),
            omega_dot_rate: Matrix3x4::zeros(),
            force: Matrix4::zeros(),
        }
    }

    /// The part of a block for this piece (rows) and another (columns).
    fn with<'a>(&self, other: &Piece, block: &'a Matrix4<f64>) -> BlockView<'a> {
        block.generic_view((0, 0), (nalgebra::Dyn(self.n_c), nalgebra::Dyn(other.n_c)))
    }
}

type BlockView<'a> = MatrixView<'a, f64, nalgebra::Dyn, nalgebra::Dyn, nalgebra::U1, nalgebra::U4>;

/// The block of a matrix between two pieces, padded with zeros.
fn block(a: &Mat, row: &Piece, col: &Piece) -> Matrix3<f64> {
    let mut out = Matrix3::zeros();
    for j in 0..col.n_v {
        let column = &a.column(col.v + j)[row.v..row.v + row.n_v];
        for (i, x) in column.iter().enumerate() {
            out[(i, j)] = *x;
        }
    }
    out
}

/// The part of a row for a piece.
fn row_part(a: &Mat, row: usize, col: &Piece) -> RowVector3<f64> {
    let mut out = RowVector3::zeros();
    for j in 0..col.n_v {
        out[j] = a.get(row, col.v + j);
    }
    out
}

/// The part of a column for a piece.
fn column_part(a: &Mat, row: &Piece, col: usize) -> Vector3<f64> {
    let mut out = Vector3::zeros();
    for i in 0..row.n_v {
        out[i] = a.get(row.v + i, col);
    }
    out
}

fn is_zero(x: &[f64]) -> bool {
    x.iter().all(|x| *x == 0.0)
}

impl<P: Parameters> Coordinates<P> {
    /// Computes all tangents that `out` asks for.
    pub(super) fn chain_rule(&self, at: &At, out: &mut Tangents) {
        let want = out.want();
        self.expanded(at, |inner_at, work| {
            let dynamics = want.c_m != 0.0 || want.c_d != 0.0 || want.stiffness;
            let damping = want.c_d != 0.0 || want.stiffness;
            if dynamics {
                work.mass.evaluate(&*self.inner, inner_at, Want::MASS);
            }
            let rest = Want {
                c_m: 0.0,
                c_d: if damping { 1.0 } else { 0.0 },
                stiffness: want.stiffness,
                constraint: want.constraint || want.curvature,
                curvature: want.curvature,
            };
            work.tangents.evaluate(&*self.inner, inner_at, rest);
            if want.stiffness {
                self.inner.residual(inner_at, work.r);
            }
            self.fill_pieces(at, want, work);
            if dynamics {
                dynamics_blocks(want, work, out);
            }
            constraint_blocks(want, work, out);
            other_blocks(work, out);
        });
        self.own_blocks(at, want, out);
    }

    fn fill_pieces(&self, at: &At, want: Want, work: &mut Rest) {
        work.pieces.clear();
        let moving = want.c_d != 0.0 || want.stiffness || want.curvature;
        for turn in &self.turns {
            let x = self.motion(at, turn);
            let mut piece = Piece::linear(turn.c, turn.v, 3);
            piece.n_c = P::N;
            piece.a = self.parameters.map(&x.p);
            if moving {
                let d = self.parameters.variations(&x);
                piece.omega = d.omega;
                piece.omega_dot = d.omega_dot;
                piece.omega_dot_rate = d.omega_dot_rate;
            }
            if want.stiffness {
                let r = Vector3::from_column_slice(&work.r[turn.v..turn.v + 3]);
                piece.force = self.parameters.force_variation(&x.p, &r);
            }
            work.pieces.push(piece);
        }
        for l in &self.linear {
            for first in (0..l.n).step_by(3) {
                work.pieces.push(Piece::linear(l.c + first, l.v + first, 3.min(l.n - first)));
            }
        }
    }

    /// Adds the forces and constraints of the parameters themselves.
    fn own_blocks(&self, at: &At, want: Want, out: &mut Tangents) {
        if P::ROWS == 0 {
            return;
        }
        for turn in &self.turns {
            let x = self.motion(at, turn);
            if want.c_m != 0.0 || want.c_d != 0.0 || want.stiffness {
                let own = self.parameters.own_tangents(turn.j_0, &x, Self::own_lambda(at, turn));
                out.mass(turn.c, turn.c, &own.mass);
                out.damping(turn.c, turn.c, &own.damping);
                out.stiffness(turn.c, turn.c, &own.stiffness);
            }
            let (b, y) = self.parameters.own_gradients(&x);
            out.constraint(turn.row, turn.c, &b.transpose());
            out.curvature(turn.row, turn.c, &y.transpose());
        }
    }
}

/// M, D and K.
fn dynamics_blocks(want: Want, work: &Rest, out: &mut Tangents) {
    let damping = want.c_d != 0.0 || want.stiffness;
    for col in work.pieces.iter() {
        for row in work.pieces.iter() {
            let at = row.a.transpose();
            let m = block(&work.mass.s, row, col);
            let has_mass = !is_zero(m.as_slice());
            if has_mass {
                out.mass(row.c, col.c, &row.with(col, &(at * m * col.a)));
            }
            if !damping {
                continue;
            }
            let d = block(&work.tangents.s, row, col);
            let has_damping = !is_zero(d.as_slice());
            if want.c_d != 0.0 && (has_mass || has_damping) {
                out.damping(row.c, col.c, &row.with(col, &(at * (d * col.a + m * col.omega_dot_rate))));
            }
            if want.stiffness {
                let k = block(&work.tangents.k, row, col);
                if has_mass || has_damping || !is_zero(k.as_slice()) {
                    let sum = at * (k * col.a + d * col.omega + m * col.omega_dot);
                    out.stiffness(row.c, col.c, &row.with(col, &sum));
                }
            }
        }
        out.stiffness(col.c, col.c, &col.with(col, &col.force));
    }
}

/// B and Y.
fn constraint_blocks(want: Want, work: &Rest, out: &mut Tangents) {
    if !(want.constraint || want.curvature) {
        return;
    }
    let t = &*work.tangents;
    for col in work.pieces.iter() {
        for i in 0..t.b.rows() {
            let b = row_part(&t.b, i, col);
            let has_b = !is_zero(b.as_slice());
            if want.constraint && has_b {
                out.constraint(i, col.c, &first(&(b * col.a), col.n_c));
            }
            if want.curvature {
                let y = row_part(&t.y, i, col);
                if has_b || !is_zero(y.as_slice()) {
                    out.curvature(i, col.c, &first(&(y * col.a + b * col.omega), col.n_c));
                }
            }
        }
    }
}

/// Friction that depends on lambda, and blocks of algebraic variables.
fn other_blocks(work: &Rest, out: &mut Tangents) {
    let t = &*work.tangents;
    for piece in work.pieces.iter() {
        let at = piece.a.transpose();
        if t.has_friction() {
            for j in 0..t.g_lambda.cols() {
                let g = at * column_part(&t.g_lambda, piece, j);
                out.friction(piece.c, j, &g.rows(0, piece.n_c));
            }
        }
        for j in 0..t.r_s.cols() {
            let g = at * column_part(&t.r_s, piece, j);
            out.force_of_s(piece.c, j, &g.rows(0, piece.n_c));
        }
        for i in 0..t.h_q.rows() {
            let g = row_part(&t.h_q, i, piece) * piece.a;
            out.algebraic_of_q(i, piece.c, &first(&g, piece.n_c));
        }
    }
    for j in 0..t.h_s.cols() {
        for i in 0..t.h_s.rows() {
            out.algebraic_of_s(i, j, &nalgebra::Matrix1::new(t.h_s.get(i, j)));
        }
    }
}

/// The first n entries of a row.
fn first(
    row: &RowVector4<f64>,
    n: usize,
) -> MatrixView<'_, f64, nalgebra::U1, nalgebra::Dyn, nalgebra::U1, nalgebra::U1> {
    row.columns(0, n)
}
