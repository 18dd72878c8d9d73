//! The iteration matrix of many bodies, block by block.
//!
//! It has the same contributions in the same order as for any system ([`condensed`](super::condensed)). This
//! module computes and writes every block of the factors once, and clears only the values that no block
//! covers. The general code clears all values, multiplies K, B and Y by T in place and adds them up. Large
//! systems are evaluated and written part by part. Each part fits into the cache, so most derivatives never
//! reach the main memory. If the factors have two halves, each of two threads does this for its own half.

mod halves;

use std::ops::Range;

use precess_lie::{Factor, Product};
use pulp::{Arch, NullaryFnOnce};

use self::halves::{Halves, Sink, Worker};
use super::one_body::{columns, turned};
use crate::mechanics::jacobian::{
    CONTRIBUTIONS, Columns, Contribution, Corners, Of, Rows, StepWeights, Times, Weight,
};
use crate::mechanics::{At, Part, System, Tangents, Want};
use crate::solve::BlockLu;
use crate::solve::block_lu::BlockPlace;
use crate::threads::both;

/// The places of the blocks of J. They are found once for a structure.
#[derive(Clone, Debug)]
pub(super) struct BlockLayout {
    targets: Vec<BlockTarget>,
    blocks: Vec<TargetBlock>,
    /// The values that no block covers.
    rest: Vec<Range<u32>>,
    /// The start of each part of the system, and the end.
    parts: Vec<PartStart>,
    worker: Worker,
    halves: Option<Box<Halves>>,
}

/// The first block of a part, and its first range of values that no block covers.
#[derive(Clone, Copy, Debug, Default)]
struct PartStart {
    blocks: u32,
    rest: u32,
}

/// The content of these rows and columns of J: `plain + weight turned T`.
#[derive(Clone, Copy, Debug)]
struct BlockTarget {
    rows: Rows,
    columns: Columns,
    plain: Option<Of>,
    turned: Option<Of>,
    weight: Weight,
}

/// A block of a target: its places in the matrices ([`NONE`] if a matrix lacks it) and its place in J.
#[derive(Clone, Copy, Debug)]
struct TargetBlock {
    target: u32,
    plain: u32,
    turned: u32,
    rows: u32,
    factor: u32,
    /// The first row of a block on the diagonal, and [`NONE`] for other blocks.
    row: u32,
    place: BlockPlace,
}

const NONE: u32 = u32::MAX;

/// The tangent operators of a step.
pub(super) struct StepTangents<'a> {
    /// The group.
    pub group: &'a Product,
    /// The first number of each factor in the tangent operators.
    pub starts: &'a [usize],
    /// The compact tangent operators T.
    pub tangent: &'a [f64],
}

/// A block with its part and its pivot. Blocks are sorted by these two.
type Ordered = ((usize, u32), TargetBlock);

impl BlockLayout {
    /// True if this module writes the contribution. It does not write friction, which comes and goes, and
    /// products with N.
    pub fn has(c: &Contribution) -> bool {
        c.of != Of::G && c.times != Times::N
    }

