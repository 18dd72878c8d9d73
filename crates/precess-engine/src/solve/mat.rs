//! A matrix, dense or in sparse blocks, with the operations of a time step. None of them allocates.

use std::sync::Arc;

use nalgebra::{DMatrix, Dim, Matrix, Matrix3, RawStorage};
use precess_lie::{Number, Product, VectorUnit};

use super::panel::add_columns;
use super::pattern::Pattern;
use crate::persist::{Archive, Damage, Persist};

/// Column-major values, of the whole matrix or of the blocks of a [`Pattern`].
#[derive(Clone, Debug, PartialEq)]
pub struct Mat<T = f64> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
    pattern: Option<Arc<Pattern>>,
}

/// A borrowed block of a matrix: its upper left corner, its shape and its column-major values.
pub struct BlockRef<'a, T = f64> {
    /// First row.
    pub row: usize,
    /// First column.
    pub col: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Values.
    pub data: &'a [T],
}

impl<T: Number> Default for Mat<T> {
    /// No rows and no columns.
    fn default() -> Self {
        Mat::zeros(0, 0)
    }
}

impl<T: Number> Mat<T> {
    /// A dense matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Mat { rows, cols, data: vec![T::zero(); rows * cols], pattern: None }
    }

    /// A matrix of sparse blocks, all zeros.
    pub fn sparse(pattern: Arc<Pattern>) -> Self {
        Mat {
            rows: pattern.rows.len(),
            cols: pattern.cols.len(),
            data: vec![T::zero(); pattern.values()],
            pattern: Some(pattern),
        }
    }

    /// The same without room for its values. [`clear`](Self::clear), [`fill`](Self::fill) and copies make
    /// room; until then it is zero. Large models do not pay for derivatives that nobody asks for.
    pub(crate) fn without_room(pattern: Arc<Pattern>) -> Self {
        Mat { rows: pattern.rows.len(), cols: pattern.cols.len(), data: Vec::new(), pattern: Some(pattern) }
    }

    /// True if the matrix has room for its values.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        !self.data.is_empty()
    }

    /// Makes room for the values. New values are zero.
    #[inline(always)]
    fn make_room(&mut self) {
        if let (true, Some(pattern)) = (self.data.is_empty(), &self.pattern) {
            self.data = vec![T::zero(); pattern.values()];
        }
    }

    /// Zeros of the same shape and pattern.
    pub(crate) fn like(&self) -> Self {
        match &self.pattern {
            None => Mat::zeros(self.rows, self.cols),
            Some(pattern) => Mat::sparse(pattern.clone()),
        }
    }

    /// Changes the shape of a dense matrix; the values are meaningless afterwards.
    pub fn resize(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.data.resize(rows * cols, T::zero());
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

    /// The pattern of a sparse matrix.
    pub fn pattern(&self) -> Option<&Arc<Pattern>> {
        self.pattern.as_ref()
    }

    /// All stored values.
    #[inline]
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// Sets the matrix to zero.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.fill(T::zero());
    }

    /// All stored values.
    #[inline]
    pub fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// One column of a dense matrix.
    #[inline]
    pub fn column(&self, j: usize) -> &[T] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// One column of a dense matrix.
    #[inline]
    pub fn column_mut(&mut self, j: usize) -> &mut [T] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Index of an entry in the values; `None` for a zero that is not stored.
    #[inline(always)]
    fn index_of(&self, row: usize, col: usize) -> Option<usize> {
        match &self.pattern {
            None => Some(col * self.rows + row),
            Some(p) => p.index_of(row, col),
        }
    }

    /// One entry.
    #[inline]
    pub fn get(&self, row: usize, col: usize) -> T {
        self.index_of(row, col).and_then(|i| self.data.get(i)).copied().unwrap_or_else(T::zero)
    }

    /// Adds to one stored entry.
    #[inline]
    pub fn add_entry(&mut self, row: usize, col: usize, value: T) {
        let place = self.index_of(row, col);
        debug_assert!(place.is_some(), "entry ({row}, {col}) is outside the declared structure");
        if let Some(i) = place {
            self.data[i] += value;
        }
    }

    /// Adds to n entries of the diagonal. One look-up is enough if they lie in one stored block.
    #[inline(always)]
    pub fn add_diagonal(&mut self, row: usize, n: usize, value: T) {
        let one_block = |p: &Arc<Pattern>| p.rows.block_of(row) == p.rows.block_of(row + n - 1);
        if n == 0 || !self.pattern.as_ref().is_none_or(one_block) {
            return (row..row + n).for_each(|i| self.add_entry(i, i, value));
        }
        let Some((start, stride)) = self.block_place(row, row) else { return };
        self.data[start..].iter_mut().step_by(stride + 1).take(n).for_each(|x| *x += value);
    }

    /// Sets all entries.
    #[inline]
    pub fn fill(&mut self, value: T) {
        self.make_room();
        self.data.fill(value);
    }

    /// Multiplies every row by a number.
    pub(crate) fn scale_rows(&mut self, factors: &[T]) {
        let block = |first: usize, rows: usize, data: &mut [T]| {
            for column in data.chunks_exact_mut(rows.max(1)) {
                column.iter_mut().zip(&factors[first..]).for_each(|(x, factor)| *x *= *factor);
            }
        };
        match &self.pattern {
            None => block(0, self.rows, &mut self.data),
            Some(_) if self.data.is_empty() => {}
            Some(p) => {
                for i in 0..p.rows.blocks() {
                    let r = p.rows.range(i);
                    for slot in p.row(i) {
                        let (at, n) = (slot.offset as usize, p.cols.range(slot.col as usize).len());
                        block(r.start, r.len(), &mut self.data[at..at + r.len() * n]);
                    }
                }
            }
        }
    }

    /// Copies the entries of a matrix of the same shape and pattern.
    #[inline]
    pub fn copy_from(&mut self, other: &Mat<T>) {
        self.make_room();
        if other.has_room() { self.data.copy_from_slice(&other.data) } else { self.clear() }
    }

    /// Index of an entry, and the distance between the columns of its block.
    #[inline(always)]
    fn block_place(&self, row: usize, col: usize) -> Option<(usize, usize)> {
        let place = match &self.pattern {
            None => Some((col * self.rows + row, self.rows)),
            Some(p) => p.block_place(row, col),
        };
        debug_assert!(place.is_some(), "block ({row}, {col}) is outside the declared structure");
        place
    }

    /// Adds `weight * block` with its upper left corner at (row, col). In a sparse matrix it must lie in one
    /// stored block.
    #[inline(always)]
    pub fn add_block<R: Dim, C: Dim, S: RawStorage<T, R, C>>(
        &mut self,
        row: usize,
        col: usize,
        weight: T,
        block: &Matrix<T, R, C, S>,
    ) {
        let (nr, nc) = block.shape();
        let Some((start, stride)) = self.block_place(row, col) else { return };
        for j in 0..nc {
            let at = start + j * stride;
            for (i, x) in self.data[at..at + nr].iter_mut().enumerate() {
                *x += weight * block[(i, j)];
            }
        }
    }

    /// Adds `weight` times a block of six rows and columns, given by its quarters: upper left, upper right,
    /// lower left, lower right.
    #[inline]
    pub fn add_quarters(&mut self, row: usize, col: usize, weight: T, quarters: [&Matrix3<T>; 4]) {
        let Some((start, stride)) = self.block_place(row, col) else { return };
        let [ul, ur, ll, lr] = quarters;
        for (half, upper, lower) in [(0, ul, ll), (3, ur, lr)] {
            for j in 0..3 {
                let at = start + (half + j) * stride;
                let target = &mut self.data[at..at + 6];
                for i in 0..3 {
                    target[i] += weight * upper[(i, j)];
                    target[3 + i] += weight * lower[(i, j)];
                }
            }
        }
    }

    /// Adds columns of n entries, one after the other, with the upper left corner at (row, col).
    #[inline(always)]
    pub fn add_columns(&mut self, row: usize, col: usize, n: usize, columns: &[T]) {
        let Some((start, stride)) = self.block_place(row, col) else { return };
        add_columns(T::one(), n, columns, stride, &mut self.data[start..]);
    }
}

