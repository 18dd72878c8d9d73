//! The iteration matrix of many bodies, block by block.
//!
//! The same sums in the same order as in [`condensed`](super::condensed). Every block of the factors is computed and written
//! once, and what no block covers is cleared, instead of clearing all, multiplying K, B and Y by T in place and adding them up.

use std::ops::Range;

use precess_lie::{Factor, Product};

use super::condensed::starts;
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
    /// Room for a block of any size.
    room: Vec<f64>,
}

/// A block of K, of S where it has one, and its place.
#[derive(Clone, Copy, Debug)]
struct Dynamics {
    k: u32,
    s: Option<u32>,
    rows: u32,
    columns: Columns,
    place: Place,
}

/// A block of B, the places of B T and B^T, and that of the velocity level in the stabilized form.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    b: u32,
    rows: u32,
    columns: Columns,
    place: Place,
    transposed: Place,
    hidden: Option<Place>,
}

/// The columns of a block: those of a factor, whose tangent operator is at `tangent`.
#[derive(Clone, Copy, Debug)]
struct Columns {
    factor: Factor,
    tangent: u32,
}

/// What a step adds to the derivatives of the system.
pub(super) struct Weights<'a> {
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
        let tangents = starts(group);
        let columns = |i: usize| Columns { factor: group.factors()[i], tangent: tangents[i] as u32 };
        let mut covered = Vec::new();
        let mut layout =
            Layout { dynamics: Vec::new(), constraints: Vec::new(), rest: Vec::new(), room: Vec::new() };
        let mut largest = 0;
        let mut place = |row: usize, col: usize, rows: usize, cols: usize| {
            let place = lu.place(row, col);
            covered.push((place, rows, cols));
            largest = largest.max(rows * cols);
            place
        };
        for i in 0..k.rows.blocks() {
            let rows = k.rows.range(i);
            for slot in k.row(i) {
                let j = slot.col as usize;
                let cols = k.cols.range(j);
                layout.dynamics.push(Dynamics {
                    k: slot.offset,
                    s: s.find(i, j).map(|at| at as u32),
                    rows: rows.len() as u32,
                    columns: columns(j),
                    place: place(rows.start, cols.start, rows.len(), cols.len()),
                });
            }
        }
        for i in 0..b.rows.blocks() {
            let rows = b.rows.range(i);
            for slot in b.row(i) {
                let cols = b.cols.range(slot.col as usize);
                let (n, first) = (rows.len(), rows.start);
                layout.constraints.push(Constraint {
                    b: slot.offset,
                    rows: n as u32,
                    columns: columns(slot.col as usize),
                    place: place(lambda + first, cols.start, n, cols.len()),
                    transposed: place(cols.start, lambda + first, cols.len(), n),
                    hidden: (form == Form::StabilizedIndex2)
                        .then(|| place(eta + first, cols.start, n, cols.len())),
                });
            }
        }
        layout.rest = lu.outside(&covered);
        layout.room = vec![0.0; 2 * largest];
        Some(layout)
    }

    /// Overwrites the matrix. Products with N, friction and regularisations are added by the caller.
    pub fn assemble(&mut self, lu: &mut BlockLu, t: &Tangents, w: &Weights) {
        lu.clear_only(&self.rest);
        let (s, k, b, y) = (t.s.data(), t.k.data(), t.b.data(), t.y.data());
        for block in &self.dynamics {
            let (k, s) = (&k[block.k as usize..], block.s.map(|at| &s[at as usize..]));
            match (block.rows, block.columns.factor.dim()) {
                (6, 6) => {
                    let mut x = block.columns.turn::<6>(k, w);
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
                    let n = rows as usize * cols;
                    let x = block.columns.turn_any(rows as usize, k, w, &mut self.room[..n]);
                    match s {
                        Some(s) => x.iter_mut().zip(s).for_each(|(x, s)| *x = s + w.h2 * *x),
                        None => x.iter_mut().for_each(|x| *x *= w.h2),
                    }
                    lu.write(block.place, rows as usize, x);
                }
            }
        }
        let per_dv = 1.0 / w.dv;
        for block in &self.constraints {
            let (n, cols) = (block.rows as usize, block.columns.factor.dim());
            let at = block.b as usize..block.b as usize + n * cols;
            let b = &b[at.clone()];
            lu.write_transposed(block.transposed, n, b);
            let y = block.hidden.map(|place| (place, &y[at]));
            match (n, cols) {
                (3, 6) => block.write::<3>(lu, b, y, per_dv, w),
                (5, 6) => block.write::<5>(lu, b, y, per_dv, w),
                _ => {
                    let (x, z) = self.room[..2 * n * cols].split_at_mut(n * cols);
                    lu.write(block.place, n, block.columns.turn_any(n, b, w, x));
                    if let Some((place, y)) = y {
                        let z = block.columns.turn_any(n, y, w, z);
                        z.iter_mut().zip(b).for_each(|(z, b)| *z = b + per_dv * *z);
                        lu.write(place, n, z);
                    }
                }
            }
        }
    }
}

impl Columns {
    /// A T of R rows and six columns.
    #[inline(always)]
    fn turn<const R: usize>(&self, a: &[f64], w: &Weights) -> [[f64; R]; 6] {
        turned(self.factor, &w.tangent[self.tangent as usize..], columns::<R, 6>(a))
    }

    /// A T of any size.
    fn turn_any<'a>(&self, rows: usize, a: &[f64], w: &Weights, out: &'a mut [f64]) -> &'a mut [f64] {
        out.copy_from_slice(&a[..out.len()]);
        self.factor.mul_tangent(&w.tangent[self.tangent as usize..], rows, out);
        out
    }
}

impl Constraint {
    /// B T, and B + Y T / dv where it is wanted.
    #[inline(always)]
    fn write<const R: usize>(
        &self,
        lu: &mut BlockLu,
        b: &[f64],
        y: Option<(Place, &[f64])>,
        per_dv: f64,
        w: &Weights,
    ) {
        lu.write(self.place, R, self.columns.turn::<R>(b, w).as_flattened());
        if let Some((place, y)) = y {
            let mut x = self.columns.turn::<R>(y, w);
            for (x, b) in x.as_flattened_mut().iter_mut().zip(b) {
                *x = b + per_dv * *x;
            }
            lu.write(place, R, x.as_flattened());
        }
    }
}
