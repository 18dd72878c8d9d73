//! Converts multipliers to forces.
//!
//! Multipliers have the units of their rows: newtons, newton metres, or newtons per metre if a row is a
//! squared distance. They are compared as forces. The rows of one kind in one joint, its points or its
//! directions, are one class c. Their rows of B give the effect of one unit of lambda on each body, so
//!
//! ```text
//! f_c = |lambda_c| w_c
//! w_c = max over all bodies of |B_c| over its translation and |B_c|/L over its rotation
//! ```
//!
//! with 2-norms, |B_c| per root of the number of rows, and the length L of the model. The result does not
//! depend on the orientation of axes. Net forces B^T lambda would hide two wrong reactions that cancel on a
//! body.

use std::ops::Range;

use crate::mechanics::{Block, System};
use crate::solve::Mat;

/// The weights w_c, one per class of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForceWeights {
    blocks: Vec<Block>,
    length: f64,
    classes: Vec<Range<usize>>,
    w: Vec<f64>,
}

impl ForceWeights {
    /// Workspace for a system; all weights are zero.
    pub fn of(system: &dyn System) -> Self {
        let classes = classes(system);
        let w = vec![0.0; classes.len()];
        ForceWeights { blocks: system.blocks(), length: system.length_scale(), classes, w }
    }

    /// Computes the weights of these rows.
    pub fn weigh(&mut self, b: &Mat) {
        let ForceWeights { blocks, length, classes, w } = self;
        w.fill(0.0);
        // Blocks come row by row, so their classes come in order.
        let mut first_class = 0;
        b.for_blocks(|block| {
            let rows = block.row..block.row + block.rows;
            let columns = block.col..block.col + block.cols;
            let first = blocks.partition_point(|own| own.v.end <= columns.start);
            while classes.get(first_class).is_some_and(|class| class.end <= rows.start) {
                first_class += 1;
            }
            for own in blocks[first..].iter().take_while(|own| own.v.start < columns.end) {
                let unit = if own.is_length() { 1.0 } else { 1.0 / *length };
                let body = own.v.start.max(columns.start)..own.v.end.min(columns.end);
                let of_rows = classes[first_class..].iter().zip(&mut w[first_class..]);
                for (class, w) in of_rows.take_while(|(c, _)| c.start < rows.end) {
                    let inside =
                        class.start.max(rows.start) - rows.start..class.end.min(rows.end) - rows.start;
                    let column = |j: usize| &block.data[(j - columns.start) * block.rows..][..block.rows];
                    let squares = |j: usize| column(j)[inside.clone()].iter().map(|x| x * x).sum::<f64>();
                    let square = body.clone().map(squares).sum::<f64>() / class.len() as f64;
                    *w = w.max(unit * square.sqrt());
                }
            }
        });
    }

    /// The largest force on a body, torques divided by L; NaN if an entry is NaN.
    pub fn largest_on_bodies(&self, net: &[f64]) -> f64 {
        let unit = |block: &Block| if block.is_length() { 1.0 } else { 1.0 / self.length };
        let squares = |block: &Block| net[block.v.clone()].iter().map(|x| x * x).sum::<f64>();
        largest(self.blocks.iter().map(|block| unit(block) * squares(block).sqrt()))
    }

    /// The largest force of these multipliers; NaN if an entry is NaN.
    pub fn largest(&self, lambda: &[f64]) -> f64 {
        self.of_entries(|i| lambda[i])
    }

    /// The largest force of the difference of two lists of multipliers; NaN if an entry is NaN.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        self.of_entries(|i| a[i] - b[i])
    }

    fn of_entries(&self, entry: impl Fn(usize) -> f64) -> f64 {
        let squares = |class: &Range<usize>| class.clone().map(|i| entry(i) * entry(i)).sum::<f64>();
        largest(self.classes.iter().zip(&self.w).map(|(class, w)| w * squares(class).sqrt()))
    }
}

/// The largest of these numbers; NaN if one is NaN.
fn largest(sizes: impl Iterator<Item = f64>) -> f64 {
    sizes.fold(0.0, |m, x| if x > m || x.is_nan() { x } else { m })
}

/// Classes of rows in their order; each row without a class becomes one.
fn classes(system: &dyn System) -> Vec<Range<usize>> {
    let m = system.n_lambda();
    let mut known = system.row_classes().to_vec();
    known.sort_by_key(|k| k.start);
    let (mut out, mut next) = (Vec::new(), 0);
    for class in known {
        out.extend((next..class.start).map(|i| i..i + 1));
        next = next.max(class.end);
        out.push(class);
    }
    out.extend((next..m).map(|i| i..i + 1));
    out
}
