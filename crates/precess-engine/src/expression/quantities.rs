//! Formulas of quantities whose names have dots and blanks: `abs(a.x - b.x)`, `crank angle * 2`.
//!
//! A name is found as it is written, the longest one first, or in braces: `{crank angle}`. After a number a
//! word is a unit: `5 N`.

use super::{Dimension, Expression, Kind, Names, units};

/// A formula, and the quantities that it uses.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityFormula {
    written: Expression,
    expression: Expression,
    /// Names of the quantities, in the order of their values.
    pub names: Vec<String>,
    /// Which quantity each variable of the expression is.
    order: Vec<usize>,
}

/// Why a formula cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unread {
    /// A name that no quantity has.
    Name(String),
    /// Anything else, in words.
    Text(String),
}

/// The variable of a quantity. Models cannot have this name.
fn variable(k: usize) -> String {
    format!("quantity__{k}")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True for words that the formula language knows itself.
fn is_own(word: &str) -> bool {
    ["pi", "and", "or", "not"].contains(&word)
}

impl QuantityFormula {
    /// Reads a formula. `known` tells whether a quantity has this name.
    pub fn read(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, Unread> {
        Self::read_with(text, &Names::new(), known)
    }

    /// The same with the parameters and tables of a model.
    pub fn read_with(text: &str, model: &Names, known: &dyn Fn(&str) -> bool) -> Result<Self, Unread> {
        let (mut names, mut replaced, mut rest) = (Vec::<String>::new(), String::new(), text);
        let mut put = |name: &str, replaced: &mut String| {
            let k = names.iter().position(|n| n == name).unwrap_or_else(|| {
                names.push(name.to_string());
                names.len() - 1
            });
            replaced.push_str(&variable(k));
        };
        while let Some(c) = rest.chars().next() {
            let before = replaced.trim_end().chars().next_back();
            let after_number =
                before.is_some_and(|c| c.is_ascii_digit() || c == '.') && !ends_with_word(&replaced);
            if let Some((name, after)) = rest.strip_prefix('{').and_then(|r| r.split_once('}')) {
                let (name, after) = with_component(name.trim(), after);
                if !known(&name) {
                    return Err(Unread::Name(name));
                }
                put(&name, &mut replaced);
                rest = after;
            } else if (c.is_alphabetic() || c == '_') && !after_number {
                let (name, after) = longest(rest, known);
                if known(name) {
                    let (whole, _) = with_component(name, after);
                    if whole != name {
                        return Err(Unread::Name(whole));
                    }
                    put(name, &mut replaced);
                } else if replaced.ends_with(['/', '*']) && units::parse(name).is_ok() {
                    // The rest of a unit, such as m/s^2.
                    replaced.push_str(name);
                } else if is_own(name) || model.contains_key(name) || after.trim_start().starts_with('(') {
                    replaced.push_str(name);
                } else {
                    return Err(Unread::Name(name.to_string()));
                }
                rest = after;
            } else if c.is_ascii_digit() {
                // A number with its exponent, such as 1e-3.
                let (number, after) = number(rest);
                replaced.push_str(number);
                rest = after;
            } else if is_word(c) {
                let (word, after) = split_word(rest);
                replaced.push_str(word);
                rest = after;
            } else {
                replaced.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or("");
            }
        }
        let is_variable = |name: &str| name.starts_with("quantity__") || model.contains_key(name);
        let told = |message: String| Unread::Text(shown(&names, message));
        let written = Expression::parse(&replaced, &is_variable).map_err(told)?;
        let expression = written.bind(model).map_err(told)?;
        let place = |v: &String| v.strip_prefix("quantity__").and_then(|k| k.parse().ok());
        let order = expression.var_names().iter().map(|v| place(v).unwrap_or(usize::MAX)).collect();
        Ok(QuantityFormula { written, expression, names, order })
    }

    /// The value for the values of the quantities.
    pub fn value(&self, values: &[f64]) -> f64 {
        let ordered: Vec<f64> =
            self.order.iter().map(|&k| values.get(k).copied().unwrap_or(f64::NAN)).collect();
        self.expression.eval(&ordered)
    }

    /// The dimension of the value for those of the quantities; none for pure numbers and if it is not known.
    /// An error if a number with a unit is added to a quantity of another dimension.
    pub fn dimension(
        &self,
        model: &Names,
        of: &dyn Fn(&str) -> Option<Dimension>,
    ) -> Result<Option<Dimension>, String> {
        let variables = |name: &str| {
            let k = name.strip_prefix("quantity__").and_then(|k| k.parse::<usize>().ok())?;
            of(self.names.get(k)?)
        };
        match self.written.kind_with(model, &variables).map_err(|e| self.shown(e))? {
            Kind::Known(d) | Kind::Measured(d) => Ok(Some(d)),
            _ => Ok(None),
        }
    }

    /// The formula as text, with these names of its quantities in braces; none if it contains a table.
    pub fn text(&self, name: &dyn Fn(&str) -> String) -> Option<String> {
        self.expression.written(&|variable| {
            let k = variable.strip_prefix("quantity__").and_then(|k| k.parse::<usize>().ok());
            let own = k.and_then(|k| self.names.get(k)).map_or("", String::as_str);
            format!("{{{}}}", name(own))
        })
    }

    /// A message with the names of the quantities.
    fn shown(&self, message: String) -> String {
        shown(&self.names, message)
    }
}

fn shown(names: &[String], message: String) -> String {
    names.iter().enumerate().rev().fold(message, |m, (k, n)| m.replace(&variable(k), n))
}

/// The usual unit of a dimension; empty if there is none.
pub fn usual_unit(dimension: Dimension) -> &'static str {
    const USUAL: [&str; 16] = [
        "m", "rad", "s", "kg", "m/s", "rad/s", "m/s^2", "rad/s^2", "N", "N m", "W", "kg m/s", "kg m^2/s",
        "Pa", "N/m", "kg m^2",
    ];
    let fits = |u: &&&str| units::parse(u).is_ok_and(|u| u.dimension == dimension);
    USUAL.iter().find(fits).copied().unwrap_or("")
}

/// True if a text ends with a word and not with a number.
fn ends_with_word(text: &str) -> bool {
    let end = text.trim_end();
    let word = end.trim_end_matches(|c: char| is_word(c) || c == '.');
    end.get(word.len()..).and_then(|w| w.chars().next()).is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// A name with the component that follows it, if there is one: `.x`.
fn with_component<'a>(name: &str, after: &'a str) -> (String, &'a str) {
    match after.strip_prefix('.').map(split_word) {
        Some((word, rest)) if word.starts_with(char::is_alphabetic) => (format!("{name}.{word}"), rest),
        _ => (name.to_string(), after),
    }
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()))
}

