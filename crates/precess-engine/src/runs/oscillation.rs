//! Detects multipliers that alternate from step to step and grow.
//!
//! In index-3 form the errors of the multipliers follow their own recursion, with all eigenvalues at -rho_inf
//! in the limit of small steps. If the step is too large for the damping, an eigenvalue leaves the unit
//! circle; lambda then alternates with a growing amplitude while q, v look normal for a long time.
//!
//! The amplitude is a quarter of the second difference of lambda. Its peaks in windows of 4, 8, 32 and 128
//! steps must grow five times in a row: by a factor of 1.5 while the amplitude is small, as in exponential
//! growth, but not in the harmless transient n^2 rho^n of inconsistent starting values; by a factor of 1.05
//! once the amplitude exceeds the multipliers themselves.

/// Growth of the peaks of successive windows, each with the smallest amplitude, relative to the multipliers,
/// for which it counts.
const GROWTH: [(f64, f64); 2] = [(1.5, 0.05), (1.05, 1.0)];
/// Number of successive windows with growth.
const GROWING_WINDOWS: usize = 5;
/// Smallest fraction of the steps of a window in which the second difference changes its direction.
const ALTERNATING_FRACTION: f64 = 0.9;

/// Number of alternating steps in a row, and their amplitude, that explain a failure.
const ALTERNATING_STEPS: usize = 6;
const VISIBLE: f64 = 0.2;

#[derive(Clone, Copy, Debug)]
struct Window {
    length: usize,
    steps: usize,
    turns: usize,
    peak: f64,
    previous: f64,
    /// Successive windows with growth, for each of [`GROWTH`].
    times: [usize; 2],
}

impl Window {
    fn new(length: usize) -> Self {
        Window { length, steps: 0, turns: 0, peak: 0.0, previous: f64::INFINITY, times: [0; 2] }
    }

    /// True if growth is established, for each of [`GROWTH`].
    fn observe(&mut self, amplitude: f64, turned: bool) -> [bool; 2] {
        self.steps += 1;
        self.turns += usize::from(turned);
        self.peak = self.peak.max(amplitude);
        if self.steps < self.length {
            return [false; 2];
        }
        let alternating = self.turns as f64 >= ALTERNATING_FRACTION * self.length as f64;
        let times = std::array::from_fn(|i| {
            let grows = alternating && self.peak >= GROWTH[i].0 * self.previous;
            if grows { self.times[i] + 1 } else { 0 }
        });
        *self = Window { previous: self.peak, times, ..Window::new(self.length) };
        times.map(|n| n >= GROWING_WINDOWS)
    }
}

crate::persist!(Window { steps, turns, peak, previous, times } given { length } where |x| {
    x.turns <= x.steps && x.steps < x.length => "the multipliers were watched for too many steps",
});
crate::persist!(Oscillation { windows, last, difference, size, seen, warned, turns, relative });

/// Watches the multipliers of a run.
#[derive(Clone, Debug)]
pub struct Oscillation {
    windows: [Window; 4],
    /// The last two lambda.
    last: [Vec<f64>; 2],
    difference: Vec<f64>,
    /// Largest mean of successive multipliers.
    size: f64,
    seen: usize,
    warned: bool,
    /// Steps in a row in which the second difference changed its direction, and its last amplitude.
    turns: usize,
    relative: f64,
}

impl Oscillation {
    /// For m multipliers.
    pub fn new(m: usize) -> Self {
        Oscillation {
            windows: [4, 8, 32, 128].map(Window::new),
            last: [vec![0.0; m], vec![0.0; m]],
            difference: vec![0.0; m],
            size: 0.0,
            seen: 0,
            warned: false,
            turns: 0,
            relative: 0.0,
        }
    }

    /// The relative amplitude of multipliers that currently alternate, if it is large enough to matter.
    pub fn alternating(&self) -> Option<f64> {
        (self.turns >= ALTERNATING_STEPS && self.relative > VISIBLE).then_some(self.relative)
    }

    /// Records a step. Returns the relative amplitude when growth is established for the first time.
    pub fn observe(&mut self, lambda: &[f64]) -> Option<f64> {
        if lambda.is_empty() {
            return None;
        }
        let (mut square, mut product, mut mean) = (0.0, 0.0, 0.0);
        for (i, x) in lambda.iter().enumerate() {
            let d = x - 2.0 * self.last[0][i] + self.last[1][i];
            square += d * d;
            product += d * self.difference[i];
            mean += (0.5 * (x + self.last[0][i])).powi(2);
            self.difference[i] = d;
        }
        let [newest, oldest] = &mut self.last;
        std::mem::swap(newest, oldest);
        newest.copy_from_slice(lambda);
        self.seen += 1;
        if self.seen < 3 {
            return None;
        }
        let amplitude = 0.25 * square.sqrt();
        self.size = self.size.max(mean.sqrt());
        let relative = amplitude / self.size;
        self.relative = relative;
        self.turns = if product < 0.0 { self.turns + 1 } else { 0 };
        if self.warned {
            return None;
        }
        for window in &mut self.windows {
            let grows = window.observe(amplitude, product < 0.0);
            self.warned |= (0..2).any(|i| grows[i] && relative >= GROWTH[i].1);
        }
        self.warned.then_some(relative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precess_lie::larger;

    fn warns(f: impl Fn(f64) -> f64) -> bool {
        let mut o = Oscillation::new(1);
        (0..3000).any(|n| o.observe(&[100.0 + f(n as f64)]).is_some())
    }

    fn alternating(n: f64) -> f64 {
        if n % 2.0 == 0.0 { 1.0 } else { -1.0 }
    }

    #[test]
    fn exponential_growth_is_seen() {
        for factor in [1.006_f64, 1.02, 1.1, 2.0] {
            assert!(warns(|n| 1e-3 * factor.powf(n) * alternating(n)), "{factor}");
        }
    }

    /// Not reported: transients of multiple eigenvalues inside or on the unit circle that stay below half of
    /// the multipliers, smooth growth, noise that does not grow.
    #[test]
    fn everything_else_is_not() {
        for rho in [0.5_f64, 0.9, 0.99, 0.999, 1.0] {
            for power in [0.0, 1.0, 2.0] {
                let size = |n: f64| n.powf(power) * rho.powf(n);
                let peak = (0..3000).fold(0.0, |m, n| larger(m, size(n as f64)));
                assert!(!warns(|n| 50.0 * size(n) / peak * alternating(n)), "{rho} {power}");
            }
        }
        assert!(!warns(|n| 1.02_f64.powf(n)));
        assert!(!warns(|n| 50.0 * (0.3 * n).sin()));
        assert!(!warns(|n| 50.0 * alternating(n)));
    }

    /// Growth too small to matter is not reported.
    #[test]
    fn invisible_growth_is_not_reported() {
        let mut o = Oscillation::new(1);
        for n in 0..200 {
            assert!(o.observe(&[1e6 + 1e-9 * 1.1_f64.powi(n) * alternating(n as f64)]).is_none());
        }
    }
}
