//! The meaning of coordinates, block by block: lengths, rotations, or numbers from which a rotation follows.
//!
//! A user sees the position of a body, its rotation, and its velocities. Errors are measured as errors of
//! these, whatever the coordinates. An error of Euler parameters counts as the angle by which it turns the
//! body, and an error of their rates as the resulting angular velocity. With coordinates p of a rotation both
//! are linear in a small change dp, dp':
//!
//! ```text
//! angle             A dp                  A = A(p)
//! angular velocity  A dp' + C dp          C = C(p, p')
//! ```
//!
//! C dp is the change of the angular velocity caused by the change of the rotation alone. If the whole motion
//! is turned, it is much larger than the visible change, and cancels.

use std::ops::Range;

use precess_lie::{Factor, Product};

/// Meaning of a block of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Describes {
    /// A position, in m.
    Length,
    /// A rotation of the group, in rad.
    Rotation,
    /// Coordinates without unit from which a rotation follows; [`Sight`] gives their visible effect.
    Orientation,
}

/// Neighbouring coordinates that describe one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Their meaning.
    pub describes: Describes,
    /// Indices in q.
    pub q: Range<usize>,
    /// Indices in v.
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

/// Largest number of coordinates of an orientation: three directors.
pub const WIDEST: usize = 9;

/// A and C of a block that describes an orientation, see `block`. Further rows may measure deviations
/// from a rotation, for example the stretch of directors, in the same units.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    n: usize,
    /// Radians by which the coordinates oscillate while the body turns by two radians.
    pub oscillation: f64,
    a: [[f64; WIDEST]; WIDEST],
    c: [[f64; WIDEST]; WIDEST],
}

impl Sight {
    /// For n coordinates, at most `WIDEST`; A is the identity.
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
