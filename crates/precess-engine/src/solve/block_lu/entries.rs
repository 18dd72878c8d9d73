//! Entries of the matrix: this module finds their places, adds blocks and reads entries.

use super::{BlockLu, BlockPlace, Pivot};
use crate::solve::panel;

impl BlockLu {
    /// Starts a new matrix.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The place of entry (row, col), or [`BlockPlace::NOWHERE`] if the entry is outside the structure.
    pub(crate) fn index_of(&self, row: usize, col: usize) -> BlockPlace {
        let place = self.find(row, col);
        debug_assert!(place.is_some(), "block ({row}, {col}) is outside the structure");
        place.unwrap_or(BlockPlace::NOWHERE)
    }

    pub(super) fn find(&self, row: usize, col: usize) -> Option<BlockPlace> {
        let ((i, r), (j, c)) = (self.map[row], self.map[col]);
        let ((pivot_i, first_i), (pivot_j, first_j)) = (self.place_of[i as usize], self.place_of[j as usize]);
        let Pivot { dim, rest, values, below: below_d, .. } = self.pivots[pivot_i.min(pivot_j) as usize];
        let below = |p: u32, position: u32| {
            let list = &self.neighbours[self.first[p as usize] as usize..self.first[p as usize + 1] as usize];
            list.binary_search_by_key(&position, |x| x.0).ok().map(|x| list[x].1)
        };
        let values = self.upper as u32 + values;
        let beside_d = values + dim * dim;
        if pivot_i == pivot_j {
            let value = values + (first_j + c) * dim + first_i + r;
            Some(BlockPlace::new(value, dim, false))
        } else if pivot_j < pivot_i {
            let value = below_d + (first_j + c) * rest + r;
            below(pivot_j, i).map(|first| BlockPlace::new(value + first, rest, false))
        } else {
            let value = beside_d + (first_i + r) * rest + c;
            below(pivot_i, j).map(|first| BlockPlace::new(value + first, rest, true))
        }
    }

    /// Adds `weight * data` (columns of `rows` entries). The corner is at the scalar unknowns (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, rows: usize, weight: f64, data: &[f64]) {
        self.add_at(self.index_of(row, col), false, rows, weight, data);
    }

    /// Adds `weight * data` at a place, or its transpose.
    #[inline(always)]
    pub(crate) fn add_at(
        &mut self,
        place: BlockPlace,
        transposed: bool,
        rows: usize,
        weight: f64,
        data: &[f64],
    ) {
        if place.stride() > 0 {
            let target = &mut self.values[place.value as usize..];
            if place.is_transposed() == transposed {
                panel::add_columns(weight, rows, data, place.stride(), target);
            } else {
                panel::add_transposed(weight, rows, data, place.stride(), target);
            }
        }
    }

    /// One entry.
    pub fn get(&self, row: usize, col: usize) -> f64 {
        self.find(row, col).map_or(0.0, |p| self.values[p.value as usize])
    }

    /// Calls `f(unknown, entry)` for the diagonal.
    pub fn for_diagonal(&self, mut f: impl FnMut(usize, f64)) {
        for pivot in &self.pivots {
            let (n, at) = (pivot.dim as usize, pivot.at as usize);
            let block = &self.values[self.upper + pivot.values as usize..][..n * n];
            for (k, u) in self.order[at..at + n].iter().enumerate() {
                f(*u as usize, block[k * (n + 1)]);
            }
        }
    }

    /// Calls `f(column, row, entry)` for the stored entries. Rows and columns are in the order of
    /// elimination. Within a pivot, the entries come column by column.
    pub(super) fn for_entries(&self, mut f: impl FnMut(usize, usize, f64)) {
        for pair in self.pivots.windows(2) {
            let (pivot, runs) = (&pair[0], &self.rows[pair[0].rows as usize..pair[1].rows as usize]);
            let (n, r, at) = (pivot.dim as usize, pivot.rest as usize, pivot.at as usize);
            let (d, c) = self.values[self.upper + pivot.values as usize..].split_at(n * n);
            let l = &self.values[pivot.below as usize..];
            for k in 0..n {
                d[k * n..(k + 1) * n].iter().enumerate().for_each(|(i, x)| f(at + k, at + i, *x));
                let (below, beside) = (&l[k * r..], &c[k * r..]);
                for run in runs {
                    for i in 0..run.len as usize {
                        let (from, to) = (run.from as usize + i, run.to as usize + i);
                        f(at + k, to, below[from]);
                        f(to, at + k, beside[from]);
                    }
                }
            }
        }
    }
}
