//! Runs, from the first step to a summary, and the recorders that watch them.

pub mod adaptive;
pub mod at_times;
pub mod balance;
pub mod checkpoint;
pub mod collect;
pub mod control;
pub mod course;
mod creep;
pub mod diagnostics;
pub mod driver;
pub mod errors;
mod monitor;
pub mod observe;
pub mod oscillation;
pub mod parallel;
pub mod recorder;
pub mod replace;
pub mod run;
pub mod summary;
pub mod text;
pub mod trajectory;
pub mod trust;
mod turns;
