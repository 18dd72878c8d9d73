//! Studies, sweeps, results, the front door.

mod catalogue;
#[cfg(feature = "plot")]
mod results;
#[cfg(feature = "results")]
mod simulation;
mod study;
mod sweep;
