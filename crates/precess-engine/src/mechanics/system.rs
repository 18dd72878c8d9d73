//! The constrained equations of motion (LA 15) as a trait on flat state.
//!
//! ```text
//! q' = DL_q(e) v~                                              (15a)
//! r(q, v, v', lambda, s, t) = M(q,t) v' + g(q,v,t) + B^T(q,t) lambda = 0   (15b)
//! Phi(q, t) = 0                                                (15c)
//! ```
//!
//! with the generalisations of LA, Remark 2.3:
//!
//! - *time-dependent constraints*: `t` is an argument everywhere;
//! - *first-order states* `c' = h_c(q,v,c,t)`: let `c` be the velocity of an extra factor R^n of the group,
//!   with mass I and force `-h_c`. Every method then integrates `c` like `v` (LA 37c, 37d), with the same
//!   order. The position of that factor is the integral of `c`;
//! - *algebraic variables* `0 = h_s(q, s, t)`: see [`System::algebraic`];
//! - *forces that depend on lambda* (friction): put them into the residual, their derivative into
//!   [`Tangents::friction`];
//! - *singular M*, positive definite on ker B: nothing to declare, the iteration matrices stay regular.

use std::any::Any;
use std::ops::Range;

use nalgebra::Vector3;
use precess_lie::Product;

use super::block::{Block, Sight};
use super::event::Event;
use super::function::Function;
use super::tangents::Tangents;
use crate::solve::structure::Structure;

/// The arguments of a system. All slices are flat; `q` is laid out by the group, `v` and `vdot` by its
/// algebra.
#[derive(Clone, Copy, Debug)]
pub struct At<'a, T = f64> {
    /// Time.
    pub t: T,
    /// Configuration, an element of the group.
    pub q: &'a [T],
    /// Velocity, left-invariant.
    pub v: &'a [T],
    /// Time derivative of the velocity.
    pub vdot: &'a [T],
    /// Lagrange multipliers.
    pub lambda: &'a [T],
    /// Algebraic variables of Remark 2.3.
    pub s: &'a [T],
    /// Discrete memory, see [`System::remember`].
    pub memory: &'a [T],
}

/// Equations to evaluate together, each with space for its values.
#[derive(Debug)]
pub struct Equations<'a, T = f64> {
    /// M v' + g + B^T lambda, see [`System::residual`].
    pub r: Option<&'a mut [T]>,
    /// Phi, see [`System::constraint`].
    pub phi: Option<&'a mut [T]>,
    /// B v + Phi_t, see [`System::velocity_constraint`].
    pub velocity: Option<&'a mut [T]>,
}

impl<T> Default for Equations<'_, T> {
    fn default() -> Self {
        Equations { r: None, phi: None, velocity: None }
    }
}

/// Kinetic and potential energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// v^T M v / 2.
    pub kinetic: f64,
    /// Potential of the conservative forces.
    pub potential: f64,
}

impl Energy {
    /// Sum of both.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// The kind of a constraint row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Positions: Phi = 0, and with it B v + Phi_t = 0.
    Position,
    /// Velocities only: B v + b(t) = 0, where B is not a derivative. Its Phi is zero everywhere.
    Velocity,
    /// Nothing: an event has turned it off, and its multiplier is zero.
    Off,
}

/// Momenta of a system in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momenta {
    /// Linear momentum, inertial frame.
    pub linear: Vector3<f64>,
    /// Angular momentum about the origin, inertial frame.
    pub angular: Vector3<f64>,
    /// Component of the angular momentum along gravity, which the weight does not change; none without
    /// gravity.
    pub about_gravity: Option<f64>,
}

impl Momenta {
    /// Momenta with the component along gravity.
    pub fn new(linear: Vector3<f64>, angular: Vector3<f64>, gravity: &Vector3<f64>) -> Self {
        Momenta { linear, angular, about_gravity: gravity.try_normalize(0.0).map(|e| angular.dot(&e)) }
    }
}

