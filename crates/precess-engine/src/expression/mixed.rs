//! Numbers with the derivatives for two variables and the mixed second one: f, f_a, f_b and f_ab.

use super::Expression;
use super::value::Value;

/// A value with derivatives along two directions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixed {
    /// The value.
    pub f: f64,
    /// Derivative along the first direction.
    pub a: f64,
    /// Derivative along the second direction.
    pub b: f64,
    /// Mixed second derivative.
    pub ab: f64,
    /// True if it depends on no variable at all.
    constant: bool,
}

impl Mixed {
    /// A variable with its derivatives along the two directions.
    pub fn variable(f: f64, a: f64, b: f64) -> Self {
        Mixed { f, a, b, ab: 0.0, constant: false }
    }

    fn map(self, y: Self, f: f64, with: impl Fn(f64, f64) -> f64, ab: f64) -> Self {
        Mixed { f, a: with(self.a, y.a), b: with(self.b, y.b), ab, constant: self.constant && y.constant }
    }

    fn ln(self) -> Self {
        self.chain(self.f.ln(), 1.0 / self.f, -1.0 / (self.f * self.f))
    }
}

impl Value for Mixed {
    fn of(expression: &Expression, values: &[Self]) -> Self {
        expression.run(values)
    }
    fn constant(x: f64) -> Self {
        Mixed { f: x, constant: true, ..Mixed::default() }
    }
    fn re(self) -> f64 {
        self.f
    }
    fn add(self, y: Self) -> Self {
        self.map(y, self.f + y.f, |x, y| x + y, self.ab + y.ab)
    }
    fn sub(self, y: Self) -> Self {
        self.map(y, self.f - y.f, |x, y| x - y, self.ab - y.ab)
    }
    fn mul(self, y: Self) -> Self {
        let ab = self.ab * y.f + self.a * y.b + self.b * y.a + self.f * y.ab;
        self.map(y, self.f * y.f, |d, e| d * y.f + self.f * e, ab)
    }
    fn div(self, y: Self) -> Self {
        let f = self.f / y.f;
        let slope = |d: f64, e: f64| (d - f * e) / y.f;
        let (a, b) = (slope(self.a, y.a), slope(self.b, y.b));
        self.map(y, f, slope, (self.ab - a * y.b - b * y.a - f * y.ab) / y.f)
    }
    /// A constant power also has derivatives where its base is zero or negative.
    fn pow(self, y: Self) -> Self {
        let f = self.f.powf(y.f);
        if y.constant {
            let n = y.f;
            let term =
                |factor: f64, power: f64| if factor == 0.0 { 0.0 } else { factor * self.f.powf(power) };
            return self.chain(f, term(n, n - 1.0), term(n * (n - 1.0), n - 2.0));
        }
        y.mul(self.ln()).chain(f, f, f)
    }
    fn atan2(self, x: Self) -> Self {
        let r2 = x.f * x.f + self.f * self.f;
        let slope = |d: f64, e: f64| (x.f * d - self.f * e) / r2;
        let (a, b) = (slope(self.a, x.a), slope(self.b, x.b));
        // d(r^2 a)/db = x_b y_a - y_b x_a + x y_ab - y x_ab.
        let turned = x.b * self.a - self.b * x.a + x.f * self.ab - self.f * x.ab;
        let grown = 2.0 * (x.f * x.b + self.f * self.b);
        let mut out = self.map(x, self.f.atan2(x.f), slope, (turned - a * grown) / r2);
        out.b = b;
        out
    }
    fn chain(self, g: f64, g_1: f64, g_2: f64) -> Self {
        Mixed { f: g, a: g_1 * self.a, b: g_1 * self.b, ab: g_2 * self.a * self.b + g_1 * self.ab, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For all operators of two variables, the mixed derivative is the difference quotient of a first one, in
    /// both orders.
    #[test]
    fn mixed_derivatives_match_differences() {
        for text in [
            "x*y^2 - 2*x/y + x",
            "x^y + (x*y)^3",
            "(x - 0.7)^4*y + sqrt(x^2 + y^2)",
            "sin(x*y)*cos(x)/tan(y)",
            "atan2(x*y, 1 - x^2)",
            "exp(-x*y)*ln(x + y)",
            "acos((x^2 + y^2 - 0.9)/(2*x*y))",
            "step(x + y, 1, 3)*smoothabs(x - y, 0.2)",
        ] {
            let expression = Expression::parse(text, &|_| false).unwrap();
            let order: Vec<bool> = expression.var_names().iter().map(|n| n == "x").collect();
            let at = |x: f64, y: f64, seeds: [[f64; 2]; 2]| {
                let list: Vec<Mixed> = order
                    .iter()
                    .map(|is_x| {
                        let [a, b] = seeds[usize::from(!is_x)];
                        Mixed::variable(if *is_x { x } else { y }, a, b)
                    })
                    .collect();
                expression.eval(&list)
            };
            let (x, y, d) = (0.7, 1.2, 1e-5);
            for seeds in [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]] {
                let here = at(x, y, seeds);
                let [[_, x_b], [_, y_b]] = seeds;
                let moved = |s: f64| at(x + s * x_b, y + s * y_b, seeds);
                let size = 1.0 + here.f.abs() + here.a.abs() + here.ab.abs();
                let slope = (moved(d).f - moved(-d).f) / (2.0 * d);
                assert!((slope - here.b).abs() < 1e-8 * size, "{text}: {slope} {}", here.b);
                let bend = (moved(d).a - moved(-d).a) / (2.0 * d);
                assert!((bend - here.ab).abs() < 1e-8 * size, "{text}: {bend} {}", here.ab);
            }
        }
    }
}
