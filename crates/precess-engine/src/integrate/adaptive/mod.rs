//! Methods with automatic steps: a tolerance instead of a step size.
//!
//! Runs use [`Adaptive`]. Every method advances by one accepted step at a time, after any number of rejected
//! ones. So dense output and events need only two neighbouring states. The parts are one file each:
//!
//! | file | content |
//! |---|---|
//! | `norm` | the meaning of a tolerance: weights per body and block, from scales of the model |
//! | `steering` | user settings of Newton's method |
//! | `newton` | modified Newton iteration to the tolerance, limited by rounding errors |
//! | `noise` | errors explained by rounding, near singular positions |
//! | `differences` | modified divided differences on any grid, the history of variable-order BDF |
//! | `order` | choice of order and step for BDF |
//! | `h211b` | choice of step for one-step methods: a digital filter |
//! | `bliedf` | BLieDF with variable order and step |
//! | `alpha` | generalized-alpha with variable step |
//! | `runge_kutta` | explicit Runge-Kutta methods with variable step |
//! | `explicit_first` | dop853 for trees in joint coordinates, until the motion is stiff |
//! | `automatic` | BLieDF, or generalized-alpha if lightly damped stiff modes limit its steps |
//! | `turning_points` | turning points of drives, which limit the steps |

pub(crate) mod alpha;
pub(crate) mod automatic;
pub(crate) mod bliedf;
pub(crate) mod differences;
pub(crate) mod explicit_first;
mod h211b;
mod newton;
mod noise;
pub(crate) mod norm;
mod order;
pub(crate) mod runge_kutta;
pub(crate) mod steering;
pub(crate) mod turning_points;

pub use alpha::VariableAlpha;
pub use automatic::Automatic;
pub use bliedf::VariableBliedf;
pub use explicit_first::ExplicitFirst;
pub use norm::{Norm, Scales, Tolerance};
pub use runge_kutta::VariableExplicit;
pub use steering::{Matrices, Steering};
pub use turning_points::TurningPoints;

use super::diagnosis::Singularity;
use super::implicit::{Implicit, Scheme};
use super::integrator::StepReport;
use super::start::Accelerations;
use crate::Error;
use crate::mechanics::{State, System};
use crate::persist::{Archive, Damage};

/// Limits of the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// No step ends after this time. A step that would end shortly before it ends exactly there.
    pub stop: f64,
    /// No step is longer than this.
    pub h_max: f64,
}

impl Horizon {
    /// A horizon with only an end.
    pub fn until(stop: f64) -> Self {
        Horizon { stop, h_max: f64::INFINITY }
    }

    /// Limits the step so that no body turns by more than half a turn: exponential coordinates and the Magnus
    /// series end there.
    fn with_rotation(self, omega: f64) -> Self {
        Horizon { h_max: self.h_max.min(std::f64::consts::PI / omega), ..self }
    }

    /// The step from t that is nearest to h. The last two steps before the end are equal, so that none is
    /// tiny.
    pub fn fit(&self, t: f64, h: f64) -> f64 {
        // Well below the limit, so that a varying limit does not change all steps.
        let h = if h > self.h_max { 0.8 * self.h_max } else { h };
        let left = self.stop - t;
        if h >= left * (1.0 - 1e-9) {
            left
        } else if 2.0 * h > left {
            0.5 * left
        } else {
            h
        }
    }
}

/// A method that chooses its steps so that the error of each step meets a [`Tolerance`].
///
/// Call [`start`](Adaptive::start) once with consistent initial values, then [`advance`](Adaptive::advance)
/// as often as needed. If forces or the state have jumped, call [`restart`](Adaptive::restart) and continue.
pub trait Adaptive: Send {
    /// Name as typed by users.
    fn name(&self) -> &'static str;

    /// Prepares workspace, history and the first step for a run that ends at `t_end`.
    fn start(&mut self, system: &dyn System, state: &mut State, t_end: f64) -> Result<(), Error>;

    /// Clears the history at a discontinuity: the state is consistent again, the workspace is kept.
    fn restart(&mut self, system: &dyn System, state: &mut State) -> Result<(), Error>;

    /// One accepted step, not beyond the horizon. On an error the state is unchanged.
    fn advance(&mut self, system: &dyn System, state: &mut State, to: Horizon) -> Result<StepReport, Error>;

    /// Auxiliary multipliers eta of the stabilized form in the last step.
    fn eta(&self) -> Option<&[f64]> {
        None
    }

    /// A warning about the chosen parameters.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Saves everything the next steps depend on, or restores it after a [`start`](Adaptive::start) from the
    /// initial state. The run then continues bit by bit as if it had not been interrupted.
    fn persist(&mut self, system: &dyn System, initial: &State, archive: &mut Archive) -> Result<(), Damage> {
        let _ = (system, initial, archive);
        Err(Damage::Unsupported(format!("the method {} with a tolerance", self.name())))
    }

    /// A copy that continues with the same bits; none if copies need [`persist`](Adaptive::persist).
    fn copied(&self) -> Option<Box<dyn Adaptive>> {
        None
    }

    /// The chosen method and the reason, if the choice was made during the run.
    fn choice(&self) -> Option<String> {
        None
    }
}

/// Time derivatives of v' and lambda.
struct DerivativesInTime {
    vdot: Vec<f64>,
    lambda: Vec<f64>,
}

