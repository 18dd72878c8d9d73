//! A joint in the assembled system: its rows between two bodies, their position in Phi, and whether they
//! hold.

use precess_lie::matrix::SmallMatrix;
use std::ops::Range;

use precess_lie::Number;

use super::coordinate::Coordinate;
use super::event::Switch;
use super::joints::{Frame, JointKind, JointRows, When};
use super::kernels::{Marker, Pair, Row};
use super::links::{Bodies, Link, Parts};
use super::system::At;
use crate::mechanics::combine::combine;

/// A joint in the assembled system. Its coordinates follow from its markers and are not stored: there may be
/// a hundred thousand joints.
#[derive(Clone, Debug)]
pub struct Joint<T = f64> {
    /// The bodies.
    pub link: Link,
    /// Constraint rows.
    pub rows: Vec<JointRows<T>>,
    /// Its rows in Phi and lambda.
    pub range: Range<usize>,
    /// The parts of D_q(B^T lambda).
    pub parts: Parts,
    /// Switches for events; most joints have none and always hold.
    pub switches: Option<Box<Switches>>,
    /// Kind.
    pub kind: JointKind,
    /// Point and axes on the first body.
    pub marker_a: Marker<T>,
    /// Point and axes on the second body.
    pub marker_b: Marker<T>,
    /// Value of its coordinate in the assembled positions.
    pub zero: T,
    /// Index of its turns in the memory, if its angle is used.
    pub memory: Option<usize>,
    /// Name, unique in its model.
    pub name: String,
}

/// The switches of a joint and of its drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Switch of the joint. While it is off, the multipliers of the joint are zero.
    pub joint: Switch,
    /// Switch of its drive.
    pub drive: Switch,
    /// Index in the memory of the shift of a drive that was turned on.
    pub drive_shift: Option<usize>,
}

impl Switches {
    fn shift<T: Number>(&self, memory: &[T]) -> T {
        self.drive_shift.and_then(|i| memory.get(i)).copied().unwrap_or_else(T::zero)
    }
}

impl Joint {
    /// A joint that always holds, with its rows at the beginning of Phi; `zero` is its coordinate in the
    /// assembled positions.
    pub fn new(
        name: &str,
        kind: JointKind,
        link: Link,
        frame: &Frame,
        rows: Vec<JointRows>,
        zero: f64,
    ) -> Self {
        Joint {
            link,
            range: 0..rows.iter().map(JointRows::len).sum(),
            parts: Parts {
                coupled: rows.iter().any(JointRows::is_curved),
                translations: rows.iter().any(JointRows::reads_translations),
            },
            rows,
            switches: None,
            kind,
            marker_a: frame.a,
            marker_b: frame.b,
            zero,
            memory: None,
            name: name.to_string(),
        }
    }
}

impl<T: Number> Joint<T> {
    /// Angle about a_3, if the joint has one; it counts turns once it is [watched](super::Multibody::watch).
    pub fn angle(&self) -> Option<Coordinate<T>> {
        let coordinate = || Coordinate::angle(self.link, &self.marker_a, &self.marker_b, self.zero);
        self.kind.has_angle().then(|| Coordinate { memory: self.memory, ..coordinate() })
    }

    /// Displacement along a_3, if the joint has one.
    pub fn displacement(&self) -> Option<Coordinate<T>> {
        let zero = if self.kind.has_angle() { T::zero() } else { self.zero };
        let coordinate = || Coordinate::displacement(self.link, &self.marker_a, &self.marker_b, zero);
        self.kind.has_displacement().then(coordinate)
    }

    /// The angle or, without one, the displacement.
    pub fn coordinate(&self) -> Option<Coordinate<T>> {
        self.angle().or_else(|| self.displacement())
    }

    /// Its switches, mutable.
    pub fn switches_mut(&mut self) -> &mut Switches {
        self.switches.get_or_insert_default()
    }

    /// True if it has a drive; drives come last.
    pub fn is_driven(&self) -> bool {
        matches!(self.rows.last(), Some(JointRows::Drive(_)))
    }

    /// True if an event turns it or its drive on or off.
    #[inline(always)]
    pub fn is_switched(&self) -> bool {
        self.switches.is_some()
    }

    /// True if it holds.
    #[inline(always)]
    pub fn holds(&self, memory: &[T]) -> bool {
        self.switches.as_ref().is_none_or(|s| s.joint.is_on(memory))
    }

    /// True if this row holds. Rows of drives come last.
    pub fn holds_row(&self, row: usize, memory: &[T]) -> bool {
        let drives = self.rows.iter().filter(|rows| matches!(rows, JointRows::Drive(_))).count();
        let driven = row + drives >= self.range.end;
        let drive_acts = self.switches.as_ref().is_none_or(|s| s.drive.is_on(memory));
        self.holds(memory) && (drive_acts || !driven)
    }

    /// Poses of its bodies; the relative pose only if its rows read it.
    #[inline(always)]
    pub fn pair(&self, bodies: &Bodies<T>, q: &[T]) -> Pair<T> {
        if self.is_curved() { bodies.joint_pair(self.link, q) } else { bodies.pair_in_space(self.link, q) }
    }

    /// Sets rows that do not hold to zero; `out` begins with row `first`.
    #[inline(always)]
    pub fn clear_if_switched(&self, first: usize, out: &mut [T]) {
        if self.is_switched() {
            out[self.range.start - first..self.range.end - first].fill(T::zero());
        }
    }

    /// Calls `f(rows, first row, when)` for the groups of rows that hold.
    #[inline(always)]
    pub fn each_rows(&self, at: &At<T>, mut f: impl FnMut(&JointRows<T>, usize, When<T>)) {
        let (driven, shift) = match &self.switches {
            None => (true, T::zero()),
            Some(s) if s.joint.is_on(at.memory) => (s.drive.is_on(at.memory), s.shift(at.memory)),
            Some(_) => return,
        };
        let mut first = self.range.start;
        for rows in &self.rows {
            // The drive comes last.
            if driven || !matches!(rows, JointRows::Drive(_)) {
                f(rows, first, When { t: at.t, shift });
                first += rows.len();
            }
        }
    }

    /// B^T lambda on its two bodies.
    #[inline(always)]
    pub fn bt_lambda(&self, pair: &Pair<T>, at: &At<T>) -> Row<T> {
        let mut force = Row::zero();
        self.each_rows(
            at,
            #[inline(always)]
            |rows, first, when| {
                force += rows.bt_lambda(when, pair, &at.lambda[first..first + rows.len()]);
            },
        );
        force
    }

    /// True if B^T lambda on one body depends on the pose of the other.
    #[inline(always)]
    pub fn is_curved(&self) -> bool {
        self.parts.coupled
    }

    /// Zero, or NaN if the second body is on the wrong side: the rows also hold there, after half a turn.
    #[inline(always)]
    pub fn wrong_side(&self, pair: &Pair<T>, memory: &[T]) -> T {
        let mut sum = T::zero();
        if self.is_curved() {
            let upright = self.kind.upright();
            for k in (0..3).filter(|&k| upright[k]) {
                let cosine = self.marker_a.axis(k).inner(&(pair.r_ab * self.marker_b.axis(k)));
                sum += cosine.zero_if_positive();
            }
        }
        if sum.is_zero() || self.holds(memory) { sum } else { T::zero() }
    }
}

combine!(struct Joint {
    link, rows, range, parts, switches, kind, marker_a, marker_b, zero, memory, name
});

crate::mechanics::combine::same!(Switches);
