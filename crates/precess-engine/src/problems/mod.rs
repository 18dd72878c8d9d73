//! Benchmark problems with reference solutions.

pub(crate) mod cubic;
pub(crate) mod heavy_top;
pub(crate) mod pendulum;
pub(crate) mod rotor;
pub(crate) mod top_reference;

pub use cubic::Cubic;
pub use heavy_top::HeavyTop;
pub use pendulum::Pendulum;
pub use rotor::{Rotor, Support};
pub use top_reference::TopReference;

/// An exact (to round-off) solution to compare with, in the coordinates of its system.
pub trait ExactSolution: Sync {
    /// q, v and lambda at time t.
    fn at(&self, t: f64, q: &mut [f64], v: &mut [f64], lambda: &mut [f64]);
}
