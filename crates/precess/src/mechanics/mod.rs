//! What moves: the equations of motion on flat state, bodies, joints and forces.

pub(crate) mod batch;
pub(crate) mod beside;
pub mod block;
pub mod body;
pub mod conservative;
pub mod controls;
pub mod coordinate;
pub mod difference;
mod division;
pub mod event;
pub mod forces;
pub mod function;
pub mod joint;
pub mod joints;
pub mod kernels;
pub mod links;
pub mod mechanism;
pub mod mobility;
pub mod multibody;
mod nonzero;
pub mod physics;
pub mod redundancy;
pub mod sensors;
pub mod system;
pub mod tangents;

pub use crate::solve::structure::{Part, RowGroup, Structure};
pub use block::{Block, Describes, Sight};
pub use body::{Body, BodyKind};
pub use event::{Action, Direction, Event};
pub use function::Function;
pub use mechanism::Reaction;
pub use multibody::Multibody;
pub use physics::Physics;
pub use system::{At, Energy, Equations, Lock, Momenta, State, System};
pub use tangents::{Tangents, Want};
