//! Samples at equal distances, from rows of results.

use super::SpectrumError;

/// Samples at equal distances of time, or of revolutions.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// The first abscissa.
    pub start: f64,
    /// The distance of neighbours.
    pub step: f64,
    /// The values.
    pub values: Vec<f64>,
    /// Largest distance of the rows that they come from: half its inverse is the highest frequency.
    pub gap: f64,
    /// True if they were interpolated.
    pub interpolated: bool,
}

/// Rows may differ from equal distances by this part of them.
const EQUAL: f64 = 1e-6;
/// Most samples that are interpolated.
const MAX_SAMPLES: f64 = 4e6;
/// Points of an interpolation: its error is of order h^6.
const POINTS: usize = 6;
/// Largest error of a row that is predicted from its neighbours, relative to the deviations from the mean.
const PREDICTED: f64 = 0.1;

impl Samples {
    /// From rows in the order of their abscissae; rows between the equal ones (events) are left out. Others are
    /// interpolated. `whole` asks for whole units of the abscissa, with a whole number of samples in each.
    pub fn new(t: &[f64], x: &[f64], whole: bool) -> Result<Self, SpectrumError> {
        let rows = t.len().min(x.len());
        if rows < 8 || !t.iter().chain(x).all(|x| x.is_finite()) {
            return Err(SpectrumError::Rows { rows });
        }
        let mut gaps: Vec<f64> = t.windows(2).map(|w| w[1] - w[0]).filter(|g| *g > 0.0).collect();
        if gaps.is_empty() || t.windows(2).any(|w| w[1] < w[0]) {
            return Err(SpectrumError::Rows { rows });
        }
        gaps.sort_by(f64::total_cmp);
        let at = |part: f64| gaps[((gaps.len() - 1) as f64 * part) as usize];
        let (middle, largest) = (at(0.5), at(1.0));
        if !whole && let Some(values) = equal_rows(t, x, middle) {
            return Ok(Samples { start: t[0], step: middle, values, gap: middle, interpolated: false });
        }
        let error = predicted(t, x);
        if !(error <= PREDICTED) {
            return Err(SpectrumError::Coarse { error });
        }
        // As fine as nearly the finest rows: those before and after events say nothing.
        let fine = at(0.1);
        let (start, mut length) = (t[0], t[rows - 1] - t[0]);
        let step = if whole {
            length = (length * (1.0 + 1e-12)).floor();
            1.0 / (1.0 / fine).ceil()
        } else {
            length / (length / fine).ceil()
        };
        let n = (length / step).round();
        if whole && length < 1.0 {
            return Err(SpectrumError::Turns);
        }
        if !(n <= MAX_SAMPLES) {
            return Err(SpectrumError::Many { samples: n });
        }
        let mut values = Vec::with_capacity(n as usize);
        let mut row = 0;
        for k in 0..n as usize {
            let at = start + k as f64 * step;
            while row + 2 < rows && t[row + 1] <= at {
                row += 1;
            }
            values.push(interpolated(t, x, row, at));
        }
        Ok(Samples { start, step, values, gap: largest.max(step), interpolated: true })
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The rows at equal distances from the first one, if there is one for each place.
fn equal_rows(t: &[f64], x: &[f64], step: f64) -> Option<Vec<f64>> {
    let n = ((t.last()? - t.first()?) / step * (1.0 + EQUAL) + 1.0).floor() as usize;
    let mut values = Vec::with_capacity(n.min(t.len()));
    let mut row = 0;
    for k in 0..n {
        let wanted = t[0] + k as f64 * step;
        while row < t.len() && t[row] < wanted - EQUAL * step {
            row += 1;
        }
        if row >= t.len() || t[row] > wanted + EQUAL * step {
            return None;
        }
        values.push(x[row]);
    }
    Some(values)
}

/// The rows for an interpolation between a row and the next one, on the same side of every jump.
fn around(t: &[f64], row: usize) -> std::ops::Range<usize> {
    let (mut first, mut end) = (row, row + 2);
    while end - first < POINTS {
        let before = first > 0 && t[first - 1] < t[first];
        let after = end < t.len() && t[end] > t[end - 1];
        let left = row - first;
        match (before, after) {
            (true, true) if left + 2 < end - row => first -= 1,
            (_, true) => end += 1,
            (true, false) => first -= 1,
            (false, false) => break,
        }
    }
    first..end.min(t.len())
}

/// The value at a place between a row and the next one, by Lagrange's polynomial.
fn interpolated(t: &[f64], x: &[f64], row: usize, at: f64) -> f64 {
    lagrange(t, x, around(t, row), at)
}

fn lagrange(t: &[f64], x: &[f64], rows: impl Iterator<Item = usize> + Clone, at: f64) -> f64 {
    let weight =
        |i: usize| rows.clone().filter(|j| *j != i).map(|j| (at - t[j]) / (t[i] - t[j])).product::<f64>();
    rows.clone().map(|i| weight(i) * x[i]).sum()
}

/// How well rows are predicted by their neighbours: the root of the mean square of the errors, relative to
/// that of the deviations from the mean.
fn predicted(t: &[f64], x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let size = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    let (mut errors, mut n) = (0.0, 0);
    for i in 3..t.len().saturating_sub(3) {
        if t[i - 3..=i + 3].windows(2).all(|w| w[1] > w[0]) {
            let guess = lagrange(t, x, (i - 3..=i + 3).filter(|j| *j != i), t[i]);
            errors += (guess - x[i]).powi(2);
            n += 1;
        }
    }
    let scale = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    match n {
        0 => 0.0,
        // A constant has no deviations.
        n => (errors / n as f64).sqrt() / ((size / x.len() as f64).sqrt() + 1e-9 * scale + f64::MIN_POSITIVE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal rows are taken as they are, also between rows of events.
    #[test]
    fn equal_rows_stay() {
        let mut t: Vec<f64> = (0..50).map(|k| 0.01 * k as f64).collect();
        let mut x: Vec<f64> = t.iter().map(|t| (3.0 * t).sin()).collect();
        let expected = x.clone();
        for at in [0.1234, 0.3] {
            let i = t.partition_point(|t| *t <= at);
            t.insert(i, at);
            x.insert(i, 7.0);
        }
        let s = Samples::new(&t, &x, false).unwrap();
        assert!(!s.interpolated && s.len() == 50);
        assert_eq!(s.values, expected);
    }

    /// Irregular rows: the error falls with the sixth power of the distance.
    #[test]
    fn interpolation_has_order_six() {
        let error = |n: usize| {
            let t: Vec<f64> =
                (0..=n).map(|k| k as f64 / n as f64).map(|s| 10.0 * (s + 0.05 * (7.0 * s).sin())).collect();
            let x: Vec<f64> = t.iter().map(|t| (2.0 * t).cos()).collect();
            let s = Samples::new(&t, &x, false).unwrap();
            assert!(s.interpolated);
            let exact = |k: usize| (2.0 * (s.start + k as f64 * s.step)).cos();
            let errors = s.values.iter().enumerate().map(|(k, x)| (x - exact(k)).abs());
            errors.fold(0.0, crate::study::larger)
        };
        let (coarse, fine) = (error(100), error(200));
        let order = (coarse / fine).log2();
        assert!(order > 5.3 && order < 7.5, "{coarse:e} {fine:e} {order}");
    }

    /// A jump with two rows of the same time is not smeared.
    #[test]
    fn jumps_stay_sharp() {
        let mut t: Vec<f64> = (0..=40).map(|k| (k as f64 / 40.0).powf(1.3)).collect();
        t.insert(20, t[20]);
        let x: Vec<f64> = (0..t.len()).map(|k| if k <= 20 { 1.0 } else { 2.0 }).collect();
        let s = Samples::new(&t, &x, false).unwrap();
        assert!(s.values.iter().all(|x| (x - 1.0).abs() < 1e-12 || (x - 2.0).abs() < 1e-12));
    }

    #[test]
    fn too_coarse_rows_are_refused() {
        let t: Vec<f64> = (0..200).map(|k| 0.1 * k as f64 + 0.03 * (k as f64).sin()).collect();
        let x: Vec<f64> = t.iter().map(|t| (25.0 * t).sin()).collect();
        assert!(matches!(Samples::new(&t, &x, false), Err(SpectrumError::Coarse { .. })));
    }
}
