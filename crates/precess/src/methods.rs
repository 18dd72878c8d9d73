//! All methods by name.

use crate::Error;
use crate::conserve::{self, Bs99, EnergyMomentum, StepRule, Stepper, Theta, ViS};
use crate::formulation::Formulation;
use crate::integrate::adaptive::{
    Adaptive, Automatic, ExplicitFirst, Steering, Tolerance, VariableAlpha, VariableBliedf, VariableExplicit,
};
use crate::integrate::explicit::{DOP853, DOPRI5, Explicit, RKMK4, Tableau};
use crate::integrate::side_by_side::{LANES, SideBySide};
use crate::integrate::{
    Alpha, Bliedf, Chart, Correction, Eta, Form, GeneralizedAlpha, Implicit, Integrator, Modification,
    Newton, Predictor, Start,
};
use crate::mechanics::System;
use crate::mechanics::batch::LanePlan;

/// An entry of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct MethodEntry {
    /// Name as typed by users.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Uses, order, preserved quantities and origin.
    pub facts: Facts,
    /// Builds the method.
    pub build: fn(&MethodOptions) -> Result<Box<dyn Integrator>, Error>,
}

/// Facts that help to choose a method.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Forms of the constraints; empty if the method has its own.
    pub forms: &'static [&'static str],
    /// Formulations.
    pub formulations: &'static [&'static str],
    /// Order of convergence.
    pub order: &'static str,
    /// Quantities that stay as in the exact solution.
    pub preserves: &'static str,
    /// Paper, with its key in REFERENCES.bib if it has one.
    pub reference: &'static str,
}

/// Every formulation.
const ALL: &[&str] = &Formulation::NAMES;
const DIRECTORS: &[&str] = &["directors"];
const GGL: &str = "Kinon, Betsch, Schneider 2023 (GGL)";

impl Facts {
    /// Facts of an explicit method: it cannot keep constraints.
    const fn explicit(order: &'static str, reference: &'static str) -> Self {
        Facts { forms: &[], formulations: &["so3", "joint"], order, preserves: "the group", reference }
    }

    /// Facts of a method of the GGL principle.
    const fn ggl(order: &'static str, preserves: &'static str) -> Self {
        Facts { forms: &[], formulations: DIRECTORS, order, preserves, reference: GGL }
    }
}

/// All methods.
pub static METHODS: &[MethodEntry] = &[
    MethodEntry {
        name: "gen-alpha",
        about: "generalized-alpha on Lie groups, with sigma-modification",
        facts: Facts {
            forms: &Form::NAMES,
            formulations: ALL,
            order: "2",
            preserves: "constraints of its form at round-off; numerical damping by rho",
            reference: "Arnold, Cardona, Bruels 2015 (LA); Holzinger, Arnold, Gerstmayr (Sigma)",
        },
        build: |o| Ok(Box::new(o.generalized_alpha()?)),
    },
    MethodEntry {
        name: "rkmk4",
        about: "Runge-Kutta-Munthe-Kaas, explicit, unconstrained systems only",
        facts: Facts::explicit("4", "Munthe-Kaas 1998 (MuntheKaas1998)"),
        build: |_| Ok(Box::new(Explicit::new(&RKMK4))),
    },
    MethodEntry {
        name: "dopri5",
        about: "explicit Runge-Kutta method in the algebra, unconstrained systems only; good at loose tolerances",
        facts: Facts::explicit("5", "Dormand, Prince 1980; Munthe-Kaas 1998 (MuntheKaas1998)"),
        build: |_| Ok(Box::new(Explicit::new(&DOPRI5))),
    },
    MethodEntry {
        name: "dop853",
        about: "explicit Runge-Kutta method in the algebra, unconstrained systems only; the fastest for trees",
        facts: Facts::explicit("8", "Hairer, Norsett, Wanner 1993; Munthe-Kaas 1998 (MuntheKaas1998)"),
        build: |_| Ok(Box::new(Explicit::new(&DOP853))),
    },
    MethodEntry {
        name: "bliedf",
        about: "BDF on Lie groups, self-starting",
        facts: Facts {
            forms: &Form::NAMES,
            formulations: ALL,
            order: "k = 2..6",
            preserves: "constraints of its form at round-off",
            reference: "Wieloch, Arnold (BLieDF)",
        },
        build: |o| Ok(Box::new(o.bliedf()?)),
    },
    MethodEntry {
        name: "em",
        about: "energy-momentum scheme of the GGL principle",
        facts: Facts::ggl("2", "energy, momenta, constraints of positions and velocities"),
        build: |o| Ok(o.stepper(EnergyMomentum::EM)),
    },
    MethodEntry {
        name: "em-g",
        about: "energy-momentum scheme of Gonzalez",
        facts: Facts::ggl("2", "energy, momenta, constraints of positions"),
        build: |o| Ok(o.stepper(EnergyMomentum::EM_G)),
    },
    MethodEntry {
        name: "vi-s",
        about: "variational integrator VI-S",
        facts: Facts::ggl("1", "symplectic form, momenta, constraints of positions"),
        build: |o| Ok(o.stepper(ViS)),
    },
    MethodEntry {
        name: "vi-a",
        about: "variational integrator VI-A",
        facts: Facts::ggl("2", "symplectic form, momenta"),
        build: |o| Ok(o.stepper(Theta::VI_A)),
    },
    MethodEntry {
        name: "vi-b",
        about: "variational integrator VI-B",
        facts: Facts::ggl("1", "symplectic form, momenta, constraints of positions and velocities"),
        build: |o| Ok(o.stepper(Theta::VI_B)),
    },
    MethodEntry {
        name: "vi-theta",
        about: "variational integrators by theta and vartheta (default 1/2, 1/2)",
        facts: Facts::ggl("2 for 1/2, 1/2; otherwise 1", "symplectic form, momenta"),
        build: |o| Ok(o.stepper(o.conserve.theta_rule()?)),
    },
    MethodEntry {
        name: "vi-family",
        about: "variational integrators (62) by quadratures of L, G and g",
        facts: Facts::ggl("2 for symmetric quadratures; otherwise 1", "symplectic form, momenta"),
        build: |o| Ok(o.stepper(o.conserve.family_rule()?)),
    },
    MethodEntry {
        name: "bs99",
        about: "Bobenko and Suris' scheme, only for the Lagrange top",
        facts: Facts {
            reference: "Bobenko, Suris 1999; scheme (166) of GGL",
            ..Facts::ggl("1", "vertical angular momentum, spin")
        },
        build: |_| Ok(Box::new(Bs99::new())),
    },
];

