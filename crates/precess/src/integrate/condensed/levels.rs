//! Which rows of the equations of a step hold Phi and which hold B v, for rows of position and of velocity.
//!
//! ```text
//!                      rows lambda                  rows h eta (stabilized-index2)
//! rows of position     Phi; B v in index-2          B v
//! rows of velocity     B v / dv                     h eta = 0
//! ```
//!
//! N has no columns for rows of velocity: there is no position to correct. In the forms index-2 and index-1 the two kinds of rows
//! do not differ.

use super::Form;
use crate::solve::{Kkt, Mat};

/// Rows of velocity among those of a system, with room for a part of B or Y.
#[derive(Clone, Debug, Default)]
pub(in crate::integrate) struct VelocityRows {
    /// In increasing order.
    pub rows: Vec<usize>,
    /// B v of all rows.
    pub rates: Vec<f64>,
    part: Mat,
}

impl VelocityRows {
    /// Of a system with this B; without such rows nothing is kept.
    pub fn new(rows: &[usize], b: &Mat) -> Self {
        if rows.is_empty() {
            return VelocityRows::default();
        }
        VelocityRows { rows: rows.to_vec(), rates: vec![0.0; b.rows()], part: b.like() }
    }

    /// True if the form treats them in another way than rows of position.
    pub fn matter(&self, form: Form) -> bool {
        !self.rows.is_empty() && matches!(form, Form::Index3 | Form::StabilizedIndex2)
    }

    /// `a` with the rows of velocity alone, or with all others.
    fn part(&mut self, a: &Mat, velocity: bool) -> &Mat {
        let rows = &self.rows;
        self.part.copy_from(a);
        self.part.retain_rows(|i| rows.binary_search(&i).is_ok() == velocity);
        &self.part
    }
}

/// Where the rows of the constraints begin in the iteration matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    /// Form of the equations.
    pub form: Form,
    /// First row of lambda.
    pub lambda: usize,
    /// First row of h eta, where there are such rows.
    pub eta: usize,
}

impl Levels {
    /// Adds `weight a`, or `weight a N`, to the equations B v = 0 in columns from `col` on.
    pub fn velocity(
        &self,
        own: &mut VelocityRows,
        kkt: &mut Kkt,
        (col, weight): (usize, f64),
        a: &Mat,
        n: Option<&Mat>,
    ) {
        let put = |kkt: &mut Kkt, row: usize, a: &Mat| match n {
            None => kkt.add(row, col, weight, a),
            Some(n) => kkt.add_product(row, col, weight, a, n),
        };
        if own.matter(self.form) {
            put(kkt, self.lambda, own.part(a, true));
            if self.form == Form::StabilizedIndex2 {
                put(kkt, self.eta, own.part(a, false));
            }
            return;
        }
        match self.form {
            Form::Index3 => {}
            Form::StabilizedIndex2 => put(kkt, self.eta, a),
            Form::Index2 | Form::Index1 => put(kkt, self.lambda, a),
        }
    }

    /// Adds `a` to the equations Phi = 0 in the columns of theta.
    pub fn position(&self, own: &mut VelocityRows, kkt: &mut Kkt, a: &Mat) {
        match self.form {
            Form::Index2 | Form::Index1 => {}
            _ if own.matter(self.form) => kkt.add(self.lambda, 0, 1.0, own.part(a, false)),
            _ => kkt.add(self.lambda, 0, 1.0, a),
        }
    }

    /// The equations h eta = 0 of rows of velocity.
    pub fn no_eta(&self, own: &VelocityRows, kkt: &mut Kkt) {
        if self.form == Form::StabilizedIndex2 {
            own.rows.iter().for_each(|i| kkt.add_diagonal(self.eta + i, 1.0));
        }
    }
}
