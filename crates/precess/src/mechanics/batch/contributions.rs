//! The iteration matrix as a list of contributions, made once from the structural nonzeros of the derivatives.
//!
//! ```text
//! [ S + h^2 K T    B^T   S N ]
//! [ B T             0     0  ]
//! [ B + Y T / dv    0    B N ]
//! ```
//!
//! Every contribution is an entry of one matrix, or the product of two entries, and belongs to one entry of the result.

use std::collections::BTreeMap;

use precess_lie::{Factor, Number};

use crate::mechanics::nonzero::Nonzero;
use crate::mechanics::tangents::Tangents;
use crate::solve::{Mat, Pattern};

/// What the matrix consists of.
pub struct Sources<'a, T> {
    /// S, K, B, Y.
    pub tangents: &'a Tangents<T>,
    /// The compact tangent operators T(theta).
    pub turns: &'a [T],
    /// N^T, in the blocks of B.
    pub direction: &'a Mat<T>,
    /// h^2.
    pub force: T,
    /// 1 / dv.
    pub per_dv: T,
}

/// Kinds of contributions, in the order in which they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// S.
    S,
    /// B^T, and B where T is one.
    B,
    /// B in the rows of eta.
    Hidden,
    /// Friction: forces that depend on multipliers.
    G,
    /// K where T is one.
    K,
    /// Y where T is one.
    Y,
    /// K T.
    KT,
    /// B T.
    BT,
    /// Y T.
    YT,
    /// S N.
    SN,
    /// B N.
    BN,
}

/// One contribution: entry `first` of its matrix, times entry `second` for products, to an entry of the result.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Kind.
    pub kind: Kind,
    /// Row of the result.
    pub row: usize,
    /// Column of the result.
    pub col: usize,
    first: u32,
    second: u32,
}

/// The entries of a matrix that can differ from zero: row, column, place.
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

/// Which columns of A T a column of A goes to: pairs of the column and the place of the number of T, none where that is one.
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

/// All contributions to the matrix of a model with these nonzeros, these factors and the places of their tangent operators.
pub fn terms(
    t: &Tangents<Nonzero>,
    direction: &Mat<Nonzero>,
    factors: &[(Factor, usize)],
    stabilized: bool,
) -> Vec<Term> {
    let (n_v, m) = (t.s.rows(), t.b.rows());
    let mut starts = Vec::new();
    factors.iter().fold(0, |at, (f, _)| {
        starts.push(at);
        at + f.dim()
    });
    let (lambda, eta) = (n_v, n_v + m);
    let mut list = Vec::new();
    let mut add = |kind, row, col, first: usize, second: usize| {
        list.push(Term { kind, row, col, first: first as u32, second: second as u32 });
    };
    let (s, k, b, y, n) = (entries(&t.s), entries(&t.k), entries(&t.b), entries(&t.y), entries(direction));
    s.iter().for_each(|&(i, j, at)| add(Kind::S, i, j, at, 0));
    b.iter().for_each(|&(i, j, at)| add(Kind::B, j, lambda + i, at, 0));
    // (A, kind of its product with T, kind where T is one, first row)
    entries(&t.g_lambda).iter().for_each(|&(i, j, at)| add(Kind::G, i, lambda + j, at, 0));
    let mut turning = vec![(&k, Kind::KT, Kind::K, 0), (&b, Kind::BT, Kind::B, lambda)];
    if stabilized {
        turning.push((&y, Kind::YT, Kind::Y, eta));
        b.iter().for_each(|&(i, j, at)| add(Kind::Hidden, eta + i, j, at, 0));
    }
    for (a, product, alone, row) in turning {
        for &(i, col, at) in a {
            for (j, number) in turned(factors, &starts, col) {
                match number {
                    Some(number) => add(product, row + i, j, at, number),
                    None => add(alone, row + i, j, at, 0),
                }
            }
        }
    }
    if stabilized {
        let mut by_column: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        n.iter().for_each(|&(row, col, at)| by_column.entry(col).or_default().push((row, at)));
        for (a, kind, row) in [(&s, Kind::SN, 0), (&b, Kind::BN, eta)] {
            for &(i, col, at) in a {
                for &(j, number) in by_column.get(&col).into_iter().flatten() {
                    add(kind, row + i, eta + j, at, number);
                }
            }
        }
    }
    list
}

