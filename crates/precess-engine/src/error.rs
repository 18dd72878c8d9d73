//! Typed errors. Each contains the measured numbers and ends with advice.

use thiserror::Error;

pub(crate) mod checkpoint;
pub mod diagnosis;
pub mod diagnostic;
mod named;
mod unknown_name;

#[doc(hidden)]
pub use crate::named;
pub use named::word;

use checkpoint::CheckpointError;
use diagnosis::Diagnosis;

/// Any error between a system and its trajectory.
///
/// `{:?}` prints the same text as `{}`, because Rust prints errors of `main` with `{:?}`.
#[derive(Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter of a method, a step size or a time is out of its range.
    #[error("{name} = {value} is not allowed: {expected}")]
    Parameter {
        /// Name as typed by users, for example `rho`.
        name: &'static str,
        /// The value found.
        value: f64,
        /// Allowed values, and why.
        expected: &'static str,
    },
    /// Parameters of generalized-alpha violate the order condition (41) or the stability conditions (134).
    #[error("parameters of generalized-alpha: {violation}")]
    Coefficients {
        /// The violated condition, with its numbers.
        violation: String,
    },
    /// A name is not in the list of known names.
    #[error("unknown {kind} '{name}'{}", suggestion(.closest, .known))]
    UnknownName {
        /// Kind of the name.
        kind: &'static str,
        /// The name typed.
        name: String,
        /// The nearest known name, if any is near.
        closest: Option<String>,
        /// All known names.
        known: String,
    },
    /// A vector has the wrong length.
    #[error("{what} has {found} entries, {expected} are needed")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Entries found.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// The initial configuration is not an element of the group (for example a quaternion that is not of unit
    /// length).
    #[error("the initial configuration is not an element of the group: {reason}")]
    NotInGroup {
        /// The reason and its location.
        reason: String,
    },
    /// Initial positions violate the constraints.
    #[error(
        "initial positions violate constraint '{constraint}' at t = {t}: residual {residual:.3e}, tolerance \
         {tolerance:.1e} (in rad, or relative to the size of \
         the model; a check prints rad and m); correct the positions, let the assembly close the \
         joints, or ask for a \
         projection onto the constraints"
    )]
    InconsistentPosition {
        /// Name of the worst row.
        constraint: String,
        /// Its residual.
        residual: f64,
        /// Tolerated residual.
        tolerance: f64,
        /// Time.
        t: f64,
    },
    /// No velocities satisfy the hidden constraints (16).
    #[error(
        "no velocities fit constraint '{constraint}' at t = {t}: the best ones leave a residual of \
         {residual:.3e} (in rad/s, or relative to the size of the model per s); the drives contradict each \
         other or the joints: drive fewer joints, or give drives that belong to one motion"
    )]
    NoVelocity {
        /// Name of the worst row.
        constraint: String,
        /// Its residual.
        residual: f64,
        /// Time.
        t: f64,
    },
    /// An event turns on a joint whose points or axes do not meet.
    #[error(
        "event '{event}' at t = {t}: constraint '{constraint}' is turned on, but its residual is \
         {residual:.3e} (in rad, or relative to the size of the model); turn a \
         joint on only when its points and axes meet, or hold the current coordinate of a revolute or \
         prismatic joint with a drive"
    )]
    NotClosed {
        /// Name of the event.
        event: String,
        /// Name of the worst row.
        constraint: String,
        /// Its residual.
        residual: f64,
        /// Time.
        t: f64,
    },
    /// Initial velocities violate the hidden constraints (16).
    #[error(
        "initial velocities violate constraint '{constraint}' at t = {t}: residual {residual:.3e}, \
         tolerance {tolerance:.1e} (in rad/s, or relative to the \
         size of the model per s; a check prints rad/s and m/s); correct the velocities or ask for a \
         projection onto the constraints"
    )]
    InconsistentVelocity {
        /// Name of the worst row.
        constraint: String,
        /// Its residual.
        residual: f64,
        /// Tolerated residual.
        tolerance: f64,
        /// Time.
        t: f64,
    },
    /// The mass matrix is not positive definite on the kernel of B: accelerations are not determined.
    #[error(
        "the mass matrix is singular on ker B at t = {t}: {motion}; give that motion an inertia or \
         constrain it"
    )]
    SingularMass {
        /// Time.
        t: f64,
        /// The motion without inertia.
        motion: String,
    },
    /// B(q) does not have full rank.
    #[error(
        "the constraints are linearly dependent at t = {t}: rank {rank} of {rows} rows; dependent: \
         {dependent}; \
         remove the redundant rows"
    )]
    RankDeficient {
        /// Time.
        t: f64,
        /// Rank found.
        rank: usize,
        /// Number of rows.
        rows: usize,
        /// Names of the rows that depend on the others.
        dependent: String,
    },
    /// Newton's method did not converge.
    #[error(
        "Newton's method did not converge in step {step} at t = {t}: after {iterations} iterations the \
         correction is {correction:.2e} \
         times the tolerance, largest residual in {worst}{diagnosis}{}",
        .diagnosis.remedy()
    )]
    Newton {
        /// Time at the end of the failed step.
        t: f64,
        /// Number of the step, from 1.
        step: usize,
        /// Iterations done.
        iterations: usize,
        /// Size of the last correction relative to the tolerance.
        correction: f64,
        /// Row with the largest scaled residual.
        worst: String,
        /// Further findings.
        diagnosis: Box<Diagnosis>,
    },
    /// The iteration matrix is singular.
    #[error(
        "the iteration matrix is singular in step {step} at t = {t} (pivot {pivot:.1e} of {size:.1e} at \
         {unknown}); \
         look for redundant constraints, a body without inertia, or a singular configuration{diagnosis}"
    )]
    SingularMatrix {
        /// Time at the end of the failed step.
        t: f64,
        /// Number of the step, from 1.
        step: usize,
        /// The pivot.
        pivot: f64,
        /// Size of the matrix entries.
        size: f64,
        /// The unknown the pivot belongs to.
        unknown: String,
        /// Further findings.
        diagnosis: Box<Diagnosis>,
    },
    /// A function of the system returned NaN or infinity.
    #[error(
        "{what} is not finite in step {step} at t = {t} ({value}); check the forces and constraints of the \
         model at that time, or try a smaller step"
    )]
    NotFinite {
        /// Which quantity, with the row.
        what: String,
        /// The value, NaN or infinite.
        value: f64,
        /// Time.
        t: f64,
        /// Number of the step, from 1; 0 before the first.
        step: usize,
    },
    /// A method cannot integrate this system.
    #[error("{method} cannot integrate this system: {reason}")]
    Unsupported {
        /// Method name.
        method: String,
        /// The reason and the alternative.
        reason: String,
    },
    /// A body turns too far in a step to interpolate its rotation.
    #[error(
        "the step from t = {from} to t = {to} turns a body by {rotation:.2} rad, too far for output or \
         events between its ends; \
         take smaller steps"
    )]
    Interpolation {
        /// Beginning of the step.
        from: f64,
        /// Its end.
        to: f64,
        /// The rotation.
        rotation: f64,
    },
    /// An event happens again and again at nearly the same time.
    #[error(
        "event '{event}' has happened {count} times between t = {from} and t = {to}: its action causes the \
         same event again; \
         give the events that switch on and off different thresholds (hysteresis), or a direction"
    )]
    Chattering {
        /// Name of the event.
        event: String,
        /// How often.
        count: usize,
        /// First of them.
        from: f64,
        /// Last of them.
        to: f64,
    },
    /// An element that switches itself is on although it should be off, or off although it should be on.
    #[error(
        "event '{event}' was not found, and its element is in the wrong state at t = {t} (its function is \
         {value:.3e} there): these results are wrong; try a smaller tolerance or a smaller step, or give the \
         element a width instead of events"
    )]
    Unswitched {
        /// Name of the event.
        event: String,
        /// Value of its function.
        value: f64,
        /// Time.
        t: f64,
    },
    /// An event that depends on time alone happens too often.
    #[error(
        "event '{event}' happens more than 100000 times between t = {from} and t = {to}; end the run \
         earlier, or \
         let the event happen less often"
    )]
    Countless {
        /// Name of the event.
        event: String,
        /// Beginning of the run.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// The tolerance is below the rounding errors.
    #[error(
        "the tolerance {tol:.1e} cannot be reached at t = {t}: rounding errors of double precision are too \
         large; \
         the smallest possible tolerance is {best:.0e}{}",
        with_absolute(*.absolute, *.best / *.tol)
    )]
    Precision {
        /// Requested tolerance.
        tol: f64,
        /// Smallest possible tolerance, one digit, rounded up.
        best: f64,
        /// True if absolute tolerances are given; they have to grow by the same factor.
        absolute: bool,
        /// Time.
        t: f64,
    },
    /// A method with automatic steps finds no step that works.
    #[error(
        "no step size works at t = {t}, the last one tried was {h:.1e} s: {cause}; look for a jump in a \
         force, a drive or a \
         constraint at that time, or try a larger tolerance"
    )]
    StepTooSmall {
        /// Time.
        t: f64,
        /// The step.
        h: f64,
        /// Why it failed.
        cause: String,
    },
    /// The mechanism cannot follow a drive.
    #[error(
        "the mechanism cannot follow the drive of {drive} beyond t = {t}: {held_by} hold the coordinate \
         that it prescribes; the mechanism is \
         rigid at that time, or at the end of its reach: let the drive move less far, change the lengths, \
         or free one of these joints"
    )]
    OutOfReach {
        /// Last time at which it could.
        t: f64,
        /// The joint with the drive.
        drive: String,
        /// Joints that hold it.
        held_by: String,
    },
    /// The rotation of a body has reached an angle at which its coordinates are singular.
    #[error(
        "gimbal lock of body {body} in step {step} at t = {t}: its middle Tait-Bryan angle is {left:.2} \
         degrees from +-90{}; \
         use the formulation r3so3, or turn the frame of the body",
        turning(*.left, *.turned)
    )]
    GimbalLock {
        /// The body.
        body: String,
        /// Remaining degrees.
        left: f64,
        /// Rotation of the body per step, in degrees.
        turned: f64,
        /// Time at the beginning of the step.
        t: f64,
        /// Number of the step, from 1.
        step: usize,
    },
    /// A method with automatic steps stops at a singular position.
    #[error(
        "the mechanism is singular at t = {t}: {} (smallest singular value {size:.1e}), and no step size \
         down to {h:.1e} s \
         gets past this position ({cause}); when constraints become dependent for a moment, the mechanism \
         can continue in more than one \
         way. Try a larger tolerance, or a fixed step, which seldom ends exactly at this position; or rule \
         out the second way by a small \
         change of lengths, a stop or a spring",
        dependent(.constraints)
    )]
    SingularPosition {
        /// Time.
        t: f64,
        /// The last step tried.
        h: f64,
        /// Smallest singular value of the unit-free constraint matrix, without those of redundant rows.
        size: f64,
        /// Joints that become dependent on each other, the largest part first.
        constraints: Vec<String>,
        /// The error at this position.
        cause: String,
    },
    /// Newton's method fails in most steps.
    #[error(
        "Newton's method failed in {count} of the last 32 steps up to step {step} at t = {t} and needed \
         rescues: a step of {h:e} s is \
         too large for this motion, and the results are meaningless; try a smaller step or a tolerance \
         instead of a step"
    )]
    Strained {
        /// Time.
        t: f64,
        /// Number of the step, from 1.
        step: usize,
        /// Number of steps that needed rescues.
        count: u32,
        /// The step size.
        h: f64,
    },
    /// A run cannot continue from a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// All mistakes of a model file.
    #[error(transparent)]
    Model(#[from] diagnostic::Diagnostics),
    /// Input that cannot be used: a file that cannot be read, a formula without meaning.
    #[error("{message}")]
    Input {
        /// The problem, its reason and help.
        message: String,
    },
    /// A run reached its end, but its results cannot be trusted.
    #[error("these results cannot be trusted: {reason}")]
    Untrusted {
        /// The reason.
        reason: String,
    },
    /// A projection onto the constraints did not converge.
    #[error(
        "projection onto the constraints did not converge at t = {t}: '{constraint}' still has residual \
         {residual:.3e} (in rad, or \
         relative to the size of the model); \
         the start may be too far from the constraint manifold"
    )]
    Projection {
        /// Time.
        t: f64,
        /// Worst row.
        constraint: String,
        /// Its residual.
        residual: f64,
    },
}

