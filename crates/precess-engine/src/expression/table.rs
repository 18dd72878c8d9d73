//! Tables as functions: rows of x and y, connected by straight lines, a cubic spline or Akima's curve.

use super::dimension::Dimension;

/// Interpolation between the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BetweenRows {
    /// Straight lines: bends at every row.
    #[default]
    Linear,
    /// Cubic spline with two continuous derivatives, not-a-knot at its ends.
    Cubic,
    /// Akima's cubics (1970): one continuous derivative, no overshoot beside jumps.
    Akima,
}

/// Values outside the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The first and the last value.
    #[default]
    Hold,
    /// Straight lines with the slopes of the ends.
    Extend,
    /// The rows repeated: a cam, a gait. The last row equals the first one of the next turn.
    Repeat,
}

/// A function from rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Increasing.
    x: Vec<f64>,
    /// y, y', y''/2 and y'''/6 at the beginning of each interval; the last entry is for values after the
    /// rows.
    pieces: Vec<[f64; 4]>,
    before: [f64; 2],
    between: BetweenRows,
    /// For tables that repeat.
    period: Option<f64>,
    /// Dimensions of x and y, if they have units.
    dimensions: [Option<Dimension>; 2],
}

/// Number of rows around the period to which a curve is fitted: the effect of their ends has decayed to
/// rounding before the period begins.
const BESIDE: usize = 60;
/// Largest difference of the first and last value of a repeated table, relative to the values.
const CLOSED: f64 = 1e-9;

/// A jump of the third derivative below this part of its largest value is not noticeable.
const NOTICEABLE: f64 = 0.1;
/// Relative rounding errors of values.
const ROUNDING: f64 = 1e-12;

/// Largest number of rows.
pub const MOST_ROWS: usize = 1_000_000;

impl Table {
    /// Sets the dimensions of x and y, which are otherwise unknown.
    pub fn with_dimensions(mut self, dimensions: [Option<Dimension>; 2]) -> Self {
        self.dimensions = dimensions;
        self
    }

    /// Dimensions of x and y, if they have units.
    pub fn dimensions(&self) -> [Option<Dimension>; 2] {
        self.dimensions
    }

    /// A table from at least two rows with increasing x.
    pub fn new(rows: &[[f64; 2]], between: BetweenRows, outside: Outside) -> Result<Self, String> {
        if rows.len() < 2 || rows.len() > MOST_ROWS {
            return Err(format!("a table has from 2 to {MOST_ROWS} rows, this one has {}", rows.len()));
        }
        if let Some(row) = rows.iter().flatten().position(|x| !x.is_finite()) {
            return Err(format!("row {} has a value that is not a finite number", row / 2 + 1));
        }
        let increases = |w: &[[f64; 2]]| matches!(w, [[a, _], [b, _]] if a < b);
        if let Some(i) = rows.windows(2).position(|w| !increases(w)) {
            return Err(format!(
                "the first column must increase, but does not from row {} to {}",
                i + 1,
                i + 2
            ));
        }
        match outside {
            Outside::Repeat => Self::repeated(rows, between),
            _ => Ok(Self::fit(rows, between, outside)),
        }
    }

    /// A table that repeats: its curve is fitted to several turns.
    fn repeated(rows: &[[f64; 2]], between: BetweenRows) -> Result<Self, String> {
        let (Some([x_0, y_0]), Some(([x_n, y_n], turn))) = (rows.first(), rows.split_last()) else {
            return Err("a table has rows".to_string());
        };
        let size = rows.iter().fold(0.0, |m: f64, [_, y]| m + y.abs());
        if (y_n - y_0).abs() > CLOSED * size {
            return Err(format!(
                "a table that repeats must end with its first value, but this one goes from {y_0} to {y_n}"
            ));
        }
        let (n, period) = (turn.len(), x_n - x_0);
        let turns = BESIDE.div_ceil(n.max(1));
        let mut wide: Vec<[f64; 2]> = Vec::new();
        for k in 0..2 * turns + 1 {
            let shift = (k as f64 - turns as f64) * period;
            wide.extend(turn.iter().map(|[x, y]| [x + shift, *y]));
        }
        wide.push([x_n + turns as f64 * period, *y_0]);
        let curve = Self::fit(&wide, between, Outside::Hold);
        let mut pieces: Vec<[f64; 4]> = curve.pieces.into_iter().skip(turns * n).take(n).collect();
        pieces.extend(pieces.first().copied());
        let x = rows.iter().map(|[x, _]| *x).collect();
        Ok(Table { x, pieces, before: curve.before, between, period: Some(period), dimensions: [None; 2] })
    }

