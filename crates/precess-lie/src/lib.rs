//! Lie groups of rigid-body mechanics.
#![deny(missing_docs)]

mod coefficients;
mod group;
mod product;
mod r3so3;
mod rn;
pub mod rotation;
mod se3;
mod so3;

pub use group::LieGroup;
pub use product::{Factor, InvalidElement, Product};
pub use r3so3::R3xSO3;
pub use rn::Rn;
pub use se3::SE3;
pub use so3::SO3;
