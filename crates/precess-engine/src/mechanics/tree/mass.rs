//! The mass matrix, by composite bodies.
//!
//! With the inertia I^c of a stage and all that it carries, M_ii = S_i^T I^c S_i, and M_ji = S_j^T Ad^-T I^c S_i
//! for every stage j that carries i.

use precess_lie::Number;

use super::spatial::{Inertia, inward};
use super::{Tree, TreeMotion};

impl<T: Number> Tree<T> {
    /// The inertia of every stage with all that it carries.
    pub(super) fn composites(&self, m: &mut TreeMotion<T>) {
        for (own, stage) in m.inertia.iter_mut().zip(&self.stages) {
            *own = stage.inertia.unwrap_or_else(Inertia::zero);
        }
        for (k, stage) in self.stages.iter().enumerate().rev() {
            if let Some(p) = stage.parent {
                let moved = m.inertia[k].moved(&m.local[k]);
                m.inertia[p].add(&moved);
            }
        }
    }

    /// The entries of M in the upper and lower half, after [`positions`](Self::positions): `put(i, j, M_ij)`.
    /// Stages that do not carry each other have none.
    pub fn mass(&self, m: &mut TreeMotion<T>, mut put: impl FnMut(usize, usize, T)) {
        self.composites(m);
        for (k, stage) in self.stages.iter().enumerate() {
            for i in 0..stage.dim() {
                let mut f = m.inertia[k].times(&stage.kind.column(i));
                for j in 0..stage.dim() {
                    put(stage.v + j, stage.v + i, f.dot(&stage.kind.column(j)));
                }
                let mut inner = k;
                while let Some(p) = self.stages[inner].parent {
                    f = inward(&m.local[inner], &f);
                    let other = &self.stages[p];
                    for j in 0..other.dim() {
                        let entry = f.dot(&other.kind.column(j));
                        put(other.v + j, stage.v + i, entry);
                        put(stage.v + i, other.v + j, entry);
                    }
                    inner = p;
                }
            }
        }
    }
}
