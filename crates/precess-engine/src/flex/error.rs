//! Errors of beams and modal bodies.

use std::fmt;

use nalgebra::Vector3;

/// Largest angle in rad by which an element may turn between its nodes: just below half a turn, where the
/// logarithm becomes ambiguous.
pub const MAX_ANGLE: f64 = 3.1;

/// Data that are impossible for a beam.
#[derive(Clone, Debug, PartialEq)]
pub enum BeamError {
    /// A quantity that must be positive is not.
    NotPositive {
        /// The quantity.
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
    /// The nodes of an element coincide.
    NoLength,
}

impl fmt::Display for BeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeamError::NotPositive { what, value } => write!(f, "{what} must be positive, it is {value}"),
            BeamError::StiffnessNotDefinite { smallest } => {
                write!(
                    f,
                    "the stiffness of the section is not positive definite: its smallest eigenvalue is \
                     {smallest:e}"
                )
            }
            BeamError::NoWall { outer, inner } => {
                write!(f, "a tube with outer radius {outer} and inner radius {inner} has no wall")
            }
            BeamError::TooCurved { angle } => write!(
                f,
                "an element turns by {:.1} degrees between its nodes, at most {:.1} are possible; use more \
                 elements",
                angle.to_degrees(),
                MAX_ANGLE.to_degrees()
            ),
            BeamError::NoLength => write!(f, "the nodes of an element coincide"),
        }
    }
}

impl std::error::Error for BeamError {}

/// Errors of modal bodies.
#[derive(Clone, Debug, PartialEq)]
pub enum ModalError {
    /// Lists that belong together have different lengths.
    Sizes {
        /// Which list.
        what: &'static str,
        /// Entries found.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// The mass of a node is negative or not a number, or the body has none.
    Mass(f64),
    /// A mode is a motion of the rigid body, so the frame is not determined and M is singular.
    RigidMode {
        /// Number of the mode, from 0.
        mode: usize,
        /// Share of its kinetic energy that a rigid motion cannot have.
        elastic: f64,
    },
    /// An integral lacks the symmetry that it has for any body.
    Symmetry(&'static str),
    /// The stiffness has an eigenvalue that is not positive.
    Stiffness(f64),
    /// The inertia of a node is not symmetric (then the moment is NaN), or has a negative principal moment.
    NodeInertia {
        /// Number of the node, from 0.
        node: usize,
        /// Its least principal moment.
        least: f64,
    },
    /// The body has no moment of inertia about an axis: its mass is on a line, and M is singular.
    NoInertia {
        /// The axis, through the centre of mass.
        axis: Vector3<f64>,
        /// The moment about it.
        moment: f64,
        /// The largest moment.
        largest: f64,
    },
}

impl fmt::Display for ModalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModalError::Sizes { what, found, expected } => {
                write!(f, "{what}: {found} entries were given, {expected} are needed")
            }
            ModalError::Mass(mass) => write!(f, "a modal body with the mass {mass}"),
            ModalError::RigidMode { mode, elastic } => write!(
                f,
                "mode {} is a motion of the rigid body (its elastic part is {elastic:.1e}): leave \
                 rigid-body modes out",
                mode + 1
            ),
            ModalError::Symmetry(what) => write!(f, "{what}, so that it belongs to no body"),
            ModalError::Stiffness(x) => write!(
                f,
                "the stiffness of the modes has the eigenvalue {x:.3e}; all must be positive: leave out \
                 modes without stiffness"
            ),
            ModalError::NodeInertia { node, least } => write!(
                f,
                "the inertia of node {node} has the principal moment {least:.3e}; it must be symmetric, its \
                 moments not negative"
            ),
            ModalError::NoInertia { axis, moment, largest } => write!(
                f,
                "no moment of inertia about the axis ({}) through the centre of mass: {moment:.1e} beside \
                 {largest:.1e} kg m^2. \
                 All mass is on a line; give the nodes rotary inertia (\"inertias\"), or masses beside the \
                 line",
                axis.map(|x| (1e4 * x).round() / 1e4 + 0.0)
                    .iter()
                    .map(f64::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    }
}

impl std::error::Error for ModalError {}
