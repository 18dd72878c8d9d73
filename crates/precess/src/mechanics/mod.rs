//! Mechanical systems of rigid bodies in absolute coordinates.

pub mod kernels;
