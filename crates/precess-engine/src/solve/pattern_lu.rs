//! LU factors of a small sparse matrix. The pattern is known to the last entry, and the numbers may have
//! several lanes.
//!
//! Lanes cannot choose their own pivots, so the order is fixed. Coordinates come before the multipliers of
//! their constraints, and these come before the multipliers of the stabilisation. Among the unknowns that may
//! come next, the one with the fewest neighbours is taken. The pivots are then those of masses, of -B M^-1
//! B^T and of B N. These are definite, except for terms of order h.

use precess_lie::Number;

use super::ordering::minimum_degree;

/// The entries of a square matrix, row after row in the order of elimination. Entries outside the pattern are
/// not stored.
#[derive(Clone, Debug)]
pub struct Entries<T> {
    n: usize,
    /// The place of entry (i, j), where i and j are unknowns in their own order. Entries that are not stored
    /// have the last place.
    places: Vec<u32>,
    values: Vec<T>,
}

impl<T: Number> Entries<T> {
    /// Sets all entries to zero.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.values.fill(T::zero());
    }

    /// The values; `index_of` says where an entry is.
    #[inline(always)]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The place of an entry.
    #[inline(always)]
    pub fn index_of(&self, i: usize, j: usize) -> usize {
        self.places[i * self.n + j] as usize
    }

    /// Adds to an entry.
    #[inline(always)]
    pub fn add(&mut self, i: usize, j: usize, x: T) {
        let place = self.index_of(i, j);
        self.values[place] += x;
    }

    /// Returns an entry.
    pub fn get(&self, i: usize, j: usize) -> T {
        self.values[self.index_of(i, j)]
    }
}

/// A row below a pivot and its entry in the column of the pivot. The row of the pivot is subtracted in pieces
/// that have no gaps in either row.
#[derive(Clone, Copy, Debug)]
struct Below {
    row: u32,
    factor: u32,
}

/// Neighbouring entries in the row of a pivot.
#[derive(Clone, Copy, Debug)]
struct PivotRun {
    from: u32,
    len: u32,
    /// The position of the first column.
    column: u32,
}

/// The factors.
#[derive(Clone, Debug)]
pub struct PatternLu<T> {
    /// The matrix, and after the factorisation its factors: L without its diagonal of ones, and U with the
    /// inverse of its diagonal.
    pub matrix: Entries<T>,
    /// The position of each unknown in the order of elimination.
    position: Vec<u32>,
    /// The place of each pivot, with the numbers of its rows and of its pieces.
    pivots: Vec<(u32, u32, u32)>,
    below: Vec<Below>,
    pieces: Vec<PivotRun>,
    /// The starts of the pieces in the rows below, row by row.
    targets: Vec<u32>,
    right: Vec<T>,
}

