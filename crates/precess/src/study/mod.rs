//! Runs, their recorded results, and measurements of their errors.

#[cfg(feature = "results")]
mod beam_notices;
#[cfg(feature = "model")]
pub mod check;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod check_report;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod configuration;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod convergence;
#[cfg(feature = "model")]
pub mod execute;
#[cfg(feature = "model")]
mod front;
#[cfg(feature = "results")]
mod given_history;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod graph;
#[cfg(feature = "model")]
mod notices;
#[cfg(feature = "plot")]
#[doc(hidden)]
pub mod plots;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod points;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod reference;
#[cfg(feature = "results")]
pub mod report;
#[cfg(feature = "results")]
pub mod results;
#[cfg(feature = "model")]
mod run_batch;
#[cfg(feature = "model")]
pub mod sweep;

pub use crate::integrate::{Projection, Restart, Sampling, When};
#[doc(hidden)]
pub use crate::runs::{
    adaptive, at_times, balance, checkpoint, collect, course, diagnostics, errors, observe, oscillation,
    parallel, recorder, replace, run, summary, text, trajectory, trust,
};
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
