//! Coordinates in which a model is written.

mod chain_rule;
pub(crate) mod coordinates;
pub(crate) mod euler_parameters;
pub(crate) mod fixed_point;
pub mod joint_coordinates;
pub(crate) mod parameters;
mod scratch;
pub(crate) mod tait_bryan;

pub use coordinates::Coordinates;
pub use euler_parameters::EulerParameters;
pub use fixed_point::FixedPoint;
pub use joint_coordinates::JointCoordinates;
pub use parameters::{OwnTangents, ParameterMotion, Parameters, Variations};
pub use scratch::Pool;
pub use tait_bryan::TaitBryan;

use crate::Error;
use crate::mechanics::mechanism::Mechanism;

/// Coordinate formulations of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulation {
    /// R^3 x SO(3): position and velocity of the centre of mass in the inertial frame, angular velocity in
    /// the body.
    #[default]
    R3SO3,
    /// SE(3): both velocities in the body frame.
    SE3,
    /// SO(3): one body about a fixed point, without constraints.
    SO3,
    /// Four Euler parameters with a normalisation constraint and the position: [`EulerParameters`].
    EulerParameters,
    /// Three Tait-Bryan angles about x, y, z and the position: [`TaitBryan`].
    TaitBryan,
    /// The coordinates of a spanning tree of joints: [`JointCoordinates`].
    Joint,
    /// Position and three directors, with constant mass: for variational and energy-momentum methods
    /// (the crate `precess-conserve`).
    Directors,
}

crate::error::named! {
    Formulation, "formulation":
    R3SO3 = "r3so3",
    SE3 = "se3",
    SO3 = "so3",
    EulerParameters = "euler-parameters",
    TaitBryan = "tait-bryan",
    Joint = "joint",
    Directors = "directors",
}

/// A mechanism in other coordinates, with its initial values q and v.
pub type InCoordinates = (Box<dyn Mechanism>, Vec<f64>, Vec<f64>);

/// A mechanism in R^3xSO(3), with its initial values, in [`EulerParameters`] or [`TaitBryan`] angles. Models
/// use this function, not [`Coordinates::new`].
pub fn in_coordinates(
    formulation: Formulation,
    inner: Box<dyn Mechanism>,
    q: &[f64],
    v: &[f64],
) -> Result<InCoordinates, Error> {
    fn boxed<P: Parameters>((system, q, v): (Coordinates<P>, Vec<f64>, Vec<f64>)) -> InCoordinates {
        (Box::new(system), q, v)
    }
    match formulation {
        Formulation::EulerParameters => Coordinates::new(inner, EulerParameters, q, v).map(boxed),
        Formulation::TaitBryan => Coordinates::new(inner, TaitBryan, q, v).map(boxed),
        other => Err(Error::Unsupported {
            method: format!("formulation {}", other.name()),
            reason: "it has no coordinates of rotations; use euler-parameters or tait-bryan".to_string(),
        }),
    }
}
