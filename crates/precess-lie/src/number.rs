//! One number or several side by side.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use num_traits::{One, Zero};
use wide::f64x4;

use crate::coefficients;

/// What formulas of rotations and rigid bodies are computed with: `f64`, or [`Lanes`] of them.
pub trait Number:
    Scalar
    + Copy
    + Send
    + Sync
    + Zero
    + One
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + ClosedDivAssign
    + Neg<Output = Self>
{
    /// This number, in every lane.
    fn of(x: f64) -> Self;

    /// Zero where this is positive, elsewhere not a number.
    fn zero_if_positive(self) -> Self;

    /// `cos(Phi/2)` and `sin(Phi/2)/Phi` from `Phi^2`.
    fn half_angle(s: Self) -> [Self; 2];

    /// Coefficients `b`, `c` of the tangent operator (33) from `Phi^2`.
    fn tangent(s: Self) -> [Self; 2];

    /// The number itself; of several side by side the first.
    fn first(self) -> f64;

    /// `yes` where this is positive, `no` elsewhere.
    fn if_positive(self, yes: Self, no: Self) -> Self;

    /// The nearest integer.
    fn round(self) -> Self;

    /// A function of several numbers: `f(lane, x)` is its value and `df(lane, x)` its gradient, which only
    /// numbers with derivatives ask for. Lanes are computed one by one.
    fn compose<const N: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        df: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Self;

    /// Several functions of several numbers, `f(lane, x)`, evaluated once per lane. Their derivatives are not
    /// known: a number that carries one gets NaN there.
    fn map<const N: usize, const M: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Self; M];

    /// A function of `t` and its first two derivatives, `f(lane, t)`.
    #[inline(always)]
    fn motion(t: Self, f: impl Fn(usize, f64) -> [f64; 3]) -> [Self; 3] {
        Self::map([t], |lane, [t]| f(lane, t))
    }

    /// A function of (t, x, v) and its derivatives for x and v, `f(lane, [t, x, v])`.
    #[inline(always)]
    fn slope(at: [Self; 3], f: impl Fn(usize, [f64; 3]) -> [f64; 3]) -> [Self; 3] {
        Self::map(at, f)
    }

    /// Its derivative, for numbers that carry one.
    #[inline]
    fn derivative(self) -> f64 {
        0.0
    }

    /// With this added to its derivative; the number itself where it carries none.
    #[inline]
    fn plus_derivative(self, _: f64) -> Self {
        self
    }

    /// True if all these numbers are zero.
    #[inline]
    fn all_zero<'a>(mut list: impl Iterator<Item = &'a Self>) -> bool
    where
        Self: 'a,
    {
        list.all(|x| x.is_zero())
    }

    /// The square root.
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::compose([self], |_, [x]| x.sqrt(), |_, [x]| [0.5 / x.sqrt()])
    }

    /// Sine and cosine.
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (
            Self::compose([self], |_, [x]| x.sin(), |_, [x]| [x.cos()]),
            Self::compose([self], |_, [x]| x.cos(), |_, [x]| [-x.sin()]),
        )
    }

    /// The angle whose sine and cosine are proportional to this and `cosine`.
    #[inline(always)]
    fn atan2(self, cosine: Self) -> Self {
        let gradient = |[y, x]: [f64; 2]| [x / (x * x + y * y), -y / (x * x + y * y)];
        Self::compose([self, cosine], |_, [y, x]| y.atan2(x), |_, at| gradient(at))
    }
}

impl Number for f64 {
    #[inline(always)]
    fn first(self) -> f64 {
        self
    }

    #[inline(always)]
    fn if_positive(self, yes: f64, no: f64) -> f64 {
        if self > 0.0 { yes } else { no }
    }

    #[inline(always)]
    fn round(self) -> f64 {
        f64::round(self)
    }

