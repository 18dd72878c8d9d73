//! The table of a sweep: one row per run, as CSV and as results.

use super::super::points::Value;
use super::super::text::csv;

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Values of the varied entries.
    pub values: Vec<Value>,
    /// Collected numbers, or the error.
    pub result: Result<Vec<f64>, String>,
    /// Why the numbers cannot be trusted, if so.
    pub untrusted: Option<String>,
}

/// Result of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepTable {
    /// Names of the varied entries.
    pub inputs: Vec<String>,
    /// Names of the collected quantities.
    pub outputs: Vec<String>,
    /// Runs.
    pub rows: Vec<SweepRow>,
    pub(super) model: String,
    pub(super) overrides: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) units: Vec<String>,
}

impl SweepTable {
    /// Number of runs that failed.
    pub fn failures(&self) -> usize {
        self.rows.iter().filter(|r| r.result.is_err()).count()
    }

    /// Number of runs that are done, with or without success.
    pub fn done(&self) -> usize {
        self.rows.iter().filter(|r| r.result.as_ref().err().is_none_or(|e| e != super::NOT_DONE)).count()
    }

    /// Number of complete runs whose numbers cannot be trusted.
    pub fn untrusted(&self) -> usize {
        self.rows.iter().filter(|r| r.untrusted.is_some()).count()
    }

    /// The command that repeats a run.
    pub fn command(&self, row: &SweepRow) -> String {
        let entries = self.paths.iter().zip(&row.values).zip(&self.units);
        let varied = entries.map(|((path, x), unit)| super::with_unit(path, x, unit));
        let sets = self.overrides.iter().cloned().chain(varied).map(|s| format!(" --set {}", quoted(&s)));
        format!("precess run {}{}", quoted(&self.model), sets.collect::<String>())
    }

    /// One line per run: varied values, collected numbers, the error, why it cannot be trusted, and the
    /// command that repeats it.
    pub fn csv(&self) -> String {
        let head: Vec<String> = self
            .inputs
            .iter()
            .chain(&self.outputs)
            .cloned()
            .chain(["error".into(), "untrusted".into(), "command".into()])
            .collect();
        let rows = self.rows.iter().map(|r| {
            let mut cells: Vec<String> = r.values.iter().map(|v| v.to_string()).collect();
            match &r.result {
                Ok(numbers) => {
                    cells.extend(numbers.iter().map(|x| Value::Number(*x).to_string()));
                    cells.push(String::new());
                }
                Err(e) => {
                    cells.extend(self.outputs.iter().map(|_| String::new()));
                    cells.push(e.clone());
                }
            }
            cells.push(r.untrusted.clone().unwrap_or_default());
            cells.push(self.command(r));
            cells
        });
        csv(&head, rows)
    }
}

impl SweepTable {
    /// One column per input and output, NaN if a run failed. Words are numbered. The metadata list the words,
    /// the errors and doubts by row, and the overrides that all runs share.
    pub fn results(&self) -> super::super::results::Results {
        use super::super::results::{Column, Results};
        let mut results = Results::default();
        let mut words = serde_json::Map::new();
        for (k, name) in self.inputs.iter().enumerate() {
            let mut column = Column::scalar(name, "");
            let mut list: Vec<&str> = Vec::new();
            for row in &self.rows {
                column.values.push(match &row.values[k] {
                    Value::Number(x) => *x,
                    Value::Word(w) => {
                        let place = list.iter().position(|l| l == w);
                        place.unwrap_or_else(|| {
                            list.push(w);
                            list.len() - 1
                        }) as f64
                    }
                });
            }
            if !list.is_empty() {
                words.insert(name.clone(), list.into());
            }
            results.columns.push(column);
        }
        for (k, name) in self.outputs.iter().enumerate() {
            let mut column = Column::scalar(name, "");
            column.values.extend(self.rows.iter().map(|r| r.result.as_ref().map_or(f64::NAN, |x| x[k])));
            results.columns.push(column);
        }
        let by_row = |of: fn(&SweepRow) -> Option<&str>| -> serde_json::Map<String, serde_json::Value> {
            let rows = self.rows.iter().enumerate();
            rows.filter_map(|(i, r)| Some((i.to_string(), of(r)?.into()))).collect()
        };
        let errors = by_row(|r| r.result.as_ref().err().map(String::as_str));
        let untrusted = by_row(|r| r.untrusted.as_deref());
        results.metadata.model = self.model.clone();
        results.metadata.overrides = self.overrides.clone();
        results.metadata.settings = serde_json::json!({ "paths": self.paths, "words": words });
        results.metadata.summary = serde_json::json!({ "errors": errors, "untrusted": untrusted });
        results.metadata = results.described();
        results
    }
}

/// Quotes a word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+/=:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
