//! Linear algebra of a time step: small dense matrices, blocks, their factorisation.

mod block3_lu;
pub mod block_lu;
pub mod decompositions;
pub mod dense_lu;
mod inverse;
pub mod kkt;
pub mod mat;
mod ordering;
mod panel;
pub mod pattern;
pub mod pattern_lu;
pub mod pivoted_qr;
pub mod products;
mod singular;
mod sparse_lu;
pub mod structure;

pub use block_lu::BlockLu;
pub use dense_lu::DenseLu;
pub use kkt::{Kkt, Solver};
pub use mat::Mat;
pub use pattern::{Partition, Pattern};
pub use singular::Singular;
