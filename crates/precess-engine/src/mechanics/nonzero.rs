//! Structural nonzeros: evaluating a model with them yields its sparsity pattern.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};
use precess_lie::Number;

/// True for a number that can differ from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nonzero(pub bool);

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, |$a:ident, $b:ident| $value:expr) => {
        impl $trait for Nonzero {
            type Output = Nonzero;
            fn $name(self, other: Nonzero) -> Nonzero {
                let ($a, $b) = (self.0, other.0);
                Nonzero($value)
            }
        }
        impl $assign for Nonzero {
            fn $in_place(&mut self, other: Nonzero) {
                *self = (*self).$name(other);
            }
        }
    };
}
operator!(Add add, AddAssign add_assign, |a, b| a || b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a || b);
operator!(Mul mul, MulAssign mul_assign, |a, b| a && b);
operator!(Div div, DivAssign div_assign, |a, _b| a);

impl Neg for Nonzero {
    type Output = Nonzero;
    fn neg(self) -> Nonzero {
        self
    }
}

impl Zero for Nonzero {
    fn zero() -> Nonzero {
        Nonzero(false)
    }
    fn is_zero(&self) -> bool {
        !self.0
    }
}

impl One for Nonzero {
    fn one() -> Nonzero {
        Nonzero(true)
    }
}

impl Number for Nonzero {
    const ZERO: Self = Nonzero(false);
    const RARE: bool = true;

    fn of(x: f64) -> Nonzero {
        Nonzero(x != 0.0)
    }
    fn zero_if_positive(self) -> Nonzero {
        Nonzero(false)
    }
    fn half_angle(_: Nonzero) -> [Nonzero; 2] {
        [Nonzero(true); 2]
    }
    fn tangent(_: Nonzero) -> [Nonzero; 2] {
        [Nonzero(true); 2]
    }
    fn first(self) -> f64 {
        f64::from(u8::from(self.0))
    }
    fn if_positive(self, yes: Nonzero, no: Nonzero) -> Nonzero {
        Nonzero(yes.0 || no.0)
    }
    fn round(self) -> Nonzero {
        self
    }
    fn compose<const N: usize>(
        _: [Nonzero; N],
        _: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Nonzero {
        Nonzero(true)
    }
    fn map<const N: usize, const M: usize>(
        _: [Nonzero; N],
        _: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Nonzero; M] {
        [Nonzero(true); M]
    }
}
