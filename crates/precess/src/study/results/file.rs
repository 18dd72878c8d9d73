//! Files by extension; a file appears under its name only when it is complete.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::super::replace::{Draft, remove_leftovers};
use super::{FileError, Metadata, Results, VERSION, csv, json, npz};

/// Extensions of files of results.
pub const FORMATS: [&str; 3] = ["npz", "csv", "json"];

/// Kinds of files, in the order of their extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Npz,
    Csv,
    Json,
}

impl Format {
    const ALL: [Format; FORMATS.len()] = [Format::Npz, Format::Csv, Format::Json];

    /// The kind from the extension of a file.
    fn of(path: &Path) -> Result<Self, FileError> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        let kind = || FileError::Kind { file: path.display().to_string() };
        let place = FORMATS.iter().position(|f| *f == extension).ok_or_else(kind)?;
        Self::ALL.get(place).copied().ok_or_else(kind)
    }
}

/// A file to be written, under a temporary name until it is complete. An incomplete file is removed.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    format: Format,
    draft: Draft,
    /// True for units in the first line of a .csv.
    pub units: bool,
}

impl Output {
    /// Opens the file before a run, so that an unwritable location is known before the work is done.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let path = path.into();
        let format = Format::of(&path)?;
        let write = |error| FileError::Write { file: path.display().to_string(), error };
        remove_leftovers(&path);
        let draft = Draft::create(&path).map_err(write)?;
        Ok(Output { path, format, draft, units: false })
    }

    /// Writes everything and gives the file its name.
    pub fn finish(self, results: &Results) -> Result<PathBuf, FileError> {
        let mut out = BufWriter::new(self.draft);
        let written = match self.format {
            Format::Npz => npz::write(results, &mut out),
            Format::Csv => csv::write_with(results, self.units, &mut out),
            Format::Json => json::write(results, &mut out),
        };
        written
            .and_then(|()| out.into_inner().map_err(|e| e.into_error()))
            .and_then(Draft::finish)
            .map_err(|error| FileError::Write { file: self.path.display().to_string(), error })?;
        Ok(self.path)
    }
}

/// Reads a file of results.
pub fn read(path: impl AsRef<Path>) -> Result<Results, FileError> {
    let path = path.as_ref();
    Format::of(path)?;
    let read = |error| FileError::Read { file: path.display().to_string(), error };
    // A device may have no end.
    if !std::fs::metadata(path).map_err(read)?.is_file() {
        return Err(read(std::io::Error::other("it is not a plain file")));
    }
    decode(path, &std::fs::read(path).map_err(read)?)
}

/// Reads the content of a file of results; the path determines the format and appears in errors.
pub fn decode(path: &Path, bytes: &[u8]) -> Result<Results, FileError> {
    let file = path.display().to_string();
    let problem = match Format::of(path)? {
        Format::Npz => npz::read(bytes),
        Format::Csv => csv::read(bytes),
        Format::Json => json::read(bytes),
    };
    let results = problem.map_err(|p| match p {
        Problem::Truncated(reason) => FileError::Truncated { file: file.clone(), reason },
        Problem::Other(reason) => FileError::Other { file: file.clone(), reason },
        Problem::Version(found, precess) => FileError::Version { file: file.clone(), found, precess },
    })?;
    let rows = results.metadata.rows;
    let times = results.column("t").map_or(&[][..], |c| &c.values);
    if !times.is_sorted_by(|a, b| a <= b) || times.iter().any(|t| !t.is_finite()) {
        return Err(FileError::Other { file, reason: "its times are not finite and in order".to_string() });
    }
    match results.columns.iter().find(|c| Some(c.values.len()) != rows.checked_mul(c.parts.len())) {
        Some(c) => {
            let found = c.values.len() / c.parts.len().max(1);
            Err(FileError::Truncated { file, reason: format!("{} has {found} of {rows} rows", c.name) })
        }
        None => Ok(results),
    }
}

/// A problem found by the reader of a format.
#[derive(Debug)]
pub enum Problem {
    /// It ends too early.
    Truncated(String),
    /// It is something else.
    Other(String),
    /// Version found, and the program that wrote it.
    Version(u64, String),
}

/// Metadata from their text. The version is tested first, since the content of other versions is unknown.
pub fn metadata(text: &str) -> Result<Metadata, Problem> {
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|e| Problem::Truncated(format!("its metadata cannot be read ({e})")))?;
    let entry = |name: &str| value.get(name);
    if entry("format").and_then(|f| f.as_str()) != Some("precess results") {
        return Err(Problem::Other("there are no metadata of precess in it".to_string()));
    }
    match entry("version").and_then(|v| v.as_u64()) {
        Some(v) if v == u64::from(VERSION) => {}
        found => {
            let precess = entry("precess").and_then(|p| p.as_str()).unwrap_or("of that version").to_string();
            return Err(Problem::Version(found.unwrap_or(0), precess));
        }
    }
    serde_json::from_value(value)
        .map_err(|e| Problem::Other(format!("its metadata are not those of this version ({e})")))
}
