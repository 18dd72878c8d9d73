//! The numbers that formulas use.

use std::ops::Neg;

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use num_traits::{One, Zero};

use crate::coefficients;

/// Numbers for formulas of rotations and rigid bodies: `f64`, or [`Lanes`](crate::Lanes) of them.
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
    /// Zero, as a constant: matrices of it are cleared, not copied.
    const ZERO: Self;

    /// True for numbers that are computed rarely. Special cases that only save time are not compiled for
    /// them.
    const RARE: bool = false;

    /// This number, in every lane.
    fn of(x: f64) -> Self;

    /// Zero if this is positive, otherwise NaN.
    fn zero_if_positive(self) -> Self;

    /// `cos(Phi/2)` and `sin(Phi/2)/Phi` from `Phi^2`.
    fn half_angle(s: Self) -> [Self; 2];

    /// Coefficients `b`, `c` of the tangent operator (33) from `Phi^2`.
    fn tangent(s: Self) -> [Self; 2];

    /// The number itself; for several side by side, the first.
    fn first(self) -> f64;

    /// The number in every lane, if it is the same in all of them. None for a number with a derivative.
    #[inline(always)]
    fn shared(self) -> Option<f64> {
        None
    }

    /// `yes` if this is positive, otherwise `no`.
    fn if_positive(self, yes: Self, no: Self) -> Self;

    /// The nearest integer.
    fn round(self) -> Self;

    /// A function of several numbers: `f(lane, x)` is its value and `df(lane, x)` its gradient, which is
    /// evaluated only for numbers with derivatives. Lanes are computed one by one.
    fn compose<const N: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        df: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Self;

    /// Several functions of several numbers, `f(lane, x)`, evaluated once per lane. Their derivatives are
    /// unknown: a number with a derivative gets NaN there.
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

    /// Calls a function that computes with such numbers. For lanes it is compiled for the available vector
    /// unit, with everything inlined into it.
    ///
    /// # Panics
    /// With lanes on a processor that [does not support them](crate::Lanes::are_available).
    #[inline(always)]
    fn vectorize<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    /// Its derivative, for numbers that have one.
    #[inline]
    fn derivative(self) -> f64 {
        0.0
    }

    /// Adds to its derivative; the number itself if it has none.
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
    const ZERO: Self = 0.0;

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

    /// A number is zero if all its bits except the sign are zero.
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
