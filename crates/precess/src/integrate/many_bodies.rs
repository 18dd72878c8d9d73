//! The iteration matrix of many bodies, block by block.
//!
//! The same sums in the same order as in [`condensed`](super::condensed). Every block of the factors is computed and written
//! once, and what no block covers is cleared, instead of clearing all, multiplying K, B and Y by T in place and adding them up. Large
//! systems are evaluated and written part by part, each in the cache, so that most of their derivatives never are in memory.

use std::ops::Range;

use precess_lie::{Factor, Product};

use super::form::Form;
use super::one_body::{columns, turned};
use crate::mechanics::{Part, Tangents};
use crate::solve::block_lu::Place;
use crate::solve::{BlockLu, Kkt};

/// Where the blocks of S + h^2 K T, B T, B + Y T / dv and B^T go; found once for a structure.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    dynamics: Vec<Dynamics>,
    constraints: Vec<Constraint>,
    /// Values that no block covers.
    rest: Vec<Range<u32>>,
    /// Where each part of the system begins, and the end.
    parts: Vec<Begin>,
    /// Room for a block of any size.
    room: Vec<f64>,
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
        // What no block covers is cleared with the last part that has written so far.
        let mut ends = vec![0; n_parts];
        for &((part, pivot), _) in &dynamics {
            ends[part] = ends[part].max(pivot + 1);
        }
        (1..n_parts).for_each(|i| ends[i] = ends[i].max(ends[i - 1]));
        ends[n_parts - 1] = lu.n_pivots();
        let rest = lu.outside(&covered, &ends);
        let begin = |part: usize| Begin {
            dynamics: dynamics.partition_point(|x| x.0.0 < part) as u32,
            constraints: constraints.partition_point(|x| x.0.0 < part) as u32,
            rest: rest[..part].iter().map(Vec::len).sum::<usize>() as u32,
        };
        Some(Layout {
            parts: (0..=n_parts).map(begin).collect(),
            dynamics: dynamics.into_iter().map(|x| x.1).collect(),
            constraints: constraints.into_iter().map(|x| x.1).collect(),
            rest: rest.concat(),
            room: vec![0.0; largest],
        })
    }

    /// Number of parts.
    pub fn n_parts(&self) -> usize {
        self.parts.len() - 1
    }

    /// Overwrites one part of the matrix and the scales of its rows. Products with N, friction and regularisations are added by the caller.
    pub fn assemble(
        &mut self,
        part: usize,
        (lu, scale): (&mut BlockLu, &mut [f64]),
        t: &Tangents,
        w: &Weights,
    ) {
        let (from, to) = (self.parts[part], self.parts[part + 1]);
        lu.clear_only(&self.rest[from.rest as usize..to.rest as usize]);
        self.dynamics(from.dynamics as usize..to.dynamics as usize, (lu, scale), t, w);
        self.constraints(from.constraints as usize..to.constraints as usize, lu, t, w);
    }

    /// S + h^2 K T.
    #[inline]
    fn dynamics(
        &mut self,
        range: Range<usize>,
        (lu, scale): (&mut BlockLu, &mut [f64]),
        t: &Tangents,
        w: &Weights,
    ) {
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
                    lu.write(block.place, 6, x.as_flattened());
                    if block.row != NONE {
                        let scale = &mut scale[block.row as usize..][..6];
                        (0..6).for_each(|i| scale[i] = Kkt::scale_of(x[i][i]));
                    }
                }
                (rows, cols) => {
                    let x = &mut self.room[..rows as usize * cols];
                    turn_any(factor, tangent, rows as usize, k, x);
                    match s {
                        Some(s) => x.iter_mut().zip(s).for_each(|(x, s)| *x = s + w.h2 * *x),
                        None => x.iter_mut().for_each(|x| *x *= w.h2),
                    }
                    lu.write(block.place, rows as usize, x);
                    if block.row != NONE {
                        let diagonal = x.iter().step_by(cols + 1);
                        let scale = &mut scale[block.row as usize..];
                        scale.iter_mut().zip(diagonal).for_each(|(s, d)| *s = Kkt::scale_of(*d));
                    }
                }
            }
        }
    }

    /// B T and B^T, and B + Y T / dv in the stabilized form.
    #[inline]
    fn constraints(&mut self, range: Range<usize>, lu: &mut BlockLu, t: &Tangents, w: &Weights) {
        let (b, y, first_b) = (t.b.data(), t.y.data(), t.b.first_value());
        for block in &self.constraints[range] {
            let n = block.rows as usize;
            let (factor, tangent) = w.of(block.factor);
            let first = block.b as usize - first_b;
            let at = first..first + n * factor.dim();
            let b = &b[at.clone()];
            lu.write_transposed(block.transposed, n, b);
            let y = (block.hidden != Place::NOWHERE).then(|| &y[at]);
            match (n, factor.dim()) {
                (3, 6) => block.write::<3>(lu, b, y, w),
                (5, 6) => block.write::<5>(lu, b, y, w),
                _ => {
                    let x = &mut self.room[..b.len()];
                    turn_any(factor, tangent, n, b, x);
                    lu.write(block.place, n, x);
                    if let Some(y) = y {
                        turn_any(factor, tangent, n, y, x);
                        let per_dv = 1.0 / w.dv;
                        x.iter_mut().zip(b).for_each(|(x, b)| *x = b + per_dv * *x);
                        lu.write(block.hidden, n, x);
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
    fn write<const R: usize>(&self, lu: &mut BlockLu, b: &[f64], y: Option<&[f64]>, w: &Weights) {
        let (factor, tangent) = w.of(self.factor);
        let turn = |a: &[f64]| turned(factor, tangent, columns::<R, 6>(a));
        lu.write(self.place, R, turn(b).as_flattened());
        if let Some(y) = y {
            let mut x = turn(y);
            let per_dv = 1.0 / w.dv;
            x.as_flattened_mut().iter_mut().zip(b).for_each(|(x, b)| *x = b + per_dv * *x);
            lu.write(self.hidden, R, x.as_flattened());
        }
    }
}
