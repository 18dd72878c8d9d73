//! Events: zero crossings of scalar functions of a motion, and switches that turn elements on and off.
//!
//! The position of a switch is an entry of the discrete memory of a [`State`](super::State). So systems stay
//! immutable, many runs share one, and a state determines which forces act. In the memory 0 means "as in the
//! model at the start", a positive number on and a negative one off.

use std::fmt;
use std::sync::Arc;

use precess_lie::Number;

/// Direction of the crossings that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// All.
    #[default]
    Both,
}

impl Direction {
    /// True if a crossing to this sign (+1 or -1) counts.
    pub fn counts(self, to: f64) -> bool {
        match self {
            Direction::Rising => to > 0.0,
            Direction::Falling => to < 0.0,
            Direction::Both => true,
        }
    }
}

/// Action of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Action {
    /// Its time and state are recorded; the integration continues unchanged.
    #[default]
    Record,
    /// The run ends with the state at the event.
    Stop,
    /// Entries of the memory are set, [`ON`] or [`OFF`], and the integrator starts again.
    Switch(Vec<(usize, f64)>),
}

impl Action {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["record", "stop", "switch"];

    /// As users type it.
    pub fn name(&self) -> &'static str {
        match self {
            Action::Record => "record",
            Action::Stop => "stop",
            Action::Switch(_) => "switch",
        }
    }
}

/// Memory of a switch that is on.
pub const ON: f64 = 1.0;
/// Memory of a switch that is off.
pub const OFF: f64 = -1.0;

/// Memory of a sharp stop that acts while it is touched, without events, for analyses without time.
pub const BY_POSITION: f64 = 2.0;
/// Memory of a sharp stop that is in contact with its lower limit.
pub const AT_LOWER: f64 = 3.0;
/// Memory of a sharp stop that is in contact with its upper limit.
pub const AT_UPPER: f64 = 4.0;

/// The condition of an element that switches itself: an entry of the memory has a value exactly while a
/// function is positive.
///
/// The switch itself, and not an earlier sample of the function, says on which side of zero the function was.
/// So a crossing that was not seen, or that happened at the time of another event, is found in the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// Entry of the memory.
    pub entry: usize,
    /// Its value while the function is positive; zero stands for a switch that is not decided yet.
    pub value: f64,
}

impl Condition {
    /// The sign that the function should have, if the switch is decided.
    pub fn sign(&self, memory: &[f64]) -> Option<f64> {
        let now = memory.get(self.entry).copied().filter(|x| *x != 0.0)?;
        Some(if now == self.value { 1.0 } else { -1.0 })
    }
}

/// An event of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Name, unique in its system.
    pub name: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Its action.
    pub action: Action,
    /// True if its function reads accelerations or multipliers, which cost a linear system per evaluation.
    pub needs_forces: bool,
    /// For elements that switch themselves: what the function decides.
    pub condition: Option<Condition>,
}

/// A switch of a force, control, joint or drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Its entry in the memory; none if no event moves it.
    pub memory: Option<usize>,
    /// Position at the start.
    pub enabled: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Switch { memory: None, enabled: true }
    }
}

impl Switch {
    /// True if the element acts.
    #[inline]
    pub fn is_on<T: Number>(&self, memory: &[T]) -> bool {
        match self.memory.and_then(|i| memory.get(i)).map(|x| x.first()) {
            Some(x) if x != 0.0 => x > 0.0,
            _ => self.enabled,
        }
    }
}

/// f(t, arguments), with t and the arguments in one slice.
pub type Scalar = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// The times in (from, to] at which a function of time alone changes its sign, each with true if it is
/// positive from then on; none if there are too many.
pub type Moments = Arc<dyn Fn(f64, f64) -> Option<Vec<(f64, bool)>> + Send + Sync>;

/// A scalar function of time and sensor values.
#[derive(Clone)]
pub struct Indicator {
    /// Sensor and component of each argument after t.
    pub arguments: Vec<(usize, usize)>,
    /// f(t, arguments).
    pub function: Scalar,
    /// Its changes of sign, if it depends on t alone and they are known.
    pub moments: Option<Moments>,
}

/// Largest number of arguments of an [`Indicator`], including t.
pub const MAX_ARGUMENTS: usize = 16;

impl fmt::Debug for Indicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Indicator of {:?}", self.arguments)
    }
}

crate::mechanics::combine::same!(Switch);
