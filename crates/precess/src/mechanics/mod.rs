//! What moves: the equations of motion on flat state.

pub mod difference;
pub mod kernels;
pub mod system;
pub mod tangents;

pub use system::{At, Energy, State, System};
pub use tangents::{Tangents, Want};