    #[inline(always)]
    fn compose<const N: usize>(
        x: [f64; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> f64 {
        f(0, x)
    }

    #[inline(always)]
    fn map<const N: usize, const M: usize>(x: [f64; N], f: impl Fn(usize, [f64; N]) -> [f64; M]) -> [f64; M] {
        f(0, x)
    }

    /// Zero is a number whose bits but for the sign are.
    #[inline]
    fn all_zero<'a>(list: impl Iterator<Item = &'a f64>) -> bool {
        list.fold(0, |bits, x| bits | x.to_bits()) << 1 == 0
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn sin_cos(self) -> (f64, f64) {
        f64::sin_cos(self)
    }

    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn zero_if_positive(self) -> f64 {
        if self > 0.0 { 0.0 } else { f64::NAN }
    }

    #[inline(always)]
    fn half_angle(s: f64) -> [f64; 2] {
        coefficients::half_angle(s)
    }

    #[inline(always)]
    fn tangent(s: f64) -> [f64; 2] {
        coefficients::tangent(s)
    }
}

/// How many numbers [`Lanes`] have.
pub const LANES: usize = 4;

/// Numbers on which everything is done at the same time, in vector registers.
///
/// What happens in one lane does not depend on the others, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes(f64x4);

/// Some of the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Mask(f64x4);

impl Mask {
    /// The lanes that are true.
    #[inline(always)]
    pub fn new(lanes: [bool; LANES]) -> Self {
        Mask(f64x4::new(lanes.map(|is| f64::from_bits(if is { u64::MAX } else { 0 }))))
    }
}

impl Lanes {
    /// These numbers side by side.
    #[inline(always)]
    pub fn new(x: [f64; LANES]) -> Self {
        Lanes(f64x4::new(x))
    }

    /// The numbers one by one.
    #[inline(always)]
    pub fn to_array(self) -> [f64; LANES] {
        self.0.to_array()
    }

    /// The number in a lane.
    #[inline(always)]
    pub fn lane(self, i: usize) -> f64 {
        self.to_array()[i]
    }

    /// Changes the number in a lane.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: f64) {
        let mut all = self.to_array();
        all[i] = x;
        *self = Self::new(all);
    }

    /// Without signs.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Lanes(self.0.abs())
    }

    /// The larger of two numbers, or what is not a number.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        let other_wins = other.0.simd_gt(self.0) | other.0.is_nan();
        Lanes(other_wins.bitselect(other.0, self.0))
    }

    /// This where the mask is true, the other elsewhere.
    #[inline(always)]
    pub fn where_or(self, mask: Mask, other: Self) -> Self {
        Lanes(mask.0.bitselect(self.0, other.0))
    }

    /// Functions of `s` by a series that is accurate up to `SMALL`, lanes beyond it one by one.
    #[inline(always)]
    fn by_series(self, series: impl Fn(Self) -> [Self; 2], alone: impl Fn(f64) -> [f64; 2]) -> [Self; 2] {
        let values = series(self);
        if self.0.simd_le(f64x4::splat(coefficients::SMALL)).all() {
            return values;
        }
        let (s, [mut x, mut y]) = (self.to_array(), values.map(Self::to_array));
        for i in 0..LANES {
            // Negated, so that what is not a number goes this way.
            if !(s[i] <= coefficients::SMALL) {
                [x[i], y[i]] = alone(s[i]);
            }
        }
        [Self::new(x), Self::new(y)]
    }
}

impl Number for Lanes {
    #[inline(always)]
    fn first(self) -> f64 {
        self.lane(0)
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Lanes(self.0.simd_gt(f64x4::ZERO).bitselect(yes.0, no.0))
    }

    #[inline(always)]
    fn round(self) -> Self {
        Self::new(self.to_array().map(f64::round))
    }

    #[inline(always)]
    fn compose<const N: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Self {
        let lanes = x.map(Self::to_array);
        Self::new(std::array::from_fn(|i| f(i, lanes.map(|x| x[i]))))
    }

    #[inline(always)]
    fn map<const N: usize, const M: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Self; M] {
        let lanes = x.map(Self::to_array);
        let values: [[f64; M]; LANES] = std::array::from_fn(|i| f(i, lanes.map(|x| x[i])));
        std::array::from_fn(|k| Self::new(values.map(|y| y[k])))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Lanes(self.0.sqrt())
    }

    #[inline(always)]
    fn of(x: f64) -> Self {
        Lanes(f64x4::splat(x))
    }

    #[inline(always)]
    fn zero_if_positive(self) -> Self {
        let is = self.0.simd_gt(f64x4::ZERO);
        Lanes(is.bitselect(f64x4::ZERO, f64x4::splat(f64::NAN)))
    }

    #[inline(always)]
    fn half_angle(s: Self) -> [Self; 2] {
        s.by_series(coefficients::half_angle_series, coefficients::half_angle)
    }

    #[inline(always)]
    fn tangent(s: Self) -> [Self; 2] {
        s.by_series(coefficients::tangent_series, coefficients::tangent)
    }
}

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Lanes(self.0 $op other.0)
            }
        }
        impl $assign for Lanes {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
operator!(Add add, AddAssign add_assign, +);
operator!(Sub sub, SubAssign sub_assign, -);
operator!(Mul mul, MulAssign mul_assign, *);
operator!(Div div, DivAssign div_assign, /);

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Lanes(-self.0)
    }
}

impl Zero for Lanes {
    #[inline(always)]
    fn zero() -> Self {
        Lanes(f64x4::ZERO)
    }
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.0 == f64x4::ZERO
    }
}

impl One for Lanes {
    #[inline(always)]
    fn one() -> Self {
        Lanes(f64x4::ONE)
    }
}
