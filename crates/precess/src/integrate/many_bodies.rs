//! The iteration matrix of many bodies, block by block.
//!
//! The same sums in the same order as in [`condensed`](super::condensed). Every block of the factors is computed and written
//! once, and what no block covers is cleared, instead of clearing all, multiplying K, B and Y by T in place and adding them up. Large
//! systems are evaluated and written part by part, each in the cache, so that most of their derivatives never are in memory. Where the
//! factors have two halves, two threads do that, each for its own half.

mod halves;

use std::ops::Range;

use precess_lie::{Factor, Product};

use self::halves::{Halves, Sink, Worker};
use super::form::Form;
use super::one_body::{columns, turned};
use crate::mechanics::{At, Part, System, Tangents, Want};
use crate::solve::BlockLu;
use crate::solve::block_lu::Place;
use crate::threads::both;

/// Where the blocks of S + h^2 K T, B T, B + Y T / dv and B^T go; found once for a structure.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    dynamics: Vec<Dynamics>,
    constraints: Vec<Constraint>,
    /// Values that no block covers.
    rest: Vec<Range<u32>>,
    /// Where each part of the system begins, and the end.
    parts: Vec<Begin>,
    worker: Worker,
    halves: Option<Box<Halves>>,
}

/// The first of a part among the blocks and the values that no block covers.
#[derive(Clone, Copy, Debug, Default)]
struct Begin {
    dynamics: u32,
    constraints: u32,
    rest: u32,
}

/// A block of K, of S where it has one ([`NONE`] elsewhere), and its place.
#[derive(Clone, Copy, Debug)]
struct Dynamics {
    k: u32,
    s: u32,
    rows: u32,
    factor: u32,
    /// First row, on the diagonal; [`NONE`] elsewhere.
    row: u32,
    place: Place,
}

const NONE: u32 = u32::MAX;

/// A block of B, the places of B T and B^T, and that of the velocity level in the stabilized form ([`NOWHERE`](Place::NOWHERE) in
/// the other).
#[derive(Clone, Copy, Debug)]
struct Constraint {
    b: u32,
    rows: u32,
    factor: u32,
    place: Place,
    transposed: Place,
    hidden: Place,
}

/// What a step adds to the derivatives of the system.
pub(super) struct Weights<'a> {
    /// The group.
    pub group: &'a Product,
    /// First number of each factor in the tangent operators.
    pub starts: &'a [usize],
    /// h^2.
    pub h2: f64,
    /// dv/dtheta.
    pub dv: f64,
    /// The compact tangent operators T.
    pub tangent: &'a [f64],
}