    fn fit(rows: &[[f64; 2]], between: BetweenRows, outside: Outside) -> Self {
        let x: Vec<f64> = rows.iter().map(|[x, _]| *x).collect();
        let y: Vec<f64> = rows.iter().map(|[_, y]| *y).collect();
        let h: Vec<f64> = differences(&x);
        let slope: Vec<f64> = differences(&y).iter().zip(&h).map(|(d, h)| d / h).collect();
        let mut pieces = match between {
            BetweenRows::Linear => y.iter().zip(&slope).map(|(y, s)| [*y, *s, 0.0, 0.0]).collect(),
            BetweenRows::Cubic => cubic(&y, &h, &slope),
            BetweenRows::Akima => hermite(&y, &h, &slope, &akima(&slope)),
        };
        let [y_0, s_0] = pieces.first().map_or([0.0; 2], |[y, s, ..]| [*y, *s]);
        let end = pieces.last().zip(h.last()).map_or([0.0; 2], |([_, b, c, d], h)| {
            [y.last().copied().unwrap_or(0.0), b + h * (2.0 * c + 3.0 * d * h)]
        });
        let (before, [y_n, s_n]) = match outside {
            Outside::Hold | Outside::Repeat => ([y_0, 0.0], [end[0], 0.0]),
            Outside::Extend => ([y_0, s_0], end),
        };
        pieces.push([y_n, s_n, 0.0, 0.0]);
        Table { x, pieces, before, between, period: None, dimensions: [None; 2] }
    }

    /// Value and two derivatives.
    #[inline]
    pub fn at(&self, x: f64) -> [f64; 3] {
        let x = match (self.period, self.x.first()) {
            (Some(period), Some(first)) => first + (x - first).rem_euclid(period),
            _ => x,
        };
        let n = self.x.partition_point(|a| *a <= x);
        if x.is_nan() {
            return [f64::NAN; 3];
        }
        let (from, [a, b, c, d]) = match n.checked_sub(1) {
            Some(i) => match (self.x.get(i), self.pieces.get(i)) {
                (Some(from), Some(piece)) => (*from, *piece),
                _ => return [f64::NAN; 3],
            },
            None => {
                let [y, s] = self.before;
                (self.x.first().copied().unwrap_or(0.0), [y, s, 0.0, 0.0])
            }
        };
        let s = x - from;
        // A run that ends at the last row still moves with the slope before it. The second derivative is that
        // of the other side, as at all rows.
        if n == self.x.len()
            && s == 0.0
            && self.period.is_none()
            && let Some(([y, b, c, d], h)) = self.last_interval()
        {
            return [y + h * (b + h * (c + h * d)), b + h * (2.0 * c + 3.0 * d * h), 0.0];
        }
        [a + s * (b + s * (c + s * d)), b + s * (2.0 * c + 3.0 * d * s), 2.0 * c + 6.0 * d * s]
    }

    /// The values at which the curve or one of its derivatives bends.
    pub fn knots(&self) -> &[f64] {
        &self.x
    }

    /// The last cubic and the length of its interval.
    fn last_interval(&self) -> Option<([f64; 4], f64)> {
        let i = self.x.len().checked_sub(2)?;
        Some((*self.pieces.get(i)?, self.x.get(i + 1)? - self.x.get(i)?))
    }

    /// The knots at which an integrator should begin anew: all of them, but of a cubic spline only those at
    /// which the third derivative jumps noticeably. A smooth curve given by many rows has none inside.
    pub fn bends(&self) -> Vec<f64> {
        let steepest = self.steepest();
        let noticeable = |w: &[[f64; 4]], h: f64| match w {
            [[y, .., before], [y_next, .., after]] => {
                let jump = (after - before).abs();
                let rounding = ROUNDING * (y.abs() + y_next.abs()) / (h * h * h);
                jump > NOTICEABLE * steepest && jump > rounding
            }
            _ => true,
        };
        if self.between != BetweenRows::Cubic {
            return self.x.clone();
        }
        let last = self.x.len().saturating_sub(1);
        let inside = self.pieces.windows(2).zip(self.x.windows(2)).zip(1..last);
        let inside = inside.filter(|((w, x), _)| match x {
            [a, b] => noticeable(w, b - a),
            _ => true,
        });
        let inside = inside.filter_map(|((_, x), _)| x.last().copied());
        self.x.first().copied().into_iter().chain(inside).chain(self.x.last().copied()).collect()
    }

