//! The meaning of a tolerance.
//!
//! An error is measured per body and block in the 2-norm. The largest block decides, because an average would
//! hide one fast body among many. With one number `tol` the error of a step may be
//!
//! ```text
//! rotation     tol_1                     angular velocity  tol_1 / t
//! translation  tol_1 (L + |x|)           velocity          tol_1 L / t
//! ```
//!
//! whatever the coordinates are: an error of Euler parameters, angles or directors is measured by the
//! rotation of the body that it causes, and by its angular velocity ([`block`](crate::mechanics::block)). L
//! is the size of the model ([`System::length_scale`]). t is the duration of the run, or the time T of the
//! model if that is longer: an error of a velocity counts by the distance a body moves with it until the run
//! ends. Relative errors of velocities would not be enough: a rotor with a speed error of 1e-6 is wrong by a
//! hundredth of a turn after ten thousand turns. So the tolerance means the same for a watch and for a crane,
//! for slow and for fast bodies, and in every system of units.
//!
//! The tolerance of a step, tol_1 = tol (tol/1e-5)^(1/k), makes the error at the end proportional to tol:
//! steps of order k with errors h^(k+1) sum up to h^k, so with tol_1 = tol the error would only decrease with
//! tol^(k/(k+1)) (Shampine's tolerance proportionality). k is 5 for BLieDF, the order of most of its steps,
//! and 2 for generalized-alpha. At 1e-5 both are equal; above it k = 5 for both, because errors of long steps
//! do not follow their order.
//!
//! A tolerance given in rad, m, rad/s or m/s (`atol_*`) is the classical atol + tol |x| for that block.
//! Multipliers are not tested.

use crate::Error;
use crate::mechanics::{Block, Describes, Sight, State, System};

/// The requested accuracy per step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative to the size of the model.
    pub tol: f64,
    /// Rotations, in rad; from `tol` if not given.
    pub atol_rotation: Option<f64>,
    /// Positions, in m.
    pub atol_position: Option<f64>,
    /// Angular velocities, in rad/s.
    pub atol_angular_velocity: Option<f64>,
    /// Velocities, in m/s.
    pub atol_velocity: Option<f64>,
}

impl Tolerance {
    /// A tolerance from one number for all parts.
    pub fn new(tol: f64) -> Self {
        Tolerance {
            tol,
            atol_rotation: None,
            atol_position: None,
            atol_angular_velocity: None,
            atol_velocity: None,
        }
    }

    /// The same number in SI units for everything, whatever the size of the model.
    pub fn absolute(tol: f64) -> Self {
        Tolerance {
            tol,
            atol_rotation: Some(tol),
            atol_position: Some(tol),
            atol_angular_velocity: Some(tol),
            atol_velocity: Some(tol),
        }
    }

    /// The tolerance of one step of this order, such that the error of a run is proportional to `tol`.
    pub fn local(&self, order: f64) -> f64 {
        let order = if self.tol < EQUAL_TOLERANCE { order } else { LONG_STEP_ORDER };
        self.tol * (self.tol / EQUAL_TOLERANCE).powf(1.0 / order)
    }

    /// True if all parts follow from one number.
    pub(super) fn is_plain(&self) -> bool {
        *self == Tolerance::new(self.tol)
    }

    /// The `tol` that allows errors larger by a factor in steps of this order.
    pub(super) fn loosened(&self, factor: f64, order: f64) -> f64 {
        self.tol * if self.is_plain() { factor.powf(order / (order + 1.0)) } else { factor }
    }

    /// All parts times a factor.
    pub fn scaled(self, factor: f64) -> Self {
        let times = |x: Option<f64>| x.map(|x| x * factor);
        Tolerance {
            tol: self.tol * factor,
            atol_rotation: times(self.atol_rotation),
            atol_position: times(self.atol_position),
            atol_angular_velocity: times(self.atol_angular_velocity),
            atol_velocity: times(self.atol_velocity),
        }
    }

    /// Refuses values that are not positive numbers.
    pub fn check(&self) -> Result<(), Error> {
        for (name, x) in [
            ("tol", Some(self.tol)),
            ("atol_rotation", self.atol_rotation),
            ("atol_position", self.atol_position),
            ("atol_angular_velocity", self.atol_angular_velocity),
            ("atol_velocity", self.atol_velocity),
        ] {
            if let Some(value) = x.filter(|x| !(*x > 0.0 && x.is_finite())) {
                return Err(Error::Parameter { name, value, expected: "a tolerance is a positive number" });
            }
        }
        Ok(())
    }
}

/// Tolerance at which a step has the same tolerance as the run.
const EQUAL_TOLERANCE: f64 = 1e-5;
/// Order of long steps.
const LONG_STEP_ORDER: f64 = 5.0;

