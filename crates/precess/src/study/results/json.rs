//! JSON: `columns` (names of numbers), `rows`, `metadata`. JSON has no NaN and no infinity: both are `null`,
//! read as NaN.

use std::io::{Error, Write};

use serde::Deserialize;

use super::Results;
use super::metadata::{Problem, metadata};

/// Writes.
pub fn write(results: &Results, out: &mut dyn Write) -> Result<(), Error> {
    let mut names: Vec<&String> = Vec::new();
    results.columns.iter().for_each(|c| names.extend(&c.parts));
    write!(out, "{{\n  \"columns\": {},\n  \"rows\": [", serde_json::to_string(&names)?)?;
    for row in 0..results.rows() {
        let mut values: Vec<f64> = Vec::new();
        results.columns.iter().for_each(|c| values.extend(c.row(row)));
        let mut separator = if row == 0 { "\n    [" } else { ",\n    [" };
        for x in values {
            if x.is_finite() {
                write!(out, "{separator}{x:e}")?
            } else {
                write!(out, "{separator}null")?
            }
            separator = ",";
        }
        write!(out, "]")?;
    }
    writeln!(out, "\n  ],\n  \"metadata\": {}\n}}", serde_json::to_string(&results.described())?)
}

#[derive(Deserialize)]
struct Content {
    rows: Vec<Vec<Option<f64>>>,
    metadata: serde_json::Value,
}

/// Reads.
pub fn read(bytes: &[u8]) -> Result<Results, Problem> {
    let content: Content = serde_json::from_slice(bytes).map_err(|e| match e.is_eof() {
        true => Problem::Truncated(e.to_string()),
        false => Problem::Other(e.to_string()),
    })?;
    let mut results = Results::empty(metadata(&content.metadata.to_string())?);
    for row in content.rows {
        let mut values = row.into_iter().map(|x| x.unwrap_or(f64::NAN));
        for c in &mut results.columns {
            c.values.extend(values.by_ref().take(c.parts.len()));
        }
    }
    Ok(results)
}