/// A body whose rotation approaches a singularity of its coordinates (gimbal lock).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lock<'a> {
    /// The body.
    pub body: &'a str,
    /// Angle to the singularity, in rad.
    pub distance: f64,
    /// Rate of the angle, in rad/s.
    pub rate: f64,
    /// Speed of the direction that determines it, in rad/s: towards the singularity and around it.
    pub speed: f64,
}

impl Lock<'_> {
    /// Angle in rad below which a passing body counts. Further away it may circle the singularity at any
    /// speed.
    pub const CLOSE: f64 = 0.2;

    /// Time in which the singularity could be reached; infinite if the body is not close.
    pub fn time(&self) -> f64 {
        if self.distance < Self::CLOSE { self.distance / self.speed } else { f64::INFINITY }
    }
}

/// The numerical solution at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<T = f64> {
    /// Time.
    pub t: T,
    /// Configuration.
    pub q: Vec<T>,
    /// Velocity.
    pub v: Vec<T>,
    /// Acceleration v'.
    pub vdot: Vec<T>,
    /// Lagrange multipliers.
    pub lambda: Vec<T>,
    /// Algebraic variables.
    pub s: Vec<T>,
    /// Discrete memory, constant within a step.
    pub memory: Vec<T>,
}

impl<T: Copy> State<T> {
    /// The state as the argument of a system.
    #[inline(always)]
    pub fn at(&self) -> At<'_, T> {
        At {
            t: self.t,
            q: &self.q,
            v: &self.v,
            vdot: &self.vdot,
            lambda: &self.lambda,
            s: &self.s,
            memory: &self.memory,
        }
    }

    /// Overwrites this state without allocating.
    pub fn copy_from(&mut self, other: &State<T>) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.vdot.copy_from_slice(&other.vdot);
        self.lambda.copy_from_slice(&other.lambda);
        self.s.copy_from_slice(&other.s);
        self.memory.copy_from_slice(&other.memory);
    }
}

impl State {
    /// Lets the system update its memory; no allocation.
    pub fn remember(&mut self, system: &dyn System) {
        if !self.memory.is_empty() {
            let mut memory = std::mem::take(&mut self.memory);
            system.remember(&self.at(), &mut memory);
            self.memory = memory;
        }
    }
}

/// A mechanical system. Only [`group`](System::group) and [`residual`](System::residual) are required (plus
/// [`n_lambda`](System::n_lambda) and [`constraint`](System::constraint) with constraints). Missing
/// derivatives are replaced by difference quotients, which are slower and allocate.
///
/// Implementations are immutable during integration, so that many runs can share one system.
pub trait System: Sync {
    /// The configuration space: fixes the layout of `q` and the dimension k of `v`.
    fn group(&self) -> &Product;

    /// Number m of constraints.
    fn n_lambda(&self) -> usize {
        0
    }

    /// Number of algebraic variables s.
    fn n_s(&self) -> usize {
        0
    }

    /// r = M v' + g + B^T lambda (15b). Overwrites `r`.
    fn residual(&self, at: &At, r: &mut [f64]);