/// Typical length and time of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// In m.
    pub length: f64,
    /// In s.
    pub time: f64,
}

impl Scales {
    /// Scales from the size of the model, and from gravity, the speeds, or the accelerations of a state; the
    /// first one that exists is used.
    pub fn of(system: &dyn System, state: &State) -> Self {
        let length = system.length_scale();
        let seen = Seen::new(system, state);
        let fastest = |v: &[f64]| seen.fastest(v, length);
        let gravity = system.acceleration_scale().filter(|g| *g > 0.0);
        let (speed, acceleration) = (fastest(&state.v), fastest(&state.vdot));
        let time = match gravity {
            Some(g) => (length / g).sqrt(),
            None if speed > 0.0 => 1.0 / speed,
            None if acceleration > 0.0 => 1.0 / acceleration.sqrt(),
            None => 1.0,
        };
        Scales { length, time }
    }

    /// The largest angular velocity, or velocity over length, of a state.
    pub fn fastest(system: &dyn System, state: &State) -> f64 {
        Seen::new(system, state).fastest(&state.v, system.length_scale())
    }
}

/// The blocks of a system, and how their changes are measured at a state.
#[derive(Clone, Debug)]
struct Seen {
    blocks: Vec<(Block, Option<Sight>)>,
}

impl Seen {
    /// Measures at a state.
    fn new(system: &dyn System, state: &State) -> Self {
        let sight = |b: &Block| (b.describes == Describes::Orientation).then(|| Sight::new(b.v.len()));
        let blocks = system.blocks().into_iter().map(|block| {
            let sight = sight(&block);
            (block, sight)
        });
        let mut seen = Seen { blocks: blocks.collect() };
        seen.look(system, state);
        seen
    }

    /// Moves to another state.
    fn look(&mut self, system: &dyn System, state: &State) {
        for (block, sight) in &mut self.blocks {
            if let Some(sight) = sight {
                system.sight(block, &state.at(), sight);
            }
        }
    }

    /// Largest velocity or acceleration of a block, lengths relative to this one.
    fn fastest(&self, v: &[f64], length: f64) -> f64 {
        let rates = self.blocks.iter().map(|(block, sight)| {
            let size = change(block, sight, v);
            if block.is_length() { size / length } else { size }
        });
        rates.fold(0.0, f64::max)
    }
}

/// Size of a change of positions, or of velocities if positions do not change.
#[inline]
fn change(block: &Block, sight: &Option<Sight>, x: &[f64]) -> f64 {
    let x = &x[block.v.clone()];
    sight.as_ref().map_or_else(|| size(x), |sight| sight.size(x))
}

/// Size of a change of velocities.
#[inline]
fn change_of_rate(block: &Block, sight: &Option<Sight>, dq: &[f64], dv: &[f64]) -> f64 {
    let v = block.v.clone();
    match sight {
        None => size(&dv[v]),
        Some(sight) => sight.size_of_rate(&dq[v.clone()], &dv[v]),
    }
}

/// Absolute and relative tolerance of a kind of block.
#[derive(Clone, Copy, Debug)]
struct Mixed {
    absolute: f64,
    relative: f64,
}

impl Mixed {
    fn weight(self, size: f64) -> f64 {
        self.absolute + self.relative * size
    }
}

/// Inverse weights of a block, for its position and its velocity.
#[derive(Clone, Copy, Debug, Default)]
struct Inverse {
    q: f64,
    v: f64,
}

/// Errors of a step in units of the tolerance.
#[derive(Clone, Debug)]
pub struct Norm {
    /// Typical length and time.
    pub scales: Scales,
    seen: Seen,
    rotation: [Mixed; 2],
    translation: [Mixed; 2],
    inverse: Vec<Inverse>,
    /// Sizes of positions; their rounding errors are relative to these.
    places: Vec<f64>,
    /// Sizes of positions and velocities in units of the tolerance.
    noise: f64,
    /// The tolerance of a step, relative.
    pub(super) step: f64,
    /// Time in which errors of the rates of orientations accumulate, see [`Norm::widen`].
    turning: f64,
}

crate::persist!(Scales { length, time } where |x| {
    x.length > 0.0 && x.time > 0.0 => "length or time of the model is not positive",
});
crate::persist!(Mixed { absolute, relative } where |x| {
    x.absolute > 0.0 && x.relative >= 0.0 => "a tolerance is not positive",
});
crate::persist!(Inverse { q, v } where |x| { x.q > 0.0 && x.v > 0.0 => "a tolerance is not positive" });
crate::persist!(Norm { scales, rotation, translation, inverse, places, noise, step } given {
    seen, turning
} where |x| {
    x.seen.blocks.iter().zip(&x.inverse).all(|((block, _), w)| {
        let [q, v] = if block.is_length() { &x.translation } else { &x.rotation };
        w.q <= 1.0 / q.absolute && (w.v <= 1.0 / v.absolute || block.describes == Describes::Orientation)
    }) => "the weights of the errors are not those of the tolerance",
    x.places.iter().all(|place| *place > 0.0) => "the size of a position is not positive",
    x.noise >= 0.0 && x.step > 0.0 => "a tolerance is not positive",
});