    /// Returns `None` if the derivatives are not in sparse blocks. If `parts` is empty, the whole system is
    /// one part.
    pub fn new(lu: &BlockLu, corners: &Corners, t: &Tangents, parts: &[Part]) -> Option<Self> {
        let targets = targets(corners, t);
        let k = t.k.pattern()?;
        let (mut blocks, mut covered, mut largest) = (Vec::new(), Vec::new(), 0);
        for (i, target) in targets.iter().enumerate() {
            target.find(i as u32, lu, corners, t, parts, |block, cols| {
                covered.push((block.1.place, block.1.rows as usize, cols));
                largest = largest.max(block.1.rows as usize * cols);
                blocks.push(block);
            });
        }
        blocks.sort_by_key(|x: &Ordered| x.0);
        let mut rest = lu.outside(&covered, &marks(lu, &blocks, &targets));
        rest.sort_by_key(|x| x.0);
        let worker = Worker { room: vec![0.0; largest], ..Worker::default() };
        let halves = match corners.eta {
            None => halves::share(lu, parts, blocks.iter().map(|x| x.0)),
            Some(_) => None,
        };
        let is_elsewhere = |&(mark, _): &(u32, Range<u32>)| {
            let (part, half) = (mark as usize / 3, mark as usize % 3);
            halves.is_some_and(|(from, first)| half != if part < from { first } else { 1 - first })
        };
        let between = rest.iter().filter(|x| is_elsewhere(x)).map(|x| x.1.clone()).collect();
        rest.retain(|x| !is_elsewhere(x));
        let begin = |part: usize| PartStart {
            blocks: blocks.partition_point(|x| x.0.0 < part) as u32,
            rest: rest.partition_point(|x| (x.0 as usize) < 3 * part) as u32,
        };
        Some(BlockLayout {
            parts: (0..=parts.len().max(1)).map(begin).collect(),
            halves: halves.map(|(part, first)| {
                let row = k.rows.range(parts[part - 1].complete).start;
                Box::new(Halves { part, row, first, between, tangents: t.like(), worker: worker.clone() })
            }),
            targets,
            blocks: blocks.into_iter().map(|x| x.1).collect(),
            rest: rest.into_iter().map(|x| x.1).collect(),
            worker,
        })
    }

    /// Overwrites the matrix and the scales of its rows with the derivatives of a system. The caller adds the
    /// contributions that are [not written here](Self::has).
    pub fn assemble(
        &mut self,
        (system, at, want): (&dyn System, &At, Want),
        t: &mut Tangents,
        (lu, scale): (&mut BlockLu, &mut [f64]),
        w: (&StepWeights, &StepTangents),
    ) {
        let n_parts = self.parts.len() - 1;
        let (mut worker, mut halves) = (std::mem::take(&mut self.worker), self.halves.take());
        let Worker { room, elsewhere } = &mut worker;
        // Products with N need all of S and B.
        if n_parts == 1 || want.curvature {
            t.evaluate(system, at, want);
            let mut sink = Sink { values: lu.values_mut(), elsewhere, scale: (0, scale) };
            (0..n_parts).for_each(|part| self.write(part, &mut sink, room, t, w));
        } else if let Some(halves) = &mut halves {
            let Halves { part, row, first, between, tangents, worker: other } = &mut **halves;
            lu.values_mut().clear(between);
            let mut values = lu.halves_mut();
            if *first == 1 {
                values.reverse();
            }
            let ([values, their_values], scales) = (values, scale.split_at_mut(*row));
            let mut sink = Sink { values, elsewhere, scale: (0, scales.0) };
            let mut their_sink =
                Sink { values: their_values, elsewhere: &mut other.elsewhere, scale: (*row, scales.1) };
            let (layout, their_room) = (&*self, &mut other.room);
            let own = |i: usize, t: &Tangents| layout.write(i, &mut sink, room, t, w);
            let theirs = |i: usize, t: &Tangents| layout.write(i, &mut their_sink, their_room, t, w);
            both(
                || t.evaluate_in_parts(system, at, want, 0..*part, own),
                || tangents.evaluate_in_parts(system, at, want, *part..n_parts, theirs),
            );
            t.add_friction_of(tangents);
            elsewhere.write(lu.values_mut());
            other.elsewhere.write(lu.values_mut());
        } else {
            let mut sink = Sink { values: lu.values_mut(), elsewhere, scale: (0, scale) };
            let write = |part: usize, t: &Tangents| self.write(part, &mut sink, room, t, w);
            t.evaluate_in_parts(system, at, want, 0..n_parts, write);
        }
        (self.worker, self.halves) = (worker, halves);
    }

    /// Writes one part of the matrix with the available vector unit.
    #[inline(never)]
    fn write(
        &self,
        part: usize,
        sink: &mut Sink,
        room: &mut [f64],
        t: &Tangents,
        w: (&StepWeights, &StepTangents),
    ) {
        Arch::new().dispatch(Writing { layout: self, part, sink, room, t, w });
    }

