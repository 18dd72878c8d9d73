//! Studies, sweeps, results, simulations in Rust.

#[path = "../model_util/mod.rs"]
mod model_util;

mod catalogue;
mod results;
mod simulation;
mod simulation_inputs;
mod study;
mod sweep;
