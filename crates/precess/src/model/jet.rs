//! Numbers that carry derivatives: an expression of them yields its value and its exact derivatives at once, in one pass.
//!
//! Symbolic derivatives grow with the square and the cube of an expression; these cost three to six times its value,
//! whatever it looks like (Griewank and Walther 2008, chapters 3 and 13).

use std::str::FromStr;

use exmex::{BinOp, FlatEx, MakeOperators, Operator};

use super::number::Decimal;

/// An expression with derivatives.
pub(super) type Jets = FlatEx<Jet, JetOperators, Decimal>;

/// How a number depends on the variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dependence {
    /// Not at all.
    #[default]
    Constant,
    /// Smoothly.
    Smooth,
    /// Through a function that jumps or has a kink.
    Kinked,
}

/// A value, its derivatives for two variables, and the second one for the first of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jet {
    pub f: f64,
    pub a: f64,
    pub b: f64,
    pub aa: f64,
    pub dependence: Dependence,
}

impl Jet {
    pub fn constant(f: f64) -> Self {
        Jet { f, ..Jet::default() }
    }

    /// The variable of which there are two derivatives.
    pub fn first(f: f64) -> Self {
        Jet { f, a: 1.0, dependence: Dependence::Smooth, ..Jet::default() }
    }

    /// The other variable.
    pub fn second(f: f64) -> Self {
        Jet { f, b: 1.0, dependence: Dependence::Smooth, ..Jet::default() }
    }

    /// g(self) by the chain rule, from g, g' and g'' there.
    fn chain(self, g: f64, g_1: f64, g_2: f64) -> Self {
        Jet { f: g, a: g_1 * self.a, b: g_1 * self.b, aa: g_2 * self.a * self.a + g_1 * self.aa, ..self }
    }

    /// A function that jumps or bends; derivatives are those between its corners.
    fn kink(self, g: f64, g_1: f64) -> Self {
        let dependence =
            if self.dependence == Dependence::Constant { self.dependence } else { Dependence::Kinked };
        Jet { dependence, ..self.chain(g, g_1, 0.0) }
    }

    fn with(self, other: Self) -> Dependence {
        self.dependence.max(other.dependence)
    }

    fn add(self, y: Self, sign: f64) -> Self {
        Jet {
            f: self.f + sign * y.f,
            a: self.a + sign * y.a,
            b: self.b + sign * y.b,
            aa: self.aa + sign * y.aa,
            dependence: self.with(y),
        }
    }

    fn mul(self, y: Self) -> Self {
        Jet {
            f: self.f * y.f,
            a: self.a * y.f + self.f * y.a,
            b: self.b * y.f + self.f * y.b,
            aa: self.aa * y.f + 2.0 * self.a * y.a + self.f * y.aa,
            dependence: self.with(y),
        }
    }

    fn div(self, y: Self) -> Self {
        let f = self.f / y.f;
        let a = (self.a - f * y.a) / y.f;
        Jet {
            f,
            a,
            b: (self.b - f * y.b) / y.f,
            aa: (self.aa - 2.0 * a * y.a - f * y.aa) / y.f,
            dependence: self.with(y),
        }
    }

    /// A constant power has derivatives where its base is zero or negative, too.
    fn pow(self, y: Self) -> Self {
        let f = self.f.powf(y.f);
        if y.dependence == Dependence::Constant {
            let n = y.f;
            let term =
                |factor: f64, power: f64| if factor == 0.0 { 0.0 } else { factor * self.f.powf(power) };
            return self.chain(f, term(n, n - 1.0), term(n * (n - 1.0), n - 2.0));
        }
        // exp(y ln x)
        let power = y.mul(self.ln());
        let exp = power.chain(f, f, f);
        Jet { dependence: self.with(y), ..exp }
    }

    fn ln(self) -> Self {
        self.chain(self.f.ln(), 1.0 / self.f, -1.0 / (self.f * self.f))
    }

    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self {
        let r2 = x.f * x.f + self.f * self.f;
        let a = (x.f * self.a - self.f * x.a) / r2;
        Jet {
            f: self.f.atan2(x.f),
            a,
            b: (x.f * self.b - self.f * x.b) / r2,
            aa: (x.f * self.aa - self.f * x.aa - 2.0 * a * (x.f * x.a + self.f * self.a)) / r2,
            dependence: self.with(x),
        }
    }