/// All options of all methods. A method ignores the options of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodOptions {
    /// Numerical damping of generalized-alpha.
    pub rho: f64,
    /// Other parameters of generalized-alpha; `rho` is ignored when given.
    pub alpha: Option<Alpha>,
    /// Constraints enforced.
    pub form: Form,
    /// Starting values.
    pub start: Start,
    /// Direction of the stabilisation.
    pub eta: Eta,
    /// Local coordinates of the group, with fixed steps.
    pub chart: Chart,
    /// Number of steps of BLieDF, which is its order.
    pub k: usize,
    /// Commutators in BLieDF.
    pub correction: Correction,
    /// Shift the starting velocities of BLieDF in index-3 form, so that multipliers keep their order.
    pub modified_start: bool,
    /// The sigma-modification of generalized-alpha.
    pub modification: Modification,
    /// First guess of Newton's method in a step.
    pub predictor: Predictor,
    /// Largest order of methods with automatic order.
    pub max_order: usize,
    /// Newton's method with fixed steps.
    pub newton: Newton,
    /// Newton's method with a tolerance.
    pub steering: Steering,
    /// Variational and energy-momentum methods.
    pub conserve: conserve::ConservingOptions,
}

/// True for methods that exist in several index forms: the others ignore `form`.
pub fn has_form(method: &str) -> bool {
    method == AUTOMATIC || METHODS.iter().any(|e| e.name == method && !e.facts.forms.is_empty())
}

/// True for methods of the GGL principle and bs99, which need systems with constant mass.
pub fn needs_directors(method: &str) -> bool {
    METHODS.iter().any(|e| e.name == method && e.facts.formulations == DIRECTORS)
}

impl Default for MethodOptions {
    fn default() -> Self {
        MethodOptions {
            rho: 0.9,
            alpha: None,
            form: Form::Index3,
            start: Start::Classical,
            eta: Eta::Mass,
            chart: Chart::Exponential,
            k: 4,
            correction: Correction::Magnus,
            modified_start: true,
            modification: Modification::default(),
            predictor: Predictor::Auto,
            max_order: 5,
            newton: Newton::default(),
            steering: Steering::default(),
            conserve: conserve::ConservingOptions::default(),
        }
    }
}

impl MethodOptions {
    fn alpha_scheme(&self) -> Result<GeneralizedAlpha, Error> {
        let alpha = match self.alpha {
            Some(alpha) => alpha,
            None => Alpha::from_rho(self.rho)?,
        };
        if self.chart != Chart::Exponential && self.modification.sigma.value(&alpha) != 0.0 {
            return Err(Error::Unsupported {
                method: "gen-alpha with map = \"cayley\"".to_string(),
                reason: "the sigma-modification is written for the exponential map; leave sigma or map out"
                    .to_string(),
            });
        }
        Ok(GeneralizedAlpha::with_alpha(alpha, self.form)
            .with_chart(self.chart)
            .with_start(self.start)
            .with_eta(self.eta)
            .with_modification(self.modification)
            .with_predictor(self.predictor))
    }

