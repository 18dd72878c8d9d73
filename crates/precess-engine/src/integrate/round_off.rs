//! Rounding errors of the residual of a step, row by row.
//!
//! Near a singular position the constraints resist some motion only weakly: B has a singular value sigma of
//! about the angle to that position. Rounding errors eps of Phi then move positions by eps/sigma and
//! velocities by eps |v|/sigma^2, far above the round-off of a position, and no iteration gets below that.
//! The residual distinguishes such noise from a failure: if each row is as small as the rounding errors of
//! its own terms, the equations are solved as well as possible,
//!
//! ```text
//! M v' + g + B^T lambda   eps h^2 (sum |M_ij v'_j| + sum |B_ri lambda_r|)
//! Phi                     eps sum |B_rj| place_j,      place = L + farthest, for rotations 1 + farthest/L
//! B v + Phi_t             eps sum |B_rj v_j| / dv + 1e-3 times the row above
//! ```

use super::condensed::{Condensed, Form};
use crate::mechanics::block::Block;
use crate::mechanics::{System, Want};
use crate::solve::Mat;

const EPS: f64 = f64::EPSILON;
/// The velocity level may always have this part of the rounding errors of Phi.
const VELOCITY_LEVEL: f64 = 1e-3;

/// y_r += weight sum |A_rj| |x_j|.
pub(super) fn add_absolute(a: &Mat, weight: f64, x: &[f64], y: &mut [f64]) {
    a.for_blocks(|b| {
        let y = &mut y[b.row..b.row + b.rows];
        for (x, column) in x[b.col..b.col + b.cols].iter().zip(b.data.chunks_exact(b.rows.max(1))) {
            for (y, a) in y.iter_mut().zip(column) {
                *y += weight * (a * x).abs();
            }
        }
    });
}

/// y_j += weight sum |A_rj| |x_r|.
fn add_absolute_transpose(a: &Mat, weight: f64, x: &[f64], y: &mut [f64]) {
    a.for_blocks(|b| {
        let x = &x[b.row..b.row + b.rows];
        for (y, column) in y[b.col..b.col + b.cols].iter_mut().zip(b.data.chunks_exact(b.rows.max(1))) {
            *y += weight * column.iter().zip(x).map(|(a, x)| (a * x).abs()).sum::<f64>();
        }
    });
}

impl Condensed {
    /// Computes the rounding errors of the rows of the residual; false in forms with other rows. Changes the
    /// tangents.
    pub(crate) fn round_off_of_rows(&mut self, system: &dyn System, out: &mut [f64]) -> bool {
        if !matches!(self.form, Form::Index3 | Form::StabilizedIndex2) {
            return false;
        }
        let w = self;
        let (k, m, n_s) = (w.trial.v.len(), w.trial.lambda.len(), w.trial.s.len());
        w.tangents.evaluate(system, &w.trial.at(), Want::SADDLE);
        let t = &w.tangents;
        let place = &mut w.place[..k];
        places(&w.described, system.length_scale(), &w.trial.q, place);
        out.fill(0.0);
        let (dynamics, rest) = out.split_at_mut(k);
        let (rows, rest) = rest.split_at_mut(m);
        let (algebraic, hidden) = rest.split_at_mut(n_s);
        let h2 = w.h * w.h;
        add_absolute(&t.s, EPS * h2, &w.trial.vdot, dynamics);
        if m > 0 {
            add_absolute_transpose(&t.b, EPS * h2, &w.trial.lambda, dynamics);
            add_absolute(&t.b, EPS, place, rows);
        }
        if n_s > 0 {
            add_absolute(&t.h_q, EPS, place, algebraic);
            add_absolute(&t.h_s, EPS, &w.trial.s, algebraic);
        }
        if !hidden.is_empty() {
            add_absolute(&t.b, EPS / w.dv, &w.trial.v, hidden);
            for (hidden, row) in hidden.iter_mut().zip(&*rows) {
                *hidden += VELOCITY_LEVEL * *row;
            }
        }
        let own = &mut w.velocity_rows;
        if !own.rows.is_empty() {
            own.rates.fill(0.0);
            add_absolute(&t.b, EPS / w.dv, &w.trial.v, &mut own.rates);
            own.rows.iter().for_each(|&i| rows[i] = own.rates[i] + VELOCITY_LEVEL * rows[i]);
        }
        true
    }

    /// The largest row of a residual in units of its own rounding errors; infinite in forms where these are
    /// unknown. A row that moves a body by less than the rounding errors of its position is also at
    /// round-off. `row_scale` converts rows to units of a position.
    pub(crate) fn in_round_offs(&mut self, system: &dyn System, psi: &[f64], row_scale: &[f64]) -> f64 {
        let mut rows = std::mem::take(&mut self.filter);
        let known = self.round_off_of_rows(system, &mut rows[..psi.len()]);
        let mut largest = if known { 0.0 } else { f64::INFINITY };
        for (i, (psi, own)) in psi.iter().zip(&rows).enumerate() {
            let own = match self.place.get(i) {
                Some(place) => own + EPS * place / row_scale[i],
                None => *own,
            };
            let ratio = if *psi == 0.0 { 0.0 } else { psi.abs() / own };
            // NaN must be kept.
            if ratio > largest || ratio.is_nan() {
                largest = ratio;
            }
        }
        self.filter = rows;
        largest
    }
}

/// Reference size for rounding errors of the coordinates, per velocity coordinate.
fn places(blocks: &[Block], length: f64, q: &[f64], place: &mut [f64]) {
    let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let lengths = blocks.iter().filter(|b| b.is_length());
    let farthest = lengths.map(|b| size(&q[b.q.clone()])).fold(0.0, f64::max);
    for block in blocks {
        let own = if block.is_length() { length + farthest } else { 1.0 + farthest / length };
        place[block.v.clone()].fill(own);
    }
}
