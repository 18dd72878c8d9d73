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
