//! Runs, their recorded results, and measurements of their errors.

#[doc(hidden)]
pub mod adaptive;
#[doc(hidden)]
pub mod at_times;
#[doc(hidden)]
pub mod balance;
#[cfg(feature = "model")]
mod beam_notices;
#[cfg(feature = "model")]
pub mod check;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod check_report;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod collect;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod configuration;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod convergence;
#[doc(hidden)]
pub mod course;
#[doc(hidden)]
pub mod diagnostics;
pub(crate) mod driver;
#[doc(hidden)]
pub mod errors;
#[cfg(feature = "model")]
pub mod execute;
#[cfg(feature = "model")]
mod front;
#[cfg(feature = "results")]
mod given_history;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod graph;
mod monitor;
mod notices;
#[doc(hidden)]
pub mod observe;
#[doc(hidden)]
pub mod oscillation;
#[doc(hidden)]
pub mod parallel;
#[cfg(feature = "plot")]
#[doc(hidden)]
pub mod plots;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod points;
#[doc(hidden)]
pub mod recorder;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod replace;
#[cfg(feature = "results")]
pub mod report;
#[cfg(feature = "results")]
pub mod results;
#[doc(hidden)]
pub mod run;
#[cfg(feature = "model")]
mod run_batch;
#[doc(hidden)]
pub mod summary;
#[cfg(feature = "model")]
pub mod sweep;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod trajectory;
#[doc(hidden)]
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
