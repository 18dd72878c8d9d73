//! A dense column-major matrix with the few operations a time step needs, none of which allocates.

use nalgebra::{Dim, Matrix, RawStorage};

/// Dense column-major matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mat {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Mat {
    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Mat { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[inline]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Column-major entries.
    #[inline]
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// Column-major entries.
    #[inline]
    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// One column.
    #[inline]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// One column.
    #[inline]
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// One entry.
    #[inline]
    pub fn at(&mut self, row: usize, col: usize) -> &mut f64 {
        &mut self.data[col * self.rows + row]
    }

    /// One entry.
    #[inline]
    pub fn get(&self, row: usize, col: usize) -> f64 {
        self.data[col * self.rows + row]
    }

    /// Sets all entries.
    #[inline]
    pub fn fill(&mut self, value: f64) {
        self.data.fill(value);
    }

    /// Copies the entries of a matrix of the same shape.
    #[inline]
    pub fn copy_from(&mut self, other: &Mat) {
        self.data.copy_from_slice(&other.data);
    }

    /// Adds `weight * block` with its upper left corner at (row, col).
    #[inline]
    pub fn add_block<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        weight: f64,
        block: &Matrix<f64, R, C, S>,
    ) {
        let (nr, nc) = block.shape();
        for j in 0..nc {
            let start = (col + j) * self.rows + row;
            let column = &mut self.data[start..start + nr];
            for (i, x) in column.iter_mut().enumerate() {
                *x += weight * block[(i, j)];
            }
        }
    }

    /// y += alpha * A x.
    #[inline]
    pub fn gemv(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        for (j, x) in x.iter().enumerate() {
            let w = alpha * x;
            for (y, a) in y.iter_mut().zip(self.column(j)) {
                *y += w * a;
            }
        }
    }

    /// The matrix as nalgebra's dynamic one; allocates.
    pub fn to_dmatrix(&self) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_column_slice(self.rows, self.cols, &self.data)
    }
}
