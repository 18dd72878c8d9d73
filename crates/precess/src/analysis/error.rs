//! Errors of analyses. Each message is one sentence with the findings and a remedy.

use thiserror::Error;

use crate::analysis::gaps::Gap;

/// An unbalanced force or torque.
#[derive(Clone, Debug, PartialEq)]
pub struct NetForce {
    /// The size in N or N m, per unit of motion of the body that moves most.
    pub size: f64,
    /// True for a torque.
    pub is_torque: bool,
    /// The motion that it would cause, in words: `'box' moves along z`.
    pub motion: String,
}

impl std::fmt::Display for NetForce {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, unit) = if self.is_torque { ("torque", "N m") } else { ("force", "N") };
        write!(f, "a net {what} of {} {unit} is left where {}", number(self.size), self.motion)
    }
}

/// Formats a number with four digits.
pub fn number(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) {
        let decimals = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 6) as usize };
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    } else {
        format!("{x:.3e}")
    }
}

/// Errors of an analysis.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The equations could not be evaluated or started.
    #[error("{0}")]
    Core(#[from] crate::Error),
    /// The coordinates are not those of bodies.
    #[error(
        "the analysis needs bodies in absolute coordinates, this formulation has none; use the formulation \
         r3so3, or se3"
    )]
    Coordinates,
    /// A joint constrains velocities: positions alone do not say where it rests.
    #[error(
        "{joint} constrains velocities, not positions, so that a wheel or a blade can rest at many positions; \
         linearise about a steady motion or about the given state, or simulate the model"
    )]
    Rolling {
        /// The joint and its row.
        joint: String,
    },
    /// The constraints cannot be satisfied.
    #[error(
        "the joints cannot be assembled: after {iterations} iterations these are left open at best: {}; \
         correct dimensions or positions of their bodies",
        few(.gaps)
    )]
    Assembly {
        /// The number of iterations.
        iterations: usize,
        /// The joints that stay open in the best position, the widest first.
        gaps: Vec<Gap>,
    },
    /// Kinematics was requested for a mechanism that is not fully driven.
    #[error(
        "{}, so that its motion needs dynamics; {}",
        if *.drives == 0 { "nothing is driven".to_string() } else { format!("the drives leave free: \
            {}", free.join("; ")) },
        if *.drives == 0 { "give a joint a drive, or simulate it" } else { "drive these, too, or simulate it" }
    )]
    Undriven {
        /// The motions that no drive prescribes, in words.
        free: Vec<String>,
        /// The number of drives.
        drives: usize,
    },
    /// The drives contradict each other or the joints.
    #[error(
        "{} at t = {} s: no motion fits; drive fewer joints, or give drives that belong to one motion",
        if joints.len() == 1 { format!("the drive of '{}' contradicts the joints", joints.join("")) }
        else { format!("the drives of '{}' contradict each other", joints.join("', '")) },
        number(*.t)
    )]
    Contradiction {
        /// The time.
        t: f64,
        /// The driven joints.
        joints: Vec<String>,
    },
    /// There are forces that nothing balances.
    #[error("there is no equilibrium: nothing holds it; {}; add a joint, a spring or a drive \
             there", list(.forces))]
    NothingHolds {
        /// The unbalanced forces, the largest first.
        forces: Vec<NetForce>,
    },
    /// The search did not converge.
    #[error(
        "no equilibrium was found in {iterations} iterations: the last position would accelerate by \
         {acceleration:.3e} m/s^2 \
         ({motion}); start closer to it{}",
        if *.stable { ", or accept an unstable one" } else { ", or search for a stable one" }
    )]
    NotFound {
        /// The number of iterations.
        iterations: usize,
        /// The largest acceleration on release.
        acceleration: f64,
        /// The accelerated motion.
        motion: String,
        /// True if a stable equilibrium was wanted.
        stable: bool,
    },
    /// The joints allow more motions in this position than nearby.
    #[error(
        "the position is singular: the constraints have rank {rank} here and {nearby} nearby, so a \
         linearisation is meaningless; \
         choose another time, another start or other dimensions"
    )]
    Singular {
        /// The rank of B.
        rank: usize,
        /// The rank nearby.
        nearby: usize,
    },
    /// There is a motion without inertia.
    #[error("there is no inertia where {motion}; give that body a mass and an inertia")]
    Massless {
        /// The motion in words.
        motion: String,
    },
    /// Values are not finite.
    #[error("{what} has no value here: {reason}")]
    NotFinite {
        /// The quantity.
        what: String,
        /// The reason, if known.
        reason: String,
    },
    /// The state is neither at rest nor in steady motion.
    #[error(
        "this is neither rest nor a steady rotation: {motion} with {acceleration:.3e} m/s^2 beyond it; {}",
        if *.looked {
            "none was found nearby: give velocities closer to one, or linearise about an equilibrium"
        } else {
            "linearise about a steady motion, which is looked for nearby, or linearise about an equilibrium"
        }
    )]
    Unsteady {
        /// The accelerated motion.
        motion: String,
        /// Its acceleration.
        acceleration: f64,
        /// True if a steady motion was searched for nearby.
        looked: bool,
    },
    /// No frame makes the coefficients constant.
    #[error(
        "no frame makes the linear equations of this motion constant ({}), so there are no modes; \
         use the multipliers of a period, which need none, or make the rotor or its supports symmetric about the axis \
         of rotation",
        frames(.tried)
    )]
    NoFrame {
        /// The name of each frame that was tried, with the largest relative difference between the start and
        /// a later time.
        tried: Vec<(String, f64)>,
    },
    /// The motion does not repeat.
    #[error(
        "the motion does not close after {period} s: {gap:.1e} m are left, and no motion nearby closes; \
         give its period, or \
         positions and velocities closer to a motion that repeats"
    )]
    NotPeriodic {
        /// The period.
        period: f64,
        /// The remaining gap in m.
        gap: f64,
    },
    /// The motion does not have the requested frame.
    #[error("there is no {name} frame: {reason}")]
    UnknownFrame {
        /// The name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A page of modes was requested, but there are none.
    #[error("nothing vibrates, so there is no page")]
    NothingVibrates,
    /// There is dry friction in motion.
    #[error(
        "friction that depends on the forces of joints is not linearised in motion ({joint}); set \
         force.NAME.coefficient to zero"
    )]
    Friction {
        /// The joint.
        joint: String,
    },
    /// A stable equilibrium was wanted, but only an unstable one was found.
    #[error(
        "no stable equilibrium was found: this one is unstable; change the model, or accept an unstable one"
    )]
    OnlyUnstable,
    /// Drives reach a position in which they do not determine the motion.
    #[error("the drives cannot pass the last dead point; let them turn back before it, or change dimensions")]
    DeadPoint,
    /// The joints would close if bodies could move that are kept in place.
    #[error("{error}; it would close if these bodies, which are kept in place, could move: {}", bodies.join(", "))]
    Kept {
        /// The error with these bodies in place.
        error: Box<AnalysisError>,
        /// Each of these bodies, and how far it would move.
        bodies: Vec<String>,
    },
    /// Eigenvalues did not converge.
    #[error(
        "the eigenvalues of a matrix of {size} rows did not converge; scale the model (units of mass and \
         length)"
    )]
    Eigenvalues {
        /// The number of rows.
        size: usize,
    },
    /// The model is too large for dense matrices.
    #[error("{what} with {size} degrees of freedom is too large here (at most {most}); {remedy}")]
    TooLarge {
        /// The requested analysis.
        what: &'static str,
        /// The number of degrees of freedom.
        size: usize,
        /// The largest possible size.
        most: usize,
        /// The remedy.
        remedy: &'static str,
    },
    /// A name is unknown.
    #[error("{0}")]
    Name(String),
}

impl AnalysisError {
    /// The message, with its remedy as a line of help.
    pub fn with_help(&self) -> String {
        let text = self.to_string();
        match self {
            _ if text.contains('\n') => return text,
            AnalysisError::Kept { error, .. } => {
                let before = error.to_string();
                let more = text.strip_prefix(&before).unwrap_or_default().trim_start_matches("; ");
                return format!("{}\n  help: {more}", error.with_help());
            }
            _ => {}
        }
        // The remedy follows the last semicolon.
        match text.rsplit_once("; ") {
            Some((found, remedy)) if !found.is_empty() => format!("{found}\n  help: {remedy}"),
            _ => text,
        }
    }
}

fn few(gaps: &[Gap]) -> String {
    let mut words: Vec<String> = gaps.iter().take(6).map(|g| g.to_string()).collect();
    if gaps.len() > words.len() {
        words.push(format!("{} more", gaps.len() - words.len()));
    }
    words.join(", ")
}

fn list(forces: &[NetForce]) -> String {
    forces.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; ")
}

fn frames(list: &[(String, f64)]) -> String {
    let words = list.iter().map(|(name, x)| format!("{name} frame: they change by {x:.1e}"));
    words.collect::<Vec<_>>().join(", ")
}
