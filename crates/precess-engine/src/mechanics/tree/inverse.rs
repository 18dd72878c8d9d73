//! Inverse dynamics: the forces for given accelerations (recursive Newton-Euler).
//!
//! ```text
//! f_k = I A_k - ad_{V_k}^T I V_k + load_k + sum over the stages that k carries of Ad^-T f        r_k = S^T f_k
//! ```
//!
//! f of the last stage of a joint is the force and torque that the joint transmits to its outer body.

use precess_lie::Number;

use super::spatial::{carried, inward};
use super::{Tree, TreeMotion};

impl<T: Number> Tree<T> {
    /// r = M v' + h + J^T loads, after [`accelerations`](Self::accelerations), and the wrench of every stage.
    pub fn inverse(&self, m: &mut TreeMotion<T>, r: &mut [T]) {
        for (k, stage) in self.stages.iter().enumerate() {
            let mut f = m.load[k];
            if let Some(inertia) = &stage.inertia {
                f = f + (inertia.times(&m.a[k]) + carried(&m.v[k], &inertia.times(&m.v[k])));
            }
            m.force[k] = f;
        }
        self.collect(m, r);
    }

    /// Moves the wrenches of all stages inward and projects them: r_k = S^T f_k.
    pub(super) fn collect(&self, m: &mut TreeMotion<T>, r: &mut [T]) {
        for (k, stage) in self.stages.iter().enumerate().rev() {
            stage.project(&m.force[k], r);
            if let Some(p) = stage.parent {
                let moved = inward(&m.local[k], &m.force[k]);
                m.force[p] = m.force[p] + moved;
            }
        }
    }

    /// J^T loads of all bodies, after [`positions`](Self::positions).
    pub fn pull_back(&self, m: &mut TreeMotion<T>, r: &mut [T]) {
        m.force.copy_from_slice(&m.load);
        self.collect(m, r);
    }
}