    #[inline(always)]
    fn write_part(
        &self,
        part: usize,
        sink: &mut Sink,
        room: &mut [f64],
        t: &Tangents,
        w: (&StepWeights, &StepTangents),
    ) {
        let (from, to) = (self.parts[part], self.parts[part + 1]);
        sink.values.clear(&self.rest[from.rest as usize..to.rest as usize]);
        for block in &self.blocks[from.blocks as usize..to.blocks as usize] {
            let target = &self.targets[block.target as usize];
            match (block.rows, w.1.group.factors()[block.factor as usize].dim()) {
                (6, 6) => target.write::<6>(block, sink, t, w),
                (3, 6) => target.write::<3>(block, sink, t, w),
                (4, 6) => target.write::<4>(block, sink, t, w),
                (5, 6) => target.write::<5>(block, sink, t, w),
                _ => target.write_any(block, sink, room, t, w),
            }
        }
    }
}

/// [`BlockLayout::write`], compiled for the available vector unit.
struct Writing<'a, 'b> {
    layout: &'a BlockLayout,
    part: usize,
    sink: &'a mut Sink<'b>,
    room: &'a mut [f64],
    t: &'a Tangents,
    w: (&'a StepWeights, &'a StepTangents<'a>),
}

impl NullaryFnOnce for Writing<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Writing { layout, part, sink, room, t, w } = self;
        layout.write_part(part, sink, room, t, w);
    }
}

/// The blocks of J that this module writes.
fn targets(corners: &Corners, t: &Tangents) -> Vec<BlockTarget> {
    let mut list: Vec<BlockTarget> = Vec::new();
    let is_there = |c: &Contribution| corners.row(c.rows).is_some() && t.of_term(c.of).pattern().is_some();
    for c in CONTRIBUTIONS.into_iter().filter(|c| is_there(c) && BlockLayout::has(c)) {
        let Contribution { rows, columns, weight, of, times } = c;
        let known = list.iter().position(|x| x.rows == rows && x.columns == columns);
        let i = known.unwrap_or_else(|| {
            list.push(BlockTarget { rows, columns, plain: None, turned: None, weight: Weight::One });
            list.len() - 1
        });
        match times {
            Times::T => (list[i].turned, list[i].weight) = (Some(of), weight),
            _ => list[i].plain = Some(of),
        }
    }
    list
}

/// Marks each pivot with the part that clears its uncovered values. This is the last part that writes the
/// pivot, or else the part of the previous pivot. A mark combines the part and the half of the factors.
fn marks(lu: &BlockLu, blocks: &[Ordered], targets: &[BlockTarget]) -> Vec<u32> {
    let mut marks = vec![NONE; lu.n_pivots()];
    for ((part, pivot), block) in blocks {
        if targets[block.target as usize].is_motion() {
            let mark = &mut marks[*pivot as usize];
            *mark = if *mark == NONE { *part as u32 } else { (*mark).max(*part as u32) };
        }
    }
    let mut last = 0;
    for (p, mark) in marks.iter_mut().enumerate() {
        last = if *mark == NONE { last } else { *mark };
        *mark = 3 * last + lu.half_of(p) as u32;
    }
    marks
}

impl BlockTarget {
    /// True for S + h^2 K T.
    fn is_motion(&self) -> bool {
        self.rows == Rows::Motion && self.columns == Columns::Theta
    }

