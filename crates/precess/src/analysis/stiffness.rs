//! The stiffness of a motion and its rounding error, which decide whether the motion is free.
//!
//! ```text
//! kappa = z^T K z,     |rounding of kappa| <= eps sum_ab |z_a| |K_ab| |z_b|
//! ```
//!
//! a and b are the rotations and the translations of bodies, and single modal coordinates. The bound does not
//! change if a coordinate gets another unit. So a soft motion beside stiff parts is not free, however stiff
//! they are, as long as sixteen digits can tell.

use std::ops::Range;

use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::Mat;
use crate::solve::products::times;
use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::local::Layout;

/// A motion is free if its stiffness is below this factor times the bound of its rounding errors, which
/// contains only the last sum of many.
const FACTOR: f64 = 30.0;

/// A stiffness matrix in all coordinates, and the sizes of its blocks.
#[derive(Clone, Debug)]
pub struct StiffnessBlocks {
    blocks: Vec<Range<usize>>,
    sizes: DMatrix<f64>,
    k: DMatrix<f64>,
}

impl StiffnessBlocks {
    /// The sizes of the blocks of K.
    pub fn new(layout: &Layout, k: &DMatrix<f64>) -> Self {
        let parts = (0..layout.bodies.len()).flat_map(|i| [layout.rotation(i), layout.translation(i)]);
        let mut blocks: Vec<Range<usize>> = parts.filter(|r| !r.is_empty()).collect();
        let single = layout.modal.iter().flat_map(|m| m.columns.clone()).chain(layout.controls.clone());
        blocks.extend(single.map(|j| j..j + 1));
        let mut sizes = DMatrix::zeros(blocks.len(), blocks.len());
        for (j, column) in blocks.iter().enumerate() {
            for (i, row) in blocks.iter().enumerate() {
                let mut sum = 0.0;
                for c in column.clone() {
                    sum += k.as_slice()[c * k.nrows() + row.start..c * k.nrows() + row.end]
                        .iter()
                        .map(|x| x * x)
                        .sum::<f64>();
                }
                sizes[(i, j)] = sum.sqrt();
            }
        }
        StiffnessBlocks { blocks, sizes, k: k.clone() }
    }

    /// y^T K z.
    pub fn between(&self, y: &DVector<f64>, z: &DVector<f64>) -> f64 {
        y.dot(&times(&self.k, z))
    }

    /// A stiffness y^T K z below this is a rounding error.
    pub fn limit(&self, y: &DVector<f64>, z: &DVector<f64>) -> f64 {
        let size = |x: &DVector<f64>| self.parts(&|j| x[j] * x[j]);
        self.sum(&size(y), &size(z))
    }

    /// The same for complex motions.
    pub fn complex_limit(&self, y: &DVector<Complex<f64>>, z: &DVector<Complex<f64>>) -> f64 {
        let size = |x: &DVector<Complex<f64>>| self.parts(&|j| x[j].norm_sqr());
        self.sum(&size(y), &size(z))
    }

    /// The size of every part of a motion, from the squares of its coordinates.
    fn parts(&self, square: &dyn Fn(usize) -> f64) -> Vec<f64> {
        self.blocks.iter().map(|r| r.clone().map(square).sum::<f64>().sqrt()).collect()
    }

    fn sum(&self, y: &[f64], z: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (j, z) in z.iter().enumerate().filter(|(_, z)| **z > 0.0) {
            sum += z * self.sizes.column(j).iter().zip(y).map(|(k, y)| k * y).sum::<f64>();
        }
        FACTOR * f64::EPSILON * sum
    }
}

/// The same limit for one motion and a matrix in blocks, entry by entry.
pub(crate) fn sparse_limit(k: &Mat, z: &DVector<f64>) -> f64 {
    let mut sum = 0.0;
    k.for_blocks(|b| {
        for j in 0..b.cols {
            for i in 0..b.rows {
                sum += (z[b.row + i] * b.data[j * b.rows + i] * z[b.col + j]).abs();
            }
        }
    });
    FACTOR * f64::EPSILON * sum
}

/// True if forces are rounding errors: those of stiff parts at positions of this extent, in m, and of forces
/// of this size, in the measure of steps.
pub(crate) fn is_rounding(rows: &DVector<f64>, rest: &DVector<f64>, (wide, force): (&Layout, f64)) -> bool {
    /// Forces are sums of a few terms.
    const TERMS: f64 = 10.0;
    let units = wide.units();
    (0..rest.len()).all(|i| rest[i].abs() <= TERMS * f64::EPSILON * (rows[i] + force / units[i]))
}

/// The sums of the absolute entries of every row of K, with lengths in units of the extent of the model.
pub(crate) fn row_sums(k: &DMatrix<f64>, units: &DVector<f64>) -> DVector<f64> {
    let mut sums = DVector::zeros(k.nrows());
    for (j, column) in k.column_iter().enumerate() {
        column.iter().enumerate().for_each(|(i, x)| sums[i] += x.abs() * units[j]);
    }
    sums
}

/// The same for a matrix in blocks.
pub(crate) fn sparse_row_sums(k: &Mat, units: &DVector<f64>) -> DVector<f64> {
    let mut sums = DVector::zeros(units.len());
    k.for_blocks(|b| {
        for j in 0..b.cols {
            for i in 0..b.rows {
                sums[b.row + i] += b.data[j * b.rows + i].abs() * units[b.col + j];
            }
        }
    });
    sums
}

/// Units of the coordinates: rad, and the largest coordinate of a body.
pub(crate) fn extent(system: &dyn Mechanism, layout: &Layout, state: &State) -> DVector<f64> {
    let bodies = system.bodies(&state.at());
    let length = bodies.iter().map(|b| b.position.amax()).fold(layout.length, f64::max);
    Layout { length, ..layout.clone() }.units()
}
