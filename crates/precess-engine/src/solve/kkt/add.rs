//! Adds matrices to the iteration matrix, block by block.

use std::sync::Arc;

use precess_lie::VectorUnit;

use super::{Factors, Kkt};
use crate::solve::block_lu::{BlockLu, BlockPlace};
use crate::solve::mat::Mat;
use crate::solve::panel::add_columns;
use crate::solve::pattern::Pattern;

/// Destinations of the blocks of a matrix, in their storage order. They are found when the matrix is first
/// added.
#[derive(Clone, Debug)]
struct Plan {
    kind: AddedAs,
    corner: (usize, usize),
    pattern: Arc<Pattern>,
    places: Vec<Destination>,
}

/// Destination of a block with its number of rows and of values.
#[derive(Clone, Copy, Debug)]
struct Destination {
    place: BlockPlace,
    rows: u32,
    len: u32,
}

impl Destination {
    fn new(place: BlockPlace, rows: usize, len: usize) -> Self {
        Destination { place, rows: rows as u32, len: len as u32 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddedAs {
    Plain,
    Transposed,
    /// Product with another matrix, which is stored for each first one.
    Product,
}

/// The plans of all matrices in an iteration matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans(Vec<Plan>);

impl Plans {
    /// The plan of a matrix; `find` gives the destinations of its blocks if it is new.
    #[inline]
    fn get(
        &mut self,
        kind: AddedAs,
        corner: (usize, usize),
        pattern: &Arc<Pattern>,
        find: impl FnOnce() -> Vec<Destination>,
    ) -> &[Destination] {
        let same = |p: &Plan| p.kind == kind && p.corner == corner && Arc::ptr_eq(&p.pattern, pattern);
        let i = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Plan { kind, corner, pattern: pattern.clone(), places: find() });
            self.0.len() - 1
        });
        &self.0[i].places
    }
}

impl Kkt {
    /// Adds `weight * a` at (row, col).
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) => {
                let n = self.n;
                let m = lu.matrix_mut().data_mut();
                a.for_blocks(|b| {
                    add_columns(weight, b.rows, b.data, n, &mut m[(col + b.col) * n + row + b.row..])
                });
            }
            Factors::Block(..) if !a.has_room() => {}
            Factors::Block(lu, plans) => {
                let Some(pattern) = a.pattern() else {
                    // A matrix of differences: entries outside the structure are zero.
                    for (k, x) in a.data().iter().enumerate().filter(|(_, x)| **x != 0.0) {
                        lu.add(row + k % a.rows(), col + k / a.rows(), 1, weight, &[*x]);
                    }
                    return;
                };
                let places = plans.get(AddedAs::Plain, (row, col), pattern, || {
                    let mut list = Vec::new();
                    a.for_blocks(|b| {
                        let place = lu.index_of(row + b.row, col + b.col);
                        list.push(Destination::new(place, b.rows, b.data.len()));
                    });
                    list
                });
                add_blocks(lu, places, false, weight, a.data());
            }
        }
    }

    /// Adds `weight * a^T` at (row, col).
    #[inline]
    pub fn add_transpose(&mut self, row: usize, col: usize, weight: f64, a: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) => {
                let m = lu.matrix_mut();
                a.for_blocks(|b| {
                    for i in 0..b.rows {
                        let first = row + b.col;
                        let target = &mut m.column_mut(col + b.row + i)[first..first + b.cols];
                        for (j, t) in target.iter_mut().enumerate() {
                            *t += weight * b.data[j * b.rows + i];
                        }
                    }
                })
            }
            Factors::Block(..) if !a.has_room() => {}
            Factors::Block(lu, plans) => {
                let Some(pattern) = a.pattern() else { return };
                let places = plans.get(AddedAs::Transposed, (row, col), pattern, || {
                    let mut list = Vec::new();
                    a.for_blocks(|b| {
                        let place = lu.index_of(row + b.col, col + b.row);
                        list.push(Destination::new(place, b.rows, b.data.len()));
                    });
                    list
                });
                add_blocks(lu, places, true, weight, a.data());
            }
        }
    }

    /// Adds `weight * a b` at (row, col).
    pub fn add_product(&mut self, row: usize, col: usize, weight: f64, a: &Mat, b: &Mat) {
        match &mut self.factors {
            Factors::Dense(lu) if a.pattern().is_some() => {
                let (n, m) = (self.n, lu.matrix_mut().data_mut());
                for_products(a, b, |r, c, rows, product| {
                    add_columns(weight, rows, product, n, &mut m[(col + c) * n + row + r..]);
                });
            }
            Factors::Dense(lu) => {
                let m = lu.matrix_mut();
                for j in 0..b.cols() {
                    let target = &mut m.column_mut(col + j)[row..row + a.rows()];
                    for (k, x) in b.column(j).iter().enumerate() {
                        let w = weight * x;
                        if w != 0.0 {
                            for (t, y) in target.iter_mut().zip(a.column(k)) {
                                *t += w * y;
                            }
                        }
                    }
                }
            }
            Factors::Block(..) if !(a.has_room() && b.has_room()) => {}
            Factors::Block(lu, plans) => {
                let Some(left) = a.pattern() else { return };
                let mut places = plans
                    .get(AddedAs::Product, (row, col), left, || {
                        let mut list = Vec::new();
                        for_products(a, b, |r, c, rows, product| {
                            let place = lu.index_of(row + r, col + c);
                            list.push(Destination::new(place, rows, product.len()));
                        });
                        list
                    })
                    .iter();
                for_products(a, b, |_, _, rows, product| {
                    if let Some(to) = places.next() {
                        lu.add_at(to.place, false, rows, weight, product);
                    }
                });
            }
        }
    }

    /// Adds to one diagonal entry.
    #[inline]
    pub fn add_diagonal(&mut self, i: usize, value: f64) {
        match &mut self.factors {
            Factors::Dense(lu) => lu.matrix_mut().add_entry(i, i, value),
            Factors::Block(lu, _) => lu.add(i, i, 1, value, &[1.0]),
        }
    }
}

