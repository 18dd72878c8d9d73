//! The iterate of a step whose velocities are not affine in theta.

use precess_lie::{Number, Product};

use super::data::{Step, add};
use crate::mechanics::jacobian::Columns;
use crate::solve::Mat;

impl<T: Number> Step<T> {
    /// The iterate (q, v, v') that belongs to a guess of delta with eta = 0.
    #[inline(never)]
    pub(super) fn guess_relation(&mut self, group: &Product) {
        let Some(mut relation) = self.relation.take() else { return };
        relation.begin(&self.theta_0, &self.v_0, self.dv);
        let (dv, da) = (T::of(self.dv), T::of(self.da));
        for i in 0..self.delta.len() {
            let x = self.delta[i];
            self.theta[i] = self.theta_0[i] + x;
            self.trial.v[i] = self.v_0[i] + dv * x;
            self.trial.vdot[i] = self.vdot_0[i] + da * x;
        }
        if relation.is_published() {
            relation.turn_back(group, self.dv, &self.trial.v, &mut self.theta);
            group.retract(&self.q_n, &self.theta, &mut self.trial.q);
            self.relation = Some(relation);
        } else {
            relation.guess(group, &self.theta, &self.delta);
            self.relation = Some(relation);
            self.follow(group);
        }
    }

    fn follow_velocities(&mut self) {
        let (dv, da) = (T::of(self.dv), T::of(self.da));
        for i in 0..self.delta.len() {
            self.trial.v[i] = self.v_0[i] + dv * self.delta[i];
            self.trial.vdot[i] = self.vdot_0[i] + da * self.delta[i];
        }
    }

    /// N, in the stabilized form.
    fn direction(&self) -> Option<&Mat<T>> {
        self.is_stabilized().then_some(&self.n)
    }

    /// The iterate (q, v, v') that follows from the unknowns.
    #[inline(never)]
    pub(super) fn follow_relation(&mut self, group: &Product) {
        let Some(mut relation) = self.relation.take() else { return };
        for ((theta, theta_0), x) in self.theta.iter_mut().zip(&self.theta_0).zip(&*relation.x()) {
            *theta = *theta_0 + *x;
        }
        let mut delta = std::mem::take(&mut self.delta);
        relation.follow(group, &self.theta, self.direction(), &self.eta_h, &mut delta);
        self.delta = delta;
        self.follow_velocities();
        group.retract(&self.q_n, &self.theta, &mut self.trial.q);
        self.relation = Some(relation);
    }

    /// The increment of a relation that is not affine. If it is published: lines 15 to 17 of Algorithms 1 and 3
    /// (sigma = 1), lines 15 to 18 of Algorithm 2 and (D.3)-(D.6).
    #[inline(never)]
    pub(super) fn correct_relation(&mut self, weight: f64, group: &Product) {
        let Some(mut relation) = self.relation.take() else { return };
        let (w, k) = (T::of(weight), self.delta.len());
        let (increment, d_eta) = (&self.xi[..k], &self.xi[self.layout.of(Columns::Eta)]);
        if !relation.is_published() {
            add(w, increment, relation.x());
            self.relation = Some(relation);
            return self.follow(group);
        }
        if relation.is_tangent_free() {
            add(w, increment, &mut self.delta);
            if !d_eta.is_empty() {
                self.n.gemv(w, d_eta, &mut self.delta);
            }
            for (t, x) in self.theta.iter_mut().zip(increment) {
                *t = w * *x;
            }
            self.before.copy_from_slice(&self.trial.q);
            group.retract(&self.before, &self.theta, &mut self.trial.q);
        } else {
            let n = (!d_eta.is_empty()).then_some((&self.n, d_eta));
            relation.add_increment(group, weight, increment, n, &mut self.theta, &mut self.delta);
            group.retract(&self.q_n, &self.theta, &mut self.trial.q);
        }
        self.relation = Some(relation);
        self.follow_velocities();
    }
}
