//! Derivatives in joint coordinates from those of the bodies.
//!
//! With the columns J, W = D_q V, A = D_q V' and H = dV'/dv of every coordinate
//! ([`Variation`](crate::mechanics::tree::Variation)),
//!
//! ```text
//! M_c = J^T M J     D_c = J^T (D J + M H)     K_c = J^T (K J + D W + M A) + D_q(J^T r)
//! B_c = B J         Y_c = Y J + B W
//! ```
//!
//! column by column: a column of J has entries only for the bodies that its stage carries.

use nalgebra::DVectorView;

use super::{JointCoordinates, Rest, put};
use crate::mechanics::kernels::Motion;
use crate::mechanics::{At, System, Tangents, Want};

/// Columns of one coordinate, and the tangents of the mechanism.
#[derive(Debug, Default)]
pub(super) struct Space {
    tangents: Option<[Tangents; 2]>,
    /// J, W, A, H, one column of the mechanism per coordinate.
    columns: [Vec<f64>; 4],
    product: Vec<f64>,
    column: Vec<f64>,
    rows: Vec<f64>,
}

/// Entries below this part of the largest possible one are zero: rows that the tree satisfies by itself.
const CANCELS: f64 = 1e-14;

/// A column of B J. Rounding errors become exact zeros: a row of them would pass for a constraint.
fn constraint_column(b: &crate::solve::Mat, j: &[f64], out: &mut [f64]) {
    let moved = j.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for (i, out) in out.iter_mut().enumerate() {
        let (mut sum, mut largest) = (0.0, 0.0_f64);
        for (col, x) in j.iter().enumerate() {
            let entry = b.get(i, col);
            largest = largest.max(entry.abs());
            sum += entry * x;
        }
        *out = if sum.abs() > CANCELS * largest * moved { sum } else { 0.0 };
    }
}