    /// Phi(q, t) (15c). Uses only `t`, `q` and `memory`.
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let _ = at;
        phi.fill(0.0);
    }

    /// Hidden constraints at velocity level (16): B(q,t) v + Phi_t. Also uses `v`.
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        super::difference::velocity_constraint(self, at, out);
    }

    /// Hidden constraints at acceleration level (18): B v' + Z(v,v) + 2 B_t v + Phi_tt. Also uses `vdot`.
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        super::difference::acceleration_constraint(self, at, out);
    }

    /// Rows that constrain velocities only, in increasing order. Their Phi is zero, their B v + b(t) is given
    /// by [`velocity_constraint`](System::velocity_constraint), and [`Tangents`] contain their B and Y.
    fn velocity_rows(&self) -> &[usize] {
        &[]
    }

    /// The kind of a row, with this memory.
    fn row_kind(&self, row: usize, memory: &[f64]) -> RowKind {
        let _ = memory;
        match self.velocity_rows().binary_search(&row) {
            Ok(_) => RowKind::Velocity,
            Err(_) => RowKind::Position,
        }
    }

    /// Several of the above at once, with the same values as one by one. A step requests all equations that
    /// its form needs, and a system can share work between them here.
    fn equations(&self, at: &At, out: Equations) {
        if let Some(r) = out.r {
            self.residual(at, r);
        }
        if let Some(phi) = out.phi {
            self.constraint(at, phi);
        }
        if let Some(velocity) = out.velocity {
            self.velocity_constraint(at, velocity);
        }
    }

    /// The accelerations v' at (t, q, v), for systems without constraints that have a faster way than M and its factors.
    /// None if there is no such way.
    fn accelerate(&self, at: &At, vdot: &mut [f64]) -> Option<Result<(), crate::Error>> {
        let _ = (at, vdot);
        None
    }

    /// Algebraic equations h_s(q, s, t), locally solvable for s (Remark 2.3).
    fn algebraic(&self, at: &At, out: &mut [f64]) {
        let _ = at;
        out.fill(0.0);
    }

    /// Initial guess for the algebraic equations; zeros by default.
    fn guess_algebraic(&self, s: &mut [f64]) {
        let _ = s;
    }

    /// Derivatives of all of the above: writes the blocks of M, D, K, B, ... that [`Tangents::want`]
    /// requests.
    fn tangents(&self, at: &At, out: &mut Tangents) {
        super::difference::tangents(self, at, out);
    }

    /// Energy, if it is defined.
    fn energy(&self, at: &At) -> Option<Energy> {
        let _ = at;
        None
    }

    /// Linear and angular momentum, if the coordinates are those of bodies or points in space.
    fn momenta(&self, at: &At) -> Option<Momenta> {
        let _ = at;
        None
    }

    /// Power of the forces without potential and of the drives. `None` if there are none: then the energy is
    /// an invariant, otherwise it changes by their work.
    fn power(&self, at: &At) -> Option<f64> {
        let _ = at;
        None
    }

    /// Updates how near the motion has come so far to the limits of the model: effects that it neglects, and
    /// deformations for which it is wrong. The caller keeps the numbers; at first there are none.
    fn see_limits(&self, at: &At, seen: &mut Vec<f64>) {
        let _ = (at, seen);
    }

    /// Effects that the model neglects, in words, if they matter.
    fn neglected(&self, seen: &[f64]) -> Vec<String> {
        let _ = seen;
        Vec::new()
    }

    /// Why the model is wrong for the motion, if it is.
    fn exceeded(&self, seen: &[f64]) -> Option<String> {
        let _ = seen;
        None
    }

    /// True if the power depends on the multipliers, as that of drives and dry friction does. Runs with a
    /// tolerance then solve for consistent multipliers in every step.
    fn power_reads_forces(&self) -> bool {
        self.n_lambda() > 0
    }

    /// The body that is closest to a singularity of its coordinates (gimbal lock); none if they have no
    /// singularity.
    fn nearest_lock(&self, at: &At) -> Option<Lock<'_>> {
        let _ = at;
        None
    }

    /// Length of the discrete memory. It holds values from the past that are constant within a step, for
    /// example the number of turns of a joint.
    fn n_memory(&self) -> usize {
        0
    }

    /// Updates the memory at the start and after every accepted step: `memory` contains the old values,
    /// `at.memory` is empty.
    fn remember(&self, at: &At, memory: &mut [f64]) {
        let _ = (at, memory);
    }

    /// Sets entries of the memory: the switches of an event. A drive that is turned on stores its starting
    /// point. `at` is the state before the event.
    fn switch(&self, at: &At, list: &[(usize, f64)], memory: &mut [f64]) {
        let _ = at;
        for &(entry, value) in list {
            memory[entry] = value;
        }
    }

    /// Events whose zero crossings a run detects.
    fn events(&self) -> &[Event] {
        &[]
    }

    /// Their functions, one value per event. Accelerations and multipliers are valid only for events that
    /// need them.
    fn event_values(&self, at: &At, out: &mut [f64]) {
        let _ = at;
        out.fill(0.0);
    }

    /// The times in (from, to] at which the function of an event changes its sign, each with true if it is
    /// positive from then on, if the function depends on time alone: then no sample can miss one.
    fn event_moments(
        &self,
        event: usize,
        from: f64,
        to: f64,
    ) -> Result<Option<Vec<(f64, bool)>>, crate::Error> {
        let _ = (event, from, to);
        Ok(None)
    }

    /// Times in (from, to) at which a force or a prescribed motion jumps or has a kink, in increasing order;
    /// by default those of its [`drives`](System::drives). At such a time the value to the right holds. A run
    /// ends a step there and starts the integrator again.
    fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        breakpoints_of(&self.drives(), from, to)
    }

    /// Which factors and constraints are coupled. With this knowledge, large systems are solved at linear
    /// cost.
    fn structure(&self) -> Option<&Structure> {
        None
    }

    /// Consecutive rows of one kind in one joint, its points or its directions, which are compared as one
    /// vector. By default those of the [`structure`](System::structure); rows without a class are compared
    /// alone.
    fn row_classes(&self) -> &[Range<usize>] {
        self.structure().map_or(&[], |structure| &structure.classes)
    }

    /// For systems with rows that may depend on each other: the weight with which each row is regularised,
    /// see [`redundancy`](crate::mechanics::redundancy). `None` promises that B has full rank.
    fn row_weights(&self) -> Option<&[f64]> {
        None
    }

    /// Name of a constraint row for messages.
    fn constraint_name(&self, row: usize) -> String {
        format!("constraint {}", row + 1)
    }

    /// Name of a velocity coordinate for messages.
    fn velocity_name(&self, index: usize) -> String {
        format!("velocity coordinate {}", index + 1)
    }

    /// The meaning of the coordinates, block by block, in their order, which determines how errors and
    /// rounding errors are measured.
    fn blocks(&self) -> Vec<Block> {
        Block::of(self.group())
    }

    /// The visible effect of changes of a block that describes an orientation. Uses `q` and `v`.
    fn sight(&self, block: &Block, at: &At, sight: &mut Sight) {
        let _ = (block, at, sight);
    }

    /// A typical length: round-off in positions is measured against it.
    fn length_scale(&self) -> f64 {
        1.0
    }

    /// A typical acceleration: that of gravity, if there is any. Together with the length it gives a typical
    /// time.
    fn acceleration_scale(&self) -> Option<f64> {
        None
    }

    /// Functions of time that drive the system. A method with automatic steps never jumps over two of their
    /// turning points.
    fn drives(&self) -> Vec<&Function> {
        Vec::new()
    }

    /// The entries (row, column, value) of M, if it is constant and the configuration lies in R^d. Methods for
    /// such systems conserve energy, momenta or the symplectic form; their forces belong to steps, not to states.
    fn constant_mass(&self) -> Option<&[(u32, u32, f64)]> {
        None
    }

    /// The type behind the trait, for code that knows more about it: [`Multibody::of`](super::Multibody::of)
    /// finds bodies and joints in absolute coordinates.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

crate::persist!(State { t, q, v, vdot, lambda, s, memory });
crate::persist!(Momenta { linear, angular, about_gravity });

/// The times in (from, to) at which a function jumps or has a kink, in increasing order.
fn breakpoints_of(functions: &[&Function], from: f64, to: f64) -> Vec<f64> {
    let mut times = Vec::new();
    functions.iter().for_each(|f| times.extend(f.breakpoints(from, to)));
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    times
}
