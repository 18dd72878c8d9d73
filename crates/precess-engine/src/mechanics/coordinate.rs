//! Coordinates of two bodies: an angle or a displacement, as joints have them, or the distance of two points.
//! Forces along a coordinate, gears, controls, expressions and sensors use them.
//!
//! An angle counts turns. The angle of the poses lies in (-pi, pi]. Full turns are added so that it is next
//! to the angle predicted from the last accepted step, `theta_n + (t - t_n) theta'_n`. These three numbers
//! are the memory of the coordinate. They do not change while a step is iterated, and the angle may deviate
//! from the prediction by less than half a turn per step.

use nalgebra::{SVector, Vector1, Vector3};
use precess_lie::Number;

use super::kernels::{
    Angle, Blocks, Length, Marker, Measure, Offset, Pair, PairBlocks, PairMotion, Row, unwrap_angle,
};
use super::links::{Bodies, Derivative, Link, Parts};
use super::system::At;
use super::tangents::Tangents;
use crate::mechanics::combine::combine;

/// Numbers in the memory of an angle: its value, its rate and the time of the last accepted step.
pub const MEMORY: usize = 3;

/// The measure of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoordinateKind<T = f64> {
    /// Angle about axis 3 of the first marker.
    Angle(Angle<T>),
    /// Displacement along axis 3 of the first marker.
    Displacement(Offset<1, T>),
    /// Distance of two points.
    Distance(Length<T>),
}

/// A coordinate of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate<T = f64> {
    /// The bodies.
    pub link: Link,
    /// Angle, displacement or distance.
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

    /// Displacement axis . (r - origin) of a point r of a body, which is given in its frame; axis and origin
    /// are given in space.
    pub fn displacement_in_space(
        body: usize,
        point: Vector3<T>,
        axis: Vector3<T>,
        origin: Vector3<T>,
    ) -> Self {
        let measure = Offset::displacement([axis], origin, point);
        let link = Link { a: None, b: Some(body) };
        Coordinate { link, motion: CoordinateKind::Displacement(measure), zero: T::zero(), memory: None }
    }

    /// Distance of points of two bodies, given in their frames, rounded at zero by the length `rounding`.
    pub fn distance(link: Link, points: [Vector3<T>; 2], rounding: T) -> Self {
        let measure = Length::new(points[0], points[1], rounding);
        Coordinate { link, motion: CoordinateKind::Distance(measure), zero: T::zero(), memory: None }
    }

    /// Distance of points of two bodies. At zero it has no direction and no derivative.
    pub fn sharp_distance(link: Link, points: [Vector3<T>; 2]) -> Self {
        Self::distance(link, points, T::of(f64::MIN_POSITIVE))
    }

    /// True for an angle.
    pub fn is_angle(&self) -> bool {
        matches!(self.motion, CoordinateKind::Angle(_))
    }

    /// Value at given poses with an explicit memory.
    #[inline]
    pub(crate) fn value(&self, pair: &Pair<T>, t: T, memory: &[T]) -> T {
        let raw = match &self.motion {
            CoordinateKind::Displacement(d) => d.value(pair).x,
            CoordinateKind::Distance(d) => d.value(pair).x,
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

    /// Poses, velocities and rate. The value is not measured, and zero.
    #[inline]
    pub fn read_rate(&self, bodies: &Bodies<T>, at: &At<T>) -> Reading<T> {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at));
        Reading { pair, v, x: T::zero(), rate: self.motion.bv(&pair, &v).x }
    }

    /// B v.
    #[inline]
    pub fn rate(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        self.motion.bv(&bodies.pair(self.link, at.q), &bodies.motion(self.link, at)).x
    }

    /// B v' + Z(v, v).
    pub fn acceleration(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        let pair = bodies.pair(self.link, at.q);
        let (v, vdot) = (bodies.motion(self.link, at), bodies.acceleration(self.link, at));
        self.motion.bv(&pair, &vdot).x + self.motion.z(&pair, &v).x
    }

    /// Its row of B.
    pub fn row(&self, bodies: &Bodies<T>, at: &At<T>) -> Row<T> {
        let [row] = self.motion.rows(&bodies.pair(self.link, at.q));
        row
    }

    /// Its row of Y = D_q(B v).
    pub fn turned_row(&self, bodies: &Bodies<T>, at: &At<T>) -> Row<T> {
        let pair = bodies.pair(self.link, at.q);
        let [row] = self.motion.y_rows(&pair, &bodies.motion(self.link, at));
        row
    }

    /// The force B^T s.
    #[inline]
    pub fn force(&self, bodies: &Bodies<T>, at: &At<T>, s: T) -> Row<T> {
        self.motion.bt_lambda(&bodies.pair(self.link, at.q), &Vector1::new(s))
    }

    /// Adds D_q(B^T s) to K.
    pub fn add_stiffness(&self, bodies: &Bodies<T>, at: &At<T>, s: T, out: &mut Tangents<T>) {
        let (pair, s) = (bodies.pair(self.link, at.q), Vector1::new(s));
        let mut k = PairBlocks::zero();
        self.motion.add_k(&pair, &s, &mut k);
        bodies.add_blocks(self.link, Parts::ALL, &k, (Derivative::Stiffness, at), out);
        if bodies.has_node(self.link) {
            let force = self.motion.bt_lambda(&pair, &s);
            bodies.add_bending(self.link, &force, None::<&PairBlocks<T>>, at, out);
        }
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
            CoordinateKind::Displacement(_) | CoordinateKind::Distance(_) => false,
        }
    }
}

/// Dispatches to the measure; the value of an angle is not unwrapped here.
macro_rules! each {
    ($self:expr, $measure:ident => $body:expr) => {
        match $self {
            CoordinateKind::Angle($measure) => $body,
            CoordinateKind::Displacement($measure) => $body,
            CoordinateKind::Distance($measure) => $body,
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
        Distance(x),
    }
);
combine!(struct Coordinate { link, motion, zero, memory });
