//! What a step needs of a mechanical system: its equations and their derivatives, for any kind of number.

use precess_lie::{Number, Product};

use super::system::{At, Equations, System};
use super::tangents::Tangents;

/// The equations of motion.
pub trait Dynamics<T: Number> {
    /// The configuration space.
    fn group(&self) -> &Product;
    /// The numbers of velocities, constraints and algebraic variables.
    fn sizes(&self) -> [usize; 3];
    /// A typical length.
    fn length(&self) -> T;
    /// The weights of redundant rows, see [`System::row_weights`].
    fn row_weights(&self) -> Option<&[f64]> {
        None
    }
    /// The equations that are asked for.
    fn equations(&self, at: &At<T>, out: Equations<T>);
    /// B v' + Z(v, v) + 2 B_t v + Phi_tt, for the form index-1 and for starting values.
    fn acceleration(&self, at: &At<T>, out: &mut [T]);
    /// h_s(q, s, t).
    fn algebraic(&self, at: &At<T>, out: &mut [T]) {
        let _ = (at, out);
    }
    /// The derivatives that `out` wants.
    fn tangents(&self, at: &At<T>, out: &mut Tangents<T>);
}

/// Every system, with plain numbers.
impl Dynamics<f64> for dyn System + '_ {
    #[inline]
    fn group(&self) -> &Product {
        System::group(self)
    }
    #[inline]
    fn sizes(&self) -> [usize; 3] {
        [System::group(self).dim(), self.n_lambda(), self.n_s()]
    }
    #[inline]
    fn length(&self) -> f64 {
        self.length_scale()
    }
    #[inline]
    fn row_weights(&self) -> Option<&[f64]> {
        System::row_weights(self)
    }
    #[inline]
    fn equations(&self, at: &At, out: Equations) {
        System::equations(self, at, out);
    }
    fn acceleration(&self, at: &At, out: &mut [f64]) {
        self.acceleration_constraint(at, out);
    }
    fn algebraic(&self, at: &At, out: &mut [f64]) {
        System::algebraic(self, at, out);
    }
    #[inline]
    fn tangents(&self, at: &At, out: &mut Tangents) {
        System::tangents(self, at, out);
    }
}
