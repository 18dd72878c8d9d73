//! Two threads write the two halves of the factors. This module decides which thread evaluates which part,
//! and it handles blocks that lie in the other half.

use std::ops::Range;

use crate::mechanics::{Part, Tangents};
use crate::solve::block_lu::{BlockPlace, BlockValues};
use crate::solve::{BlockLu, Kkt};

/// The workspace of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Worker {
    /// Room for a block of any size.
    pub room: Vec<f64>,
    pub elsewhere: Elsewhere,
}

/// The two halves of the factors and the threads that write them.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The first part of the second thread.
    pub part: usize,
    /// The first row of the second thread.
    pub row: usize,
    /// The half of the factors that the first thread writes.
    pub first: usize,
    /// The values that no block covers and that are outside the half of their thread.
    pub between: Vec<Range<u32>>,
    pub tangents: Tangents,
    pub worker: Worker,
}

/// Blocks outside the half that a thread writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Elsewhere {
    blocks: Vec<(BlockPlace, usize, usize)>,
    data: Vec<f64>,
}

/// The targets of a thread: its half of the factors, and a few blocks elsewhere.
pub(super) struct Sink<'a> {
    pub values: BlockValues<'a>,
    pub elsewhere: &'a mut Elsewhere,
    /// The number of its first row, and the scales of its rows.
    pub scale: (usize, &'a mut [f64]),
}

impl Sink<'_> {
    #[inline(always)]
    pub fn write(&mut self, place: BlockPlace, rows: usize, data: &[f64]) {
        if self.values.have(place) {
            self.values.write(place, rows, data);
        } else {
            self.elsewhere.keep(place, rows, data);
        }
    }

    /// Updates the scales of the rows of this diagonal block.
    #[inline(always)]
    pub fn set_scale<'x>(&mut self, row: u32, diagonal: impl Iterator<Item = &'x f64>) {
        let scale = &mut self.scale.1[row as usize - self.scale.0..];
        for (s, d) in scale.iter_mut().zip(diagonal) {
            *s = Kkt::scale_of(*d);
        }
    }
}

impl Elsewhere {
    #[cold]
    #[inline(never)]
    fn keep(&mut self, place: BlockPlace, rows: usize, data: &[f64]) {
        self.blocks.push((place, rows, data.len()));
        self.data.extend(data);
    }

    /// Writes the blocks that are outside the half.
    pub fn write(&mut self, mut values: BlockValues) {
        let mut first = 0;
        for (place, rows, len) in self.blocks.drain(..) {
            values.write(place, rows, &self.data[first..first + len]);
            first += len;
        }
        self.data.clear();
    }
}

/// The largest number of blocks elsewhere. With more, the halves of the factors do not match those of the
/// bodies.
const MAX_ELSEWHERE: usize = 1000;

/// Divides the parts between two threads. Returns the first part of the second thread and the half of the
/// factors that the first thread writes. `written` has the parts and pivots of all blocks. Returns `None` if
/// the halves of the factors do not match those of the bodies.
pub(super) fn share(
    lu: &BlockLu,
    parts: &[Part],
    written: impl Iterator<Item = (usize, u32)>,
) -> Option<(usize, usize)> {
    if parts.is_empty() {
        return None;
    }
    let mut counts = vec![[0_usize; 3]; parts.len()];
    let mut total = [0; 3];
    for (part, pivot) in written {
        let half = lu.half_of(pivot as usize);
        counts[part][half] += 1;
        total[half] += 1;
    }
    let first = usize::from(counts[0][1] > counts[0][0]);
    // Blocks elsewhere are those of the second half in earlier parts, and those of the first half in later
    // parts.
    let mut elsewhere = total[first] + total[2];
    let mut best: Option<(usize, usize)> = None;
    for part in 1..parts.len() {
        elsewhere = elsewhere + counts[part - 1][1 - first] - counts[part - 1][first];
        let before = &parts[part - 1];
        let is_better = best.is_none_or(|(least, _)| elsewhere < least);
        if before.complete >= before.factors.start && is_better {
            best = Some((elsewhere, part));
        }
    }
    best.filter(|(elsewhere, _)| *elsewhere <= MAX_ELSEWHERE && total[0] > 0 && total[1] > 0)
        .map(|(_, part)| (part, first))
}
