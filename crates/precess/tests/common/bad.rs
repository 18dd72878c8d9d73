//! Systems and checks for bad input.

use precess::lie::{Factor, Product};
use precess::mechanics::{At, System};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::study::{Failure, Run, Sample, Summary};

use super::top_state;

/// The message contains all of these.
#[track_caller]
pub fn says(e: &dyn std::fmt::Display, parts: &[&str]) {
    let text = e.to_string();
    for part in parts {
        assert!(text.contains(part), "'{part}' is missing in: {text}");
    }
}

/// Two points in the plane with masses m. The only constraint is the distance of the first point from the
/// origin, repeated `copies` times.
pub struct Plane {
    group: Product,
    masses: [f64; 2],
    copies: usize,
    /// From here on the force on point 2 is NaN.
    pub fails_at: f64,
}

impl Plane {
    /// With these masses and this many copies of the constraint.
    pub fn new(masses: [f64; 2], copies: usize) -> Self {
        Plane { group: Product::new([Factor::Rn(2), Factor::Rn(2)]), masses, copies, fails_at: f64::INFINITY }
    }
}

impl System for Plane {
    fn group(&self) -> &Product {
        &self.group
    }
    fn n_lambda(&self) -> usize {
        self.copies
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        let lambda: f64 = (0..self.copies).map(|i| (i + 1) as f64 * at.lambda[i]).sum();
        for i in 0..2 {
            r[i] = self.masses[0] * at.vdot[i] + at.q[i] * lambda;
            r[2 + i] = self.masses[1] * (at.vdot[2 + i] + 1.0);
        }
        if at.t > self.fails_at {
            r[3] = f64::NAN;
        }
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        for (i, p) in phi.iter_mut().enumerate() {
            *p = (i + 1) as f64 * 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
        }
    }
    fn constraint_name(&self, row: usize) -> String {
        format!("distance, copy {row}")
    }
    fn velocity_name(&self, index: usize) -> String {
        format!("point {} in {}", index / 2 + 1, ["x", "y"][index % 2])
    }
}

/// Consistent positions and velocities of [`Plane`].
pub const PLANE: ([f64; 4], [f64; 4]) = ([1.0, 0.0, 3.0, 4.0], [0.0, 2.0, 1.0, -1.0]);

/// Runs the top from its initial values.
pub fn run_top(top: &HeavyTop, options: &MethodOptions, run: &Run) -> Result<Summary, Box<Failure>> {
    let mut state = top_state(top);
    run.run(top, &mut options.generalized_alpha().unwrap(), &mut state, &mut |_: &Sample| {})
}
