//! Linear algebra of a time step: small dense matrices, their factorisation, saddle-point systems.

pub mod dense_lu;
pub mod kkt;
pub mod mat;
pub mod saddle;

pub use dense_lu::{DenseLu, Singular};
pub use kkt::Kkt;
pub use mat::Mat;
