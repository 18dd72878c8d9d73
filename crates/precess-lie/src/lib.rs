//! Lie groups of rigid-body mechanics.
