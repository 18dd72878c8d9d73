//! Work of forces without potential and of drives along a run: what the energy should change by.

/// Work as the integral of a power that is known after every step.
///
/// Adams-Moulton quadrature through the last four values, order 4, of lower order in the first steps and after a change
/// of the step size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// The work.
    pub total: f64,
    /// The last powers, the latest first, and how many of them are equally spaced.
    last: [f64; 3],
    known: usize,
    h: f64,
}

crate::persist!(Work { total, last, known, h } where |x| { x.known <= 3 => "too many values of the power are known" });

impl Work {
    /// From a first power on.
    pub fn starting(power: f64) -> Self {
        Work { last: [power, 0.0, 0.0], known: 1, ..Work::default() }
    }

    /// A step h to a power.
    pub fn step(&mut self, h: f64, power: f64) {
        let [a, b, c] = self.last;
        if (h - self.h).abs() > 1e-9 * h.abs() {
            self.known = self.known.min(1);
        }
        self.total += h * match self.known {
            0 => power,
            1 => 0.5 * (power + a),
            2 => (5.0 * power + 8.0 * a - b) / 12.0,
            _ => (9.0 * power + 19.0 * a - 5.0 * b + c) / 24.0,
        };
        self.last = [power, a, b];
        self.known = (self.known + 1).min(3);
        self.h = h;
    }

    /// A step whose work is known.
    pub fn add(&mut self, work: f64) {
        self.total += work;
        self.known = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(n: usize) -> f64 {
        let h = 2.0 / n as f64;
        let mut work = Work::starting(1.0);
        (1..=n).for_each(|k| work.step(h, (k as f64 * h).cos()));
        (work.total - 2.0_f64.sin()).abs()
    }

    /// One trapezoidal step costs O(h^3); cos has no slope at 0 and a curvature, so that this is what is seen.
    #[test]
    fn quadrature() {
        let order = (error(100) / error(200)).log2();
        assert!((order - 3.0).abs() < 0.1 && error(200) < 1e-7, "{order} {:e}", error(200));
        // Cubics from the fourth point on, and other step sizes.
        let mut work = Work::starting(0.0);
        let (mut t, mut skipped) = (0.0_f64, 0.0);
        for (k, h) in [0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.2].into_iter().enumerate() {
            t += h;
            work.step(h, 4.0 * t.powi(3));
            if [2, 6].contains(&k) {
                skipped += t.powi(4) - work.total;
                work.total = t.powi(4);
            }
        }
        assert!(skipped.abs() > 1e-5 && (work.total - t.powi(4)).abs() < 1e-14);
    }
}
