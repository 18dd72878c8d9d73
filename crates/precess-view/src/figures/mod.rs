//! Pictures of what studies, sweeps and analyses found.

pub mod bode;
pub mod campbell;
pub mod equilibria;
pub mod study;
pub mod sweep;
