//! Extrapolation of a and lambda by a polynomial through their last values, for first guesses.

use precess_lie::Number;

/// Differences of a and lambda over the last steps, of first to third order.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    pub a: [Vec<f64>; 3],
    pub lambda: [Vec<f64>; 3],
    /// The last step; none at the start.
    pub h: Option<f64>,
    /// Highest order of differences over equal steps.
    pub even: usize,
    /// Degree of the extrapolation that was closest to the last a.
    pub degree: usize,
}

crate::persist!(Past { a, lambda, h, even, degree } where |x| {
    x.h.is_none_or(|h| h > 0.0) => "the last step is not positive",
    x.degree <= x.even && x.even <= 3 => "there are no differences of this order"
});

impl Past {
    /// Weight of each difference for a step of this size in units of the last one.
    pub fn weights(&self, ratio: f64) -> [f64; 3] {
        if ratio == 1.0 { [1, 2, 3].map(|k| f64::from(k <= self.degree)) } else { [ratio, 0.0, 0.0] }
    }

    /// Appends a step of size h with its first differences.
    pub fn append(&mut self, h: f64, a: impl Iterator<Item = f64>, lambda: impl Iterator<Item = f64>) {
        let errors = differ(&mut self.a, a);
        differ(&mut self.lambda, lambda);
        if self.h == Some(h) {
            let better = |best, k| if errors[k] < errors[best] { k } else { best };
            self.degree = (1..=self.even).fold(0, better);
            self.even = (self.even + 1).min(3);
        } else {
            (self.h, self.even, self.degree) = (Some(h), 1, 1);
        }
    }
}

/// Updates the differences after a step, from its first differences. Returns the squares of the new ones, of
/// first to fourth order; these are the errors of extrapolations of degree 0 to 3.
#[inline(always)]
pub(in crate::integrate) fn differ<T: Number>(
    past: &mut [Vec<T>; 3],
    last: impl Iterator<Item = T>,
) -> [T; 4] {
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
