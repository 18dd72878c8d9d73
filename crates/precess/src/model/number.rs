//! Numbers in model files: plain (SI), with a unit, or an expression of the parameters.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

pub use super::expression::Names;
use super::expression::functions::Function;
use super::expression::units;
use super::expression::{Dimension, Expression, Kind, Variables};

/// `0.5`, `"12 mm"`, `"30 deg"` or an expression such as `"2*pi*f/3"` of names in `[parameters]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a number or a string with an expression, for example 0.5, \"12 mm\", \"30 \
                 deg\" or \"2*pi*f\""
)]
pub enum Number {
    /// A plain number.
    Value(f64),
    /// An expression.
    Text(String),
}

/// Three numbers.
pub type Vector = [Number; 3];

impl Default for Number {
    fn default() -> Self {
        Number::Value(0.0)
    }
}

impl From<f64> for Number {
    fn from(x: f64) -> Self {
        Number::Value(x)
    }
}

/// Expressions parsed before.
pub(super) type Parsed = HashMap<String, Expression>;

impl Number {
    /// Names in the expression, each once; none if it cannot be read.
    pub fn names(&self) -> Vec<String> {
        match self {
            Number::Value(_) => Vec::new(),
            Number::Text(text) => {
                Expression::parse(text, &|_| false).map_or_else(|_| Vec::new(), |e| e.var_names().to_vec())
            }
        }
    }

    /// The value, or the problem of the expression.
    pub fn evaluate(&self, names: &Names) -> Result<f64, String> {
        self.evaluate_in(names, &mut Parsed::new(), None).map(|(x, _)| x)
    }

    /// The value and its dimension, if known, with a cache of expressions, because copies of elements have
    /// the same ones. A wrong dimension is an error.
    pub(super) fn evaluate_in(
        &self,
        names: &Names,
        parsed: &mut Parsed,
        wanted: Option<Dimension>,
    ) -> Result<(f64, Kind), String> {
        let finite = |x: f64, why: &dyn Fn() -> Option<String>| match x.is_finite() {
            true => Ok(x),
            false => {
                let part = why().map_or_else(String::new, |part| format!(": {part}"));
                Err(format!("the value is {x}, not a finite number{part}"))
            }
        };
        let text = match self {
            Number::Value(x) => return finite(*x, &|| None).map(|x| (x, Kind::Pure)),
            Number::Text(text) => text.trim(),
        };
        // A single name needs no parser; sweeps evaluate a model thousands of times per second.
        if let Some(x) = names.get(text) {
            let kind = names.dimensions.get(text).map_or(Kind::Any, |d| Kind::Known(*d));
            fits(text, kind, wanted)?;
            if kind == Kind::Known(Dimension::FREQUENCY) {
                no_cycles(text, wanted)?;
            }
            return finite(*x, &|| None).map(|x| (x, kind));
        }
        let expression = match parsed.get(text) {
            Some(expression) => expression,
            None => {
                let read = Expression::parse(text, &|n| names.contains_key(n))?;
                parsed.entry(text.to_string()).or_insert(read)
            }
        };
        let called: Vec<&str> = expression.called().collect();
        for name in expression.var_names().iter().filter(|n| !called.contains(&n.as_str())) {
            if !names.contains_key(name) && name != "pi" {
                return Err(unknown(name, names));
            }
        }
        let kind = dimension(expression, names, wanted, &|_| None)?;
        let value = expression.bind(names)?.constant().unwrap_or(f64::NAN);
        finite(value, &|| expression.culprit(names)).map(|x| (x, kind))
    }
}

/// The dimension of an expression, which must match the wanted one if both are known.
pub(super) fn dimension(
    expression: &Expression,
    names: &Names,
    wanted: Option<Dimension>,
    variables: Variables,
) -> Result<Kind, String> {
    if names.dimensions.is_empty() && !expression.has_units() && expression.called().next().is_none() {
        return Ok(Kind::Any);
    }
    let kind = expression.kind_with(names, variables)?;
    fits(expression.text(), kind, wanted)?;
    if expression.counts_cycles(names) {
        no_cycles(expression.text(), wanted)?;
    }
    Ok(kind)
}

fn fits(text: &str, kind: Kind, wanted: Option<Dimension>) -> Result<(), String> {
    let (Kind::Known(found), Some(wanted)) = (kind, wanted) else { return Ok(()) };
    if !found.fits(wanted) {
        return Err(format!("'{text}' is {found}, but {wanted} is needed"));
    }
    Ok(())
}

/// Refuses cycles for radians, and cycles per second for radians per second.
fn no_cycles(text: &str, wanted: Option<Dimension>) -> Result<(), String> {
    match wanted.filter(|w| w.is_rotation()) {
        Some(wanted) => {
            Err(format!("'{text}' counts cycles, but {wanted} is needed: write rev/s, rpm, rad/s or 2*pi*f"))
        }
        None => Ok(()),
    }
}

