//! Forces in the joints of the tree, and constraint rows that depend on each other.

use nalgebra::{DMatrix, DVector};

use super::JointCoordinates;
use crate::mechanics::kernels::{Pose, Wrench};
use crate::mechanics::tree::spatial::{compose, invert, inward};
use crate::mechanics::{At, System, Tangents, Want};

/// Rows are dependent if a singular value of the scaled constraints is below this part of the largest.
const DEPENDENT: f64 = 1e-8;

impl JointCoordinates {
    /// Calls `f` with the state of the mechanism and the multipliers of all its joints. A joint of the tree transmits the
    /// residual of all bodies beyond it: `B_j^T lambda_j = -T` on its outer body.
    pub(super) fn with_all_forces<R>(&self, at: &At, f: impl FnOnce(&At) -> R) -> R {
        self.expanded(at, |full, work| {
            let mut lambda = vec![0.0; self.complete.n_lambda()];
            if !self.is_given(at.vdot) || at.lambda.len() < self.inner.n_lambda() {
                return f(&At { lambda: &lambda, ..*full });
            }
            self.copy_rows(at.lambda, &mut lambda);
            let mut r = std::mem::take(&mut work.r);
            self.inner.residual(full, &mut r);
            let bodies = self.inner.body_list().len();
            let mut transmitted: Vec<Wrench> =
                (0..bodies).map(|b| self.wrench(b, &r, &work.motion)).collect();
            work.r = r;
            let mut tangents = Tangents::of(&self.complete);
            tangents.evaluate(&self.complete, full, Want::CONSTRAINT);
            let poses: Vec<Pose> = (0..bodies).map(|b| self.tree.body_pose(b, &work.motion)).collect();
            for edge in self.edges.iter().rev() {
                let own = transmitted[edge.body];
                if let Some(parent) = edge.parent {
                    let relative = compose(&invert(&poses[parent]), &poses[edge.body]);
                    transmitted[parent] = transmitted[parent] + inward(&relative, &own);
                }
                let Some(joint) = edge.joint.map(|i| &self.complete.joint_list()[i]) else { continue };
                let rows = joint.range.clone();
                let body = &self.complete.body_list()[edge.body];
                let columns =
                    DMatrix::from_fn(6, rows.len(), |i, j| tangents.b.get(rows.start + j, body.v + i));
                let wanted = DVector::from_iterator(6, own.rot.iter().chain(own.trans.iter()).map(|x| -x));
                if let Ok(x) = columns.svd(true, true).solve(&wanted, 1e-12) {
                    lambda[rows].copy_from_slice(x.as_slice());
                }
            }
            f(&At { lambda: &lambda, ..*full })
        })
    }

    /// Copies the multipliers of the rows that are left to those of all rows.
    fn copy_rows(&self, lambda: &[f64], all: &mut [f64]) {
        let (mut from, mut to) = (0, 0);
        for (own, complete) in self.inner.joint_list().iter().zip(self.complete.joint_list()) {
            if !own.range.is_empty() {
                all[complete.range.clone()].copy_from_slice(&lambda[own.range.clone()]);
            }
            (from, to) = (own.range.end.max(from), complete.range.end.max(to));
        }
        // Gears and constraints follow the joints.
        let rest = lambda.len() - from;
        all[to..to + rest].copy_from_slice(&lambda[from..]);
    }

    /// The weights of redundant rows ([`redundancy`](crate::mechanics::redundancy)), if there are any at q.
    pub(super) fn weights_of_dependent_rows(&self, q: &[f64]) -> Option<Vec<f64>> {
        let (k, m) = (self.group.dim(), self.inner.n_lambda());
        if m == 0 {
            return None;
        }
        let zero = vec![0.0; k.max(m)];
        let mut memory = vec![0.0; self.n_memory()];
        let at = At {
            t: 0.0,
            q,
            v: &zero[..k],
            vdot: &zero[..k],
            lambda: &zero[..m],
            s: &vec![0.0; self.n_s()],
            memory: &[],
        };
        self.remember(&at, &mut memory);
        let at = At { memory: &memory, ..at };
        let mut tangents = Tangents::of(self);
        tangents.evaluate(self, &at, Want::SADDLE);
        let (mass, b) = (tangents.s.to_dmatrix(), tangents.b.to_dmatrix());
        let factors = mass.cholesky()?;
        let g = factors.l().solve_lower_triangular(&b.transpose())?;
        let weights: Vec<f64> = (0..m).map(|i| g.column(i).norm_squared()).collect();
        let scaled =
            DMatrix::from_fn(k, m, |i, j| if weights[j] > 0.0 { g[(i, j)] / weights[j].sqrt() } else { 0.0 });
        let values = scaled.singular_values();
        let largest = values.max();
        let rank = values.iter().filter(|s| **s > DEPENDENT * largest).count();
        let switched = self.inner.joint_list().iter().any(|j| j.is_switched());
        (rank < m || switched).then(|| weights.iter().map(|w| if *w > 0.0 { *w } else { 1.0 }).collect())
    }
}
