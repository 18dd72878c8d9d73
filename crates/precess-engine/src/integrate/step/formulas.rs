//! The formulas of a method, for one coordinate of the velocity.

use precess_lie::Number;

/// The formulas of a method with H vectors of history, for one coordinate of the velocity. The first two
/// vectors are v_n and v'_n.
pub trait Formulas<const H: usize> {
    /// The history at the start.
    fn start<T: Number>(&self, h: f64, v: T, vdot: T) -> [T; H];

    /// The derivatives of v_np1 and v'_np1 for theta.
    fn slopes(&self, h: f64) -> [f64; 2];

    /// theta_0, v_0 and v'_0: what Newton's method begins with.
    fn predict<T: Number>(&self, h: f64, past: [T; H]) -> [T; 3];

    /// The history of the next step, from the new velocity and acceleration, and from theta (without the part
    /// of the stabilisation) and its difference delta from theta_0.
    fn accept<T: Number>(&self, h: f64, past: [T; H], new: [T; 2], steps: [T; 2]) -> [T; H];
}