/// A short time for difference quotients.
fn instant(_system: &dyn System, state: &State, norm: &Norm) -> f64 {
    norm.instant(state)
}

/// Number of shorter time intervals tried if the equations are not defined, each a tenth of the one before.
const SHORTER_TRIES: usize = 6;

/// Calls `look` with tau, or with a tenth, hundredth, ... of it until all values are finite; returns that
/// time.
fn with_shorter_times(mut tau: f64, mut look: impl FnMut(f64) -> Result<(), Error>) -> Result<f64, Error> {
    for _ in 0..SHORTER_TRIES {
        match look(tau) {
            Err(Error::NotFinite { .. }) => tau *= 0.1,
            outcome => return outcome.map(|()| tau),
        }
    }
    look(tau).map(|()| tau)
}

/// Derivatives by one-sided difference quotients.
fn first_difference(
    system: &dyn System,
    state: &State,
    norm: &Norm,
    solver: &mut Accelerations,
) -> Result<DerivativesInTime, Error> {
    let mut probe = state.clone();
    let tau =
        with_shorter_times(instant(system, state, norm), |tau| solver.probe(system, state, tau, &mut probe))?;
    let quotient = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y) / tau).collect();
    Ok(DerivativesInTime {
        vdot: quotient(&probe.vdot, &state.vdot),
        lambda: quotient(&probe.lambda, &state.lambda),
    })
}

/// The first step for an estimate h: positive, and at most a hundredth of the remaining time.
fn first_step(h: f64, left: f64) -> f64 {
    let longest = if left > 0.0 { 0.01 * left } else { 1.0 };
    if h < longest { h } else { longest }
}

/// Largest rounding errors of positions, in units of the tolerance.
const MAX_ROUND_OFF: f64 = 0.04;

/// Refuses a tolerance below double precision. The smallest possible one is rounded up to the printed digit,
/// so that it is accepted when typed as printed.
fn check_precision(norm: &Norm, tolerance: &Tolerance, order: f64, state: &State) -> Result<(), Error> {
    let noise = norm.round_off();
    if noise > MAX_ROUND_OFF {
        let best = one_digit_up(tolerance.loosened(noise / MAX_ROUND_OFF, order));
        let absolute = !tolerance.is_plain();
        return Err(Error::Precision { tol: tolerance.tol, best, absolute, t: state.t });
    }
    Ok(())
}

/// The next larger number with one digit, with a small margin.
fn one_digit_up(x: f64) -> f64 {
    let x = 1.001 * x;
    let power = x.log10().floor();
    let digit = (x / 10f64.powf(power)).ceil();
    format!("{digit}e{power}").parse().unwrap_or(x)
}

/// Refuses a step too small to change the time, and gives the most likely reason.
fn too_small(t: f64, h: f64, norm: Option<&Norm>, tolerance: &Tolerance) -> Result<(), Error> {
    if h > 1e-14 * t.abs() && h > 0.0 {
        return Ok(());
    }
    let noise = norm.map_or(0.0, Norm::round_off);
    let mut cause = "it does not change the time".to_string();
    if noise > 0.1 * MAX_ROUND_OFF {
        cause += &format!(
            "; the tolerance {:.1e} is close to the rounding errors of double precision: try {:.0e}",
            tolerance.tol,
            one_digit_up(10.0 * tolerance.tol)
        );
    }
    Err(Error::StepTooSmall { t, h, cause })
}

/// The error if no step size works because of this error. Values that are not finite keep their own error.
fn no_step(error: Error, t: f64, h: f64) -> Error {
    match error {
        Error::NotFinite { .. } => error,
        other => Error::StepTooSmall { t, h, cause: other.to_string() },
    }
}

/// Refuses an estimate of the error that is not finite, for a step to t.
fn finite_estimate(value: f64, t: f64) -> Result<(), Error> {
    let what = || "the error estimate".to_string();
    if value.is_finite() { Ok(()) } else { Err(Error::NotFinite { what: what(), value, t, step: 0 }) }
}

/// Turns the error that no step size works, for a step that was to have this size, into one about a singular
/// position, if there is one.
fn at_singular<S: Scheme>(
    error: Error,
    implicit: &mut Implicit<S>,
    system: &dyn System,
    state: &State,
    predicted: f64,
) -> Error {
    let Error::StepTooSmall { t, h, cause } = error else { return error };
    implicit.predict(system, state, predicted);
    match implicit.near_singular(system, state) {
        Some(Singularity { size, constraints, .. }) => {
            Error::SingularPosition { t, h, size, constraints, cause }
        }
        None => Error::StepTooSmall { t, h, cause },
    }
}

fn not_started(method: &str) -> Error {
    Error::Unsupported { method: method.to_string(), reason: "call start first".to_string() }
}

#[cfg(test)]
mod tests {
    use super::one_digit_up;

    #[test]
    fn hints_are_rounded_up_to_what_is_printed() {
        for x in [1e-13, 1.04e-13, 9.6e-14, 9.9995e-14, 2.5e-12, 3.2, 1.0 / 3.0] {
            let up = one_digit_up(x);
            let typed: f64 = format!("{up:.0e}").parse().unwrap();
            assert!(typed > x && typed <= 2.01 * x, "{x}: {typed}");
        }
    }
}
