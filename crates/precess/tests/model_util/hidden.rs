//! Systems that hide their structure, and random states.
#![allow(dead_code)]

use precess::lie::Product;
use precess::mechanics::{At, State, Structure, System, Tangents};

/// Hides that it has parts, and also its structure if requested.
pub struct Plain<'a> {
    system: &'a dyn System,
    structure: Option<&'a Structure>,
}

/// Hides its structure, so that dense matrices are used.
pub fn dense(system: &dyn System) -> Plain<'_> {
    Plain { system, structure: None }
}

/// In sparse blocks, evaluated as a whole.
pub fn whole(system: &dyn System) -> Plain<'_> {
    Plain { system, structure: system.structure() }
}

impl System for Plain<'_> {
    fn structure(&self) -> Option<&Structure> {
        self.structure
    }
    fn group(&self) -> &Product {
        self.system.group()
    }
    fn n_lambda(&self) -> usize {
        self.system.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.system.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.system.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.system.tangents(at, out);
    }
    fn n_memory(&self) -> usize {
        self.system.n_memory()
    }
    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.system.remember(at, memory);
    }
    fn length_scale(&self) -> f64 {
        self.system.length_scale()
    }
}

/// Reproducible numbers in (-1, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

/// A state near `state`: q moved along the group, the rest random.
pub fn disturbed(system: &dyn System, state: &State, numbers: &mut Numbers, size: f64) -> State {
    let mut s = state.clone();
    let k = system.group().dim();
    system.group().retract(&state.q, &numbers.vector(k, size), &mut s.q);
    s.v = numbers.vector(k, 1.0);
    s.vdot = numbers.vector(k, 2.0);
    s.lambda = numbers.vector(s.lambda.len(), 3.0);
    s.t = 0.3;
    s.remember(system);
    s
}

/// Fails unless every derivative agrees with extrapolated differences of the equations.
pub fn assert_derivatives(what: &str, system: &dyn System, state: &State) {
    super::extrapolated::check(what, system, state);
}
