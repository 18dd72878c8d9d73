//! Local coordinates of the group: the map from an increment theta and q_n to q_np1.
//!
//! The papers use the exponential map, (LA 9); LA, section 2, names the Cayley map as another one. On SO(3),
//! with a/2 the rotation vector's half,
//!
//! ```text
//! cay(x) = exp(2 atan(|x|/2)/|x| x) = exp(x - |x|^2 x/12 + O(|x|^5)),   T_cay(x) = (I - x~/2)/(1 + |x|^2/4)
//! ```
//!
//! needs no trigonometric functions, and has no rotation by half a turn. The difference is of third order in
//! h, like the terms that methods of order 2 neglect. Generalized-alpha and BLieDF with k = 2 keep their
//! orders, with another error constant. With higher k, BLieDF would have order 2. SE(3) is not supported: the
//! tangent operator of its Cayley map has another structure than the equations of a step.

use precess_lie::{Factor, Product};

use super::step::data::Maps;
use crate::Error;
use crate::mechanics::System;

/// A map from the Lie algebra to the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chart {
    /// exp, with the tangent operator (LA 30).
    #[default]
    Exponential,
    /// The Cayley map.
    Cayley,
}

crate::error::named! { Chart, "map": Exponential = "exponential", Cayley = "cayley" }

impl Chart {
    /// An error if the map is not defined for the group of a system.
    pub(super) fn check(self, system: &dyn System) -> Result<(), Error> {
        if self == Chart::Exponential || system.group().has_compact_cayley() {
            return Ok(());
        }
        Err(Error::Unsupported {
            method: "the Cayley map".to_string(),
            reason: "on SE(3) its tangent operator has another structure than the methods use; use the \
                     formulation r3so3, or the \
                     exponential map"
                .to_string(),
        })
    }

    /// The map for a step, if it is not the exponential one.
    pub(super) fn maps(self) -> Option<Maps<f64>> {
        let cayley = Maps { retract: Product::cayley_retract, tangent: Product::cayley_tangent };
        (self == Chart::Cayley).then_some(cayley)
    }

    /// The x with b = a o map(x).
    #[inline]
    pub(super) fn difference(self, group: &Product, a: &[f64], b: &[f64], out: &mut [f64]) {
        match self {
            Chart::Exponential => group.difference(a, b, out),
            Chart::Cayley => group.cayley_difference(a, b, out),
        }
    }

    /// Adds `weight` times the third-order difference between the coordinates of exp(v) and v: |Omega|^2
    /// Omega/12 for the Cayley map.
    pub(super) fn add_cubic(self, group: &Product, weight: f64, v: &[f64], out: &mut [f64]) {
        if self == Chart::Exponential {
            return;
        }
        for (i, factor) in group.factors().iter().enumerate() {
            if matches!(factor, Factor::SO3 | Factor::R3xSO3) {
                let at = group.v_range(i).start;
                let omega = &v[at..at + 3];
                let square: f64 = omega.iter().map(|x| x * x).sum();
                for (out, x) in out[at..at + 3].iter_mut().zip(omega) {
                    *out += weight * square / 12.0 * x;
                }
            }
        }
    }
}
