//! Results of a run as named columns, in memory and as files.
//!
//! [`Recording`] collects columns during a run, [`Output`] writes them, [`read`] reads them. The format of a
//! file follows from its extension: [`npz`], [`csv`], [`json`], one file each.

// Foreign files must not cause a panic.
#![deny(clippy::indexing_slicing, clippy::string_slice)]

pub mod csv;
mod file;
mod formula;
mod geometry;
mod history;
pub mod json;
mod metadata;
pub mod npz;
mod record;
mod show;
mod units;

pub use file::{FORMATS, Output, decode, is_results, read};
pub use history::History;
pub use record::{Recording, SampleRow};

use crate::persist::{Archive, Damage, Persist};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Version of the files.
pub const VERSION: u32 = 1;

/// The results of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Their origin.
    pub metadata: Metadata,
    /// The columns; all have the same number of rows.
    pub columns: Vec<Column>,
}

/// Origin of results: enough to repeat the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Always "precess results".
    pub format: String,
    /// Version of the file.
    pub version: u32,
    /// Version of precess.
    pub precess: String,
    /// Name of the model.
    pub model: String,
    /// The model file.
    pub model_text: String,
    /// Replaced entries, `path=value`.
    pub overrides: Vec<String>,
    /// Method and its options.
    pub settings: serde_json::Value,
    /// Summary of the run.
    pub summary: serde_json::Value,
    /// Shapes of bodies, points and axes of joints, ends of springs, as numbers; null in files of older
    /// versions.
    #[serde(default)]
    pub geometry: serde_json::Value,
    /// Entries of `q` and `v` after the bodies, with their numbers of values: modal bodies, states, controls.
    #[serde(default)]
    pub variables: Vec<(String, usize)>,
    /// Angles of joints in the last row, with full turns.
    #[serde(default)]
    pub angles: Vec<(String, f64)>,
    /// Units of columns, in the order of the columns; empty for pure numbers and mixtures.
    pub units: Vec<String>,
    /// Names of columns with the names of their parts.
    pub names: Vec<(String, Vec<String>)>,
    /// Number of rows.
    pub rows: usize,
}

impl Default for Metadata {
    fn default() -> Self {
        Metadata {
            format: "precess results".to_string(),
            version: VERSION,
            precess: env!("CARGO_PKG_VERSION").to_string(),
            model: String::new(),
            model_text: String::new(),
            overrides: Vec::new(),
            settings: serde_json::Value::Null,
            summary: serde_json::Value::Null,
            geometry: serde_json::Value::Null,
            variables: Vec::new(),
            angles: Vec::new(),
            units: Vec::new(),
            names: Vec::new(),
            rows: 0,
        }
    }
}

/// A quantity over time: one number or a vector per row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Name: `t`, `q`, `top.position`, or that of a sensor.
    pub name: String,
    /// Unit; empty for pure numbers and mixtures.
    pub unit: String,
    /// Names of the entries of a row, for example `top.x`, `top.y`, `top.z`; the name itself for a single
    /// number.
    pub parts: Vec<String>,
    /// True if a row is one number and not a vector.
    pub scalar: bool,
    /// Rows one after the other.
    pub values: Vec<f64>,
}

impl Persist for Column {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Column { name, unit, parts, scalar, values } = self;
        ((name, unit), scalar).persist(archive)?;
        archive.growing(parts)?;
        archive.growing(values)
    }
}

impl Column {
    /// A number per row.
    pub fn scalar(name: &str, unit: &str) -> Self {
        let (name, unit) = (name.to_string(), unit.to_string());
        Column { parts: vec![name.clone()], name, unit, scalar: true, values: Vec::new() }
    }

    /// A vector per row.
    pub fn vector(name: &str, unit: &str, parts: Vec<String>) -> Self {
        Column { name: name.to_string(), unit: unit.to_string(), parts, scalar: false, values: Vec::new() }
    }

