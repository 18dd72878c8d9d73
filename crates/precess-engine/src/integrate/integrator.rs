//! What the outside sees of a time integration method.

use super::recovery::Rescue;
use crate::Error;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage};

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Newton iterations; zero for explicit methods.
    pub iterations: usize,
    /// Iteration matrices that were evaluated and factorised.
    pub jacobians: usize,
    /// Those among them that needed pivots from whole columns.
    pub fallbacks: usize,
    /// Step length reductions of the Armijo line search.
    pub dampings: usize,
    /// Step size; filled in by runs where the method does not choose it.
    pub h: f64,
    /// Order of the method in this step; filled in by runs where it does not change.
    pub order: usize,
    /// Estimated local error in units of the tolerance, for methods that choose their steps.
    pub error: f64,
    /// Attempts whose error was too large.
    pub rejected: usize,
    /// Attempts in which Newton's method failed.
    pub failed: usize,
    /// What helped, if Newton's method had failed at first.
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

/// Refuses a step that leads nowhere.
pub(crate) fn check_step(h: f64) -> Result<(), Error> {
    if h.is_finite() && h != 0.0 {
        return Ok(());
    }
    Err(Error::Parameter { name: "step", value: h, expected: "a step size is a positive number of seconds" })
}

/// A one-step or multistep method that advances a [`State`] by a step h.
///
/// The integrator owns its workspace and its history (for generalized-alpha the vector a_n), the system is
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

    /// Goes on with steps of the same size after forces have jumped. Accelerations and multipliers of the
    /// state fit the new forces already, so that a method may do with less than a
    /// [`start`](Integrator::start): control loops jump in every step.
    fn resume(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        self.start(system, state, h)
    }

    /// One step from `state.t` to `state.t + h`. On an error the state is unchanged.
    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error>;

    /// Auxiliary multipliers eta_n of the stabilized index-2 form in the last step, where the method has
    /// them.
    fn eta(&self) -> Option<&[f64]> {
        None
    }

    /// Momenta as M^-1 p, and velocities v, of methods in which p is an unknown of its own and not M v.
    fn conjugate(&self) -> Option<Conjugate<'_>> {
        None
    }

    /// Work of the forces without potential in the last step, of methods whose energy changes by exactly
    /// this.
    fn work(&self) -> Option<f64> {
        None
    }

    /// What a user should know about the chosen parameters.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Writes what the next steps depend on to an archive, or reads it after a [`start`](Integrator::start)
    /// with the same model: the run then goes on bit by bit as if it had not been interrupted.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let _ = archive;
        Err(Damage::Unsupported(format!("the method {}", self.name())))
    }
}
