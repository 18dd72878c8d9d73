//! Decides how a step goes on: when a matrix is formed, and when the iteration ends.

use precess_lie::Number;

use super::Failure;
use super::data::Step;
use super::linear::Linear;
use crate::integrate::newton::Verdict;
use crate::mechanics::Dynamics;

/// The decisions of a step.
pub trait Decisions<T: Number> {
    /// Begins Newton's method at the first guess; true if it needs a new matrix at once.
    fn begin(&mut self, step: &mut Step<T>) -> bool;
    /// Looks at the residual. True if it shows that the equations are solved. A correction that has made it
    /// larger may be shortened.
    fn is_solved(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) -> Result<bool, Failure> {
        let _ = (step, dynamics, linear);
        Ok(false)
    }
    /// J has been formed.
    fn formed(&mut self, step: &Step<T>, linear: &mut impl Linear<T>) {
        let _ = (step, linear);
    }
    /// Removes the part of redundant rows that no motion can remove.
    fn filter(&mut self, step: &mut Step<T>, linear: &mut impl Linear<T>) {
        let _ = (step, linear);
    }
    /// Measures the correction that is about to be made. Runs that have converged get none.
    fn measure(&mut self, step: &mut Step<T>, linear: &mut impl Linear<T>) {
        let _ = (step, linear);
    }
    /// Judges the correction that was made.
    fn judge(&mut self, step: &Step<T>, linear: &mut impl Linear<T>) -> Result<Verdict, Failure>;
    /// No iteration helps any more: accepts the iterate if it is solved up to rounding errors.
    fn give_up(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) -> Result<(), Failure> {
        let _ = (step, dynamics, linear);
        Err(Failure::Diverges(f64::INFINITY))
    }
    /// The equations are solved.
    fn end(&mut self, step: &Step<T>) {
        let _ = step;
    }
}

/// A fixed number of iterations: no number is looked at. For recordings and for derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// The iterations of a step.
    pub iterations: usize,
    /// Whether each of them has its own matrix.
    pub matrices: bool,
    done: usize,
}

impl Fixed {
    /// This number of iterations.
    pub fn new(iterations: usize, matrices: bool) -> Self {
        Fixed { iterations, matrices, done: 0 }
    }
}

impl<T: Number> Decisions<T> for Fixed {
    fn begin(&mut self, _: &mut Step<T>) -> bool {
        self.done = 0;
        true
    }

    fn judge(&mut self, _: &Step<T>, _: &mut impl Linear<T>) -> Result<Verdict, Failure> {
        self.done += 1;
        Ok(if self.done == self.iterations {
            Verdict::Solved
        } else {
            Verdict::Again { matrix: self.matrices }
        })
    }
}
