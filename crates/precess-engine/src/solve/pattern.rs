//! Positions of the blocks of a sparse matrix.

use std::ops::Range;
use std::sync::Arc;

/// A division of the rows (or columns) of a matrix into consecutive blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    starts: Vec<usize>,
    block_of: Vec<u32>,
}

impl Partition {
    /// A partition from the ranges of consecutive blocks.
    pub fn new(ranges: impl IntoIterator<Item = Range<usize>>) -> Arc<Self> {
        let mut p = Partition { starts: vec![0], block_of: Vec::new() };
        for (i, r) in ranges.into_iter().enumerate() {
            debug_assert_eq!(r.start, p.block_of.len());
            p.block_of.resize(r.end, i as u32);
            p.starts.push(r.end);
        }
        Arc::new(p)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.block_of.len()
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.block_of.is_empty()
    }

    /// Rows of a block.
    #[inline]
    pub fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Block of a row.
    #[inline]
    pub fn block_of(&self, row: usize) -> usize {
        self.block_of[row] as usize
    }
}

/// One stored block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Block column.
    pub col: u32,
    /// Index of the first entry in the values; blocks are column-major.
    pub offset: u32,
}

/// The stored blocks of a matrix, by block row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Row blocks.
    pub rows: Arc<Partition>,
    /// Column blocks.
    pub cols: Arc<Partition>,
    slots: Vec<Slot>,
    /// First slot of each block row, and the end.
    starts: Vec<u32>,
    values: usize,
}

impl Pattern {
    /// A pattern with these (block row, block column) pairs; repetitions are allowed.
    pub fn new(rows: Arc<Partition>, cols: Arc<Partition>, mut pairs: Vec<(usize, usize)>) -> Arc<Self> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut pattern =
            Pattern { rows, cols, slots: Vec::with_capacity(pairs.len()), starts: vec![0], values: 0 };
        for (i, j) in pairs {
            pattern.starts.resize(i + 1, pattern.slots.len() as u32);
            pattern.slots.push(Slot { col: j as u32, offset: pattern.values as u32 });
            pattern.values += pattern.rows.range(i).len() * pattern.cols.range(j).len();
        }
        pattern.starts.resize(pattern.rows.blocks() + 1, pattern.slots.len() as u32);
        Arc::new(pattern)
    }

    /// The pattern of the transposed matrix.
    pub fn transposed(&self) -> Arc<Self> {
        let pairs: Vec<(usize, usize)> = self.pairs().map(|(i, j)| (j, i)).collect();
        Pattern::new(self.cols.clone(), self.rows.clone(), pairs)
    }

    /// All (block row, block column) pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows.blocks()).flat_map(|i| self.row(i).iter().map(move |s| (i, s.col as usize)))
    }

    /// Number of stored values.
    pub fn values(&self) -> usize {
        self.values
    }

    /// Blocks of a block row.
    #[inline]
    pub fn row(&self, i: usize) -> &[Slot] {
        &self.slots[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// First value of a block row, or the end.
    pub fn start(&self, row: usize) -> usize {
        self.slots.get(self.starts[row] as usize).map_or(self.values, |s| s.offset as usize)
    }

    /// Index of an entry in the values, if its block is stored.
    #[inline]
    pub fn index_of(&self, row: usize, col: usize) -> Option<usize> {
        self.block_place(row, col).map(|(place, _)| place)
    }

    /// Index of an entry in the values and the number of rows of its block, if that is stored.
    #[inline(always)]
    pub fn block_place(&self, row: usize, col: usize) -> Option<(usize, usize)> {
        let (i, j) = (self.rows.block_of(row), self.cols.block_of(col));
        let (r, first_col) = (self.rows.range(i), self.cols.starts[j]);
        self.find(i, j).map(|at| (at + (col - first_col) * r.len() + row - r.start, r.len()))
    }

    /// First value of a block, if it is stored.
    #[inline]
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        self.row(i).iter().find(|s| s.col as usize == j).map(|s| s.offset as usize)
    }
}
