//! The interface of time integration methods.

use super::recovery::Rescue;
use crate::Error;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage};

/// Report on one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Newton iterations; zero for explicit methods.
    pub iterations: usize,
    /// Iteration matrices that were evaluated and factorised.
    pub jacobians: usize,
    /// Number of these matrices that needed pivots from whole columns.
    pub fallbacks: usize,
    /// Step length reductions of the Armijo line search.
    pub dampings: usize,
    /// Step size; set by the run if the method does not choose it.
    pub h: f64,
    /// Order of the method in this step; set by the run if it does not change.
    pub order: usize,
    /// Estimated local error in units of the tolerance, for methods with automatic steps.
    pub error: f64,
    /// Attempts whose error was too large.
    pub rejected: usize,
    /// Attempts in which Newton's method failed.
    pub failed: usize,
    /// The rescue that succeeded, if Newton's method failed at first.
    pub rescue: Option<Rescue>,
}

/// Independent momenta and velocities of a method, see [`Integrator::conjugate`].
#[derive(Clone, Copy, Debug)]
pub struct Conjugate<'a> {
    /// M^-1 p.
    pub w: &'a [f64],
    /// v.
    pub v: &'a [f64],
    /// E(q, v, p) at the beginning of the last step, if v belongs there (vi-s).
    pub function: Option<f64>,
}

/// Refuses a step size that is not positive and finite.
pub fn check_step(h: f64) -> Result<(), Error> {
    if h.is_finite() && h != 0.0 {
        return Ok(());
    }
    Err(Error::Parameter { name: "step", value: h, expected: "a step size is a positive number of seconds" })
}

/// A one-step or multistep method that advances a [`State`] by a step h.
///
/// The integrator owns its workspace and its history (for generalized-alpha the vector a_n). The system is
/// immutable. Call [`start`](Integrator::start) once with consistent initial values, and again after every
/// change of the state from outside.
pub trait Integrator: Send {
    /// Name as typed by users.
    fn name(&self) -> &'static str;

    /// Order of convergence for smooth solutions.
    fn order(&self) -> usize;

    /// Prepares history and workspace. May perturb the state by terms of the size of the local error (LA,
    /// Table 2).
    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error>;

    /// Continues with steps of the same size after forces have jumped. Accelerations and multipliers of the
    /// state already fit the new forces, so a method may do less than in a [`start`](Integrator::start).
    /// Control loops call this in every step.
    fn resume(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.start(system, state, h)
    }

    /// Starts again after a projection. Like a [`start`](Integrator::start), but the velocities stay as
    /// they are: a perturbation of the start would undo their projection.
    fn restart(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.start(system, state, h)
    }

    /// One step from `state.t` to `state.t + h`. On an error the state is unchanged.
    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error>;

    /// Auxiliary multipliers eta_n of the stabilized index-2 form in the last step, if the method has them.
    fn eta(&self) -> Option<&[f64]> {
        None
    }

    /// The multipliers lambda of the last step, for methods whose multipliers belong to a step. Those of
    /// the state belong to its time. If there are any, [`eta`](Integrator::eta) is gamma.
    fn step_lambda(&self) -> Option<&[f64]> {
        None
    }

    /// Momenta as M^-1 p, and velocities v, for methods in which p is a separate unknown.
    fn conjugate(&self) -> Option<Conjugate<'_>> {
        None
    }

    /// Work of the forces without potential in the last step, for methods whose energy changes by exactly
    /// this work.
    fn work(&self) -> Option<f64> {
        None
    }

    /// A warning about the chosen parameters.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Saves everything the next steps depend on, or restores it after a [`start`](Integrator::start) with
    /// the same model. The run then continues bit by bit as if it had not been interrupted.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let _ = archive;
        Err(Damage::Unsupported(format!("the method {}", self.name())))
    }

    /// A copy that continues with the same bits; none if copies need [`persist`](Integrator::persist).
    fn copied(&self) -> Option<Box<dyn Integrator>> {
        None
    }
}
