//! Runs, what is recorded of them, and how their errors are measured.

pub mod at_times;
pub mod balance;
#[cfg(feature = "model")]
pub mod check;
pub mod claims;
pub mod course;
pub mod diagnostics;
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

pub use at_times::AtTimes;
pub use course::{Course, Next, Occurrence};
pub use diagnostics::{Diagnostic, diagnostics};
pub use errors::{ErrorRecorder, Errors, observed_order};
pub use recorder::{Every, Moment, Recorder, Sample};
pub use run::{Failure, MomentumDrift, Projection, Restart, Run, Summary, When};
pub use sampling::Sampling;