/// Adds blocks that are stored one after the other, or their transposes.
fn add_blocks(lu: &mut BlockLu, places: &[Destination], transposed: bool, weight: f64, mut data: &[f64]) {
    VectorUnit::run_if_any(
        #[inline(always)]
        move || {
            for to in places {
                let Some((block, rest)) = data.split_at_checked(to.len as usize) else { return };
                lu.add_at(to.place, transposed, to.rows as usize, weight, block);
                data = rest;
            }
        },
    )
}

/// Calls `f(row, column, rows, product)` for the products of the blocks of two sparse matrices.
#[inline]
fn for_products(a: &Mat, b: &Mat, mut f: impl FnMut(usize, usize, usize, &[f64])) {
    let Some(right) = b.pattern() else { return };
    // Space for two bodies in directors.
    let mut room = [0.0; 144];
    a.for_blocks(|x| {
        for slot in right.row(right.rows.block_of(x.col)) {
            let to = right.cols.range(slot.col as usize);
            let (first, cols) = (to.start, to.len());
            let y = &b.data()[slot.offset as usize..][..x.cols * cols];
            let mut large = Vec::new();
            let product = match room.get_mut(..x.rows * cols) {
                Some(product) => product,
                None => {
                    large.resize(x.rows * cols, 0.0);
                    &mut large[..]
                }
            };
            match (x.rows, x.cols) {
                (6, 6) => multiply_known::<6>(x.data, y, product),
                (3, 6) => multiply_known::<3>(x.data, y, product),
                (5, 6) => multiply_known::<5>(x.data, y, product),
                (m, n) => multiply(x.data, m, y, n, product),
            }
            f(x.row, first, x.rows, product);
        }
    });
}

/// C = A B for columns of M and 6 entries: sums stay in registers.
#[inline(always)]
fn multiply_known<const M: usize>(a: &[f64], b: &[f64], c: &mut [f64]) {
    let Some(a) = a.as_chunks::<M>().0.first_chunk::<6>() else { return };
    for (c, b) in c.as_chunks_mut::<M>().0.iter_mut().zip(b.as_chunks::<6>().0) {
        let mut sum = [0.0; M];
        for (a, b) in a.iter().zip(b) {
            for i in 0..M {
                sum[i] += a[i] * b;
            }
        }
        *c = sum;
    }
}

/// C = A B for columns of m and n entries.
fn multiply(a: &[f64], m: usize, b: &[f64], n: usize, c: &mut [f64]) {
    for (c, b) in c.chunks_exact_mut(m).zip(b.chunks_exact(n)) {
        c.fill(0.0);
        for (a, b) in a.chunks_exact(m).zip(b) {
            for (c, a) in c.iter_mut().zip(a) {
                *c += a * b;
            }
        }
    }
}
