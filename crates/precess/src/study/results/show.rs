//! Access to results by name, and their printed form.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use super::{Column, FileError, Output, Results};
use crate::Error;

/// Largest number of columns shown.
const MAX_SHOWN: usize = 24;

impl Results {
    /// Times of the rows.
    pub fn t(&self) -> &[f64] {
        self.column("t").map_or(&[], |c| &c.values)
    }

    /// A column by name, or the nearest known name.
    pub fn get(&self, name: &str) -> Result<&Column, Error> {
        let known = || self.columns.iter().map(|c| c.name.as_str());
        self.column(name).ok_or_else(|| Error::unknown_name("quantity", name, known()))
    }

    /// A column of vectors with three entries, for example `rod.position` or `hinge.force`.
    pub fn triples(&self, name: &str) -> Result<&[[f64; 3]], Error> {
        let column = self.get(name)?;
        if column.parts.len() != 3 {
            return Err(Error::Length {
                what: "a row of this column",
                found: column.parts.len(),
                expected: 3,
            });
        }
        Ok(column.values.as_chunks().0)
    }

    /// Writes a file, `.npz`, `.csv` or `.json` by its name. It contains all columns with their units, the
    /// settings and the model.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        Output::create(path.as_ref())?.finish(self)?;
        Ok(())
    }

    /// Reads a file written by [`save`](Self::save) or by the command line.
    ///
    /// ```
    /// use precess::prelude::*;
    ///
    /// let model = Model::new("ball").gravity([0.0, 0.0, -9.81]).body(Body::rigid("ball", 1.0, [0.1; 3]));
    /// let results = model.run(1.0, 1e-8)?;
    /// let path = std::env::temp_dir().join("precess-results-save.npz");
    /// results.save(&path)?;
    /// assert_eq!(Results::open(&path)?.triples("ball.position")?, results.triples("ball.position")?);
    /// # std::fs::remove_file(path).ok();
    /// # Ok::<(), Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(super::read(path)?)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Error::Input { message: error.to_string() }
    }
}

impl Display for Results {
    /// Model, method, size, and the last row.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (m, s) = (&self.metadata, &self.metadata.settings);
        let entry = |key: &str| s.get(key);
        let word = |key: &str| entry(key).and_then(|x| x.as_str()).unwrap_or("unknown").to_string();
        let number = |key: &str| entry(key).and_then(|x| x.as_f64());
        let accuracy = match (number("tol"), number("step")) {
            (Some(tol), _) => format!("tol = {tol:e}"),
            (None, Some(step)) => format!("h = {step:e} s"),
            (None, None) => "steps unknown".to_string(),
        };
        let (rows, end) = (self.rows(), self.t().last().copied().unwrap_or(0.0));
        writeln!(
            f,
            "{}: {} on {}, {accuracy}, {rows} rows to t = {end} s",
            m.model,
            word("method"),
            word("formulation")
        )?;
        if let Some(why) = m.summary.get("error").and_then(|e| e.as_str()) {
            writeln!(f, "ended early: {why}")?;
        }
        let named: Vec<&Column> = self
            .columns
            .iter()
            .filter(|c| !["q", "v", "vdot", "lambda"].contains(&c.name.as_str()))
            .collect();
        let width = named.iter().take(MAX_SHOWN).map(|c| c.name.chars().count()).max().unwrap_or(0);
        for c in named.iter().take(MAX_SHOWN) {
            let last: Vec<String> =
                c.row(rows.saturating_sub(1)).iter().map(|x| format!("{x:>13.6e}")).collect();
            writeln!(f, "{}", format!("  {:width$}  {}  {}", c.name, last.join(" "), c.unit).trim_end())?;
        }
        match named.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "  ... {more} more columns"),
        }
    }
}