/// The contributions of one kind, by entry of the result: its place, then how many terms are its own.
#[derive(Clone, Debug, Default)]
struct Sum {
    targets: Vec<(u32, u32)>,
    terms: Vec<(u32, u32)>,
}

impl Sum {
    fn new(list: &[Term], kind: Kind, place: &impl Fn(usize, usize) -> usize) -> Self {
        let mut by_place: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
        for term in list.iter().filter(|t| t.kind == kind) {
            by_place.entry(place(term.row, term.col)).or_default().push((term.first, term.second));
        }
        Sum {
            targets: by_place.iter().map(|(place, own)| (*place as u32, own.len() as u32)).collect(),
            terms: by_place.into_values().flatten().collect(),
        }
    }

    /// Adds entries of a.
    #[inline(always)]
    fn add<T: Number>(&self, weight: Option<T>, a: &[T], out: &mut [T]) {
        // Entries are not repeated: each has one place, each place may have several.
        let mut terms = self.terms.iter();
        for &(place, n) in &self.targets {
            for (first, _) in terms.by_ref().take(n as usize) {
                let x = a[*first as usize];
                out[place as usize] += weight.map_or(x, |w| w * x);
            }
        }
    }

    /// Adds sums of products of entries of a and b.
    #[inline(always)]
    fn multiply<T: Number>(&self, weight: Option<T>, a: &[T], b: &[T], out: &mut [T]) {
        let mut terms = &self.terms[..];
        for &(place, n) in &self.targets {
            let (own, rest) = terms.split_at(n as usize);
            let mut sum = T::zero();
            for (first, second) in own {
                sum += a[*first as usize] * b[*second as usize];
            }
            out[place as usize] += weight.map_or(sum, |w| w * sum);
            terms = rest;
        }
    }
}

/// The matrix of a batch.
#[derive(Clone, Debug, Default)]
pub struct Contributions {
    stabilized: bool,
    s: Sum,
    b: Sum,
    hidden: Sum,
    g: Sum,
    k: Sum,
    y: Sum,
    kt: Sum,
    bt: Sum,
    yt: Sum,
    sn: Sum,
    bn: Sum,
}

impl Contributions {
    /// Contributions with the places of their entries.
    pub fn new(list: Vec<Term>, stabilized: bool, place: impl Fn(usize, usize) -> usize) -> Self {
        let of = |kind| Sum::new(&list, kind, &place);
        Contributions {
            stabilized,
            s: of(Kind::S),
            b: of(Kind::B),
            hidden: of(Kind::Hidden),
            g: of(Kind::G),
            k: of(Kind::K),
            y: of(Kind::Y),
            kt: of(Kind::KT),
            bt: of(Kind::BT),
            yt: of(Kind::YT),
            sn: of(Kind::SN),
            bn: of(Kind::BN),
        }
    }

    /// True if there are rows and columns of eta.
    pub fn is_stabilized(&self) -> bool {
        self.stabilized
    }

    /// Adds all of them.
    #[inline(always)]
    pub fn add<T: Number>(&self, from: &Sources<T>, out: &mut [T]) {
        let t = from.tangents;
        self.s.add(None, t.s.data(), out);
        self.b.add(None, t.b.data(), out);
        self.g.add(None, t.g_lambda.data(), out);
        self.k.add(Some(from.force), t.k.data(), out);
        self.kt.multiply(Some(from.force), t.k.data(), from.turns, out);
        self.bt.multiply(None, t.b.data(), from.turns, out);
        if self.stabilized {
            self.hidden.add(None, t.b.data(), out);
            self.y.add(Some(from.per_dv), t.y.data(), out);
            self.yt.multiply(Some(from.per_dv), t.y.data(), from.turns, out);
            self.sn.multiply(None, t.s.data(), from.direction.data(), out);
            self.bn.multiply(None, t.b.data(), from.direction.data(), out);
        }
    }

    /// Adds M and B of (19) alone, to the rows and columns of coordinates and multipliers.
    pub fn add_saddle<T: Number>(&self, from: &Sources<T>, out: &mut [T]) {
        let t = from.tangents;
        self.s.add(None, t.s.data(), out);
        self.b.add(None, t.b.data(), out);
        self.g.add(None, t.g_lambda.data(), out);
        self.bt.multiply(None, t.b.data(), from.turns, out);
    }
}
