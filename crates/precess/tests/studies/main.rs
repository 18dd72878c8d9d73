//! Claims, studies, sweeps, results, the front door.

mod catalogue;
mod claims;
#[cfg(feature = "plot")]
mod results;
#[cfg(feature = "results")]
mod simulation;
mod study;
mod sweep;