    /// The smaller (larger) of two; that they may meet is what makes a kink.
    fn choose(self, y: Self, first: bool) -> Self {
        let both = self.with(y);
        let dependence = if both == Dependence::Constant { both } else { Dependence::Kinked };
        Jet { dependence, ..if first { self } else { y } }
    }
}

impl FromStr for Jet {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Jet::constant)
    }
}

/// The operators of exmex for floating-point numbers, with the same names and priorities.
#[derive(Clone, Debug)]
pub(super) struct JetOperators;

impl MakeOperators<Jet> for JetOperators {
    fn make<'a>() -> Vec<Operator<'a, Jet>> {
        use std::f64::consts::{LN_2, LN_10};
        let op = |apply: fn(Jet, Jet) -> Jet, prio: i64, is_commutative: bool| BinOp {
            apply,
            prio,
            is_commutative,
        };
        let unary = Operator::make_unary;
        vec![
            Operator::make_bin("^", op(Jet::pow, 4, false)),
            Operator::make_bin("*", op(Jet::mul, 2, true)),
            Operator::make_bin("/", op(Jet::div, 3, false)),
            Operator::make_bin_unary("+", op(|x, y| x.add(y, 1.0), 0, true), |x| x),
            Operator::make_bin_unary("-", op(|x, y| x.add(y, -1.0), 1, false), |x| x.chain(-x.f, -1.0, 0.0)),
            Operator::make_bin("atan2", op(Jet::atan2, 0, false)),
            Operator::make_bin("min", op(|x, y| x.choose(y, x.f <= y.f), 0, false)),
            Operator::make_bin("max", op(|x, y| x.choose(y, x.f >= y.f), 0, false)),
            unary("abs", |x| x.kink(x.f.abs(), x.f.signum())),
            unary("signum", |x| x.kink(x.f.signum(), 0.0)),
            unary("floor", |x| x.kink(x.f.floor(), 0.0)),
            unary("round", |x| x.kink(x.f.round(), 0.0)),
            unary("ceil", |x| x.kink(x.f.ceil(), 0.0)),
            unary("trunc", |x| x.kink(x.f.trunc(), 0.0)),
            unary("fract", |x| x.kink(x.f.fract(), 1.0)),
            unary("sin", |x| {
                let (s, c) = x.f.sin_cos();
                x.chain(s, c, -s)
            }),
            unary("cos", |x| {
                let (s, c) = x.f.sin_cos();
                x.chain(c, -s, -c)
            }),
            unary("tan", |x| {
                let t = x.f.tan();
                let d = 1.0 + t * t;
                x.chain(t, d, 2.0 * t * d)
            }),
            unary("asin", |x| {
                let r = 1.0 / (1.0 - x.f * x.f);
                x.chain(x.f.asin(), r.sqrt(), x.f * r * r.sqrt())
            }),
            unary("acos", |x| {
                let r = 1.0 / (1.0 - x.f * x.f);
                x.chain(x.f.acos(), -r.sqrt(), -x.f * r * r.sqrt())
            }),
            unary("atan", |x| {
                let r = 1.0 / (1.0 + x.f * x.f);
                x.chain(x.f.atan(), r, -2.0 * x.f * r * r)
            }),
            unary("sinh", |x| x.chain(x.f.sinh(), x.f.cosh(), x.f.sinh())),
            unary("cosh", |x| x.chain(x.f.cosh(), x.f.sinh(), x.f.cosh())),
            unary("tanh", |x| {
                let t = x.f.tanh();
                let d = 1.0 - t * t;
                x.chain(t, d, -2.0 * t * d)
            }),
            unary("asinh", |x| {
                let r = 1.0 / (1.0 + x.f * x.f);
                x.chain(x.f.asinh(), r.sqrt(), -x.f * r * r.sqrt())
            }),
            unary("acosh", |x| {
                let r = 1.0 / (x.f * x.f - 1.0);
                x.chain(x.f.acosh(), r.sqrt(), -x.f * r * r.sqrt())
            }),
            unary("atanh", |x| {
                let r = 1.0 / (1.0 - x.f * x.f);
                x.chain(x.f.atanh(), r, 2.0 * x.f * r * r)
            }),
            unary("exp", |x| {
                let e = x.f.exp();
                x.chain(e, e, e)
            }),
            unary("sqrt", |x| {
                let s = x.f.sqrt();
                x.chain(s, 0.5 / s, -0.25 / (s * x.f))
            }),
            unary("cbrt", |x| {
                let c = x.f.cbrt();
                x.chain(c, 1.0 / (3.0 * c * c), -2.0 / (9.0 * c * c * x.f))
            }),
            unary("ln", Jet::ln),
            unary("log", Jet::ln),
            unary("log2", |x| x.chain(x.f.log2(), 1.0 / (x.f * LN_2), -1.0 / (x.f * x.f * LN_2))),
            unary("log10", |x| x.chain(x.f.log10(), 1.0 / (x.f * LN_10), -1.0 / (x.f * x.f * LN_10))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use exmex::prelude::*;

    use super::*;
    use crate::model::number::{Expression, Operators};

    /// Every operator: the value is that of exmex, derivatives are those of difference quotients.
    #[test]
    fn all_operators_match_exmex_and_differences() {
        for (text, at) in [
            ("x^3 - 2/x + x*x", -0.7),
            ("x^x", 1.3),
            ("2^x + x^2.5", 0.4),
            ("(x - 3)^4", 0.0),
            ("-x + 3*(-x)", 0.2),
            ("sin(x)*cos(2*x)/tan(x)", 0.6),
            ("asin(x) + acos(x^2)*atan(x)", 0.3),
            ("sinh(x) - cosh(2*x)*tanh(x)", 0.5),
            ("asinh(x) + acosh(1 + x)*atanh(x/2)", 0.8),
            ("exp(-x)*sqrt(x)*cbrt(x)", 1.7),
            ("ln(x) + log(x)*log2(x) - log10(x)", 2.3),
            ("atan2(x, 1 - x^2)", 0.4),
            ("abs(x)*floor(x) + round(x)/ceil(x) - trunc(x)*fract(x) + signum(x)", 2.3),
            ("min(x, 1) + max(x^2, 1)", 1.4),
        ] {
            let plain = Expression::parse(text).unwrap();
            let jets = Jets::parse(text).unwrap();
            let value = |x: f64| plain.eval(&[x]).unwrap();
            let jet = |x: f64| jets.eval(&[Jet::first(x)]).unwrap();
            let (here, d) = (jet(at), 1e-5);
            let size = 1.0 + here.f.abs() + here.a.abs() + here.aa.abs();
            assert!((here.f - value(at)).abs() < 1e-14 * size, "{text}: {} {}", here.f, value(at));
            let slope = (value(at + d) - value(at - d)) / (2.0 * d);
            assert!((here.a - slope).abs() < 1e-8 * size, "{text}: {} {slope}", here.a);
            let bend = (jet(at + d).a - jet(at - d).a) / (2.0 * d);
            assert!((here.aa - bend).abs() < 1e-8 * size, "{text}: {} {bend}", here.aa);
            // The other variable has the same first derivative.
            assert_eq!(jets.eval(&[Jet::second(at)]).unwrap().b, here.a, "{text}");
        }
        assert_eq!(JetOperators::make().len(), Operators::make().len());
    }

    #[test]
    fn powers_at_zero() {
        let at_zero = |text: &str| {
            let j = Jets::parse(text).unwrap().eval(&[Jet::first(0.0)]).unwrap();
            [j.f, j.a, j.aa]
        };
        assert_eq!(at_zero("t^0"), [1.0, 0.0, 0.0]);
        assert_eq!(at_zero("t^1"), [0.0, 1.0, 0.0]);
        assert_eq!(at_zero("t^2"), [0.0, 0.0, 2.0]);
        assert_eq!(at_zero("t^3"), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn kinks_are_known() {
        let dependence = |text: &str| Jets::parse(text).unwrap().eval(&[Jet::first(0.3)]).unwrap().dependence;
        assert_eq!(dependence("sin(x)"), Dependence::Smooth);
        assert_eq!(dependence("abs(2)*x"), Dependence::Smooth);
        assert_eq!(dependence("1 + abs(x)"), Dependence::Kinked);
        assert_eq!(dependence("max(1, x)"), Dependence::Kinked);
        assert_eq!(dependence("0*floor(x)"), Dependence::Kinked);
    }
}
