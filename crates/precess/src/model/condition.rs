//! `when` of an event: an expression of sensors, parameters and t, whose zero crossings are the events, or
//! one comparison.
//!
//! `"a < b"` is the function a - b and its falling zero, `"a > b"` the rising one, `"a = b"` both. A sensor
//! with one value stands for itself, one with three needs `.x`, `.y` or `.z`; names that are not plain words
//! go into braces: `{tip force}.z`.

use std::fmt;
use std::sync::Arc;

use super::expression::breakpoints::Signs;
use super::expression::culprit::ExpressionSource;
use super::expression::tokens::{Token, Tokens};
use super::expression::{Dimension, Expression, Names};
use crate::Error;
use crate::mechanics::Direction;
use crate::mechanics::event::{MAX_ARGUMENTS, Moments, Scalar};

/// A function of t and sensors.
#[derive(Clone)]
pub struct Condition {
    /// Its text; conditions with the same text count as equal.
    pub text: String,
    /// Sensor and component of each argument after t.
    pub arguments: Vec<(String, usize)>,
    /// f(t, arguments).
    pub function: Scalar,
    /// The function as an expression of model files, with plain numbers; none if it is written in code.
    pub written: Option<String>,
    /// Its changes of sign, if it is an expression of t alone.
    pub moments: Option<Moments>,
}

impl Condition {
    /// A function of t and of these components of sensors, in this order; at most 15 of them.
    pub fn new(
        text: &str,
        arguments: &[(&str, usize)],
        function: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let arguments = arguments.iter().map(|(name, i)| (name.to_string(), *i)).collect();
        Condition {
            text: text.to_string(),
            arguments,
            function: Arc::new(function),
            written: None,
            moments: None,
        }
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({})", self.text)
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.arguments == other.arguments
    }
}

/// Name, number of values and dimension of a sensor.
pub type Known<'a> = (&'a str, usize, Option<Dimension>);

/// Reads `when`; with a direction if it is a comparison.
pub fn read(text: &str, names: &Names, sensors: &[Known]) -> Result<(Condition, Option<Direction>), String> {
    let (left, operator, right) = split(text)?;
    let mut reader = ConditionReader { names, sensors, arguments: Vec::new() };
    let mut body = reader.rewrite(left)?;
    if let Some(right) = right {
        body = format!("({body})-({})", reader.rewrite(right)?);
    }
    let direction = match operator {
        None => None,
        Some('<') => Some(Direction::Falling),
        Some('>') => Some(Direction::Rising),
        Some(_) => Some(Direction::Both),
    };
    let arguments = reader.arguments;
    if arguments.len() >= MAX_ARGUMENTS {
        return Err(format!(
            "it reads {} sensor values, at most {} are possible",
            arguments.len(),
            MAX_ARGUMENTS - 1
        ));
    }
    let unreadable = |e: String| match e.contains("unit") {
        true => e,
        false => format!("cannot read the expression '{}'", text.trim()),
    };
    let expression = Expression::parse(&body, &|n| names.contains_key(n)).map_err(unreadable)?;
    let index = |name: &str| match name {
        "t" => Some(0),
        _ => name.strip_prefix(PREFIX).and_then(|i| i.parse::<usize>().ok()).map(|i| i + 1),
    };
    let called: Vec<&str> = expression.called().collect();
    for name in expression.var_names().iter().filter(|n| !called.contains(&n.as_str())) {
        if index(name).is_none() && !names.contains_key(name) && name != "pi" {
            let words = sensors.iter().map(|s| s.0).chain(["t"]).chain(names.keys().map(String::as_str));
            return Err(Error::unknown_name("name", name, words).to_string());
        }
    }
    if !expression.var_names().iter().any(|name| index(name).is_some()) {
        return Err(format!("'{}' depends neither on a sensor nor on t: it never changes", text.trim()));
    }
    same_dimensions(&expression, names, sensors, &arguments)
        .map_err(|e| e.replacen(&written_as(&body, &arguments), text.trim(), 1))?;
    let bound = expression.bind(names)?;
    let indices: Vec<usize> = bound.var_names().iter().filter_map(|n| index(n)).collect();
    let written = bound.written(&|name| match index(name).and_then(|i| arguments.get(i.wrapping_sub(1))) {
        Some((sensor, component)) => {
            let single = sensors.iter().any(|(n, values, _)| n == sensor && *values == 1);
            let part = if single { "" } else { [".x", ".y", ".z"].get(*component).copied().unwrap_or("") };
            format!("{{{sensor}}}{part}")
        }
        None => name.to_string(),
    });
    let moments =
        Signs::of(&bound).map(|signs| -> Moments { Arc::new(move |from, to| signs.changes(from, to)) });
    let function = move |values: &[f64]| {
        let mut ordered = [0.0; MAX_ARGUMENTS];
        for (x, index) in ordered.iter_mut().zip(&indices) {
            *x = values.get(*index).copied().unwrap_or(f64::NAN);
        }
        let arguments = ordered.get(..indices.len()).unwrap_or(&ordered);
        bound.eval(arguments)
    };
    let used: Vec<String> = names.iter().map(|(n, x)| format!("{n} = {x}")).collect();
    let text = format!("{}, {}", text.trim(), used.join(", "));
    Ok((Condition { text, arguments, function: Arc::new(function), written, moments }, direction))
}

