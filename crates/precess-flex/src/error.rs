//! What can be wrong with a beam.

use std::fmt;

/// Data that no beam can have.
#[derive(Clone, Debug, PartialEq)]
pub enum BeamError {
    /// A quantity that must be positive is not.
    NotPositive {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The matrix of the section stiffness is not positive definite.
    StiffnessNotDefinite {
        /// Its smallest eigenvalue.
        smallest: f64,
    },
    /// The inner radius of a tube is not below the outer one.
    NoWall {
        /// Outer radius.
        outer: f64,
        /// Inner radius.
        inner: f64,
    },
    /// An element turns too far between its nodes.
    TooCurved {
        /// Angle in rad.
        angle: f64,
    },
    /// The nodes of an element are at the same place.
    NoLength,
}

impl fmt::Display for BeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeamError::NotPositive { what, value } => write!(f, "{what} must be positive, it is {value}"),
            BeamError::StiffnessNotDefinite { smallest } => {
                write!(
                    f,
                    "the stiffness of the section is not positive definite: its smallest eigenvalue is {smallest:e}"
                )
            }
            BeamError::NoWall { outer, inner } => {
                write!(f, "a tube with outer radius {outer} and inner radius {inner} has no wall")
            }
            BeamError::TooCurved { angle } => write!(
                f,
                "an element turns by {:.1} degrees between its nodes, at most {:.1} are possible; use more elements",
                angle.to_degrees(),
                crate::MAX_ANGLE.to_degrees()
            ),
            BeamError::NoLength => write!(f, "the nodes of an element are at the same place"),
        }
    }
}

impl std::error::Error for BeamError {}