/// A number at the beginning of a text.
fn number(text: &str) -> (&str, &str) {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or("");
        from + rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len())
    };
    let mut end = digits(0);
    let exponent = text.get(end..).unwrap_or("");
    if let Some(power) = exponent.strip_prefix(['e', 'E']) {
        let signed = power.strip_prefix(['+', '-']).unwrap_or(power);
        if signed.starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(end + exponent.len() - signed.len());
        }
    }
    text.split_at(end)
}

/// The longest known name at the beginning of a text; the first word with its dots if none is known.
fn longest<'a>(text: &'a str, known: &dyn Fn(&str) -> bool) -> (&'a str, &'a str) {
    let ends = text.char_indices().map(|(i, c)| i + c.len_utf8()).filter(|&i| {
        let (last, next) = (text.get(..i).and_then(|t| t.chars().next_back()), text.get(i..));
        let inside = next.and_then(|t| t.chars().next()).is_some_and(is_word);
        !(last.is_some_and(is_word) && inside)
    });
    let found = ends.rev().find(|&i| text.get(..i).is_some_and(known));
    let word = || text.find(|c| !is_word(c) && c != '.').unwrap_or(text.len());
    text.split_at(found.unwrap_or_else(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 6] = ["a.x", "b.x", "crank angle", "m", "a", "tip.force"];

    fn value(text: &str, values: &[f64]) -> f64 {
        let formula =
            QuantityFormula::read(text, &|n| KNOWN.contains(&n)).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        formula.value(values)
    }

    #[test]
    fn names_have_dots_blanks_and_braces() {
        assert_eq!(value("abs(a.x - b.x)", &[1.0, 3.5]), 2.5);
        assert_eq!(value("2*crank angle + {crank angle}", &[0.5]), 1.5);
        assert_eq!(value("(tip.force + 5 N)/2 m", &[1.0]), 3.0);
        assert_eq!(value("m*a + a.x*1e-3", &[2.0, 3.0, 1000.0]), 7.0);
        assert_eq!(value("max(a.x, 2)*pi", &[1.0]), 2.0 * std::f64::consts::PI);
    }

    #[test]
    fn units_follow() {
        let unit = |text: &str| {
            let formula = QuantityFormula::read(text, &|n| KNOWN.contains(&n)).unwrap();
            let of = |name: &str| {
                Some(units::parse(if name == "tip.force" { "N" } else { "m" }).unwrap().dimension)
            };
            formula.dimension(&Names::new(), &of).map(|d| d.map_or("", usual_unit))
        };
        for (text, expected) in
            [("a.x - b.x", "m"), ("tip.force*a.x", "N m"), ("tip.force/tip.force", ""), ("tip.force", "N")]
        {
            assert_eq!(unit(text).unwrap(), expected, "{text}");
        }
        let mixed = unit("a.x + 5 N").unwrap_err();
        assert!(mixed.contains("a.x"), "{mixed}");
    }

    #[test]
    fn mistakes_name_the_word() {
        let read = |text: &str| QuantityFormula::read(text, &|n| KNOWN.contains(&n)).unwrap_err();
        assert_eq!(read("abs(a.y)"), Unread::Name("a.y".into()));
        assert_eq!(read("{crank}"), Unread::Name("crank".into()));
        let Unread::Text(text) = read("a.x +") else { panic!() };
        assert!(text.contains("a.x +") && !text.contains("quantity__"), "{text}");
        let Unread::Text(text) = read("nofun(a.x)") else { panic!() };
        assert!(text.contains("nofun"), "{text}");
    }
}
