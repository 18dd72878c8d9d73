//! Distances of motions: assembly moves bodies as little as possible in this measure.

use std::ops::Range;

use crate::mechanics::{State, System};
use crate::solve::decompositions::{cholesky, lower_inverse};
use crate::solve::products::{times, transposed_product};
use nalgebra::{DMatrix, DVector};

use crate::analysis::local::{Layout, Local};

/// Smallest inertia, relative to the largest.
const INERTIA_FLOOR: f64 = 1e-6;

/// Motions x = U y of length |y|, U in blocks of bodies and of modal coordinates.
#[derive(Clone, Debug)]
pub struct Metric {
    blocks: Vec<(Range<usize>, DMatrix<f64>)>,
}

impl Metric {
    /// A radian of every body counts like the length of the model.
    pub fn lengths(layout: &Layout) -> Self {
        let units = layout.units();
        let block = |r: &Range<usize>| (r.clone(), DMatrix::from_diagonal(&units.rows(r.start, r.len())));
        let modal = layout.modal.iter().map(|m| &m.columns);
        Metric { blocks: layout.bodies.iter().chain(modal).map(block).collect() }
    }

    /// U U^T = M^-1, each body with its weight: heavy bodies move little. A body with infinite weight does
    /// not move.
    pub fn inertia(system: &dyn System, layout: &Layout, state: &State, weights: &[f64]) -> Self {
        let m = Local::mass(system, state);
        let largest = |part: &dyn Fn(usize) -> Range<usize>| {
            let entries = (0..layout.bodies.len()).flat_map(part).map(|i| m[(i, i)]);
            entries.fold(0.0, f64::max)
        };
        let turning = INERTIA_FLOOR * largest(&|i| layout.rotation(i));
        let moving = INERTIA_FLOOR * largest(&|i| layout.translation(i));
        let block = |(i, r): (usize, &Range<usize>)| {
            let weight = weights.get(i).copied().unwrap_or(1.0);
            let mut a: DMatrix<f64> = m.view((r.start, r.start), (r.len(), r.len())).into();
            for j in layout.rotation(i) {
                a[(j - r.start, j - r.start)] += turning;
            }
            for j in layout.translation(i) {
                a[(j - r.start, j - r.start)] += moving;
            }
            let size = r.len();
            if weight.is_infinite() {
                return (r.clone(), DMatrix::zeros(size, size));
            }
            let u = cholesky(a * weight).and_then(|l| lower_inverse(&l)).map(|l| l.transpose());
            (r.clone(), u.unwrap_or_else(|| DMatrix::identity(size, size)))
        };
        let mut blocks: Vec<_> = layout.bodies.iter().enumerate().map(block).collect();
        for modal in &layout.modal {
            let (r, weight) = (&modal.columns, weights.get(modal.body).copied().unwrap_or(1.0));
            let held = if weight.is_infinite() { 0.0 } else { weight.sqrt().recip() };
            let unit = |j: usize| held / m[(j, j)].max(f64::MIN_POSITIVE).sqrt();
            let diagonal = DVector::from_iterator(r.len(), r.clone().map(unit));
            blocks.push((r.clone(), DMatrix::from_diagonal(&diagonal)));
        }
        Metric { blocks }
    }

    /// B^T <- U^T B^T.
    pub(crate) fn scale(&self, bt: &mut DMatrix<f64>) {
        for (r, u) in &self.blocks {
            let part = transposed_product(u, &bt.rows(r.start, r.len()).into());
            bt.rows_mut(r.start, r.len()).copy_from(&part);
        }
    }

    /// x = U y.
    pub(crate) fn motion(&self, y: &DVector<f64>) -> DVector<f64> {
        let mut x = DVector::zeros(y.len());
        for (r, u) in &self.blocks {
            x.rows_mut(r.start, r.len()).copy_from(&times(u, &y.rows(r.start, r.len()).into()));
        }
        x
    }

    /// Removes fixed bodies from a motion.
    pub(crate) fn hold(&self, x: &mut DVector<f64>) {
        for (r, u) in &self.blocks {
            if u.iter().all(|u| *u == 0.0) {
                x.rows_mut(r.start, r.len()).fill(0.0);
            }
        }
    }
}