    /// The largest third derivative, divided by 6.
    fn steepest(&self) -> f64 {
        self.pieces.iter().map(|[.., d]| d.abs()).fold(0.0, f64::max)
    }

    /// The period of its rows.
    pub fn period(&self) -> Option<f64> {
        self.period
    }

    /// Continuous derivatives that the curve has everywhere.
    pub(crate) fn smoothness(&self) -> i32 {
        let ends = self.pieces.last().is_some_and(|[_, s, ..]| *s != 0.0) || self.flat_ends();
        match self.between {
            BetweenRows::Linear => 0,
            BetweenRows::Cubic if self.period.is_some() => 2,
            _ => i32::from(ends || self.period.is_some()),
        }
    }

    /// True if the curve begins and ends with slope zero.
    fn flat_ends(&self) -> bool {
        let slope = |x: Option<&f64>, side: f64| {
            let x = x.copied().unwrap_or(0.0);
            let inside = self.at(x + side * 1e-9 * (1.0 + x.abs()));
            inside[1].abs()
        };
        slope(self.x.first(), 1.0) < 1e-6 && slope(self.x.last(), -1.0) < 1e-6
    }

    /// Its size in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.x.len() * size_of::<[f64; 5]>()
    }
}

fn differences(x: &[f64]) -> Vec<f64> {
    x.iter().zip(x.iter().skip(1)).map(|(a, b)| b - a).collect()
}

/// Cubic pieces from values and slopes at the rows.
fn hermite(y: &[f64], h: &[f64], slope: &[f64], d: &[f64]) -> Vec<[f64; 4]> {
    let ends = d.iter().zip(d.iter().skip(1));
    let rows = y.iter().zip(h.iter().zip(slope)).zip(ends);
    rows.map(|((y, (h, s)), (a, b))| [*y, *a, (3.0 * s - 2.0 * a - b) / h, (a + b - 2.0 * s) / (h * h)])
        .collect()
}

/// Slopes at the rows by Akima's weights; two slopes are added at each end on a parabola.
fn akima(slope: &[f64]) -> Vec<f64> {
    let first = slope.first().copied().unwrap_or(0.0);
    let last = slope.last().copied().unwrap_or(0.0);
    let second = slope.get(1).copied().unwrap_or(first);
    let before_last = slope.iter().rev().nth(1).copied().unwrap_or(last);
    let (b1, e1) = (2.0 * first - second, 2.0 * last - before_last);
    let (b2, e2) = (2.0 * b1 - first, 2.0 * e1 - last);
    let all: Vec<f64> = [b2, b1].into_iter().chain(slope.iter().copied()).chain([e1, e2]).collect();
    let of = |w: &[f64]| match *w {
        [m1, m2, m3, m4] => {
            let (left, right) = ((m4 - m3).abs(), (m2 - m1).abs());
            match left + right {
                sum if sum <= 1e-12 * (m2.abs() + m3.abs()) => 0.5 * (m2 + m3),
                sum => (left * m2 + right * m3) / sum,
            }
        }
        _ => 0.0,
    };
    all.windows(4).map(of).collect()
}

/// The spline with two continuous derivatives; in the first and last two intervals it is one cubic.
fn cubic(y: &[f64], h: &[f64], slope: &[f64]) -> Vec<[f64; 4]> {
    let n = y.len();
    let jumps = differences(slope);
    let m: Vec<f64> = match (n, jumps.first(), h) {
        (2, ..) => vec![0.0; 2],
        // A parabola.
        (3, Some(jump), [a, b]) => vec![2.0 * jump / (a + b); 3],
        _ => second_derivatives(h, &jumps),
    };
    let pairs = m.iter().zip(m.iter().skip(1));
    let rows = y.iter().zip(h.iter().zip(slope)).zip(pairs);
    rows.map(|((y, (h, s)), (m, m_next))| {
        [*y, s - h * (2.0 * m + m_next) / 6.0, 0.5 * m, (m_next - m) / (6.0 * h)]
    })
    .collect()
}

