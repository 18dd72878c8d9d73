//! Numbers with derivatives: dual numbers, also with several directions.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use num_traits::{One, Zero};
use precess_lie::Number;

/// Numbers for the operators: `f64`, or [`Jet`]s of them.
pub trait Real:
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
    /// A constant.
    fn of(x: f64) -> Self;

    /// The number without its derivatives.
    fn real(&self) -> f64;
}

impl<T: Number> Real for T {
    #[inline]
    fn of(x: f64) -> T {
        <T as Number>::of(x)
    }

    #[inline]
    fn real(&self) -> f64 {
        self.first()
    }
}

/// A number and its derivatives in `N` directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<T, const N: usize> {
    /// The number.
    pub value: T,
    /// Its derivatives.
    pub slope: [T; N],
}

/// A dual number.
pub type Dual<T = f64> = Jet<T, 1>;

impl<T: Real> Dual<T> {
    /// `value + eps slope`.
    #[inline]
    pub fn new(value: T, slope: T) -> Self {
        Jet { value, slope: [slope] }
    }
}

impl<T: Real, const N: usize> Jet<T, N> {
    /// The variable of direction `i`.
    pub fn variable(value: T, i: usize) -> Self {
        Jet { value, slope: std::array::from_fn(|j| if i == j { T::one() } else { T::zero() }) }
    }

    #[inline]
    fn with(value: T, slope: impl FnMut(usize) -> T) -> Self {
        Jet { value, slope: std::array::from_fn(slope) }
    }
}

impl<T: Real, const N: usize> Real for Jet<T, N> {
    #[inline]
    fn of(x: f64) -> Self {
        Jet { value: T::of(x), slope: [T::zero(); N] }
    }

    #[inline]
    fn real(&self) -> f64 {
        self.value.real()
    }
}

impl<T: Real, const N: usize> Add for Jet<T, N> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Jet::with(self.value + o.value, |i| self.slope[i] + o.slope[i])
    }
}

impl<T: Real, const N: usize> Sub for Jet<T, N> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Jet::with(self.value - o.value, |i| self.slope[i] - o.slope[i])
    }
}

// The product and quotient rules.
#[allow(clippy::suspicious_arithmetic_impl)]
impl<T: Real, const N: usize> Mul for Jet<T, N> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        Jet::with(self.value * o.value, |i| self.slope[i] * o.value + self.value * o.slope[i])
    }
}

#[allow(clippy::suspicious_arithmetic_impl)]
impl<T: Real, const N: usize> Div for Jet<T, N> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let value = self.value / o.value;
        Jet::with(value, |i| (self.slope[i] - value * o.slope[i]) / o.value)
    }
}

impl<T: Real, const N: usize> Neg for Jet<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Jet::with(-self.value, |i| -self.slope[i])
    }
}

macro_rules! in_place {
    ($trait:ident $name:ident, $op:tt) => {
        impl<T: Real, const N: usize> $trait for Jet<T, N> {
            #[inline]
            fn $name(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    };
}
in_place!(AddAssign add_assign, +);
in_place!(SubAssign sub_assign, -);
in_place!(MulAssign mul_assign, *);
in_place!(DivAssign div_assign, /);

impl<T: Real, const N: usize> Zero for Jet<T, N> {
    #[inline]
    fn zero() -> Self {
        Self::of(0.0)
    }
    #[inline]
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl<T: Real, const N: usize> One for Jet<T, N> {
    #[inline]
    fn one() -> Self {
        Self::of(1.0)
    }
}
