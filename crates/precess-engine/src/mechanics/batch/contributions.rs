//! The iteration matrix J of a batch, entry by entry.
//!
//! The contributions to J ([`jacobian`](crate::mechanics::jacobian)) are resolved once into entries that can
//! differ from zero. Each of them is an entry of one matrix, or the product of two entries. It is added to
//! one entry of J.

use std::collections::BTreeMap;

use precess_lie::{Factor, Number};

use crate::mechanics::jacobian::{
    CONTRIBUTIONS, Columns, Contribution, Corners, Of, Rows, StepWeights, Times,
};
use crate::mechanics::nonzero::Nonzero;
use crate::mechanics::tangents::Tangents;
use crate::solve::{Mat, Pattern};

/// The matrices from which J is computed.
pub struct Sources<'a, T> {
    /// The matrices S, K, B and Y.
    pub tangents: &'a Tangents<T>,
    /// The compact tangent operators T(theta).
    pub turns: &'a [T],
    /// N.
    pub direction: &'a Mat<T>,
    /// The weights h^2 and 1 / dv.
    pub weights: StepWeights<T>,
}

/// One contribution to one entry of J: entry `first` of its matrix, multiplied by entry `second` if it is a
/// product.
#[derive(Clone, Copy, Debug)]
struct ContributionEntry {
    row: usize,
    col: usize,
    first: u32,
    second: u32,
}

/// The entries of a matrix that can differ from zero, each with its row, column and place.
fn entries(m: &Mat<Nonzero>) -> Vec<(usize, usize, usize)> {
    let Some(pattern) = m.pattern() else { return Vec::new() };
    let mut list = Vec::new();
    for (i, j) in pattern.pairs() {
        let (rows, cols, first) = (pattern.rows.range(i), pattern.cols.range(j), find(pattern, i, j));
        for (place, (c, r)) in cols.flat_map(|c| rows.clone().map(move |r| (c, r))).enumerate() {
            if m.data()[first + place].0 {
                list.push((r, c, first + place));
            }
        }
    }
    list
}

fn find(pattern: &Pattern, i: usize, j: usize) -> usize {
    pattern.find(i, j).unwrap_or(0)
}

/// The columns of A T to which a column of A contributes. Each comes with the place of its factor in T, or
/// with `None` if this factor is one.
fn turned(factors: &[(Factor, usize)], starts: &[usize], col: usize) -> Vec<(usize, Option<usize>)> {
    let f = starts.partition_point(|s| *s <= col) - 1;
    let ((factor, turn), first) = (factors[f], starts[f]);
    let local = col - first;
    let block = |offset: usize, to: usize| {
        (0..3).map(move |j| (first + to + j, Some(turn + offset + 3 * j + local % 3))).collect::<Vec<_>>()
    };
    match factor {
        Factor::SO3 => block(0, 0),
        Factor::R3xSO3 | Factor::SE3 if local < 3 => block(0, 0),
        Factor::SE3 => [block(9, 0), block(0, 3)].concat(),
        Factor::Rn(_) | Factor::R3xSO3 => vec![(col, None)],
    }
}

/// Resolves one contribution into entries. The first list has the entries that are not multiplied, and the
/// second has those that are multiplied by T or N.
fn resolve(
    c: &Contribution,
    (row, col): (usize, usize),
    (t, direction): (&Tangents<Nonzero>, &Mat<Nonzero>),
    factors: &[(Factor, usize)],
) -> [Vec<ContributionEntry>; 2] {
    let mut list = [Vec::new(), Vec::new()];
    let mut add = |is_product: bool, i: usize, j: usize, first: usize, second: usize| {
        let entry =
            ContributionEntry { row: row + i, col: col + j, first: first as u32, second: second as u32 };
        list[usize::from(is_product)].push(entry);
    };
    let starts: Vec<usize> = factors
        .iter()
        .scan(0, |at, (f, _)| {
            *at += f.dim();
            Some(*at - f.dim())
        })
        .collect();
    let mut along: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    if c.times == Times::N {
        for (k, j, at) in entries(direction) {
            along.entry(k).or_default().push((j, at));
        }
    }
    for (i, k, at) in entries(t.of_term(c.of)) {
        match (c.of, c.times) {
            (Of::Bt, _) => add(false, k, i, at, 0),
            (_, Times::One) => add(false, i, k, at, 0),
            (_, Times::T) => {
                for (j, number) in turned(factors, &starts, k) {
                    add(number.is_some(), i, j, at, number.unwrap_or(0));
                }
            }
            (_, Times::N) => {
                for &(j, number) in along.get(&k).into_iter().flatten() {
                    add(true, i, j, at, number);
                }
            }
        }
    }
    list
}