/// The text with the names of sensors for their variables.
fn written_as(text: &str, arguments: &[(String, usize)]) -> String {
    let words = arguments.iter().enumerate().map(|(k, (name, _))| (format!("{PREFIX}{k}"), name.clone()));
    ExpressionSource::of_words(words.collect()).shown(text)
}

/// Refuses sums and comparisons of quantities that do not fit each other.
fn same_dimensions(
    expression: &Expression,
    names: &Names,
    sensors: &[Known],
    arguments: &[(String, usize)],
) -> Result<(), String> {
    let measured = |name: &str| {
        let (sensor, _) = arguments.get(name.strip_prefix(PREFIX)?.parse::<usize>().ok()?)?;
        sensors.iter().find(|s| s.0 == sensor)?.2
    };
    let variables = |name: &str| if name == "t" { Some(Dimension::SECOND) } else { measured(name) };
    expression.kind_with(names, &variables).map(|_| ()).map_err(|e| written_as(&e, arguments))
}

/// Variables that stand for sensor values.
const PREFIX: &str = "_sensor";

/// Both sides of a comparison, if there is one.
fn split(text: &str) -> Result<(&str, Option<char>, Option<&str>), String> {
    let mut found: Option<(usize, char)> = None;
    let (mut depth, mut brace) = (0, false);
    let mut characters = text.char_indices().peekable();
    while let Some((i, c)) = characters.next() {
        match c {
            '{' => brace = true,
            '}' => brace = false,
            _ if brace => {}
            '(' => depth += 1,
            ')' => depth -= 1,
            '&' | '|' | '!' => return Err(logic(text)),
            '<' | '>' | '=' => {
                characters.next_if(|(_, d)| *d == '=');
                if found.is_some() || depth != 0 {
                    return Err(logic(text));
                }
                found = Some((i, c));
            }
            _ => {}
        }
    }
    Ok(match found.and_then(|(i, c)| Some((text.split_at_checked(i)?, c))) {
        None => (text, None, None),
        Some(((left, right), c)) => {
            let right = right.strip_prefix(c).unwrap_or(right);
            (left, Some(c), Some(right.strip_prefix('=').unwrap_or(right)))
        }
    })
}

fn logic(text: &str) -> String {
    format!(
        "'{}' is more than one comparison; an event is one expression or one comparison, write several \
         events",
        text.trim()
    )
}

struct ConditionReader<'a> {
    names: &'a Names,
    sensors: &'a [Known<'a>],
    arguments: Vec<(String, usize)>,
}