    /// Calls `f` with each block and its number of columns.
    fn find(
        &self,
        target: u32,
        lu: &BlockLu,
        corners: &Corners,
        t: &Tangents,
        parts: &[Part],
        mut f: impl FnMut(Ordered, usize),
    ) {
        let (Some(of), Some(first_row), Some(first_col)) =
            (self.turned.or(self.plain), corners.row(self.rows), corners.column(self.columns))
        else {
            return;
        };
        let Some(pattern) = t.of_term(of).pattern() else { return };
        let offset = |of: Option<Of>, i: usize, j: usize| {
            of.and_then(|of| t.of_term(of).pattern()?.find(i, j)).map_or(NONE, |at| at as u32)
        };
        for i in 0..pattern.rows.blocks() {
            let rows = pattern.rows.range(i);
            let part = match self.is_motion() {
                true => parts.partition_point(|p| p.complete <= i),
                false => parts.partition_point(|p| p.constraints.end <= i),
            };
            for slot in pattern.row(i) {
                let j = slot.col as usize;
                let cols = pattern.cols.range(j);
                // Blocks of B^T are written as blocks of B at the transposed place.
                let (row, col) = match of {
                    Of::Bt => (first_row + cols.start, first_col + rows.start),
                    _ => (first_row + rows.start, first_col + cols.start),
                };
                let place = lu.place(row, col);
                let block = TargetBlock {
                    target,
                    plain: offset(self.plain, i, j),
                    turned: offset(self.turned, i, j),
                    rows: rows.len() as u32,
                    factor: slot.col,
                    row: if self.is_motion() && i == j { rows.start as u32 } else { NONE },
                    place: if of == Of::Bt { place.transposed() } else { place },
                };
                f(((part, lu.pivot_of(row, col)), block), cols.len());
            }
        }
    }

    /// The values of a block in one of its matrices.
    #[inline(always)]
    fn values(t: &Tangents, of: Option<Of>, at: u32) -> Option<&[f64]> {
        let a = t.of_term(of.filter(|_| at != NONE)?);
        Some(&a.data()[at as usize - a.first_value()..])
    }

    /// Writes a block of R rows and six columns.
    #[inline(always)]
    fn write<const R: usize>(
        &self,
        block: &TargetBlock,
        sink: &mut Sink,
        t: &Tangents,
        w: (&StepWeights, &StepTangents),
    ) {
        let plain = BlockTarget::values(t, self.plain, block.plain).map(columns::<R, 6>);
        let Some(a) = BlockTarget::values(t, self.turned, block.turned) else {
            let Some(plain) = plain else { return };
            return sink.write(block.place, R, plain.as_flattened());
        };
        let ((factor, tangent), weight) = (w.1.of(block.factor), w.0.of(self.weight));
        let mut x = turned(factor, tangent, columns::<R, 6>(a));
        match plain {
            Some(plain) => {
                // These are loops, not `for_each`: a closure that is not inlined is not compiled for the
                // vector unit.
                for j in 0..6 {
                    for i in 0..R {
                        x[j][i] = plain[j][i] + weight * x[j][i];
                    }
                }
            }
            None if self.weight == Weight::One => {}
            None => {
                for x in x.as_flattened_mut() {
                    *x *= weight;
                }
            }
        }
        sink.write(block.place, R, x.as_flattened());
        if block.row != NONE {
            sink.set_scale(block.row, x.as_flattened().iter().step_by(7));
        }
    }

    /// Writes a block of any size.
    fn write_any(
        &self,
        block: &TargetBlock,
        sink: &mut Sink,
        room: &mut [f64],
        t: &Tangents,
        w: (&StepWeights, &StepTangents),
    ) {
        let ((factor, tangent), weight) = (w.1.of(block.factor), w.0.of(self.weight));
        let (rows, cols) = (block.rows as usize, factor.dim());
        let x = &mut room[..rows * cols];
        let plain = BlockTarget::values(t, self.plain, block.plain);
        match (BlockTarget::values(t, self.turned, block.turned), plain) {
            (None, None) => return,
            (None, Some(plain)) => x.copy_from_slice(&plain[..x.len()]),
            (Some(a), plain) => {
                x.copy_from_slice(&a[..x.len()]);
                factor.mul_tangent(tangent, rows, x);
                match plain {
                    Some(plain) => x.iter_mut().zip(plain).for_each(|(x, s)| *x = s + weight * *x),
                    None => x.iter_mut().for_each(|x| *x *= weight),
                }
            }
        }
        sink.write(block.place, rows, x);
        if block.row != NONE {
            sink.set_scale(block.row, x.iter().step_by(cols + 1));
        }
    }
}

impl StepTangents<'_> {
    /// A factor and its tangent operator.
    #[inline(always)]
    fn of(&self, factor: u32) -> (Factor, &[f64]) {
        (self.group.factors()[factor as usize], &self.tangent[self.starts[factor as usize]..])
    }
}
