//! Position and velocity rows: which rows of the equations of a step contain Phi, and which contain B v.
//!
//! ```text
//!                      rows lambda                  rows h eta (stabilized-index2)
//! rows of position     Phi; B v in index-2          B v
//! rows of velocity     B v / dv                     h eta = 0
//! ```
//!
//! N has no columns for velocity rows, since there is no position to correct. In the forms index-2 and
//! index-1 the two kinds of rows do not differ.

use super::Form;
use crate::mechanics::jacobian::{Corners, Rows};
use crate::solve::Mat;

/// The velocity rows of a system, with space for a part of B or Y.
#[derive(Clone, Debug, Default)]
pub(in crate::integrate) struct VelocityRows {
    /// Row numbers in increasing order.
    pub rows: Vec<usize>,
    /// B v of all rows.
    pub rates: Vec<f64>,
    part: Mat,
}

impl VelocityRows {
    /// The velocity rows of a system with this B. Without such rows, nothing is stored.
    pub fn new(rows: &[usize], b: &Mat) -> Self {
        if rows.is_empty() {
            return VelocityRows::default();
        }
        VelocityRows { rows: rows.to_vec(), rates: vec![0.0; b.rows()], part: b.like() }
    }

    /// True if the form treats them differently from position rows.
    pub fn matter(&self, form: Form) -> bool {
        !self.rows.is_empty() && matches!(form, Form::Index3 | Form::StabilizedIndex2)
    }

    /// Calls `put(first row in the matrix, matrix)` for the contribution of `a` to these equations: with all
    /// of its rows, or once with its position rows and once with its velocity rows.
    pub fn each(
        &mut self,
        form: Form,
        corners: &Corners,
        rows: Rows,
        a: &Mat,
        mut put: impl FnMut(usize, &Mat),
    ) {
        let first = corners.row(rows);
        let is_split = self.matter(form) && matches!(rows, Rows::Position | Rows::Velocity);
        if is_split && rows == Rows::Velocity {
            put(corners.lambda, self.part(a, true));
        }
        match first {
            Some(first) if is_split => put(first, self.part(a, false)),
            Some(first) => put(first, a),
            None => {}
        }
    }

    /// The velocity rows of `a`, or all others.
    fn part(&mut self, a: &Mat, velocity: bool) -> &Mat {
        let rows = &self.rows;
        self.part.copy_from(a);
        self.part.retain_rows(|i| rows.binary_search(&i).is_ok() == velocity);
        &self.part
    }
}
