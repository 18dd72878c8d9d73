//! The summary of a run, complete or not.

use std::time::Duration;

use super::control::Control;
use super::course::Occurrence;
use super::diagnostics::Diagnostic;
use super::trust::Trust;
use crate::Error;
use crate::integrate::Rescues;
use crate::persist::{Archive, Damage, Persist};

/// The summary of a run, complete or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Step size used.
    pub h: f64,
    /// Steps done.
    pub steps: usize,
    /// Time reached.
    pub t_end: f64,
    /// Newton iterations in total.
    pub iterations: usize,
    /// Matrices factorised in total.
    pub jacobians: usize,
    /// Number of these matrices that needed pivots from whole columns.
    pub fallbacks: usize,
    /// Steps in which the line search was active.
    pub damped_steps: usize,
    /// Steps in which Newton's method failed and was rescued.
    pub rescues: Rescues,
    /// max |Phi_i| over all steps.
    pub position_max: f64,
    /// max |(B v + Phi_t)_i| over all steps.
    pub velocity_max: f64,
    /// Energy at the start, if defined. For methods with separate momenta (vi-*) all energies are H(q, p).
    pub energy_initial: Option<f64>,
    /// Energy at the end.
    pub energy_final: Option<f64>,
    /// max |E - E_0|.
    pub energy_drift: Option<f64>,
    /// max |E - H_0| of E(q, v, p) = p.v - v.M v/2 + V, for methods with separate momenta.
    pub energy_function_drift: Option<f64>,
    /// Work of drives and of forces without potential; none if the energy is an invariant.
    pub work: Option<f64>,
    /// max |E - E_0 - work|: the power balance, if the energy is not conserved.
    pub balance: Option<f64>,
    /// Largest deviations of the momenta from their initial values, if defined.
    pub momenta: Option<MomentumDrift>,
    /// Invariants and residuals at the end.
    pub diagnostics: Vec<Diagnostic>,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// True if the recorder ended the run early.
    pub stopped: bool,
    /// Warnings that make the results doubtful.
    pub warnings: Vec<String>,
    /// Events that happened, in the order of time.
    pub events: Vec<Occurrence>,
    /// Largest difference between the forces of some steps and those consistent with their positions and
    /// velocities, relative to the largest force; none without joints.
    pub force_difference: Option<f64>,
    /// Steps and orders, if the method chose them; `h` is then the mean step.
    pub control: Option<Control>,
    /// Trust in the results.
    pub trust: Trust,
}

/// Largest deviations of momenta. Momenta are invariants only of systems with the symmetry: linear and
/// angular momenta of free systems, the component about gravity of systems that may be turned about the
/// vertical through the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MomentumDrift {
    /// max |L - L_0|.
    pub linear: f64,
    /// max |J - J_0|.
    pub angular: f64,
    /// The same for the component of J along gravity.
    pub about_gravity: Option<f64>,
}

/// A run that ended early: the error, and the summary up to then. The recorder has the samples.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The error.
    pub error: Error,
    /// The summary up to the error.
    pub summary: Summary,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} (results up to t = {} after {} steps are kept)",
            self.error, self.summary.t_end, self.summary.steps
        )
    }
}

impl std::error::Error for Failure {}

crate::persist!(MomentumDrift { linear, angular, about_gravity });

impl Persist for Summary {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        // Events are saved by the course; time, diagnostics, control and trust are added at the end.
        let Summary {
            h,
            steps,
            t_end,
            iterations,
            jacobians,
            fallbacks,
            damped_steps,
            rescues,
            position_max,
            velocity_max,
            energy_initial,
            energy_final,
            energy_drift,
            energy_function_drift,
            work,
            balance,
            momenta,
            diagnostics: _,
            wall: _,
            stopped: _,
            warnings,
            events: _,
            force_difference: _,
            control: _,
            trust: _,
        } = self;
        ((h, t_end), (steps, (iterations, (jacobians, (fallbacks, damped_steps))))).persist(archive)?;
        ((position_max, velocity_max), (energy_initial, (energy_final, energy_drift))).persist(archive)?;
        ((work, balance), (momenta, (rescues, energy_function_drift))).persist(archive)?;
        archive.growing(warnings)
    }
}
