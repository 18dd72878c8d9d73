//! Analyses beyond time integration: equilibria, vibrations, and critical speeds of rotors.
//!
//! ```text
//! r(q, v, v', lambda, t) = M v' + g + B^T lambda = 0,    Phi(q, t) = 0
//! ```
//!
//! [`rough`] closes the joints of rough positions. [`kinematics`] moves driven mechanisms. [`equilibrium`]
//! finds g(q, 0, t) + B^T lambda = 0 and tests its stability. [`steady`] does the same for rotations of
//! constant speed. [`modes`] linearises about either, in a frame in which the linear equations have constant
//! coefficients; this is proved at other points of the motion ([`frame`]). [`campbell`] follows modes over a
//! parameter, [`equilibria`] follows equilibria, [`stability_loss`] finds where they lose their stability, and [`state_space`] writes the linear equations with inputs and outputs.
//!
//! [`spectrum`] finds the frequencies and orders in results.
//!
//! All of the others use the derivatives of the integrators ([`crate::mechanics::Tangents`]) on the null space of
//! the constraints, so redundant joints and drives need no special treatment.
//!
//! ```
//! use precess::model::{build, load};
//! use precess::analysis::{Equilibrium, EquilibriumOptions, equilibrium};
//!
//! let text = r#"
//!     [model]
//!     gravity = [0, 0, -9.81]
//!     [[body]]
//!     name = "rod"
//!     mass = 2
//!     inertia = [0.03, 0.05, 0.04]
//!     position = [0.7, 0, 0]
//!     [[joint]]
//!     name = "hinge"
//!     type = "revolute"
//!     bodies = ["ground", "rod"]
//!     point = [0, 0, 0]
//!     axis = [0, 1, 0]
//! "#;
//! let loaded = precess::model::load("pendulum.toml", text, &[])?;
//! let built = build(&loaded.model, loaded.settings.formulation)?;
//! let found = equilibrium::find(&*built.system, &built.q, &EquilibriumOptions::default())?;
//! assert!((found.kappa[0] - 2.0 * 9.81 * 0.7 / (0.05 + 2.0 * 0.49)).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
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

mod align;
pub mod animate;
pub(crate) mod assembly;
pub mod campbell;
pub mod driven_input;
pub mod eigen;
pub mod equilibria;
pub mod equilibrium;
pub mod error;
pub mod floquet;
pub(crate) mod found;
pub mod frame;
mod freedom;
pub mod gaps;
pub mod inputs;
pub mod joint_states;
pub mod kinematics;
pub mod large;
mod limits;
pub mod linearised;
pub mod local;
pub(crate) mod mat;
mod matrix;
pub(crate) mod metric;
pub mod mirror;
mod mode;
pub mod modes;
pub mod notes;
pub mod npz;
pub mod of_model;
pub mod reduce;
pub mod report;
mod rolling;
pub mod rough;
pub mod spectrum;
pub mod stability_loss;
pub mod state_space;
pub mod steady;
pub(crate) mod stiffness;
mod travel;
pub(crate) mod words;

/// Complex numbers of eigenvalues.
pub type Complex = nalgebra::Complex<f64>;
/// Dense matrices.
pub type Matrix = nalgebra::DMatrix<f64>;

pub use equilibrium::{Equilibrium, EquilibriumOptions, Kind, Stability};
pub use error::{AnalysisError, NetForce};
pub use frame::{Frame, Linear, Steady};
pub use local::Local;
pub use modes::{Mode, Modes, Selection};
pub use state_space::StateSpace;
