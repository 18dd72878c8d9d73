//! Files by extension; a file appears under its name only when it is complete.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::super::replace::{Draft, remove_leftovers};
use super::metadata::Problem;
use super::{FileError, Results, csv, json, npz};

/// A kind of files.
#[derive(Clone, Copy, Debug)]
struct Format {
    extension: &'static str,
    /// Writes results, with units in the first line if asked and if the format has such a line.
    write: fn(&Results, bool, &mut dyn Write) -> std::io::Result<()>,
    read: fn(&[u8]) -> Result<Results, Problem>,
}

/// All kinds of files.
const ALL: [Format; 3] = [
    Format { extension: "npz", write: |results, _, out| npz::write(results, out), read: npz::read },
    Format { extension: "csv", write: csv::write_with, read: csv::read },
    Format { extension: "json", write: |results, _, out| json::write(results, out), read: json::read },
];

/// Extensions of files of results.
pub const FORMATS: [&str; ALL.len()] = {
    let [npz, csv, json] = ALL;
    [npz.extension, csv.extension, json.extension]
};

impl Format {
    /// The kind from the extension of a file.
    fn of(path: &Path) -> Result<Self, FileError> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        let found = ALL.into_iter().find(|format| format.extension == extension);
        found.ok_or_else(|| FileError::Kind { file: path.display().to_string() })
    }
}

/// True if a file has the extension of a file of results.
pub fn is_results(path: &Path) -> bool {
    Format::of(path).is_ok()
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
        let written = (self.format.write)(results, self.units, &mut out);
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
    let results = (Format::of(path)?.read)(bytes).map_err(|p| match p {
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