impl<T: Number> Mat<T> {
    /// Calls `f` for every stored block; a dense matrix is one block.
    #[inline(always)]
    pub fn for_blocks(&self, mut f: impl FnMut(BlockRef<T>)) {
        match &self.pattern {
            None => f(BlockRef { row: 0, col: 0, rows: self.rows, cols: self.cols, data: &self.data }),
            Some(_) if self.data.is_empty() => {}
            Some(p) => {
                for i in 0..p.rows.blocks() {
                    let r = p.rows.range(i);
                    for slot in p.row(i) {
                        let c = p.cols.range(slot.col as usize);
                        let at = slot.offset as usize;
                        f(BlockRef {
                            row: r.start,
                            col: c.start,
                            rows: r.len(),
                            cols: c.len(),
                            data: &self.data[at..at + r.len() * c.len()],
                        });
                    }
                }
            }
        }
    }

    /// y += alpha * A x.
    #[inline(always)]
    pub fn gemv(&self, alpha: T, x: &[T], y: &mut [T]) {
        self.for_blocks(
            #[inline(always)]
            |b| {
                let (x, y) = (&x[b.col..b.col + b.cols], &mut y[b.row..b.row + b.rows]);
                // Six rows of a body: the sums stay in registers.
                if let Ok(y) = <&mut [T; 6]>::try_from(&mut *y) {
                    let mut sum = *y;
                    for (x, column) in x.iter().zip(b.data.as_chunks::<6>().0) {
                        let w = alpha * *x;
                        for i in 0..6 {
                            sum[i] += w * column[i];
                        }
                    }
                    *y = sum;
                    return;
                }
                for (x, column) in x.iter().zip(b.data.chunks_exact(b.rows.max(1))) {
                    let w = alpha * *x;
                    for (y, a) in y.iter_mut().zip(column) {
                        *y += w * *a;
                    }
                }
            },
        );
    }