/// A literal number and its unit: `30 deg`, `0.5rad`, `5 kN/m`. A text without a unit, or any other
/// expression, is returned whole.
pub fn split_unit(text: &str) -> (&str, Option<&str>) {
    let split = text.char_indices().map(|(i, _)| text.split_at(i)).find(|(number, unit)| {
        unit.starts_with(char::is_alphabetic)
            && number.trim_end().parse::<f64>().is_ok()
            && units::parse(unit).is_ok()
    });
    split.map_or((text, None), |(number, unit)| (number.trim_end(), Some(unit.trim_end())))
}

/// Why this cannot be the name of a parameter, if so.
pub(crate) fn not_a_name(name: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_numeric()) || !name.chars().all(plain) || name.is_empty() {
        return Some(
            "a name has letters, digits and underscores, and does not begin with a digit".to_string(),
        );
    }
    if ["pi", "and", "or", "not"].contains(&name) || Function::named(name).is_some() {
        return Some(format!("'{name}' has a meaning in expressions and cannot be the name of a parameter"));
    }
    None
}

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expression, String> {
    Expression::parse(text, &|_| false)
}

/// Help for a unit without a number, which an expression takes for a name; empty for other names.
pub(super) fn lone_unit(name: &str) -> String {
    match units::word(name) {
        Some(_) => format!("; a unit stands after a number: 1 {name}; a space multiplies units: 2 N {name}"),
        None => String::new(),
    }
}

/// Largest number of names in a message.
const MAX_LISTED: usize = 30;

fn unknown(name: &str, names: &Names) -> String {
    if super::expression::input_of(name).is_some() {
        return format!("{name} changes while a model runs, and this is one number for the whole run");
    }
    let unit = lone_unit(name);
    if names.is_empty() {
        format!("unknown name '{name}'; there are no [parameters]{unit}")
    } else {
        let known: Vec<&str> = names.keys().map(String::as_str).take(MAX_LISTED).collect();
        let more = match names.len().saturating_sub(MAX_LISTED) {
            0 => String::new(),
            n => format!(" and {n} more in [parameters]"),
        };
        format!("unknown name '{name}'; known parameters: {}{more}{unit}", known.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let names = Names::from([("l".to_string(), 0.5), ("f".to_string(), 2.0)]);
        Number::Text(text.to_string()).evaluate(&names)
    }

    /// A parameter has the value of its file, even if it is called like a mathematical constant or ends like
    /// a unit.
    #[test]
    fn parameters_hide_nothing() {
        let names: Names =
            [("e", 0.02), ("E", 0.5), ("TAU", 3.0), ("x_deg", 4.0), ("grad", 5.0), ("a2rad", 6.0)]
                .map(|(n, x)| (n.to_string(), x))
                .into();
        // Words that are units otherwise.
        let masses = Names::from([("m".to_string(), 3.0), ("g".to_string(), 9.81)]);
        assert_eq!(Number::Text("m*g".into()).evaluate(&masses), Ok(29.43));
        let value = |text: &str| Number::Text(text.to_string()).evaluate(&names).unwrap();
        for (text, expected) in [
            ("2*e", 0.04),
            ("e + 1e-3", 0.021),
            ("E*TAU", 1.5),
            ("2*x_deg", 8.0),
            ("1 + grad", 6.0),
            ("2*a2rad", 12.0),
            ("180deg", std::f64::consts::PI),
            ("(90 + 90)deg", std::f64::consts::PI),
        ] {
            assert!((value(text) - expected).abs() < 1e-15, "{text}: {}", value(text));
        }
        assert!(["e", "x_deg", "l0", "omega"].iter().all(|n| not_a_name(n).is_none()));
        assert!(["pi", "sin", "2a", "a b", "a-b", ""].iter().all(|n| not_a_name(n).is_some()));
    }

    #[test]
    fn literals_and_their_units() {
        for (text, number, unit) in [
            ("30 deg", "30", Some("deg")),
            ("-1.5e-3rad", "-1.5e-3", Some("rad")),
            ("5 kN/m", "5", Some("kN/m")),
            ("2e3", "2e3", None),
            ("2*l", "2*l", None),
            ("l deg", "l deg", None),
            ("3 q", "3 q", None),
            ("", "", None),
        ] {
            assert_eq!(split_unit(text), (number, unit));
        }
    }

    #[test]
    fn expressions_units_and_errors() {
        assert_eq!(value("2*l + f^2").unwrap(), 5.0);
        assert!((value("30 deg").unwrap() - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
        assert!((value("(15*f) deg").unwrap() - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
        assert!((value("sin(pi/2)").unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(value("1.5 rad").unwrap(), 1.5);
        assert_eq!(value("1e-3*2E2").unwrap(), 1e-3 * 2e2);
        assert_eq!(value("-f^2 + 1").unwrap(), -3.0);
        assert_eq!(value("2*(-f^2)").unwrap(), -8.0);
        assert_eq!(value("f^-1").unwrap(), 0.5);
        assert_eq!(value(".5 - -f").ok(), None);
        for bad in ["2*", "q", "", "1/0", "sqrt(-1)", "((1)", "2 3", "3*-f", "1e", "e-"] {
            assert!(value(bad).is_err(), "{bad}");
        }
        assert!(value("g*2").unwrap_err().contains("known parameters: f, l"));
    }
}
