//! Integrators on Lie groups for constrained mechanical systems.

pub mod mechanics;