    /// This matrix becomes the transpose of another (with the transposed pattern).
    #[inline(always)]
    pub fn transpose_from(&mut self, other: &Mat<T>) {
        self.make_room();
        other.for_blocks(
            #[inline(always)]
            |b| {
                let Some((at, stride)) = self.block_place(b.col, b.row) else { return };
                for j in 0..b.cols {
                    for i in 0..b.rows {
                        self.data[at + i * stride + j] = b.data[j * b.rows + i];
                    }
                }
            },
        );
    }
}

impl Mat {
    /// y += alpha * A^T x.
    pub fn gemv_transpose(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        self.for_blocks(|b| {
            let x = &x[b.row..b.row + b.rows];
            for (y, column) in y[b.col..b.col + b.cols].iter_mut().zip(b.data.chunks_exact(b.rows.max(1))) {
                *y += alpha * column.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        });
    }

    /// A <- A blockdiag(T) with the compact tangent operator of [`Product::tangent`]. Column blocks of a
    /// sparse matrix are the factors of the group.
    pub fn mul_tangent(&mut self, group: &Product, tangent: &[f64], starts: &[usize]) {
        match &self.pattern {
            None => group.mul_tangent(tangent, self.rows, &mut self.data),
            Some(_) if self.data.is_empty() => {}
            Some(p) => {
                let (factors, data) = (group.factors(), &mut self.data[..]);
                VectorUnit::run_if_any(
                    #[inline(always)]
                    move || {
                        for i in 0..p.rows.blocks() {
                            let rows = p.rows.range(i).len();
                            for slot in p.row(i) {
                                let part = &tangent[starts[slot.col as usize]..];
                                let block = &mut data[slot.offset as usize..];
                                factors[slot.col as usize].mul_tangent(part, rows, block);
                            }
                        }
                    },
                )
            }
        }
    }

    /// The matrix as nalgebra's dynamic one; allocates.
    pub fn to_dmatrix(&self) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(self.rows, self.cols);
        self.for_blocks(|b| {
            for j in 0..b.cols {
                for i in 0..b.rows {
                    m[(b.row + i, b.col + j)] = b.data[j * b.rows + i];
                }
            }
        });
        m
    }
}

impl Persist for Mat {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let found = archive.length(self.data().len())?;
        if archive.reads() && found > 0 {
            self.make_room();
        }
        if found != self.data().len() as u64 {
            return Err(Damage::Length { found, expected: self.data().len() });
        }
        self.data_mut().iter_mut().try_for_each(|x| x.persist(archive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Partition;

    /// A matrix without room is zero, and gets room where it is cleared, filled or copied to.
    #[test]
    fn a_matrix_without_room_is_zero() {
        let blocks = Partition::new([0..2, 2..5]);
        let pattern = Pattern::new(blocks.clone(), blocks, vec![(0, 0), (0, 1), (1, 1)]);
        let (mut full, empty) = (Mat::sparse(pattern.clone()), Mat::<f64>::without_room(pattern.clone()));
        full.fill(2.0);
        let mut y = [1.0; 5];
        empty.gemv(1.0, &[3.0; 5], &mut y);
        assert_eq!((y, empty.get(1, 3), empty.has_room()), ([1.0; 5], 0.0, false));
        for make in [|m: &mut Mat, _: &Mat| m.clear(), |m: &mut Mat, full: &Mat| m.copy_from(full)] {
            let mut mat = Mat::without_room(pattern.clone());
            make(&mut mat, &full);
            let expected = if mat.get(1, 3) == 0.0 { 0.0 } else { 2.0 };
            assert_eq!((mat.has_room(), mat.get(4, 4)), (true, expected));
            mat.copy_from(&empty);
            assert_eq!(mat.get(1, 3), 0.0);
        }
        let mut transposed = Mat::without_room(pattern.transposed());
        transposed.transpose_from(&full);
        assert_eq!((transposed.get(3, 1), transposed.get(1, 3)), (2.0, 0.0));
    }

    /// Entries of the diagonal are the same in a dense matrix, in one block, and over two blocks.
    #[test]
    fn diagonals_may_cross_blocks() {
        let blocks = Partition::new([0..2, 2..5]);
        let pattern = Pattern::new(blocks.clone(), blocks, vec![(0, 0), (1, 1)]);
        for (row, n) in [(0, 2), (2, 3), (3, 2), (1, 3), (0, 5), (4, 0)] {
            for mut mat in [Mat::zeros(5, 5), Mat::sparse(pattern.clone())] {
                mat.add_diagonal(row, n, 3.0);
                for (i, j) in (0..25).map(|k| (k / 5, k % 5)) {
                    let expected = if i == j && (row..row + n).contains(&i) { 3.0 } else { 0.0 };
                    assert_eq!(mat.get(i, j), expected, "({i}, {j}) of {n} from {row}");
                }
            }
        }
    }
}
