//! Runs, what is recorded of them, and how their errors are measured.

pub mod balance;
#[cfg(feature = "model")]
pub mod check;
pub mod claims;
pub mod diagnostics;
pub mod errors;
#[cfg(feature = "model")]
pub mod graph;
pub mod oscillation;
pub mod recorder;
pub mod run;

pub use diagnostics::{Diagnostic, diagnostics};
pub use errors::{ErrorRecorder, Errors, observed_order};
pub use recorder::{Every, Recorder, Sample};
pub use run::{Failure, MomentumDrift, Projection, Restart, Run, Summary, When};