impl Layout {
    /// For the forms index-3 and stabilized index-2; `None` if the derivatives are not in sparse blocks. Without `parts` there is one.
    pub fn new(lu: &BlockLu, group: &Product, t: &Tangents, form: Form, parts: &[Part]) -> Option<Self> {
        let (s, k, b) = (t.s.pattern()?, t.k.pattern()?, t.b.pattern()?);
        let (lambda, eta) = (group.dim(), group.dim() + t.b.rows());
        let mut covered = Vec::with_capacity(k.n_blocks() + 3 * b.n_blocks());
        let mut largest = 0;
        let mut place = |row: usize, col: usize, rows: usize, cols: usize| {
            let place = lu.place(row, col);
            covered.push((place, rows, cols));
            largest = largest.max(rows * cols);
            place
        };
        // Blocks with their part and their pivot, in the order in which they are written.
        let n_parts = parts.len().max(1);
        let mut dynamics = Vec::with_capacity(k.n_blocks());
        for i in 0..k.rows.blocks() {
            let rows = k.rows.range(i);
            let part = parts.partition_point(|p| p.complete <= i);
            for slot in k.row(i) {
                let j = slot.col as usize;
                let cols = k.cols.range(j);
                let block = Dynamics {
                    k: slot.offset,
                    s: s.find(i, j).map_or(NONE, |at| at as u32),
                    rows: rows.len() as u32,
                    factor: slot.col,
                    row: if i == j { rows.start as u32 } else { NONE },
                    place: place(rows.start, cols.start, rows.len(), cols.len()),
                };
                dynamics.push(((part, lu.pivot_of(rows.start, cols.start)), block));
            }
        }
        let mut constraints = Vec::with_capacity(b.n_blocks());
        for i in 0..b.rows.blocks() {
            let rows = b.rows.range(i);
            let part = parts.partition_point(|p| p.constraints.end <= i);
            for slot in b.row(i) {
                let cols = b.cols.range(slot.col as usize);
                let (n, first) = (rows.len(), rows.start);
                let block = Constraint {
                    b: slot.offset,
                    rows: n as u32,
                    factor: slot.col,
                    place: place(lambda + first, cols.start, n, cols.len()),
                    transposed: place(cols.start, lambda + first, cols.len(), n),
                    hidden: match form {
                        Form::StabilizedIndex2 => place(eta + first, cols.start, n, cols.len()),
                        _ => Place::NOWHERE,
                    },
                };
                constraints.push(((part, lu.pivot_of(lambda + first, cols.start)), block));
            }
        }
        dynamics.sort_by_key(|x| x.0);
        constraints.sort_by_key(|x| x.0);
        // What no block covers is cleared with the last part that writes its pivot, or the pivot before.
        let mut marks = vec![NONE; lu.n_pivots()];
        for &((part, pivot), _) in &dynamics {
            let mark = &mut marks[pivot as usize];
            *mark = if *mark == NONE { part as u32 } else { (*mark).max(part as u32) };
        }
        let mut last = 0;
        for mark in &mut marks {
            last = if *mark == NONE { last } else { *mark };
            *mark = last;
        }
        // A part and a half of the factors are one mark.
        marks.iter_mut().enumerate().for_each(|(p, mark)| *mark = 3 * *mark + lu.half_of(p) as u32);
        let mut rest = lu.outside(&covered, &marks);
        rest.sort_by_key(|x| x.0);
        let worker = Worker { room: vec![0.0; largest], ..Worker::default() };
        let written = dynamics.iter().map(|x| x.0).chain(constraints.iter().map(|x| x.0));
        let halves = match form {
            Form::Index3 => halves::share(lu, parts, written),
            _ => None,
        };
        let is_elsewhere = |&(mark, _): &(u32, Range<u32>)| {
            let (part, half) = (mark as usize / 3, mark as usize % 3);
            halves.is_some_and(|(from, first)| half != if part < from { first } else { 1 - first })
        };
        let between = rest.iter().filter(|x| is_elsewhere(x)).map(|x| x.1.clone()).collect();
        rest.retain(|x| !is_elsewhere(x));
        let begin = |part: usize| Begin {
            dynamics: dynamics.partition_point(|x| x.0.0 < part) as u32,
            constraints: constraints.partition_point(|x| x.0.0 < part) as u32,
            rest: rest.partition_point(|x| (x.0 as usize) < 3 * part) as u32,
        };
        Some(Layout {
            parts: (0..=n_parts).map(begin).collect(),
            halves: halves.map(|(part, first)| {
                let row = k.rows.range(parts[part - 1].complete).start;
                Box::new(Halves { part, row, first, between, tangents: t.like(), worker: worker.clone() })
            }),
            dynamics: dynamics.into_iter().map(|x| x.1).collect(),
            constraints: constraints.into_iter().map(|x| x.1).collect(),
            rest: rest.into_iter().map(|x| x.1).collect(),
            worker,
        })
    }

