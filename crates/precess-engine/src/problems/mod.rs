//! Benchmark problems with reference solutions.

#[doc(hidden)]
pub mod cubic;
#[doc(hidden)]
pub mod ggl;
#[doc(hidden)]
pub mod heavy_top;
#[doc(hidden)]
pub mod pendulum;
#[doc(hidden)]
pub mod rotor;
#[doc(hidden)]
pub mod top_reference;

pub use cubic::Cubic;
pub use ggl::GglExample;
pub use heavy_top::HeavyTop;
pub use pendulum::Pendulum;
pub use rotor::{Rotor, Support};
pub use top_reference::TopReference;

/// An exact (to round-off) solution to compare with, in the coordinates of its system.
pub trait ExactSolution: Sync {
    /// q, v and lambda at time t.
    fn at(&self, t: f64, q: &mut [f64], v: &mut [f64], lambda: &mut [f64]);
}
