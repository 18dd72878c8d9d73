//! The metadata of a file of results, and the problems that its reader finds.

use super::{Metadata, VERSION};

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
