//! Runs, what is recorded of them, and how their errors are measured.

pub mod adaptive;
#[cfg(feature = "model")]
pub mod check;
pub mod claims;
pub mod errors;
#[cfg(feature = "model")]
pub mod graph;
pub mod oscillation;
pub mod recorder;
pub mod run;

pub use adaptive::{Achieved, AdaptiveRun, Control, Spread};
pub use errors::{ErrorRecorder, Errors, observed_order};
pub use recorder::{Every, Recorder, Sample};
pub use run::{Failure, Projection, Restart, Run, Summary, When};
