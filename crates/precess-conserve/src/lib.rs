//! Integrators that preserve the structure of systems with constant mass on R^d
//! ([`conservative`]): the variational integrators and the energy-momentum scheme of the GGL principle ([`steps`]),
//! and the coordinates in which mechanisms have a constant mass ([`directors`]).
//!
//! Programs use the crate `precess`, which exports this one as `precess::conserve`. A module uses only those
//! before it: `conservative`, `steps`, `directors`, `ggl`.
//!
//! P. L. Kinon, P. Betsch, S. Schneider: "Structure-preserving integrators based on a new variational
//! principle for constrained mechanical systems", Nonlinear Dynamics (2023). Equation numbers in this crate
//! are those of that paper.
//!
//! | name | file | order | energy | momenta | symplectic | g, G v at the nodes |
//! |---|---|---|---|---|---|---|
//! | `em` | `em` | 2 | exact | exact | no | exact, exact |
//! | `em-g` | `em` | 2 | exact | exact | no | exact, O(h^2) |
//! | `vi-s` | `vi_s` | 1 | bounded | exact | yes | exact, partly |
//! | `vi-a` | `theta` | 2 | bounded | exact | yes | O(h^2), O(h^2) |
//! | `vi-b` | `theta` | 1 | bounded | exact | yes | exact, exact for v |
//! | `vi-theta` | `theta` | 1 or 2 | bounded | exact | yes | see there |
//! | `vi-family` | `family` | 1 or 2 | bounded | exact | yes | see there |
//! | `bs99` | `bs99` | 1 | bounded | exact | | the Lagrange top only |
//!
//! Multipliers and accelerations of a [`State`](precess_engine::mechanics::State) are evaluated at its time (`node.rs`)
//! and have the order of the method.

// User input never causes a panic. Unit tests may panic (clippy.toml).
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented
)]

pub mod conservative;
pub mod directors;
pub mod ggl;
pub mod steps;

pub use conservative::{
    Affine, Composed, Conservative, Holonomic, LagrangeTop, Law, Load, NamedConstraint, Potential, Quadratic,
    Term, constraint, directions, potential, quadratic, system,
};
pub use steps::{
    Bs99, ConservingOptions, EnergyMomentum, Family, Guess, Invariants, Matrix, Quadrature, Settings, Step,
    StepRule, StepStart, Stepper, Theta, UnknownLayout, Variant, ViS, Workspace, symplectic_defect,
};
