//! Tests an addition to a mechanism: the mechanism must be able to move, and new constraints must be
//! independent.

use nalgebra::DMatrix;
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::mechanics::{Tangents, Want};
use precess::model::{build, load};

use super::Maker;
use crate::mechanisms::data::Mechanism;

/// A singular value of the scaled constraint matrix is too small below this fraction of the largest one.
const NEARLY_SINGULAR: f64 = 1e-2;

impl Maker {
    /// The number of rows and the rank of the constraints in the current position. Returns `None` if the
    /// mechanism is nearly singular or cannot move.
    pub(super) fn freedom(&self) -> Option<(usize, usize)> {
        let b = self.constraint_matrix()?;
        let (rows, columns) = b.shape();
        if rows == 0 {
            return Some((0, 0));
        }
        let values = b.svd(false, false).singular_values;
        let largest = values.max();
        let rank = values.iter().filter(|s| **s > 1e-9 * largest).count();
        let smallest = values.iter().copied().filter(|s| *s > 1e-9 * largest).fold(largest, f64::min);
        (smallest > NEARLY_SINGULAR * largest && rank < columns).then_some((rows, rank))
    }

    /// Makes a change and keeps it if all new rows are independent of the others. A plane loop needs only two
    /// independent rows.
    pub(super) fn try_out(&mut self, plane_loop: bool, change: impl FnOnce(&mut Mechanism)) -> bool {
        let before = self.m.clone();
        let old = self.freedom();
        change(&mut self.m);
        let sound = match (old, self.freedom()) {
            (Some((rows, rank)), Some((more, higher))) => {
                higher - rank == if plane_loop { 2 } else { more - rows }
            }
            _ => false,
        };
        if !sound {
            self.m = before;
        }
        sound
    }

    /// The matrix B with columns in units of the mechanism.
    pub(super) fn constraint_matrix(&self) -> Option<DMatrix<f64>> {
        let loaded = load("random.toml", &self.m.toml(), &[]).ok()?;
        let built = build(&loaded.model, Formulation::R3SO3).ok()?;
        let state = InitialValues { tolerance: f64::INFINITY, ..InitialValues::new(&built.q, &built.v) };
        let system = &*built.system;
        let mut state = state.consistent(system).ok()?;
        state.remember(system);
        let mut tangents = Tangents::of(system);
        tangents.evaluate(system, &state.at(), Want::SADDLE);
        let mut b = tangents.b.to_dmatrix();
        let mut column = 0;
        for body in &self.m.bodies {
            column += if body.inertia.is_some() { 3 } else { 0 };
            for k in column..column + 3 {
                b.column_mut(k).scale_mut(self.length);
            }
            column += 3;
        }
        let length = system.length_scale();
        for mut row in b.row_iter_mut() {
            // The rows are scaled by the length scale of the library, so they are normalised here.
            let size = row.norm().max(1e-300 * length);
            row.scale_mut(1.0 / size);
        }
        Some(b)
    }

    /// Makes the velocities satisfy the constraints, including those of drives.
    pub(super) fn consistent_velocities(&mut self) {
        let Ok(loaded) = load("random.toml", &self.m.toml(), &[]) else { return };
        let Ok(built) = build(&loaded.model, Formulation::R3SO3) else { return };
        let Ok(state) = InitialValues::new(&built.q, &built.v).fixed().consistent(&*built.system) else {
            return;
        };
        for (body, s) in self.m.bodies.iter_mut().zip(built.system.bodies(&state.at())) {
            body.velocity = s.velocity;
            body.angular_velocity = s.angular_velocity;
        }
    }
}
