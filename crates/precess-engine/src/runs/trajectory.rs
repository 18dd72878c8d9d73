//! A motion as rows of numbers at given times, with interpolation between them.

use super::observe::{RowLayout, Sizes};

/// Samples used for interpolation: order 8, so that its error is invisible in a reference solution with
/// twenty or more samples per period of its fastest oscillation.
const POINTS: usize = 8;

/// Rows at increasing times.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// The layout of a row.
    pub layout: RowLayout,
    t: Vec<f64>,
    rows: Vec<f64>,
}

impl Trajectory {
    /// An empty trajectory.
    pub fn new(layout: RowLayout) -> Self {
        Trajectory { layout, t: Vec::new(), rows: Vec::new() }
    }

    /// Adds a row at a later time.
    pub fn push(&mut self, t: f64, row: &[f64]) {
        let n = self.layout.len();
        let start = self.rows.len();
        self.t.push(t);
        self.rows.extend_from_slice(row);
        if start > 0 {
            let (before, now) = self.rows.split_at_mut(start);
            self.layout.align(&before[start - n..], now);
        }
    }

    /// Times of the rows.
    pub fn times(&self) -> &[f64] {
        &self.t
    }

    /// Row number i.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.layout.len()..][..self.layout.len()]
    }

    /// Largest sizes of all rows.
    pub fn largest(&self) -> Sizes {
        let rows = (0..self.t.len()).map(|i| self.layout.sizes(self.row(i)));
        rows.fold(Sizes::default(), Sizes::max)
    }

    /// The row at time t: a stored one if there is one, otherwise the polynomial through the nearest ones.
    /// False outside the stored times.
    pub fn at(&self, t: f64, out: &mut Vec<f64>) -> bool {
        out.clear();
        let (Some(first), Some(last)) = (self.t.first(), self.t.last()) else { return false };
        let slack = 1e-9 * (last - first) / self.t.len() as f64 + 1e-14 * last.abs();
        if t < first - slack || t > last + slack {
            return false;
        }
        let next = self.t.partition_point(|x| *x < t);
        for i in [next.saturating_sub(1), next.min(self.t.len() - 1)] {
            if (self.t[i] - t).abs() <= slack {
                out.extend_from_slice(self.row(i));
                return true;
            }
        }
        let n = POINTS.min(self.t.len());
        let from = next.saturating_sub(n / 2).min(self.t.len() - n);
        out.resize(self.layout.len(), 0.0);
        for i in from..from + n {
            let weight: f64 = (from..from + n)
                .filter(|j| *j != i)
                .map(|j| (t - self.t[j]) / (self.t[i] - self.t[j]))
                .product();
            for (o, x) in out.iter_mut().zip(self.row(i)) {
                *o += weight * x;
            }
        }
        self.layout.normalise(out);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::larger;

    /// A body spinning about z, with its quaternion passing through both signs.
    fn spinning(h: f64) -> Trajectory {
        let mut trajectory =
            Trajectory::new(RowLayout { bodies: 1, lambda: 0, reactions: 0, sensors: Vec::new() });
        for n in 0..=100 {
            let a = 10.0 * n as f64 * h;
            let mut row = vec![(0.5 * a).cos(), 0.0, 0.0, (0.5 * a).sin(), a.cos(), a.sin(), 0.0];
            if n % 3 == 0 {
                row[..4].iter_mut().for_each(|x| *x = -*x);
            }
            row.extend([0.0; 6]);
            trajectory.push(n as f64 * h, &row);
        }
        trajectory
    }

    #[test]
    fn interpolation_has_order_8() {
        let error = |h: f64| {
            let (trajectory, mut row) = (spinning(h), Vec::new());
            (0..400).fold(0.0, |largest, i| {
                let t = 100.0 * h * i as f64 / 400.0;
                assert!(trajectory.at(t, &mut row));
                let errors = [row[4] - (10.0 * t).cos(), row[0].abs() - (5.0 * t).cos().abs()];
                errors.iter().fold(largest, |m, e| larger(m, e.abs()))
            })
        };
        let order = (error(0.08) / error(0.04)).log2();
        assert!((7.5..9.5).contains(&order), "{order}");
    }

    #[test]
    fn stored_rows_are_returned_as_they_are() {
        let (trajectory, mut row) = (spinning(0.1), Vec::new());
        assert!(trajectory.at(0.3 + 1e-14, &mut row) && row == trajectory.row(3));
        assert!(!trajectory.at(-0.01, &mut row) && !trajectory.at(10.1, &mut row));
    }
}
