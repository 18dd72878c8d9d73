//! Runs, what is recorded of them, and how their errors are measured.

pub mod adaptive;
pub mod at_times;
pub mod balance;
#[cfg(feature = "model")]
pub mod check;
#[cfg(feature = "model")]
pub mod check_report;
pub mod checkpoint;
pub mod collect;
#[cfg(feature = "model")]
pub mod configuration;
#[cfg(feature = "model")]
pub mod convergence;
pub mod course;
pub mod diagnostics;
pub(crate) mod driver;
pub mod errors;
#[cfg(feature = "model")]
pub mod execute;
#[cfg(feature = "model")]
mod front;
#[cfg(feature = "model")]
pub mod graph;
mod monitor;
#[cfg(feature = "model")]
mod notices;
pub mod observe;
pub mod oscillation;
pub mod parallel;
#[cfg(feature = "plot")]
pub mod plots;
#[cfg(feature = "model")]
pub mod points;
pub mod recorder;
#[cfg(feature = "model")]
pub mod reference;
pub mod replace;
#[cfg(feature = "results")]
pub mod report;
#[cfg(feature = "results")]
pub mod results;
pub mod run;
#[cfg(feature = "model")]
mod run_batch;
pub mod summary;
#[cfg(feature = "model")]
pub mod sweep;
pub mod text;
pub mod trajectory;
pub mod trust;

pub use crate::integrate::{Projection, Restart, Sampling, When};
pub use adaptive::{Achieved, AdaptiveRun, Control, Spread};
pub use at_times::AtTimes;
pub use checkpoint::{Cadence, CheckpointError, Checkpoints, Identity};
#[cfg(feature = "model")]
pub use configuration::Configuration;
#[cfg(feature = "model")]
pub use convergence::Study;
pub use course::{Course, Next, Occurrence};
pub use diagnostics::{Diagnostic, diagnostics};
pub use errors::{ErrorRecorder, Errors, larger, observed_order};
pub use recorder::{Every, Moment, Recorder, Sample};
#[cfg(feature = "model")]
pub use reference::Reference;
pub use run::Run;
pub use summary::{Failure, MomentumDrift, Summary};
#[cfg(feature = "model")]
pub use sweep::Sweep;
pub use trust::{Doubt, Trust};
