//! Whether positions and velocities are consistent, and the accelerations and multipliers that belong to
//! them, for the start of runs.

use precess_lie::Number;

use super::{Alike, AlikeRows, AlikeState};
use crate::mechanics::batch::SADDLE;
use crate::mechanics::kernels::Measure;
use crate::solve::pattern_lu::PatternLu;

impl<T: Number> Alike<T> {
    /// Fills v' and lambda for q and v as [`Accelerations`](crate::integrate::Accelerations) does: (19) is
    /// solved, and once more for what is left over. `psi` is room for a residual, `theta` is zero.
    pub fn accelerations(
        &mut self,
        [q, v, theta]: [&[T]; 3],
        [vdot, lambda]: [&mut [T]; 2],
        psi: &mut [T],
        factors: &mut PatternLu<T>,
    ) {
        let (n_v, n) = (self.n_v, self.n_v + self.n_lambda);
        vdot.fill(T::zero());
        lambda.fill(T::zero());
        for round in 0..2 {
            let at = AlikeState { q, v, vdot, lambda, theta };
            if round == 0 {
                self.evaluate::<true>(&at, &SADDLE, psi, &mut factors.matrix);
                // Multipliers of the stabilisation have no part in this.
                (n..psi.len()).for_each(|i| factors.matrix.add(i, i, T::one()));
                factors.factor();
            } else {
                self.evaluate::<false>(&at, &SADDLE, psi, &mut factors.matrix);
            }
            self.acceleration_level(&at, &mut psi[n_v..n]);
            psi[n..].fill(T::zero());
            factors.solve(psi);
            vdot.iter_mut().zip(&psi[..n_v]).for_each(|(x, d)| *x -= *d);
            lambda.iter_mut().zip(&psi[n_v..n]).for_each(|(x, d)| *x -= *d);
        }
    }

    /// Phi, and behind it B v.
    pub fn constraints(&mut self, q: &[T], v: &[T], out: &mut [T]) {
        self.place(q);
        let (phi, rates) = out.split_at_mut(self.n_lambda);
        for joint in &self.joints {
            let (pair, v) = (self.pair(joint), self.motion(joint, v));
            let mut row = joint.first;
            for rows in &joint.rows {
                each!(rows, m => for (value, rate) in m.value(&pair).iter().zip(m.bv(&pair, &v).iter()) {
                    (phi[row], rates[row]) = (*value, *rate);
                    row += 1;
                });
            }
        }
    }

    /// B v' + Z(v, v).
    fn acceleration_level(&self, at: &AlikeState<T>, out: &mut [T]) {
        for joint in &self.joints {
            let pair = self.pair(joint);
            let (v, vdot) = (self.motion(joint, at.v), self.motion(joint, at.vdot));
            let mut row = joint.first;
            for rows in &joint.rows {
                each!(rows, m => (m.bv(&pair, &vdot) + m.z(&pair, &v)).iter().for_each(|x| {
                    out[row] = *x;
                    row += 1;
                }));
            }
        }
    }
}
