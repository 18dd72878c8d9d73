//! Integrators that preserve the structure of systems with constant mass on R^d
//! ([`conservative`]): the variational integrators and the energy-momentum scheme of the GGL principle, and the
//! coordinates in which mechanisms have a constant mass ([`directors`]).
//!
//! This room is almost a crate. The rest of the engine knows of it only the names of its methods
//! (`methods.rs`), a benchmark (`problems/ggl.rs`) and its energies (`runs/diagnostics.rs`);
//! `crates/precess/tests/house.rs` has the list of what it uses.
//!
//! P. L. Kinon, P. Betsch, S. Schneider: "Structure-preserving integrators based on a new variational
//! principle for constrained mechanical systems", Nonlinear Dynamics (2023). Equation numbers in this module
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
//! Multipliers and accelerations of a [`State`](crate::mechanics::State) are evaluated at its time (`node.rs`)
//! and have the order of the method.

pub(crate) mod bs99;
pub mod conservative;
pub(crate) mod diagnostics;
pub mod directors;
pub(crate) mod em;
pub(crate) mod entries;
pub(crate) mod family;
pub(crate) mod matrix;
mod newton;
pub(crate) mod node;
mod rule;
pub(crate) mod scales;
pub(crate) mod step;
pub(crate) mod theta;
pub(crate) mod unknowns;
pub(crate) mod vi_s;

pub use bs99::Bs99;
pub use conservative::{constraint, directions, potential, quadratic, system};
pub use constraint::{Composed, Holonomic};
pub use diagnostics::{Invariants, symplectic_defect};
pub use em::EnergyMomentum;
pub use family::{Family, Quadrature};
pub use matrix::Matrix;
pub use potential::{Law, Potential, Term};
pub use quadratic::{Affine, Quadratic};
pub use step::{Guess, Settings, Step, StepRule, StepStart, Stepper, UnknownLayout, Workspace};
pub use system::{Conservative, LagrangeTop, Load, NamedConstraint};
pub use theta::{Theta, Variant};
pub use vi_s::ViS;

/// Options of these methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConservingOptions {
    /// theta of `vi-theta`.
    pub theta: f64,
    /// vartheta of `vi-theta`.
    pub vartheta: f64,
    /// Option of `vi-theta`.
    pub variant: Variant,
    /// L_d, G_d and g_d of `vi-family`.
    pub family: [Quadrature; 3],
    /// Accept members of `vi-theta` and `vi-family` whose errors grow.
    pub allow_unstable: bool,
    /// Newton's method.
    pub settings: Settings,
}

impl ConservingOptions {
    /// The chosen member of the theta family.
    pub fn theta_rule(&self) -> Result<Theta, crate::Error> {
        let rule = Theta::new(self.variant, self.theta, self.vartheta)?;
        if self.allow_unstable { Ok(rule) } else { rule.stable() }
    }

    /// The chosen member of the whole family.
    pub fn family_rule(&self) -> Result<Family, crate::Error> {
        let [lagrangian, velocity, position] = self.family;
        let rule = Family::new(lagrangian, velocity, position)?;
        if self.allow_unstable { Ok(rule) } else { rule.stable() }
    }
}

impl Default for ConservingOptions {
    fn default() -> Self {
        ConservingOptions {
            theta: 0.5,
            vartheta: 0.5,
            variant: Variant::B,
            family: [Quadrature::MIDPOINT, Quadrature::MIDPOINT, Quadrature::TRAPEZOIDAL],
            allow_unstable: false,
            settings: Settings::default(),
        }
    }
}
