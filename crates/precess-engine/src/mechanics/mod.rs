//! The equations of motion on flat state: bodies, joints and forces.

#[doc(hidden)]
#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod beside;
#[doc(hidden)]
pub mod block;
#[doc(hidden)]
pub mod body;
mod columns;
#[doc(hidden)]
pub mod conservative;
#[doc(hidden)]
pub mod controls;
#[doc(hidden)]
pub mod coordinate;
#[doc(hidden)]
pub mod difference;
mod division;
#[doc(hidden)]
pub mod event;
#[doc(hidden)]
pub mod expressed;
#[doc(hidden)]
pub mod forces;
mod frame;
#[doc(hidden)]
pub mod function;
#[doc(hidden)]
pub mod jacobian;
#[doc(hidden)]
pub mod joint;
#[doc(hidden)]
pub mod joints;
#[doc(hidden)]
pub mod kernels;
#[doc(hidden)]
#[doc(hidden)]
pub mod links;
pub mod measured;
pub mod mechanism;
#[doc(hidden)]
pub mod mobility;
#[doc(hidden)]
pub mod modal;
pub mod modal_limits;
#[doc(hidden)]
pub mod multibody;
#[doc(hidden)]
pub mod node;
mod nonzero;
#[doc(hidden)]
pub mod physics;
#[doc(hidden)]
pub mod redundancy;
#[doc(hidden)]
pub mod sensors;
#[doc(hidden)]
pub mod signal;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod tangents;

pub use crate::solve::structure::{RowGroup, Structure};
pub use block::{Block, Describes, Sight};
pub use body::{Body, BodyKind};
pub use event::{Action, Direction, Event};
pub use frame::frame_along;
pub use function::Function;
pub use mechanism::Reaction;
pub use multibody::Multibody;
pub use physics::Physics;
pub use system::{At, Energy, Equations, Lock, Momenta, RowKind, State, System};
pub use tangents::{Tangents, Want};
