//! Whole runs: tolerances, events, failures and their rescue, checkpoints, trust.

#[path = "../common/mod.rs"]
mod common;
#[path = "../counting/mod.rs"]
mod counting;
#[path = "../model_util/mod.rs"]
mod model_util;

mod accepted_combinations;
mod bad_input;
mod checkpoint;
mod checkpoint_forged;
mod contact;
mod difficult;
mod events;
mod events_at_known_times;
mod events_random;
mod failing_runs;
mod fallback;
mod forces_under_tolerance;
mod known_moments;
mod locked;
mod meaningless_steps;
mod recovery;
mod singular;
mod switching;
mod tolerance;
mod tolerance_kept;
mod tolerance_models;
mod trust;
mod units;
