//! Forces that are consistent with the positions and velocities of a step.
//!
//! A method with automatic steps stops Newton's iteration when positions and velocities meet the tolerance.
//! Its v' and lambda then contain the errors of q and v divided by h^2 and h, and the error of a kept matrix.
//! But q and v determine v' and lambda: one correction with the equations of motion and the constraints of
//! acceleration level (LA 19),
//!
//! ```text
//! [ M  B^T ] [ dv'     ]   [ -(M v' + g + B^T lambda)             ]
//! [ B   0  ] [ dlambda ] = [ -(B v' + Z(v,v) + 2 B_t v + Phi_tt)  ]
//! ```
//!
//! makes reported accelerations and reactions as accurate as the motion. A step already satisfies the
//! equations of motion, so only the part of v' normal to the constraints changes. Stiff forces do not change.
//!
//! Asserted in `tests/runs/forces_under_tolerance.rs`: the error of the drive torque of a Cardan shaft is
//! below 10 tol in every step. `precess-fuzz --bin tolerances` prints the errors of forces for all models.

use super::force_weights::ForceWeights;
use super::start::Accelerations;
use crate::mechanics::{State, System};

/// A larger difference between the forces of steps and consistent forces, relative to the largest force,
/// causes a notice.
const NOTICE_DIFFERENCE: f64 = 1e-2;

/// Joint forces below this part of M v' are rounding errors, and so is their difference: those of the condition
/// that a quaternion has length one, for example.
const NO_FORCE: f64 = 1e-9;

/// A state with consistent forces, computed from the state of a step. Nothing allocates after the first use.
#[derive(Clone, Debug)]
pub struct ConsistentForces {
    state: State,
    accelerations: Accelerations,
    weights: ForceWeights,
    /// The largest force so far, and the largest difference from the force of a step.
    largest: f64,
    difference: f64,
    /// The largest M v' of a body so far, and space for it.
    inertial: f64,
    net: Vec<f64>,
    /// False with redundant rows: their multipliers are not unique and are not compared.
    unique: bool,
}

crate::persist!(ConsistentForces { largest, difference, inertial } given {
    state, accelerations, weights, net, unique
} where |x| {
    x.largest >= 0.0 && x.difference >= 0.0 && x.inertial >= 0.0 => "a largest force is negative",
});

impl ConsistentForces {
    /// Workspace for a system; `like` gives the sizes.
    pub fn new(system: &dyn System, like: &State) -> Self {
        ConsistentForces {
            state: like.clone(),
            accelerations: Accelerations::fast(system),
            weights: ForceWeights::of(system),
            largest: 0.0,
            difference: 0.0,
            inertial: 0.0,
            net: vec![0.0; like.v.len()],
            unique: system.row_weights().is_none(),
        }
    }

    /// The state with v' and lambda from (19). At a singular position, where (19) has no solution, the
    /// unchanged state.
    pub fn of(&mut self, system: &dyn System, state: &State) -> &State {
        self.state.copy_from(state);
        if self.accelerations.correct(system, &mut self.state).is_err() {
            self.state.copy_from(state);
            return &self.state;
        }
        if self.unique {
            self.weights.weigh(self.accelerations.constraint_matrix());
            self.largest = self.largest.max(self.weights.largest(&self.state.lambda));
            let difference = self.weights.difference(&state.lambda, &self.state.lambda);
            self.difference = self.difference.max(difference);
            self.net.fill(0.0);
            self.accelerations.mass_matrix().gemv(1.0, &self.state.vdot, &mut self.net);
            self.inertial = self.inertial.max(self.weights.largest_on_bodies(&self.net));
        }
        &self.state
    }

    /// True for steps whose forces are always compared with consistent ones: the first steps and eight in
    /// every octave.
    pub fn samples(step: usize) -> bool {
        step.is_multiple_of((step / 8).next_power_of_two())
    }

    /// A notice if the forces of steps are inaccurate, with a remedy.
    pub fn notice(&self, remedy: &str) -> Option<String> {
        let difference = self.largest_difference().filter(|d| !(*d <= NOTICE_DIFFERENCE))?;
        Some(format!(
            "joint forces of the steps differ by up to {difference:.1e} of the largest one from those that \
             follow from positions and velocities: {remedy}"
        ))
    }

    /// The largest consistent force of a state, and its largest difference from the forces of a nearby state.
    /// With redundant rows, forces on bodies are compared, which are unique.
    pub(crate) fn compare(&mut self, system: &dyn System, state: &State, other: &State) -> [f64; 2] {
        self.of(system, state);
        if self.unique {
            let difference = self.weights.difference(&self.state.lambda, &other.lambda);
            return [self.weights.largest(&self.state.lambda), difference];
        }
        let b = self.accelerations.constraint_matrix();
        let mut net = vec![0.0; state.v.len()];
        b.gemv_transpose(1.0, &self.state.lambda, &mut net);
        let largest = self.weights.largest_on_bodies(&net);
        b.gemv_transpose(-1.0, &other.lambda, &mut net);
        [largest, self.weights.largest_on_bodies(&net)]
    }

    /// The largest difference so far between forces of steps and consistent forces, relative to the largest
    /// force; none before the first force, and where all forces of joints are rounding errors.
    pub fn largest_difference(&self) -> Option<f64> {
        (self.largest > NO_FORCE * self.inertial).then(|| self.difference / self.largest)
    }
}
