//! The rank of the constraints near a given configuration, which distinguishes a singular position from
//! redundant joints.

use nalgebra::{DMatrix, DVector};

use super::pivoted::Pivoted;
use super::{BodyColumns, Core, JointBlocks, REDUNDANT};
use crate::mechanics::{State, System};
use crate::solve::structure::RowGroup;

/// A configuration near the given one that satisfies the constraints.
pub(super) struct Nearby<'a> {
    pub(super) system: &'a dyn System,
    pub(super) state: &'a State,
    pub(super) joints: &'a [RowGroup],
    pub(super) columns: &'a BodyColumns,
    pub(super) core: &'a Core,
}

impl Nearby<'_> {
    /// B of the loops, with translations in units of the length scale.
    fn b(&self, state: &State) -> DMatrix<f64> {
        let mut blocks = JointBlocks::new(self.system, state, self.joints, self.columns);
        for (body, block) in blocks.joints.iter_mut().flatten() {
            for (j, mut column) in block.column_iter_mut().enumerate() {
                column *= self.columns.unit(*body, j);
            }
        }
        blocks.dense(self.joints, self.columns, self.core)
    }

    fn moved(&self, state: &State, x: &DVector<f64>) -> State {
        let group = self.system.group();
        let mut full = vec![0.0; group.dim()];
        let mut x = x.iter();
        for &body in &self.core.bodies {
            for (j, col) in self.columns.ranges[body].clone().enumerate() {
                full[col] = x.next().copied().unwrap_or(0.0) * self.columns.unit(body, j);
            }
        }
        let mut moved = state.clone();
        group.retract(&state.q, &full, &mut moved.q);
        moved
    }

    fn phi(&self, state: &State) -> DVector<f64> {
        let mut all = vec![0.0; self.system.n_lambda()];
        self.system.constraint(&state.at(), &mut all);
        let rows = self.core.joints.iter().flat_map(|&j| self.joints[j].rows.clone());
        DVector::from_iterator(self.core.rows(self.joints), rows.map(|r| all[r]))
    }

    /// Rank of the loops after a random step along the free motions and a projection onto the constraints.
    pub(super) fn rank(&self, seed: u64) -> Option<usize> {
        let b = self.b(self.state);
        let qr = Pivoted::new(&b, REDUNDANT);
        let mut random = Random(seed + 1);
        let mut x = DVector::from_fn(b.ncols(), |_, _| random.next());
        for q in &qr.q {
            let part = q.dot(&x);
            x.axpy(-part, q, 1.0);
        }
        let size = x.norm();
        if !(size > 1e-6) {
            return None;
        }
        let mut state = self.moved(self.state, &(x * (1e-3 / size)));
        for _ in 0..20 {
            let phi = self.phi(&state);
            if phi.amax() <= 1e-13 {
                break;
            }
            // Between the second-order errors of the step, 1e-6, and the first-order ones that make rows
            // independent, 1e-3.
            let correction = Pivoted::new(&self.b(&state), 3e-5).solve(&-phi);
            state = self.moved(&state, &correction);
        }
        if !(self.phi(&state).amax() <= 1e-11) {
            return None;
        }
        let blocks = JointBlocks::new(self.system, &state, self.joints, self.columns);
        let g = blocks.scaled(self.joints, self.columns).dense(self.joints, self.columns, self.core);
        Some(Pivoted::new(&g, REDUNDANT).rank)
    }
}

/// Deterministic pseudo-random numbers in [-1, 1) (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        // Seeds are small: a few rounds mix their bits.
        for _ in 0..4 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_fill_the_interval() {
        let mut random = Random(1);
        let list: Vec<f64> = (0..1000).map(|_| random.next()).collect();
        assert!(list.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(list.iter().sum::<f64>().abs() < 60.0 && list.iter().any(|x| *x > 0.9));
    }
}