/// Harmless rounding errors, in units of the tolerance.
const HARMLESS_ROUND_OFF: f64 = 0.01;
/// Rounding errors of a position relative to its size and that of the model.
const ROUND_OFF: f64 = 4e-16;

fn size(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Norm {
    /// A norm for the steps of a run of this duration, in units of the tolerance; most steps have this order.
    pub fn new(
        system: &dyn System,
        state: &State,
        tolerance: &Tolerance,
        duration: f64,
        order: f64,
    ) -> Result<Self, Error> {
        tolerance.check()?;
        let (tol, local) = (tolerance.tol, tolerance.local(order));
        let Scales { length, time } = Scales::of(system, state);
        let time = time.max(duration);
        let mixed = |given: Option<f64>, absolute: f64, relative: f64| match given {
            Some(absolute) => Mixed { absolute, relative: tol },
            None => Mixed { absolute, relative },
        };
        let angle = Mixed { absolute: tolerance.atol_rotation.unwrap_or(local), relative: 0.0 };
        let rotation = [angle, mixed(tolerance.atol_angular_velocity, local / time, 0.0)];
        let translation = [
            mixed(tolerance.atol_position, local * length, local),
            mixed(tolerance.atol_velocity, local * length / time, 0.0),
        ];
        let step = if tolerance.atol_position.is_some() { tol } else { local };
        let turning = if tolerance.atol_angular_velocity.is_some() { 0.0 } else { time };
        let mut norm = Norm { step, turning, ..Norm::with(system, state, rotation, translation) };
        norm.weigh(system, state);
        Ok(norm)
    }

    /// A norm relative to the usual values in the model: 1 rad, L + |x|, 1/T + |O|, L/T + |u|.
    pub fn relative(system: &dyn System, state: &State) -> Self {
        let Scales { length, time } = Scales::of(system, state);
        let plus = |absolute: f64| Mixed { absolute, relative: 1.0 };
        let angle = Mixed { absolute: 1.0, relative: 0.0 };
        Norm::with(system, state, [angle, plus(1.0 / time)], [plus(length), plus(length / time)])
    }

    fn with(system: &dyn System, state: &State, rotation: [Mixed; 2], translation: [Mixed; 2]) -> Self {
        let seen = Seen::new(system, state);
        let mut norm = Norm {
            scales: Scales::of(system, state),
            inverse: vec![Inverse::default(); seen.blocks.len()],
            places: vec![1.0; seen.blocks.len()],
            seen,
            rotation,
            translation,
            noise: 0.0,
            step: 1.0,
            turning: 0.0,
        };
        norm.weigh(system, state);
        norm
    }

    /// Sets the weights to those of this state.
    pub fn weigh(&mut self, system: &dyn System, state: &State) {
        self.inverse.fill(Inverse { q: f64::INFINITY, v: f64::INFINITY });
        self.noise = 0.0;
        self.widen(system, state);
    }

    /// Widens the weights to those of this state where they are larger. Errors are changes of this state from
    /// now on.
    ///
    /// Coordinates of an orientation oscillate while a body turns evenly, and every step damps or excites
    /// them a little, always in the same direction. Velocities of the group are constant then, and have no
    /// error. The error accumulated over the rest of the rotation must stay below the tolerance: each step
    /// gets its share of it.
    pub fn widen(&mut self, system: &dyn System, state: &State) {
        self.look(system, state);
        let lengths = self.seen.blocks.iter().map(|(block, _)| block).filter(|b| b.is_length());
        let farthest = lengths.map(|b| size(&state.q[b.q.clone()])).fold(0.0, f64::max);
        for (((block, sight), w), place) in
            self.seen.blocks.iter().zip(&mut self.inverse).zip(&mut self.places)
        {
            let (kind, x) = match block.is_length() {
                false => (&self.rotation, 0.0),
                true => (&self.translation, size(&state.q[block.q.clone()])),
            };
            w.q = w.q.min(1.0 / kind[0].weight(x));
            let speed = change(block, sight, &state.v);
            let plain = 1.0 / kind[1].weight(speed);
            let oscillation = sight.as_ref().map_or(0.0, |sight| sight.oscillation);
            let turned = 1.0 + oscillation * self.turning * speed;
            // Limited by rounding errors.
            let most = (HARMLESS_ROUND_OFF / (ROUND_OFF * plain * speed)).max(1.0);
            w.v = w.v.min(plain * turned.min(most));
            // Angles have the errors of the positions from which they are computed.
            *place = match block.is_length() {
                false => 1.0 + farthest / self.scales.length,
                true => self.scales.length + farthest,
            };
            // A velocity that does not change is not rounded.
            let changing = if state.vdot[block.v.clone()].iter().all(|a| *a == 0.0) { 0.0 } else { speed };
            self.noise = self.noise.max(*place * w.q).max(changing * w.v);
        }
    }

    /// Measures errors as changes of this state from now on; the weights stay.
    pub fn look(&mut self, system: &dyn System, state: &State) {
        self.seen.look(system, state);
    }

    /// Largest block of an error in positions and velocities, in units of the tolerance; NaN if an entry is
    /// NaN.
    pub fn of(&self, dq: &[f64], dv: &[f64]) -> f64 {
        self.largest(|block, sight, w| {
            let q = w.q * change(block, sight, dq);
            let v = w.v * change_of_rate(block, sight, dq, dv);
            if q >= v || q.is_nan() { q } else { v }
        })
    }

    /// Largest block of an error in positions.
    pub fn of_positions(&self, dq: &[f64]) -> f64 {
        self.largest(|block, sight, w| w.q * change(block, sight, dq))
    }

    /// Largest velocity block of an error in positions and velocities.
    pub fn of_velocities(&self, dq: &[f64], dv: &[f64]) -> f64 {
        self.largest(|block, sight, w| w.v * change_of_rate(block, sight, dq, dv))
    }

    fn largest(&self, error: impl Fn(&Block, &Option<Sight>, &Inverse) -> f64) -> f64 {
        let mut largest = 0.0;
        for ((block, sight), w) in self.seen.blocks.iter().zip(&self.inverse) {
            let x = error(block, sight, w);
            // NaN must be kept.
            if x > largest || x.is_nan() {
                largest = x;
            }
        }
        largest
    }

    /// Number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.seen.blocks.len()
    }

    /// The larger of the sizes so far and those of the blocks of dq and dv.
    pub(super) fn widen_blocks(&self, dq: &[f64], dv: &[f64], sizes: &mut [[f64; 2]]) {
        for ((block, sight), [q, v]) in self.seen.blocks.iter().zip(sizes) {
            *q = q.max(change(block, sight, dq));
            *v = v.max(change_of_rate(block, sight, dq, dv));
        }
    }

    /// The same as [`of`](Self::of), but only for blocks larger than `times` these sizes.
    pub(super) fn of_above(&self, dq: &[f64], dv: &[f64], times: f64, sizes: &[[f64; 2]]) -> f64 {
        let mut largest = 0.0;
        for (((block, sight), w), floor) in self.seen.blocks.iter().zip(&self.inverse).zip(sizes) {
            let (q, v) = (change(block, sight, dq), change_of_rate(block, sight, dq, dv));
            for (x, w, floor) in [(q, w.q, floor[0]), (v, w.v, floor[1])] {
                // NaN must be kept.
                if !(x <= times * floor) && (w * x > largest || x.is_nan()) {
                    largest = w * x;
                }
            }
        }
        largest
    }

    /// Rounding errors of positions and velocities in units of the tolerance; no iteration gets below them.
    /// Rounding errors of positions do not reach the velocities, since they end in eta, see
    /// [`step`](crate::integrate::step).
    pub fn round_off(&self) -> f64 {
        ROUND_OFF * self.noise
    }

    /// Size of the velocity dv theta, if theta is above its rounding errors.
    pub fn of_increment(&self, theta: &[f64], dv: f64) -> f64 {
        let mut largest = 0.0;
        for (((block, sight), w), place) in self.seen.blocks.iter().zip(&self.inverse).zip(&self.places) {
            let theta = change(block, sight, theta);
            if theta <= 4.0 * ROUND_OFF * place {
                continue;
            }
            // NaN must be kept.
            let size = theta * dv * w.v;
            if size > largest || size.is_nan() {
                largest = size;
            }
        }
        largest
    }

    /// A short time in which little changes at this state, for difference quotients.
    pub(super) fn instant(&self, state: &State) -> f64 {
        let Scales { length, time } = self.scales;
        let fastest = |x: &[f64]| self.seen.fastest(x, length);
        1e-3 / (1.0 / time).max(fastest(&state.v)).max(fastest(&state.vdot).sqrt())
    }

    /// Largest angular velocity of a state, among rotations of the group.
    pub fn fastest_rotation(&self, state: &State) -> f64 {
        let rotations = self.seen.blocks.iter().filter(|(b, _)| b.describes == Describes::Rotation);
        rotations.map(|(b, _)| size(&state.v[b.v.clone()])).fold(0.0, f64::max)
    }
}
