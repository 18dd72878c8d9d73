//! Kernels of joints and forces between rigid bodies, free of state and of allocation.
//!
//! Every two-body joint or force uses a few *measures* `y(q)` of a pair of bodies. A measure (trait
//! [`Measure`]) provides its value, its gradient `B`, the curvature `Z(v, v)` of the acceleration level, the
//! stiffness `K_lambda = D_q(B^T lambda)` contracted with multipliers, and `Y = D_q(B v)`. They are separate
//! functions because a solver needs them at different rates.
//!
//! | kernel | measure | file |
//! |---|---|---|
//! | P | [`Point`]: coincidence of two points, inertial components | `point.rs` |
//! | D1 | [`Directions`]: `N` directions of body a times one direction of body b | `directions.rs` |
//! | D2 | [`Offset`]: components of the relative position along `N` directions of body a | `offset.rs` |
//! | chain | [`Distance`], [`Length`], [`Angle`]: scalar functions of primitive rows | `chain.rs` |
//! | chain | [`Gibbs`]: relative rotation vector, [`BushingMeasure`], [`Screw`]: stacked | `gibbs.rs` |
//! | velocity | [`knife_edge`]: rows that are not derivatives, from the measures above | `knife_edge.rs` |
//! | velocity | [`rolling`]: the same for wheels | `rolling.rs` |
//! | force | [`compliant`]: any law `s(y, y')` on any measure | `compliant.rs` |
//! | force | [`friction`]: laws that depend on the multipliers of the joint | `friction.rs` |
//! | force | [`applied`]: gyroscopic terms, gravity, forces and torques on one body | `applied.rs` |
//!
//! # Conventions
//!
//! * Body i has the rotation `R_i` (body to inertial) and the position `x_i` of its centre of mass.
//!   Columns of a body are ordered (rotation 3, translation 3).
//! * [`Group::R3xSO3`]: velocity `(Omega, u)`, `Omega` in the body frame, `u = x'` inertial.
//!   [`Group::SE3`]: velocity `(Omega, U)`, both in the body frame.
//! * A joint puts the force `-B^T lambda` on the system. Rows are signed so that a positive multiplier
//!   acts on body b, and constraint rows are dimensionless, so that every multiplier is an energy.
//! * `K` has the equation in its row and the direction of the variation in its column. It is *not* symmetric:
//!   variations on a Lie group do not commute, and the skew part is the wrench itself.
//! * Forces enter as `M v' = -g`, with `D = dg/dv` and `K = D_q g`.
//! * Ground is a body at [`Pose::ground`] with [`Motion::rest`] whose columns the caller drops. For rows
//!   of [`Offset`] prefer ground as body a. A body with prescribed motion needs no more: its columns
//!   move to the right hand side, with `Phi_t = B_a v_a` and `B_t = ` part b of `Y((v_a, 0))`.
//!
//! The formulas are the standard ones of absolute coordinate multibody dynamics, written for left
//! trivialised variations; values, gradients and stiffnesses were verified by automatic differentiation.

pub mod applied;
pub mod chain;
pub mod compliant;
pub mod directions;
pub mod friction;
pub mod gibbs;
pub mod knife_edge;
pub mod offset;
pub mod point;
pub mod pose;
pub mod rolling;
pub mod row;
pub mod thread;

pub use chain::{Angle, Chain, Distance, Length, unwrap_angle};
pub use compliant::{CompliantLaw, SpringDamper};
pub use directions::Directions;
pub use friction::{Friction, FrictionData};
pub use gibbs::{BushingMeasure, Gibbs, Screw};
pub use offset::Offset;
pub use point::Point;
pub use pose::{Group, Marker, Motion, Pair, PairMotion, Pose, hat};
pub use row::{Block, Blocks, Measure, PairBlocks, Row, Wrench};
