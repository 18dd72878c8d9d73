//! What analyses found, as text for people, as JSON for programs, and as tables and arrays.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

pub mod equilibrium;
pub mod modes;
pub mod state_space;

use crate::Error;
use crate::study::text::six_digits;

/// Largest number of listed directions.
const LISTED: usize = 4;

/// Six digits. Rounding errors become zero.
pub fn short(x: f64) -> String {
    if x.abs() < 1e-12 { "0".to_string() } else { six_digits(x) }
}

fn not_written(e: std::io::Error) -> Error {
    Error::Input { message: format!("cannot write the archive: {e}") }
}
