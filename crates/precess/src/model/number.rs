//! Numbers in model files: plain, with a unit of angle, or an expression of the parameters.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::str::FromStr;

use exmex::prelude::*;
use exmex::{DataType, FloatOpsFactory, MakeOperators, MatchLiteral, Operator};
use serde::{Deserialize, Serialize};

use super::tokens::{Token, Tokens};

/// `0.5`, `"30 deg"` or an expression such as `"2*pi*f/3"` of names in `[parameters]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a number or a string with an expression, for example 0.5, \"30 deg\" or \"2*pi*f\""
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

/// Values of the names that expressions may use.
pub type Names = BTreeMap<String, f64>;
/// Expressions that were read before.
pub(super) type Parsed = HashMap<String, Expression>;

impl Number {
    /// Names that the expression uses, each once; none if it cannot be read.
    pub fn names(&self) -> Vec<String> {
        match self {
            Number::Value(_) => Vec::new(),
            Number::Text(text) => {
                let (expression, _) = split_unit(text.trim());
                parse(expression).map_or_else(|_| Vec::new(), |e| e.var_names().to_vec())
            }
        }
    }

    /// The value, or what is wrong with the expression.
    pub fn evaluate(&self, names: &Names) -> Result<f64, String> {
        self.evaluate_again(names, &mut Parsed::new())
    }

    /// The same with a memory of expressions: copies of elements have the same ones.
    pub(super) fn evaluate_again(&self, names: &Names, parsed: &mut Parsed) -> Result<f64, String> {
        let value = match self {
            Number::Value(x) => *x,
            Number::Text(text) => evaluate(text, names, parsed)?,
        };
        if value.is_finite() { Ok(value) } else { Err(format!("the value is {value}, not a finite number")) }
    }
}

fn evaluate(text: &str, names: &Names, known: &mut Parsed) -> Result<f64, String> {
    let trimmed = text.trim();
    // A name alone needs no parser; sweeps evaluate a model thousands of times per second.
    if let Some(x) = names.get(trimmed) {
        return Ok(*x);
    }
    let (expression, unit) = match split_unit(trimmed) {
        (angle, Some("deg")) => (angle, std::f64::consts::PI / 180.0),
        (other, _) => (other, 1.0),
    };
    let parsed = match known.get(expression) {
        Some(parsed) => parsed,
        None => known.entry(expression.to_string()).or_insert(parse(expression)?),
    };
    let values: Result<Vec<f64>, String> = parsed
        .var_names()
        .iter()
        .map(|name| match (names.get(name), name.as_str()) {
            (Some(x), _) => Ok(*x),
            (None, "pi") => Ok(std::f64::consts::PI),
            (None, _) => Err(unknown(name, names)),
        })
        .collect();
    let value = parsed.eval(&values?).map_err(|e| format!("cannot evaluate '{expression}': {}", e.msg()))?;
    Ok(value * unit)
}

/// An expression and its unit of angle: `30 deg`, `0.5rad`, `(a + b) deg`; a name that ends like a unit is none.
pub fn split_unit(text: &str) -> (&str, Option<&'static str>) {
    for unit in ["deg", "rad"] {
        let Some(rest) = text.strip_suffix(unit) else { continue };
        let word = rest.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        if rest.strip_prefix(word).is_some_and(|w| w.chars().all(|c| c.is_ascii_digit())) {
            return (rest, Some(unit));
        }
    }
    (text, None)
}

/// Why this cannot be the name of a parameter, if it cannot.
pub fn not_a_name(name: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_numeric()) || !name.chars().all(plain) || name.is_empty() {
        return Some(
            "a name has letters, digits and underscores, and does not begin with a digit".to_string(),
        );
    }
    if name == "pi" || Operators::make().iter().any(|o| o.repr() == name) {
        return Some(format!("'{name}' has a meaning in expressions and cannot be the name of a parameter"));
    }
    None
}

/// Operators and functions of exmex without its constants, which would hide parameters named e, E or TAU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators;

impl MakeOperators<f64> for Operators {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        FloatOpsFactory::make().into_iter().filter(|o| o.constant().is_none()).collect()
    }
}

/// An expression of real numbers.
pub type Expression = FlatEx<f64, Operators, Decimal>;

/// Number literals with exponents: exmex alone would read 1e-3 as 1 times Euler's number minus 3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimal;

