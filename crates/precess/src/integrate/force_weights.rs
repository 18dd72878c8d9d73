//! Multipliers as forces.
//!
//! Multipliers have the units of their rows: newtons, newton metres, or newtons per metre where a row is a squared distance.
//! To be compared they become forces. Row r of B says what one unit of lambda_r does to each body, so
//!
//! ```text
//! f_r = |lambda_r| w_r,   w_r = max over all bodies of |B_r| over its translation and |B_r|/L over its rotation
//! ```
//!
//! with the length L of the model. Net forces B^T lambda would hide what matters: two wrong reactions that cancel on a body.

use crate::mechanics::{Block, System};
use crate::solve::Mat;

/// One weight per row, w_r.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceWeights {
    blocks: Vec<Block>,
    length: f64,
    w: Vec<f64>,
    squares: Vec<f64>,
}

impl ForceWeights {
    /// Room for a system; all weights are zero.
    pub fn of(system: &dyn System) -> Self {
        let m = system.n_lambda();
        let length = system.length_scale();
        ForceWeights { blocks: system.blocks(), length, w: vec![0.0; m], squares: vec![0.0; m] }
    }

    /// Weights of these rows.
    pub fn weigh(&mut self, b: &Mat) {
        let ForceWeights { blocks, length, w, squares } = self;
        w.fill(0.0);
        b.for_blocks(|block| {
            let rows = block.row..block.row + block.rows;
            let columns = block.col..block.col + block.cols;
            let first = blocks.partition_point(|own| own.v.end <= columns.start);
            for own in blocks[first..].iter().take_while(|own| own.v.start < columns.end) {
                let unit = if own.is_length() { 1.0 } else { 1.0 / *length };
                let squares = &mut squares[rows.clone()];
                squares.fill(0.0);
                for j in own.v.start.max(columns.start)..own.v.end.min(columns.end) {
                    let column = &block.data[(j - columns.start) * block.rows..][..block.rows];
                    for (sum, x) in squares.iter_mut().zip(column) {
                        *sum += x * x;
                    }
                }
                for (w, square) in w[rows.clone()].iter_mut().zip(&*squares) {
                    *w = w.max(unit * square.sqrt());
                }
            }
        });
    }

    /// The largest of forces on bodies, torques divided by L; NaN if one is.
    pub fn largest_on_bodies(&self, net: &[f64]) -> f64 {
        let mut largest = 0.0;
        for block in &self.blocks {
            let unit = if block.is_length() { 1.0 } else { 1.0 / self.length };
            let force = unit * net[block.v.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
            if force > largest || force.is_nan() {
                largest = force;
            }
        }
        largest
    }

    /// The largest force of these multipliers; NaN if one is.
    pub fn largest(&self, lambda: &[f64]) -> f64 {
        let mut largest = 0.0;
        for (x, w) in lambda.iter().zip(&self.w) {
            let force = x.abs() * w;
            if force > largest || force.is_nan() {
                largest = force;
            }
        }
        largest
    }

    /// The largest force of the difference of two lists of multipliers; NaN if one is.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut largest = 0.0;
        for ((a, b), w) in a.iter().zip(b).zip(&self.w) {
            let force = (a - b).abs() * w;
            if force > largest || force.is_nan() {
                largest = force;
            }
        }
        largest
    }
}
