//! How time passes: starting values, integrators and their single Newton loop.

pub mod adaptive;
pub mod alpha;
pub mod analysis;
pub mod bliedf;
pub mod condensed;
pub mod dense;
pub mod diagnosis;
pub mod events;
pub mod form;
pub mod generalized_alpha;
pub mod implicit;
pub mod integrator;
mod one_body;
pub mod project;
pub mod recovery;
pub mod registry;
pub mod rkmk4;
pub mod sigma;
pub mod sigma_recursion;
pub mod start;

pub use adaptive::{Adaptive, Horizon, Tolerance};
pub use alpha::Alpha;
pub use bliedf::{Bliedf, Correction};
pub use condensed::{Condensed, Eta, Form};
pub use dense::Dense;
pub use diagnosis::Diagnosis;
pub use events::{Crossing, Events, Jump};
pub use generalized_alpha::{GeneralizedAlpha, Predictor, Start};
pub use implicit::{Implicit, Newton, Scheme, Strategy};
pub use integrator::{Integrator, StepReport};
pub use project::{project_position, project_velocity};
pub use recovery::{Rescue, Rescues};
pub use registry::{MethodOptions, adaptive_method, has_form, method};
pub use rkmk4::Rkmk4;
pub use sigma::{EtaTerm, Modification, Sigma, Variant};
pub use start::{Accelerations, InitialValues};
