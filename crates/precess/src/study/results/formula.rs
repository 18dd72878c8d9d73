//! Formulas of the columns of results.

use super::{Column, Results};
use crate::Error;
use crate::model::expression::Names;
use crate::model::expression::quantities::{QuantityFormula, Unread, usual_unit};
use crate::model::expression::units::parse;

impl Results {
    /// The numbers of a column or of a part of it, or of a formula of them such as `abs(a.x - b.x)`, with
    /// their unit. A vector counts with its length.
    pub fn evaluate(&self, text: &str) -> Result<(Vec<f64>, String), Error> {
        if let Some((values, unit)) = self.numbers_or_length(text) {
            return Ok((values, unit.to_string()));
        }
        let formula = QuantityFormula::read(text, &|name| self.numbers_or_length(name).is_some());
        let formula = formula.map_err(|e| match e {
            Unread::Name(name) => self.unknown(&name),
            Unread::Text(message) => Error::Input { message: format!("'{text}': {message}") },
        })?;
        let of = |name: &str| {
            self.numbers_or_length(name).and_then(|(_, unit)| parse(unit).ok()).map(|u| u.dimension)
        };
        let dimension = formula.dimension(&Names::new(), &of);
        let dimension =
            dimension.map_err(|message| Error::Input { message: format!("'{text}': {message}") })?;
        let unit = dimension.map_or("", usual_unit).to_string();
        // In SI units, as numbers with units in the formula are.
        let si = |(x, unit): (Vec<f64>, &str)| {
            let factor = parse(unit).map_or(1.0, |u| u.to_si(1.0));
            x.into_iter().map(|x| factor * x).collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> =
            formula.names.iter().filter_map(|n| self.numbers_or_length(n)).map(si).collect();
        let row = |i: usize| -> Vec<f64> {
            columns.iter().map(|c| c.get(i).copied().unwrap_or(f64::NAN)).collect()
        };
        Ok(((0..self.rows()).map(|i| formula.value(&row(i))).collect(), unit))
    }

    fn numbers_or_length(&self, name: &str) -> Option<(Vec<f64>, &str)> {
        self.numbers(name).or_else(|| self.column(name).map(|c| (c.lengths(), c.unit.as_str())))
    }

    /// The error for a quantity that is not there, with the nearest name.
    pub fn unknown(&self, name: &str) -> Error {
        let mut names: Vec<&str> = Vec::new();
        for c in &self.columns {
            names.push(&c.name);
            // Entries of the state have numbers instead of names.
            let named =
                c.parts.iter().filter(|p| **p != c.name && !p.ends_with(|x: char| x.is_ascii_digit()));
            names.extend(named.map(String::as_str));
        }
        Error::unknown_name("quantity", name, names)
    }
}

impl Column {
    /// The length of every row.
    pub fn lengths(&self) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.parts.len().max(1));
        rows.map(|r| r.iter().map(|x| x * x).sum::<f64>().sqrt()).collect()
    }
}
