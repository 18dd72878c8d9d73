//! v' = -lambda with the rheonomic constraint q = t^3/6 (LA, end of section 3.2).
//!
//! Solution q = t^3/6, v = t^2/2, lambda = -t. The local errors in v and a vanish, so that with a_0 =
//! v'(t_0 + Delta_alpha h) the error of the index-3 integrator is e_n^lambda = c_n h with the c_n of (53), to
//! round-off.

use nalgebra::Matrix1;
use precess_lie::{Factor, Product};

use super::ExactSolution;
use crate::mechanics::{At, System, Tangents};

/// The test problem. It has no parameters.
#[derive(Clone, Debug)]
pub struct Cubic {
    group: Product,
}

impl Default for Cubic {
    fn default() -> Self {
        Cubic { group: Product::new([Factor::Rn(1)]) }
    }
}

impl System for Cubic {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        1
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] + at.lambda[0];
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        phi[0] = at.q[0] - at.t.powi(3) / 6.0;
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        out[0] = at.v[0] - at.t * at.t / 2.0;
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        out[0] = at.vdot[0] - at.t;
    }

    fn tangents(&self, _at: &At, out: &mut Tangents) {
        out.mass_diagonal(0, 1, 1.0);
        out.constraint(0, 0, &Matrix1::new(1.0));
    }

    fn constraint_name(&self, _row: usize) -> String {
        "q = t^3/6".to_string()
    }
}

impl ExactSolution for Cubic {
    fn at(&self, t: f64, q: &mut [f64], v: &mut [f64], lambda: &mut [f64]) {
        q[0] = t.powi(3) / 6.0;
        v[0] = t * t / 2.0;
        lambda[0] = -t;
    }
}
