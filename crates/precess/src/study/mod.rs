//! Runs, their recorded results, and measurements of their errors.

mod beam_notices;
pub mod check;
pub mod check_report;
pub mod configuration;
pub mod convergence;
mod distribution;
pub mod execute;
mod front;
mod given_history;
pub(crate) mod graph;
mod notices;
pub mod points;
pub mod reference;
pub mod report;
pub mod results;
mod run_batch;
pub mod start_from;
pub mod sweep;
mod value;

pub use crate::integrate::{Projection, Restart, Sampling, When};
pub use crate::runs::{
    adaptive, at_times, balance, checkpoint, collect, course, diagnostics, errors, observe, oscillation,
    parallel, recorder, replace, run, summary, text, trajectory, trust,
};
pub use adaptive::{Achieved, AdaptiveRun, Control, Spread};
pub use at_times::AtTimes;
pub use checkpoint::{Cadence, CheckpointError, Checkpoints, Identity};
pub use configuration::Configuration;
pub use convergence::Study;
pub use course::{Course, Next, Occurrence};
pub use diagnostics::{Diagnostic, diagnostics};
pub use distribution::Distribution;
pub use errors::{ErrorRecorder, Errors, larger, observed_order};
pub use recorder::{Every, Moment, Recorder, Sample};
pub use reference::Reference;
pub use run::Run;
pub use summary::{Failure, MomentumDrift, Summary};
pub use sweep::Sweep;
pub use trust::{Doubt, Trust};
