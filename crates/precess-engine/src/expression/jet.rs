//! Numbers with derivatives: an expression of them yields its value and its exact derivatives in one pass.
//!
//! The size of symbolic derivatives grows with the square and the cube of the size of an expression. Numbers
//! with derivatives cost three to six times as much as the value, for any expression (Griewank and Walther
//! 2008, chapters 3 and 13).

use super::Expression;
use super::value::Value;

/// Dependence of a number on the variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// No dependence.
    #[default]
    Constant,
    /// Any dependence.
    Variable,
}

/// A value, its derivatives for two variables, and the second derivative for the first of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jet {
    /// The value.
    pub f: f64,
    /// Derivative for the first variable.
    pub a: f64,
    /// Derivative for the second variable.
    pub b: f64,
    /// Second derivative for the first variable.
    pub aa: f64,
    /// Whether it depends on a variable.
    pub dependence: Dependence,
}

impl Jet {
    /// A number without derivatives.
    pub fn constant(f: f64) -> Self {
        Jet { f, ..Jet::default() }
    }

    /// The variable with two derivatives.
    pub fn first(f: f64) -> Self {
        Jet { f, a: 1.0, dependence: Dependence::Variable, ..Jet::default() }
    }

    /// A number that changes at this rate with the first variable.
    pub fn line(f: f64, a: f64) -> Self {
        Jet { f, a, dependence: Dependence::Variable, ..Jet::default() }
    }

    /// The other variable.
    pub fn second(f: f64) -> Self {
        Jet { f, b: 1.0, dependence: Dependence::Variable, ..Jet::default() }
    }

    /// g(self) by the chain rule, from g, g' and g'' there.
    fn composed(self, g: f64, g_1: f64, g_2: f64) -> Self {
        Jet { f: g, a: g_1 * self.a, b: g_1 * self.b, aa: g_2 * self.a * self.a + g_1 * self.aa, ..self }
    }

    fn with(self, other: Self) -> Dependence {
        self.dependence.max(other.dependence)
    }

    fn sum(self, y: Self, sign: f64) -> Self {
        Jet {
            f: self.f + sign * y.f,
            a: self.a + sign * y.a,
            b: self.b + sign * y.b,
            aa: self.aa + sign * y.aa,
            dependence: self.with(y),
        }
    }

    fn product(self, y: Self) -> Self {
        Jet {
            f: self.f * y.f,
            a: self.a * y.f + self.f * y.a,
            b: self.b * y.f + self.f * y.b,
            aa: self.aa * y.f + 2.0 * self.a * y.a + self.f * y.aa,
            dependence: self.with(y),
        }
    }

    fn quotient(self, y: Self) -> Self {
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

    /// A constant power also has derivatives where its base is zero or negative.
    fn power(self, y: Self) -> Self {
        let f = self.f.powf(y.f);
        if y.dependence == Dependence::Constant {
            let n = y.f;
            let term =
                |factor: f64, power: f64| if factor == 0.0 { 0.0 } else { factor * self.f.powf(power) };
            return self.composed(f, term(n, n - 1.0), term(n * (n - 1.0), n - 2.0));
        }
        // exp(y ln x)
        let power = y.product(self.ln());
        let exp = power.composed(f, f, f);
        Jet { dependence: self.with(y), ..exp }
    }

    fn ln(self) -> Self {
        self.composed(self.f.ln(), 1.0 / self.f, -1.0 / (self.f * self.f))
    }

    /// The angle of the point (x, self).
    fn angle(self, x: Self) -> Self {
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
}

impl Value for Jet {
    fn of(expression: &Expression, values: &[Self]) -> Self {
        expression.run(values)
    }
    fn constant(x: f64) -> Self {
        Jet::constant(x)
    }
    fn re(self) -> f64 {
        self.f
    }
    fn add(self, y: Self) -> Self {
        self.sum(y, 1.0)
    }
    fn sub(self, y: Self) -> Self {
        self.sum(y, -1.0)
    }
    fn mul(self, y: Self) -> Self {
        self.product(y)
    }
    fn div(self, y: Self) -> Self {
        self.quotient(y)
    }
    fn pow(self, y: Self) -> Self {
        self.power(y)
    }
    fn atan2(self, x: Self) -> Self {
        self.angle(x)
    }
    fn chain(self, g: f64, g_1: f64, g_2: f64) -> Self {
        self.composed(g, g_1, g_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every operator, derivatives agree with difference quotients.
    #[test]
    fn all_operators_match_differences() {
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
            ("min(x, 1) + max(x^2, 1) + clamp(x, 0, 1)*mod(x, 0.3)", 1.4),
            ("step(x, 1, 2) + step(x, 1, 2, 1)*step(x, 1, 3, 3) - step(x, 0, 2, 0)", 1.4),
            ("poly345(x, 2)*cycloid(x, 3) + ramp(x, 1.3, 0.4) - ramp(x, 1)", 1.4),
            ("trapezoid(x, 3, 2, 1.5) + trapezoid(x, 0.1, 2, 1.5)", 0.2),
            ("trapezoid(x, 9, 2, 1.5) + scurve(x, 3, 1, 2, 4)", 1.7),
            ("scurve(x, -0.3, 1, 2, 4)*scurve(x, 3, 4, 2, 4)", 0.6),
            ("sweep(x, 0.1, 2, 3)*sweep(x, 0.1, 2, 1)", 1.6),
            ("smoothabs(x, 0.1) + smoothsign(x - 1, 0.3)*smoothmin(x, 1, 0.2) - smoothmax(x, 2, 0.3)", 1.1),
            ("if(x > 1 and not x >= 2, x^2, 3) + pulse(x, 0, 2)*x", 1.3),
        ] {
            let expression = Expression::parse(text, &|_| false).unwrap();
            let value = |x: f64| expression.eval(&[x]);
            let jet = |x: f64| expression.eval(&[Jet::first(x)]);
            let (here, d) = (jet(at), 1e-5);
            let size = 1.0 + here.f.abs() + here.a.abs() + here.aa.abs();
            assert!((here.f - value(at)).abs() < 1e-14 * size, "{text}: {} {}", here.f, value(at));
            let slope = (value(at + d) - value(at - d)) / (2.0 * d);
            assert!((here.a - slope).abs() < 1e-8 * size, "{text}: {} {slope}", here.a);
            let bend = (jet(at + d).a - jet(at - d).a) / (2.0 * d);
            assert!((here.aa - bend).abs() < 1e-8 * size, "{text}: {} {bend}", here.aa);
            // The other variable has the same first derivative.
            assert_eq!(expression.eval(&[Jet::second(at)]).b, here.a, "{text}");
        }
    }

    #[test]
    fn powers_at_zero() {
        let at_zero = |text: &str| {
            let j = Expression::parse(text, &|_| false).unwrap().eval(&[Jet::first(0.0)]);
            [j.f, j.a, j.aa]
        };
        assert_eq!(at_zero("t^0"), [1.0, 0.0, 0.0]);
        assert_eq!(at_zero("t^1"), [0.0, 1.0, 0.0]);
        assert_eq!(at_zero("t^2"), [0.0, 0.0, 2.0]);
        assert_eq!(at_zero("t^3"), [0.0, 0.0, 0.0]);
    }
}
