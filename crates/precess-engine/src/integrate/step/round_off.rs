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

use super::data::{Step, square_of};
use super::rows::add_absolute;
use super::runs::Runs;
use crate::integrate::form::Form;
use crate::mechanics::block::Block;
use crate::mechanics::{Dynamics, Want};
use crate::solve::Mat;

const EPS: f64 = f64::EPSILON;
/// The velocity level may always have this part of the rounding errors of Phi.
const VELOCITY_LEVEL: f64 = 1e-3;

/// y_j += weight sum |A_rj| |x_r|.
fn add_absolute_transpose<T: Runs>(a: &Mat<T>, weight: f64, x: &[T], y: &mut [T]) {
    let weight = T::of(weight);
    a.for_blocks(|b| {
        let x = &x[b.row..b.row + b.rows];
        for (y, column) in y[b.col..b.col + b.cols].iter_mut().zip(b.data.chunks_exact(b.rows.max(1))) {
            let mut sum = T::zero();
            column.iter().zip(x).for_each(|(a, x)| sum += (*a * *x).abs());
            *y += weight * sum;
        }
    });
}

impl<T: Runs> Step<T> {
    /// Computes the rounding errors of the rows of the residual; false in forms with other rows. Changes the
    /// tangents.
    pub(crate) fn round_off_of_rows(
        &mut self,
        dynamics: &(impl Dynamics<T> + ?Sized),
        out: &mut [T],
    ) -> bool {
        if !matches!(self.form, Form::Index3 | Form::StabilizedIndex2) {
            return false;
        }
        self.evaluate(dynamics, Want::SADDLE);
        let (k, m, n_s) = (self.trial.v.len(), self.trial.lambda.len(), self.trial.s.len());
        let (t, trial) = (&self.tangents, &self.trial);
        let place = &mut self.place[..k];
        places(&self.blocks, self.length, &trial.q, place);
        out.fill(T::zero());
        let (dynamics, rest) = out.split_at_mut(k);
        let (rows, rest) = rest.split_at_mut(m);
        let (algebraic, hidden) = rest.split_at_mut(n_s);
        let h2 = self.h * self.h;
        add_absolute(&t.s, EPS * h2, &trial.vdot, dynamics);
        if m > 0 {
            add_absolute_transpose(&t.b, EPS * h2, &trial.lambda, dynamics);
            add_absolute(&t.b, EPS, place, rows);
        }
        if n_s > 0 {
            add_absolute(&t.h_q, EPS, place, algebraic);
            add_absolute(&t.h_s, EPS, &trial.s, algebraic);
        }
        let own = T::of(VELOCITY_LEVEL);
        if !hidden.is_empty() {
            add_absolute(&t.b, EPS / self.dv, &trial.v, hidden);
            for (hidden, row) in hidden.iter_mut().zip(&*rows) {
                *hidden += own * *row;
            }
        }
        if let Some(held) = &mut self.held {
            held.rates.fill(T::zero());
            add_absolute(&t.b, EPS / self.dv, &trial.v, &mut held.rates);
            for (i, row) in rows.iter_mut().enumerate() {
                *row = held.position[i] * *row + held.velocity[i] * (held.rates[i] + own * *row);
            }
        }
        true
    }

    /// The largest row of the residual in units of its own rounding errors; infinite in forms where these are
    /// unknown. A row that moves a body by less than the rounding errors of its position is also at round-off.
    /// `row_scale` converts rows to units of a position.
    pub(crate) fn in_round_offs(&mut self, dynamics: &(impl Dynamics<T> + ?Sized), row_scale: &[T]) -> f64 {
        let mut rows = std::mem::take(&mut self.room);
        let known = self.round_off_of_rows(dynamics, &mut rows);
        let mut largest = if known { 0.0 } else { f64::INFINITY };
        for (i, (psi, own)) in self.psi.iter().zip(&rows).enumerate() {
            let own = match self.place.get(i) {
                Some(place) => *own + T::of(EPS) * *place / row_scale[i],
                None => *own,
            };
            let (psi, own) = (psi.first(), own.first());
            let ratio = if psi == 0.0 { 0.0 } else { psi.abs() / own };
            // NaN must be kept.
            if ratio > largest || ratio.is_nan() {
                largest = ratio;
            }
        }
        self.room = rows;
        largest
    }
}

/// Reference size for rounding errors of the coordinates, per velocity coordinate.
fn places<T: Runs>(blocks: &[Block], length: T, q: &[T], place: &mut [T]) {
    let size = |x: &[T]| square_of(x).sqrt();
    let lengths = blocks.iter().filter(|b| b.is_length());
    let farthest = lengths.map(|b| size(&q[b.q.clone()])).fold(T::zero(), |m, x| (x - m).if_positive(x, m));
    for block in blocks {
        let own = if block.is_length() { length + farthest } else { T::one() + farthest / length };
        place[block.v.clone()].fill(own);
    }
}
