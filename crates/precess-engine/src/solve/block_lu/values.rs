//! Write access to the values of a [`BlockLu`] for the assembly: all values, or those of one half.

use std::ops::Range;

use super::{BlockLu, BlockPlace};
use crate::solve::panel;

/// Lower and upper values, each with the number of its first value.
pub(crate) struct BlockValues<'a> {
    lower: &'a mut [f64],
    upper: &'a mut [f64],
    first_lower: usize,
    first_upper: usize,
}

impl BlockValues<'_> {
    /// True if these values contain the block.
    #[inline(always)]
    pub fn have(&self, place: BlockPlace) -> bool {
        let value = place.value as usize;
        if value >= self.first_upper {
            value - self.first_upper < self.upper.len()
        } else {
            value >= self.first_lower && value - self.first_lower < self.lower.len()
        }
    }

    #[inline(always)]
    fn from(&mut self, value: u32) -> &mut [f64] {
        let value = value as usize;
        if value >= self.first_upper {
            &mut self.upper[value - self.first_upper..]
        } else {
            &mut self.lower[value - self.first_lower..]
        }
    }

    /// Overwrites the block at a place with columns of `rows` entries.
    #[inline(always)]
    pub fn write(&mut self, place: BlockPlace, rows: usize, data: &[f64]) {
        let stride = place.stride();
        match stride {
            0 => {}
            _ if place.is_transposed() => panel::write_transposed(rows, data, stride, self.from(place.value)),
            _ => panel::write_columns(rows, data, stride, self.from(place.value)),
        }
    }

    /// Sets some of the values to zero.
    pub fn clear(&mut self, ranges: &[Range<u32>]) {
        for range in ranges {
            self.from(range.start)[..range.len()].fill(0.0);
        }
    }
}

impl BlockLu {
    /// All values.
    pub(crate) fn values_mut(&mut self) -> BlockValues<'_> {
        let (lower, upper) = self.values.split_at_mut(self.upper);
        BlockValues { lower, upper, first_lower: 0, first_upper: self.upper }
    }

    /// The values of each half. Without halves, the first are all values and the second are empty.
    pub(crate) fn halves_mut(&mut self) -> [BlockValues<'_>; 2] {
        let end = self.pivots.len() - 1;
        let (second, top) = self.halves.as_ref().map_or((end, end), |halves| (halves.second, halves.top));
        let (second, top) = (&self.pivots[second], &self.pivots[top]);
        let (lower, upper) = self.values.split_at_mut(self.upper);
        let lower = lower[..top.below as usize].split_at_mut(second.below as usize);
        let upper = upper[..top.values as usize].split_at_mut(second.values as usize);
        let (below, values) = (second.below as usize, self.upper + second.values as usize);
        [
            BlockValues { lower: lower.0, upper: upper.0, first_lower: 0, first_upper: self.upper },
            BlockValues { lower: lower.1, upper: upper.1, first_lower: below, first_upper: values },
        ]
    }

    /// The half that contains a pivot: 0 or 1. It is 2 if the pivot is between the halves or there are none.
    pub(crate) fn half_of(&self, pivot: usize) -> usize {
        let Some(halves) = &self.halves else { return 2 };
        usize::from(pivot >= halves.second) + usize::from(pivot >= halves.top)
    }
}
