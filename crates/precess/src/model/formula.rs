//! Expressions of time and state as functions with exact derivatives.
//!
//! Parameters of the model are put in when the formula is read; what is left are `t` (time) and, where allowed, `x` (a
//! joint coordinate) and `v` (its rate). Derivatives are symbolic. Evaluation does not allocate for formulas whose
//! derivatives have at most 32 terms.

use std::sync::Arc;

use exmex::Differentiate;
use exmex::prelude::*;

use super::breakpoints::{self, Switching};
use super::number::{Expression, Names, Number, bind, parse, split_unit};
use crate::mechanics::function::{Argument, Function, Slope, Smooth};

/// Which derivatives a formula must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A function of t without derivatives, for applied forces.
    Time,
    /// A function of t with two derivatives, for prescribed motions and set points.
    Motion,
    /// A function of t, x and v with derivatives for x and v.
    State,
}

impl Need {
    fn variables(self) -> &'static [&'static str] {
        match self {
            Need::Time | Need::Motion => &["t"],
            Need::State => &["t", "x", "v"],
        }
    }
}

/// Names of the variables, in the order of their values.
const VARIABLES: [&str; 3] = ["t", "x", "v"];

/// A function of t, or of t, x and v, from the text of an expression without parameters.
pub fn formula(text: &str, need: Need) -> Result<Function, String> {
    function(&Number::Text(text.to_string()), &Names::new(), need)
}

/// A number or an expression of parameters, t and (for [`Need::State`]) x and v.
pub fn function(number: &Number, names: &Names, need: Need) -> Result<Function, String> {
    let text = match number {
        Number::Value(x) if x.is_finite() => return Ok(Function::Constant(*x)),
        Number::Value(x) => return Err(format!("the value is {x}, not a finite number")),
        Number::Text(text) => text,
    };
    let trimmed = text.trim();
    let (body, unit) = match split_unit(trimmed) {
        (angle, Some("deg")) => (angle, "*(pi/180)"),
        (other, _) => (other, ""),
    };
    let expression = if unit.is_empty() { parse(body)? } else { parse(&format!("({body}){unit}"))? };
    let allowed = need.variables();
    let uses = |v: &str| expression.var_names().iter().any(|n| n == v);
    if let Some(clash) = allowed.iter().find(|v| uses(v) && names.contains_key(**v)) {
        return Err(format!("'{clash}' is a variable here and cannot be the name of a parameter as well"));
    }
    if !allowed.iter().any(|v| uses(v)) {
        return number.evaluate(names).map(Function::Constant);
    }
    for name in expression.var_names() {
        if !(allowed.contains(&name.as_str()) || names.contains_key(name) || name == "pi") {
            let known: Vec<&str> = allowed.iter().copied().chain(names.keys().map(String::as_str)).collect();
            return Err(format!("unknown name '{name}'; known here: {}", known.join(", ")));
        }
    }
    let bound = bind(expression.clone(), names)
        .map_err(|e| format!("cannot read the expression '{trimmed}': {e}"))?;
    let derivative = |e: &Expression, variable: &str| -> Result<Expression, String> {
        match e.var_names().iter().position(|n| n == variable) {
            None => Ok(Expression::from_num(0.0)),
            Some(i) => e.clone().partial(i).map_err(|e| {
                format!(
                    "no derivative of '{trimmed}' for {variable} is known ({}); use smooth functions such as sin, exp, \
                     tanh or sqrt",
                    e.msg()
                )
            }),
        }
    };
    let mut derivatives = Vec::new();
    match need {
        Need::Time => {}
        Need::Motion => {
            let first = derivative(&bound, "t")?;
            derivatives.push(Compiled::new(derivative(&first, "t")?));
            derivatives.insert(0, Compiled::new(first));
        }
        Need::State => {
            derivatives.push(Compiled::new(derivative(&bound, "x")?));
            derivatives.push(Compiled::new(derivative(&bound, "v")?));
        }
    }
    let used: Vec<String> =
        names.iter().filter(|(n, _)| uses(n)).map(|(n, x)| format!("{n} = {x}")).collect();
    let label = if used.is_empty() { trimmed.to_string() } else { format!("{trimmed}, {}", used.join(", ")) };
    let switching = breakpoints::switching(body, names);
    Ok(Function::Custom(Arc::new(Formula {
        label,
        need,
        value: Compiled::new(bound),
        derivatives,
        switching,
    })))
}

/// An expression with the places of its variables among (t, x, v).
#[derive(Clone, Debug)]
struct Compiled {
    expression: Expression,
    places: [usize; 3],
    n: usize,
}

