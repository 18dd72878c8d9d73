//! Expressions of time and state as functions with exact derivatives.
//!
//! Parameters of the model are put in when the formula is read; what is left are `t` (time) and, where allowed, `x` (a
//! joint coordinate) and `v` (its rate); `l` (a length) in potentials. Derivatives come from numbers that carry them. Evaluation does not allocate for
//! formulas of at most 32 terms.

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Arc;

use exmex::prelude::*;
use exmex::{DataType, MakeOperators};

use super::breakpoints::{self, Switching};
use super::jet::{Dependence, Jet, Jets};
use super::number::{Decimal, Expression, Names, Number, parse, parse_with, split_unit};
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
    /// A function of a length l with two derivatives, for potentials.
    Length,
}

impl Need {
    fn variables(self) -> &'static [&'static str] {
        match self {
            Need::Time | Need::Motion => &["t"],
            Need::State => &["t", "x", "v"],
            Need::Length => &["l"],
        }
    }
}

/// Each of them is followed over a whole run.
const MAX_SWITCHING: usize = 20;

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
    let text = if unit.is_empty() { body.to_string() } else { format!("({body}){unit}") };
    let expression = parse(&text)?;
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
    let value = Compiled::new(parse_with(&text, names)?);
    let derivatives = match need {
        Need::Time => None,
        Need::Motion | Need::State | Need::Length => Some(Compiled::new(parse_with::<Jet, _>(&text, names)?)),
    };
    let formula = Formula { label: String::new(), need, value, derivatives, switching: Vec::new() };
    // Whether there is a kink does not depend on where one looks.
    if formula.jet(Argument::default()).dependence == Dependence::Kinked {
        return Err(format!(
            "no derivative of '{trimmed}' is known everywhere; use smooth functions such as sin, exp, tanh or sqrt"
        ));
    }
    let used: Vec<String> =
        names.iter().filter(|(n, _)| uses(n)).map(|(n, x)| format!("{n} = {x}")).collect();
    let label = if used.is_empty() { trimmed.to_string() } else { format!("{trimmed}, {}", used.join(", ")) };
    // A potential has no times at which it bends, and no bends at all.
    let switching = if need == Need::Length { Vec::new() } else { breakpoints::switching(body, names) };
    if switching.len() > MAX_SWITCHING {
        return Err(format!(
            "'{trimmed}' has {} functions that jump or bend, at most {MAX_SWITCHING} are followed; write several forces",
            switching.len()
        ));
    }
    Ok(Function::Custom(Arc::new(Formula { label, switching, ..formula })))
}

/// An expression with the places of its variables among (t, x, v); a length takes the place of t.
#[derive(Clone, Debug)]
struct Compiled<E> {
    expression: E,
    places: [usize; 3],
    n: usize,
}

impl<T: DataType, O: MakeOperators<T>> Compiled<FlatEx<T, O, Decimal>>
where
    <T as FromStr>::Err: Debug,
{
    fn new(expression: FlatEx<T, O, Decimal>) -> Self {
        let mut places = [0; 3];
        let n = expression.var_names().len().min(3);
        for (place, name) in places.iter_mut().zip(expression.var_names()) {
            *place = VARIABLES.iter().position(|v| v == name).unwrap_or(0);
        }
        Compiled { expression, places, n }
    }

    /// The value for (t, x, v).
    #[inline]
    fn value(&self, values: [T; 3]) -> Option<T> {
        let ordered = self.places.map(|i| values.get(i).cloned().unwrap_or_default());
        self.expression.eval(ordered.get(..self.n)?).ok()
    }
}

/// An expression and its derivatives.
#[derive(Clone, Debug)]
struct Formula {
    label: String,
    need: Need,
    value: Compiled<Expression>,
    /// For t ([`Need::Motion`]) or l, or for x and v ([`Need::State`]).
    derivatives: Option<Compiled<Jets>>,
    /// What makes it jump or bend.
    switching: Vec<Switching>,
}

impl Formula {
    /// The value and the derivatives that the formula has.
    fn jet(&self, at: Argument) -> Jet {
        let values = match self.need {
            Need::Time | Need::Motion | Need::Length => {
                [Jet::first(at.t), Jet::constant(at.x), Jet::constant(at.v)]
            }
            Need::State => [Jet::constant(at.t), Jet::first(at.x), Jet::second(at.v)],
        };
        self.derivatives.as_ref().and_then(|d| d.value(values)).unwrap_or(Jet {
            f: f64::NAN,
            a: f64::NAN,
            b: f64::NAN,
            aa: f64::NAN,
            ..Jet::default()
        })
    }
}

impl Smooth for Formula {
    fn value(&self, at: Argument) -> f64 {
        self.value.value([at.t, at.x, at.v]).unwrap_or(f64::NAN)
    }

    fn slope(&self, at: Argument) -> Slope {
        match self.need {
            Need::State => {
                let jet = self.jet(at);
                Slope { value: jet.f, x: jet.a, v: jet.b }
            }
            Need::Time | Need::Motion | Need::Length => {
                Slope { value: self.value(at), x: f64::NAN, v: f64::NAN }
            }
        }
    }

    fn motion(&self, t: f64) -> [f64; 3] {
        let at = Argument::time(t);
        match self.need {
            Need::Motion | Need::Length => {
                let jet = self.jet(at);
                [jet.f, jet.a, jet.aa]
            }
            Need::Time | Need::State => [self.value(at), f64::NAN, f64::NAN],
        }
    }

    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        self.switching.iter().flat_map(|s| s.times(from, to)).collect()
    }

    fn label(&self) -> String {
        self.label.clone()
    }

    fn memory(&self) -> usize {
        size_of_val(self) + self.switching.len() * size_of::<Switching>()
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
        let [v, slope, bend] = of("f*(l^2 - 1)^2", Need::Length).unwrap().motion(1.5);
        assert!((v - 15.625).abs() < 1e-12 && (slope - 75.0).abs() < 1e-12 && (bend - 230.0).abs() < 1e-12);
        assert!(of("t*l", Need::Length).unwrap_err().contains("unknown name 't'"));
        assert!(of("abs(l - 1)", Need::Length).unwrap_err().contains("no derivative"));
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
