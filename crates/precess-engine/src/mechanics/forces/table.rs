//! A curve through given points, with derivative and integral: force over length.
//!
//! Linear interpolation has kinks at the points. The monotone cubic (Fritsch and Carlson 1980, slopes by the
//! weighted harmonic mean of Fritsch and Butland 1984) has a continuous derivative and does not overshoot the
//! data. Outside the points the curve continues with its end slopes.

use std::sync::Arc;

use precess_lie::Number;

/// Interpolation between the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Piecewise cubic without overshoot.
    #[default]
    MonotoneCubic,
    /// Straight lines.
    Linear,
}

/// The curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Slopes of the cubic at the points.
    m: Vec<f64>,
    /// Integral from the first point to each point.
    area: Vec<f64>,
    interpolation: Interpolation,
}

impl Table {
    /// Its points.
    pub fn points(&self) -> Vec<[f64; 2]> {
        self.x.iter().zip(&self.y).map(|(x, y)| [*x, *y]).collect()
    }

    /// The interpolation between them.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// A curve through at least two points with increasing x. The error describes the problem.
    pub fn new(points: &[[f64; 2]], interpolation: Interpolation) -> Result<Self, String> {
        if points.len() < 2 {
            return Err(format!("a table needs at least two points, it has {}", points.len()));
        }
        if let Some(i) = (1..points.len()).find(|&i| !(points[i][0] > points[i - 1][0])) {
            return Err(format!(
                "the first column of a table increases, but {} follows {}",
                points[i][0],
                points[i - 1][0]
            ));
        }
        let x: Vec<f64> = points.iter().map(|p| p[0]).collect();
        let y: Vec<f64> = points.iter().map(|p| p[1]).collect();
        if y.iter().any(|y| !y.is_finite()) {
            return Err("a table holds finite numbers".to_string());
        }
        let m = slopes(&x, &y);
        let mut table = Table { area: vec![0.0; x.len()], x, y, m, interpolation };
        for i in 1..table.x.len() {
            table.area[i] = table.area[i - 1] + table.piece(i - 1).integral(table.x[i] - table.x[i - 1]);
        }
        Ok(table)
    }

    /// Value and slope at x.
    #[inline]
    pub fn value(&self, x: f64) -> (f64, f64) {
        let (i, d) = self.interval(x);
        let p = self.piece(i);
        (p.value(d), p.slope(d))
    }

    /// Integral from the first point to x.
    pub fn integral(&self, x: f64) -> f64 {
        let n = self.x.len() - 1;
        if x > self.x[n] {
            let d = x - self.x[n];
            let (y, slope) = self.value(self.x[n]);
            return self.area[n] + d * (y + 0.5 * d * slope);
        }
        let (i, d) = self.interval(x);
        self.area[i] + self.piece(i).integral(d)
    }

    /// Index of the piece that contains x, and the distance from its left end.
    #[inline]
    fn interval(&self, x: f64) -> (usize, f64) {
        let i = self.x.partition_point(|p| *p <= x).clamp(1, self.x.len() - 1) - 1;
        (i, x - self.x[i])
    }

    #[inline]
    fn piece(&self, i: usize) -> CubicPiece {
        let h = self.x[i + 1] - self.x[i];
        let secant = (self.y[i + 1] - self.y[i]) / h;
        let (m0, m1) = match self.interpolation {
            Interpolation::Linear => (secant, secant),
            Interpolation::MonotoneCubic => (self.m[i], self.m[i + 1]),
        };
        CubicPiece {
            h,
            y: self.y[i],
            m: m0,
            c2: (3.0 * secant - 2.0 * m0 - m1) / h,
            c3: (m0 + m1 - 2.0 * secant) / (h * h),
            end: self.y[i + 1],
            end_slope: m1,
        }
    }
}

/// One table for all models that run side by side, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    list: Arc<[Table]>,
    /// Weights of the tables in the derivative for a parameter; empty for unrelated models.
    weights: Arc<[f64]>,
}

impl From<Table> for Tables {
    fn from(table: Table) -> Self {
        Tables { list: [table].into(), weights: [].into() }
    }
}

impl Tables {
    /// The tables of several models, side by side; `weights` are those of a derivative.
    pub fn combine(list: &[&Tables], weights: Vec<f64>) -> Tables {
        match list {
            [first, rest @ ..] if rest.iter().all(|t| t == first) => (*first).clone(),
            _ => Tables {
                list: list.iter().flat_map(|t| t.list.first().cloned()).collect(),
                weights: weights.into(),
            },
        }
    }

    /// Adds the derivative for the parameter to a value; `of` is the value of one table.
    #[inline]
    fn varied<T: Number>(&self, value: T, of: impl Fn(&Table) -> f64) -> T {
        if self.weights.is_empty() {
            return value;
        }
        let base = of(&self.list[0]);
        value.plus_derivative(self.weights.iter().zip(&*self.list).map(|(w, t)| w * (of(t) - base)).sum())
    }

    /// The table, if all models have the same.
    pub fn alone(&self) -> Option<&Table> {
        match &*self.list {
            [table] => Some(table),
            _ => None,
        }
    }

    #[inline]
    fn lane(&self, lane: usize) -> &Table {
        self.list.get(lane).unwrap_or(&self.list[0])
    }

