//! The names that most programs need: `use precess::prelude::*;`.

pub use crate::Error;
pub use crate::formulation::Formulation;
pub use crate::mechanics::mechanism::{BodyState, Reaction};
pub use crate::model::spec::GROUND;
pub use crate::model::{
    BodySpec as Body, ForceSpec as Force, JointSpec as Joint, Loaded, Model, SensorSpec as Sensor, Settings,
};
pub use crate::simulation::Simulation;
pub use crate::study::check::Check;
pub use crate::study::results::Results;

/// The x axis.
pub const X: [f64; 3] = [1.0, 0.0, 0.0];
/// The y axis.
pub const Y: [f64; 3] = [0.0, 1.0, 0.0];
/// The z axis.
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];
