//! `when` of an event: an expression of sensors, parameters and t whose zero crossings count, or one comparison.
//!
//! `"a < b"` is the function a - b and its falling zero, `"a > b"` the rising one, `"a = b"` both. A sensor with one value
//! stands for itself, one with three needs `.x`, `.y` or `.z`; names that are not plain words go into braces: `{tip force}.z`.

use std::fmt;
use std::sync::Arc;

use exmex::MatchLiteral;
use exmex::prelude::*;

use super::number::{Decimal, Names, bind, parse, split_unit};
use crate::Error;
use crate::mechanics::Direction;
use crate::mechanics::event::{MAX_ARGUMENTS, Scalar};

/// A function of t and sensors.
#[derive(Clone)]
pub struct Condition {
    /// What it says; conditions with the same text count as equal.
    pub text: String,
    /// Sensor and component of each argument behind t.
    pub arguments: Vec<(String, usize)>,
    /// f(t, arguments).
    pub function: Scalar,
}

impl Condition {
    /// A function of t and these components of sensors, in this order; at most 15 of them.
    pub fn new(
        text: &str,
        arguments: &[(&str, usize)],
        function: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let arguments = arguments.iter().map(|(name, i)| (name.to_string(), *i)).collect();
        Condition { text: text.to_string(), arguments, function: Arc::new(function) }
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

/// Name and number of values of a sensor.
pub type Known<'a> = (&'a str, usize);

/// Reads `when`; the direction is there if it is a comparison.
pub fn read(text: &str, names: &Names, sensors: &[Known]) -> Result<(Condition, Option<Direction>), String> {
    let (left, operator, right) = split(text)?;
    let mut reader = Reader { names, sensors, arguments: Vec::new() };
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
    let expression = parse(&body).map_err(|_| format!("cannot read the expression '{}'", text.trim()))?;
    let place = |name: &str| match name {
        "t" => Some(0),
        _ => name.strip_prefix(PREFIX).and_then(|i| i.parse::<usize>().ok()).map(|i| i + 1),
    };
    for name in expression.var_names() {
        if place(name).is_none() && !names.contains_key(name) && name != "pi" {
            let words = sensors.iter().map(|s| s.0).chain(["t"]).chain(names.keys().map(String::as_str));
            return Err(Error::unknown_name("name", name, words).to_string());
        }
    }
    if !expression.var_names().iter().any(|name| place(name).is_some()) {
        return Err(format!("'{}' depends neither on a sensor nor on t: it never changes", text.trim()));
    }
    let bound =
        bind(expression, names).map_err(|e| format!("cannot read the expression '{}': {e}", text.trim()))?;
    let places: Vec<usize> = bound.var_names().iter().filter_map(|n| place(n)).collect();
    let function = move |values: &[f64]| {
        let mut ordered = [0.0; MAX_ARGUMENTS];
        for (x, place) in ordered.iter_mut().zip(&places) {
            *x = values[*place];
        }
        bound.eval(&ordered[..places.len()]).unwrap_or(f64::NAN)
    };
    let used: Vec<String> = names.iter().map(|(n, x)| format!("{n} = {x}")).collect();
    let text = format!("{}, {}", text.trim(), used.join(", "));
    Ok((Condition { text, arguments, function: Arc::new(function) }, direction))
}

/// Variables that stand for sensor values.
const PREFIX: &str = "_sensor";

/// Both sides of a comparison, if there is one.
fn split(text: &str) -> Result<(&str, Option<char>, Option<&str>), String> {
    let mut found: Option<(usize, usize, char)> = None;
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
                let long = characters.next_if(|(_, d)| *d == '=').is_some();
                if found.is_some() || depth != 0 {
                    return Err(logic(text));
                }
                found = Some((i, i + 1 + usize::from(long), c));
            }
            _ => {}
        }
    }
    Ok(match found {
        None => (text, None, None),
        Some((a, b, c)) => (&text[..a], Some(c), Some(&text[b..])),
    })
}

fn logic(text: &str) -> String {
    format!(
        "'{}' is more than one comparison; an event is one expression or one comparison, write several events",
        text.trim()
    )
}

struct Reader<'a> {
    names: &'a Names,
    sensors: &'a [Known<'a>],
    arguments: Vec<(String, usize)>,
}

impl Reader<'_> {
    /// One side, with variables for sensors and numbers for degrees.
    fn rewrite(&mut self, side: &str) -> Result<String, String> {
        let trimmed = side.trim();
        if trimmed.is_empty() {
            return Err("one side of the comparison is empty".to_string());
        }
        let (mut rest, unit) = match split_unit(trimmed) {
            (angle, Some("deg")) => (angle, "*(pi/180)"),
            (other, _) => (other, ""),
        };
        let mut out = String::from("(");
        while let Some(c) = rest.chars().next() {
            if let Some(number) = Decimal::is_literal(rest) {
                out.push_str(number);
                rest = &rest[number.len()..];
            } else if c == '{' {
                let end = rest.find('}').ok_or_else(|| format!("the brace in '{trimmed}' is not closed"))?;
                let (name, after) = (&rest[1..end], &rest[end + 1..]);
                rest = after;
                let inside = name.rsplit_once('.').and_then(|(n, x)| Some((n, axis(x)?)));
                let component = if self.find(name).is_some() { self.component(&mut rest) } else { None };
                match (self.find(name), inside) {
                    (Some(n), _) => self.argument(&mut out, name, n, component)?,
                    (None, Some((name, i))) if self.find(name).is_some() => {
                        self.argument(&mut out, name, self.find(name).unwrap_or(1), Some(i))?;
                    }
                    _ => {
                        let known = self.sensors.iter().map(|s| s.0);
                        return Err(Error::unknown_name("sensor", name, known).to_string());
                    }
                }
            } else if c.is_alphabetic() || c == '_' {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let name = &rest[..end];
                rest = &rest[end..];
                if matches!(name, "and" | "or" | "not") {
                    return Err(logic(trimmed));
                }
                match self.find(name).filter(|_| !rest.trim_start().starts_with('(')) {
                    Some(n) => {
                        if name == "t" || self.names.contains_key(name) {
                            return Err(format!(
                                "'{name}' is a sensor and {}; rename one of them",
                                if name == "t" { "time" } else { "a parameter" }
                            ));
                        }
                        let component = self.component(&mut rest);
                        self.argument(&mut out, name, n, component)?;
                    }
                    None => out.push_str(name),
                }
            } else {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        out.push(')');
        out.push_str(unit);
        Ok(out)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.sensors.iter().find(|s| s.0 == name).map(|s| s.1)
    }

    /// Takes `.x`, `.y` or `.z` off the text.
    fn component(&self, rest: &mut &str) -> Option<usize> {
        let mut characters = rest.chars();
        let found = (characters.next() == Some('.')).then(|| characters.next()).flatten();
        let i = found.and_then(|c| axis(c.encode_utf8(&mut [0; 4])))?;
        *rest = &rest[2..];
        Some(i)
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
        let place = known.unwrap_or_else(|| {
            self.arguments.push(argument);
            self.arguments.len() - 1
        });
        out.push_str(&format!("{PREFIX}{place}"));
        Ok(())
    }
}

fn axis(text: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|a| *a == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENSORS: [Known; 4] = [("height", 1), ("tip", 3), ("tip force", 3), ("gap", 1)];

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
