//! Several numbers side by side.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};

use crate::vector_unit::VectorUnit;
use crate::{Number, coefficients};

/// The number of values in [`Lanes`].
pub const LANES: usize = 4;

/// The array of `f(0)`, `f(1)` and so on. It is always inlined.
#[inline(always)]
fn each<R>(f: impl Fn(usize) -> R) -> [R; LANES] {
    [f(0), f(1), f(2), f(3)]
}

/// Numbers that are computed at the same time, in vector registers.
///
/// The result in one lane does not depend on the others, to the last bit. The numbers are in a plain array,
/// because the compiler turns array operations into operations of whole registers. A register has two
/// numbers. Inside [`vectorize`](Number::vectorize), it has four if the processor supports this.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes([f64; LANES]);

/// A selection of lanes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Mask([u64; LANES]);

impl Mask {
    /// Selects the lanes that are true.
    #[inline(always)]
    pub fn new(lanes: [bool; LANES]) -> Self {
        Mask(lanes.map(|is| if is { u64::MAX } else { 0 }))
    }
}

impl Lanes {
    /// Puts these numbers side by side.
    #[inline(always)]
    pub fn new(x: [f64; LANES]) -> Self {
        Lanes(x)
    }

    /// True if this processor supports lanes. On x86-64 it needs registers of four numbers (AVX2 and FMA,
    /// since 2013).
    pub fn are_available() -> bool {
        VectorUnit::detect().is_some()
    }

    /// The numbers as an array.
    #[inline(always)]
    pub fn to_array(self) -> [f64; LANES] {
        self.0
    }

    /// The number in a lane.
    #[inline(always)]
    pub fn lane(self, i: usize) -> f64 {
        self.0[i]
    }

    /// Changes the number in a lane.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: f64) {
        self.0[i] = x;
    }

    /// Absolute values.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Lanes(each(|i| f64::abs(self.0[i])))
    }

    /// The larger of two numbers, or NaN if one is NaN.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        Lanes(each(|i| larger(self.0[i], other.0[i])))
    }

    /// This number where the mask is true, the other one elsewhere.
    #[inline(always)]
    pub fn where_or(self, mask: Mask, other: Self) -> Self {
        let pick = |m: u64, a: f64, b: f64| f64::from_bits((a.to_bits() & m) | (b.to_bits() & !m));
        Lanes(each(|i| pick(mask.0[i], self.0[i], other.0[i])))
    }

    /// Functions of `s`: `series` where `s` is at most `SMALL`, and `alone(s)` in the other lanes.
    #[inline(always)]
    fn or_alone(self, series: [Self; 2], alone: impl Fn(f64) -> [f64; 2]) -> [Self; 2] {
        if self.0.iter().all(|s| *s <= coefficients::SMALL) {
            return series;
        }
        let (s, [mut x, mut y]) = (self.0, series.map(Self::to_array));
        for i in 0..LANES {
            // The condition is negated so that NaN also takes this branch.
            if !(s[i] <= coefficients::SMALL) {
                [x[i], y[i]] = alone(s[i]);
            }
        }
        [Self::new(x), Self::new(y)]
    }
}

impl Number for Lanes {
    const ZERO: Self = Lanes([0.0; LANES]);

    #[inline(always)]
    fn first(self) -> f64 {
        self.lane(0)
    }

    #[inline(always)]
    fn shared(self) -> Option<f64> {
        let [first, ..] = self.0.map(f64::to_bits);
        self.0.iter().all(|x| x.to_bits() == first).then(|| self.first())
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Lanes(each(|i| if self.0[i] > 0.0 { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn round(self) -> Self {
        Lanes(each(|i| f64::round(self.0[i])))
    }

    #[inline(always)]
    fn compose<const N: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Self {
        let lanes = x.map(Self::to_array);
        Self::new(each(|i| f(i, lanes.map(|x| x[i]))))
    }

    #[inline(always)]
    fn map<const N: usize, const M: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Self; M] {
        let lanes = x.map(Self::to_array);
        let values: [[f64; M]; LANES] = each(|i| f(i, lanes.map(|x| x[i])));
        std::array::from_fn(|k| Self::new(values.map(|y| y[k])))
    }

    /// A number is zero if all its bits except the sign are zero.
    #[inline(always)]
    fn all_zero<'a>(list: impl Iterator<Item = &'a Lanes>) -> bool {
        let or = |bits: [u64; LANES], x: &Lanes| each(|i| bits[i] | x.0[i].to_bits());
        list.fold([0; LANES], or).iter().fold(0, |bits, x| bits | x) << 1 == 0
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let [sin, cos] = Self::map([self], |_, [x]| x.sin_cos().into());
        (sin, cos)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Lanes(each(|i| f64::sqrt(self.0[i])))
    }

    #[inline(always)]
    fn of(x: f64) -> Self {
        Lanes([x; LANES])
    }

    #[inline(always)]
    fn zero_if_positive(self) -> Self {
        Lanes(each(|i| if self.0[i] > 0.0 { 0.0 } else { f64::NAN }))
    }

    #[inline(always)]
    fn vectorize<R>(f: impl FnOnce() -> R) -> R {
        // Code that is inlined into `f` exists only once. A second copy, for processors without such
        // registers, would double the compile time.
        VectorUnit::expected().run(f)
    }

    #[inline(always)]
    fn half_angle(s: Self) -> [Self; 2] {
        s.or_alone(coefficients::half_angle_series(s), coefficients::half_angle)
    }

    #[inline(always)]
    fn tangent(s: Self) -> [Self; 2] {
        s.or_alone(coefficients::tangent_series(s), coefficients::tangent)
    }
}

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let (a, b) = (self.0, other.0);
                Lanes([a[0] $op b[0], a[1] $op b[1], a[2] $op b[2], a[3] $op b[3]])
            }
        }
        impl $assign for Lanes {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                *self = *self $op other;
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
        Lanes(each(|i| -self.0[i]))
    }
}

impl Zero for Lanes {
    #[inline(always)]
    fn zero() -> Self {
        Lanes([0.0; LANES])
    }
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.0 == [0.0; LANES]
    }
}

impl One for Lanes {
    #[inline(always)]
    fn one() -> Self {
        Lanes([1.0; LANES])
    }
}