impl<T: Number> PatternLu<T> {
    /// Analyses a pattern and makes it symmetric. The sizes are the numbers of coordinates, multipliers and
    /// multipliers of the stabilisation.
    pub fn new([n_v, n_lambda, n_eta]: [usize; 3], is_entry: impl Fn(usize, usize) -> bool) -> Self {
        let n = n_v + n_lambda + n_eta;
        let touches = |i: usize, j: usize| i != j && (is_entry(i, j) || is_entry(j, i));
        let neighbours = |i: usize, m: usize| (0..m).filter(move |&j| touches(i, j));
        let graph: Vec<Vec<u32>> = (0..n).map(|i| neighbours(i, n).map(|j| j as u32).collect()).collect();
        let share = |i: usize, j: usize| (0..n_v).any(|k| touches(i, k) && touches(j, k));
        let before: Vec<Vec<usize>> = (0..n)
            .map(|i| {
                let coordinates = neighbours(i, if i < n_v { 0 } else { n_v });
                let multipliers = if i < n_v + n_lambda { 0..0 } else { n_v..n_v + n_lambda };
                coordinates.chain(multipliers.filter(|&j| share(i, j))).collect()
            })
            .collect();
        let order = minimum_degree(graph, &before, &vec![false; n]);
        let mut filled = vec![false; n * n];
        for (p, i) in order.iter().enumerate() {
            for (q, j) in order.iter().enumerate() {
                filled[p * n + q] = p == q || touches(*i as usize, *j as usize);
            }
        }
        for p in 0..n {
            let below: Vec<usize> = (p + 1..n).filter(|&i| filled[p * n + i]).collect();
            for &i in &below {
                below.iter().for_each(|&j| filled[i * n + j] = true);
            }
        }
        let kept = filled.iter().filter(|f| **f).count() as u32;
        // The places are computed by position first, and then by unknown.
        let mut next = 0..;
        let place: Vec<u32> =
            filled.iter().map(|f| if *f { next.next().unwrap_or(kept) } else { kept }).collect();
        let mut position = vec![0; n];
        order.iter().enumerate().for_each(|(p, i)| position[*i as usize] = p as u32);
        let at = |i: usize, j: usize| place[position[i] as usize * n + position[j] as usize];
        let places = (0..n * n).map(|k| at(k / n, k % n)).collect();
        let (mut pivots, mut below, mut pieces, mut targets) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for p in 0..n {
            let own: Vec<usize> = (p + 1..n).filter(|&i| filled[p * n + i]).collect();
            let first = pieces.len();
            for &j in &own {
                match pieces[first..].last_mut() {
                    Some(PivotRun { len, column, .. }) if (*column + *len) as usize == j => *len += 1,
                    _ => pieces.push(PivotRun { from: place[p * n + j], len: 1, column: j as u32 }),
                }
            }
            for &i in &own {
                below.push(Below { row: i as u32, factor: place[i * n + p] });
                targets.extend(
                    pieces[first..].iter().map(|piece: &PivotRun| place[i * n + piece.column as usize]),
                );
            }
            pivots.push((place[p * n + p], own.len() as u32, (pieces.len() - first) as u32));
        }
        PatternLu {
            matrix: Entries { n, places, values: vec![T::zero(); kept as usize + 1] },
            position,
            pivots,
            below,
            pieces,
            targets,
            right: vec![T::zero(); n],
        }
    }

    /// Factorises the matrix. If a pivot is zero, its lane contains infinities or NaN afterwards.
    #[inline(always)]
    pub fn factor(&mut self) {
        let values = &mut self.matrix.values[..];
        let (mut below, mut pieces, mut targets) = (&self.below[..], &self.pieces[..], &self.targets[..]);
        for &(pivot, rows, own) in &self.pivots {
            let inverse = T::one() / values[pivot as usize];
            values[pivot as usize] = inverse;
            let (these, others) = below.split_at(rows as usize);
            let (run, later) = pieces.split_at(own as usize);
            for row in these {
                let factor = values[row.factor as usize] * inverse;
                values[row.factor as usize] = factor;
                let (begins, next) = targets.split_at(own as usize);
                for (piece, &to) in run.iter().zip(begins) {
                    // Rows below come later.
                    let (before, after) = values.split_at_mut(to as usize);
                    let from = &before[piece.from as usize..][..piece.len as usize];
                    for (x, y) in after.iter_mut().zip(from) {
                        *x -= factor * *y;
                    }
                }
                targets = next;
            }
            (below, pieces) = (others, later);
        }
    }

    /// Solves in place.
    #[inline(always)]
    pub fn solve(&mut self, x: &mut [T]) {
        let (values, right) = (&self.matrix.values[..], &mut self.right[..]);
        self.position.iter().zip(&*x).for_each(|(p, x)| right[*p as usize] = *x);
        let (mut below, mut pieces) = (&self.below[..], &self.pieces[..]);
        for (p, &(_, rows, _)) in self.pivots.iter().enumerate() {
            let y = right[p];
            let (these, others) = below.split_at(rows as usize);
            for row in these {
                right[row.row as usize] -= values[row.factor as usize] * y;
            }
            below = others;
        }
        for (p, &(pivot, _, own)) in self.pivots.iter().enumerate().rev() {
            let (earlier, run) = pieces.split_at(pieces.len() - own as usize);
            let mut y = right[p];
            for piece in run {
                let (len, column) = (piece.len as usize, piece.column as usize);
                let row = &values[piece.from as usize..][..len];
                for (a, b) in row.iter().zip(&right[column..column + len]) {
                    y -= *a * *b;
                }
            }
            right[p] = y * values[pivot as usize];
            pieces = earlier;
        }
        self.position.iter().zip(x).for_each(|(p, x)| *x = right[*p as usize]);
    }
}

#[cfg(test)]
mod tests;
