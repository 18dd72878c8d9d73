//! Joint coordinates: the angle about, or the displacement along, axis 3 of a joint.
//!
//! An angle counts turns. The angle of the poses lies in (-pi, pi]. Full turns are added so that it is next
//! to the angle predicted from the last accepted step, `theta_n + (t - t_n) theta'_n`. These three numbers
//! are the memory of the coordinate. They do not change while a step is iterated, and the angle may deviate
//! from the prediction by less than half a turn per step.

use nalgebra::{SVector, Vector1};
use precess_lie::Number;

use super::kernels::{Angle, Blocks, Marker, Measure, Offset, Pair, PairMotion, Row, unwrap_angle};
use super::links::{Bodies, Link};
use super::system::At;
use crate::mechanics::combine::combine;

/// Numbers in the memory of an angle: its value, its rate and the time of the last accepted step.
pub const MEMORY: usize = 3;

/// The quantity between the markers of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoordinateKind<T = f64> {
    /// Angle about axis 3 of the first marker.
    Angle(Angle<T>),
    /// Displacement along axis 3 of the first marker.
    Displacement(Offset<1, T>),
}

/// A joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate<T = f64> {
    /// The bodies.
    pub link: Link,
    /// Angle or displacement.
    pub motion: CoordinateKind<T>,
    /// Value in the assembled positions, where the measure itself is zero.
    pub zero: T,
    /// First entry in the memory of an angle that counts turns.
    pub memory: Option<usize>,
}

/// A coordinate and its bodies at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Reading<T = f64> {
    /// Poses.
    pub pair: Pair<T>,
    /// Velocities.
    pub v: PairMotion<T>,
    /// Value of the coordinate; NaN if an angle is not defined.
    pub x: T,
    /// Its rate.
    pub rate: T,
}

impl<T: Number> Coordinate<T> {
    /// Rotation of b about axis 3 of a.
    pub fn angle(link: Link, a: &Marker<T>, b: &Marker<T>, zero: T) -> Self {
        Coordinate { link, motion: CoordinateKind::Angle(Angle::new(a, b)), zero, memory: None }
    }

    /// Displacement of the point of b along axis 3 of a.
    pub fn displacement(link: Link, a: &Marker<T>, b: &Marker<T>, zero: T) -> Self {
        let measure = Offset::displacement([a.axis(2)], a.p, b.p);
        Coordinate { link, motion: CoordinateKind::Displacement(measure), zero, memory: None }
    }

    /// True for an angle.
    pub fn is_angle(&self) -> bool {
        matches!(self.motion, CoordinateKind::Angle(_))
    }

    /// Value at given poses with an explicit memory.
    #[inline]
    fn value(&self, pair: &Pair<T>, t: T, memory: &[T]) -> T {
        let raw = match &self.motion {
            CoordinateKind::Displacement(d) => d.value(pair).x,
            CoordinateKind::Angle(angle) => {
                let raw = angle.value(pair).x;
                let counted = match self.memory.and_then(|i| memory.get(i..i + MEMORY)) {
                    Some(m) => unwrap_angle(raw, m[0] + (t - m[2]) * m[1]),
                    None => raw,
                };
                (T::of(Angle::MIN_MARGIN) - angle.margin(pair)).if_positive(T::of(f64::NAN), counted)
            }
        };
        self.zero + raw
    }

    /// Poses, velocities, value and rate.
    #[inline]
    pub fn read(&self, bodies: &Bodies<T>, at: &At<T>) -> Reading<T> {
        let pair = bodies.pair(self.link, at.q);
        let v = bodies.motion(self.link, at);
        Reading { pair, v, x: self.value(&pair, at.t, at.memory), rate: self.motion.bv(&pair, &v).x }
    }

    /// Value only.
    #[inline]
    pub fn position(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.value(&bodies.pair(self.link, at.q), at.t, at.memory)
    }

    /// Updates the memory after an accepted step. An undefined angle leaves it unchanged.
    pub fn remember(&self, bodies: &Bodies<T>, at: &At<T>, memory: &mut [T]) {
        let Some(first) = self.memory else { return };
        let pair = bodies.pair(self.link, at.q);
        let x = self.value(&pair, at.t, memory) - self.zero;
        let rate = self.motion.bv(&pair, &bodies.motion(self.link, at)).x;
        // NaN times zero is not zero.
        let known = (x * T::zero() + rate * T::zero() + T::one()).if_positive(T::one(), T::zero());
        for (old, new) in memory[first..first + MEMORY].iter_mut().zip([x, rate, at.t]) {
            *old = known.if_positive(new, *old);
        }
    }

    /// True near the poses where the angle is not defined.
    pub fn is_singular(&self, bodies: &Bodies<T>, q: &[T]) -> bool {
        match &self.motion {
            CoordinateKind::Angle(angle) => {
                !(angle.margin(&bodies.pair(self.link, q)).first() >= Angle::MIN_MARGIN)
            }
            CoordinateKind::Displacement(_) => false,
        }
    }
}

/// Dispatches to the measure; the value of an angle is not unwrapped here.
macro_rules! each {
    ($self:expr, $measure:ident => $body:expr) => {
        match $self {
            CoordinateKind::Angle($measure) => $body,
            CoordinateKind::Displacement($measure) => $body,
        }
    };
}

impl<T: Number> Measure<1, T> for CoordinateKind<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> SVector<T, 1> {
        each!(self, m => m.value(pair))
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 1] {
        each!(self, m => m.rows(pair))
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, 1> {
        each!(self, m => m.z(pair, v))
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 1] {
        each!(self, m => m.y_rows(pair, v))
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector1<T>, k: &mut impl Blocks<T>) {
        each!(self, m => m.add_k(pair, lambda, k))
    }

    #[inline]
    fn bt_lambda(&self, pair: &Pair<T>, lambda: &Vector1<T>) -> Row<T> {
        each!(self, m => m.bt_lambda(pair, lambda))
    }

    #[inline]
    fn bv(&self, pair: &Pair<T>, v: &PairMotion<T>) -> SVector<T, 1> {
        each!(self, m => m.bv(pair, v))
    }
}

combine!(
    enum CoordinateKind {
        Angle(x),
        Displacement(x),
    }
);
combine!(struct Coordinate { link, motion, zero, memory });
