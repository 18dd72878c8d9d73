//! Systems with constant mass on R^d as plain data, for the variational and energy-momentum integrators
//! ([`steps`](crate::steps)). Equation numbers are those of Kinon, Betsch and Schneider (2023).

pub mod constraint;
pub mod directions;
pub mod potential;
pub mod quadratic;
pub mod system;

pub use constraint::{Composed, Holonomic};
pub use potential::{Law, Potential, Term};
pub use quadratic::{Affine, Quadratic};
pub use system::{Conservative, LagrangeTop, Load, NamedConstraint};
