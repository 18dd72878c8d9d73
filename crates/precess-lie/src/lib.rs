//! Lie groups of rigid-body mechanics: exponential maps, tangent operators and their derivatives.
//!
//! The configuration of a body with large rotations is an element of a group and not of a linear space. Time
//! integration on such a space moves an element `q` along a vector `x` of the Lie algebra, `q ∘ exp(x)`, and
//! its Newton iteration needs the derivatives of this map. The crate provides them in closed form, accurate
//! to round-off from the smallest angle to a half turn, on the stack and without allocation.
//!
//! | Group | Stored as | Vector | Group operation |
//! |---|---|---|---|
//! | [`Rn<N>`](Rn) | `N` numbers | `u` | addition |
//! | [`SO3`] | quaternion `w, x, y, z` | `Omega` | product of rotations |
//! | [`R3xSO3`] | quaternion, position | `Omega, u` | direct product, kinematics (1) |
//! | [`SE3`] | quaternion, position | `Omega, U` | semi-direct product, kinematics (3) |
//! | [`Product`] | its factors in a flat array | the same | factor by factor |
//!
//! | Operation | Equation |
//! |---|---|
//! | [`LieGroup::exp`] | (8), for `SO3` (10), for `R3xSO3` and `SE3` (11) |
//! | [`LieGroup::retract`], [`LieGroup::difference`] | (9) |
//! | [`LieGroup::interpolate`] | Remark 2.2 |
//! | [`LieGroup::hat`] | (29), for `SE3` (34) |
//! | [`LieGroup::tangent`] | (30), for `SO3` (33), for `SE3` (35) |
//! | [`LieGroup::cayley`] | end of Section 2.2 |
//!
//! Equation numbers refer to M. Arnold, A. Cardona and O. Brüls, *A Lie algebra approach to Lie group
//! time integration of constrained systems*, Report 01 (2015), Institute of Mathematics,
//! Martin Luther University Halle-Wittenberg.
//!
//! Velocities are left invariant: the derivative of `q ∘ exp(x)` with respect to `x` is given by `T(x)` at
//! the end point. So a function `h` with derivative `H(q)` in the sense of `q v~` has the Jacobian `H(q ∘
//! exp(x)) T(x)`, see (31).
//!
//! # Example
//!
//! A body turns about the axis `z` of its own frame while it moves along its axis `x`. On `SE3` the
//! motion with constant velocity is a circle:
//!
//! ```
//! use nalgebra::Vector6;
//! use precess_lie::{LieGroup, SE3};
//!
//! let velocity = Vector6::new(0.0, 0.0, 1.0, 2.0, 0.0, 0.0);
//! let quarter = velocity * std::f64::consts::FRAC_PI_2;
//! let q = SE3::retract(&SE3::identity(), &quarter);
//! assert!((q[4] - 2.0).abs() < 1e-15 && (q[5] - 2.0).abs() < 1e-15);
//!
//! let halfway = SE3::interpolate(&SE3::identity(), &q, 0.5);
//! assert!((SE3::difference(&halfway, &q) - quarter * 0.5).amax() < 1e-15);
//! assert!((SE3::tangent(&quarter) * quarter - quarter).amax() < 1e-15);
//! ```
//!
//! Systems of many bodies use a [`Product`] with arrays of numbers:
//!
//! ```
//! use precess_lie::{Factor, Product};
//!
//! let group = Product::new([Factor::SE3, Factor::SO3, Factor::Rn(2)]);
//! let mut q = vec![0.0; group.repr()];
//! group.identity(&mut q);
//! let x = vec![0.1; group.dim()];
//! let mut next = q.clone();
//! group.retract(&q, &x, &mut next);
//! let mut back = vec![0.0; group.dim()];
//! group.difference(&q, &next, &mut back);
//! assert!(back.iter().all(|b| (b - 0.1).abs() < 1e-15));
//! assert!(group.check(&next).is_ok());
//! ```
// User input never causes a panic; unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]
#![deny(missing_docs)]

mod coefficients;
mod compact;
mod dual;
mod group;
mod lanes;
mod largest;
pub mod matrix;
mod number;
mod product;
mod r3so3;
mod rn;
pub mod rotation;
mod se3;
mod so3;
mod vector_unit;

pub use dual::Dual;
pub use group::LieGroup;
pub use lanes::{LANES, Lanes, Mask};
pub use largest::{Largest, larger};
pub use number::Number;
pub use product::{Factor, InvalidElement, Product};
pub use r3so3::R3xSO3;
pub use rn::Rn;
pub use se3::SE3;
pub use so3::SO3;
pub use vector_unit::VectorUnit;