impl JointCoordinates {
    pub(super) fn chain_rule(&self, at: &At, out: &mut Tangents) {
        let want = out.want();
        // D_q V' needs accelerations.
        let zero = vec![0.0; if at.vdot.is_empty() { self.group.dim() } else { 0 }];
        let at = &At { vdot: if at.vdot.is_empty() { &zero } else { at.vdot }, ..*at };
        self.expanded(at, |full, work| {
            let (k, n, m) = (self.inner.group().dim(), self.group.dim(), self.inner.n_lambda());
            let mut space = std::mem::take(&mut work.derivatives);
            let Space { tangents, columns, product, column, rows } = &mut space;
            let [mass, rest] =
                tangents.get_or_insert_with(|| [(); 2].map(|()| Tangents::dense(k, m, self.inner.n_s())));
            for x in columns.iter_mut() {
                x.clear();
                x.resize(k * n, 0.0);
            }
            (product.resize(k, 0.0), column.resize(n, 0.0), rows.resize(m, 0.0));
            self.fill_columns(work, columns);
            let dynamics = want.c_m != 0.0 || want.c_d != 0.0 || want.stiffness;
            if dynamics {
                mass.evaluate(&self.inner, full, Want::MASS);
            }
            rest.evaluate(
                &self.inner,
                full,
                Want {
                    c_m: 0.0,
                    c_d: if want.c_d != 0.0 || want.stiffness { 1.0 } else { 0.0 },
                    stiffness: want.stiffness,
                    constraint: want.constraint || want.curvature,
                    curvature: want.curvature,
                },
            );
            let [j, w, a, h] = columns;
            let part = |x: &[f64], i: usize| i * k..i * k + x.len() / n;
            let pull = |x: &[f64], out: &mut [f64]| {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = j[part(j, i)].iter().zip(x).map(|(a, b)| a * b).sum();
                }
            };
            for i in 0..n {
                let (j_i, w_i, a_i, h_i) = (&j[part(j, i)], &w[part(w, i)], &a[part(a, i)], &h[part(h, i)]);
                let mut put = |terms: &[(&crate::solve::Mat, &[f64])], add: &mut dyn FnMut(&[f64])| {
                    product.fill(0.0);
                    terms.iter().for_each(|(matrix, x)| matrix.gemv(1.0, x, product));
                    pull(product, column);
                    add(column);
                };
                let view = |x: &[f64]| DVectorView::from_slice(x, x.len()).into_owned();
                if want.c_m != 0.0 {
                    put(&[(&mass.s, j_i)], &mut |x| out.mass(0, i, &view(x)));
                }
                if want.c_d != 0.0 {
                    put(&[(&rest.s, j_i), (&mass.s, h_i)], &mut |x| out.damping(0, i, &view(x)));
                }
                if want.stiffness {
                    put(&[(&rest.k, j_i), (&rest.s, w_i), (&mass.s, a_i)], &mut |x| {
                        out.stiffness(0, i, &view(x))
                    });
                }
                if want.constraint && m > 0 {
                    constraint_column(&rest.b, j_i, rows);
                    out.constraint(0, i, &view(rows));
                }
                if want.curvature && m > 0 {
                    rows.fill(0.0);
                    rest.y.gemv(1.0, j_i, rows);
                    rest.b.gemv(1.0, w_i, rows);
                    out.curvature(0, i, &view(rows));
                }
            }
            if want.stiffness {
                let mut r = std::mem::take(&mut work.r);
                self.inner.residual(full, &mut r);
                for body in 0..self.inner.body_list().len() {
                    let wrench = self.wrench(body, &r, &work.motion);
                    self.tree.turned_wrench(body, &wrench, &work.motion, |i, j, x| {
                        out.stiffness(i, j, &nalgebra::Matrix1::new(x));
                    });
                }
                work.r = r;
            }
            self.other_blocks(rest, j, out);
            work.derivatives = space;
        });
    }

    fn fill_columns(&self, work: &super::Work, [j, w, a, h]: &mut [Vec<f64>; 4]) {
        let k = self.inner.group().dim();
        let motion = &work.motion;
        for (i, body) in self.inner.body_list().iter().enumerate() {
            let (pose, rigid) = (self.tree.body_pose(i, motion), body.dim() == 6);
            let v = self.tree.body_velocity(i, motion);
            self.tree.variations(i, motion, |col, x| {
                let at = col * k + body.v;
                put(&x.velocity, &pose, rigid, &mut j[at..]);
                if rigid {
                    put(&x.velocity_of_q, &pose, true, &mut w[at..]);
                    put(&x.acceleration_of_q, &pose, true, &mut a[at..]);
                    put(&x.acceleration_of_v, &pose, true, &mut h[at..]);
                    return;
                }
                // x' = R U and x'' = R (U' + Omega x U) turn with the frame, too.
                let acceleration = self.tree.body_acceleration(i, motion);
                let turn = x.velocity.omega;
                let in_space = |u: nalgebra::Vector3<f64>| Motion { u, ..Motion::rest() };
                let of_q = x.velocity_of_q.u + turn.cross(&v.u);
                put(&in_space(of_q), &pose, false, &mut w[at..]);
                let second = acceleration.u + v.omega.cross(&v.u);
                let of_q = x.acceleration_of_q.u
                    + x.velocity_of_q.omega.cross(&v.u)
                    + v.omega.cross(&x.velocity_of_q.u)
                    + turn.cross(&second);
                put(&in_space(of_q), &pose, false, &mut a[at..]);
                let of_v =
                    x.acceleration_of_v.u + x.velocity.omega.cross(&v.u) + v.omega.cross(&x.velocity.u);
                put(&in_space(of_v), &pose, false, &mut h[at..]);
            });
        }
        let Rest { v, inner_v, n, .. } = self.rest;
        (0..n).for_each(|i| j[(v + i) * k + inner_v + i] = 1.0);
    }

    /// Friction that depends on lambda, and blocks of algebraic variables.
    fn other_blocks(&self, t: &Tangents, j: &[f64], out: &mut Tangents) {
        let (k, n) = (self.inner.group().dim(), self.group.dim());
        let of = |i: usize| &j[i * k..(i + 1) * k];
        let along = |column: &dyn Fn(usize) -> f64, i: usize| -> f64 {
            of(i).iter().enumerate().map(|(r, x)| if *x == 0.0 { 0.0 } else { x * column(r) }).sum()
        };
        for i in 0..n {
            if t.has_friction() {
                for col in 0..t.g_lambda.cols() {
                    let x = along(&|r| t.g_lambda.get(r, col), i);
                    out.friction(i, col, &nalgebra::Matrix1::new(x));
                }
            }
            for col in 0..t.r_s.cols() {
                out.force_of_s(i, col, &nalgebra::Matrix1::new(along(&|r| t.r_s.get(r, col), i)));
            }
            for row in 0..t.h_q.rows() {
                out.algebraic_of_q(row, i, &nalgebra::Matrix1::new(along(&|r| t.h_q.get(row, r), i)));
            }
        }
        for col in 0..t.h_s.cols() {
            for row in 0..t.h_s.rows() {
                out.algebraic_of_s(row, col, &nalgebra::Matrix1::new(t.h_s.get(row, col)));
            }
        }
    }
}
