//! Studies, sweeps, results, simulations in Rust.

#[path = "../model_util/mod.rs"]
mod model_util;

mod catalogue;
#[cfg(feature = "plot")]
mod results;
#[cfg(feature = "results")]
mod simulation;
#[cfg(feature = "results")]
mod simulation_inputs;
mod study;
mod sweep;
