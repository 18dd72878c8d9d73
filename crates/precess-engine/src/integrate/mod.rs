//! Time integration: starting values, integrators and their Newton iteration.

pub mod adaptive;
#[doc(hidden)]
pub mod alpha;
#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod bliedf;
#[doc(hidden)]
pub mod chart;
#[doc(hidden)]
pub mod condensed;
#[doc(hidden)]
pub mod consistent;
#[doc(hidden)]
pub mod dense;
#[doc(hidden)]
pub mod diagnosis;
mod entries;
#[doc(hidden)]
pub mod events;
mod force_weights;
#[doc(hidden)]
pub mod form;
#[doc(hidden)]
pub mod generalized_alpha;
#[doc(hidden)]
pub mod implicit;
#[doc(hidden)]
pub mod integrator;
pub(crate) mod newton;
mod one_body;
#[doc(hidden)]
pub mod project;
#[doc(hidden)]
pub mod projection;
#[doc(hidden)]
pub mod reach;
#[doc(hidden)]
pub mod recovery;
#[doc(hidden)]
pub mod rkmk4;
mod round_off;
#[doc(hidden)]
pub mod saddle;
#[doc(hidden)]
pub mod sampling;
#[doc(hidden)]
pub mod side_by_side;
#[doc(hidden)]
pub mod sigma;
#[doc(hidden)]
pub mod sigma_recursion;
#[doc(hidden)]
pub mod start;

pub use adaptive::{Adaptive, Horizon, Steering, Tolerance};
pub use alpha::Alpha;
pub use bliedf::{Bliedf, Correction};
pub use chart::Chart;
pub use condensed::{Condensed, Eta, Form};
pub use consistent::ConsistentForces;
pub use dense::Dense;
pub use diagnosis::Diagnosis;
pub use events::{Crossing, Events, Jump};
pub use generalized_alpha::{GeneralizedAlpha, Predictor, Start};
pub use implicit::{Guess, Implicit, Scheme};
pub use integrator::{Integrator, StepReport};
pub use newton::{Newton, Strategy};
pub use project::{Norm, project_position, project_position_in, project_velocity, project_velocity_in};
pub use projection::{Projection, Restart, When};
pub use recovery::{Rescue, Rescues};
pub use rkmk4::Rkmk4;
pub use sampling::Sampling;
pub use sigma::{EtaTerm, Modification, Sigma, Variant};
pub use start::{Accelerations, InitialValues};
