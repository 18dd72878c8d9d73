//! Numbers of which is known only whether they can differ from zero: what is computed with them are the patterns of matrices.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};
use precess_lie::Number;

/// True for a number that can differ from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(pub bool);

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, |$a:ident, $b:ident| $value:expr) => {
        impl $trait for Mark {
            type Output = Mark;
            fn $name(self, other: Mark) -> Mark {
                let ($a, $b) = (self.0, other.0);
                Mark($value)
            }
        }
        impl $assign for Mark {
            fn $in_place(&mut self, other: Mark) {
                *self = (*self).$name(other);
            }
        }
    };
}
operator!(Add add, AddAssign add_assign, |a, b| a || b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a || b);
operator!(Mul mul, MulAssign mul_assign, |a, b| a && b);
operator!(Div div, DivAssign div_assign, |a, _b| a);

impl Neg for Mark {
    type Output = Mark;
    fn neg(self) -> Mark {
        self
    }
}

impl Zero for Mark {
    fn zero() -> Mark {
        Mark(false)
    }
    fn is_zero(&self) -> bool {
        !self.0
    }
}

impl One for Mark {
    fn one() -> Mark {
        Mark(true)
    }
}

impl Number for Mark {
    fn of(x: f64) -> Mark {
        Mark(x != 0.0)
    }
    fn zero_if_positive(self) -> Mark {
        Mark(false)
    }
    fn half_angle(_: Mark) -> [Mark; 2] {
        [Mark(true); 2]
    }
    fn tangent(_: Mark) -> [Mark; 2] {
        [Mark(true); 2]
    }
    fn first(self) -> f64 {
        f64::from(u8::from(self.0))
    }
    fn if_positive(self, yes: Mark, no: Mark) -> Mark {
        Mark(yes.0 || no.0)
    }
    fn round(self) -> Mark {
        self
    }
    fn compose<const N: usize>(
        _: [Mark; N],
        _: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Mark {
        Mark(true)
    }
    fn map<const N: usize, const M: usize>(
        _: [Mark; N],
        _: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Mark; M] {
        [Mark(true); M]
    }
}
