//! The direction N of the stabilisation: B^T, or M^-1 B^T.

use std::ops::Range;

use super::{Condensed, Eta};
use crate::mechanics::{At, Block, System, Want};
use crate::solve::{DenseLu, Mat};

impl Condensed {
    /// N at a place: B^T or M^-1 B^T.
    pub fn stabilisation_direction(&mut self, system: &dyn System, at: &At, direction: Eta) {
        let w = &mut *self;
        let want = match direction {
            Eta::Paper => Want::CONSTRAINT,
            Eta::Mass => Want::SADDLE,
        };
        w.tangents.evaluate(system, at, want);
        let velocity = &w.velocity_rows.rows;
        if !velocity.is_empty() {
            w.tangents.b.retain_rows(|i| velocity.binary_search(&i).is_err());
        }
        w.n.transpose_from(&w.tangents.b);
        if direction == Eta::Mass {
            let blocks = (&w.described[..], system.length_scale());
            solve_mass(&w.tangents.s, blocks, &mut w.mass, &mut w.n);
        }
    }
}

/// N <- M^-1 N, factor by factor for a sparse M. If M or one of its factors is singular, inertia is added to
/// every block. Then N is another direction, but it does not depend on units.
fn solve_mass(mass: &Mat, blocks: (&[Block], f64), lu: &mut DenseLu, n: &mut Mat) {
    let Some(pattern) = mass.pattern().cloned() else {
        lu.resize(mass.rows());
        lu.matrix_mut().copy_from(mass);
        let mut outcome = lu.factor();
        if outcome.is_err() {
            lu.matrix_mut().copy_from(mass);
            add_inertia(blocks, 0..mass.rows(), lu.matrix_mut());
            outcome = lu.factor();
        }
        if outcome.is_ok() {
            for i in 0..n.cols() {
                lu.solve(n.column_mut(i));
            }
        }
        return;
    };
    let Some(n_pattern) = n.pattern().cloned() else { return };
    for i in 0..pattern.rows.blocks() {
        let Some(at) = pattern.find(i, i) else { continue };
        let range = pattern.rows.range(i);
        let dim = range.len();
        lu.resize(dim);
        lu.matrix_mut().data_mut().copy_from_slice(&mass.data()[at..at + dim * dim]);
        if lu.factor().is_err() {
            lu.matrix_mut().data_mut().copy_from_slice(&mass.data()[at..at + dim * dim]);
            add_inertia(blocks, range, lu.matrix_mut());
            if lu.factor().is_err() {
                continue;
            }
        }
        for slot in n_pattern.row(i) {
            let columns = n_pattern.cols.range(slot.col as usize).len();
            let at = slot.offset as usize;
            for column in n.data_mut()[at..at + dim * columns].chunks_exact_mut(dim) {
                lu.solve(column);
            }
        }
    }
}

/// Adds the mean of the diagonal in each block to the diagonal of these rows of M. A block with a zero
/// diagonal gets the mean of all, as lengths.
fn add_inertia((blocks, length): (&[Block], f64), rows: Range<usize>, mass: &mut Mat) {
    let inside = |b: &&Block| rows.contains(&b.v.start) && b.v.end <= rows.end;
    let places = |b: &Block| b.v.start - rows.start..b.v.end - rows.start;
    let mean =
        |b: &Block, mass: &Mat| places(b).map(|j| mass.get(j, j)).sum::<f64>() / b.v.len().max(1) as f64;
    let unit = |b: &Block| if b.is_length() { 1.0 } else { length * length };
    let heaviest = blocks.iter().filter(inside).map(|b| mean(b, mass) / unit(b)).fold(0.0, f64::max);
    for block in blocks.iter().filter(inside) {
        let own = mean(block, mass);
        let inertia = if own > 0.0 { own } else { heaviest * unit(block) };
        places(block).for_each(|j| mass.add_entry(j, j, inertia));
    }
}
