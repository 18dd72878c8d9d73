//! The iteration matrix of many bodies, block by block.
//!
//! The same sums in the same order as in [`condensed`](super::condensed). Every block of the factors is computed and written
//! once, and what no block covers is cleared, instead of clearing all, multiplying K, B and Y by T in place and adding them up. Blocks
//! are taken in the order of the factors, a part that fits into the cache after the other.

use std::ops::Range;

use precess_lie::{Factor, Product};

use super::form::Form;
use super::one_body::{columns, turned};
use crate::mechanics::Tangents;
use crate::solve::BlockLu;
use crate::solve::block_lu::Place;

/// Where the blocks of S + h^2 K T, B T, B + Y T / dv and B^T go; found once for a structure.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    dynamics: Vec<Dynamics>,
    constraints: Vec<Constraint>,
    /// Values that no block covers.
    rest: Vec<Range<u32>>,
    /// Where the blocks of each part of the factors end.
    ends: Vec<Ends>,
    /// Room for a block of any size.
    room: Vec<f64>,
}

/// Ends of a part among the blocks and the values that no block covers.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    dynamics: u32,
    constraints: u32,
    rest: u32,
}

/// Values of a part of the factors, with their derivatives well below the size of a cache.
const PART: usize = 8192;

/// A block of K, of S where it has one ([`NONE`] elsewhere), and its place.
#[derive(Clone, Copy, Debug)]
struct Dynamics {
    k: u32,
    s: u32,
    rows: u32,
    factor: u32,
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
    /// For the forms index-3 and stabilized index-2; `None` if the derivatives are not in sparse blocks.
    pub fn new(lu: &BlockLu, group: &Product, t: &Tangents, form: Form) -> Option<Self> {
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
        let mut dynamics = Vec::with_capacity(k.n_blocks());
        for i in 0..k.rows.blocks() {
            let rows = k.rows.range(i);
            for slot in k.row(i) {
                let j = slot.col as usize;
                let cols = k.cols.range(j);
                let block = Dynamics {
                    k: slot.offset,
                    s: s.find(i, j).map_or(NONE, |at| at as u32),
                    rows: rows.len() as u32,
                    factor: slot.col,
                    place: place(rows.start, cols.start, rows.len(), cols.len()),
                };
                dynamics.push((lu.pivot_of(rows.start, cols.start), block));
            }
        }
        let mut constraints = Vec::with_capacity(b.n_blocks());
        for i in 0..b.rows.blocks() {
            let rows = b.rows.range(i);
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
                constraints.push((lu.pivot_of(lambda + first, cols.start), block));
            }
        }
        dynamics.sort_by_key(|x| x.0);
        constraints.sort_by_key(|x| x.0);
        let parts = lu.parts(PART);
        let rest = lu.outside(&covered, &parts);
        let mut ends = Ends::default();
        let end_of = |(last, rest): (&u32, &Vec<Range<u32>>)| {
            ends = Ends {
                dynamics: dynamics.partition_point(|x| x.0 < *last) as u32,
                constraints: constraints.partition_point(|x| x.0 < *last) as u32,
                rest: ends.rest + rest.len() as u32,
            };
            ends
        };
        Some(Layout {
            ends: parts[1..].iter().zip(&rest).map(end_of).collect(),
            dynamics: dynamics.into_iter().map(|x| x.1).collect(),
            constraints: constraints.into_iter().map(|x| x.1).collect(),
            rest: rest.concat(),
            room: vec![0.0; largest],
        })
    }

    /// Overwrites the matrix. Products with N, friction and regularisations are added by the caller.
    pub fn assemble(&mut self, lu: &mut BlockLu, t: &Tangents, w: &Weights) {
        let mut from = Ends::default();
        for part in 0..self.ends.len() {
            let to = self.ends[part];
            lu.clear_only(&self.rest[from.rest as usize..to.rest as usize]);
            self.dynamics(from.dynamics as usize..to.dynamics as usize, lu, t, w);
            self.constraints(from.constraints as usize..to.constraints as usize, lu, t, w);
            from = to;
        }
    }

    /// S + h^2 K T.
    #[inline]
    fn dynamics(&mut self, range: Range<usize>, lu: &mut BlockLu, t: &Tangents, w: &Weights) {
        let (s, k) = (t.s.data(), t.k.data());
        for block in &self.dynamics[range] {
            let k = &k[block.k as usize..];
            let s = (block.s != NONE).then(|| &s[block.s as usize..]);
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
                }
                (rows, cols) => {
                    let x = &mut self.room[..rows as usize * cols];
                    turn_any(factor, tangent, rows as usize, k, x);
                    match s {
                        Some(s) => x.iter_mut().zip(s).for_each(|(x, s)| *x = s + w.h2 * *x),
                        None => x.iter_mut().for_each(|x| *x *= w.h2),
                    }
                    lu.write(block.place, rows as usize, x);
                }
            }
        }
    }

    /// B T and B^T, and B + Y T / dv in the stabilized form.
    #[inline]
    fn constraints(&mut self, range: Range<usize>, lu: &mut BlockLu, t: &Tangents, w: &Weights) {
        let (b, y) = (t.b.data(), t.y.data());
        for block in &self.constraints[range] {
            let n = block.rows as usize;
            let (factor, tangent) = w.of(block.factor);
            let at = block.b as usize..block.b as usize + n * factor.dim();
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
