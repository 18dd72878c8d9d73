//! What moves: the equations of motion on flat state, bodies, joints and forces.

pub mod body;
pub mod difference;
pub mod joints;
pub mod kernels;
pub mod multibody;
pub mod structure;
pub mod system;
pub mod tangents;

pub use body::{Body, BodyKind};
pub use multibody::{Multibody, Reaction};
pub use structure::{RowGroup, Structure};
pub use system::{At, Energy, State, System};
pub use tangents::{Tangents, Want};
