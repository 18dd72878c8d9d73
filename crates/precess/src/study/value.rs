//! Values of entries of a model file: numbers, which may have a unit, and words.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use crate::model::expression::units;

/// A value of an entry of a model file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Anything else.
    Word(String),
}

impl std::fmt::Display for Value {
    /// The value as `--set` reads it; numbers with all digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(x) if *x != 0.0 && !(1e-4..1e16).contains(&x.abs()) => write!(f, "{x:e}"),
            Value::Number(x) => write!(f, "{x}"),
            Value::Word(w) => f.write_str(w),
        }
    }
}

/// A number with its unit, which may be empty: `12mm`, `1200 rpm`, `3`.
pub(super) fn quantity(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let ends = text.char_indices().map(|(i, c)| i + c.len_utf8());
    let (x, at) = ends.filter_map(|i| Some((text.get(..i)?.parse::<f64>().ok()?, i))).last()?;
    let unit = text.get(at..)?.trim();
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    (starts && x.is_finite() && (unit.is_empty() || units::parse(unit).is_ok())).then_some((x, unit))
}

/// Numbers in the unit that is given last; none if one of them is no number. Units of different dimensions are
/// an error.
pub(super) fn in_one_unit(words: &[&str]) -> Result<Option<(Vec<f64>, String)>, String> {
    let Some(list) = words.iter().map(|w| quantity(w)).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let unit = list.iter().rev().map(|(_, u)| *u).find(|u| !u.is_empty()).unwrap_or("");
    let Ok(wanted) = units::parse(unit) else {
        return Ok(Some((list.iter().map(|l| l.0).collect(), String::new())));
    };
    let convert = |(x, own): &(f64, &str)| match units::parse(own) {
        Ok(own_unit) if *own != unit => match own_unit.dimension == wanted.dimension {
            true => Ok(x * own_unit.to_si(1.0) / wanted.to_si(1.0)),
            false => Err(format!("'{own}' and '{unit}' are units of different quantities")),
        },
        _ => Ok(*x),
    };
    Ok(Some((list.iter().map(convert).collect::<Result<Vec<f64>, String>>()?, unit.to_string())))
}