impl MatchLiteral for Decimal {
    fn is_literal(text: &str) -> Option<&str> {
        let bytes = text.as_bytes();
        let digits = |from: usize| {
            bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
        };
        let whole = digits(0);
        let mut end = whole;
        let mut fraction = 0;
        if bytes.get(end) == Some(&b'.') {
            fraction = digits(end + 1);
            end += 1 + fraction;
        }
        if whole + fraction == 0 {
            return None;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        text.get(..end)
    }
}

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expression, String> {
    read(text, None)
}

/// Reads an expression with the values of parameters and pi in the places of their names.
pub(super) fn parse_with<T, O>(text: &str, names: &Names) -> Result<FlatEx<T, O, Decimal>, String>
where
    T: DataType,
    <T as FromStr>::Err: Debug,
    O: MakeOperators<T>,
{
    read(text, Some(names))
}

fn read<T, O>(text: &str, names: Option<&Names>) -> Result<FlatEx<T, O, Decimal>, String>
where
    T: DataType,
    <T as FromStr>::Err: Debug,
    O: MakeOperators<T>,
{
    if text.len() > MAX_LENGTH {
        return Err(format!("the expression has {} characters, at most {MAX_LENGTH} are read", text.len()));
    }
    let deepest = text.chars().scan(0_usize, |depth, c| {
        *depth = if c == '(' { *depth + 1 } else { depth.saturating_sub(usize::from(c == ')')) };
        Some(*depth)
    });
    if deepest.max().is_some_and(|depth| depth > MAX_DEPTH) {
        return Err(format!("the expression has parentheses in more than {MAX_DEPTH} levels"));
    }
    FlatEx::parse(&plain(text, names)?).map_err(|e| {
        let text = text.trim();
        let unit =
            Decimal::is_literal(text).and_then(|number| text.strip_prefix(number)).unwrap_or("").trim();
        let why = match !unit.is_empty() && unit.chars().all(char::is_alphabetic) {
            true => "values are in SI units, only angles have a unit (deg)",
            false => e.msg(),
        };
        format!("cannot read the expression '{text}': {why}")
    })
}

/// The expression as exmex reads it, with values instead of names if they are given.
///
/// In exmex a sign binds tighter than a power, -x^2 would be (-x)^2. A leading minus is therefore written as a difference
/// from zero, and one that follows another operator is refused.
fn plain(text: &str, names: Option<&Names>) -> Result<String, String> {
    let value = |word: &str| match (names?.get(word), word) {
        (Some(x), _) => Some(*x),
        (None, "pi") => Some(std::f64::consts::PI),
        _ => None,
    };
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = '(';
    for token in Tokens::of(text) {
        match token {
            Token::Number(taken) | Token::Word(taken) => {
                match value(taken) {
                    Some(x) if x.is_sign_negative() => out.push_str(&format!("(0-{:e})", -x)),
                    Some(x) => out.push_str(&format!("({x:e})")),
                    None => out.push_str(taken),
                }
                before = taken.chars().next_back().unwrap_or(before);
            }
            Token::Mark(c) => {
                match (c, before) {
                    ('-', '(' | ',') => out.push('0'),
                    ('-', '*' | '/' | '+' | '-') => {
                        return Err(format!(
                            "'{before}-' is ambiguous in '{}': put the negative part into parentheses",
                            text.trim()
                        ));
                    }
                    _ => {}
                }
                out.push(c);
                if !c.is_whitespace() {
                    before = c;
                }
            }
        }
    }
    Ok(out)
}

/// More levels of parentheses are refused.
const MAX_DEPTH: usize = 100;
/// Most names in a message.
const MAX_LISTED: usize = 30;
/// Longer texts are refused before they reach the parser.
const MAX_LENGTH: usize = 1000;

fn unknown(name: &str, names: &Names) -> String {
    if names.is_empty() {
        format!("unknown name '{name}'; there are no [parameters]")
    } else {
        let known: Vec<&str> = names.keys().map(String::as_str).take(MAX_LISTED).collect();
        let more = match names.len().saturating_sub(MAX_LISTED) {
            0 => String::new(),
            n => format!(" and {n} more in [parameters]"),
        };
        format!("unknown name '{name}'; known parameters: {}{more}", known.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let names = Names::from([("l".to_string(), 0.5), ("f".to_string(), 2.0)]);
        Number::Text(text.to_string()).evaluate(&names)
    }

    /// A parameter is what its file says, also if it is called like a constant of mathematics or ends like a unit.
    #[test]
    fn parameters_hide_nothing() {
        let names: Names =
            [("e", 0.02), ("E", 0.5), ("TAU", 3.0), ("x_deg", 4.0), ("grad", 5.0), ("a2rad", 6.0)]
                .map(|(n, x)| (n.to_string(), x))
                .into();
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