    /// Overwrites the matrix and the scales of its rows with the derivatives of a system. Products with N, friction and
    /// regularisations are added by the caller.
    pub fn assemble(
        &mut self,
        (system, at, want): (&dyn System, &At, Want),
        t: &mut Tangents,
        (lu, scale): (&mut BlockLu, &mut [f64]),
        w: &Weights,
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

    /// One part of the matrix.
    fn write(&self, part: usize, sink: &mut Sink, room: &mut [f64], t: &Tangents, w: &Weights) {
        let (from, to) = (self.parts[part], self.parts[part + 1]);
        sink.values.clear(&self.rest[from.rest as usize..to.rest as usize]);
        self.dynamics(from.dynamics as usize..to.dynamics as usize, sink, room, t, w);
        self.constraints(from.constraints as usize..to.constraints as usize, sink, room, t, w);
    }

    /// S + h^2 K T.
    #[inline]
    fn dynamics(&self, range: Range<usize>, sink: &mut Sink, room: &mut [f64], t: &Tangents, w: &Weights) {
        let (s, k) = (t.s.data(), t.k.data());
        let (first_s, first_k) = (t.s.first_value(), t.k.first_value());
        for block in &self.dynamics[range] {
            let k = &k[block.k as usize - first_k..];
            let s = (block.s != NONE).then(|| &s[block.s as usize - first_s..]);
            let (factor, tangent) = w.of(block.factor);
            match (block.rows, factor.dim()) {
                (6, 6) => {
                    let mut x = turned(factor, tangent, columns::<6, 6>(k));
                    match s.map(columns::<6, 6>) {
                        Some(s) => {
                            for j in 0..6 {
                                (0..6).for_each(|i| x[j][i] = s[j][i] + w.h2 * x[j][i]);
                            }
                        }
                        None => x.as_flattened_mut().iter_mut().for_each(|x| *x *= w.h2),
                    }
                    sink.write(block.place, 6, x.as_flattened());
                    if block.row != NONE {
                        sink.set_scale(block.row, x.as_flattened().iter().step_by(7));
                    }
                }
                (rows, cols) => {
                    let x = &mut room[..rows as usize * cols];
                    turn_any(factor, tangent, rows as usize, k, x);
                    match s {
                        Some(s) => x.iter_mut().zip(s).for_each(|(x, s)| *x = s + w.h2 * *x),
                        None => x.iter_mut().for_each(|x| *x *= w.h2),
                    }
                    sink.write(block.place, rows as usize, x);
                    if block.row != NONE {
                        sink.set_scale(block.row, x.iter().step_by(cols + 1));
                    }
                }
            }
        }
    }

    /// B T and B^T, and B + Y T / dv in the stabilized form.
    #[inline]
    fn constraints(&self, range: Range<usize>, sink: &mut Sink, room: &mut [f64], t: &Tangents, w: &Weights) {
        let (b, y, first_b) = (t.b.data(), t.y.data(), t.b.first_value());
        for block in &self.constraints[range] {
            let n = block.rows as usize;
            let (factor, tangent) = w.of(block.factor);
            let first = block.b as usize - first_b;
            let at = first..first + n * factor.dim();
            let b = &b[at.clone()];
            sink.write(block.transposed.transposed(), n, b);
            let y = (block.hidden != Place::NOWHERE).then(|| &y[at]);
            match (n, factor.dim()) {
                (3, 6) => block.write::<3>(sink, b, y, w),
                (5, 6) => block.write::<5>(sink, b, y, w),
                _ => {
                    let x = &mut room[..b.len()];
                    turn_any(factor, tangent, n, b, x);
                    sink.write(block.place, n, x);
                    if let Some(y) = y {
                        turn_any(factor, tangent, n, y, x);
                        let per_dv = 1.0 / w.dv;
                        x.iter_mut().zip(b).for_each(|(x, b)| *x = b + per_dv * *x);
                        sink.write(block.hidden, n, x);
                    }
                }
            }
        }
    }
}

impl Weights<'_> {
    /// A factor and its tangent operator.
    #[inline(always)]
    fn of(&self, factor: u32) -> (Factor, &[f64]) {
        (self.group.factors()[factor as usize], &self.tangent[self.starts[factor as usize]..])
    }
}

/// out = A T of any size.
fn turn_any(factor: Factor, tangent: &[f64], rows: usize, a: &[f64], out: &mut [f64]) {
    out.copy_from_slice(&a[..out.len()]);
    factor.mul_tangent(tangent, rows, out);
}

impl Constraint {
    /// B T, and B + Y T / dv where it is wanted.
    #[inline(always)]
    fn write<const R: usize>(&self, sink: &mut Sink, b: &[f64], y: Option<&[f64]>, w: &Weights) {
        let (factor, tangent) = w.of(self.factor);
        let turn = |a: &[f64]| turned(factor, tangent, columns::<R, 6>(a));
        sink.write(self.place, R, turn(b).as_flattened());
        if let Some(y) = y {
            let mut x = turn(y);
            let per_dv = 1.0 / w.dv;
            x.as_flattened_mut().iter_mut().zip(b).for_each(|(x, b)| *x = b + per_dv * *x);
            sink.write(self.hidden, R, x.as_flattened());
        }
    }
}
