//! Integrators on Lie groups for constrained mechanical systems.