    /// Generalized-alpha with these options.
    pub fn generalized_alpha(&self) -> Result<Implicit<GeneralizedAlpha>, Error> {
        Ok(Implicit::new(self.alpha_scheme()?).with_newton(self.newton))
    }

    /// Generalized-alpha with automatic steps.
    pub(crate) fn variable_alpha(&self, tolerance: Tolerance) -> Result<VariableAlpha, Error> {
        self.exponential_only("gen-alpha with a tolerance")?;
        Ok(VariableAlpha::with(self.alpha_scheme()?, tolerance)?.with_steering(self.steering))
    }

    /// BLieDF with automatic order and steps.
    pub(crate) fn variable_bliedf(&self, tolerance: Tolerance) -> Result<VariableBliedf, Error> {
        self.exponential_only("bliedf with a tolerance")?;
        if self.form != Form::StabilizedIndex2 {
            return Err(Error::Unsupported {
                method: "bliedf with a tolerance".to_string(),
                reason: format!(
                    "the form {} is for fixed steps; leave the form out or use stabilized-index2",
                    self.form.name()
                ),
            });
        }
        let method = VariableBliedf::new(tolerance).with_max_order(self.max_order)?.with_eta(self.eta);
        Ok(method.with_steering(self.steering))
    }

    /// BLieDF with these options.
    pub fn bliedf(&self) -> Result<Bliedf, Error> {
        Ok(Bliedf::new(self.k, self.form)?
            .with_correction(self.correction)?
            .with_chart(self.chart)?
            .with_eta(self.eta)
            .with_modified_start(self.modified_start)
            .with_newton(self.newton))
    }

    /// Generalized-alpha with these options for several systems at the same time, if possible
    /// ([`SideBySide::new`]).
    #[inline]
    pub fn side_by_side<'a>(&self, systems: [&'a dyn System; LANES]) -> Option<SideBySide<'a>> {
        self.planned_side_by_side(systems, &mut None)
    }

    /// The same with the plan of earlier systems ([`SideBySide::planned`]).
    #[inline]
    pub fn planned_side_by_side<'a>(
        &self,
        systems: [&'a dyn System; LANES],
        plan: &mut Option<LanePlan>,
    ) -> Option<SideBySide<'a>> {
        self.exponential_only("side by side").ok()?;
        SideBySide::planned(systems, self.alpha_scheme().ok()?, self.newton, plan)
    }

    /// An error if another map than the exponential is chosen.
    fn exponential_only(&self, method: &str) -> Result<(), Error> {
        if self.chart == Chart::Exponential {
            return Ok(());
        }
        let reason = "map = \"cayley\" is for fixed steps: errors are estimated for the exponential map";
        Err(Error::Unsupported { method: method.to_string(), reason: reason.to_string() })
    }

    fn stepper<R: StepRule + 'static>(&self, rule: R) -> Box<dyn Integrator> {
        Box::new(Stepper::new(rule).with_settings(self.conserve.settings))
    }
}

/// Name of the automatic choice between methods with automatic steps.
pub const AUTOMATIC: &str = "auto";

/// The explicit methods that estimate their errors.
fn explicit(name: &str) -> Option<&'static Tableau> {
    [&DOPRI5, &DOP853].into_iter().find(|table| table.name == name)
}

/// A method with automatic steps, by name: bliedf, gen-alpha, dopri5, dop853, or auto for the best of them.
pub fn adaptive_method(
    name: &str,
    options: &MethodOptions,
    tolerance: Tolerance,
) -> Result<Box<dyn Adaptive>, Error> {
    match name {
        "bliedf" => Ok(Box::new(options.variable_bliedf(tolerance)?)),
        "gen-alpha" => Ok(Box::new(options.variable_alpha(tolerance)?)),
        AUTOMATIC => {
            let options = &MethodOptions { modification: Modification::default(), ..*options };
            let (bliedf, alpha) = (options.variable_bliedf(tolerance)?, options.variable_alpha(tolerance)?);
            let explicit = VariableExplicit::new(&DOP853, tolerance);
            Ok(Box::new(ExplicitFirst::new(explicit, Automatic::new(bliedf, alpha))))
        }
        _ => {
            if let Some(table) = explicit(name) {
                return Ok(Box::new(VariableExplicit::new(table, tolerance)));
            }
            // Unknown names give their own error.
            method(name, options)?;
            let reason = "its step is fixed: give a step, or use bliedf or gen-alpha".to_string();
            Err(Error::Unsupported { method: format!("{name} with a tolerance"), reason })
        }
    }
}

/// A method by name.
pub fn method(name: &str, options: &MethodOptions) -> Result<Box<dyn Integrator>, Error> {
    match METHODS.iter().find(|e| e.name == name) {
        Some(entry) => (entry.build)(options),
        None => Err(Error::unknown_name("method", name, METHODS.iter().map(|e| e.name))),
    }
}
