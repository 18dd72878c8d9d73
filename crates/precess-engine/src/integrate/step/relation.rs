//! A relation between theta and v that is not affine, beside the affine one of most methods.

use precess_lie::{Number, Product};

use crate::mechanics::jacobian::Contribution;
use crate::solve::Mat;

/// theta and the velocities, if they are not related by v_np1 = v_0 + dv (theta - theta_0). Then delta = (v_np1
/// - v_0)/dv follows from x = theta - theta_0.
pub trait Relation<T: Number>: std::fmt::Debug + Send + Sync {
    /// A copy.
    fn copied(&self) -> Box<dyn Relation<T>>;
    /// True for algorithms that add up increments and never evaluate the relation again.
    fn is_published(&self) -> bool;
    /// True for those among them that need neither theta nor T.
    fn is_tangent_free(&self) -> bool;
    /// Begins a step at its predictor.
    fn begin(&mut self, theta_0: &[T], v_0: &[T], dv: f64);
    /// x = theta - theta_0.
    fn x(&mut self) -> &mut [T];
    /// x that gives about this delta without eta; theta is about theta_0 + delta.
    fn guess(&mut self, group: &Product, theta: &[T], delta: &[T]);
    /// The theta of the published predictor.
    fn turn_back(&mut self, group: &Product, dv: f64, v: &[T], theta: &mut [T]);
    /// delta from x = theta - theta_0 and h eta.
    fn follow(&mut self, group: &Product, theta: &[T], n: Option<&Mat<T>>, eta_h: &[T], delta: &mut [T]);
    /// Adds an increment of the published algorithms to theta and delta; `n` has N and the change of h eta.
    fn add_increment(
        &mut self,
        group: &Product,
        weight: f64,
        increment: &[T],
        n: Option<(&Mat<T>, &[T])>,
        theta: &mut [T],
        delta: &mut [T],
    );
    /// Computes the operators of the iteration matrix that multiply S and B on the right.
    fn operators(&mut self, group: &Product, theta: &[T], n: Option<&Mat<T>>, eta_h: &[T], delta: &[T]);
    /// S or B, times these operators.
    fn times(&mut self, group: &Product, starts: &[usize], c: &Contribution, a: &Mat<T>) -> &Mat<T>;
    /// The operator of theta as a full matrix; allocates.
    fn dense(&self, group: &Product) -> Mat<T>;
}

impl<T: Number> Clone for Box<dyn Relation<T>> {
    fn clone(&self) -> Self {
        self.copied()
    }
}