/// One contribution, sorted by the entry of J.
#[derive(Clone, Debug)]
struct Sum {
    of: Contribution,
    /// The entries that are not multiplied: places in J and in their matrix.
    alone: Vec<(u32, u32)>,
    /// The sums of products with T or N: places in J and numbers of products.
    sums: Vec<(u32, u32)>,
    /// The products of all sums: the places of both factors.
    products: Vec<(u32, u32)>,
}

impl Sum {
    fn new(
        of: Contribution,
        [alone, products]: &[Vec<ContributionEntry>; 2],
        place: &impl Fn(usize, usize) -> usize,
    ) -> Self {
        let place = |e: &ContributionEntry| place(e.row, e.col) as u32;
        let mut alone: Vec<(u32, u32)> = alone.iter().map(|e| (place(e), e.first)).collect();
        alone.sort_unstable();
        let mut products: Vec<(u32, (u32, u32))> =
            products.iter().map(|e| (place(e), (e.first, e.second))).collect();
        products.sort_by_key(|p| p.0);
        let mut sums: Vec<(u32, u32)> = Vec::new();
        for (place, _) in &products {
            match sums.last_mut() {
                Some((last, n)) if last == place => *n += 1,
                _ => sums.push((*place, 1)),
            }
        }
        Sum { of, alone, sums, products: products.into_iter().map(|(_, factors)| factors).collect() }
    }

    /// Adds the contribution to the matrix.
    #[inline(always)]
    fn add<T: Number>(&self, from: &Sources<T>, out: &mut [T]) {
        let (a, weight) = (from.tangents.of_term(self.of.of).data(), from.weights.of(self.of.weight));
        for &(place, entry) in &self.alone {
            out[place as usize] += weight * a[entry as usize];
        }
        let b = match self.of.times {
            Times::N => from.direction.data(),
            _ => from.turns,
        };
        let product = |&(first, second): &(u32, u32)| a[first as usize] * b[second as usize];
        let mut products = &self.products[..];
        for &(place, n) in &self.sums {
            let (own, rest) = products.split_at(n as usize);
            products = rest;
            let Some((head, tail)) = own.split_first() else { continue };
            let mut sum = product(head);
            for next in tail {
                sum += product(next);
            }
            out[place as usize] += weight * sum;
        }
    }
}

/// All contributions to the matrix of a batch.
#[derive(Clone, Debug, Default)]
pub struct Contributions(Vec<Sum>);

/// Contributions that are resolved into entries. The entries have no places yet.
pub struct Resolved(Vec<(Contribution, [Vec<ContributionEntry>; 2])>);

impl Resolved {
    /// Resolves all contributions to J. `factors` gives each factor with the place of its tangent operator.
    pub fn new(
        t: &Tangents<Nonzero>,
        direction: &Mat<Nonzero>,
        factors: &[(Factor, usize)],
        corners: &Corners,
    ) -> Self {
        let mut list = Vec::new();
        for c in CONTRIBUTIONS {
            if let (Some(row), Some(col)) = (corners.row(c.rows), corners.column(c.columns)) {
                list.push((c, resolve(&c, (row, col), (t, direction), factors)));
            }
        }
        Resolved(list)
    }

    /// Calls `f(row, column)` for all entries that can differ from zero.
    pub fn each(&self, mut f: impl FnMut(usize, usize)) {
        self.0.iter().flat_map(|(_, lists)| lists.iter().flatten()).for_each(|e| f(e.row, e.col));
    }

    /// Gives the entries their places.
    pub fn at(&self, place: impl Fn(usize, usize) -> usize) -> Contributions {
        let sums = self.0.iter().map(|(c, lists)| Sum::new(*c, lists, &place));
        Contributions(sums.filter(|s| !s.alone.is_empty() || !s.sums.is_empty()).collect())
    }
}

impl Contributions {
    /// Adds all contributions.
    #[inline(always)]
    pub fn add<T: Number>(&self, from: &Sources<T>, out: &mut [T]) {
        for sum in &self.0 {
            sum.add(from, out);
        }
    }

    /// Adds only M, B and the friction of (19), in the rows and columns of coordinates and multipliers.
    pub fn add_saddle<T: Number>(&self, from: &Sources<T>, out: &mut [T]) {
        let is_saddle =
            |c: &Contribution| c.rows != Rows::Velocity && c.columns != Columns::Eta && c.of != Of::K;
        self.0.iter().filter(|sum| is_saddle(&sum.of)).for_each(|sum| sum.add(from, out));
    }
}
