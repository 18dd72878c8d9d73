//! The thread of a screw couples rotation and displacement along one axis.

use nalgebra::{Matrix3, Vector1, Vector3};
use precess_lie::Number;

use super::chain::{Chain, Outer};
use super::directions::Directions;
use super::offset::Offset;
use super::pose::{Marker, Pair, PairMotion};
use super::row::{Blocks, Measure, Row};
use crate::mechanics::combine::combine;

/// Sine and cosine of the angle about axis 3 of marker a, and the displacement along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Helix<T = f64> {
    /// a_2 . b_1 and a_1 . b_1.
    pub angle: Directions<2, T>,
    /// Displacement of the point of b along a_3.
    pub offset: Offset<1, T>,
}

impl<T: Number> Measure<3, T> for Helix<T> {
    #[inline]
    fn value(&self, pair: &Pair<T>) -> Vector3<T> {
        let y = self.angle.value(pair);
        Vector3::new(y.x, y.y, self.offset.value(pair).x)
    }

    #[inline]
    fn rows(&self, pair: &Pair<T>) -> [Row<T>; 3] {
        let ([s, c], [z]) = (self.angle.rows(pair), self.offset.rows(pair));
        [s, c, z]
    }

    #[inline]
    fn z(&self, pair: &Pair<T>, v: &PairMotion<T>) -> Vector3<T> {
        let y = self.angle.z(pair, v);
        Vector3::new(y.x, y.y, self.offset.z(pair, v).x)
    }

    #[inline]
    fn y_rows(&self, pair: &Pair<T>, v: &PairMotion<T>) -> [Row<T>; 3] {
        let ([s, c], [z]) = (self.angle.y_rows(pair, v), self.offset.y_rows(pair, v));
        [s, c, z]
    }

    #[inline]
    fn add_k(&self, pair: &Pair<T>, lambda: &Vector3<T>, k: &mut impl Blocks<T>) {
        self.angle.add_k(pair, &lambda.xy(), k);
        self.offset.add_k(pair, &Vector1::new(lambda.z), k);
    }
}

/// The function `scale sin(turn z - theta)` of `(sin theta, cos theta, z)`: it vanishes on the thread and
/// needs no count of turns. It cannot distinguish theta from theta + pi: the value is NaN on the wrong side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnThread<T = f64> {
    /// Angle per displacement, `2 pi / pitch`.
    pub turn: T,
    /// `1 / (turn L)`: a small displacement off the thread counts as a length.
    pub scale: T,
}

impl<T: Number> Outer<3, T> for OnThread<T> {
    #[inline]
    fn value(&self, y: &Vector3<T>) -> T {
        let (sin, cos) = (self.turn * y.z).sin_cos();
        let same_side = y.y * cos + y.x * sin;
        same_side.if_positive((y.y * sin - y.x * cos) * self.scale, T::of(f64::NAN))
    }

    #[inline]
    fn gradient(&self, y: &Vector3<T>) -> Vector3<T> {
        let (sin, cos) = (self.turn * y.z).sin_cos();
        Vector3::new(-cos, sin, (y.y * cos + y.x * sin) * self.turn) * self.scale
    }

    #[inline]
    fn hessian(&self, y: &Vector3<T>) -> Matrix3<T> {
        let (sin, cos) = (self.turn * y.z).sin_cos();
        let (of_s, of_c) = (sin * self.turn, cos * self.turn);
        let of_z = (y.x * cos - y.y * sin) * self.turn * self.turn;
        let o = T::zero();
        Matrix3::new(o, o, of_s, o, o, of_c, of_s, of_c, of_z) * self.scale
    }
}

/// One row: the second body stays on the thread. `lambda / L` is the force along the axis, and
/// `lambda pitch / (2 pi L)` the torque about it.
pub type Thread<T = f64> = Chain<3, Helix<T>, OnThread<T>>;

impl<T: Number> Thread<T> {
    /// A thread along axis 3 of marker a that moves b by `pitch` per turn, right-handed if positive; `length`
    /// is the length scale.
    pub fn new(a: &Marker<T>, b: &Marker<T>, pitch: T, length: T) -> Self {
        let turn = T::of(std::f64::consts::TAU) / pitch;
        Chain {
            inner: Helix {
                angle: Directions::perpendicular([a.axis(1), a.axis(0)], b.axis(0)),
                offset: Offset::displacement([a.axis(2)], a.p, b.p),
            },
            outer: OnThread { turn, scale: T::one() / (turn * length) },
        }
    }
}

combine!(struct Helix { angle, offset });
combine!(struct OnThread { turn, scale });
