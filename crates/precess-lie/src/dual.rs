//! Numbers with a derivative along one direction.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};

use crate::{Number, coefficients};

/// `x + dx eps` with `eps^2 = 0`: a function of it has the value `f(x)` and the derivative `f'(x) dx`, exact
/// up to rounding errors. Hand-written derivatives are checked with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// Value.
    pub x: f64,
    /// Derivative.
    pub dx: f64,
}

impl Dual {
    /// A number with its derivative.
    pub fn new(x: f64, dx: f64) -> Self {
        Dual { x, dx }
    }
}

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, |$a:ident, $b:ident| $x:expr, $dx:expr) => {
        impl $trait for Dual {
            type Output = Dual;
            #[inline]
            fn $name(self, $b: Dual) -> Dual {
                let $a = self;
                Dual { x: $x, dx: $dx }
            }
        }
        impl $assign for Dual {
            #[inline]
            fn $in_place(&mut self, other: Dual) {
                *self = (*self).$name(other);
            }
        }
    };
}
operator!(Add add, AddAssign add_assign, |a, b| a.x + b.x, a.dx + b.dx);
operator!(Sub sub, SubAssign sub_assign, |a, b| a.x - b.x, a.dx - b.dx);
operator!(Mul mul, MulAssign mul_assign, |a, b| a.x * b.x, a.dx * b.x + a.x * b.dx);
operator!(Div div, DivAssign div_assign, |a, b| a.x / b.x, (a.dx - a.x / b.x * b.dx) / b.x);

impl Neg for Dual {
    type Output = Dual;
    #[inline]
    fn neg(self) -> Dual {
        Dual { x: -self.x, dx: -self.dx }
    }
}

impl Zero for Dual {
    fn zero() -> Dual {
        Dual::default()
    }
    fn is_zero(&self) -> bool {
        self.x == 0.0 && self.dx == 0.0
    }
}

impl One for Dual {
    fn one() -> Dual {
        Dual::new(1.0, 0.0)
    }
}

/// Derivatives of two functions of `s` by central differences of order six, for coefficients without known
/// derivatives: the error is below 1e-13.
fn differences(s: Dual, f: impl Fn(f64) -> [f64; 2]) -> [Dual; 2] {
    let h = 2e-2;
    let odd = |k: f64, i: usize| f(s.x + k * h)[i] - f(s.x - k * h)[i];
    let slope = |i: usize| (45.0 * odd(1.0, i) - 9.0 * odd(2.0, i) + odd(3.0, i)) / (60.0 * h);
    let value = f(s.x);
    std::array::from_fn(|i| Dual::new(value[i], slope(i) * s.dx))
}

impl Number for Dual {
    const ZERO: Self = Dual { x: 0.0, dx: 0.0 };

    fn of(x: f64) -> Dual {
        Dual::new(x, 0.0)
    }

    fn zero_if_positive(self) -> Dual {
        Dual::of(self.x.zero_if_positive())
    }

    /// Small angles use the series; the functions are smooth in `Phi^2`.
    fn half_angle(s: Dual) -> [Dual; 2] {
        if s.x <= coefficients::SMALL {
            coefficients::half_angle_series(s)
        } else {
            differences(s, coefficients::half_angle)
        }
    }

    fn tangent(s: Dual) -> [Dual; 2] {
        if s.x <= coefficients::SMALL {
            coefficients::tangent_series(s)
        } else {
            differences(s, coefficients::tangent)
        }
    }

    fn first(self) -> f64 {
        self.x
    }

    fn derivative(self) -> f64 {
        self.dx
    }

    fn plus_derivative(self, dx: f64) -> Dual {
        Dual::new(self.x, self.dx + dx)
    }

    fn if_positive(self, yes: Dual, no: Dual) -> Dual {
        if self.x > 0.0 { yes } else { no }
    }

    fn round(self) -> Dual {
        Dual::of(self.x.round())
    }

    fn compose<const N: usize>(
        x: [Dual; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        df: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Dual {
        let at = x.map(|x| x.x);
        let gradient = df(0, at);
        // An unknown gradient does not matter if nothing changes.
        let dx = x.iter().zip(gradient).filter(|(x, _)| x.dx != 0.0).map(|(x, g)| g * x.dx).sum();
        Dual::new(f(0, at), dx)
    }

    fn map<const N: usize, const M: usize>(
        x: [Dual; N],
        f: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Dual; M] {
        let dx = if x.iter().all(|x| x.dx == 0.0) { 0.0 } else { f64::NAN };
        f(0, x.map(|x| x.x)).map(|y| Dual::new(y, dx))
    }

    fn slope(at: [Dual; 3], f: impl Fn(usize, [f64; 3]) -> [f64; 3]) -> [Dual; 3] {
        let [value, of_x, of_v] = f(0, at.map(|x| x.x));
        let unknown = |changes: bool| if changes { f64::NAN } else { 0.0 };
        let second = unknown(at.iter().any(|x| x.dx != 0.0));
        let dx = of_x * at[1].dx + of_v * at[2].dx + unknown(at[0].dx != 0.0);
        [Dual::new(value, dx), Dual::new(of_x, second), Dual::new(of_v, second)]
    }

    fn motion(t: Dual, f: impl Fn(usize, f64) -> [f64; 3]) -> [Dual; 3] {
        let [value, rate, second] = f(0, t.x);
        let third = if t.dx == 0.0 { 0.0 } else { f64::NAN };
        [Dual::new(value, rate * t.dx), Dual::new(rate, second * t.dx), Dual::new(second, third)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values and derivatives of products, quotients, roots and angles.
    #[test]
    fn derivatives_follow_the_rules() {
        let x = Dual::new(0.7, 1.0);
        let y = x * x * Dual::of(3.0) / (Dual::one() + x);
        assert!((y.dx - 3.0 * (2.0 * 0.7 * 1.7 - 0.49) / (1.7 * 1.7)).abs() < 1e-15);
        let (s, c) = x.sin_cos();
        assert!((s.dx - 0.7f64.cos()).abs() < 1e-16 && (c.dx + 0.7f64.sin()).abs() < 1e-16);
        assert!((s.atan2(c).x - 0.7).abs() < 1e-15 && (s.atan2(c).dx - 1.0).abs() < 1e-15);
        assert!(((x * x).sqrt().dx - 1.0).abs() < 1e-15);
    }

    /// cos(Phi/2) from Phi^2: its derivative is -sin(Phi/2)/(4 Phi), on both sides of the end of the series.
    #[test]
    fn coefficients_of_rotations_have_their_derivatives() {
        for s in [1e-8, 0.3 * coefficients::SMALL, 1.5 * coefficients::SMALL, 2.0, 7.0] {
            let phi = f64::sqrt(s);
            let [cosine, sine] = Dual::half_angle(Dual::new(s, 1.0));
            let half = (0.5 * phi).sin();
            assert!((cosine.dx + half / (4.0 * phi)).abs() < 2e-13, "{s}: {}", cosine.dx);
            let expected = (0.25 * phi * (0.5 * phi).cos() - 0.5 * half) / (phi * s);
            assert!((sine.dx - expected).abs() < if s < 1e-4 { 1e-6 } else { 2e-13 }, "{s}: {}", sine.dx);
        }
    }
}