impl ConditionReader<'_> {
    /// Rewrites one side, with variables for sensors and numbers for degrees.
    fn rewrite(&mut self, side: &str) -> Result<String, String> {
        let trimmed = side.trim();
        if trimmed.is_empty() {
            return Err("one side of the comparison is empty".to_string());
        }
        let mut out = String::from("(");
        let mut tokens = Tokens::of(trimmed);
        while let Some(token) = tokens.next() {
            match token {
                Token::Number(number) => out.push_str(number),
                Token::Mark('{') => {
                    let closed = tokens.rest.split_once('}');
                    let (name, rest) =
                        closed.ok_or_else(|| format!("the brace in '{trimmed}' is not closed"))?;
                    tokens.rest = rest;
                    self.in_braces(name, &mut tokens, &mut out)?;
                }
                Token::Mark(c) => out.push(c),
                Token::Word("and" | "or" | "not") => return Err(logic(trimmed)),
                Token::Word(name) => {
                    match self.find(name).filter(|_| !tokens.rest.trim_start().starts_with('(')) {
                        Some(n) => {
                            if name == "t" || self.names.contains_key(name) {
                                return Err(format!(
                                    "'{name}' is a sensor and {}; rename one of them",
                                    if name == "t" { "time" } else { "a parameter" }
                                ));
                            }
                            let component = component(&mut tokens);
                            self.argument(&mut out, name, n, component)?;
                        }
                        None => out.push_str(name),
                    }
                }
            }
        }
        // A unit at the end may belong to the whole side; this is tested without the parentheses.
        if let Some(Err(e)) = out.get(1..).map(|inside| Expression::parse(inside, &|_| false))
            && e.contains("unit may belong")
        {
            return Err(e);
        }
        out.push(')');
        Ok(out)
    }

    /// `{tip force}`, `{tip force}.z` or `{tip force.z}`.
    fn in_braces(&mut self, name: &str, tokens: &mut Tokens, out: &mut String) -> Result<(), String> {
        if let Some(n) = self.find(name) {
            let component = component(tokens);
            return self.argument(out, name, n, component);
        }
        let inside = name.rsplit_once('.').and_then(|(name, x)| Some((name, self.find(name)?, axis(x)?)));
        match inside {
            Some((name, n, i)) => self.argument(out, name, n, Some(i)),
            None => {
                let known = self.sensors.iter().map(|s| s.0);
                Err(Error::unknown_name("sensor", name, known).to_string())
            }
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.sensors.iter().find(|s| s.0 == name).map(|s| s.1)
    }

    fn argument(
        &mut self,
        out: &mut String,
        name: &str,
        n: usize,
        component: Option<usize>,
    ) -> Result<(), String> {
        let i = match (n, component) {
            (1, None) => 0,
            (1, Some(_)) => return Err(format!("sensor '{name}' has one value, without .x, .y or .z")),
            (_, Some(i)) => i,
            (_, None) => return Err(format!("sensor '{name}' has three values: add .x, .y or .z")),
        };
        let argument = (name.to_string(), i);
        let known = self.arguments.iter().position(|a| *a == argument);
        let index = known.unwrap_or_else(|| {
            self.arguments.push(argument);
            self.arguments.len() - 1
        });
        out.push_str(&format!("{PREFIX}{index}"));
        Ok(())
    }
}

/// Removes `.x`, `.y` or `.z` from the text.
fn component(tokens: &mut Tokens) -> Option<usize> {
    let after = tokens.rest.strip_prefix('.')?;
    let (i, rest) = AXES.iter().enumerate().find_map(|(i, a)| Some((i, after.strip_prefix(a)?)))?;
    tokens.rest = rest;
    Some(i)
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn axis(text: &str) -> Option<usize> {
    AXES.iter().position(|a| *a == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENSORS: [Known; 4] =
        [("height", 1, None), ("tip", 3, None), ("tip force", 3, None), ("gap", 1, None)];

    fn names() -> Names {
        Names::from([("h_0".to_string(), 0.25), ("gap".to_string(), 1.0)])
    }

    fn value(text: &str, values: &[f64]) -> f64 {
        let (c, _) = read(text, &names(), &SENSORS).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(c.arguments.len() + 1, values.len(), "{text}");
        (c.function)(values)
    }

    #[test]
    fn expressions_of_sensors_parameters_and_time() {
        assert_eq!(value("height - h_0", &[0.0, 1.0]), 0.75);
        assert_eq!(value("height < 2*h_0", &[0.0, 1.0]), 0.5);
        assert_eq!(value("t > 3", &[1.0]), -2.0);
        assert_eq!(value("tip.z*tip.x - 1e-3", &[0.0, 2.0, 3.0]), 6.0 - 1e-3);
        assert_eq!(value("{tip force}.y + height", &[0.0, 2.0, 3.0]), 5.0);
        assert_eq!(value("{tip force.y}", &[0.0, 2.0]), 2.0);
        assert_eq!(value("-height^2", &[0.0, 2.0]), -4.0);
        assert!((value("height > 180 deg", &[0.0, 0.0]) + std::f64::consts::PI).abs() < 1e-15);
        let direction = |text: &str| read(text, &names(), &SENSORS).unwrap().1;
        assert_eq!(direction("height < 1"), Some(Direction::Falling));
        assert_eq!(direction("height >= 1"), Some(Direction::Rising));
        assert_eq!(direction("height == 1"), Some(Direction::Both));
        assert_eq!(direction("height"), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("heigth < 0", "did you mean 'height'"),
            ("tip < 0", "add .x, .y or .z"),
            ("height.x < 0", "has one value"),
            ("h_0 < 1", "never changes"),
            ("0 < height < 1", "more than one comparison"),
            ("height < 0 && t > 1", "more than one comparison"),
            ("height < 0 or t > 1", "more than one comparison"),
            ("(height < 0) * 2", "more than one comparison"),
            ("height <", "is empty"),
            ("height *", "cannot read"),
            ("{tip forc}.x", "did you mean 'tip force'"),
            ("{tip", "not closed"),
            ("gap < 0", "a sensor and a parameter"),
            ("", "is empty"),
        ] {
            let e = read(text, &names(), &SENSORS).expect_err(text);
            assert!(e.contains(part), "{text}: {e}");
        }
    }
}