impl Compiled {
    fn new(expression: Expression) -> Self {
        let mut places = [0; 3];
        let n = expression.var_names().len().min(3);
        for (place, name) in places.iter_mut().zip(expression.var_names()) {
            *place = VARIABLES.iter().position(|v| v == name).unwrap_or(0);
        }
        Compiled { expression, places, n }
    }

    #[inline]
    fn value(&self, at: Argument) -> f64 {
        let values = [at.t, at.x, at.v];
        let ordered = self.places.map(|i| values.get(i).copied().unwrap_or(f64::NAN));
        self.expression.eval(ordered.get(..self.n).unwrap_or(&ordered)).unwrap_or(f64::NAN)
    }
}

/// An expression and its derivatives.
#[derive(Clone, Debug)]
struct Formula {
    label: String,
    need: Need,
    value: Compiled,
    /// For t and tt ([`Need::Motion`]), or for x and v ([`Need::State`]).
    derivatives: Vec<Compiled>,
    /// What makes it jump or bend.
    switching: Vec<Switching>,
}

impl Formula {
    fn derivative(&self, need: Need, i: usize, at: Argument) -> f64 {
        if self.need == need { self.derivatives.get(i).map_or(f64::NAN, |d| d.value(at)) } else { f64::NAN }
    }
}

impl Smooth for Formula {
    fn value(&self, at: Argument) -> f64 {
        self.value.value(at)
    }

    fn slope(&self, at: Argument) -> Slope {
        Slope {
            value: self.value.value(at),
            x: self.derivative(Need::State, 0, at),
            v: self.derivative(Need::State, 1, at),
        }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let at = Argument::time(t);
        [self.value.value(at), self.derivative(Need::Motion, 0, at), self.derivative(Need::Motion, 1, at)]
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.switching.iter().flat_map(|s| s.times(from, to)).collect()
    }

    fn label(&self) -> String {
        self.label.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::from([("a".to_string(), 0.2), ("f".to_string(), 10.0)])
    }

    fn of(text: &str, need: Need) -> Result<Function, String> {
        function(&Number::Text(text.to_string()), &names(), need)
    }

    #[test]
    fn derivatives_of_a_motion_match_differences() {
        for text in ["a*sin(f*t)", "t^2 - 3*t^3", "exp(-t)*cos(t/2)", "30*(1 - cos(pi*t)) deg", "tanh(t)"] {
            let f = of(text, Need::Motion).unwrap();
            for t in [0.0, 0.3, 1.7] {
                let [y, y_t, y_tt] = f.motion(t);
                let d = 1e-4;
                let (up, down) = (f.motion(t + d), f.motion(t - d));
                let tolerance = 1e-5 * (1.0 + y_tt.abs() + y_t.abs() + y.abs());
                assert!(((up[0] - down[0]) / (2.0 * d) - y_t).abs() < tolerance, "{text} at {t}");
                assert!(((up[1] - down[1]) / (2.0 * d) - y_tt).abs() < tolerance, "{text} at {t}");
            }
        }
    }

    #[test]
    fn derivatives_for_the_state_match_differences() {
        for text in ["-5*x - a*v*sqrt(v^2 + 1) + t", "sin(x*v)*t", "x^3", "f*v"] {
            let f = of(text, Need::State).unwrap();
            let at = Argument { t: 0.7, x: -0.4, v: 1.3 };
            let s = f.slope(at);
            let d = 1e-6;
            let x = f.value(Argument { x: at.x + d, ..at }) - f.value(Argument { x: at.x - d, ..at });
            let v = f.value(Argument { v: at.v + d, ..at }) - f.value(Argument { v: at.v - d, ..at });
            assert!((s.x - x / (2.0 * d)).abs() < 1e-8 && (s.v - v / (2.0 * d)).abs() < 1e-8, "{text}");
        }
    }

    #[test]
    fn constants_units_and_errors() {
        assert_eq!(of("2*a", Need::State).unwrap(), Function::Constant(0.4));
        assert_eq!(of("180 deg", Need::Motion).unwrap(), Function::Constant(std::f64::consts::PI));
        assert!(of("x", Need::Motion).unwrap_err().contains("unknown name 'x'"));
        assert!(of("abs(x)", Need::State).unwrap_err().contains("no derivative"));
        assert!(of("abs(t)", Need::Time).is_ok());
        assert!(of("t*", Need::Time).is_err());
        assert!(of("sin(t", Need::Time).is_err());
        let clash = Names::from([("t".to_string(), 1.0)]);
        assert!(function(&Number::Text("2*t".into()), &clash, Need::Time).unwrap_err().contains("variable"));
        // The same text with other parameters is another function.
        assert_ne!(of("a*t", Need::Time).unwrap(), formula("t", Need::Time).unwrap());
        assert_eq!(of("a*t", Need::Time).unwrap(), of("a*t", Need::Time).unwrap());
    }
}
