//! What coordinates describe, block by block: lengths, rotations, or numbers from which a rotation follows.
//!
//! A user sees where a body is, how it is turned, and its velocities. Errors are measured as such, whatever
//! the coordinates: an error of Euler parameters counts as the angle by which it turns the body, and an error
//! of their rates as the angular velocity that comes with it. With coordinates p of a rotation both are
//! linear in a small change dp, dp':
//!
//! ```text
//! angle             A dp                  A = A(p)
//! angular velocity  A dp' + C dp          C = C(p, p')
//! ```
//!
//! C dp is what a change of the rotation alone would do to the angular velocity. It is much larger than the
//! change the user sees where the whole motion is turned, and cancels then.

use std::ops::Range;

use precess_lie::{Factor, Product};

/// What a block of coordinates is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Describes {
    /// A position, in m.
    Length,
    /// A rotation of the group, in rad.
    Rotation,
    /// Coordinates without unit from which a rotation follows; what they look like says [`Sight`].
    Orientation,
}

/// Neighbouring coordinates that describe one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What they describe.
    pub describes: Describes,
    /// Places in q.
    pub q: Range<usize>,
    /// Places in v.
    pub v: Range<usize>,
}

impl Block {
    /// Rotation and translation of each factor; linear factors are lengths.
    pub fn of(group: &Product) -> Vec<Block> {
        let mut list = Vec::new();
        let mut add = |describes, q, v| list.push(Block { describes, q, v });
        for (i, factor) in group.factors().iter().enumerate() {
            let (q, v) = (group.q_range(i), group.v_range(i));
            match factor {
                Factor::Rn(_) => add(Describes::Length, q, v),
                Factor::SO3 => add(Describes::Rotation, q, v),
                Factor::R3xSO3 | Factor::SE3 => {
                    add(Describes::Rotation, q.start..q.start + 4, v.start..v.start + 3);
                    add(Describes::Length, q.start + 4..q.end, v.start + 3..v.end);
                }
            }
        }
        list
    }

    /// True for positions.
    #[inline]
    pub fn is_length(&self) -> bool {
        self.describes == Describes::Length
    }
}

/// Most coordinates of an orientation: three directors.
pub const WIDEST: usize = 9;

/// A and C of a block that describes an orientation, see [`block`](self). Further rows may measure what is
/// not a rotation, the stretch of directors, in the same units.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    n: usize,
    /// Radians by which the coordinates oscillate while the body turns by two.
    pub oscillation: f64,
    a: [[f64; WIDEST]; WIDEST],
    c: [[f64; WIDEST]; WIDEST],
}

impl Sight {
    /// Of n coordinates, at most [`WIDEST`]; changes are seen as they are.
    pub fn new(n: usize) -> Self {
        let mut a = [[0.0; WIDEST]; WIDEST];
        for (i, row) in a.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        Sight { n: n.min(WIDEST), oscillation: 1.0, a, c: [[0.0; WIDEST]; WIDEST] }
    }

    /// Entry (i, j) of A.
    pub fn set_a(&mut self, i: usize, j: usize, x: f64) {
        self.a[i][j] = x;
    }

    /// Entry (i, j) of C.
    pub fn set_c(&mut self, i: usize, j: usize, x: f64) {
        self.c[i][j] = x;
    }

    /// |A dp|: an angle, or an angular velocity.
    pub fn size(&self, dp: &[f64]) -> f64 {
        let rows = self.a[..self.n].iter();
        rows.map(|a| product(a, dp)).fold(0.0, |sum, x| sum + x * x).sqrt()
    }

    /// |A dp' + C dp|, the angular velocity of changes of the coordinates and of their rates.
    pub fn size_of_rate(&self, dp: &[f64], rate: &[f64]) -> f64 {
        let rows = self.a.iter().zip(&self.c).take(self.n);
        rows.map(|(a, c)| product(a, rate) + product(c, dp)).fold(0.0, |sum, x| sum + x * x).sqrt()
    }
}

fn product(row: &[f64; WIDEST], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a * x).sum()
}
