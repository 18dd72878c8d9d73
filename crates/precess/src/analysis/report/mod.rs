//! What analyses found, as text for people, as JSON for programs, and as tables and arrays.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

pub mod assembly;
pub mod campbell;
pub mod equilibria;
pub mod equilibrium;
pub mod floquet;
pub mod kinematics;
pub mod modes;
pub mod stability_loss;
pub mod state_space;

use crate::Error;
pub use crate::analysis::words::short;

/// Largest number of listed directions.
const LISTED: usize = 4;

fn not_written(e: std::io::Error) -> Error {
    Error::Input { message: format!("cannot write the archive: {e}") }
}