    /// Value and slope.
    #[inline]
    pub fn at<T: Number>(&self, x: T) -> [T; 2] {
        let slope = |lane: usize, x: f64| self.lane(lane).value(x).1;
        let value = T::compose([x], |lane, [x]| self.lane(lane).value(x).0, |lane, [x]| [slope(lane, x)]);
        let [s_y] = T::map([x], |lane, [x]| [slope(lane, x)]);
        let here = x.first();
        [self.varied(value, |t| t.value(here).0), self.varied(s_y, |t| t.value(here).1)]
    }

    /// Integral from the first point.
    pub fn energy<T: Number>(&self, x: T) -> T {
        let value = |lane: usize, x: f64| self.lane(lane).value(x).0;
        let energy = T::compose([x], |lane, [x]| self.lane(lane).integral(x), |lane, [x]| [value(lane, x)]);
        self.varied(energy, |t| t.integral(x.first()))
    }
}

/// One cubic in the distance from its left end, continued by straight lines.
struct CubicPiece {
    h: f64,
    y: f64,
    m: f64,
    c2: f64,
    c3: f64,
    end: f64,
    end_slope: f64,
}

impl CubicPiece {
    #[inline]
    fn value(&self, d: f64) -> f64 {
        if d < 0.0 {
            self.y + d * self.m
        } else if d > self.h {
            self.end + (d - self.h) * self.end_slope
        } else {
            self.y + d * (self.m + d * (self.c2 + d * self.c3))
        }
    }

    #[inline]
    fn slope(&self, d: f64) -> f64 {
        if d < 0.0 {
            self.m
        } else if d > self.h {
            self.end_slope
        } else {
            self.m + d * (2.0 * self.c2 + 3.0 * d * self.c3)
        }
    }

    /// From the left end to d <= h.
    fn integral(&self, d: f64) -> f64 {
        if d < 0.0 {
            d * (self.y + 0.5 * d * self.m)
        } else {
            d * (self.y + d * (self.m / 2.0 + d * (self.c2 / 3.0 + d * self.c3 / 4.0)))
        }
    }
}

/// Slopes at the points that keep every piece monotone.
fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let s: Vec<f64> = (0..n - 1).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
    let mut m = vec![0.0; n];
    for i in 1..n - 1 {
        if s[i - 1] * s[i] > 0.0 {
            let (w1, w2) = (2.0 * h[i] + h[i - 1], h[i] + 2.0 * h[i - 1]);
            m[i] = (w1 + w2) / (w1 / s[i - 1] + w2 / s[i]);
        }
    }
    // One-sided three-point slopes at the ends, limited to keep the shape.
    let end = |h0: f64, h1: f64, s0: f64, s1: f64| {
        let d = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        if d * s0 <= 0.0 {
            0.0
        } else if s0 * s1 <= 0.0 && d.abs() > 3.0 * s0.abs() {
            3.0 * s0
        } else {
            d
        }
    };
    if n == 2 {
        m.fill(s[0]);
    } else {
        m[0] = end(h[0], h[1], s[0], s[1]);
        m[n - 1] = end(h[n - 2], h[n - 3], s[n - 2], s[n - 3]);
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [[f64; 2]; 5] = [[0.0, -1.0], [0.5, 0.0], [1.0, 0.2], [2.0, 4.0], [2.5, 4.0]];

    #[test]
    fn passes_through_its_points_with_exact_slope_and_integral() {
        for kind in [Interpolation::Linear, Interpolation::MonotoneCubic] {
            let table = Table::new(&POINTS, kind).unwrap();
            for [x, y] in POINTS {
                assert!((table.value(x).0 - y).abs() < 1e-14, "{kind:?} {x}");
            }
            for i in 0..=70 {
                // Away from the kinks of the linear curve.
                let x = -0.513 + 0.05 * i as f64;
                let d = 1e-6;
                let slope = (table.value(x + d).0 - table.value(x - d).0) / (2.0 * d);
                assert!((table.value(x).1 - slope).abs() < 1e-7, "{kind:?} slope at {x}");
                let value = (table.integral(x + d) - table.integral(x - d)) / (2.0 * d);
                assert!((table.value(x).0 - value).abs() < 1e-7, "{kind:?} integral at {x}");
            }
        }
    }

    #[test]
    fn cubic_does_not_overshoot_and_reproduces_lines() {
        let table = Table::new(&POINTS, Interpolation::MonotoneCubic).unwrap();
        let mut before = f64::NEG_INFINITY;
        for i in 0..=250 {
            let y = table.value(0.01 * i as f64).0;
            assert!(y >= before - 1e-14 && y <= 4.0 + 1e-14);
            before = y;
        }
        let line = Table::new(&[[0.0, 1.0], [1.0, 3.0], [4.0, 9.0]], Interpolation::MonotoneCubic).unwrap();
        for x in [-3.0, 0.3, 2.0, 7.0] {
            assert!((line.value(x).0 - (1.0 + 2.0 * x)).abs() < 1e-13);
        }
    }

    #[test]
    fn bad_tables_are_refused() {
        assert!(Table::new(&[[0.0, 1.0]], Interpolation::Linear).is_err());
        assert!(Table::new(&[[0.0, 1.0], [0.0, 2.0]], Interpolation::Linear).is_err());
        assert!(Table::new(&[[0.0, f64::NAN], [1.0, 2.0]], Interpolation::Linear).is_err());
    }
}