/// Second derivatives at the rows, from a tridiagonal system after elimination of the first and last unknown.
fn second_derivatives(h: &[f64], jumps: &[f64]) -> Vec<f64> {
    let pairs: Vec<(f64, f64)> = h.iter().copied().zip(h.iter().skip(1).copied()).collect();
    let n = pairs.len();
    // Rows: lower, diagonal, upper, right side.
    let mut rows: Vec<[f64; 4]> =
        pairs.iter().zip(jumps).map(|((a, b), j)| [*a, 2.0 * (a + b), *b, 6.0 * j]).collect();
    if let (Some([_, d, u, _]), Some((a, b))) = (rows.first_mut(), pairs.first()) {
        *d += a * (a + b) / b;
        *u -= a * a / b;
    }
    if let (Some([l, d, ..]), Some((a, b))) = (rows.last_mut(), pairs.last()) {
        *d += b * (a + b) / a;
        *l -= b * b / a;
    }
    let (mut before_u, mut before_r) = (0.0, 0.0);
    let reduced: Vec<[f64; 2]> = rows
        .iter()
        .enumerate()
        .map(|(i, [l, d, u, r])| {
            let l = if i == 0 { 0.0 } else { *l };
            let pivot = d - l * before_u;
            (before_u, before_r) = (u / pivot, (r - l * before_r) / pivot);
            [before_u, before_r]
        })
        .collect();
    let mut inner = vec![0.0; n];
    let mut next = 0.0;
    for ((m, [u, r]), i) in inner.iter_mut().zip(&reduced).rev().zip(0..) {
        next = r - if i == 0 { 0.0 } else { u * next };
        *m = next;
    }
    let at = |i: usize| inner.get(i).copied().unwrap_or(0.0);
    let end = |(a, b): (f64, f64), m: f64, other: f64| ((a + b) * m - a * other) / b;
    let first = pairs.first().map_or(0.0, |p| end(*p, at(0), at(1)));
    let last = pairs.last().map_or(0.0, |(a, b)| end((*b, *a), at(n - 1), at(n.saturating_sub(2))));
    [first].into_iter().chain(inner).chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::larger;

    fn rows(n: usize, f: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        // Uneven rows.
        (0..=n).map(|i| i as f64 / n as f64).map(|s| s + 0.1 * (3.0 * s).sin()).map(|x| [x, f(x)]).collect()
    }

    fn error(n: usize, between: BetweenRows) -> f64 {
        let table = Table::new(&rows(n, f64::sin), between, Outside::Hold).unwrap();
        (0..=997).map(|i| i as f64 / 997.0).map(|x| (table.at(x)[0] - x.sin()).abs()).fold(0.0, larger)
    }

    /// The last row belongs to the curve before it.
    #[test]
    fn the_last_row_has_the_slope_of_the_curve() {
        for between in [BetweenRows::Linear, BetweenRows::Cubic, BetweenRows::Akima] {
            let rows = rows(40, f64::sin);
            let table = Table::new(&rows, between, Outside::Hold).unwrap();
            let [x, y] = rows[40];
            let (at, before) = (table.at(x), table.at(x - 1e-9));
            assert!((at[0] - y).abs() < 1e-14 && (at[1] - before[1]).abs() < 1e-7, "{between:?}: {at:?}");
            assert_eq!(table.at(x + 1e-9)[1], 0.0);
        }
    }

    /// A smooth curve from many rows has no bends, a coarse or broken one has, and a straight line has none.
    #[test]
    fn bends_of_splines() {
        let bends = |n: usize, f: fn(f64) -> f64| {
            Table::new(&rows(n, f), BetweenRows::Cubic, Outside::Hold).unwrap().bends()
        };
        for n in [100, 1000, 5000] {
            assert_eq!(bends(n, |x| 3.0 + (2.0 * x).sin()).len(), 2, "{n}");
            assert_eq!(bends(n, |x| 1.0 - 2.0 * x).len(), 2, "{n}");
            // A kink at 0.5: the spline swings there, and only there.
            let kinks = bends(n, |x| (x - 0.5).abs());
            assert!((5..40).contains(&kinks.len()), "{n}: {}", kinks.len());
            let inside = &kinks[1..kinks.len() - 1];
            assert!(inside.iter().all(|x| (x - 0.5).abs() < 20.0 / n as f64), "{n}: {inside:?}");
        }
        assert!(bends(6, |x| (7.0 * x).cos()).len() > 2);
        let linear = Table::new(&rows(50, f64::sin), BetweenRows::Linear, Outside::Hold).unwrap();
        assert_eq!(linear.bends().len(), 51);
    }

    #[test]
    fn errors_fall_with_the_order_of_the_curve() {
        for (between, order) in
            [(BetweenRows::Linear, 2.0), (BetweenRows::Cubic, 4.0), (BetweenRows::Akima, 3.0)]
        {
            let found = (error(20, between) / error(40, between)).log2();
            assert!(found > order - 0.4 && found < order + 1.2, "{between:?}: {found}");
        }
    }

    #[test]
    fn cubics_reproduce_cubics_and_derivatives_are_continuous() {
        let f = |x: f64| 1.0 - 2.0 * x + 3.0 * x * x - 0.5 * x * x * x;
        let table = Table::new(&rows(7, f), BetweenRows::Cubic, Outside::Extend).unwrap();
        for i in 0..=100 {
            let x = i as f64 / 100.0;
            let [y, y_1, y_2] = table.at(x);
            assert!((y - f(x)).abs() < 1e-13, "{x}: {y}");
            assert!((y_1 - (-2.0 + 6.0 * x - 1.5 * x * x)).abs() < 1e-11, "{x}: {y_1}");
            assert!((y_2 - (6.0 - 3.0 * x)).abs() < 1e-10, "{x}: {y_2}");
        }
        let rough = rows(9, |x| (7.0 * x).cos());
        for (between, derivatives) in
            [(BetweenRows::Linear, 0), (BetweenRows::Akima, 1), (BetweenRows::Cubic, 2)]
        {
            let table = Table::new(&rough, between, Outside::Extend).unwrap();
            for knot in &rough[1..9] {
                let (left, right) = (table.at(knot[0] - 1e-9), table.at(knot[0]));
                for k in 0..=derivatives {
                    assert!((left[k] - right[k]).abs() < 1e-5, "{between:?} at {}: {k}", knot[0]);
                }
            }
        }
    }

    /// A turn of a sine with a few uneven rows: periodic, with the derivatives of the sine, and continuous
    /// where the turns meet.
    #[test]
    fn tables_that_repeat() {
        use std::f64::consts::TAU;
        let rows = |n: usize| -> Vec<[f64; 2]> {
            let at = |i: usize| i as f64 / n as f64;
            (0..=n).map(at).map(|s| TAU * (s + 0.03 * (TAU * s).sin())).map(|x| [x, x.sin()]).collect()
        };
        let table = |n: usize, between| Table::new(&rows(n), between, Outside::Repeat).unwrap();
        let error = |n: usize| {
            let table = table(n, BetweenRows::Cubic);
            let at = (0..4000).map(|i| -20.0 + 0.01 * f64::from(i));
            at.map(|x| (table.at(x)[2] + x.sin()).abs()).sum::<f64>() / 4000.0
        };
        let order = (error(20) / error(40)).log2();
        assert!(order > 1.7 && error(40) < 1e-2, "{order} {}", error(40));
        for (between, smooth) in [(BetweenRows::Linear, 0), (BetweenRows::Akima, 1), (BetweenRows::Cubic, 2)]
        {
            let table = table(5, between);
            assert_eq!(table.smoothness(), smooth);
            for turn in [-3.0, 0.0, 1.0, 7.0] {
                let (left, right) = (table.at(turn * TAU - 1e-9), table.at(turn * TAU + 1e-9));
                for k in 0..=smooth as usize {
                    assert!((left[k] - right[k]).abs() < 1e-7, "{between:?} {turn} {k}");
                }
            }
        }
        let open = Table::new(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]], BetweenRows::Cubic, Outside::Repeat);
        assert!(open.unwrap_err().contains("goes from 0 to 0.5"));
    }

    #[test]
    fn ends_and_mistakes() {
        let two = [[0.0, 1.0], [2.0, 5.0]];
        let hold = Table::new(&two, BetweenRows::Akima, Outside::Hold).unwrap();
        assert_eq!(
            [hold.at(-1.0)[0], hold.at(1.0)[0], hold.at(2.0)[0], hold.at(9.0)[0]],
            [1.0, 3.0, 5.0, 5.0]
        );
        let extend = Table::new(&two, BetweenRows::Cubic, Outside::Extend).unwrap();
        assert_eq!([extend.at(-1.0)[0], extend.at(3.0)[0]], [-1.0, 7.0]);
        let three =
            Table::new(&[[0.0, 0.0], [1.0, 1.0], [3.0, 9.0]], BetweenRows::Cubic, Outside::Hold).unwrap();
        assert!((three.at(2.0)[0] - 4.0).abs() < 1e-14);
        assert!(hold.at(f64::NAN)[0].is_nan());
        let bad = |rows: &[[f64; 2]]| Table::new(rows, BetweenRows::Linear, Outside::Hold).unwrap_err();
        assert!(bad(&two[..1]).contains("from 2"));
        assert!(bad(&[[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]]).contains("row 2 to 3"));
        assert!(bad(&[[0.0, 0.0], [1.0, f64::NAN]]).contains("row 2"));
    }
}
