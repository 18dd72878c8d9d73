//! In which coordinates a model is written.

mod chain_rule;
pub mod coordinates;
#[cfg(feature = "model")]
pub mod directors;
pub mod euler_parameters;
pub mod fixed_point;
pub mod parameters;
mod scratch;
pub mod tait_bryan;

pub use coordinates::Coordinates;
pub use euler_parameters::EulerParameters;
pub use tait_bryan::TaitBryan;

use crate::Error;

/// Coordinate formulations of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulation {
    /// R^3 x SO(3): position and velocity of the centre of mass in the inertial frame, angular velocity in the body.
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
    /// Position and three directors, with constant mass: for variational and energy-momentum methods.
    Directors,
}

impl Formulation {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 6] =
        ["r3so3", "se3", "so3", "euler-parameters", "tait-bryan", "directors"];

    /// By name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name {
            "r3so3" => Ok(Formulation::R3SO3),
            "se3" => Ok(Formulation::SE3),
            "so3" => Ok(Formulation::SO3),
            "euler-parameters" => Ok(Formulation::EulerParameters),
            "tait-bryan" => Ok(Formulation::TaitBryan),
            "directors" => Ok(Formulation::Directors),
            _ => Err(Error::unknown_name("formulation", name, Self::NAMES)),
        }
    }

    /// Name as typed by users.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}
