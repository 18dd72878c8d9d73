//! The methods: a [`StepRule`] has the equations of a step, and a [`Stepper`] solves them.

mod bs99;
mod diagnostics;
mod em;
mod entries;
mod family;
mod matrix;
mod newton;
mod node;
mod rule;
mod scales;
mod step;
mod theta;
mod unknowns;
mod vi_s;

pub use bs99::Bs99;
pub use diagnostics::{Invariants, symplectic_defect};
pub use em::EnergyMomentum;
pub use family::{Family, Quadrature};
pub use matrix::Matrix;
pub use step::{Guess, Settings, Step, StepRule, StepStart, Stepper, UnknownLayout, Workspace};
pub use theta::{Theta, Variant};
pub use vi_s::ViS;

use precess_engine::Error;

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
    pub fn theta_rule(&self) -> Result<Theta, Error> {
        let rule = Theta::new(self.variant, self.theta, self.vartheta)?;
        if self.allow_unstable { Ok(rule) } else { rule.stable() }
    }

    /// The chosen member of the whole family.
    pub fn family_rule(&self) -> Result<Family, Error> {
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
