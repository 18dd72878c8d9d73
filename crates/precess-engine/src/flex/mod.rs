//! Geometrically exact beams on SE(3), and modal bodies with a floating frame.
//!
//! A node of a beam is a frame `q = (R, x)`: the orientation of the cross section, whose axis `e1` runs along
//! the beam, and its centroid. An [`Element`] joins two nodes A and B. Between them the frame follows the
//! path of Remark 2.2,
//!
//! ```text
//! q(s) = q_A exp((s/L) d),    d = log(q_A^-1 q_B),    eps = (d - d_0)/L
//! ```
//!
//! so the strain `eps` (curvature and twist, then stretch and shear) is constant along the element. It does
//! not change under any common motion of both nodes. The reference `d_0` may be curved and twisted.
//!
//! | content | file |
//! |---|---|
//! | stress, force, exact tangent, strain energy, damping | [`Element`], `element.rs` |
//! | lumped and consistent mass with their velocity terms | [`Inertia`], `inertia.rs` |
//! | stiffness and inertia from material and shape | [`Section`], [`Shape`], `section.rs` |
//! | modal bodies with a floating frame | [`Modal`], `modal.rs` |
//! | analytic functions of a vector and their derivatives | [`Operator`], `operator.rs` |
//! | numbers with derivatives | [`Jet`], `jet.rs` |
//!
//! # Conventions
//!
//! Velocities are left invariant, angular before translational, both in the frame of the node: `v = (Omega,
//! U)`. Forces are dual to them: `(moment, force)`. They enter the equations of motion as `M v' = -g`. A
//! section has the stiffness `diag(GJ, EI_y, EI_z, EA, GA_y, GA_z)`: bending and torsion come first, unlike
//! in much of the literature.
//!
//! # Dual numbers
//!
//! A vector of se(3) is a dual vector `Omega + eps U` with `eps^2 = 0`, and its bracket is the cross product
//! of dual vectors. So every operator here is written once, for rotations, and evaluated with dual numbers.
//!
//! # Example
//!
//! A cantilever of one element under a bending moment is an arc of a circle:
//!
//! ```
//! use nalgebra::{Vector3, Vector6};
//! use precess_engine::flex::{Element, Section};
//! use precess_lie::{LieGroup, SE3};
//!
//! let section = Section::new(Vector6::new(2.0, 2.0, 2.0, 1e4, 1e4, 1e4), 1.0, Vector3::new(1.0, 1.0, 1.0))?;
//! let (clamp, end) = (SE3::identity(), SE3::exp(&Vector6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)));
//! let element = Element::new(&section, &clamp, &end)?;
//! // Moment EI_z pi/2: a quarter of a turn.
//! let quarter = std::f64::consts::FRAC_PI_2;
//! let bent = SE3::exp(&Vector6::new(0.0, 0.0, quarter, 1.0, 0.0, 0.0));
//! let d = Element::difference(&clamp, &bent);
//! let [_, g] = element.force(&d, &element.stress(&d));
//! assert!((g - Vector6::new(0.0, 0.0, 2.0 * quarter, 0.0, 0.0, 0.0)).amax() < 1e-11);
//! # Ok::<(), precess_engine::flex::BeamError>(())
//! ```
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
mod element;
mod error;
mod geometric;
mod inertia;
mod jet;
mod line;
mod modal;
mod operator;
mod rod;
mod rotary;
mod section;

pub use element::{Element, Tangent};
pub use error::{BeamError, MAX_ANGLE, ModalError};
pub use geometric::{Geometric, SecondOrder, UNIT_LOADS};
pub use inertia::{Consistent, Inertia, principal_moments};
pub use jet::{Dual, Jet, Real};
pub use line::{LineError, tension_of_line};
pub use modal::{Modal, ModalPoint, ModeStiffening, Stiffening};
pub use operator::Operator;
pub use rod::{Rod, RodError};
pub use rotary::Rotary;
pub use section::{Material, Section, Shape};
