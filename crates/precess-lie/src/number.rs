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
}

impl Number for f64 {
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
