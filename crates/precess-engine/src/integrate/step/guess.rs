//! First guesses for matrices that are kept over steps: a and lambda from polynomials through their last
//! values. The degree, up to 3, is the one that was closest in the last step; every run has its own.

use precess_lie::Number;

use super::data::Step;
use super::runs::Runs;

/// Differences of a and lambda over the last steps, of first to third order.
#[derive(Clone, Debug, Default)]
pub struct Past<T = f64> {
    a: [Vec<T>; 3],
    lambda: [Vec<T>; 3],
    lambda_n: Vec<T>,
    /// The last step; none at the start.
    h: Option<f64>,
    /// Highest order of differences over equal steps.
    even: usize,
    /// Degree of the extrapolation that was closest to the last a, for each run.
    degrees: Vec<usize>,
}

crate::persist!(Past { a, lambda, h, even, degrees } given { lambda_n } where |x| {
    x.h.is_none_or(|h| h > 0.0) => "the last step is not positive",
    x.even <= 3 && x.degrees.iter().all(|degree| *degree <= x.even) => "there are no differences of this order"
});

impl<T: Runs> Past<T> {
    /// For this many velocities and multipliers.
    pub fn new(k: usize, m: usize) -> Self {
        let zeros = |n: usize| [n; 3].map(|n| vec![T::zero(); n]);
        let (lambda_n, degrees) = (vec![T::zero(); m], vec![0; T::RUNS]);
        Past { a: zeros(k), lambda: zeros(m), lambda_n, h: None, even: 0, degrees }
    }

    /// Forgets all steps.
    pub fn forget(&mut self) {
        self.h = None;
    }

    /// True if a step is known.
    pub fn is_known(&self) -> bool {
        self.h.is_some()
    }

    /// Sets delta and lambda; `per_a` is the derivative of delta for a.
    #[inline(always)]
    pub fn guess(&mut self, step: &mut Step<T>, per_a: f64) {
        self.lambda_n.copy_from_slice(&step.trial.lambda);
        let Some(before) = self.h else { return };
        let ratio = step.h / before;
        let degrees = &self.degrees;
        let [x, y, z] = [1, 2, 3].map(
            #[inline(always)]
            |k| match ratio == 1.0 {
                true => T::from_runs(|run| f64::from(u8::from(k <= degrees[run]))),
                false => T::of(if k == 1 { ratio } else { 0.0 }),
            },
        );
        let per_a = T::of(per_a);
        let [a, b, c] = &self.a;
        for (((delta, a), b), c) in step.delta.iter_mut().zip(a).zip(b).zip(c) {
            *delta = per_a * (x * *a + y * *b + z * *c);
        }
        let [a, b, c] = &self.lambda;
        for (((lambda, a), b), c) in step.trial.lambda.iter_mut().zip(a).zip(b).zip(c) {
            *lambda += x * *a + y * *b + z * *c;
        }
    }

    /// Appends a step; `per_delta` is the derivative of a for delta.
    #[inline(always)]
    pub fn append(&mut self, step: &Step<T>, per_delta: f64) {
        let per_delta = T::of(per_delta);
        let errors = differ(&mut self.a, step.delta.iter().map(|d| per_delta * *d));
        let changes = step.trial.lambda.iter().zip(&self.lambda_n).map(|(new, old)| *new - *old);
        differ(&mut self.lambda, changes);
        let (even, same) = (self.even, self.h == Some(step.h));
        for (run, degree) in self.degrees.iter_mut().enumerate() {
            let better = |best: usize, k: usize| {
                if errors[k].of_run(run) < errors[best].of_run(run) { k } else { best }
            };
            *degree = if same { (1..=even).fold(0, better) } else { 1 };
        }
        self.even = if same { (even + 1).min(3) } else { 1 };
        self.h = Some(step.h);
    }
}

/// Updates the differences after a step, from its first differences. Returns the squares of the new ones, of
/// first to fourth order; these are the errors of extrapolations of degree 0 to 3.
#[inline(always)]
fn differ<T: Number>(past: &mut [Vec<T>; 3], last: impl Iterator<Item = T>) -> [T; 4] {
    let [first, second, third] = past;
    let mut squares = [T::zero(); 4];
    for (((first, second), third), d_1) in first.iter_mut().zip(second).zip(third).zip(last) {
        let d_2 = d_1 - *first;
        let d_3 = d_2 - *second;
        let d_4 = d_3 - *third;
        (*first, *second, *third) = (d_1, d_2, d_3);
        for (sum, d) in squares.iter_mut().zip([d_1, d_2, d_3, d_4]) {
            *sum += d * d;
        }
    }
    squares
}
