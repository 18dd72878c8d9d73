//! Work of drives and of forces without potential along a run, by which the energy should change.

/// Work as the integral of a power that is known after every step.
///
/// Adams-Moulton quadrature: the integral of the polynomial through the last four values, of order 4 also for
/// variable steps; of lower order in the first steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// The work.
    pub total: f64,
    /// The last powers, the latest first, the steps between them, and the number of powers.
    last: [f64; 3],
    steps: [f64; 2],
    known: usize,
}

crate::persist!(Work { total, last, steps, known } where |x| {
    x.known <= 3 => "too many values of the power are known",
});

impl Work {
    /// Starts with a first power.
    pub fn starting(power: f64) -> Self {
        Work { last: [power, 0.0, 0.0], known: 1, ..Work::default() }
    }

    /// Adds a step h with the power at its end. Returns int |P| dt over it by the trapezoidal rule.
    pub fn step(&mut self, h: f64, power: f64) -> f64 {
        let [a, b, c] = self.last;
        self.total += h * self.mean(h, power);
        let before = if self.known == 0 { power } else { a };
        // The power jumps at an instant: earlier values say nothing about later ones.
        (self.last, self.known) =
            if h > 0.0 { ([power, a, b], (self.known + 1).min(3)) } else { ([power, b, c], 1) };
        self.steps = [h, self.steps[0]];
        0.5 * h * (before.abs() + power.abs())
    }

    /// Mean of the polynomial through the last powers and this one, h later, over h.
    fn mean(&self, h: f64, power: f64) -> f64 {
        let [a, b, c] = self.last;
        if self.known < 2 || h <= 0.0 {
            return if self.known == 0 { power } else { 0.5 * (power + a) };
        }
        // Newton's form in x = (t - t_n)/h with nodes 1, 0, -r, -r - s, whose integrals over 0..1 are 1/2,
        // -1/6, ...
        let r = self.steps[0] / h;
        let first = (power - a, (a - b) / r);
        let second = (first.0 - first.1) / (1.0 + r);
        let mean = a + 0.5 * first.0 - second / 6.0;
        if self.known < 3 {
            return mean;
        }
        let s = self.steps[1] / h;
        let third = (second - (first.1 - (b - c) / s) / (r + s)) / (1.0 + r + s);
        mean - third * (1.0 / 12.0 + r / 6.0)
    }

    /// Adds a step with known work.
    pub fn add(&mut self, work: f64) {
        self.total += work;
        self.known = 0;
    }
}

/// Work between two neighbouring samples: the cubic with the work and the power at both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkBetween {
    /// Times.
    pub t: [f64; 2],
    /// Work.
    pub work: [f64; 2],
    /// Power.
    pub power: [f64; 2],
}

impl WorkBetween {
    /// The work at a time.
    pub fn at(&self, t: f64) -> f64 {
        let ([t_0, t_1], [w_0, w_1], [p_0, p_1]) = (self.t, self.work, self.power);
        let h = t_1 - t_0;
        if t <= t_0 || !(h > 0.0) {
            return w_0;
        }
        let x = ((t - t_0) / h).min(1.0);
        let (y, rise) = (1.0 - x, w_1 - w_0);
        w_0 + x * x * (3.0 - 2.0 * x) * rise + h * x * y * (y * p_0 - x * p_1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(n: usize) -> f64 {
        let h = 2.0 / n as f64;
        let mut work = Work::starting(1.0);
        for k in 1..=n {
            work.step(h, (k as f64 * h).cos());
        }
        (work.total - 2.0_f64.sin()).abs()
    }

    /// The first, trapezoidal step causes an error of O(h^3), which is visible here because cos has no slope
    /// at 0 but a curvature.
    #[test]
    fn quadrature() {
        let order = (error(100) / error(200)).log2();
        assert!((order - 3.0).abs() < 0.1 && error(200) < 1e-7, "{order} {:e}", error(200));
        // Exact for cubics from the fourth point on, for any steps.
        let mut work = Work::starting(0.0);
        let (mut t, mut first) = (0.0_f64, 0.0);
        for (k, h) in [0.1, 0.1, 0.1, 0.15, 0.3, 0.2, 0.02, 0.5].into_iter().enumerate() {
            t += h;
            let passed = work.step(h, 4.0 * t.powi(3));
            assert!((passed - 2.0 * h * (t.powi(3) + (t - h).powi(3))).abs() < 1e-14);
            if k == 1 {
                first = t.powi(4) - work.total;
                work.total = t.powi(4);
            }
        }
        assert!(first.abs() > 1e-5 && (work.total - t.powi(4)).abs() < 1e-14, "{first:e}");
        // A jump of the power is not a slope.
        work = Work::starting(1.0);
        work.step(1.0, 1.0);
        work.step(0.0, 3.0);
        work.step(1.0, 3.0);
        assert_eq!(work.total, 4.0);
    }

    #[test]
    fn work_between_samples() {
        let (work, power) = (|t: f64| t.powi(3) - 2.0 * t, |t: f64| 3.0 * t * t - 2.0);
        let ends = [0.5, 0.9];
        let between = WorkBetween { t: ends, work: ends.map(work), power: ends.map(power) };
        for t in [0.5, 0.6, 0.77, 0.9] {
            assert!((between.at(t) - work(t)).abs() < 1e-15);
        }
    }
}