    /// The entries of a row; empty if there is no such row.
    pub fn row(&self, row: usize) -> &[f64] {
        let n = self.parts.len();
        self.values.get(row.saturating_mul(n)..).and_then(|rest| rest.get(..n)).unwrap_or(&[])
    }

    /// One entry of every row.
    pub fn part(&self, k: usize) -> Vec<f64> {
        self.values.iter().skip(k).step_by(self.parts.len().max(1)).copied().collect()
    }
}

impl Results {
    /// A column by name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Numbers by the name of a scalar column or of a part (`top.x`), with their unit.
    pub fn numbers(&self, name: &str) -> Option<(Vec<f64>, &str)> {
        self.columns.iter().find_map(|c| {
            let k = c.parts.iter().position(|p| p == name)?;
            Some((c.part(k), c.unit.as_str()))
        })
    }

    /// Keeps the time and these columns, the parts that are named, and formulas of them. An unknown name is an
    /// error, and nothing changes.
    pub fn keep(&mut self, names: &[String]) -> Result<(), crate::Error> {
        let mut kept: Vec<Column> = Vec::new();
        for name in std::iter::once("t").chain(names.iter().map(String::as_str)) {
            let found = match (self.column(name), self.numbers(name)) {
                (Some(column), _) => column.clone(),
                (None, Some((values, unit))) => Column { values, ..Column::scalar(name, unit) },
                (None, None) if name == "t" => continue,
                (None, None) => {
                    let (values, unit) = self.evaluate(name)?;
                    Column { values, ..Column::scalar(name, &unit) }
                }
            };
            if !kept.iter().any(|c| c.name == found.name) {
                kept.push(found);
            }
        }
        self.columns = kept;
        Ok(())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len() / c.parts.len().max(1))
    }

    /// The metadata as written to files: with names, units and the number of rows.
    pub(crate) fn described(&self) -> Metadata {
        let mut m = self.metadata.clone();
        m.units = self.columns.iter().map(|c| c.unit.clone()).collect();
        m.names = self
            .columns
            .iter()
            .map(|c| (c.name.clone(), if c.scalar { Vec::new() } else { c.parts.clone() }))
            .collect();
        m.rows = self.rows();
        m
    }

    /// Columns without values, according to the metadata.
    fn empty(metadata: Metadata) -> Self {
        let column = |((name, parts), unit): (&(String, Vec<String>), &String)| match parts[..] {
            [] if !is_vector(name) => Column::scalar(name, unit),
            _ => Column::vector(name, unit, parts.clone()),
        };
        let columns = metadata.names.iter().zip(&metadata.units).map(column).collect();
        Results { metadata, columns }
    }
}

/// True for vectors of the state, which may be empty, for example lambda without constraints.
fn is_vector(name: &str) -> bool {
    ["q", "v", "vdot", "lambda"].contains(&name)
}

/// Errors of files of results.
#[derive(Debug, Error)]
pub enum FileError {
    /// The extension is unknown.
    #[error("{file}: unknown kind of results file\n  help: use \
             {}", FORMATS.map(|f| format!(".{f}")).join(", "))]
    Kind {
        /// The file.
        file: String,
    },
    /// The file cannot be written.
    #[error("cannot write {file}: {error}\n  help: choose a file you may write, on a disk with enough space")]
    Write {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The file cannot be read.
    #[error("cannot read {file}: {error}\n  help: give a results file of precess")]
    Read {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The file is incomplete.
    #[error("{file} is not complete: {reason}\n  help: it was cut off or changed; write it again")]
    Truncated {
        /// The file.
        file: String,
        /// The missing part.
        reason: String,
    },
    /// The file has another version.
    #[error(
        "{file} has version {found} of the format and this precess reads version {VERSION}\n  \
         help: read it with precess {precess}, or write it again"
    )]
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u64,
        /// The precess that wrote it.
        precess: String,
    },
    /// The file contains something else.
    #[error("{file} contains no results of precess: {reason}\n  help: give a results file of precess")]
    Other {
        /// The file.
        file: String,
        /// The finding.
        reason: String,
    },
}