fn with_absolute(absolute: bool, factor: f64) -> String {
    if absolute {
        format!(", with absolute tolerances (atol_*) {factor:.1e} times as large")
    } else {
        String::new()
    }
}

/// The rotation of a body per step, if it exceeds the remaining angle.
fn turning(left: f64, turned: f64) -> String {
    if turned > left { format!(", and a step turns it by {turned:.2} degrees") } else { String::new() }
}

fn dependent(constraints: &[String]) -> String {
    match constraints {
        [] => "its constraints become dependent".to_string(),
        list => format!("the constraints of {} become dependent on each other", list.join(", ")),
    }
}

fn suggestion(closest: &Option<String>, known: &str) -> String {
    match closest {
        Some(name) => format!(", did you mean '{name}'? Known: {known}"),
        None if known.is_empty() => "; there are none".to_string(),
        None => format!("; known: {known}"),
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// Findings about a failed step.
    pub fn diagnosis_mut(&mut self) -> Option<&mut Diagnosis> {
        match self {
            Error::Newton { diagnosis, .. } | Error::SingularMatrix { diagnosis, .. } => Some(diagnosis),
            _ => None,
        }
    }

    /// The same error with the number of the step it happened in.
    pub fn in_step(mut self, n: usize) -> Self {
        match &mut self {
            Error::Newton { step, .. }
            | Error::SingularMatrix { step, .. }
            | Error::NotFinite { step, .. } => *step = n,
            _ => {}
        }
        self
    }

    /// The same error with a time not before `start`: difference quotients evaluate the system earlier.
    pub(crate) fn not_before(mut self, start: f64) -> Self {
        if let Error::NotFinite { t, .. } = &mut self {
            *t = t.max(start);
        }
        self
    }
}

/// First entry that is not finite, with its index.
pub(crate) fn first_not_finite(values: &[f64]) -> Option<(usize, f64)> {
    // Tests all values at once, since almost all are finite. Zero times a value that is not finite is NaN.
    let (fours, rest) = values.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for x in fours {
        for i in 0..4 {
            sum[i] += 0.0 * x[i];
        }
    }
    if rest.iter().fold(sum[0] + sum[1] + (sum[2] + sum[3]), |sum, x| sum + 0.0 * x) == 0.0 {
        return None;
    }
    values.iter().position(|x| !x.is_finite()).map(|i| (i, values[i]))
}
