//! Runs, what is recorded of them, and how their errors are measured.

#[cfg(feature = "model")]
pub mod check;
pub mod claims;
pub mod errors;
#[cfg(feature = "model")]
pub mod graph;
pub mod oscillation;
#[cfg(feature = "plot")]
pub mod plots;
pub mod recorder;
#[cfg(feature = "results")]
pub mod results;
pub mod run;
pub mod sampling;

pub use errors::{ErrorRecorder, Errors, observed_order};
pub use recorder::{Every, Recorder, Sample};
pub use run::{Failure, Projection, Restart, Run, Summary, When};
pub use sampling::Sampling;
